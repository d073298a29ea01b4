"""Territories: accounts by rules and by hand, with scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from sightline.domain.filters import Filter, Group
from sightline.store.database import Tenant
from sightline.store.filters import condition_of
from sightline.store.pages import Pages, Rows, Slice, Where, only_row, read_page, read_rows

_JOINED = "accounts a JOIN account_records r USING (organization_id, account_id)"


class TerritoryExists(ValueError):
    """The id is taken."""


class OwnerDoesNotExist(LookupError):
    """The organization has no such user."""


@dataclass(frozen=True, slots=True)
class ScoreRule:
    """Points for the accounts that a filter holds for, and the reason that is shown."""

    filter: Filter
    points: int
    why: str


@dataclass(frozen=True, slots=True)
class Membership:
    """What decides who belongs to a territory. Exclusion by hand goes before inclusion by hand."""

    rules: Filter
    include: Sequence[UUID] = ()
    exclude: Sequence[UUID] = ()

    def of(self, account_ids: Sequence[UUID] | None) -> "Membership":
        """The same where these are the accounts that the rules choose; for a simulation, which does not
        tell them from those included by hand. None: they are not known."""
        if account_ids is None:
            return self
        return Membership(Group("or", ()), (*self.include, *account_ids), self.exclude)


async def store_territory(
    tenant: Tenant, territory_id: str, *, values: Mapping[str, Any], is_new: bool
) -> None:
    """Write name, description, owner_id, rules and score_rules (JSON values).

    Raises TerritoryExists, OwnerDoesNotExist.
    """
    statement = """
      INSERT INTO territories (organization_id, territory_id, name, description, owner_id, rules,
        score_rules) VALUES ($1, $2, $3, $4, $5, $6, $7)
    """
    if not is_new:
        statement = """
          UPDATE territories SET name = $3, description = $4, owner_id = $5, rules = $6,
            score_rules = $7, updated_at = now()
          WHERE organization_id = $1 AND territory_id = $2
        """
    try:
        await tenant.run(
            statement,
            territory_id,
            values["name"],
            values["description"],
            values["owner_id"],
            values["rules"],
            values["score_rules"],
        )
    except asyncpg.UniqueViolationError as error:
        raise TerritoryExists(f"There is a territory {territory_id!r} already.") from error
    except asyncpg.ForeignKeyViolationError as error:
        raise OwnerDoesNotExist("There is no such user.") from error


async def set_overrides(
    tenant: Tenant, territory_id: str, *, include: Sequence[UUID], exclude: Sequence[UUID]
) -> None:
    """Make these the accounts included and excluded by hand; ids that are not accounts are ignored."""
    await tenant.run(
        "DELETE FROM territory_overrides WHERE organization_id = $1 AND territory_id = $2",
        territory_id,
    )
    await tenant.run(
        """
        INSERT INTO territory_overrides (organization_id, territory_id, account_id, kind)
        SELECT $1, $2, a.account_id,
          CASE WHEN a.account_id = ANY($4::uuid[]) THEN 'exclude' ELSE 'include' END
        FROM accounts a WHERE a.organization_id = $1
          AND a.account_id = ANY($3::uuid[] || $4::uuid[])
        """,
        territory_id,
        list(include),
        list(exclude),
    )


async def read_territory(tenant: Tenant, territory_id: str) -> dict[str, Any] | None:
    """A territory's stored values, overrides included; None if there is none."""
    row = await tenant.row(
        """
        SELECT territory_id, name, description, owner_id, rules, score_rules,
          ARRAY(SELECT account_id FROM territory_overrides o WHERE o.organization_id = $1
            AND o.territory_id = t.territory_id AND o.kind = 'include' ORDER BY 1) AS include,
          ARRAY(SELECT account_id FROM territory_overrides o WHERE o.organization_id = $1
            AND o.territory_id = t.territory_id AND o.kind = 'exclude' ORDER BY 1) AS exclude
        FROM territories t WHERE organization_id = $1 AND territory_id = $2
        """,
        territory_id,
    )
    return dict(row) if row else None


