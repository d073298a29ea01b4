"""Records and filters of the tests of the account index, as hypothesis and `random` draw them."""

import random
from typing import Any

from hypothesis import strategies as st

from sightline.domain.filters import FIELDS, OPERATORS

NAMES = (
    "Harbor Analytics", "harbor & co", "Håvn Sjø", "The Café \\ Nørrebro", "AT&T", "A T and T",
    "株式会社 日立",
    "Zebra", "zebra freight", "İzmir Ödev", "Straße", "O'Neil, Inc.", "\\N", "Quay-Side", "Harbor Lights",
)  # fmt: skip
TEXTS: dict[str, tuple[str, ...]] = {
    "hq_city": (
        "Portland",
        "PORTLAND",
        "Łódź",
        "ŁÓDŹ",
        "São\\Paulo",
        "Po",
        "Νάξος",
        "ΝΆΞΟΣ",
        "東京",
    ),
    "ceo": ("Ada Okafor", "ada okafor", "Ö\tÅ", "ö\tå", "B\\n", "İpek Iſık", "ipek ısık", "ẞ ß ǅ"),
    "stock_ticker": ("HRBR", "hr", "A.B"),
    "website_domain": ("harbor.example", "zebra.example", "c.example"),
    "industry": ("Software", "Restaurants", "Railroads"),
    "sector": ("Technology", "Industrials"),
    "country_code": ("US", "DK", "JP"),
    "employee_count_range": ("51-200", "201-500"),
    "description": (
        "Plans berths.",
        "Makes \\ tea\nand PLANKS",
        "Cloud-security for 3M's Straßen",
        "",
        "…",
        "-\t(7)",
        "Das Überseehafen–ÄRZTEHAUS “Ödland” ſo",
        "İzmir ıssız ΟΔΟΣ οδος",
        "日立 製作所、東京",
        "plans 24/7 plan",
    ),
}
NUMBERS: dict[str, tuple[float, ...]] = {
    "full_time_employees": (0, 1, 340, 340, 12_000),
    "revenue_usd": (0.0, 0.1, 800_000.0, 21_000_000.5),
    "market_cap": (1.5, 120_500_000.5),
}
TAGS = ("pilot", "Pilot", "é", "É", 'a"b', "\\", "Ǆ\n")
records = st.builds(
    lambda name, parts, tags, public: (
        {"company_name": name} | parts | ({"tags": tags} if tags else {}) | public
    ),
    st.sampled_from(NAMES),
    st.fixed_dictionaries(
        {},
        optional={
            name: st.sampled_from(values) for name, values in (*TEXTS.items(), *NUMBERS.items())
        },
    ),
    st.lists(st.sampled_from(TAGS), max_size=2, unique=True),
    st.fixed_dictionaries({}, optional={"public_company": st.booleans()}),
)
# Of every field, what the accounts have and what they have not.
_OF_FIELD: dict[str, tuple[Any, ...]] = {
    "company_name": (*NAMES, "har", "and", "t", "zebrafr", "xq"),
    "country": ("US", "DK", "FR"),
    "employees": (-1, 0, 1, 2.5, 340, 12_000),
    "revenue": (-1, 0, 0.1, 800_000, 9e99),
    "market_cap": (1.5, 2),
    "tags": (*TAGS, "none", "ǆ\n"),
    "created_at": ("2020-01-01", "2999-12-31T00:00:00Z"),
    "updated_at": ("2020-01-01", "2999-12-31T00:00:00Z"),
    "employee_size_category": ("51-200", "201-500", "1-10"),
    "revenue_category": ("10M-50M",),
    "region": ("Europe",),
    "hq_city": (*TEXTS["hq_city"], "p", "\\", "łó", "łÓdź", "νάξος", "ξοσ", "s"),
    "ceo": (*TEXTS["ceo"], "ÖÅ", "ı", "I", "İ", "ISIK", "ß", "ss", "ǆ"),
    "description": (
        "plan",
        "PLANS",
        "Berth plan",
        "lans",
        "tea",
        "makes tea pl",
        "cloud secur",
        "s",
        "m",
        "straß",
        "strass",
        "über",
        "ärztehaus",
        "öd",
        "SO",
        "izmir",
        "İzmir",
        "IS",
        "οδοσ",
        "Οδος",
        "日",
        "製作所 東",
        "7",
        "24.7",
        "K",
        "planss",
    ),
}


def any_filter(chosen: random.Random, members: dict[str, tuple[str, ...]], depth: int = 3) -> Any:
    """A filter, as JSON, over any field, and of these lists and territories."""
    join = chosen.choice(("and", "or", "not", "", "", ""))
    if depth and join:
        parts = [any_filter(chosen, members, depth - 1) for _ in range(chosen.randint(0, 3))]
        return {join: parts} if join != "not" else {"not": any_filter(chosen, members, depth - 1)}
    name = chosen.choice((*FIELDS, "description"))
    kind = FIELDS[name].kind
    op = chosen.choice(OPERATORS[kind])
    values = members.get(name) or _OF_FIELD.get(name) or TEXTS.get(name) or ("x",)
    value: Any = chosen.choice((True, False)) if kind == "boolean" else chosen.choice(values)
    if op == "between":
        value = [value, chosen.choice(values)]
    elif op in ("in", "not_in"):
        value = chosen.choices(values, k=chosen.randint(1, 4))
    return {"field": name, "op": op} | ({} if op.endswith("blank") else {"value": value})
