"""Reads job postings: pages, trends, and their age. Written by store/postings.py."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.domain.credits import Credit
from sightline.store.companies import ASKED_COMPANY
from sightline.store.database import Connection, Tenant
from sightline.store.pages import (
    Pages,
    Rows,
    Slice,
    Where,
    joined_row,
    only_row,
    page_and_row,
    utc,
    version_of,
)

WORK_KIND = "refresh_jobs"
"""The kind of queue work that pulls a company's job boards; its subject is the company id."""
SOURCE = "job_boards"
MOST_LOCATIONS = 50

# When the employer posted it, as far as that is known.
_POSTED = "coalesce(j.posted_at, j.first_seen_at)"


@dataclass(frozen=True, slots=True)
class PlaceMeant:
    """Places of work in one of the countries, all of them for (); of `region` and of a city that has
    one of the folded names, where these are given. A posting of the city need not say the rest."""

    countries: tuple[str, ...] = ()
    region: str | None = None
    cities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacesWanted:
    """Postings of a place that has all the words or is one that is meant; `remote` alone is enough
    where nothing is meant, and needed where something is."""

    words: str | None = None
    meant: tuple[PlaceMeant, ...] = ()
    remote: bool = False


@dataclass(frozen=True, slots=True)
class JobFilter:
    """What a page of postings is narrowed to; None means not at all.

    `title` is words that must all occur.
    """

    active: bool | None = None
    department: str | None = None
    title: str | None = None
    places: PlacesWanted | None = None
    posted_since: datetime | None = None


def _plain(text: str) -> str:
    """Small letters without accents, as `_words` has them."""
    return rf"regexp_replace(normalize(lower({text}), NFD), '[\u0300-\u036f]', '', 'g')"


_MEANT = f"""
  (m -> 'countries' = '[]' OR m -> 'countries' ? coalesce(place ->> 'country_code', ''))
  AND (m -> 'regions' = '[]' OR m -> 'regions' ? coalesce(place ->> 'region', ''))
  AND (m -> 'cities' = '[]' OR m -> 'cities' ?
    btrim(regexp_replace({_plain("coalesce(place ->> 'city', '')")}, '[^[:alnum:]]+', ' ', 'g')))
"""
_PLACES = f"""
  EXISTS (SELECT FROM jsonb_array_elements(j.locations) AS place
    WHERE {_plain("concat_ws(' ', place ->> 'raw', place ->> 'city', place ->> 'region')")}
      LIKE ALL ($words::text[]))
  OR (j.remote IS NOT DISTINCT FROM 'remote' OR NOT $remote::boolean) AND CASE
    WHEN $meant::jsonb = '[]' THEN $remote ELSE EXISTS (
      SELECT FROM jsonb_array_elements($meant) AS m, jsonb_array_elements(j.locations) AS place
      WHERE {_MEANT}) END
"""


# A complete pull closes what it did not see, so what is not closed was seen by the last one.
_JOB = f"""
  j.job_id AS id, j.company_id, j.title, j.normalized_title, j.department, j.seniority, j.employment_type,
  j.remote, j.locations, j.salary, j.skills, j.technologies, j.description, j.url, j.source,
  {utc("j.first_seen_at")} AS first_seen_at, {utc("j.posted_at")} AS posted_at,
  {utc("j.last_seen_at")} AS last_seen_at, {utc("j.closed_at")} AS closed_at,
  j.closed_at IS NULL AS active, j.openings
"""


# What the last pull was, and what is left of the credit $3.
_WITH_PULL = f"""
  WITH {ASKED_COMPANY}
  SELECT page.*, (SELECT max(last_pull_at) FROM job_boards WHERE company_id = (SELECT id FROM asked))
    AS pulled_at,
    coalesce((SELECT balance FROM credit_balances WHERE organization_id = $1 AND credit = $3), 0)
      AS credits_left
  FROM ({{}}) page
"""
_JOBS = Rows(
    "jobs j",
    "row_to_json(job)",
    "job_id",
    _POSTED,
    "timestamptz",
    descending=True,
    joins=joined_row("job", _JOB),
    versions=f"uuid_send(j.job_id) || {version_of('j')}",
)


