"""Latency of contact search in one organization, and of writing into it, in one run.

Fills an organization with made-up people by COPY, then times searches as the API does them (one
statement: page, exact total, documents) inside tenant transactions of the application's role.
Prints a JSON object with milliseconds; each search is repeated, the first run of each included.

    .venv/bin/python tests/bench/contacts.py [--contacts 1000000] [--repeat 20]
"""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg

from sightline.domain.callers import OrganizationId
from sightline.domain.contact_input import read_contact
from sightline.domain.contact_records import all_keys, company_key_of, contact_document, tokens_of
from sightline.domain.filters import read_filter
from sightline.domain.names import name_key, search_text, sort_key
from sightline.kit.ids import new_id
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.contact_bits import BLOCK_BITS
from sightline.store.contact_query import Atom, Clause, ContactQuery
from sightline.store.contact_writes import put_contacts
from sightline.store.contacts import find_contacts
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.organizations import create_organization
from sightline.store.pages import Slice

SYLLABLES = "ka lo mi ra ten vor sel du ne shi bar tol gri ane ula".split()
LEVELS = ["Vice President", "VP", "Director", "Head", "Senior Manager", "Manager", "Chief", "Lead"]
LEVELS += ["Senior", "Junior", "Assistant", "Associate", "Principal", "Executive"]
FIELDS = [
    "Sales",
    "Marketing",
    "Engineering",
    "Finance",
    "Operations",
    "Product",
    "Human Resources",
]
FIELDS += ["Information Technology", "Legal", "Procurement", "Research", "Customer Success"]
SKILLS = ["python", "negotiation", "forecasting", "machine learning", "welding", "accounting"]
SKILLS += ["logistics", "photography", "contract law", "cloud computing"]
COUNTRIES = ["US"] * 8 + ["GB", "DE", "FR", "IN", "CA", "BR", "JP", "AU", "NL", "DK"]
CITIES = [f"{a}{b}".title() for a in SYLLABLES for b in SYLLABLES]
COMPANIES = 20_000
CHUNK = 20_480


def a_person(n: int, dice: random.Random) -> dict[str, Any]:
    """One made-up person; names follow a skewed distribution, as real ones do."""
    given = "".join(dice.choices(SYLLABLES, k=2)).title()
    family = "".join(dice.choices(SYLLABLES, k=dice.choice((2, 3, 3)))).title()
    company = int(dice.random() ** 3 * COMPANIES)
    person: dict[str, Any] = {
        "full_name": f"{given} {family}",
        "current_job_title": f"{dice.choice(LEVELS)} {dice.choice(FIELDS)}",
        "company": {"name": f"{SYLLABLES[company % 15]} works {company}".title()},
        "country_code": dice.choice(COUNTRIES),
        "location": dice.choice(CITIES),
        "skills": dice.sample(SKILLS, k=2),
    }
    if n % 10 < 7:
        person["emails"] = [f"{given}.{family}{n}@c{company}.example".lower()]
    if n % 10 < 4:
        person["phones"] = [f"+1415555{n % 10000:04}"]
    person["number"] = company
    return person


