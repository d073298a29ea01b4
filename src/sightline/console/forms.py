"""Reading what a form sends."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from sightline.console.page import FormIsInvalid

MOST_BYTES: Final = 64 * 1024
MOST_FIELDS: Final = 50


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, the last of each name. Raises FormIsInvalid.

    A browser says where a request comes from; one from another site is refused whatever it holds.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise FormIsInvalid
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/x-www-form-urlencoded"):
        raise FormIsInvalid
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise FormIsInvalid
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise FormIsInvalid from error
    return {name: value.replace("\x00", "") for name, value in pairs}
