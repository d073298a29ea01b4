"""What imports changed in accounts, kept so that an import can be undone.

Table names are not qualified on purpose: see `store.account_writes`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.records import as_json
from sightline.store.account_writes import Reference
from sightline.store.columns import Statement, column_in, joined
from sightline.store.database import Tenant

_KINDS = ("uuid", "uuid", "boolean", "jsonb", "text", "jsonb")
_GIVEN = f"""
  unnest({", ".join(column_in(n, kind) for n, kind in enumerate(_KINDS, start=2))})
    AS w (import_id, account_id, is_created, before, domains, pairs)
"""
_KEEP = f"""
  INSERT INTO import_changes AS c (organization_id, import_id, account_id, is_created, before,
    domains, reference_pairs)
  SELECT $1, w.import_id, w.account_id, w.is_created, w.before, w.domains::text[], w.pairs
  FROM {_GIVEN}
"""
_ADD = f"""{_KEEP}
  ON CONFLICT (organization_id, import_id, account_id) DO UPDATE SET
    before = c.before || excluded.before,
    domains = ARRAY(SELECT unnest(c.domains) UNION SELECT unnest(excluded.domains)),
    reference_pairs = c.reference_pairs || excluded.reference_pairs
"""
Before = dict[str, list[Any]]  # field -> [value, where it came from]


@dataclass
class ImportChange:
    """What one import did to one account: whether it made it, the values that it replaced, confirmed or
    took away, and the domains and references that it added."""

    import_id: UUID
    account_id: UUID
    is_created: bool
    before: Before = field(default_factory=dict)
    domains: set[str] = field(default_factory=set)
    references: set[Reference] = field(default_factory=set)


def change_statements(
    organization_id: OrganizationId, changes: Sequence[ImportChange]
) -> Iterator[Statement]:
    """Statements that add to what is kept. Of a field that the import comes back to after another source
    had it, the value of that source is kept."""
    created = [change for change in changes if change.is_created]  # of which nothing is kept yet
    others = [change for change in changes if not change.is_created]
    for statement, some in ((_KEEP, created), (_ADD, others)):
        if some:
            yield statement, (organization_id, *_columns(some))


async def replace_changes(tenant: Tenant, changes: Sequence[ImportChange]) -> None:
    """Write changes that are kept already again."""
    await tenant.run(
        f"""
        UPDATE import_changes c SET is_created = w.is_created, before = w.before,
          domains = w.domains::text[], reference_pairs = w.pairs
        FROM {_GIVEN}
        WHERE c.organization_id = $1 AND c.import_id = w.import_id AND c.account_id = w.account_id
        """,
        *_columns(changes),
    )


async def next_changes(tenant: Tenant, import_id: UUID, *, limit: int) -> list[ImportChange]:
    """What is left to undo of an import: the next accounts by id."""
    rows = await tenant.rows(
        """
        SELECT import_id, account_id, is_created, before, domains, reference_pairs
        FROM import_changes WHERE organization_id = $1 AND import_id = $2
        ORDER BY account_id LIMIT $3
        """,
        import_id,
        limit,
    )
    return [_change(row) for row in rows]


async def other_changes(
    tenant: Tenant, import_id: UUID, account_ids: Sequence[UUID]
) -> dict[UUID, list[ImportChange]]:
    """What other imports did to these accounts, the oldest import first."""
    rows = await tenant.rows(
        """
        SELECT import_id, account_id, is_created, before, domains, reference_pairs
        FROM import_changes
        WHERE organization_id = $1 AND account_id = ANY($3::uuid[]) AND import_id <> $2
        ORDER BY import_id
        """,
        import_id,
        list(account_ids),
    )
    found: dict[UUID, list[ImportChange]] = {}
    for row in rows:
        found.setdefault(row["account_id"], []).append(_change(row))
    return found


async def forget_changes(tenant: Tenant, import_id: UUID, account_ids: Sequence[UUID]) -> None:
    """Drop what is kept of accounts that have been undone."""
    await tenant.run(
        "DELETE FROM import_changes WHERE organization_id = $1 AND import_id = $2"
        " AND account_id = ANY($3::uuid[])",
        import_id,
        list(account_ids),
    )


async def placed_by_hand(tenant: Tenant, account_ids: Sequence[UUID]) -> set[UUID]:
    """The accounts that a person put into a list, a territory or a watch."""
    rows = await tenant.rows(
        """
        SELECT account_id FROM account_list_members
        WHERE organization_id = $1 AND account_id = ANY($2::uuid[])
        UNION SELECT account_id FROM territory_overrides
        WHERE organization_id = $1 AND account_id = ANY($2::uuid[])
        UNION SELECT account_id FROM watch_accounts m JOIN watches w USING (organization_id, watch_id)
        WHERE m.organization_id = $1 AND m.account_id = ANY($2::uuid[]) AND w.kind = 'accounts'
        """,
        list(account_ids),
    )
    return {row["account_id"] for row in rows}


async def take_names_away(
    tenant: Tenant, names: Mapping[UUID, tuple[set[str], set[Reference]]]
) -> None:
    """Take domains and references away from accounts."""
    domains = [(account, domain) for account, (these, _) in names.items() for domain in these]
    references = [(account, *each) for account, (_, these) in names.items() for each in these]
    await tenant.run(
        """
        DELETE FROM account_domains d USING unnest($2::uuid[], $3::text[]) AS w (account_id, domain)
        WHERE d.organization_id = $1 AND d.account_id = w.account_id AND d.domain = w.domain
        """,
        [each[0] for each in domains],
        [each[1] for each in domains],
    )
    await tenant.run(
        """
        DELETE FROM account_references r
        USING unnest($2::uuid[], $3::text[], $4::text[]) AS w (account_id, source_system, external_id)
        WHERE r.organization_id = $1 AND r.account_id = w.account_id
          AND r.source_system = w.source_system AND r.external_id = w.external_id
        """,
        [each[0] for each in references],
        [each[1] for each in references],
        [each[2] for each in references],
    )


def _columns(changes: Sequence[ImportChange]) -> list[Any]:
    return [
        joined(change.import_id for change in changes),
        joined(change.account_id for change in changes),
        joined(change.is_created for change in changes),
        joined(as_json(change.before) if change.before else "{}" for change in changes),
        # Texts as PostgreSQL writes an array; host names hold nothing that JSON writes otherwise.
        joined("{" + as_json(sorted(change.domains))[1:-1] + "}" for change in changes),
        joined(as_json(sorted(change.references)) for change in changes),
    ]


def _change(row: Any) -> ImportChange:
    return ImportChange(
        row["import_id"],
        row["account_id"],
        row["is_created"],
        row["before"],
        set(row["domains"]),
        {(system, external_id) for system, external_id in row["reference_pairs"]},
    )
