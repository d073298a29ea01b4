"""A profile written by a model: what is left of its draft once it is proven, and what it is asked then. Pure.

The model sees one list of numbered passages and drafts all sections of it at once, so that each fact stands
in one of them. What it says stands only if its quotes stand in those passages and the checker finds nothing
beside them. Then an editor, who may only leave out, sees all that is left.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from sightline.kit.clock import now
from sightline.profile.checker import Checker
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.material import (
    Material,
    Passage,
    evidence_block,
    prompt_of,
    quoted_of,
)
from sightline.profile.plans import FRESH, QUESTIONS, Edit, Edits, Entry, Plan
from sightline.reading.periods import is_over, latest_day
from sightline.reading.proof import NOT_SAID, Claim, Judged, Quoted, harmless, own_words
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
_TOO_MANY: Final = "more than there is room for"
_APART: Final = "what belongs together is not all there"
_OF_USE: Final = ("acts", "")
_WIDER: Final = (0, 400)  # characters around a quote, where it does not prove all


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a draft: the question that it answers, and why it falls, if it does; `is_proven` where a
    verifier supports it, `is_final` where other words cannot mend it."""

    entry: Entry
    fields: Statement
    kind: str = ""
    at: int | None = None
    claim: Claim | None = None
    fault: str | None = None
    is_proven: bool = False
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
            one = replace(one, fault=_REPEATED if is_again else None)
        kept.append(one)
    return kept


def read(material: Material, entry: Entry, *, model: str, check: Checker) -> Said:
    """A statement of a draft, with what makes it fall without a verifier."""
    plan = material.plans.get(entry.section)
    place = _place(material, plan, entry) if plan is not None else None
    if plan is None or place is None:
        return Said(entry, {"name": entry.name, "description": entry.description}, fault=_NO_PLACE)
    shown = [material.passages[each.id] for each in entry.sources if each.id in material.passages]
    fields: Statement = {} if _is_text(material, entry.section) else _amounts(shown)
    fields |= plan.row(place[0], normalized(entry.name))
    fields["description"] = normalized(entry.description)
    said = Said(entry, fields, *place)
    quoted = quoted_of(material.passages, entry.sources)
    if quoted is None:
        return replace(said, fault="no quote of a passage that was shown")
    days = [each.day for each in shown if each.day is not None]
    fields |= {"as_of": max(days).date().isoformat()} if days else {}
    unfit = _unfit(plan, fields, days)
    fields, proof, fault = _proven({**fields, "method": model}, shown, quoted, check)
    claim = _claim(material, fields, proof, said.at)
    fault = unfit or fault
    return replace(said, fields=fields, claim=claim, fault=fault, is_final=unfit is not None)


def _proven(
    fields: Statement, shown: Sequence[Passage], quoted: Sequence[Quoted], check: Checker
) -> tuple[Statement, Sequence[Quoted], str | None]:
    """A statement with the shortest of its quotes that have all its names and figures, which may stand beside
    what it quotes; and why there are none."""
    for tried in _quotes_tried(shown, quoted):
        quotes = [q for p, each in zip(shown, tried, strict=True) for q in p.quotes(each.quote)]
        statement = {**fields, "sources": tuple(dict.fromkeys(quotes))}
        fault = check.statement_fault(statement)
        if fault is None:
            return statement, tried, None
    return statement, quoted, fault


def _quotes_tried(shown: Sequence[Passage], quoted: Sequence[Quoted]) -> Iterator[Sequence[Quoted]]:
    """The quotes as they are; each in turn and all as whole sentences, then with what is around these."""
    yield quoted
    for around in _WIDER:
        wider = [p.wider(each.quote, around) for p, each in zip(shown, quoted, strict=True)]
        yield from ([*quoted[:at], each, *quoted[at + 1 :]] for at, each in enumerate(wider))
        yield wider


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


def judged(material: Material, said: Sequence[Said], verdicts: Mapping[str, Judged]) -> list[Said]:
    """The statements with what makes them fall by a verifier's verdicts, by the marks of claims: that it does
    not support them, and of single facts that no seller acts on them, which other words do not mend."""
    found = []
    for each in said:
        if each.fault is None:
            verdict = verdicts.get(each.claim.mark, NOT_SAID) if each.claim else NOT_SAID
            plan = material.plans[each.section]
            is_of_use = verdict.use in _OF_USE or plan.together or not plan.is_edited
            is_proven = verdict.verdict == "supported"
            fault = None if is_proven else "its quotes do not say all of it"
            fault = fault if is_of_use else f"no seller acts on it: {verdict.use}"
            each = replace(each, fault=fault, is_proven=is_proven, is_final=not is_of_use)
        found.append(each)
    return found


