"""Finds and writes accounts in chunks, for list imports and every other bulk writer.

All functions run inside a tenant transaction. Table names are not qualified on purpose: in a
dry run (`store.imports.begin_dry_run`) they mean temporary copies, and the accounts themselves
stay as they are.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.names import search_text, sort_key
from sightline.domain.records import as_json, company_document, item_head
from sightline.store.columns import Statement, column_in, joined, run_ahead
from sightline.store.database import Tenant

# Fields that describe one thing together. A value for one of them hides the catalogue's values of the
# others when they disagree: the city of one office with the country of another would be nonsense.
FIELD_GROUPS: tuple[tuple[str, ...], ...] = (
    (
        "hq_city", "hq_state", "hq_address", "hq_postcode", "country_code", "hq_country_name", "region",
    ),
    ("industry", "sector"),
    ("full_time_employees", "employee_count_range"),
    ("revenue_usd", "revenue_range"),
    ("stock_ticker", "stock_exchange_name", "stock_exchange_symbol", "stock_currency"),
    ("website_domain", "website"),
)  # fmt: skip

Reference = tuple[str, str]  # (source system, external id)


class AccountNeedsAName(ValueError):
    """The only name of an account was to be removed."""


@dataclass
class AccountState:
    """An account as stored or about to be, with everything that is compared and written.

    `own` are the organization's values by field, `own_sources` where each came from
    ({source: user|import, import_id, observed_at}), `catalogue` the public values under them.
    """

    account_id: UUID
    company_id: UUID
    name_key: str
    own: dict[str, Any]
    own_sources: dict[str, dict[str, Any]]
    catalogue: Mapping[str, Any]
    domains: set[str]
    references: set[Reference]
    is_new: bool = False
    is_changed: bool = False  # a value, domain or reference changed
    is_confirmed: bool = False  # only where a value came from changed
    added_domains: set[str] = field(default_factory=set)
    added_references: set[Reference] = field(default_factory=set)

    @property
    def values(self) -> dict[str, Any]:
        """The values served: the organization's own over the catalogue's."""
        return overlaid(self.own, self.catalogue)


@dataclass(frozen=True)
class Wanted:
    """What the accounts of interest may be known by."""

    domains: Collection[str] = ()
    references: Collection[Reference] = ()
    name_keys: Collection[str] = ()
    company_ids: Collection[UUID] = ()


def overlaid(own: Mapping[str, Any], catalogue: Mapping[str, Any]) -> dict[str, Any]:
    """Own values over catalogue values, group by group."""
    if not catalogue:
        return dict(own)
    kept = dict(catalogue)
    for group in FIELD_GROUPS:
        if any(name in own and name in kept and own[name] != kept[name] for name in group):
            for name in group:
                kept.pop(name, None)
    return kept | dict(own)


# Each key is looked up by itself (OFFSET 0 keeps it so): estimates for one organization mislead, and a join
# would read all of its rows, chunk after chunk.
ACCOUNT_IDS = f"""
  SELECT f.account_id FROM unnest({column_in(2)}) AS w (domain) CROSS JOIN LATERAL (
    SELECT account_id FROM {{schema}}account_domains d
    WHERE d.organization_id = $1 AND d.domain = w.domain OFFSET 0) f
  UNION
  SELECT f.account_id FROM unnest({column_in(3)}, {column_in(4)}) AS w (source_system, external_id)
  CROSS JOIN LATERAL (
    SELECT account_id FROM {{schema}}account_references r
    WHERE r.organization_id = $1 AND r.source_system = w.source_system
      AND r.external_id = w.external_id OFFSET 0) f
  UNION
  SELECT f.account_id FROM unnest({column_in(5)}) AS w (name_key) CROSS JOIN LATERAL (
    SELECT account_id FROM {{schema}}accounts a
    WHERE a.organization_id = $1 AND a.name_key = w.name_key OFFSET 0) f
  UNION
  SELECT f.account_id FROM unnest({column_in(6, "uuid")}) AS w (company_id) CROSS JOIN LATERAL (
    SELECT account_id FROM {{schema}}accounts a
    WHERE a.organization_id = $1 AND a.company_id = w.company_id OFFSET 0) f
