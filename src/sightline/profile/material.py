"""What a model is shown of a company: one list of numbered passages for all sections of its profile. Pure."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from itertools import islice
from typing import Any, Final
from uuid import UUID

from sightline.kit.clock import now
from sightline.profile.changes import fresh_signals
from sightline.profile.checker import TextOf, is_written
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.figures import of_divisions, rows_of
from sightline.profile.plans import QUESTIONS, Cited, Plan
from sightline.profile.printing import Address, print_body, print_plain
from sightline.reading.proof import Quoted, harmless
from sightline.reading.repeats import overlap, shingles
from sightline.reading.sentences import sentence_at
from sightline.reading.stated import normalized

MOST_TOKENS: Final = 8_000  # that a draft may have
ROOM: Final = 48_000  # characters of passages that a request shows
_PAGE: Final = 24_000  # characters of the same page that an editor is shown
_CHARACTERS_A_TOKEN: Final = 3.5
_ABOVE: Final = 240  # characters of headings above a paragraph
_BEFORE, _AFTER = 2_000, 800  # characters of a paragraph before and after a quote
_SAME_PASSAGE: Final = 0.9  # of the shorter one that another repeats
_MOST_FURTHER: Final = 12  # statements of each section that an organization's own are made of
_MOST_SIGNALS: Final = 24


@dataclass(frozen=True, slots=True)
class Passage:
    """Evidence as the model sees it. `proofs` are places in data that prove it as a whole; a passage
    of a text has its document instead. `row` is the statement of a section that was made of data, `note` what
    is known of it besides."""

    text: str
    row: Statement | None = None
    document_id: UUID | None = None
    proofs: tuple[Quote, ...] = ()
    title: str | None = None
    day: datetime | None = None
    note: str | None = None

    def quoted(self, quote: str) -> Quoted:
        return Quoted(normalized(quote), self.text, self.title, self.day)

    def wider(self, quote: str, around: int) -> Quoted:
        """Words of it in whole sentences, with so many characters of what is around them."""
        said = normalized(quote)
        at = self.text.find(said)
        return self.quoted(self.text[slice(*_span(self.text, at, at + len(said), around, around))])

    def quotes(self, quote: str) -> tuple[Quote, ...]:
        """Words of it as they are stored."""
        return self.proofs if self.document_id is None else (Quote(self.document_id, quote),)


@dataclass(frozen=True, slots=True)
class Material:
    """What a profile is written from: its sections as they were made, with their plans, the passages in order
    and the organization's own words, as the model is shown them. `page` is what stands on the same page
    besides, a line for each statement."""

    company: str
    ours: str
    plans: Mapping[str, Plan]
    sections: Mapping[str, SectionBody]
    passages: Mapping[str, Passage]
    page: Sequence[str] = ()

    @property
    def rows(self) -> list[Statement]:
        """The organization's questions."""
        body = self.sections.get("custom_insights") or ()
        return [dict(row) for row in body if isinstance(row, dict)]

    @property
    def offered(self) -> str:
        return prompt_of("offered.md", ours=harmless(self.ours))

    @property
    def besides(self) -> str:
        return prompt_of("page.md", lines="\n".join(map(harmless, self.page)))

    @property
    def instructions(self) -> str:
        tasks = []
        for name, plan in self.plans.items():
            kinds = [each for each in plan.kinds if each != QUESTIONS]
            listed = f" Kinds: {', '.join(kinds)}." if kinds else ""
            tasks.append(f"- `{name}` (at most {plan.most}): {plan.task}{listed}")
        return prompt_of("write.md", name=self.company, tasks="\n".join(tasks))

    @property
    def prompt(self) -> str:
        asked = [f"Q{n}: {row.get('question')}" for n, row in enumerate(self.rows, start=1)]
        parts = ["Our questions:\n" + "\n".join(asked)] if asked else []
        parts += [self.offered] if self.ours else [self.besides] if self.page else []
        return "\n\n".join([*parts, evidence_block(self.passages)])

    @property
    def use(self) -> str:
        """What a verifier is told of whom the statements are for."""
        return prompt_of("use.md", name=self.company)

    @property
    def tokens(self) -> int:
        """The most that drafting, mending, verifying and editing can take, about."""
        return most_tokens(len(self.instructions) + len(self.prompt))


