"""`read_facts` and `financial_series`: stored data, by field and by period."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Source
from sightline.assistant.tools.matching import nearness
from sightline.assistant.tools.search import show
from sightline.assistant.tools.session import NoAnswer, Row, ToolSession, tool
from sightline.domain.amounts import exact
from sightline.domain.fields import FIELDS
from sightline.search.retrieve import find_passages
from sightline.store.documents import stored_answer
from sightline.store.facts import Fact
from sightline.store.passages import Reach
from sightline.store.profile_evidence import DocumentHead, document_heads

_MOST_PERIODS: Final = 12
_SAME: Final = 0.88  # how near a concept's name comes to what was asked when it is meant
_ALIKE: Final = 0.5  # how near what is shown comes that may be meant
# Of the nearest field, for others of the same: city and street of "headquarters".
_AS_NEAR: Final = 0.1
_MOST_NAMED: Final = 15
_MOST_SHOWN: Final = 4
_FEW_PERIODS: Final = 3  # of an item that may be meant
_COMPANYFACTS: Final = "/api/xbrl/companyfacts/"
_PRIVATE: Final = ("email", "phone")
_DAYS: Final = {"annual": range(350, 381), "quarterly": range(77, 126)}

Period = Literal["annual", "quarterly"]


@dataclass(frozen=True, slots=True)
class _Series:
    """A figure by period, newest first: its name, in words, and rows with what proves them."""

    name: str
    title: str
    kind: str
    rows: Sequence[Row]

    @property
    def heading(self) -> str:
        """'PaymentsToAcquireProperty (Property bought)'."""
        return f"{self.name} ({self.title})" if self.name != self.title else self.name


@tool("reading facts")
async def read_facts(session: ToolSession, field: str, company: str | None = None) -> str:
    """Read the facts of a field of the company's record, such as employees, headquarters or subsidiary.

    Args:
        field: Name of a field, or what it means; an unknown one answers the names of all that have facts.
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = session.of(company)
    facts = [fact for fact in await evidence.facts(*FIELDS) if fact.field not in _PRIVATE]
    chosen, note = [fact for fact in facts if fact.field == field], ""
    if not chosen:
        chosen, note = await _meant(field, facts), f"No field is called {field!r}; the nearest:\n"
    if not chosen:
        counted = Counter(fact.field for fact in facts)
        names = ", ".join(f"{name} ({n})" for name, n in sorted(counted.items()))
        raise NoAnswer(f"No facts for {field!r}; fields with facts: {names or 'none'}.")
    chosen.sort(key=lambda fact: str(fact.as_of or ""), reverse=True)
    rows = [_row(evidence, fact) for fact in chosen]
    return note + "\n".join(session.listed(evidence, rows, kind="fact"))


async def _meant(field: str, facts: Sequence[Fact]) -> list[Fact]:
    """The facts of the fields whose name or meaning comes nearest to some words, if it is near enough."""
    names = list(dict.fromkeys(fact.field for fact in facts))
    meanings = [FIELDS[name].meaning.partition(";")[0] for name in names]
    spaced = [name.replace("_", " ") for name in names]
    wanted = field.replace("_", " ")
    near = await nearness(wanted, [*meanings, *spaced])
    best = {name: max(near[at], near[at + len(names)]) for at, name in enumerate(names)}
    least = max(_ALIKE, max(best.values(), default=0.0) - _AS_NEAR)
    return [fact for fact in facts if best[fact.field] >= least]


