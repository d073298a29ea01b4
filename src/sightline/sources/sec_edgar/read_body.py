"""One function per kind of SEC document: a web response in, its contents out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time

from sightline.domain.evidence import Body, Link, Observation, Parsed, Passage
from sightline.sources.contract import RecordIsUnusable, SourceIsAway
from sightline.sources.sec_edgar.companyfacts import NotCompanyFacts, read_companyfacts
from sightline.sources.sec_edgar.error_pages import is_sec_refusal
from sightline.sources.sec_edgar.filing import Filing, NotAFiling, read_filing
from sightline.sources.sec_edgar.form_d import read_form_d
from sightline.sources.sec_edgar.index_page import read_index_page
from sightline.sources.sec_edgar.inline_xbrl import read_inline_xbrl
from sightline.sources.sec_edgar.ownership import ownership_lines, read_ownership
from sightline.sources.sec_edgar.passages import passages
from sightline.sources.sec_edgar.people import headcount_observations, officer_observations
from sightline.sources.sec_edgar.plan import Planned, as_links, plan
from sightline.sources.sec_edgar.press_release import headline_of
from sightline.sources.sec_edgar.signatures import signature_observations
from sightline.sources.sec_edgar.stated_website import (
    namespace_observations,
    release_website_observations,
    website_observations,
)
from sightline.sources.sec_edgar.submission import SubmissionDocument
from sightline.sources.sec_edgar.submissions import NotSubmissions, read_submissions
from sightline.sources.sec_edgar.subsidiaries import subsidiary_observations
from sightline.sources.sec_edgar.written_name import written_name_observations

# What every reading of a document here depends on: raise it when a parser gives more or else.
VERSION = 6

SET_CONTACT = (
    "The SEC refuses programs that name no contact: set SIGHTLINE_CONTACT to an email address of"
    " yours."
)
_AWAY = {
    "undeclared_tool": SET_CONTACT,
    "rate_exceeded": (
        "The SEC answers no more for ten minutes: too many requests came from this address."
    ),
    "unavailable": "The SEC's site is closed for the moment.",
}
# Only the newest annual report says who leads and what is owned; older ones give figures.
_OF_THEIR_TIME = frozenset({"employees", "revenue", "net_income", "fiscal_period", "segment"})


def refusal(content: bytes) -> SourceIsAway | RecordIsUnusable | None:
    """The exception that a refusal page of the SEC stands for; None for a document."""
    reason = is_sec_refusal(content)
    if reason is None:
        return None
    said = _AWAY.get(reason)
    if said is None:
        return RecordIsUnusable("The SEC does not have or does not show this document.")
    return SourceIsAway(said)


def read_registrant(body: Body) -> Parsed:
    """The submissions answer: who it is, and the filings to read as links."""
    _refuse(body)
    try:
        found = read_submissions(body.content)
    except NotSubmissions as error:
        raise RecordIsUnusable(str(error)) from error
    if found.is_person:
        raise RecordIsUnusable(f"CIK {found.cik} is a person's, not a company's.")
    notes = () if found.filings else ("EDGAR lists no filings of this registrant.",)
    return Parsed(
        kind="data",
        text="",
        title=found.name,
        observations=found.observations,
        links=as_links(plan(found.filings)),
        notes=notes,
    )


def read_figures(body: Body) -> Parsed:
    """The companyfacts answer."""
    _refuse(body)
    try:
        found = read_companyfacts(body.content)
    except NotCompanyFacts as error:
        raise RecordIsUnusable(str(error)) from error
    return Parsed(kind="data", text="", title=found.name, observations=found.observations)


def read_annual(body: Body, planned: Planned, *, name: str, newest: bool) -> Parsed:
    """An annual report; the one before the newest gives only what holds for its own time.

    `name` is the registrant's.
    """
    filing = _filing(body, planned)
    seen = [*_tagged(filing), *headcount_observations(filing.text)]
    if newest:
        seen += [
            *officer_observations(filing.text),
            *signature_observations(filing.text),
            *website_observations(filing.text, name=name),
            *namespace_observations(filing.content, name=name),
            *written_name_observations(filing.text, name),
        ]
    else:
        seen = [each for each in seen if each.field in _OF_THEIR_TIME]
    parts = [*_exhibits(filing, "EX-13"), *(_exhibits(filing, "EX-21") if newest else ())]
    return _with_exhibits(filing, planned, seen, parts, name=name)


def read_quarterly(body: Body, planned: Planned, *, name: str) -> Parsed:
    """A quarterly report."""
    filing = _filing(body, planned)
    seen = [*_tagged(filing), *namespace_observations(filing.content, name=name)]
    return _parsed(filing, planned, seen)


def read_current(body: Body, planned: Planned, *, name: str) -> Parsed:
    """A current report; of a full submission its press releases too."""
    filing = _filing(body, planned)
    seen = namespace_observations(filing.content, name=name)
    return _with_exhibits(filing, planned, seen, _exhibits(filing, "EX-99"), name=name)


def read_proxy_statement(body: Body, planned: Planned) -> Parsed:
    """A proxy statement."""
    filing = _filing(body, planned)
    return _parsed(filing, planned, officer_observations(filing.text))


def read_insiders(body: Body, planned: Planned) -> Parsed:
    """Forms 3, 4 and 5: a line per owner and transaction, as text that can be searched and cited."""
    _refuse(body)
    form = read_ownership(body.content)
    if form is None:
        raise RecordIsUnusable("The document is no ownership form in XML.")
    if form.issuer_cik != planned.cik:
        raise RecordIsUnusable("The form is about shares of another company.")
    return _notice(planned, form.form, ownership_lines(form), form.observations)


def read_offering(body: Body, planned: Planned) -> Parsed:
    """Form D: an offering without registration."""
    _refuse(body)
    form = read_form_d(body.content)
    if form is None:
        raise RecordIsUnusable("The document is no Form D in XML.")
    said = [f"{form.name} gives notice of an exempt offering of securities (Form {form.form})."]
    for label, amount in (
        ("Total offering amount", form.offering_amount),
        ("Total amount sold", form.sold_amount),
        ("Minimum investment", form.minimum_investment),
    ):
        if amount is not None:
            said.append(f"{label}: ${amount:,}.")
    if form.first_sale:
        said.append(f"Date of first sale: {form.first_sale.isoformat()}.")
    return _notice(planned, form.form, said, () if form.is_fund else form.observations)


def _notice(
    planned: Planned, form: str, lines: Iterable[str], seen: Iterable[Observation]
) -> Parsed:
    """A form that is data, as sentences in one passage."""
    text = "\n".join(lines)
    return Parsed(
        kind="filing",
        text=text,
        title=planned.title,
        published_at=_noon(planned.filed),
        observations=_dated(seen, planned.filed),
        passages=(Passage(0, len(text), form, None),) if text else (),
    )


def read_press_exhibit(body: Body, planned: Planned, *, exhibit: str, name: str) -> Parsed:
    """An EX-99: mostly a press release."""
    filing = _filing(body, planned, form=exhibit)
    return replace(
        _parsed(filing, planned, release_website_observations(filing.text, name=name)),
        kind="news",
        title=headline_of(filing.text) or planned.title,
        passages=tuple(replace(each, section=exhibit) for each in passages(filing)),
    )


def read_subsidiary_list(body: Body, planned: Planned) -> Parsed:
    """An EX-21."""
    filing = _filing(body, planned, form="EX-21")
    return replace(
        _parsed(filing, planned, subsidiary_observations(filing.text)),
        passages=(),
        title=f"Subsidiaries, {planned.title}",
    )


def read_filing_index(body: Body) -> Parsed:
    """The page that lists a filing's documents: its exhibits as links."""
    _refuse(body)
    listed = read_index_page(body.content, body.url)
    return Parsed(
        kind="data",
        text="",
        links=tuple(
            Link(each.url, "exhibit", each.type) for each in listed if each.type.startswith("EX-")
        ),
    )