"""

_STATES = f"""
  WITH wanted AS MATERIALIZED ({ACCOUNT_IDS.format(schema="")})
  SELECT a.account_id, a.company_id, a.name_key, r.own, r.own_sources,
    CASE WHEN c.company_id IS NOT NULL THEN c.record END AS catalogue,
    ARRAY(SELECT d.domain FROM account_domains d
          WHERE d.organization_id = $1 AND d.account_id = a.account_id) AS domains,
    ARRAY(SELECT f.source_system || E'\\x1f' || f.external_id FROM account_references f
          WHERE f.organization_id = $1 AND f.account_id = a.account_id) AS refs
  FROM wanted CROSS JOIN LATERAL (
    SELECT * FROM accounts a
    WHERE a.organization_id = $1 AND a.account_id = wanted.account_id OFFSET 0) a
  CROSS JOIN LATERAL (
    SELECT own, own_sources FROM account_records r
    WHERE r.organization_id = $1 AND r.account_id = wanted.account_id OFFSET 0) r
  LEFT JOIN companies p ON p.company_id = a.company_id
  LEFT JOIN companies c ON c.company_id = coalesce(p.merged_into, a.company_id)
  ORDER BY a.account_id
"""


async def begin_bulk_write(tenant: Tenant) -> None:
    """Wait until no other bulk writer of the organization is in a transaction, and have every
    statement of this one look rows up by index."""
    # Estimates for one organization mislead here: the statistics do not know a new one, so PostgreSQL
    # expects a handful of rows and reads all of the organization's to find them, chunk after chunk.
    # Plans for the average organization, made again as the tables grow, use the whole key.
    await tenant.execute(
        """
        DISCARD PLANS;
        SET LOCAL plan_cache_mode = force_generic_plan;
        SET LOCAL enable_seqscan = off;
        SET LOCAL enable_hashjoin = off;
        SET LOCAL enable_mergejoin = off;
        """
    )
    await hold_account_writes(tenant)


async def hold_account_writes(tenant: Tenant) -> None:
    """Wait until no other bulk writer of the organization is in a transaction; none begins meanwhile."""
    await tenant.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('account writes ' || $1::text, 0))",
        str(tenant.organization_id),
    )


async def find_accounts_by(tenant: Tenant, wanted: Wanted) -> list[AccountState]:
    """The accounts known by any of the domains, references, name keys or companies, oldest first."""
    rows = await tenant.rows(_STATES, *lookup_parameters(wanted))
    return [
        AccountState(
            account_id=row["account_id"],
            company_id=row["company_id"],
            name_key=row["name_key"],
            own=row["own"],
            own_sources=row["own_sources"],
            catalogue=row["catalogue"] or {},
            domains=set(row["domains"]),
            references={_reference(text) for text in row["refs"]},
        )
        for row in rows
    ]


async def write_accounts(tenant: Tenant, states: Sequence[AccountState]) -> None:
    """Store new and changed accounts; of one that is only confirmed, where its values came from."""
    await run_ahead(tenant, account_statements(tenant.organization_id, states))


def account_statements(
    organization_id: OrganizationId, states: Sequence[AccountState]
) -> Iterator[Statement]:
    """The statements of `write_accounts`, each made when it is asked for."""
    created = [state for state in states if state.is_new]
    changed = [state for state in states if state.is_changed and not state.is_new]
    confirmed = [s for s in states if s.is_confirmed and not (s.is_changed or s.is_new)]
    if created:
        yield from _row_statements(organization_id, created, (_INSERT_ACCOUNTS, _INSERT_RECORDS))
    if changed:
        yield from _row_statements(organization_id, changed, (_UPDATE_ACCOUNTS, _UPDATE_RECORDS))
    if confirmed:
        ids = joined(state.account_id for state in confirmed)
        yield _UPDATE_SOURCES, (organization_id, ids, *_sources_column(confirmed))
    yield from _name_statements(organization_id, [*created, *changed])


async def set_user_values(
    tenant: Tenant, account_id: UUID, *, values: Mapping[str, Any], observed_at: str
) -> bool:
    """Set values that a person gave (None removes one); no import overwrites them. `observed_at`
    is RFC 3339. False when there is no such account; raises AccountNeedsAName."""
    company_id = await tenant.value(
        "SELECT company_id FROM accounts WHERE organization_id = $1 AND account_id = $2", account_id
    )
    if company_id is None:
        return False
    found = await find_accounts_by(tenant, Wanted(company_ids=[company_id]))
    state = found[0]
    for name, value in values.items():
        if value is None:
            state.own.pop(name, None)
        else:
            state.own[name] = value
        state.own_sources[name] = {"source": "user", "observed_at": observed_at}
    if not state.values.get("company_name"):
        raise AccountNeedsAName("An account needs a name, and no public source has one either.")
    if values.get("website_domain"):
        state.added_domains = {values["website_domain"]} - state.domains
    state.is_changed = True
    await write_accounts(tenant, [state])
    return True


async def point_account(tenant: Tenant, account_id: UUID, *, company_id: UUID) -> None:
    """Make an account one of another company."""
    await tenant.run(
        "UPDATE accounts SET company_id = $3 WHERE organization_id = $1 AND account_id = $2",
        account_id,
        company_id,
    )


_COLUMNS: tuple[tuple[str, str], ...] = (
    ("account_id", "uuid"),
    ("company_id", "uuid"),
    ("company_name", "text"),
    ("sort_key", "text"),
    ("name_key", "text"),
    ("search_text", "text"),
    ("website_domain", "text"),
    ("industry", "text"),
    ("sector", "text"),
    ("employee_size_category", "text"),
    ("revenue_category", "text"),
    ("country_code", "text"),
    ("public_company", "boolean"),
    ("full_time_employees", "bigint"),
    ("revenue_usd", "float8"),
)
_NAMES = ", ".join(name for name, _ in _COLUMNS)
_ARRAYS = ", ".join(column_in(n, kind) for n, (_, kind) in enumerate(_COLUMNS, start=2))
_INSERT_ACCOUNTS = (
    f"INSERT INTO accounts (organization_id, {_NAMES}) SELECT $1::uuid, * FROM unnest({_ARRAYS})"
)
_UPDATE_ACCOUNTS = f"""
  UPDATE accounts a SET updated_at = now(),
    {", ".join(f"{name} = w.{name}" for name, _ in _COLUMNS[2:])}
  FROM unnest({_ARRAYS}) AS w ({_NAMES})
  WHERE a.organization_id = $1 AND a.account_id = w.account_id
