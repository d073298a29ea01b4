"""Sections written by a model: what it is shown, and what is left of its answer once it is proven. Pure.

The model sees the passages that the extractive section was made from, numbered, and nothing else. What
it says stands only if its quotes stand in those passages and the checker finds nothing beside them.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any, Final
from uuid import UUID

from sightline.kit.clock import now
from sightline.profile.checker import Checker, label
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Quote
from sightline.profile.printing import Address
from sightline.profile.sentences import spaced
from sightline.profile.written_plans import (
    Answers,
    Cited,
    Entry,
    Output,
    Plan,
    Sentence,
    Summary,
)
from sightline.reading.periods import is_over
from sightline.reading.proof import Claim, Quoted, harmless, own_words
from sightline.reading.repeats import overlap, shingles

MOST_TOKENS: Final = 3_000  # that an answer may have
_BEFORE, _AFTER = 240, 420  # characters around a quote
_MOST_PASSAGES: Final = 40
_SAME_PASSAGE: Final = 0.9  # of the shorter one that another repeats
_MOST_OF_OURS: Final = 12_000  # characters of the organization's own words
_LONGEST: Final = 700  # characters of a statement
_LONGEST_NAME: Final = 300  # of its name, which may be a question
_MOST_FURTHER: Final = 4  # statements of each further section
_CHARACTERS_A_TOKEN: Final = 3.5

# What a written statement has of its own, and no other way.
_OWN_FIELDS: Final = ("name", "description", "sources", "as_of")
_VERDICT: Final = re.compile(r"(yes|no|partly)\b", re.I)

TextOf = Callable[[UUID], str | None]
Supports = Callable[[Claim], bool]


@dataclass(frozen=True, slots=True)
class Passage:
    """Evidence as the model sees it. `quotes` are places in data that prove it as a whole; a passage
    of a text has its document instead. `row` is the extractive statement it belongs to."""

    text: str
    row: int | None
    document_id: UUID | None = None
    quotes: tuple[Quote, ...] = ()
    title: str | None = None
    day: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked for one section. `key` is the same only for the same model, prompt version
    and evidence."""

    section: str
    plan: Plan
    instructions: str
    prompt: str
    passages: Mapping[str, Passage]
    body: SectionBody
    key: str
    company: str
    ours: str  # the organization's own words, as the model is shown them

    @property
    def tokens(self) -> int:
        """The most that asking can take, about; and that verifying the answer can."""
        size = len(self.instructions) + len(self.prompt)
        writing = int(size / _CHARACTERS_A_TOKEN) + MOST_TOKENS
        return 2 * writing


@dataclass(frozen=True, slots=True)
class Written:
    """What is left of an answer; `body` is None when it is too little to stand for the section."""

    body: SectionBody | None
    kept: int
    dropped: tuple[str, ...]


def question(
    section: str,
    plan: Plan,
    body: SectionBody,
    *,
    built: Mapping[str, SectionBody],
    leads: Sequence[Quote],
    company: str,
    writer: str,
    ours: str,
    text_of: TextOf,
    addresses: Mapping[UUID, Address],
) -> Question | None:
    """What to ask for a section that was made as `body`; None when there is nothing to show.

    `built` are the other sections, `leads` sentences that no statement was made of, `writer` models and
    versions that the answer depends on, `ours` the organization's own words, `text_of` texts with single
    spaces.
    """
    rows = [body] if isinstance(body, dict) else list(body)
    further = [row for name in plan.also for row in _rows_of(built, name)]
    further += [{"sources": (lead,)} for lead in leads]
    passages: dict[str, Passage] = {}
    for number, row in enumerate([*rows, *further]):
        own = number if number < len(rows) else None
        for each in _passages(row, own, text_of, addresses):
            is_new = all(each.text not in known.text for known in passages.values())
            if own is None:  # what pages say alike is shown once
                pairs = shingles(each.text)
                shown = (overlap(pairs, shingles(known.text)) for known in passages.values())
                is_new = is_new and max(shown, default=0.0) < _SAME_PASSAGE
            if is_new and len(passages) < _MOST_PASSAGES:
                passages[f"E{len(passages) + 1}"] = each
    if not passages:
        return None
    prompt = _prompt(plan, rows, passages, ours)
    template = files("sightline.profile").joinpath("prompts/write.md").read_text(encoding="utf-8")
    instructions = template.replace("{name}", company).replace("{task}", plan.task)
    key = hashlib.sha256(f"{writer}\n{instructions}\n{prompt}".encode()).hexdigest()
    return Question(
        section, plan, instructions, prompt, passages, body, key, company, ours[:_MOST_OF_OURS]
    )


def _rows_of(built: Mapping[str, SectionBody], name: str) -> list[Statement]:
    """The first statements of a section."""
    return [row for row in built.get(name) or () if isinstance(row, dict)][:_MOST_FURTHER]


