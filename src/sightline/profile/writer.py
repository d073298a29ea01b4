"""One section written by a model: what it is shown, and what is left of its answer once it is proven. Pure.

The model sees the passages that the extractive section was made from, numbered, and nothing else. What
it says stands only if its quotes stand in those passages and the checker finds nothing beside them.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any, Final
from uuid import UUID

from sightline.kit.clock import now
from sightline.profile.checker import Checker, TextOf, label
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Quote
from sightline.profile.plans import Answers, Cited, Part, Plan
from sightline.profile.printing import Address, print_body
from sightline.profile.sentences import spaced
from sightline.reading.periods import is_over
from sightline.reading.proof import Claim, Quoted, harmless, own_words
from sightline.reading.repeats import overlap, shingles

MOST_TOKENS: Final = 3_000  # that an answer may have
CHARACTERS_A_TOKEN: Final = 3.5
_BEFORE, _AFTER = 240, 420  # characters around a quote
_MOST_PASSAGES: Final = 40
_SAME_PASSAGE: Final = 0.9  # of the shorter one that another repeats
_MOST_OF_OURS: Final = 12_000  # characters of the organization's own words
_LONGEST: Final = 700  # characters of a statement
_LONGEST_NAME: Final = 300  # of its name, which may be a question
_MOST_FURTHER: Final = 4  # statements of each further section
_MOST_TOLD: Final = 40  # statements of other sections that are not to be repeated

# What a written statement has of its own, and no other way.
_OWN_FIELDS: Final = ("name", "description", "sources", "as_of")
_OF_SUMMARY: Final = ("summary", "method", "sources")
_VERDICT: Final = re.compile(r"(yes|no|partly)\b", re.I)


@dataclass(frozen=True, slots=True)
class Passage:
    """Evidence as the model sees it. `proofs` are places in data that prove it as a whole; a passage
    of a text has its document instead. `row` is the extractive statement it belongs to."""

    text: str
    row: int | None = None
    document_id: UUID | None = None
    proofs: tuple[Quote, ...] = ()
    title: str | None = None
    day: datetime | None = None

    def quoted(self, quote: str) -> Quoted:
        return Quoted(spaced(quote), self.text, self.title, self.day)

    def quotes(self, quote: str) -> tuple[Quote, ...]:
        """Words of it as they are stored."""
        return self.proofs if self.document_id is None else (Quote(self.document_id, quote),)


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked for one section that was made as `body`; `ours` are the organization's own
    words, as the model is shown them."""

    plan: Plan
    instructions: str
    prompt: str
    passages: Mapping[str, Passage]
    body: SectionBody
    company: str
    ours: str

    @property
    def tokens(self) -> int:
        """The most that asking can take, about, and that verifying the answer can."""
        return most_tokens(len(self.instructions) + len(self.prompt))

    @property
    def rows(self) -> list[Statement]:
        return [] if isinstance(self.body, dict) else [dict(row) for row in self.body]


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of an answer, before it is verified: the rows whose passages it rests on, the row of the
    question that it answers, and why it falls, if it does."""

    fields: Statement
    rows: frozenset[int]
    at: int | None
    claim: Claim | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class Written:
    """What is left of an answer; `body` is None when it is too little to stand for the section."""

    body: SectionBody | None
    kept: int
    dropped: tuple[str, ...]


def most_tokens(characters: int) -> int:
    """What a request of so many characters takes at most, verifying included."""
    return 2 * (int(characters / CHARACTERS_A_TOKEN) + MOST_TOKENS)


def key_of(
    plan: Plan,
    body: SectionBody,
    *,
    built: Mapping[str, SectionBody],
    leads: Sequence[Quote],
    writer: str,
    ours: str,
) -> str:
    """The same only for the same models, prompts and evidence. Of a summary what was said counts, not the
    facts beside it."""
    said: Any = body
    if isinstance(body, dict):
        quotes = tuple(quote for quote in body.get("sources", ()) if quote.text is not None)
        said = {"summary": body.get("summary"), "sources": quotes}
    also = [print_body(_first_rows(built, name), {}) for name in plan.also]
    parts = [writer, plan.task, print_body(said, {}), *also, *map(str, leads), ours]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def question(
    plan: Plan,
    body: SectionBody,
    *,
    built: Mapping[str, SectionBody],
    leads: Sequence[Quote],
    company: str,
    ours: str,
    text_of: TextOf,
    addresses: Mapping[UUID, Address],
    told: Sequence[str] = (),
) -> Question | None:
    """What to ask for a section that was made as `body`; None when there is nothing to show.

    `built` are the other sections, `leads` sentences that no statement was made of, `text_of` texts with
    single spaces, `told` what the model has written in other sections, the newest last.
    """
    rows = [body] if isinstance(body, dict) else list(body)
    further = [row for name in plan.also for row in _first_rows(built, name)]
    further += [{"sources": (lead,)} for lead in leads]
    passages = _numbered(rows, further, text_of, addresses)
    if not passages:
        return None
    ours = ours[:_MOST_OF_OURS]
    asked = [f"Q{n}: {row.get('question')}" for n, row in enumerate(rows, start=1)]
    parts = ["Our questions:\n" + "\n".join(asked)] if plan.output is Answers else []
    parts += [f"What we sell, in our own words:\n{harmless(ours)}"] if ours else []
    before = "\n".join(f"- {harmless(each)}" for each in told[-_MOST_TOLD:])
    parts += [f"Other parts of this profile say already:\n{before}"] if before else []
    parts.append(evidence_block(passages, with_questions=plan.output is Answers))
    today = f"{now():%B %-d, %Y}"
    instructions = instructions_of("write.md", name=company, task=plan.task, today=today)
    return Question(plan, instructions, "\n\n".join(parts), passages, body, company, ours)


def _numbered(
    rows: Sequence[Statement],
    further: Sequence[Statement],
    text_of: TextOf,
    addresses: Mapping[UUID, Address],
) -> dict[str, Passage]:
    """The passages of the section's rows and of further ones, the same words once."""
    passages: dict[str, Passage] = {}
    for number, row in enumerate([*rows, *further]):
        own = number if number < len(rows) else None
        for each in _passages(row, own, text_of, addresses):
            if len(passages) < _MOST_PASSAGES and _is_new(each, passages.values()):
                passages[f"E{len(passages) + 1}"] = each
    return passages