@tool("reading figures")
async def financial_series(
    session: ToolSession, concept: str, period: Period = "annual", company: str | None = None
) -> str:
    """Read a figure over fiscal years or quarters, as filed: the best source for amounts and trends.

    Args:
        concept: revenue, cost_of_revenue, gross_profit, operating_income, net_income,
            research_and_development, selling_general_and_administrative, interest_expense,
            operating_cash_flow, capital_expenditure, cash, inventory, total_assets, total_liabilities,
            debt, equity (each of the whole company); "segments" for all divisions and regions, or the
            name of one of them; or any other item of the financial statements by its name. An item that
            is not known is answered with the nearest ones.
        period: annual or quarterly.
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = session.of(company)
    wanted = _spaced(concept.strip()).replace("_", " ")
    stored = await evidence.facts("fiscal_period", "segment")
    stored = sorted((f for f in stored if is_of(f.value, period)), key=end_of, reverse=True)
    rows, more = await _recorded(evidence, stored, wanted)
    if rows:
        return "\n".join([*session.listed(evidence, rows, kind="fact"), *more])
    ranked = await _ranked(evidence, stored, period, wanted)
    likeness, meant = ranked[0] if ranked else (0.0, None)
    if meant is None or likeness < _SAME:
        return await _nearest(session, evidence, concept, ranked)
    if not meant.rows:
        raise NoAnswer(f"{meant.name} has no {period} figures.")
    return "\n".join(session.listed(evidence, meant.rows, kind=meant.kind))


async def _recorded(
    evidence: CompanyEvidence, stored: Sequence[Fact], wanted: str
) -> tuple[list[Row], list[str]]:
    """What the record has under just this name: a figure of the whole company, with what parts there are
    beside, figures of parts, or a field."""
    whole = [f for f in stored if f.field == "fiscal_period"]
    parts = [f for f in stored if f.field == "segment"]
    if chosen := [f for f in whole if wanted in _called(f.value)]:
        names = ", ".join(dict.fromkeys(str(f.value["name"]) for f in parts))
        more = [f"Parts of the company with figures: {names}."] if names else []
        return figure_rows(evidence, chosen), more
    if chosen := segments(parts, wanted):
        return figure_rows(evidence, chosen), []
    field = wanted.replace(" ", "_")
    facts = [] if field in _PRIVATE else await evidence.facts(field)
    return [_row(evidence, fact) for fact in facts], []


async def _ranked(
    evidence: CompanyEvidence, stored: Sequence[Fact], period: Period, wanted: str
) -> list[tuple[float, _Series]]:
    """All series by how near their titles come; one of just this name comes first, figures or not."""
    # The newest series first: an item that was tagged long ago is seldom meant.
    filed = sorted(
        await _filed(evidence, period),
        key=lambda each: each.rows[0][0].removeprefix(each.title) if each.rows else "",
        reverse=True,
    )
    known = [each for each in (*_grouped(evidence, stored), *filed)
             if each.rows or _spaced(each.name) == wanted]  # fmt: skip
    near = await nearness(wanted, [each.title for each in known])
    ranked = [
        (2.0 if _spaced(each.name) == wanted else likeness, each)
        for likeness, each in zip(near, known, strict=True)
    ]
    return sorted(ranked, key=lambda each: -each[0])[:_MOST_NAMED]


async def _nearest(
    session: ToolSession,
    evidence: CompanyEvidence,
    concept: str,
    ranked: Sequence[tuple[float, _Series]],
) -> str:
    """What there is instead of a figure that no data is called: the items that come nearest, what filings
    say, and the names of others."""
    shown = [each for likeness, each in ranked if likeness >= _ALIKE][:_MOST_SHOWN]
    lines = [f"There is no data of {concept!r}."]
    if shown:
        lines.append("The nearest items, which may be others:")
    for each in shown:
        listed = session.listed(evidence, each.rows[:_FEW_PERIODS], kind=each.kind)
        lines.append("\n".join([f"{each.heading}:", *listed]))
    async with evidence.reading() as connection:
        reach = Reach(["filing"])
        found = await find_passages(connection, evidence.company_id, [concept], reach, limit=6)
    said = show(session, evidence, found)
    others = [each.heading for _, each in ranked if each not in shown]
    names = [f"Other items with data: {'; '.join(others)}."] if others else []
    return "\n\n".join([*lines, *(["Filings say:", *said] if said else []), *names])


def _grouped(evidence: CompanyEvidence, facts: Sequence[Fact]) -> list[_Series]:
    """The series of the record's figures: of the whole company, and of each part of it."""
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        of = f" of {fact.value['name']}" if fact.field == "segment" else ""
        groups.setdefault(f"{str(fact.value['metric']).replace('_', ' ')}{of}", []).append(fact)
    return [
        _Series(title, title, "fact", figure_rows(evidence, group[:_MOST_PERIODS]))
        for title, group in groups.items()
    ]


def end_of(fact: Fact) -> str:
    """The last day of the period of a figure."""
    return str(fact.value["period_end"])


def segments(facts: Sequence[Fact], wanted: str) -> list[Fact]:
    """Figures of parts of the company, series by series, each with the newest first. What two axes say of
    one part ("Greater China" a segment, "China" a region) is listed once."""
    every = wanted in ("segments", "segment")
    named = [(fact, str(fact.value["name"]).casefold()) for fact in facts]
    chosen = [fact for fact, name in named if every or wanted in name or name in wanted]
    kept = sorted(set(map(end_of, chosen)), reverse=True)[: 3 if every else _MOST_PERIODS]
    chosen = sorted((fact for fact in chosen if end_of(fact) in kept), key=end_of, reverse=True)
    chosen.sort(key=lambda f: (f.value["metric"] != "revenue", f.value["axis"], f.value["metric"],
                               f.value["name"]))  # fmt: skip
    keys = ("metric", "currency", "period_end", "amount", "period_start")
    said = {tuple(map(fact.value.get, keys)): fact for fact in reversed(chosen)}
    return list(said.values())[::-1]