def _refuse(body: Body) -> None:
    refused = refusal(body.content)
    if refused is not None:
        raise refused


def _filing(body: Body, planned: Planned, *, form: str | None = None) -> Filing:
    _refuse(body)
    try:
        return read_filing(body.content, name=body.url, form=form or planned.form)
    except NotAFiling as error:
        raise RecordIsUnusable(str(error)) from error


def _tagged(filing: Filing) -> tuple[Observation, ...]:
    report = read_inline_xbrl(filing.content)
    return report.observations if report else ()


def _exhibits(filing: Filing, kind: str) -> list[SubmissionDocument]:
    return [each for each in filing.documents if each.type.upper().startswith(kind)]


def _parsed(filing: Filing, planned: Planned, seen: Iterable[Observation]) -> Parsed:
    return Parsed(
        kind="filing",
        text=filing.text,
        title=planned.title,
        language="en",
        published_at=_noon(planned.filed),
        observations=_dated(seen, planned.filed),
        passages=passages(filing),
        notes=filing.notes,
    )


def _with_exhibits(
    filing: Filing,
    planned: Planned,
    seen: Iterable[Observation],
    exhibits: Sequence[SubmissionDocument],
    *,
    name: str,
) -> Parsed:
    """The main document with the text of exhibits below it, each under its own section."""
    parsed = _parsed(filing, planned, seen)
    text, found, also = parsed.text, list(parsed.passages), list(parsed.observations)
    for exhibit in exhibits:
        kind = exhibit.type.upper()
        try:
            read = read_filing(exhibit.content, form=kind)
        except NotAFiling:
            continue
        text += "\n\n"
        found += [
            Passage(len(text) + each.start, len(text) + each.end, kind, each.heading)
            for each in passages(read)
        ]
        text += read.text
        if kind.startswith("EX-21"):
            also += _dated(subsidiary_observations(read.text), planned.filed)
        elif kind.startswith("EX-99"):
            seen = release_website_observations(read.text, name=name)
            also += _dated(seen, planned.filed)
    return replace(parsed, text=text, passages=tuple(found), observations=tuple(also))


def _dated(seen: Iterable[Observation], filed: date | None) -> tuple[Observation, ...]:
    """What a filing says without a day holds for the day it was filed, not for the day it is read."""
    return tuple(each if each.as_of else replace(each, as_of=filed) for each in seen)


def _noon(day: date | None) -> datetime | None:
    """A filing date names no hour; noon keeps it the same day in every time zone of the Americas and
    Europe."""
    return datetime.combine(day, time(12), tzinfo=UTC) if day else None