async def jobs_page(tenant: Tenant, company_id: UUID, wanted: JobFilter, *, part: Slice) -> Pages:
    """Postings of the company that an id stands for, the newest first."""
    found, _, _ = await jobs_and_pull(
        tenant, company_id, wanted=wanted, credit="company", part=part
    )
    return found


async def jobs_and_pull(
    tenant: Tenant, company_id: UUID, *, wanted: JobFilter, credit: Credit, part: Slice
) -> tuple[Pages, datetime | None, int]:
    """The same, with the newest pull of any board of the company, and what the organization has left of a
    kind of credit."""
    where = Where(
        "j.company_id = (SELECT id FROM asked)", [tenant.organization_id, company_id, credit]
    )
    if wanted.active is not None:
        where.text += f" AND j.closed_at IS {'' if wanted.active else 'NOT '}NULL"
    where.add("j.department = {}", wanted.department)
    title = _plain("j.title || ' ' || coalesce(j.normalized_title, '')")
    where.add(f"{title} LIKE ALL ({{}}::text[])", _words(wanted.title))
    where.add(f"{_POSTED} >= {{}}", wanted.posted_since)
    if wanted.places is not None:
        given = {
            "$words": _words(wanted.places.words),
            "$meant": [_told(each) for each in wanted.places.meant],
            "$remote": wanted.places.remote,
        }
        asked = _PLACES
        for name, value in given.items():
            where.values.append(value)
            asked = asked.replace(name, f"${len(where.values)}")
        where.text += f" AND ({asked})"
    page, row = await page_and_row(tenant, _JOBS, where, part=part, around=_WITH_PULL)
    return page, row["pulled_at"], row["credits_left"]


def _words(text: str | None) -> list[str] | None:
    """Patterns of words that must all occur, accents or not; None when there is none."""
    marked = unicodedata.normalize("NFD", (text or "").lower())
    plain = "".join(sign for sign in marked if not "\u0300" <= sign <= "\u036f")
    escaped = plain.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return [f"%{word}%" for word in escaped.replace(",", " ").split()] or None


def _told(meant: PlaceMeant) -> dict[str, list[str]]:
    """Lists of values that fit, "" where a posting need not say one; an empty list takes any."""
    regions = [meant.region] if meant.region else []
    unsaid = [""] if meant.cities else []
    return {
        "countries": [*meant.countries, *unsaid] if meant.countries else [],
        "regions": [*regions, *unsaid] if regions else [],
        "cities": list(meant.cities),
    }


