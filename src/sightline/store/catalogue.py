"""Companies of the shared catalogue: found by identifiers, created, and given their record."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.domain.names import name_key
from sightline.domain.records import company_document
from sightline.kit.ids import new_id
from sightline.store.columns import column_in, joined
from sightline.store.database import Connection


@dataclass(frozen=True, slots=True)
class Identity:
    """A company of the catalogue with what it is known by."""

    company_id: UUID
    name: str
    domain: str | None
    record: Mapping[str, Any]
    domains: tuple[str, ...]
    identifiers: Mapping[str, str]
    enriched_at: datetime | None


@dataclass(frozen=True)
class CatalogueCompany:
    """A company of the shared catalogue that a row may be."""

    company_id: UUID
    name_key: str
    domain: str | None
    ticker: str | None
    country_code: str | None
    city: str | None
    record: Mapping[str, Any]
    domains: Collection[str] = ()


_MAKING_LOCK = 7_241_002
_IDENTITY = """
  SELECT c.company_id, c.company_name AS name, c.website_domain AS domain, c.record, c.enriched_at,
    ARRAY(SELECT d.domain FROM company_domains d
          WHERE d.company_id = c.company_id ORDER BY d.domain) AS domains,
    (SELECT coalesce(jsonb_object_agg(i.scheme, i.identifier), '{}') FROM company_identifiers i
     WHERE i.company_id = c.company_id) AS identifiers
  FROM companies c
"""


async def find_company(connection: Connection, company_id: UUID) -> Identity | None:
    """The company, or the one it was merged into; None when the catalogue has neither."""
    row = await connection.fetchrow(
        _IDENTITY
        + """
        WHERE c.company_id =
          (SELECT coalesce(merged_into, company_id) FROM companies WHERE company_id = $1)
        """,
        company_id,
    )
    return _identity(row) if row else None


async def find_companies(
    connection: Connection,
    *,
    domains: Collection[str] = (),
    identifiers: Mapping[str, str] | None = None,
    names: Collection[str] = (),
) -> list[Identity]:
    """Companies with any of the domains, identifiers or names (by name key), oldest first."""
    identifiers = identifiers or {}
    rows = await connection.fetch(
        _IDENTITY
        + """
        WHERE c.merged_into IS NULL AND c.company_id IN (
          SELECT company_id FROM company_domains WHERE domain = ANY($1::text[])
          UNION SELECT company_id FROM companies WHERE website_domain = ANY($1::text[])
          UNION SELECT i.company_id FROM unnest($2::text[], $3::text[]) AS w (scheme, identifier)
            JOIN company_identifiers i USING (scheme, identifier)
          UNION SELECT company_id FROM companies WHERE name_key = ANY($4::text[]))
        ORDER BY c.company_id
        """,
        list(domains),
        list(identifiers),
        list(identifiers.values()),
        [name_key(name) for name in names],
    )
    return [_identity(row) for row in rows]


async def find_companies_of_boards(connection: Connection, company_id: UUID) -> list[Identity]:
    """Other companies whose open positions are read from a job board of this one's, oldest first."""
    rows = await connection.fetch(
        _IDENTITY
        + """
        WHERE c.merged_into IS NULL AND c.company_id <> $1 AND c.company_id IN (
          SELECT o.company_id FROM job_boards b JOIN job_boards o USING (kind, token)
          WHERE b.company_id = $1)
        ORDER BY c.company_id
        """,
        company_id,
    )
    return [_identity(row) for row in rows]


