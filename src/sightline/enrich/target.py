"""What sources get to know about the company they are queried for."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from sightline.enrich.survivorship import rank
from sightline.kit.clock import now
from sightline.sources.contract import Target
from sightline.store.catalogue import find_company
from sightline.store.database import Connection
from sightline.store.facts import Fact, read_facts

# Fields that lead a source on; the rest of what is known does not matter to it.
LEADING_FIELDS = (
    "company_name", "legal_name", "alternative_name", "website_domain", "alternative_domain",
    "country_code", "hq_city", "stock_ticker", "listing", "careers_url", "job_board", "feed_url",
    "cik", "lei", "wikidata_id",
)  # fmt: skip
IDENTIFIERS = ("cik", "lei", "wikidata_id")


class CompanyIsGone(LookupError):
    """The catalogue no longer has the company."""


async def target_of(connection: Connection, company_id: UUID) -> Target:
    """The company with the values known so far, best first. Raises CompanyIsGone."""
    identity = await find_company(connection, company_id)
    if identity is None:
        raise CompanyIsGone(str(company_id))
    held: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in await read_facts(connection, identity.company_id, fields=LEADING_FIELDS):
        held[fact.field].append(fact)
    values: dict[str, list[Any]] = {
        field: [standing.value for standing in rank(field, facts, now=now())]
        for field, facts in held.items()
    }
    names = dict.fromkeys(
        [
            identity.name,
            *values.get("company_name", ()),
            *values.get("legal_name", ()),
            *values.get("alternative_name", ()),
        ]
    )
    domains = dict.fromkeys(
        [
            *([identity.domain] if identity.domain else []),
            *identity.domains,
            *values.get("website_domain", ()),
            *values.get("alternative_domain", ()),
        ]
    )
    identifiers = {k: v[0] for k, v in values.items() if k in IDENTIFIERS}
    tickers = values.get("stock_ticker") or []
    return Target(
        company_id=identity.company_id,
        name=identity.name,
        names=tuple(names),
        domain=next(iter(domains), None),
        domains=tuple(domains),
        country_code=next(iter(values.get("country_code", ())), None),
        identifiers=identifiers
        | dict(identity.identifiers)
        | ({"ticker": tickers[0]} if tickers else {}),
        facts=values,
    )