def instructions_of(prompt: str, **words: str) -> str:
    """A prompt with its words put in."""
    text = files("sightline.profile").joinpath(f"prompts/{prompt}").read_text(encoding="utf-8")
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def evidence_block(passages: Mapping[str, Passage], *, with_questions: bool = False) -> str:
    """Passages as a model is shown them, one JSON object a line."""
    shown = []
    for key, each in passages.items():
        line = {"id": key, "text": each.text}
        line |= {"title": each.title} if each.title else {}
        line |= {"published": each.day.date().isoformat()} if each.day else {}
        line |= {"question": f"Q{each.row + 1}"} if with_questions and each.row is not None else {}
        shown.append(harmless(json.dumps(line, ensure_ascii=False)))
    return "<evidence>\n" + "\n".join(shown) + "\n</evidence>"


def quoted_of(passages: Mapping[str, Passage], sources: Sequence[Cited]) -> list[Quoted] | None:
    """The quotes with what is around them; None when there is none, or one is not of what was shown."""
    found = [(passages.get(each.id), spaced(each.quote)) for each in sources]
    quoted = [p.quoted(quote) for p, quote in found if p and len(quote) > 1 and quote in p.text]
    return quoted if quoted and len(quoted) == len(found) else None


def read_answer(
    asked: Question, answer: Mapping[str, Any], *, model: str, check: Checker
) -> list[Said]:
    """The statements of an answer, and those that fall without a verifier. Raises ValidationError for an
    answer of another type."""
    parts = list(asked.plan.output.model_validate(answer).parts())
    placed = ((part, _place(asked, part)) for part in parts[: _most(asked.plan)])
    return [
        _said(asked, part, at, model=model, check=check)
        for part, at in placed
        if part.question is None or at is not None
    ]


def _most(plan: Plan) -> int | None:
    return None if plan.output is Answers else plan.most


def _place(asked: Question, part: Part) -> int | None:
    number = (part.question or "").removeprefix("Q")
    return int(number) - 1 if number.isdecimal() and 0 < int(number) <= len(asked.rows) else None


def _said(asked: Question, part: Part, at: int | None, *, model: str, check: Checker) -> Said:
    shown = [asked.passages[each.id] for each in part.sources if each.id in asked.passages]
    cited = frozenset(each.row for each in shown if each.row is not None)
    first = asked.rows[min(cited)] if cited and asked.rows and "name" in part.fields else {}
    fields = {k: v for k, v in first.items() if k not in _OWN_FIELDS} | part.fields
    quoted = quoted_of(asked.passages, part.sources)
    if quoted is None:
        return Said(fields, cited, at, None, "no quote of a passage that was shown")
    quotes = [q for p, each in zip(shown, quoted, strict=True) for q in p.quotes(each.quote)]
    statement = {**fields, "method": model, "sources": tuple(dict.fromkeys(quotes))}
    claim = _claim(asked, fields, quoted, at)
    fault = check.statement_fault(statement) or _unfit(asked.plan, fields)
    return Said(statement, cited, at, claim, fault)


def _claim(asked: Question, fields: Statement, quoted: Sequence[Quoted], at: int | None) -> Claim:
    """What the verifier judges; what the organization says of itself proves what is said of it."""
    heading = asked.rows[at].get("question") if at is not None else None
    said = [heading, fields.get("name"), fields.get("about"), fields["description"]]
    ours = [own_words(asked.ours)] if asked.ours else []
    return Claim("\n".join(str(each) for each in said if each), (*quoted, *ours), asked.company)