async def compute_members(
    tenant: Tenant,
    territory_id: str,
    *,
    membership: Membership,
    scores: Sequence[ScoreRule],
    among: Sequence[UUID] | None = None,
) -> int:
    """Decide who belongs to a territory now, with scores and reasons; returns how many do. Of these
    accounts alone, if they are given: costs as much as they are, and writes only what is different."""
    # What commits while this runs is looked at again.
    seen = await tenant.fetchval("SELECT pg_current_snapshot()::text")
    values: list[Any] = [tenant.organization_id, None if among is None else list(among)]
    member = _member_condition(membership, values)
    score, why = _score(scores, values)
    values += [territory_id, list(membership.include)]
    territory, include = f"${len(values) - 1}::text", f"${len(values)}::uuid[]"
    of = "$2::uuid[] IS NULL" if among is None else "{}account_id = ANY($2::uuid[])"
    await tenant.execute(
        f"""
        WITH held AS (
          SELECT a.organization_id, {territory} AS territory_id, a.account_id, a.company_id,
            a.account_id = ANY({include}) AS by_hand, {score} AS score, {why} AS why
          FROM {_JOINED} WHERE a.organization_id = $1 AND {of.format("a.")}
            AND {member}),
        gone AS (
          DELETE FROM territory_members m WHERE organization_id = $1 AND territory_id = {territory}
            AND {of.format("m.")} AND NOT EXISTS (SELECT FROM held WHERE held.account_id = m.account_id))
        INSERT INTO territory_members AS m
          (organization_id, territory_id, account_id, company_id, by_hand, score, why)
        SELECT * FROM held ON CONFLICT (organization_id, territory_id, account_id) DO UPDATE
          SET (company_id, by_hand, score, why) =
            (excluded.company_id, excluded.by_hand, excluded.score, excluded.why)
          WHERE (m.company_id, m.by_hand, m.score, m.why) IS DISTINCT FROM
            (excluded.company_id, excluded.by_hand, excluded.score, excluded.why)
        """,
        *values,
    )
    count: int = await tenant.value(
        """
        UPDATE territories t SET computed_at = now(), seen = $3, account_count =
          (SELECT count(*) FROM territory_members m
           WHERE m.organization_id = $1 AND m.territory_id = $2)
        WHERE organization_id = $1 AND territory_id = $2 RETURNING account_count
        """,
        territory_id,
        seen,
    )
    return count


async def simulate(
    tenant: Tenant,
    *,
    membership: Membership,
    scores: Sequence[ScoreRule],
    compared_with: str | None,
    limit: int,
) -> dict[str, Any]:
    """What a territory would hold: account_count, the best accounts, entering and leaving counts."""
    values: list[Any] = [tenant.organization_id]
    member = _member_condition(membership, values)
    score, why = _score(scores, values)
    values += [compared_with, limit]
    row = await only_row(
        tenant,
        f"""
        WITH held AS (
          SELECT a.account_id, a.company_id, a.company_name, {score} AS score, {why} AS why
          FROM {_JOINED} WHERE a.organization_id = $1 AND {member}),
        now AS (
          SELECT account_id FROM territory_members
          WHERE organization_id = $1 AND territory_id = ${len(values) - 1}::text)
        SELECT (SELECT count(*) FROM held) AS account_count,
          (SELECT count(*) FROM held LEFT JOIN now USING (account_id) WHERE now IS NULL) AS entering,
          (SELECT count(*) FROM now LEFT JOIN held USING (account_id) WHERE held IS NULL) AS leaving,
          (SELECT coalesce(jsonb_agg(jsonb_build_object('account_id', account_id,
             'company_id', company_id, 'company_name', company_name, 'score', score, 'why', why)
             ORDER BY score DESC, company_name), '[]')
           FROM (SELECT * FROM held ORDER BY score DESC, company_name LIMIT ${len(values)}::int) best)
             AS sample
        """,
        *values,
    )
    return dict(row)