def claims(
    asked: Question, answer: Mapping[str, Any], *, model: str, check: Checker
) -> list[Claim]:
    """What a verifier has to judge of an answer: all that the free checks find nothing against.

    Raises ValidationError for an answer of another type.
    """
    found: list[Claim] = []

    def note(claim: Claim) -> bool:
        found.append(claim)
        return True

    apply(asked, answer, model=model, check=check, supports=note)
    return list({claim.mark: claim for claim in found}.values())


def apply(
    asked: Question, answer: Mapping[str, Any], *, model: str, check: Checker, supports: Supports
) -> Written:
    """The section as the model wrote it, without what cannot be proven.

    Where a statement fell, the extractive one of the same evidence stays. Raises ValidationError for
    an answer of another type.
    """
    output: Output = asked.plan.output.model_validate(answer)
    judge = _Judge(asked, model, check, supports)
    if isinstance(output, Summary):
        return _summary(judge, output)
    if isinstance(output, Answers):
        return _answers(judge, output)
    entries = output.entries[: asked.plan.most]
    kept = [row for each in entries if (row := judge.entry(each)) is not None]
    rows = [row for row in asked.body if isinstance(row, dict)]
    if not _is_enough(len(kept), judge.dropped, least=min(2, len(rows))):
        return Written(None, len(kept), tuple(judge.dropped))
    fallen = judge.fallen - judge.used
    stay = [row for number, row in enumerate(rows) if number in fallen]
    return Written([*kept, *stay][: asked.plan.most], len(kept), tuple(judge.dropped))


class _Judge:
    """Judges what an answer says, one statement after another."""

    def __init__(self, asked: Question, model: str, check: Checker, supports: Supports) -> None:
        self.asked = asked
        self.model = model
        self._check = check
        self._supports = supports
        self._said: set[frozenset[Any]] = set()  # what was kept
        self.dropped: list[str] = []
        self.used: set[int] = set()  # extractive rows whose evidence proves something written
        self.fallen: set[int] = set()  # those that a fallen statement named

    def entry(self, entry: Entry) -> Statement | None:
        """A written statement; None when it falls."""
        rows = self.asked.body
        cited = self._rows(entry.sources)
        first = rows[min(cited)] if cited and isinstance(rows, list) else {}
        inherited = {k: v for k, v in first.items() if k not in _OWN_FIELDS}
        said = {"name": spaced(entry.name)}
        fields = inherited | said | entry.extra() | {"description": spaced(entry.description)}
        return self.judge(fields, entry.sources)

    def sentence(self, sentence: Sentence, question: str = "") -> Statement | None:
        """A written sentence, as the answer to a question if there is one; None when it falls."""
        fields = {"description": spaced(sentence.text)}
        return self.judge(fields, sentence.sources, heading=question)

    def judge(
        self, fields: Statement, sources: Sequence[Cited], *, heading: str = ""
    ) -> Statement | None:
        """The statement with its proof and how it was made; None when it is not proven."""
        quotes = self._quotes(sources)
        statement = {**fields, "method": self.model, "sources": quotes or ()}
        fault = "no quote of a passage that was shown" if not quotes else None
        fault = fault or self._check.statement_fault(statement)
        fault = fault or _unfit(self.asked.plan, fields)
        if not fault and not self._supports(self._claim(fields, sources, heading)):
            fault = "its quotes do not say it"
        rows = self._rows(sources)
        if fault:
            self.dropped.append(f"{label(statement)}: {fault}")
            self.fallen |= rows
            return None
        self.used |= rows
        return None if self._is_repeated(str(fields["description"])) else statement

    def _is_repeated(self, text: str) -> bool:
        """Whether the same words were kept before; they are kept in mind now."""
        said = shingles(text)
        known = bool(said) and said in self._said
        self._said.add(said)
        return known

    def _rows(self, sources: Sequence[Cited]) -> set[int]:
        shown = (self.asked.passages.get(cited.id) for cited in sources)
        return {each.row for each in shown if each is not None and each.row is not None}

    def _claim(self, fields: Statement, sources: Sequence[Cited], heading: str) -> Claim:
        """What the verifier judges. What the organization says of itself proves what is said of it."""
        names = [heading, *(str(fields.get(key) or "") for key in ("name", "about"))]
        text = "\n".join(part for part in [*names, str(fields["description"])] if part)
        quotes = [_quoted(self.asked.passages[cited.id], cited.quote) for cited in sources]
        if self.asked.ours:
            quotes.append(own_words(self.asked.ours))
        return Claim(text, tuple(quotes), self.asked.company)

    def _quotes(self, sources: Sequence[Cited]) -> tuple[Quote, ...] | None:
        """The quotes as they are stored; None when one is not of what was shown."""
        found: list[Quote] = []
        for cited in sources:
            shown, quote = self.asked.passages.get(cited.id), spaced(cited.quote)
            if shown is None or len(quote) < 2 or quote not in shown.text:
                return None
            if shown.document_id is None:
                found += shown.quotes
            else:
                found.append(Quote(shown.document_id, quote))
        return tuple(dict.fromkeys(found))