async def _filed(evidence: CompanyEvidence, period: Period) -> list[_Series]:
    async with evidence.reading() as connection:
        heads = await document_heads(connection, evidence.company_id)
        head = next((each for each in heads if _COMPANYFACTS in each.url), None)
        answer = await stored_answer(connection, head.document_id) if head else None
    if head is None or answer is None:
        return []
    return await asyncio.to_thread(_tagged, answer.content, head, period)


def _tagged(content: bytes, head: DocumentHead, period: Period) -> list[_Series]:
    """Every tagged item of filed data, those without figures of the period included."""
    found = []
    for items in json.loads(content).get("facts", {}).values():
        for name, item in items.items():
            title, rows = str(item.get("label") or _spaced(name)), []
            for row in _series(item, period):
                place = f"{name} {row}"
                shown = place[: len(name) + 25]
                source = Source(head.document_id, head.url, shown, None, None, place)
                rows.append((f"{title} of the whole company, {row}", (source,)))
            found.append(_Series(name, title, "filing", rows))
    return found


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).casefold()


def _series(item: Any, period: Period) -> list[str]:
    """Newest first; of each period what was filed last."""
    rows = [(unit, row) for unit, rows in item.get("units", {}).items() for row in rows]
    rows.sort(key=lambda each: str(each[1].get("filed")))
    found = {(row["end"], unit): row for unit, row in rows if _is_row_of(row, period)}
    newest = sorted(found, reverse=True)[:_MOST_PERIODS]
    amounts = _in_words([(found[key]["val"], key[1]) for key in newest])
    return [
        f"{_span(found[key].get('start'), key[0])}: {amount} (filed {found[key].get('filed')})"
        for key, amount in zip(newest, amounts, strict=True)
    ]


def _is_row_of(row: dict[str, Any], period: Period) -> bool:
    if row.get("start"):
        return _length(row["start"], row["end"]) in _DAYS[period]
    return period == "quarterly" or row.get("fp") == "FY"


def _span(start: str | None, end: str) -> str:
    return f"{start} to {end}" if start else f"at {end}"


def _in_words(amounts: Sequence[tuple[float, str]]) -> list[str]:
    """(amount, unit) in words, those of one unit in one scale."""
    words: dict[tuple[float, str], str] = {}
    for unit in {unit for _, unit in amounts}:
        own = [each for each in amounts if each[1] == unit]
        words |= zip(own, exact([amount for amount, _ in own], unit), strict=True)
    return [words[each] for each in amounts]


def _row(evidence: CompanyEvidence, fact: Fact) -> Row:
    value = fact.value
    if isinstance(value, dict):
        value = "; ".join(f"{key}: {part}" for key, part in value.items() if part not in (None, ""))
    day = f" (as of {fact.as_of})" if fact.as_of else ""
    quote = f" “{fact.quote}”" if fact.quote else ""
    return f"{FIELDS[fact.field].meaning}: {value}{day}{quote}", (evidence.proof(fact),)


def _called(value: dict[str, Any]) -> tuple[str, ...]:
    """What a figure is called: its metric, and the elements that it is tagged with."""
    tags = [tag.rpartition(":")[2] for tag in str(value.get("tag") or "").split(" + ")]
    return str(value["metric"]).replace("_", " "), *(map(_spaced, tags) if len(tags) == 1 else ())


def figure_rows(evidence: CompanyEvidence, facts: Sequence[Fact]) -> list[Row]:
    """'revenue of the whole company FY2025 (2024-09-29 to 2025-09-27): 416,161 million USD, +6.4% on the
    year before', or of a part of it."""
    amounts = _in_words([(fact.value["amount"], fact.value["currency"]) for fact in facts])
    rows: list[Row] = []
    for fact, amount in zip(facts, amounts, strict=True):
        value = fact.value
        metric = str(value["metric"]).replace("_", " ")
        of = "the whole company"
        if "axis" in value:
            of = f"{value['name']} ({value['axis']}, a part of the company)"
        label = f" {value['label']}" if value.get("label") else ""
        change = value.get("change")
        grown = f", {change * 100:+.1f}% on the year before" if change is not None else ""
        computed = " (computed of filed figures)" if value.get("derived") else ""
        span = _span(value.get("period_start"), value["period_end"])
        text = f"{metric} of {of}{label} ({span}): {amount}{grown}{computed}"
        rows.append((text, (evidence.proof(fact),)))
    return rows


def is_of(value: dict[str, Any], period: Period) -> bool:
    """Whether a figure is of a year, or of a quarter."""
    label = value.get("label")
    if label:
        return str(label).startswith("FY") is (period == "annual")
    return _length(value.get("period_start"), value["period_end"]) in _DAYS[period]


def _length(start: str | None, end: str) -> int:
    """Days, both ends counted; 0 without a start."""
    return (date.fromisoformat(end) - date.fromisoformat(start)).days + 1 if start else 0
