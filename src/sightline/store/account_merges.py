"""What happens to an organization's rows when companies of the catalogue are merged or a merge is undone.

An account of the company that went goes to the surviving one, and where it was is remembered for the
undoing. An organization that has an account of each keeps both: they are rows of its own list with
values and references of their own. The one under the old id is then found by that id's company like
the other. All functions run inside a transaction bound to the organization.
"""

from collections.abc import Sequence
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.account_writes import Wanted, find_accounts_by, write_accounts
from sightline.store.companies import account_name
from sightline.store.database import Connection, Tenant
from sightline.store.events import (
    begin_monitoring,
    event_of_change,
    event_of_signal,
    publish_events,
    unpublished_changes,
    unpublished_signals,
)
from sightline.store.merges import Merge, moved_rows

_CONCERNED = """
DO $$
DECLARE
  organization uuid;
  found text[] := '{{}}';
BEGIN
  FOR organization IN SELECT organization_id FROM organizations ORDER BY 1 LOOP
    PERFORM set_config('app.organization', organization::text, true);
    IF EXISTS (SELECT FROM accounts
         WHERE organization_id = organization AND company_id IN ({companies}))
      OR EXISTS (SELECT FROM monitored_companies
         WHERE organization_id = organization AND company_id IN ({companies}))
      OR EXISTS (SELECT FROM merged_accounts
         WHERE organization_id = organization AND merge_id = '{merge}')
    THEN found := found || organization::text; END IF;
  END LOOP;
  PERFORM set_config('app.organization', '', true);
  PERFORM set_config('app.concerned', array_to_string(found, ','), true);
END $$
"""


async def concerned_organizations(
    connection: Connection, merge: Merge, *companies: UUID
) -> list[OrganizationId]:
    """The organizations with an account of one of the companies, that follow one, or of which the merge
    moved an account. Needs a worker's transaction, which is bound to no organization afterwards.

    Each organization sees its own rows only, so each is looked at in its turn: in the server, where
    that takes a fraction of what a round trip for each would.
    """
    ids = ", ".join(f"'{each}'" for each in companies)
    await connection.execute(_CONCERNED.format(companies=ids, merge=merge.merge_id))
    found: str = await connection.fetchval("SELECT current_setting('app.concerned')")
    return [OrganizationId(UUID(each)) for each in found.split(",") if each]


async def move_accounts(tenant: Tenant, merge: Merge) -> list[UUID]:
    """Point the account of the merged company at the surviving one, unless there is one of that as
    well; returns the accounts that moved. The records of both companies have been decided."""
    await _follow_on(tenant, merge)
    rows = await tenant.rows(
        """
        WITH moved AS (
          UPDATE accounts a SET company_id = $3
          WHERE a.organization_id = $1 AND a.company_id = $2 AND NOT EXISTS (
            SELECT FROM accounts o WHERE o.organization_id = $1 AND o.company_id = $3)
          RETURNING a.account_id),
        in_territories AS (
          UPDATE territory_members m SET company_id = $3 FROM moved
          WHERE m.organization_id = $1 AND m.account_id = moved.account_id)
        INSERT INTO merged_accounts (organization_id, merge_id, account_id, domains)
        SELECT $1, $4, account_id, ARRAY(
          SELECT d.domain FROM account_domains d
          WHERE d.organization_id = $1 AND d.account_id = moved.account_id)
        FROM moved RETURNING account_id
        """,
        merge.merged,
        merge.kept,
        merge.merge_id,
    )
    moved = [row["account_id"] for row in rows]
    await _show_records(tenant, [merge.kept, merge.merged] if moved else [merge.merged])
    return moved


async def return_accounts(tenant: Tenant, merge: Merge, *, holders: Sequence[UUID]) -> list[UUID]:
    """Point the accounts that a merge moved back at their company; returns them.

    `holders` are the companies they may be of by now (`store.merges.undo_merge`). One that was pointed
    elsewhere since, or deleted, is left alone; what was set meanwhile stays set.
    """
    rows = await tenant.rows(
        """
        WITH returned AS (
          UPDATE accounts a SET company_id = $3 FROM merged_accounts m
          WHERE m.organization_id = $1 AND m.merge_id = $2
            AND a.organization_id = $1 AND a.account_id = m.account_id
            AND a.company_id = ANY($4::uuid[]) AND NOT EXISTS (
              SELECT FROM accounts o WHERE o.organization_id = $1 AND o.company_id = $3)
          RETURNING a.account_id, m.domains),
        in_territories AS (
          UPDATE territory_members m SET company_id = $3 FROM returned
          WHERE m.organization_id = $1 AND m.account_id = returned.account_id),
        learnt AS (
          DELETE FROM account_domains d USING returned, company_domains c
          WHERE d.organization_id = $1 AND d.account_id = returned.account_id
            AND c.domain = d.domain AND c.company_id = ANY($4::uuid[])
            AND d.domain <> ALL (returned.domains)),
        forgotten AS (
          DELETE FROM merged_accounts WHERE organization_id = $1 AND merge_id = $2),
        unfollowed AS (
          DELETE FROM monitored_companies b WHERE b.organization_id = $1
            AND b.company_id = ANY($4::uuid[]) AND EXISTS (SELECT FROM returned)
            AND NOT EXISTS (SELECT FROM accounts o
              WHERE o.organization_id = $1 AND o.company_id = b.company_id
                AND o.account_id NOT IN (SELECT account_id FROM returned)))
        SELECT account_id FROM returned
        """,
        merge.merge_id,
        merge.merged,
        list(holders),
    )
    await _show_records(tenant, [merge.merged])
    return [row["account_id"] for row in rows]


async def _follow_on(tenant: Tenant, merge: Merge) -> None:
    """Have an organization that followed one of the two companies follow what they became. What is known
    of the other one is no news to it: that goes on the timeline and alerts no one, and what it was to
    hear of the one that it followed reaches it as ever."""
    followed = await tenant.rows(
        """
        SELECT company_id FROM monitored_companies
        WHERE organization_id = $1 AND company_id = ANY($2::uuid[])
        """,
        [merge.kept, merge.merged],
    )
    if len(followed) != 1:
        return
    moved = await moved_rows(tenant, merge.merge_id)
    followed_kept = followed[0]["company_id"] == merge.kept
    signals = await unpublished_signals(tenant, merge.kept)
    changes = await unpublished_changes(tenant, merge.kept)
    known = [
        event_of_signal(merge.kept, row)
        for row in signals
        if (str(row["signal_id"]) in moved["signals"]) is followed_kept
    ]
    name = await account_name(tenant, merge.kept) or ""
    known += [
        event_of_change(merge.kept, name, row)
        for row in changes
        if (str(row["record_version"]) in moved["company_changes"]) is followed_kept
    ]
    await publish_events(tenant, known)
    await begin_monitoring(tenant, merge.kept)


async def _show_records(tenant: Tenant, companies: Sequence[UUID]) -> None:
    """Make the accounts of companies show their records as they are now."""
    states = await find_accounts_by(tenant, Wanted(company_ids=companies))
    for state in states:
        state.is_changed = True
    await write_accounts(tenant, states)