"""
# What own_sources are distinct is sent and parsed once: most rows of a list fill the same fields.
_SOURCES = f"(SELECT {column_in(4, 'jsonb')} AS every OFFSET 0) AS sources"
_RECORDS = f"""
  {_SOURCES} CROSS JOIN
  unnest({column_in(2, "uuid")}, $3::int[], {", ".join(map(column_in, range(5, 8)))})
    AS w (account_id, source, own, document, item_head)
"""
_INSERT_RECORDS = f"""
  INSERT INTO account_records (organization_id, account_id, own, own_sources, document, item_head)
  SELECT $1::uuid, account_id, own::jsonb, sources.every[source], document, item_head FROM {_RECORDS}
"""
_UPDATE_RECORDS = f"""
  UPDATE account_records r SET own = w.own::jsonb, own_sources = sources.every[w.source],
    document = w.document, item_head = w.item_head
  FROM {_RECORDS} WHERE r.organization_id = $1 AND r.account_id = w.account_id
"""
_UPDATE_SOURCES = f"""
  UPDATE account_records r SET own_sources = sources.every[w.source]
  FROM {_SOURCES} CROSS JOIN unnest({column_in(2, "uuid")}, $3::int[]) AS w (account_id, source)
  WHERE r.organization_id = $1 AND r.account_id = w.account_id
