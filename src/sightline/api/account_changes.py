"""The account values that a person may set, read from a request."""

from typing import Any, Literal

from pydantic import Field

from sightline.api.endpoint import Schema
from sightline.domain.bands import employee_band
from sightline.domain.countries import closest_countries, country_from_text
from sightline.domain.errors import RequestIsInvalid, fault
from sightline.domain.industries import closest_industries, industries
from sightline.domain.websites import read_website

EmployeeBand = Literal[
    "1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10001+"
]
RevenueBand = Literal[
    "0-1M", "1M-10M", "10M-50M", "50M-100M", "100M-500M", "500M-1B", "1B-10B", "10B+"
]
_TEXTS = (
    "company_name", "hq_city", "hq_state", "hq_address", "hq_postcode", "ceo", "description",
)  # fmt: skip
_AS_SENT = ("public_company", "tags", "alternative_names")


class AccountChange(Schema):
    """Values set by your organization. Null removes your value and restores the public one; lists
    are replaced as a whole."""

    company_name: str | None = Field(
        default=None, min_length=1, max_length=200, examples=["Harbor Analytics"]
    )
    website: str | None = Field(
        default=None,
        max_length=2000,
        description="Website URL or domain.",
        examples=["harbor-analytics.example"],
    )
    public_company: bool | None = Field(
        default=None, description="Whether the company is publicly traded."
    )
    country: str | None = Field(
        default=None, max_length=200, description="ISO 3166 code or name.", examples=["US"]
    )
    hq_city: str | None = Field(default=None, max_length=120, examples=["Portland"])
    hq_state: str | None = Field(default=None, max_length=120, examples=["Oregon"])
    hq_address: str | None = Field(default=None, max_length=120)
    hq_postcode: str | None = Field(default=None, max_length=16)
    industry: str | None = Field(
        default=None, max_length=200, description="Industry name; determines the sector."
    )
    full_time_employees: int | None = Field(
        default=None,
        ge=1,
        le=5_000_000,
        description="Determines the employee band.",
        examples=[340],
    )
    employee_count_range: EmployeeBand | None = Field(
        default=None, description="Employee band, if the count is unknown.", examples=["201-500"]
    )
    revenue_range: RevenueBand | None = Field(
        default=None, description="Revenue band in USD.", examples=["10M-50M"]
    )
    ceo: str | None = Field(default=None, max_length=200)
    description: str | None = Field(default=None, max_length=4000)
    tags: list[str] | None = Field(default=None, max_length=50)
    alternative_names: list[str] | None = Field(default=None, max_length=50)


def values_to_set(asked: AccountChange) -> dict[str, Any]:
    """Map record fields to the values that were sent and those derived from them; None removes a
    value.

    Raises RequestIsInvalid, naming each value that cannot be used.
    """
    sent = asked.model_dump(exclude_unset=True)
    faults: list[dict[str, str]] = []
    values: dict[str, Any] = {name: sent[name] or None for name in _TEXTS if name in sent}
    values |= {name: sent[name] for name in _AS_SENT if name in sent}
    for name, read in (("website", _website), ("country", _country), ("industry", _industry)):
        if name in sent:
            found = read(sent[name])
            if isinstance(found, str):
                faults.append(fault(name, found, "invalid_value"))
            else:
                values |= found
    values |= _sizes(sent)
    if faults:
        said = "; ".join(f"{each['path']}: {each['message']}" for each in faults)
        raise RequestIsInvalid(said, fields=faults)
    return values


def _website(text: str | None) -> dict[str, Any] | str:
    if text is None:
        return {"website": None, "website_domain": None}
    read = read_website(text)
    if read.domain is None:
        return "This is not a company website."
    return {"website_domain": read.domain, "website": read.website or f"https://{read.domain}"}


def _country(text: str | None) -> dict[str, Any] | str:
    if text is None:
        return {"country_code": None, "hq_country_name": None, "region": None}
    known = country_from_text(text)
    if known is None:
        return _closest("country", closest_countries(text))
    return {
        "country_code": known.alpha2,
        "hq_country_name": known.name,
        "region": known.region or None,
    }


def _industry(text: str | None) -> dict[str, Any] | str:
    if text is None:
        return {"industry": None, "sector": None}
    wanted = text.strip().casefold()
    known = next((each for each in industries() if each.name.casefold() == wanted), None)
    if known is None:
        return _closest("industry", closest_industries(text))
    return {"industry": known.name, "sector": known.sector}


def _sizes(sent: dict[str, Any]) -> dict[str, Any]:
    """Bands beside counts: a band without a count takes the count away, which would contradict it."""
    values: dict[str, Any] = {}
    if "employee_count_range" in sent:
        values = {"employee_count_range": sent["employee_count_range"], "full_time_employees": None}
    if "full_time_employees" in sent:
        count = sent["full_time_employees"]
        values["full_time_employees"] = count
        if count is not None or "employee_count_range" not in sent:
            values["employee_count_range"] = employee_band(count)
    if "revenue_range" in sent:
        values |= {"revenue_range": sent["revenue_range"], "revenue_usd": None}
    return values


def _closest(field: str, known: list[str]) -> str:
    near = ", ".join(f'"{name}"' for name in known)
    return f"Unknown {field}." + (f" Closest: {near}." if near else "")