def _unfit(plan: Plan, fields: Statement) -> str | None:
    """Why a proven statement is not shown: it says nothing, or too much, or its time is over."""
    text, name = str(fields["description"]), str(fields.get("name") or "")
    if not text:
        return "it says nothing"
    if plan.past_months is not None:
        oldest = now().date() - timedelta(days=31 * plan.past_months)
        if is_over(f"{name} {text}", oldest):
            return "its time is over"
    return "too long" if len(text) > _LONGEST or len(name) > _LONGEST_NAME else None


def put_together(
    asked: Question, said: Sequence[Said], *, model: str, supported: Set[str]
) -> Written:
    """The section as the model wrote it, of what a verifier supports (marks of claims).

    Where a statement fell, the extractive one of the same evidence stays.
    """
    judged = [(each, each.fault or _refused(each, supported)) for each in said]
    stands = [each for each, fault in judged if fault is None]
    fallen = [(each, fault) for each, fault in judged if fault is not None]
    dropped = tuple(f"{label(each.fields)}: {fault}" for each, fault in fallen)
    kept = _once(stands)
    count, least = len(kept), 1
    body: SectionBody
    if isinstance(asked.body, dict):
        body = _summary(asked.body, kept, model)
    elif asked.plan.output is Answers:
        body, count = _answers(asked.rows, kept, model), len({each.at for each in kept})
    else:
        least = min(2, len(asked.rows))
        stay = sorted(_rows(each for each, _ in fallen) - _rows(stands))
        rows = [*(each.fields for each in kept), *(asked.rows[number] for number in stay)]
        body = rows[: asked.plan.most]
    is_enough = count >= max(1, least, len(dropped))
    return Written(body if is_enough else None, count, dropped)


def _rows(said: Iterable[Said]) -> set[int]:
    return {row for each in said for row in each.rows}


def _refused(said: Said, supported: Set[str]) -> str | None:
    is_said = said.claim is not None and said.claim.mark in supported
    return None if is_said else "its quotes do not say it"


def _once(said: Sequence[Said]) -> list[Said]:
    """Statements without repetitions, which are no lies."""
    words = [shingles(str(each.fields["description"])) for each in said]
    return [each for at, each in enumerate(said) if not words[at] or words[at] not in words[:at]]


def as_stored(made: SectionBody, written: SectionBody) -> SectionBody:
    """A section that was written before of the same evidence; of a summary, the words beside new facts."""
    if isinstance(made, dict) and isinstance(written, dict):
        return made | {name: written[name] for name in _OF_SUMMARY if name in written}
    return written


def _summary(body: Statement, kept: Sequence[Said], model: str) -> Statement:
    # Of what proved the extractive summary, only the proof of the facts is needed still.
    before = spaced(str(body.get("summary") or ""))
    facts = [
        q for q in body.get("sources", ()) if q.pointer or not (q.text and spaced(q.text) in before)
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


def _first_rows(built: Mapping[str, SectionBody], name: str) -> list[Statement]:
    return [row for row in built.get(name) or () if isinstance(row, dict)][:_MOST_FURTHER]


def _is_new(passage: Passage, shown: Collection[Passage]) -> bool:
    """Whether no passage has it; what pages say alike is shown once."""
    if any(passage.text in each.text for each in shown):
        return False
    pairs = shingles(passage.text) if passage.row is None else frozenset()
    return not pairs or all(overlap(pairs, shingles(e.text)) < _SAME_PASSAGE for e in shown)


def _passages(
    row: Statement, number: int | None, text_of: TextOf, addresses: Mapping[UUID, Address]
) -> Iterator[Passage]:
    """What the statement was made from: the words around its quotes, or what its data say."""
    quotes: Sequence[Quote] = row.get("sources") or ()
    data = tuple(quote for quote in quotes if quote.text is None)
    if data and row.get("description"):
        yield Passage(spaced(str(row["description"])), number, proofs=data)
    for quote in quotes:
        text = text_of(quote.document_id) if quote.text is not None else None
        around = _around(text, spaced(quote.text)) if text and quote.text else None
        if around is not None:
            address = addresses.get(quote.document_id, {})
            title, day = address.get("title"), address.get("published_at")
            yield Passage(around, number, quote.document_id, title=title, day=day)


def _around(text: str, quote: str) -> str | None:
    """Whole sentences around a quote in a text with single spaces; None when it is not in it."""
    at = text.find(quote)
    if at < 0:
        return None
    start, end = max(0, at - _BEFORE), min(len(text), at + len(quote) + _AFTER)
    if start:
        first = text.find(". ", start, at)
        start = first + 2 if first >= 0 else at
    if end < len(text):
        last = text.rfind(". ", at + len(quote), end)
        end = last + 1 if last >= 0 else at + len(quote)
    return text[start:end].strip()
