"""SEC EDGAR: registrants by name, ticker and number; their figures, reports, insiders, subsidiaries.

A filed document never changes: once it is stored it is not asked for again. What is asked for every
time is the list of filings and the figures, both conditionally.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial

from sightline.sources.contract import (
    Candidate,
    Context,
    Document,
    Parser,
    Query,
    RecordIsUnusable,
    Source,
    SourceIsAway,
    Target,
    read_manifest,
)
from sightline.sources.sec_edgar import read_body
from sightline.sources.sec_edgar.plan import READ, Group, Planned, from_links
from sightline.sources.sec_edgar.read_body import SET_CONTACT, VERSION, refusal
from sightline.sources.sec_edgar.register import SOURCE, Register, read_register

_LISTS = (
    "https://www.sec.gov/files/company_tickers_exchange.json",
    "https://www.sec.gov/files/company_tickers.json",
)
_SUBMISSIONS = "https://data.sec.gov/submissions/CIK{}.json"
_FIGURES = "https://data.sec.gov/api/xbrl/companyfacts/CIK{}.json"
_LIST_FRESH = timedelta(days=7)
_NEVER_CHANGES = timedelta(days=36_500)
# Items of a current report that come with a press release worth reading.
_WITH_RELEASE = frozenset("1.01 1.02 1.05 2.01 2.02 2.05 5.02 7.01 8.01 5 9 12".split())
_MOST_RELEASES = 4


async def find(context: Context, query: Query) -> Sequence[Candidate]:
    """Registrants by CIK, ticker or name.

    By name only companies with a ticker are found: people, portfolios and trusts that hold loans file
    too, and are asked for by their number.
    """
    number = query.identifiers.get("cik")
    if not (number or query.name or query.ticker):
        return []
    if number and number.strip().isdigit():
        found = await _by_number(context, number)
        return [found] if found else []
    register = await _register(context)
    return register.find(query) if register else []


async def _by_number(context: Context, number: str) -> Candidate | None:
    """A registrant from the list of tickers; from its own page where the list lacks it or is away."""
    with suppress(SourceIsAway):
        register = await _register(context)
        if register and (found := register.by_number(number)):
            return found
    return await _registrant(context, number.strip().zfill(10))


async def collect(context: Context, target: Target) -> None:
    """Read what EDGAR has of the company, new filings only."""
    cik = target.identifiers["cik"].zfill(10)
    listed = await _read(context, _SUBMISSIONS.format(cik), read_body.read_registrant)
    if listed is None:
        context.note(f"EDGAR has no registrant {cik}.")
        return
    figures = await _read(context, _FIGURES.format(cik), read_body.read_figures)
    if figures is None:
        context.note("EDGAR has no tagged figures of the company.")
    missing = 0
    read: dict[Group, int] = {}
    filings = from_links(listed.links)
    await context.prefetch([url for each in filings for url in _addresses(each)])
    for planned in filings:
        if read.get(planned.group, 0) >= READ[planned.group]:
            continue
        parse = _parser(planned, name=listed.title or "", first=planned.group not in read)
        document = await _filed(context, planned, parse)
        if document is None:
            missing += 1
            continue
        read[planned.group] = read.get(planned.group, 0) + 1
        first = read[planned.group] == 1
        missing += await _exhibits(context, planned, name=listed.title or "", first=first)
    if missing:
        context.note(f"{missing} documents that the list names could not be had.")


async def _register(context: Context) -> Register | None:
    """The list of companies with a ticker, from the first file that can be had and read."""
    failure: RecordIsUnusable | None = None
    for url in _LISTS:
        try:
            found = await context.dataset(url, read=_read_list, fresh_for=_LIST_FRESH)
        except SourceIsAway as away:
            raise _explained(away) from away
        except RecordIsUnusable as error:
            failure = failure or error
            continue
        if found is not None:
            return found
    if failure is not None:
        raise failure
    return None


def _read_list(content: bytes) -> Register:
    if refused := refusal(content):
        raise refused
    return read_register(content)


async def _registrant(context: Context, cik: str) -> Candidate | None:
    """A registrant that has no ticker (any more), from its own page."""
    document = await _read(
        context, _SUBMISSIONS.format(cik), read_body.read_registrant, about=False
    )
    if document is None or not document.title:
        return None
    return Candidate(source=SOURCE, key=cik, name=document.title, identifiers={"cik": cik})


def _addresses(planned: Planned) -> Sequence[str]:
    """Where a filing may be read, and what else came with it."""
    return (planned.url, planned.row.full_text_url, planned.row.index_url)


async def _filed(context: Context, planned: Planned, parse: Parser) -> Document | None:
    """A filing's main document; the complete text where the archive has only that."""
    document = await _read(context, planned.url, parse, fresh_for=_NEVER_CHANGES)
    full = planned.row.full_text_url
    if document is None and planned.url != full and planned.group != "insiders":
        document = await _read(context, full, parse, fresh_for=_NEVER_CHANGES)
    return document


