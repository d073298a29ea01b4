"""A profile written by a model: what is left of its draft once it is proven, and what it is asked then. Pure.

The model sees one list of numbered passages and drafts all sections of it at once, so that each fact stands
in one of them. What it says stands only if its quotes stand in those passages and the checker finds nothing
beside them. Then an editor, who may only leave out, sees all that is left.
"""

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from sightline.kit.clock import now
from sightline.profile.checker import Checker
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.material import (
    Material,
    Passage,
    evidence_block,
    instructions_of,
    quoted_of,
    today_spelled,
)
from sightline.profile.plans import FRESH, QUESTIONS, Edits, Entries, Entry, Plan
from sightline.reading.periods import is_over, latest_day
from sightline.reading.proof import Claim, Quoted, harmless, own_words
from sightline.reading.repeats import overlap, shingles
from sightline.reading.stated import normalized

_SAME_STATEMENT: Final = 0.8
_LONGEST: Final = 700  # characters of a statement
_LONGEST_NAME: Final = 300  # of its name, which may be a question

# What a written statement has of its own, and no other way.
_OWN_FIELDS: Final = ("name", "description", "sources", "as_of")
_OF_SUMMARY: Final = ("summary", "method", "sources")
_VERDICT: Final = re.compile(r"(yes|no|partly)\b", re.I)
_KEPT, _DROPPED = "useful", ("noise", "misleading")
_REPEATED: Final = "another statement says the same"
_NO_PLACE: Final = "no such section or kind"
_MEND: Final = (
    "These statements of your draft are not proven, for the reason in `why`. Give each of them again: without"
    " the words that its quotes do not say, or with more quotes. Leave out what then says nothing of use, and"
    " say nothing else."
)


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a draft: the question that it answers, and why it falls, if it does; `is_final` where
    other words cannot mend that."""

    entry: Entry
    fields: Statement
    kind: str = ""
    at: int | None = None
    claim: Claim | None = None
    fault: str | None = None
    is_final: bool = False

    @property
    def section(self) -> str:
        return self.entry.section


@dataclass(frozen=True, slots=True)
class Written:
    """What is left for a section; `body` is None when it is too little to stand for it."""

    body: SectionBody | None
    kept: int
    dropped: int


def read_draft(
    material: Material, draft: Mapping[str, Any], *, model: str, check: Checker
) -> list[Said]:
    """The statements of a draft, with what makes them fall without a verifier."""
    entries = Entries.model_validate(draft).entries
    return [_said(material, each, model=model, check=check) for each in entries]


def without_repeats(material: Material, found: Sequence[Said]) -> list[Said]:
    """Statements of which one that says what another does falls. A summary may say it again, and a question
    is about what a statement says."""
    kept: list[Said] = []
    seen: list[frozenset[tuple[str, str]]] = []
    for one in found:
        pairs = shingles(f"{one.entry.name}: {one.entry.description}")
        is_again = any(overlap(pairs, other) >= _SAME_STATEMENT for other in seen)
        if one.fault is None and material.plans[one.section].is_edited:
            seen.append(pairs)
            kept.append(replace(one, fault=_REPEATED if is_again else None))
        else:
            kept.append(one)
    return kept


def _said(material: Material, entry: Entry, *, model: str, check: Checker) -> Said:
    plan = material.plans.get(entry.section)
    place = _place(material, plan, entry) if plan is not None else None
    if plan is None or place is None:
        return Said(entry, {"name": entry.name, "description": entry.description}, fault=_NO_PLACE)
    kind, at = place
    made = partial(Said, entry, kind=kind, at=at)
    shown = [material.passages[each.id] for each in entry.sources if each.id in material.passages]
    fields: Statement = {} if _is_text(material, entry.section) else _amounts(shown)
    fields |= plan.row(kind, normalized(entry.name))
    fields["description"] = normalized(entry.description)
    quoted = quoted_of(material.passages, entry.sources)
    if quoted is None:
        return made(fields, fault="no quote of a passage that was shown")
    days = [each.day for each in shown if each.day is not None]
    if days:
        fields["as_of"] = max(days).date().isoformat()
    wider = [p.wider(each.quote) for p, each in zip(shown, quoted, strict=True)]
    for tried in (quoted, wider):  # a name or figure may stand beside the quote
        quotes = [q for p, each in zip(shown, tried, strict=True) for q in p.quotes(each.quote)]
        statement = {**fields, "method": model, "sources": tuple(dict.fromkeys(quotes))}
        fault = check.statement_fault(statement)
        if fault is None:
            quoted = tried
            break
    claim, unfit = _claim(material, fields, quoted, at), _unfit(plan, fields, days)
    return made(statement, claim=claim, fault=unfit or fault, is_final=unfit is not None)


def _place(material: Material, plan: Plan, entry: Entry) -> tuple[str, int | None] | None:
    """The kind of an entry, "" where its section has none, and the number of the question that it answers;
    None where it is of no kind that the section has."""
    kind = next((each for each in plan.kinds if each.casefold() == entry.kind.casefold()), "")
    number = entry.kind.removeprefix(QUESTIONS)
    is_asked = number.isdecimal() and 0 < int(number) <= len(material.rows)
    at = int(number) - 1 if QUESTIONS in plan.kinds and is_asked else None
    return None if plan.kinds and not kind and at is None else (kind, at)


def _amounts(shown: Sequence[Passage]) -> Statement:
    """The fields of the first figure among passages: amounts and shares that its sentence gives."""
    first: Statement = next((each.row for each in shown if each.row), {})
    return {k: v for k, v in first.items() if k not in _OWN_FIELDS and not isinstance(v, str)}


def _is_text(material: Material, section: str) -> bool:
    """Whether the statements of a section are sentences of one text."""
    is_asked = QUESTIONS in material.plans[section].kinds
    return is_asked or isinstance(material.sections[section], dict)


def _claim(
    material: Material, fields: Statement, quoted: Sequence[Quoted], at: int | None
) -> Claim:
    """What the verifier judges; what the organization says of itself proves what is said of it."""
    heading = material.rows[at].get("question") if at is not None else None
    said = [heading, fields.get("name"), fields.get("about"), fields["description"]]
    ours = [own_words(material.ours)] if material.ours else []
    return Claim(": ".join(str(each) for each in said if each), (*quoted, *ours), material.company)


def _unfit(plan: Plan, fields: Statement, days: Sequence[datetime]) -> str | None:
    """Why a proven statement is not shown: it says nothing, or too much, or its time is over, or it names
    none and documents of long ago say it (of these days)."""
    text, name = str(fields["description"]), str(fields.get("name") or "")
    if not text:
        return "it says nothing"
    if plan.past_months is not None:
        oldest = now().date() - timedelta(days=31 * plan.past_months)
        if is_over(f"{name} {text}", oldest):
            return "its time is over"
        since = now() - timedelta(days=31 * FRESH)
        if latest_day(f"{name} {text}") is None and days and max(days) < since:
            return "it was said long ago"
    return "too long" if len(text) > _LONGEST or len(name) > _LONGEST_NAME else None


def judged(said: Sequence[Said], supported: Set[str]) -> list[Said]:
    """The statements with what makes them fall, by what a verifier supports (marks of claims)."""
    return [
        each
        if each.fault or (each.claim is not None and each.claim.mark in supported)
        else replace(each, fault="its quotes do not say all of it")
        for each in said
    ]


def mending(material: Material, refused: Sequence[Said]) -> str:
    """The request to say again what is not proven, with the passages that it cites."""
    lines, shown = [], dict[str, Passage]()
    for each in refused:
        entry = each.entry
        shown |= {s.id: material.passages[s.id] for s in entry.sources if s.id in material.passages}
        line = entry.model_dump(mode="json") | {"why": each.fault}
        lines.append(harmless(json.dumps(line, ensure_ascii=False)))
    parts = [material.offered] if material.ours else []
    return "\n\n".join([*parts, evidence_block(shown), _MEND, *lines])


@dataclass(frozen=True, slots=True)
class Desk:
    """What an editor is shown by ids: the statements to judge, and what the page shows besides."""

    judged: Mapping[str, Said]
    beside: Mapping[str, str]


def desk_of(material: Material, stands: Sequence[Said]) -> Desk:
    """The proven statements as an editor is shown them; those of sections that are not edited, beside."""
    edited = [each for each in stands if material.plans[each.section].is_edited]
    others = [_line(each) for each in stands if not material.plans[each.section].is_edited]
    return Desk(
        {f"S{number}": each for number, each in enumerate(edited, start=1)},
        {f"P{number}": each for number, each in enumerate([*others, *material.page], start=1)},
    )


def _line(each: Said) -> str:
    parts = ("name", "type", "about", "description")
    line = {"section": each.section} | {p: each.fields[p] for p in parts if p in each.fields}
    return json.dumps(line, ensure_ascii=False)


def edit_request(material: Material, desk: Desk) -> tuple[str, str]:
    """Instructions and prompt for the editor of a profile."""
    lines = []
    for key, each in desk.judged.items():
        quotes = [quote for quote in (each.claim.quotes if each.claim else ()) if quote.context]
        days = [quote.published_at for quote in quotes if quote.published_at]
        line = json.loads(_line(each)) | {"proof": [quote.quote for quote in quotes]}
        line |= {"published": max(days).date().isoformat()} if days else {}
        lines.append(harmless(json.dumps({"id": key, **line}, ensure_ascii=False)))
    beside = [f"{key}: {harmless(line)}" for key, line in desk.beside.items()]
    parts = [material.offered] if material.ours else []
    parts += ["<passages>\n" + "\n".join(beside) + "\n</passages>"] if beside else []
    parts.append("<evidence>\n" + "\n".join(lines) + "\n</evidence>")
    instructions = instructions_of("edit.md", name=material.company, today=today_spelled())
    return instructions, "\n\n".join(parts)


def left_out(material: Material, edits: Edits, desk: Desk) -> list[Said]:
    """What an editor leaves out. A verdict that contradicts another one, or names what was not shown, does
    not count; nor does an edit that leaves nothing of a company, of which some fact is of use. What is
    repeated stays where the other one goes."""
    given: dict[str, str] = {}
    repeated: dict[str, str] = {}
    shown = desk.judged
    for each in edits.edits:
        if each.id in shown:
            given[each.id] = each.verdict if given.get(each.id) in (None, each.verdict) else _KEPT
            repeated[each.id] = each.of
    gone = {key for key, verdict in given.items() if verdict in _DROPPED}
    for key, verdict in given.items():
        other = repeated[key]
        stays = other in desk.beside or (other in shown and other != key and other not in gone)
        if verdict == "repeats" and stays:
            gone.add(key)
    return [shown[key] for key in gone] if material.ours or len(gone) < len(shown) else []


def put_together(
    material: Material,
    found: Sequence[Said],
    *,
    edited: Sequence[Said],
    model: str,
) -> dict[str, Written]:
    """The sections as the model wrote them, of statements with what makes them fall and what an editor
    leaves out. One for which nothing was said is empty; one of which all fell stays as it was made, and so
    does all where nothing stands. What stands or falls together is of a model, or there is none."""
    is_believed = any(each.fault is None for each in found)
    sections = {}
    for name, plan in material.plans.items():
        own = [each for each in found if each.section == name and each.fault != _REPEATED]
        dropped = sum(each.fault is not None for each in own)
        stands = [each for each in own if not each.fault]
        kept = [each for each in stands if each not in edited]
        body: SectionBody | None = _body(material, name, kept, model)
        may_be_empty = not dropped and not _is_text(material, name)
        if plan.together:
            body = body if _is_one(plan, stands, kept) else []
        elif not is_believed or not (stands or may_be_empty):
            body = None
        sections[name] = Written(body, len(kept), dropped)
    return sections


def _body(material: Material, name: str, kept: Sequence[Said], model: str) -> SectionBody:
    """A section of the statements that are kept."""
    made, most = material.sections[name], material.plans[name].most
    if isinstance(made, dict):
        return _summary(made, kept[:most], model)
    if _is_text(material, name):
        return _answers(material.rows, kept, most, model)
    return [each.fields for each in kept[:most]]


def _is_one(plan: Plan, stands: Sequence[Said], kept: Sequence[Said]) -> bool:
    """Whether statements that stand or fall together stand."""
    is_whole = len(kept) == len(stands) and {each.kind for each in kept} >= set(plan.together)
    return is_whole and any(latest_day(str(each.fields["description"])) for each in kept)


def as_stored(made: SectionBody, written: SectionBody) -> SectionBody:
    """A section that was written before of the same evidence; of a summary, the words beside new facts."""
    if isinstance(made, dict) and isinstance(written, dict):
        return made | {name: written[name] for name in _OF_SUMMARY if name in written}
    return written


def _summary(body: Statement, kept: Sequence[Said], model: str) -> Statement:
    # Of what proved the extractive summary, only the proof of the facts is needed still.
    before = normalized(str(body.get("summary") or ""))
    facts = [
        q
        for q in body.get("sources", ())
        if q.pointer or not (q.text and normalized(q.text) in before)
    ]
    quotes = [quote for each in kept for quote in each.fields["sources"]]
    text = " ".join(each.fields["description"] for each in kept)
    sources = tuple(dict.fromkeys([*quotes, *facts]))
    return body | {"summary": text, "method": model, "sources": sources}


def _answers(
    rows: Sequence[Statement], kept: Sequence[Said], most: int, model: str
) -> list[Statement]:
    found = []
    for at, row in enumerate(rows):
        own = [each.fields for each in kept if each.at == at][:most]
        text = " ".join(each["description"] for each in own)
        verdict = _VERDICT.match(text)
        answer = {
            "answer": text, "description": text, "state": "ready", "method": model,
            "verdict": verdict[1].casefold() if verdict else None,
            "sources": tuple(dict.fromkeys(quote for each in own for quote in each["sources"])),
        }  # fmt: skip
        found.append(row | answer if own else row)
    return found
