"""Reads job postings: pages, trends, and their age. Written by store/postings.py."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sightline.store.database import Connection
from sightline.store.pages import only_row, read_page

WORK_KIND = "refresh_jobs"
"""The kind of queue work that pulls a company's job boards; its subject is the company id."""
SOURCE = "job_boards"
MOST_LOCATIONS = 50

_TIME = """'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'"""
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
_WHERE = f"""
  j.company_id = $1
  AND ($2::boolean IS NULL OR (j.closed_at IS NULL) = $2)
  AND ($3::text IS NULL OR j.department = $3)
  AND ($4::text[] IS NULL
    OR {_plain("j.title || ' ' || coalesce(j.normalized_title, '')")} LIKE ALL ($4))
  AND (($5::text[] IS NULL AND $6::jsonb IS NULL)
    OR EXISTS (SELECT FROM jsonb_array_elements(j.locations) AS place
      WHERE {_plain("concat_ws(' ', place ->> 'raw', place ->> 'city', place ->> 'region')")}
        LIKE ALL ($5))
    OR (j.remote IS NOT DISTINCT FROM 'remote' OR NOT $7::boolean) AND CASE
      WHEN $6::jsonb = '[]' THEN $7 ELSE EXISTS (
        SELECT FROM jsonb_array_elements($6) AS m, jsonb_array_elements(j.locations) AS place
        WHERE {_MEANT}) END)
  AND ($8::timestamptz IS NULL OR coalesce(j.posted_at, j.first_seen_at) >= $8)
"""


def _time(column: str) -> str:
    return f"to_char({column} AT TIME ZONE 'UTC', {_TIME})"


# A complete pull closes what it did not see, so what is not closed was seen by the last one.
_JOB = f"""
  json_build_object('id', p.job_id, 'company_id', p.company_id, 'title', p.title,
    'normalized_title', p.normalized_title, 'department', p.department, 'seniority', p.seniority,
    'employment_type', p.employment_type, 'remote', p.remote, 'locations', p.locations,
    'salary', p.salary, 'skills', p.skills, 'technologies', p.technologies,
    'description', p.description, 'url', p.url, 'source', p.source,
    'first_seen_at', {_time("p.first_seen_at")}, 'posted_at', {_time("p.posted_at")},
    'last_seen_at', {_time("p.last_seen_at")}, 'closed_at', {_time("p.closed_at")},
    'active', p.closed_at IS NULL, 'openings', p.openings)
"""


async def jobs_page(
    connection: Connection,
    company_id: UUID,
    wanted: JobFilter,
    *,
    before: tuple[str, str] | None,
    offset: int,
    limit: int,
) -> tuple[str, int, tuple[str, str] | None]:
    """Postings, the newest first: the text of a JSON array; the total; where the page ends."""
    places = wanted.places or PlacesWanted()
    return await read_page(
        connection,
        f"""
        WITH page AS (
          SELECT j.*, {_POSTED} AS posted,
            row_number() OVER (ORDER BY {_POSTED} DESC, j.job_id) AS n
          FROM jobs j
          WHERE {_WHERE} AND ($9::text IS NULL OR {_POSTED} < $9::text::timestamptz
            OR ({_POSTED} = $9::text::timestamptz AND j.job_id > $10::text::uuid))
          ORDER BY {_POSTED} DESC, j.job_id OFFSET $11 LIMIT $12)
        SELECT (SELECT count(*) FROM jobs j WHERE {_WHERE}) AS total,
          (SELECT coalesce(json_agg({_JOB} ORDER BY p.n), '[]')::text FROM page p) AS items,
          (SELECT ARRAY[p.posted::text, p.job_id::text] FROM page p ORDER BY p.n DESC LIMIT 1) AS last
        """,
        company_id,
        wanted.active,
        wanted.department,
        _words(wanted.title),
        _words(places.words),
        None if wanted.places is None else [_told(each) for each in places.meant],
        places.remote,
        wanted.posted_since,
        before[0] if before else None,
        before[1] if before else None,
        offset,
        limit,
    )


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
          'observed_since', (SELECT {_time("min(pulled_at)")} FROM board_pulls
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
    """Remember that the boards of a company could not be asked now."""
    await connection.execute(
        """
        INSERT INTO board_failures (company_id, failed_at, error) VALUES ($1, clock_timestamp(), $2)
        ON CONFLICT (company_id) DO UPDATE SET failed_at = excluded.failed_at, error = excluded.error
        """,
        company_id,
        error[:500],
    )


async def is_charged_to(
    connection: Connection, organization_id: UUID, *, operation: str, request_id: str
) -> bool:
    """Whether it was this request that paid for an operation."""
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (SELECT FROM credit_ledger
          WHERE organization_id = $1 AND operation = $2 AND request_id = $3)
        """,
        organization_id,
        operation,
        request_id,
    )
    return found