async def find_catalogue_companies(
    connection: Connection,
    *,
    domains: Collection[str],
    tickers: Collection[str],
    name_keys: Collection[str],
) -> list[CatalogueCompany]:
    """The catalogue's companies with any of the domains, tickers or name keys, oldest first."""
    rows = await connection.fetch(
        f"""
        WITH wanted AS MATERIALIZED (
          SELECT company_id FROM company_domains WHERE domain = ANY({column_in(1)})
          UNION SELECT company_id FROM companies WHERE website_domain = ANY({column_in(1)})
          UNION SELECT company_id FROM companies WHERE stock_ticker = ANY({column_in(2)})
          UNION SELECT company_id FROM companies WHERE name_key = ANY({column_in(3)}))
        SELECT c.company_id, c.name_key, c.website_domain AS domain, c.stock_ticker AS ticker,
          c.country_code, c.hq_city AS city, c.record,
          ARRAY(SELECT d.domain FROM company_domains d WHERE d.company_id = c.company_id) AS domains
        FROM wanted JOIN companies c USING (company_id)
        WHERE c.merged_into IS NULL ORDER BY c.company_id
        """,
        *map(joined, (domains, tickers, name_keys)),
    )
    return [CatalogueCompany(**dict(row)) for row in rows]


async def begin_making(connection: Connection) -> None:
    """Wait until no one else is between looking for a company and making it: without this, two
    operations that mean one company would each make it. Held until the transaction ends."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", _MAKING_LOCK)


async def make_company(
    connection: Connection, *, name: str, domain: str | None, company_id: UUID | None = None
) -> UUID:
    """Add a company with nothing but a name; returns its id. A domain that another one has stays there."""
    company_id = company_id or new_id()
    record = {"company_name": name} | ({"website_domain": domain} if domain else {})
    await connection.execute(
        """
        INSERT INTO companies (company_id, company_name, website_domain, name_key, record, document)
        SELECT $1, $2,
          CASE WHEN EXISTS (SELECT FROM companies WHERE website_domain = $3) THEN NULL ELSE $3 END,
          $4, $5, $6
        ON CONFLICT (company_id) DO NOTHING
        """,
        company_id,
        name,
        domain,
        name_key(name),
        record,
        company_document(company_id, record),
    )
    if domain:
        await add_domains(connection, company_id, [domain])
    return company_id


async def add_domains(
    connection: Connection, company_id: UUID, domains: Collection[str]
) -> set[UUID]:
    """Tie domains to a company; returns the other companies that already hold one of them."""
    rows = await connection.fetch(
        """
        WITH added AS (
          INSERT INTO company_domains (domain, company_id) SELECT unnest($2::text[]), $1
          ON CONFLICT DO NOTHING)
        SELECT DISTINCT company_id FROM company_domains
        WHERE domain = ANY($2::text[]) AND company_id <> $1
        """,
        company_id,
        sorted(domains),
    )
    return {row["company_id"] for row in rows}


async def add_identifiers(
    connection: Connection, company_id: UUID, identifiers: Mapping[str, str]
) -> set[UUID]:
    """Tie identifiers (cik, lei, wikidata_id...) to a company; returns other companies that hold one."""
    rows = await connection.fetch(
        """
        WITH added AS (
          INSERT INTO company_identifiers (scheme, identifier, company_id)
          SELECT *, $1 FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING)
        SELECT DISTINCT i.company_id FROM unnest($2::text[], $3::text[]) AS w (scheme, identifier)
        JOIN company_identifiers i USING (scheme, identifier) WHERE i.company_id <> $1
        """,
        company_id,
        list(identifiers),
        list(identifiers.values()),
    )
    return {row["company_id"] for row in rows}


async def write_record(connection: Connection, company_id: UUID, record: Mapping[str, Any]) -> bool:
    """Give a company its record, by field; False when it is what it was.

    Its version rises, and what changed is kept; the first record of a company changes nothing.
    """
    old = await connection.fetchrow(
        "SELECT record, enriched_at FROM companies WHERE company_id = $1 FOR NO KEY UPDATE",
        company_id,
    )
    if old is None or old["record"] == record:
        return False
    version: int = await connection.fetchval(
        """
        UPDATE companies c SET company_name = $2, name_key = $3,
          website_domain = CASE WHEN EXISTS (SELECT FROM companies o
            WHERE o.website_domain = $4 AND o.company_id <> $1) THEN c.website_domain ELSE $4 END,
          stock_ticker = $5, country_code = $6, hq_city = $7, record = $8, document = $9,
          record_version = record_version + 1, updated_at = now()
        WHERE company_id = $1 RETURNING record_version
        """,
        company_id,
        record["company_name"],
        name_key(record["company_name"]),
        record.get("website_domain"),
        record.get("stock_ticker"),
        record.get("country_code"),
        record.get("hq_city"),
        dict(record),
        company_document(company_id, record),
    )
    if old["enriched_at"] is not None:
        changes = [
            {"field": name, "before": old["record"].get(name), "after": record.get(name)}
            for name in sorted(set(old["record"]) | set(record))
            if old["record"].get(name) != record.get(name)
        ]
        await connection.execute(
            """
            INSERT INTO company_changes (company_id, record_version, changes) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING
            """,
            company_id,
            version,
            changes,
        )
    return True


async def hold_company(connection: Connection, company_id: UUID) -> UUID:
    """The company that an id stands for, kept from being merged until the transaction ends.

    An id that the catalogue does not know stands for itself.
    """
    while True:
        # Only what it stands for is locked: an alias that is locked first would cross a merge.
        row = await connection.fetchrow(
            """
            SELECT company_id, merged_into FROM companies WHERE company_id =
              (SELECT coalesce(merged_into, company_id) FROM companies WHERE company_id = $1)
            FOR NO KEY UPDATE
            """,
            company_id,
        )
        if row is None:
            return company_id
        company_id = row["company_id"]
        if row["merged_into"] is None:
            return company_id


async def note_evidence(connection: Connection, company_id: UUID) -> UUID:
    """Record that evidence is being stored that the company's record does not weigh yet; returns the
    company that the id stands for, which is the one to store it for.

    The company stays locked until the transaction ends, so that no decision overlooks the evidence;
    it is called before facts are written, which decisions lock after the company as well.
    """
    present = await hold_company(connection, company_id)
    await connection.execute(
        "UPDATE companies SET decided_at = NULL WHERE company_id = $1 AND decided_at IS NOT NULL",
        present,
    )
    return present


async def decision_is_due(
    connection: Connection, company_id: UUID, *, rules: str, within: timedelta
) -> bool:
    """Whether evidence came since the record was decided, other rules hold, or it was longer ago.

    The company stays locked until the transaction ends.
    """
    due: bool | None = await connection.fetchval(
        """
        SELECT decided_at IS NULL OR decided_at < now() - $3::interval
          OR decided_by IS DISTINCT FROM $2
        FROM companies WHERE company_id = $1 FOR NO KEY UPDATE
        """,
        company_id,
        rules,
        within,
    )
    return due is not False


async def note_decided(connection: Connection, company_id: UUID, *, rules: str) -> None:
    """Record that the record weighs all evidence there is, by these rules."""
    await connection.execute(
        "UPDATE companies SET decided_at = now(), decided_by = $2 WHERE company_id = $1",
        company_id,
        rules,
    )


async def leave_alias(connection: Connection, alias: UUID, company_id: UUID) -> None:
    """Let an id that the catalogue did not know answer as the company's."""
    await connection.execute(
        """
        INSERT INTO companies (company_id, company_name, name_key, record, document, merged_into)
        SELECT $1, company_name, name_key, '{}', document, company_id
        FROM companies WHERE company_id = $2 AND $1 <> $2
        ON CONFLICT (company_id) DO NOTHING
        """,
        alias,
        company_id,
    )


async def note_enriched(connection: Connection, company_id: UUID) -> None:
    """Record that every source was asked about the company just now."""
    await connection.execute(
        "UPDATE companies SET enriched_at = now() WHERE company_id = $1", company_id
    )


def _identity(row: Any) -> Identity:
    values = dict(row)
    values["domains"] = tuple(values["domains"])
    return Identity(**values)