def _parser(planned: Planned, *, name: str, first: bool) -> Parser:
    match planned.group:
        case "annual":
            return partial(read_body.read_annual, planned=planned, name=name, newest=first)
        case "amended":
            return partial(read_body.read_annual, planned=planned, name=name, newest=True)
        case "quarterly":
            return partial(read_body.read_quarterly, planned=planned, name=name)
        case "current":
            return partial(read_body.read_current, planned=planned, name=name)
        case "proxy":
            return partial(read_body.read_proxy_statement, planned=planned)
        case "insiders":
            return partial(read_body.read_insiders, planned=planned)
        case "offering":
            return partial(read_body.read_offering, planned=planned)


async def _exhibits(context: Context, planned: Planned, *, name: str, first: bool) -> int:
    """Read the exhibits that matter of a filing; returns how many of them are missing."""
    releases = planned.group == "current" and bool(_WITH_RELEASE & set(planned.items))
    subsidiaries = planned.group == "annual" and first
    if not (releases or subsidiaries) or planned.url == planned.row.full_text_url:
        return 0
    index = await _read(
        context,
        planned.row.index_url,
        read_body.read_filing_index,
        fresh_for=_NEVER_CHANGES,
        about=False,
    )
    missing = 0
    kind = "EX-99" if releases else "EX-21"
    wanted = [link for link in (index.links if index else ()) if link.text.startswith(kind)]
    for link in wanted[:_MOST_RELEASES]:
        parse: Parser = partial(read_body.read_subsidiary_list, planned=planned)
        if releases:
            parse = partial(
                read_body.read_press_exhibit, planned=planned, exhibit=link.text, name=name
            )
        missing += await _read(context, link.url, parse, fresh_for=_NEVER_CHANGES) is None
    return missing


async def _read(
    context: Context,
    url: str,
    parse: Parser,
    *,
    fresh_for: timedelta | None = None,
    about: bool = True,
) -> Document | None:
    """A document, None when the SEC has none or it cannot be used. Raises SourceIsAway, explained."""
    try:
        return await context.document(
            url, parse=parse, version=VERSION, fresh_for=fresh_for, about=about
        )
    except RecordIsUnusable as error:
        context.note(f"{url.rpartition('/')[2]}: {error}")
        return None
    except SourceIsAway as away:
        explained = _explained(away)
        if isinstance(explained, RecordIsUnusable):
            return None
        raise explained from away


def _explained(away: SourceIsAway) -> SourceIsAway | RecordIsUnusable:
    """What a refusal of the SEC means, in words that tell what to do."""
    refused = refusal(away.body)
    if refused is not None:
        return refused
    return SourceIsAway(SET_CONTACT) if away.status == 403 else away


SEC_EDGAR = Source(
    read_manifest("sightline.sources.sec_edgar"),
    collect,
    find,
    lambda target: "cik" in target.identifiers,
)