async def job_trends(connection: Connection, company_id: UUID, *, months: int) -> str:
    """Postings opened, closed and active as the text of a JSON object.

    By calendar month (UTC) of the last `months`, the present one included, active at its end; by
    department and by location within that time, active now. A posting in several places counts in
    each. Of the time before the first pull only what was still listed then is known.
    """
    text: str = await connection.fetchval(
        f"""
        WITH span AS (
          SELECT date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => $2 - 1)
            AS since),
        held AS (
          SELECT least({_POSTED}, j.first_seen_at) AT TIME ZONE 'UTC' AS opened,
            j.closed_at AT TIME ZONE 'UTC' AS closed, j.department, j.locations
          FROM jobs j WHERE j.company_id = $1),
        months AS (
          SELECT m AS starts, m + interval '1 month' AS ends
          FROM span, generate_series(span.since, now() AT TIME ZONE 'UTC', interval '1 month') AS m),
        by_month AS (
          SELECT m.starts, count(*) FILTER (WHERE h.opened >= m.starts AND h.opened < m.ends) AS opened,
            count(*) FILTER (WHERE h.closed >= m.starts AND h.closed < m.ends) AS closed,
            count(*) FILTER (WHERE h.opened < m.ends AND (h.closed IS NULL OR h.closed >= m.ends))
              AS active
          FROM months m LEFT JOIN held h ON h.opened < m.ends GROUP BY m.starts),
        counted AS (
          SELECT h.*, (h.opened >= span.since)::int AS opens,
            coalesce(h.closed >= span.since, false)::int AS closes, (h.closed IS NULL)::int AS stands
          FROM held h, span),
        by_department AS (
          SELECT department, sum(opens) AS opened, sum(closes) AS closed, sum(stands) AS active
          FROM counted GROUP BY department HAVING sum(opens + closes + stands) > 0),
        by_location AS (
          SELECT place ->> 'city' AS city, place ->> 'region' AS region,
            place ->> 'country_code' AS country_code,
            CASE WHEN coalesce(place ->> 'city', place ->> 'region', place ->> 'country_code') IS NULL
              THEN place ->> 'raw' END AS raw,
            sum(opens) AS opened, sum(closes) AS closed, sum(stands) AS active
          FROM counted, jsonb_array_elements(locations) AS place
          GROUP BY 1, 2, 3, 4 HAVING sum(opens + closes + stands) > 0
          ORDER BY sum(stands) DESC, sum(opens) DESC, 1, 2, 3, 4 LIMIT {MOST_LOCATIONS})
        SELECT json_build_object(
          'company_id', $1::uuid,
          'observed_since', (SELECT {utc("min(pulled_at)")} FROM board_pulls
            WHERE company_id = $1),
          'months', (SELECT json_agg(json_build_object('month', to_char(starts, 'YYYY-MM'),
            'opened', opened, 'closed', closed, 'active', active) ORDER BY starts) FROM by_month),
          'departments', (SELECT coalesce(json_agg(json_build_object('department', department,
            'opened', opened, 'closed', closed, 'active', active)
            ORDER BY active DESC, opened DESC, department), '[]') FROM by_department),
          'locations', (SELECT coalesce(json_agg(json_build_object('city', city, 'region', region,
            'country_code', country_code, 'raw', raw, 'opened', opened, 'closed', closed,
            'active', active) ORDER BY active DESC, opened DESC, city, region, raw), '[]')
            FROM by_location))::text
        """,
        company_id,
        months,
    )
    return text


@dataclass(frozen=True, slots=True)
class PullState:
    """`pulled_at` is the newest pull of any board of the company; `fetched_at` the last time that an
    answer of a board had a body; `failed_at` the last time that they could not be asked; `waiting`
    whether a refresh is still to be done."""

    pulled_at: datetime | None
    fetched_at: datetime | None
    failed_at: datetime | None
    waiting: bool


async def pull_state(connection: Connection, company_id: UUID) -> PullState:
    """How old the postings of a company are."""
    row = await only_row(
        connection,
        """
        SELECT
          (SELECT max(last_pull_at) FROM job_boards WHERE company_id = $1) AS pulled_at,
          (SELECT max(a.fetched_at) FROM company_documents c JOIN documents d USING (document_id)
             JOIN addresses a ON a.url = d.url AND a.document_id = d.document_id
           WHERE c.company_id = $1 AND c.source = $2) AS fetched_at,
          (SELECT failed_at FROM board_failures WHERE company_id = $1) AS failed_at,
          EXISTS (SELECT FROM work WHERE kind = $3 AND subject = $1::uuid::text
                  AND last_error IS NULL) AS waiting
        """,
        company_id,
        SOURCE,
        WORK_KIND,
    )
    return PullState(**dict(row))


async def note_failure(connection: Connection, company_id: UUID, *, error: str) -> None:
    """Record that the boards of a company could not be asked now."""
    await connection.execute(
        """
        INSERT INTO board_failures (company_id, failed_at, error) VALUES ($1, clock_timestamp(), $2)
        ON CONFLICT (company_id) DO UPDATE SET failed_at = excluded.failed_at, error = excluded.error
        """,
        company_id,
        error[:500],
    )


async def is_charged_to(tenant: Tenant, *, operation: str, request_id: str) -> bool:
    """Whether it was this request that paid for an operation."""
    found: bool = await tenant.value(
        """
        SELECT EXISTS (SELECT FROM credit_ledger
          WHERE organization_id = $1 AND operation = $2 AND request_id = $3)
        """,
        operation,
        request_id,
    )
    return found