async def members_page(tenant: Tenant, territory_id: str, *, part: Slice) -> Pages:
    """The territory's accounts, best score first: [{item: Account item, score, why, by_hand}]."""
    return await read_page(
        tenant,
        """
        WITH page AS (
          SELECT m.*, row_number() OVER (ORDER BY score DESC, account_id) AS n
          FROM territory_members m WHERE organization_id = $1 AND territory_id = $2
            AND ($3::text IS NULL OR (-score, account_id) > (-($3::text::int), $4::text::uuid))
          ORDER BY score DESC, account_id OFFSET $5 LIMIT $6)
        SELECT (SELECT account_count FROM territories
                WHERE organization_id = $1 AND territory_id = $2) AS total,
          (SELECT '[' || coalesce(string_agg('{"item":' || r.item_head || substr(r.document, 2)
             || ',"score":' || p.score || ',"why":' || p.why || ',"by_hand":' || p.by_hand || '}',
             ',' ORDER BY n), '') || ']'
           FROM page p JOIN account_records r USING (organization_id, account_id)) AS items,
          (SELECT ARRAY[score::text, account_id::text] FROM page ORDER BY n DESC LIMIT 1) AS last
        """,
        tenant.organization_id,
        territory_id,
        *part.parameters,
    )


async def overlaps_page(tenant: Tenant, *, part: Slice) -> Pages:
    """Pairs of territories that share accounts, most first. Ids of territories hold no slash."""
    return await read_rows(
        tenant,
        Rows(
            "pairs",
            "json_build_object('first', first, 'second', second, 'account_count', shared,"
            " 'company_ids', company_ids)",
            "first || '/' || second",
            "-shared",
            "bigint",
            key_kind='text COLLATE "C"',
            made="""
              pairs AS (
                SELECT one.territory_id AS first, other.territory_id AS second, count(*) AS shared,
                  (array_agg(one.company_id ORDER BY one.score DESC))[1:10] AS company_ids
                FROM territory_members one JOIN territory_members other
                  ON other.organization_id = $1 AND other.account_id = one.account_id
                  AND other.territory_id > one.territory_id
                WHERE one.organization_id = $1 GROUP BY 1, 2)
            """,
        ),
        Where("$1::uuid IS NOT NULL", [tenant.organization_id]),
        part=part,
    )


async def gaps_page(tenant: Tenant, *, part: Slice) -> Pages:
    """Accounts in no territory, by name, as Account items."""
    return await read_rows(
        tenant,
        Rows(
            "accounts a",
            "(SELECT (r.item_head || substr(r.document, 2))::json FROM account_records r"
            " WHERE r.organization_id = $1 AND r.account_id = a.account_id)",
            "account_id",
            "sort_key",
            'text COLLATE "C"',
        ),
        Where(
            """
              organization_id = $1 AND NOT EXISTS (SELECT FROM territory_members m
                WHERE m.organization_id = $1 AND m.account_id = a.account_id)
            """,
            [tenant.organization_id],
        ),
        part=part,
    )


def _member_condition(membership: Membership, values: list[Any]) -> str:
    rules = condition_of(membership.rules, values)
    values += [list(membership.include), list(membership.exclude)]
    include, exclude = f"${len(values) - 1}::uuid[]", f"${len(values)}::uuid[]"
    return f"({rules} OR a.account_id = ANY({include})) AND NOT a.account_id = ANY({exclude})"


def _score(scores: Sequence[ScoreRule], values: list[Any]) -> tuple[str, str]:
    """The score, 0-100, and its reasons as SQL expressions."""
    if not scores:
        return "50", "'[]'::jsonb"
    points, reasons = [], []
    for rule in scores:
        condition = condition_of(rule.filter, values)
        values += [rule.points, rule.why]
        amount, why = f"${len(values) - 1}::int", f"${len(values)}::text"
        points.append(f"CASE WHEN {condition} THEN {amount} ELSE 0 END")
        reasons.append(
            f"CASE WHEN {condition} THEN jsonb_build_object('why', {why}, 'points', {amount}) END"
        )
    total = f"greatest(0, least(100, {' + '.join(points)}))"
    why_list = f"array_to_json(array_remove(ARRAY[{', '.join(reasons)}], NULL))::jsonb"
    return total, why_list