async def fill(
    database: Database, url: str, organization_id: OrganizationId, count: int
) -> list[Any]:
    """Accounts and contacts by COPY; answers the company ids."""
    companies = [new_id() for _ in range(COMPANIES)]
    names = [f"{SYLLABLES[n % 15]} works {n}".title() for n in range(COMPANIES)]
    async with database.tenant(organization_id) as connection:
        await connection.executemany(
            """
            INSERT INTO accounts (organization_id, account_id, company_id, company_name, sort_key,
              name_key, search_text, industry, country_code)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'US')
            """,
            [
                (organization_id, new_id(), company, name, sort_key(name), name_key(name),
                 search_text([name]), "Software" if n % 100 == 0 else "Banking")
                for n, (company, name) in enumerate(zip(companies, names, strict=True))
            ],
        )  # fmt: skip
    dice = random.Random(5)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for first in range(0, count, CHUNK):
        slots = range(first, min(first + CHUNK, count))
        contacts, keys, bits = [], [], defaultdict(lambda: bytearray(BLOCK_BITS // 8))
        for slot in slots:
            person = a_person(slot, dice)
            company_id = companies[person.pop("number")]
            values = person | {"company_id": str(company_id)}
            contact_id, made = new_id(), start + timedelta(seconds=slot)
            tokens = tokens_of(values)
            document = contact_document(
                contact_id, values, created_at=made.isoformat(), updated_at=None
            )
            sources = [
                {"source": "import", "import_id": "1", "observed_at": "", "fields": [*values]}
            ]
            contacts.append(
                (organization_id, contact_id, slot, company_id, company_key_of(values), document,
                 sources, tokens, made, made)
            )  # fmt: skip
            keys += [(organization_id, key, contact_id) for key in all_keys(values)]
            for token in tokens:
                bits[token, slot // BLOCK_BITS][slot % BLOCK_BITS >> 3] |= 0x80 >> (slot & 7)
        rows = [
            (organization_id, token, block, asyncpg.BitString.frombytes(bytes(each), BLOCK_BITS))
            for (token, block), each in sorted(bits.items())
        ]
        await _copy(url, contacts, keys, rows)
    async with database.tenant(organization_id) as connection:
        await connection.execute(
            "INSERT INTO contact_books VALUES ($1, $2, $3)", organization_id, count, b"k" * 32
        )
    return companies


async def _copy(url: str, contacts: Any, keys: Any, bits: Any) -> None:
    """As the superuser of the embedded server: COPY FROM is refused under row-level security."""
    connection = await asyncpg.connect(url)
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        format="binary",
        encoder=lambda value: b"\x01" + json.dumps(value).encode(),
        decoder=lambda data: json.loads(data[1:]),
    )
    await connection.copy_records_to_table(
        "contacts",
        records=contacts,
        columns=["organization_id", "contact_id", "slot", "company_id", "company_key", "document",
                 "sources", "tokens", "created_at", "updated_at"],
    )  # fmt: skip
    await connection.copy_records_to_table("contact_keys", records=keys)
    await connection.copy_records_to_table("contact_bits", records=bits)
    await connection.close()


def has(*tokens: str) -> Clause:
    """All of the tokens."""
    return Clause((tuple(Atom((token,)) for token in tokens),))


def free(word: str) -> Atom:
    return Atom(tuple(f"{field}:{word}" for field in "ntclkq"))


def searches(companies: list[Any], count: int) -> dict[str, ContactQuery]:
    late = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=count * 0.99)
    banking = read_filter({"field": "industry", "value": "Software"}).filter
    return {
        "everything": ContactQuery(),
        "seniority": ContactQuery((has("se:vp"),)),
        "seniority, department, country": ContactQuery(
            (has("se:vp"), Clause(((Atom(("de:sales", "de:marketing")),),)), has("cc:US"))
        ),
        "title words": ContactQuery((has("t:vice", "t:president", "t:sales"),)),
        "title without others": ContactQuery(
            (
                has("t:director"),
                Clause(((Atom(("t:assistant",)),),), negated=True),
                has("has:email"),
            )
        ),
        "name": ContactQuery((Clause(((Atom(("n:kalo",)), Atom(prefixes=("n:mira",))),)),)),
        "name prefix of two letters": ContactQuery((Clause(((Atom(prefixes=("n:ka",)),),)),)),
        "skill and place": ContactQuery((has("s:machine learning"), has("l:kalo"))),
        "free text": ContactQuery((Clause(((free("sales"), free("kalo")),)),)),
        "companies": ContactQuery((has("se:director"),), company_ids=tuple(companies[10:30])),
        "largest companies": ContactQuery(company_ids=tuple(companies[1:3])),
        "accounts of an industry": ContactQuery(accounts=banking),
        "updated in the last hundredth": ContactQuery(updated_since=late),
        "no match": ContactQuery((has("n:nobodyatall"),)),
        "no phone": ContactQuery((Clause(((Atom(("has:phone",)),),), negated=True),)),
    }


async def measure(
    database: Database,
    organization_id: OrganizationId,
    queries: dict[str, ContactQuery],
    repeat: int,
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    everything: list[float] = []
    for name, query in queries.items():
        times = []
        for turn in range(repeat):
            started = time.perf_counter()
            async with database.tenant(organization_id) as connection:
                _, total, _ = await find_contacts(
                    connection, query=query, part=Slice(25, turn % 3 * 25)
                )  # fmt: skip
            times.append((time.perf_counter() - started) * 1000)
        everything += times
        found[name] = {
            "total": total,
            "median_ms": round(statistics.median(times), 1),
            "worst_ms": round(max(times), 1),
        }
    everything.sort()
    return {
        "searches": found,
        "p50_ms": round(statistics.median(everything), 1),
        "p95_ms": round(everything[int(len(everything) * 0.95)], 1),
    }


async def measure_writes(database: Database, organization_id: OrganizationId) -> dict[str, float]:
    dice, now = random.Random(9), datetime.now(UTC)
    source = {"source": "import", "import_id": "2", "observed_at": "2026-06-01T00:00:00Z"}
    chunks = {"one_ms": 1, "thousand_ms": 1000}
    took = {}
    for name, size in chunks.items():
        times = []
        for _ in range(5):
            given = [read_contact(a_person(dice.randrange(10**9), dice)) for _ in range(size)]
            started = time.perf_counter()
            async with database.tenant(organization_id) as connection:
                await put_contacts(connection, given, source=source, now=now, many=size > 1)
            times.append((time.perf_counter() - started) * 1000)
        took[name] = round(statistics.median(times), 1)
    return took


async def run(url: str, contacts: int, repeat: int) -> None:
    owner = await open_database(url, role="owner", statement_timeout_seconds=0)
    app = await open_database(url)
    organization_id = await create_organization(owner, "bench", name="Bench", plan="enterprise")
    started = time.perf_counter()
    companies = await fill(owner, url, organization_id, contacts)
    async with owner.connection() as connection:
        await connection.execute("VACUUM ANALYZE")
        sizes = await connection.fetch(
            """
            SELECT relname, pg_total_relation_size(oid) / 1048576 AS mb FROM pg_class
            WHERE relname IN ('contacts', 'contact_keys', 'contact_bits')
            """
        )
    result = {
        "contacts": contacts,
        "fill_seconds": round(time.perf_counter() - started, 1),
        "megabytes": {row["relname"]: row["mb"] for row in sizes},
        **await measure(app, organization_id, searches(companies, contacts), repeat),
        "writes": await measure_writes(app, organization_id),
    }
    print(json.dumps(result, indent=2))
    await app.close()
    await owner.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contacts", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=20)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        migrate(server.url)
        asyncio.run(run(server.url, asked.contacts, asked.repeat))


if __name__ == "__main__":
    main()
