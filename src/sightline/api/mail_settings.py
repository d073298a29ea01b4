"""Settings of an organization's mail server in requests, and their validation."""

from typing import Annotated, Literal

from pydantic import Field

from sightline.api.endpoint import Schema
from sightline.domain.errors import RequestIsInvalid
from sightline.kit.fetch.addresses import IPNetwork, read_host
from sightline.kit.fetch.errors import FetchFailed

# What `checked_host` checks of addresses, as the schema says it.
ADDRESS = Field(
    json_schema_extra={"pattern": r"^[^@\s\x1c-\x1f\x85,;<>]+@[^@\s\x1c-\x1f\x85,;<>]+$"}
)


class MailSettings(Schema):
    """The mail server that digests of alerts go out over."""

    host: str = Field(min_length=1, max_length=253, examples=["smtp.northwind.example"])
    port: Literal[25, 465, 587, 2525] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    username: str = Field(default="", max_length=200)
    password: str | None = Field(
        default=None, max_length=500, description="Stored encrypted and never shown."
    )
    sender: Annotated[str, ADDRESS] = Field(
        min_length=3, max_length=254, examples=["alerts@northwind.example"]
    )
    recipients: list[Annotated[str, ADDRESS]] = Field(
        min_length=1, max_length=50, examples=[["sales@northwind.example"]]
    )


def checked_host(asked: MailSettings, allow: tuple[IPNetwork, ...]) -> str:
    """The canonical form of the host. Raises RequestIsInvalid for a host that mail never goes to, and
    for what is not an email address. What a name leads to is judged at each connection."""
    for n, address in enumerate([asked.sender, *asked.recipients]):
        if address.count("@") != 1 or any(c.isspace() or c in ",;<>" for c in address):
            path = "sender" if n == 0 else f"recipients.{n - 1}"
            raise RequestIsInvalid.at(path, "Must be an email address.", "invalid")
    try:
        return read_host(asked.host, allow=allow)
    except FetchFailed as error:
        message = "Must be a host on the internet that accepts mail."
        raise RequestIsInvalid.at("host", message, "forbidden_address") from error