def mending(material: Material, refused: Sequence[Said]) -> str:
    """The request to say again what is not proven, with the passages that it cites."""
    lines, shown = [], dict[str, Passage]()
    for each in refused:
        entry = each.entry
        shown |= {s.id: material.passages[s.id] for s in entry.sources if s.id in material.passages}
        line = entry.model_dump(mode="json") | {"why": each.fault}
        lines.append(harmless(json.dumps(line, ensure_ascii=False)))
    parts = [material.offered] if material.ours else []
    return "\n\n".join([*parts, evidence_block(shown), prompt_of("mend.md"), *lines])


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
    instructions = prompt_of("edit.md", name=material.company)
    return instructions, "\n\n".join(parts)


def edited(material: Material, found: Sequence[Said], edits: Edits, desk: Desk) -> Sequence[Said]:
    """The statements without what an editor leaves out. What is repeated stays where the other one goes. An
    edit that leaves nothing of a company, of which some fact is of use, does not count."""
    given, shown = _verdicts(edits, desk), desk.judged
    gone = {key for key, each in given.items() if each.verdict in _DROPPED}
    for key, each in given.items():
        is_other = each.of in shown and each.of != key and each.of not in gone
        if each.verdict == "repeats" and (is_other or each.of in desk.beside):
            gone.add(key)
    if not material.ours and len(gone) == len(shown):
        return found
    why = {id(shown[key]): f"an editor: {given[key].verdict} {given[key].of}" for key in gone}
    return [replace(each, fault=why.get(id(each), each.fault)) for each in found]


def _verdicts(edits: Edits, desk: Desk) -> dict[str, Edit]:
    """The verdict on each statement that was shown; none counts that another contradicts."""
    given: dict[str, Edit] = {}
    for each in edits.edits:
        if each.id in desk.judged:
            is_clear = each.id not in given or given[each.id].verdict == each.verdict
            given[each.id] = each if is_clear else Edit(id=each.id, verdict=_KEPT)
    return given


def fitting(material: Material, found: Sequence[Said]) -> list[Said]:
    """The statements without what is more than a section or an answer holds, and those that miss others that
    belong to them."""
    held: Counter[tuple[str, int | None]] = Counter()
    fit = []
    for each in found:
        held[each.section, each.at] += each.fault is None
        if each.fault is None and held[each.section, each.at] > material.plans[each.section].most:
            each = replace(each, fault=_TOO_MANY)
        fit.append(each)
    for name, plan in material.plans.items():
        own = [each for each in fit if each.section == name and each.fault is None]
        if plan.together and not _is_whole(plan, own):
            fit = [replace(each, fault=_APART) if each in own else each for each in fit]
    return fit


def _is_whole(plan: Plan, kept: Sequence[Said]) -> bool:
    """Whether all are there that stand or fall together, and one names its time."""
    is_dated = any(latest_day(str(each.fields["description"])) for each in kept)
    return is_dated and {each.kind for each in kept} >= set(plan.together)


def put_together(material: Material, found: Sequence[Said], *, model: str) -> dict[str, Written]:
    """The sections as the model wrote them. One for which nothing was said is empty; one of which nothing is
    proven stays as it was made, and so does all where nothing is. What stands or falls together is of a
    model, or there is none."""
    is_believed = any(each.is_proven for each in found)
    sections = {}
    for name, plan in material.plans.items():
        own = [each for each in found if each.section == name]
        proven = sum(each.is_proven for each in own)
        kept = [each for each in own if each.fault is None]
        may_be_empty = (proven or not own) and not _is_text(material, name)
        body: SectionBody | None = None
        if plan.together or (is_believed and (kept or may_be_empty)):
            body = _body(material, name, kept, model)
        sections[name] = Written(body, len(kept), len(own) - proven)
    return sections


def _body(material: Material, name: str, kept: Sequence[Said], model: str) -> SectionBody:
    """A section of the statements that are kept."""
    made = material.sections[name]
    if isinstance(made, dict):
        return _summary(made, kept, model)
    if _is_text(material, name):
        return _answers(material.rows, kept, model)
    return [each.fields for each in kept]


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


def _answers(rows: Sequence[Statement], kept: Sequence[Said], model: str) -> list[Statement]:
    found = []
    for at, row in enumerate(rows):
        own = [each.fields for each in kept if each.at == at]
        text = " ".join(each["description"] for each in own)
        verdict = _VERDICT.match(text)
        answer = {
            "answer": text, "description": text, "state": "ready", "method": model,
            "verdict": verdict[1].casefold() if verdict else None,
            "sources": tuple(dict.fromkeys(quote for each in own for quote in each["sources"])),
        }  # fmt: skip
        found.append(row | answer if own else row)
    return found
