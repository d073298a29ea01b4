"""The fields an import can fill, by the names that `--map` takes."""

from dataclasses import dataclass
from typing import Literal, get_args

FieldName = Literal[
    "company_name",
    "website",
    "alternative_names",
    "former_names",
    "alternative_domains",
    "external_id",
    "cik",
    "lei",
    "duns",
    "stock_ticker",
    "stock_exchange",
    "stock_currency",
    "public_company",
    "country",
    "hq_city",
    "hq_state",
    "hq_address",
    "hq_postcode",
    "place",
    "industry",
    "sector",
    "sic",
    "naics",
    "full_time_employees",
    "revenue",
    "market_cap",
    "ceo",
    "description",
    "tags",
    "profile_network_url",
]
FIELDS: tuple[FieldName, ...] = get_args(FieldName)

# Other names people give the same field, accepted by --map.
SYNONYMS: dict[str, FieldName] = {
    "name": "company_name",
    "website_domain": "website",
    "domain": "website",
    "url": "website",
    "id": "external_id",
    "ticker": "stock_ticker",
    "stock_exchange_name": "stock_exchange",
    "stock_exchange_symbol": "stock_exchange",
    "country_code": "country",
    "hq_country": "country",
    "hq_country_name": "country",
    "city": "hq_city",
    "state": "hq_state",
    "address": "hq_address",
    "postcode": "hq_postcode",
    "location": "place",
    "employees": "full_time_employees",
    "employee_size_category": "full_time_employees",
    "employee_count_range": "full_time_employees",
    "revenue_category": "revenue",
    "revenue_range": "revenue",
}

# Where the surest column is empty or says nothing we know, the next one may speak. Parts of an
# address are not among them: a city of one address and a street of another would be nonsense.
WITH_FALLBACK: frozenset[FieldName] = frozenset(
    {"industry", "description", "website", "full_time_employees", "revenue", "sector", "country"}
)
# All columns of the field count together.
COLLECTED: frozenset[FieldName] = frozenset(
    {"alternative_names", "former_names", "alternative_domains", "tags"}
)


class FieldDoesNotExist(Exception):
    """A name given to --map is none of the fields."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One column taken for one field. `rank` 0 is the first choice, higher ones are fallbacks."""

    column: str
    field: FieldName
    confidence: float  # 0 to 1
    reason: str
    samples: tuple[str, ...]
    rank: int = 0


def field_named(name: str) -> FieldName:
    """The field of a name or synonym given by a person."""
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    for field in FIELDS:
        if field == wanted:
            return field
    if wanted in SYNONYMS:
        return SYNONYMS[wanted]
    raise FieldDoesNotExist(f"{name!r} is not a field; the fields are: {', '.join(FIELDS)}.")
