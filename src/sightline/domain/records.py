"""The company record as it is served: which fields, in which order, absent or null when unknown."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

# `JSONEncoder.encode` makes this again for each text, which costs more than encoding a small one.
_write: Any = vars(json.encoder)["c_make_encoder"](
    None, json.JSONEncoder().default, json.encoder.encode_basestring, None, ": ", ", ", False, False, True
)  # fmt: skip

# field -> whether it may be null. Nullable fields are always served; the others only when known.
COMPANY_FIELDS: dict[str, bool] = {
    "company_id": False,
    "company_name": False,
    "website_domain": False,
    "public_company": False,
    "country_code": True,
    "profile_network_url": True,
    "hq_city": True,
    "hq_state": True,
    "hq_address": True,
    "hq_postcode": True,
    "hq_country_name": True,
    "region": True,
    "ceo": True,
    "sector": True,
    "industry": True,
    "revenue_range": True,
    "employee_count_range": True,
    "full_time_employees": True,
    "alternative_domains": True,
    "alternative_names": True,
    "tags": True,
    "description": True,
    "stock_ticker": True,
    "stock_currency": True,
    "stock_exchange_name": True,
    "stock_exchange_symbol": True,
    "market_cap": True,
}


def as_json(value: object) -> str:
    """JSON text as it is stored and served."""
    return "".join(_write(value, 0))


def company_document(company_id: UUID, values: Mapping[str, Any]) -> str:
    """The Company object as JSON text, from field values by the names above; others are ignored."""
    served = {
        field: value
        for field, nullable in COMPANY_FIELDS.items()
        if (value := values.get(field)) is not None or nullable
    }
    return as_json({"company_id": str(company_id)} | served)


def item_head(account_id: UUID, values: Mapping[str, Any]) -> str:
    """The fields that an Account item has before those of its company document: JSON text that opens
    the object and ends in a comma, so that `head + document[1:]` is the whole item."""
    head: dict[str, Any] = {"id": str(account_id)}
    domain = values.get("website_domain")
    if domain is not None:
        head["domain"] = domain
        head["website"] = values.get("website") or f"https://{domain}"
    head["employee_size_category"] = values.get("employee_count_range")
    head["revenue_category"] = values.get("revenue_range")
    head["country"] = values.get("hq_country_name")
    return as_json(head)[:-1] + ", "
