"""Response types that several resources share, field by field as the reference lists them."""

from typing import Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from sightline.api.endpoint import Schema


def never_null(*names: str) -> ConfigDict:
    """The config of a type whose fields `names` may be left out, but are refused when they are null:
    its JSON schema says so."""

    def say(schema: dict[str, Any]) -> None:
        for name in names:
            field = schema["properties"][name]
            (kind,) = [kind for kind in field.pop("anyOf") if kind != {"type": "null"}]
            del field["default"]
            field |= kind

    return ConfigDict(json_schema_extra=say)


class Company(Schema):
    """One company. Nullable fields are always present; others only when known."""

    company_id: UUID = Field(examples=["0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"])
    company_name: str = Field(default="", examples=["Harbor Analytics"])
    website_domain: str = Field(default="", examples=["harbor-analytics.example"])
    public_company: bool = Field(default=False, examples=[False])
    country_code: str | None = Field(
        default=None, description="ISO 3166-1 alpha-2.", examples=["US"]
    )
    profile_network_url: str | None = None
    hq_city: str | None = Field(default=None, examples=["Portland"])
    hq_state: str | None = Field(default=None, examples=["Oregon"])
    hq_address: str | None = None
    hq_postcode: str | None = None
    hq_country_name: str | None = Field(default=None, examples=["United States"])
    region: str | None = Field(default=None, examples=["North America"])
    ceo: str | None = None
    sector: str | None = None
    industry: str | None = Field(default=None, examples=["Software"])
    revenue_range: str | None = Field(
        default=None, description="Revenue band in USD.", examples=["10M-50M"]
    )
    employee_count_range: str | None = Field(
        default=None, description="Employee band.", examples=["201-500"]
    )
    full_time_employees: int | None = Field(default=None, examples=[340])
    alternative_domains: list[str] | None = None
    alternative_names: list[str] | None = None
    tags: list[str] | None = None
    description: str | None = None
    stock_ticker: str | None = None
    stock_currency: str | None = None
    stock_exchange_name: str | None = None
    stock_exchange_symbol: str | None = None
    market_cap: float | None = None


class AccountItem(Company):
    """A company as one of your accounts."""

    id: UUID = Field(
        description="Id of the account.", examples=["0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a12"]
    )
    domain: str = Field(default="", examples=["harbor-analytics.example"])
    website: str = Field(
        default="",
        examples=["https://harbor-analytics.example"],
        json_schema_extra={"format": "uri"},
    )
    profile_network_url: str | None = Field(default=None, json_schema_extra={"format": "uri"})
    employee_size_category: str | None = Field(default=None, examples=["201-500"])
    revenue_category: str | None = Field(default=None, examples=["10M-50M"])
    country: str | None = Field(
        default=None, description="Country name.", examples=["United States"]
    )


class Deleted(Schema):
    """The record was deleted."""

    deleted: Literal[True]
    id: str