def _summary(judge: _Judge, output: Summary) -> Written:
    body = judge.asked.body
    kept = [s for each in output.sentences[:4] if (s := judge.sentence(each)) is not None]
    if not isinstance(body, dict) or not _is_enough(len(kept), judge.dropped, least=1):
        return Written(None, len(kept), tuple(judge.dropped))
    # Of what proved the extractive summary, only the proof of the facts is needed still.
    facts = [
        quote for quote in body["sources"] if quote.pointer is not None or not _is_told(quote, body)
    ]
    quotes = [quote for each in kept for quote in each["sources"]]
    written = body | {
        "summary": " ".join(each["description"] for each in kept),
        "method": judge.model,
        "sources": tuple(dict.fromkeys([*quotes, *facts])),
    }
    return Written(written, len(kept), tuple(judge.dropped))


def _is_told(quote: Quote, body: Statement) -> bool:
    return quote.text is not None and spaced(quote.text) in spaced(str(body.get("summary") or ""))


def _answers(judge: _Judge, output: Answers) -> Written:
    rows = [dict(row) for row in judge.asked.body if isinstance(row, dict)]
    answered = 0
    for each in output.answers:
        number = each.question.removeprefix("Q")
        at = int(number) - 1 if number.isdecimal() else -1
        if not 0 <= at < len(rows):
            continue
        question = str(rows[at].get("question") or "")
        said = [judge.sentence(one, question) for one in each.sentences[:4]]
        kept = [each for each in said if each is not None]
        if not kept:
            continue
        text = " ".join(s["description"] for s in kept)
        quotes = tuple(dict.fromkeys(quote for s in kept for quote in s["sources"]))
        rows[at] |= {
            "answer": text, "description": text, "state": "ready", "method": judge.model,
            "verdict": found[1].casefold() if (found := _VERDICT.match(text)) else None,
            "sources": quotes,
        }  # fmt: skip
        answered += 1
    if not _is_enough(answered, judge.dropped, least=1):
        return Written(None, answered, tuple(judge.dropped))
    return Written(rows, answered, tuple(judge.dropped))


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


def _is_enough(kept: int, dropped: Sequence[str], *, least: int) -> bool:
    """Whether enough is proven: at least half of what was said, and not next to nothing."""
    return kept >= max(1, least) and kept >= len(dropped)


def _passages(
    row: Statement, number: int | None, text_of: TextOf, addresses: Mapping[UUID, Address]
) -> Iterator[Passage]:
    """What the statement was made from: the words around its quotes, or what its data say."""
    data = tuple(quote for quote in row.get("sources") or () if quote.text is None)
    if data and row.get("description"):
        yield Passage(spaced(str(row["description"])), number, quotes=data)
    for quote in row.get("sources") or ():
        text = text_of(quote.document_id) if quote.text is not None else None
        if text is None or quote.text is None:
            continue
        around = _around(text, spaced(quote.text))
        if around is None:
            continue
        address = addresses.get(quote.document_id, {})
        day = address.get("published_at")
        yield Passage(
            around,
            number,
            quote.document_id,
            title=address.get("title"),
            day=day.date().isoformat() if day else None,
        )


def _quoted(passage: Passage, quote: str) -> Quoted:
    day = datetime.fromisoformat(passage.day) if passage.day else None
    return Quoted(spaced(quote), passage.text, passage.title, day)


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


def _prompt(
    plan: Plan, rows: Sequence[Statement], passages: Mapping[str, Passage], ours: str
) -> str:
    parts = []
    if plan.output is Answers:
        asked = [f"Q{n}: {row.get('question')}" for n, row in enumerate(rows, start=1)]
        parts.append("Our questions:\n" + "\n".join(asked))
    if ours:
        parts.append(f"What we sell, in our own words:\n{harmless(ours[:_MOST_OF_OURS])}")
    shown = []
    for key, each in passages.items():
        line: dict[str, Any] = {"id": key, "text": each.text}
        line |= {
            name: value for name, value in (("title", each.title), ("published", each.day)) if value
        }
        if plan.output is Answers and each.row is not None:
            line["question"] = f"Q{each.row + 1}"
        shown.append(harmless(json.dumps(line, ensure_ascii=False)))
    parts.append("<evidence>\n" + "\n".join(shown) + "\n</evidence>")
    return "\n\n".join(parts)
