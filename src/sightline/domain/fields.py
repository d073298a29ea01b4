"""The fields a fact may be about, and what their values look like.

A field with one value ("single") has one winner in the company record. A field with many ("set")
keeps one winner per `key`: the part of the value that tells one member from another.
"""

from dataclasses import dataclass
from typing import Literal

from sightline.domain.names import fold

Kind = Literal["text", "url", "integer", "number", "boolean", "date", "object"]


@dataclass(frozen=True, slots=True)
class Field:
    """`parts` of an object are its keys; `key` the parts that identify a member of a set."""

    kind: Kind
    meaning: str
    many: bool = False
    parts: tuple[str, ...] = ()
    key: tuple[str, ...] = ()


FIELDS: dict[str, Field] = {
    # Who it is
    "company_name": Field("text", "the name it trades under"),
    "legal_name": Field("text", "its registered name, legal form included"),
    "alternative_name": Field("text", "another or former name", many=True),
    "website_domain": Field("text", "registrable domain of its web site"),
    "alternative_domain": Field("text", "another registrable domain it owns", many=True),
    "description": Field("text", "what it does, in its own or a register's words"),
    "logo_url": Field("url", "a picture of its logo"),
    "founded_year": Field("integer", "year of foundation"),
    "legal_form": Field("text", "legal form as registered"),
    "entity_status": Field("text", "active, inactive, bankrupt..."),
    # Identifiers
    "cik": Field("text", "SEC Central Index Key, 10 digits"),
    "lei": Field("text", "Legal Entity Identifier, 20 characters"),
    "wikidata_id": Field("text", "Wikidata item, Q..."),
    "sic": Field("text", "Standard Industrial Classification, 4 digits"),
    "naics": Field("text", "North American Industry Classification, 2-6 digits"),
    # Where it is
    "hq_address": Field("text", "street and number of its head office"),
    "hq_city": Field("text", "city of its head office"),
    "hq_state": Field("text", "state, province or region of its head office"),
    "hq_postcode": Field("text", "postal code of its head office"),
    "country_code": Field("text", "country of its head office, ISO 3166-1 alpha-2"),
    "phone": Field("text", "main telephone number, E.164 where it can be told"),
    "email": Field("text", "general e-mail address", many=True),
    "office": Field(
        "object",
        "a place it works from",
        many=True,
        parts=("name", "address", "city", "region", "postcode", "country_code"),
        key=("city", "address"),
    ),
    # What it does
    "industry": Field("text", "a name of sightline.domain.industries"),
    "tag": Field("text", "a keyword about its business", many=True),
    "product": Field(
        "object",
        "a product or service it offers",
        many=True,
        parts=("name", "description", "url"),
        key=("name",),
    ),
    "customer": Field(
        "object", "a customer it names", many=True, parts=("name", "url"), key=("name",)
    ),
    "competitor": Field(
        "object", "a competitor it names", many=True, parts=("name", "website"), key=("name",)
    ),
    "technology": Field(
        "object",
        "a technology it uses",
        many=True,
        parts=("name", "vendor", "category", "evidence_kind"),
        key=("name",),
    ),
    # How big it is
    "employees": Field("integer", "people employed, full-time where the source says so"),
    "employee_range": Field("text", "an employee band of sightline.domain.bands"),
    "revenue": Field(
        "object",
        "revenue of a fiscal year; amount in whole units of the currency",
        parts=("amount", "currency", "fiscal_year", "period_end"),
    ),
    "net_income": Field(
        "object",
        "net income of a fiscal year; as revenue",
        parts=("amount", "currency", "fiscal_year", "period_end"),
    ),
    "market_cap": Field("number", "market value of its shares, USD"),
    "shares_outstanding": Field("integer", "shares outstanding"),
    "public_float": Field("number", "market value held by non-affiliates, USD"),
    "fiscal_year_end": Field("text", "MM-DD"),
    "fiscal_period": Field(
        "object",
        "one figure of a fiscal quarter or year; change is the fraction over the year before, derived"
        " tells a difference of two filed figures",
        many=True,
        parts=(
            "label",
            "period_start",
            "period_end",
            "metric",
            "tag",
            "amount",
            "currency",
            "change",
            "derived",
        ),
        key=("period_start", "period_end", "metric"),
    ),
    "segment": Field(
        "object",
        "figures of a division or region of a fiscal year; axis is business, geography or product",
        many=True,
        parts=(
            "axis",
            "name",
            "metric",
            "amount",
            "currency",
            "period_start",
            "period_end",
            "member",
            "change",
        ),
        key=("axis", "name", "metric", "period_end"),
    ),
    # Shares
    "public_company": Field("boolean", "whether its shares are listed"),
    "stock_ticker": Field("text", "main ticker symbol"),
    "stock_exchange_name": Field("text", "exchange of the main listing"),
    "stock_exchange_symbol": Field("text", "short name of that exchange"),
    "stock_currency": Field("text", "currency of the main listing, ISO 4217"),
    "listing": Field(
        "object",
        "a listing of its shares",
        many=True,
        parts=("ticker", "exchange", "title"),
        key=("ticker", "exchange"),
    ),
    # Who leads and owns it
    "ceo": Field("text", "name of its chief executive"),
    "person": Field(
        "object",
        "an officer, director or leader; role is officer, director, insider, founder or team",
        many=True,
        parts=("name", "title", "role", "age", "since", "until", "url", "image_url", "biography"),
        key=("name",),
    ),
    "parent": Field(
        "object",
        "a company that owns it; relation is direct or ultimate",
        many=True,
        parts=("name", "lei", "relation"),
        key=("name", "relation"),
    ),
    "subsidiary": Field(
        "object",
        "a company that it owns",
        many=True,
        parts=("name", "jurisdiction", "lei"),
        key=("name",),
    ),
    # Where it can be read
    "profile_network_url": Field("url", "its page on the professional network"),
    "social_url": Field(
        "object", "its page on a social network", many=True, parts=("network", "url"), key=("url",)
    ),
    "feed_url": Field("url", "a feed of its news", many=True),
    "careers_url": Field("url", "its careers page"),
    "job_board": Field(
        "object",
        "a job board that it publishes on",
        many=True,
        parts=("kind", "token", "url"),
        key=("kind", "token"),
    ),
}


def member_key(field: str, value: object) -> str:
    """What tells one member of a set from another: its key parts, folded; "" for single fields."""
    described = FIELDS[field]
    if not described.many:
        return ""
    if not isinstance(value, dict):
        return str(value).casefold().strip()
    parts = [str(value.get(part) or "") for part in described.key]
    if field == "person":
        return "\x1f".join(map(fold, parts))  # "Núñez" and "Nunez", "Ann-Marie" and "Ann Marie"
    return "\x1f".join(part.casefold().strip() for part in parts)