"""


def _row_statements(
    organization_id: OrganizationId, states: Sequence[AccountState], statements: tuple[str, str]
) -> Iterator[Statement]:
    """The statements of the accounts and of their records."""
    values = [state.values for state in states]
    columns = list(map(joined, zip(*map(_account_row, states, values), strict=True)))
    yield statements[0], (organization_id, *columns)
    documents = (
        company_document(s.company_id, each) for s, each in zip(states, values, strict=True)
    )
    heads = (item_head(s.account_id, each) for s, each in zip(states, values, strict=True))
    yield (
        statements[1],
        (
            organization_id,
            columns[0],
            *_sources_column(states),
            joined(as_json(state.own) for state in states),
            joined(documents),
            joined(heads),
        ),
    )


def _account_row(state: AccountState, values: Mapping[str, Any]) -> tuple[Any, ...]:
    name = values["company_name"]
    domain = values.get("website_domain")
    names = [name, *values.get("alternative_names", ())]
    return (
        state.account_id,
        state.company_id,
        name,
        sort_key(name),
        state.name_key,
        search_text(names, domain),
        domain,
        values.get("industry"),
        values.get("sector"),
        values.get("employee_count_range"),
        values.get("revenue_range"),
        values.get("country_code"),
        values.get("public_company"),
        values.get("full_time_employees"),
        values.get("revenue_usd"),
    )


def _sources_column(states: Sequence[AccountState]) -> tuple[list[int], str]:
    """Of each account the place, from 1, of its `own_sources` among the distinct ones, and these as JSON.

    Most entries are one and the same object, which tells them apart.
    """
    places: dict[tuple[object, ...], int] = {}
    column, every = [], []
    for state in states:
        sources = state.own_sources
        key = (*sources, *map(id, sources.values()))
        place = places.get(key)
        if place is None:
            every.append(as_json(sources))
            place = places[key] = len(every)
        column.append(place)
    return column, joined(every)


def _name_statements(
    organization_id: OrganizationId, states: Sequence[AccountState]
) -> Iterator[Statement]:
    """Domains and references that were added. One that another account took meanwhile stays there."""
    domains = [(s.account_id, domain) for s in states for domain in sorted(s.added_domains)]
    references = [(s.account_id, *each) for s in states for each in sorted(s.added_references)]
    if domains:
        yield _INSERT_DOMAINS, (organization_id, *map(joined, zip(*domains, strict=True)))
    if references:
        yield _INSERT_REFERENCES, (organization_id, *map(joined, zip(*references, strict=True)))


_INSERT_DOMAINS = f"""
  INSERT INTO account_domains (organization_id, account_id, domain)
  SELECT $1::uuid, * FROM unnest({column_in(2, "uuid")}, {column_in(3)})
  ON CONFLICT DO NOTHING
"""
_INSERT_REFERENCES = f"""
  INSERT INTO account_references (organization_id, account_id, source_system, external_id)
  SELECT $1::uuid, * FROM unnest({column_in(2, "uuid")}, {column_in(3)}, {column_in(4)})
  ON CONFLICT DO NOTHING
"""


def lookup_parameters(wanted: Wanted) -> tuple[str, str, str, str, str]:
    """Parameters 2 to 6 of ACCOUNT_IDS."""
    return (
        joined(wanted.domains),
        joined(system for system, _ in wanted.references),
        joined(external_id for _, external_id in wanted.references),
        joined(wanted.name_keys),
        joined(wanted.company_ids),
    )


def _reference(text: str) -> Reference:
    system, _, external_id = text.partition("\x1f")
    return system, external_id