def most_tokens(characters: int) -> int:
    """What a profile takes at most of which so many characters are shown: a draft, mending and verifying it,
    editing."""
    return int((3 * characters + _PAGE) / _CHARACTERS_A_TOKEN) + 5 * MOST_TOKENS


def key_of(
    sections: Mapping[str, SectionBody],
    *,
    leads: Sequence[Quote],
    further: Sequence[Statement],
    writer: str,
    ours: str,
) -> str:
    """The same only for the same models, prompts and evidence. Of a summary what was said counts, not the
    facts beside it."""
    parts = [writer]
    for name, body in sections.items():
        said: Any = body
        if isinstance(body, dict):
            quotes = tuple(quote for quote in body.get("sources", ()) if quote.text is not None)
            said = {"summary": body.get("summary"), "sources": quotes}
        parts += [name, print_body(said, {})]
    parts += [*map(str, leads), print_body(list(further), {}), ours]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def happened(evidence: Evidence) -> list[Statement]:
    """What evidence says beside the statements made of it: the newest signals with their day, figures that
    moved, and the revenue of divisions."""
    rows: list[Statement] = []
    for each in islice(fresh_signals(evidence), _MOST_SIGNALS):
        note = f"it happened on {each.day:%B %-d, %Y}" if each.precision == "day" else None
        note = "it was planned, and not done" if each.is_planned else note
        rows.append({"sources": (each.proof,), "note": note})
    told = rows_of(evidence, "for", "against")
    told += [row for _, (_, row) in of_divisions(evidence)]
    return rows + [{"description": e["description"], "sources": e["sources"]} for e in told]


def first_rows(built: Mapping[str, SectionBody], names: Iterable[str]) -> list[Statement]:
    """The first statements of sections, by which an organization's own are written."""
    found = (
        [row for row in built.get(name) or () if isinstance(row, dict)][:_MOST_FURTHER]
        for name in names
    )
    return [row for rows in found for row in rows]


def page_of(sections: Mapping[str, SectionBody]) -> list[str]:
    """The statements of sections as an editor is shown them, as many as there is room for."""
    lines: list[str] = []
    room = _PAGE
    for name, body in sections.items():
        for row in [body] if isinstance(body, dict) else body:
            shown = {key: value for key, value in row.items() if value not in (None, [], "")}
            line = print_plain({"section": name} | shown)
            room -= len(line)
            lines += [line] if room >= 0 else []
    return lines


def numbered(
    sections: Mapping[str, SectionBody],
    further: Sequence[Statement],
    text_of: TextOf,
    addresses: Mapping[UUID, Address],
) -> dict[str, Passage]:
    """What statements were made of: data, then the paragraphs of their quotes in the order of each document;
    the same words once, and the first that there is room for. `text_of` are texts by `lined`."""
    rows = [*_keyed(sections), *((None, row) for row in further)]
    data: dict[str, Passage] = {}
    for each in filter(None, (_told(row, key, addresses) for key, row in rows)):
        data.setdefault(each.text, each)
    held: dict[UUID, list[_Stretch]] = {}
    seen: list[frozenset[tuple[str, str]]] = []
    room = ROOM
    for document_id, text, found in _stretches(rows, text_of):
        pairs = shingles(text[found.start : found.end])
        size = found.end - found.start
        if size <= room and all(overlap(pairs, other) < _SAME_PASSAGE for other in seen):
            room -= size
            seen.append(pairs)
            held.setdefault(document_id, []).append(found)
    shown = [*data.values()]
    for document_id, stretches in held.items():
        text, address = normalized(text_of(document_id) or ""), addresses.get(document_id, {})
        shown += [
            Passage(
                text[part.start : part.end], None, document_id,
                title=address.get("title"), day=address.get("published_at"), note=part.note,
            )
            for part in _joined(stretches)
        ]  # fmt: skip
    return {f"E{number}": each for number, each in enumerate(shown, start=1)}


