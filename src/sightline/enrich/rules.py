"""The rules of survivorship: which source to trust for which field, and for how long.

Weights are 0-1: how often a value of that source and field is right and current, as seen when values
of several sources about one company disagree. A source that is not listed for a field has its
weight under "*".
"""

import hashlib
from datetime import timedelta
from functools import cache
from importlib.metadata import version

DEFAULT_WEIGHT = 0.5

SOURCE_WEIGHTS: dict[str, dict[str, float]] = {
    "*": {
        "sec_edgar": 0.85,
        "gleif": 0.85,
        "website": 0.75,
        "wikidata": 0.65,
        "job_boards": 0.6,
        "feeds": 0.6,
    },
    # A registrant's own filings are sworn; a register of legal entities knows names, not brands.
    "company_name": {"website": 0.8, "wikidata": 0.78, "sec_edgar": 0.7, "gleif": 0.45},
    "legal_name": {"gleif": 0.95, "sec_edgar": 0.9, "website": 0.6},
    "website_domain": {"website": 0.95, "wikidata": 0.7, "sec_edgar": 0.75},
    "description": {"website": 0.85, "wikidata": 0.4, "sec_edgar": 0.5},
    # The register gives the registered seat, filings the principal executive offices.
    "hq_city": {"sec_edgar": 0.9, "website": 0.7, "gleif": 0.65, "wikidata": 0.6},
    "hq_address": {"sec_edgar": 0.9, "website": 0.7, "gleif": 0.65, "wikidata": 0.4},
    "country_code": {"sec_edgar": 0.9, "gleif": 0.8, "website": 0.7, "wikidata": 0.7},
    # EDGAR's SIC codes are given once and seldom changed; still better than words on a page.
    "industry": {"sec_edgar": 0.7, "wikidata": 0.6, "website": 0.6},
    "ceo": {"sec_edgar": 0.9, "wikidata": 0.7, "website": 0.75},
    "employees": {"sec_edgar": 0.95, "wikidata": 0.6, "website": 0.65},
    "revenue": {"sec_edgar": 0.98, "wikidata": 0.5},
    "founded_year": {"wikidata": 0.8, "website": 0.8},
    "phone": {"sec_edgar": 0.8, "website": 0.85},
    "profile_network_url": {"website": 0.95, "wikidata": 0.8},
    "technology": {"website": 0.95, "job_boards": 0.5},
}

# How a value was read, over the source's weight.
METHOD_WEIGHTS: dict[str, float] = {
    "json_ld": 1.0,
    "microdata": 0.95,
    "xbrl": 1.0,
    "api": 1.0,
    "table": 0.95,
    "opengraph": 0.9,
    "meta": 0.85,
    "header": 1.0,
    "text": 0.85,
    "model": 0.85,
}

# What these methods concluded is weighed no more: guesses from a company's site were half wrong.
GIVEN_UP: frozenset[tuple[str, str]] = frozenset({("industry", "encoder")})

# Members of a set that a source gave this long before the newest it gives of that set are over: who
# is not listed any more has left. Days; sets that are not here only grow.
OVER_AFTER_DAYS: dict[str, int] = {"person": 400, "listing": 400, "subsidiary": 500}

# A value this old counts half. What is not listed hardly ages.
UNSETTLED_HALF_LIFE_DAYS = 1_500.0
HALF_LIFE_DAYS: dict[str, float] = {
    "employees": 500.0,
    "employee_range": 500.0,
    "revenue": 500.0,
    "market_cap": 120.0,
    "ceo": 400.0,
    "person": 500.0,
    "technology": 240.0,
    "job_board": 365.0,
    "customer": 900.0,
    "shares_outstanding": 300.0,
}

# Values age without anybody saying so. In this time the weight of what ages fastest falls by 4 %,
# of nearly everything else by 1 %: a record that is older is decided again though nothing has changed.
DECIDE_AGAIN = timedelta(days=7)


@cache
def rules_version() -> str:
    """Changes with the release and with every number above: what is kept of a decision to tell it by."""
    tables = (
        DEFAULT_WEIGHT, SOURCE_WEIGHTS, METHOD_WEIGHTS, OVER_AFTER_DAYS,
        UNSETTLED_HALF_LIFE_DAYS, HALF_LIFE_DAYS,
    )  # fmt: skip
    digest = hashlib.sha256(repr(tables).encode()).hexdigest()
    return f"{version('sightline')} {digest[:12]}"