def _keyed(
    sections: Mapping[str, SectionBody],
) -> Iterator[tuple[tuple[str, int] | None, Statement]]:
    """The rows of lists with their place."""
    for name, body in sections.items():
        for number, row in enumerate(() if isinstance(body, dict) else body):
            yield (name, number), row


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters of a text."""

    start: int
    end: int
    note: str | None


def _stretches(
    rows: Iterable[tuple[tuple[str, int] | None, Statement]], text_of: TextOf
) -> Iterator[tuple[UUID, str, _Stretch]]:
    """The paragraphs of quotes, with the document and its text."""
    for key, row in rows:
        for quote in row.get("sources") or ():
            text = text_of(quote.document_id) if quote.text else None
            found = _stretch(text, normalized(quote.text), _note(row, key)) if text else None
            if text and found:
                yield quote.document_id, text, found


def lined(text: str) -> str:
    """A text with single spaces, a line for each paragraph: its characters are those of `normalized`."""
    return "\n".join(filter(None, map(normalized, text.split("\n"))))


def _stretch(text: str, quote: str, note: str | None) -> _Stretch | None:
    """The paragraph of a quote, from its beginning, which says who and what it is about, with the headings
    or the opening above; of a long one what is nearest. None where the quote is not there."""
    at = text.replace("\n", " ").find(quote)
    if at < 0:
        return None
    start, end = _span(text, at, at + len(quote), _BEFORE, _AFTER)
    line = above = text.rfind("\n", 0, at) + 1
    while at - line <= _BEFORE and above:
        before = text.rfind("\n", 0, above - 1) + 1
        if line - before > _ABOVE or " | " in text[before:above]:
            break
        start = above = before
    return _Stretch(start, end, note)


def _span(text: str, start: int, end: int, before: int, after: int) -> tuple[int, int]:
    """Some characters with so many around them on their lines, in whole sentences."""
    first = max(text.rfind("\n", 0, start) + 1, start - before)
    last = min(text.find("\n", end) % (len(text) + 1), end + after)
    return sentence_at(text, first, first)[0], sentence_at(text, last, last)[1]


def _joined(stretches: Sequence[_Stretch]) -> list[_Stretch]:
    """The stretches of one text in order, those that meet as one."""
    found: list[_Stretch] = []
    for each in sorted(stretches, key=lambda stretch: stretch.start):
        last = found[-1] if found else None
        if last is None or each.start > last.end + 1:
            found.append(each)
            continue
        notes = dict.fromkeys(filter(None, (last.note, each.note)))
        found[-1] = _Stretch(last.start, max(last.end, each.end), "; ".join(notes) or None)
    return found


def _told(
    row: Statement, key: tuple[str, int] | None, addresses: Mapping[UUID, Address]
) -> Passage | None:
    """What a statement of data says; a model's own words prove nothing."""
    data = tuple(quote for quote in row.get("sources") or () if quote.text is None)
    if not data or not row.get("description") or is_written(row):
        return None
    at = addresses.get(data[0].document_id, {})
    title, day = at.get("title"), at.get("published_at")
    text = normalized(str(row["description"]))
    made_of = row if key is not None else None
    return Passage(text, made_of, proofs=data, title=title, day=day, note=_note(row, key))


def prompt_of(prompt: str, **words: str) -> str:
    """A prompt with its words and the day put in."""
    text = files("sightline.profile").joinpath(f"prompts/{prompt}").read_text("utf-8").strip()
    for name, value in {"today": f"{now():%B %-d, %Y}", **words}.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def evidence_block(passages: Mapping[str, Passage]) -> str:
    """Passages as a model is shown them, one JSON object a line."""
    shown = []
    for key, each in passages.items():
        day = each.day.date().isoformat() if each.day else None
        line = {
            "id": key,
            "text": each.text,
            "title": each.title,
            "published": day,
            "note": each.note,
        }
        said = {name: value for name, value in line.items() if value}
        shown.append(harmless(json.dumps(said, ensure_ascii=False)))
    return "<evidence>\n" + "\n".join(shown) + "\n</evidence>"


def quoted_of(passages: Mapping[str, Passage], sources: Sequence[Cited]) -> list[Quoted] | None:
    """The quotes with what is around them; None when there is none, or one is not of what was shown."""
    found = [(passages.get(each.id), normalized(each.quote)) for each in sources]
    quoted = [p.quoted(quote) for p, quote in found if p and len(quote) > 1 and quote in p.text]
    return quoted if quoted and len(quoted) == len(found) else None


def _note(row: Statement, key: tuple[str, int] | None) -> str | None:
    """What is known of a statement besides."""
    if key is not None and key[0] == "custom_insights":
        return f"for {QUESTIONS}{key[1] + 1}"
    change = row.get("change")  # of a risk a word, of a figure a number
    return f"{change} in the newest report" if isinstance(change, str) else row.get("note")
