"""What a model is shown of a company: one list of numbered passages for all sections of its profile. Pure."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from sightline.profile.figures import rows_of
from sightline.profile.plans import QUESTIONS, Cited, Plan
from sightline.profile.printing import Address, print_body, print_plain
from sightline.reading.proof import Quoted, harmless
from sightline.reading.repeats import overlap, shingles
from sightline.reading.stated import normalized

MOST_TOKENS: Final = 8_000  # that a draft may have
MOST_REQUESTS: Final = 3
ROOM: Final = 48_000  # characters of passages that a request shows
_PAGE: Final = 24_000  # characters of the same page that an editor is shown
_CHARACTERS_A_TOKEN: Final = 3.5
_BEFORE, _AFTER = 240, 420  # characters around a quote
_LONGEST_PASSAGE: Final = 4_000  # characters of passages that follow each other
_SAME_PASSAGE: Final = 0.9  # of the shorter one that another repeats
_MOST_FURTHER: Final = 12  # statements of each section that an organization's own are made of
_MOST_SIGNALS: Final = 24


@dataclass(frozen=True, slots=True)
class Passage:
    """Evidence as the model sees it. `proofs` are places in data that prove it as a whole; a passage
    of a text has its document instead, and `start`, where it begins in it with single spaces. `row` is the
    section and number of the statement made of it, `note` what is known of it besides."""

    text: str
    row: tuple[str, int] | None = None
    document_id: UUID | None = None
    start: int = 0
    proofs: tuple[Quote, ...] = ()
    title: str | None = None
    day: datetime | None = None
    note: str | None = None

    def quoted(self, quote: str) -> Quoted:
        return Quoted(normalized(quote), self.text, self.title, self.day)

    def wider(self, quote: str) -> Quoted:
        """Words of it with the sentences around them."""
        span = _around(self.text, normalized(quote))
        return self.quoted(self.text[slice(*span)] if span else quote)

    def joined(self, other: "Passage") -> "Passage | None":
        """Two stretches of one text as one; None where they are of different texts or do not meet."""
        if (
            self.document_id is None
            or replace(self, text=other.text, row=other.row, start=other.start) != other
        ):
            return None
        first, second = sorted((self, other), key=lambda each: each.start)
        shared = first.start + len(first.text) - second.start
        if shared < 0:
            return None
        return replace(self, start=first.start, text=first.text + second.text[shared:])

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
        return (
            "What we sell, in our own words. What a statement says of it needs no quote; but every statement,"
            " also of what we bring, quotes the fact about the company that it answers, and may use a fact"
            f" that another section tells:\n{harmless(self.ours)}"
        )

    @property
    def besides(self) -> str:
        lines = "\n".join(map(harmless, self.page))
        return (
            "What stands on the same page. Say none of it again, but what it leaves out, such as the cause"
            f" of a change or what follows from it. It is no evidence:\n{lines}"
        )

    @property
    def instructions(self) -> str:
        tasks = []
        for name, plan in self.plans.items():
            kinds = [each for each in plan.kinds if each != QUESTIONS]
            listed = f" Kinds: {', '.join(kinds)}." if kinds else ""
            tasks.append(f"- `{name}` (at most {plan.most}): {plan.task}{listed}")
        return instructions_of(
            "write.md", name=self.company, tasks="\n".join(tasks), today=today_spelled()
        )

    def prompts(self) -> Iterator[str]:
        """One request, or some where the passages do not fit into one; what does not fit into these is left
        out."""
        asked = [f"Q{n}: {row.get('question')}" for n, row in enumerate(self.rows, start=1)]
        parts = ["Our questions:\n" + "\n".join(asked)] if asked else []
        parts += [self.offered] if self.ours else [self.besides] if self.page else []
        shown: dict[str, Passage] = {}
        count, size = 1, 0
        for key, each in self.passages.items():
            if size + len(each.text) > ROOM:
                yield "\n\n".join([*parts, evidence_block(shown)])
                shown, size, count = {}, 0, count + 1
                if count > MOST_REQUESTS:
                    return
            shown[key] = each
            size += len(each.text)
        if shown:
            yield "\n\n".join([*parts, evidence_block(shown)])

    @property
    def tokens(self) -> int:
        """The most that drafting, verifying and editing can take, about."""
        prompts = list(self.prompts())
        fixed = len(self.instructions) * len(prompts)
        return most_tokens(sum(map(len, prompts)) + fixed, requests=len(prompts))


def most_tokens(characters: int, *, requests: int) -> int:
    """What a profile takes at most of which so many characters are shown: drafts, verifying them, editing."""
    return int((2 * characters + _PAGE) / _CHARACTERS_A_TOKEN) + (3 * requests + 1) * MOST_TOKENS


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
    """What evidence says beside the statements made of it: the newest signals with their day, and figures
    that moved."""
    rows: list[Statement] = []
    for each in islice(fresh_signals(evidence), _MOST_SIGNALS):
        is_known = each.precision == "day"
        note = f"it happened on {each.day:%B %-d, %Y}" if is_known else None
        rows.append({"sources": (each.proof,), "note": note})
    moved = rows_of(evidence, "for", "against")
    return rows + [{"description": e["description"], "sources": e["sources"]} for e in moved]


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
    """The passages of all sections' statements and of further ones, the same words once. `text_of` are
    texts with single spaces."""
    rows: list[tuple[tuple[str, int] | None, Statement]] = [
        ((name, number), row)
        for name, body in sections.items()
        for number, row in enumerate(_rows_of(body))
    ]
    found: list[Passage] = []
    seen: list[frozenset[tuple[str, str]]] = []
    for key, row in [*rows, *((None, row) for row in further)]:
        for quote, each in _passages(row, key, text_of, addresses):
            pairs = shingles(each.text)
            if any(quote in other.text for other in found):
                continue
            if not _add_to_one(each, found) and all(
                overlap(pairs, other) < _SAME_PASSAGE for other in seen
            ):
                found.append(each)
            seen.append(pairs)
    return {f"E{number}": each for number, each in enumerate(found, start=1)}


def _rows_of(body: SectionBody) -> Sequence[Statement]:
    """The statements of a section; of one that is one object the sources of its summary alone, not those of
    its facts."""
    if not isinstance(body, dict):
        return body
    said = normalized(str(body.get("summary") or ""))
    quotes = (q for q in body.get("sources", ()) if q.text and normalized(q.text) in said)
    return [{"sources": tuple(quotes)}]


def _add_to_one(passage: Passage, found: list[Passage]) -> bool:
    """Whether a passage continues one of those found, which it then becomes a part of."""
    for at, other in enumerate(found):
        one = other.joined(passage)
        if one is not None and len(one.text) <= _LONGEST_PASSAGE:
            found[at] = one
            return True
    return False


def instructions_of(prompt: str, **words: str) -> str:
    """A prompt with its words put in."""
    text = files("sightline.profile").joinpath(f"prompts/{prompt}").read_text(encoding="utf-8")
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def today_spelled() -> str:
    return f"{now():%B %-d, %Y}"


def evidence_block(passages: Mapping[str, Passage]) -> str:
    """Passages as a model is shown them, one JSON object a line."""
    shown = []
    for key, each in passages.items():
        line = {"id": key, "text": each.text}
        line |= {"title": each.title} if each.title else {}
        line |= {"published": each.day.date().isoformat()} if each.day else {}
        line |= {"note": each.note} if each.note else {}
        shown.append(harmless(json.dumps(line, ensure_ascii=False)))
    return "<evidence>\n" + "\n".join(shown) + "\n</evidence>"


def quoted_of(passages: Mapping[str, Passage], sources: Sequence[Cited]) -> list[Quoted] | None:
    """The quotes with what is around them; None when there is none, or one is not of what was shown."""
    found = [(passages.get(each.id), normalized(each.quote)) for each in sources]
    quoted = [p.quoted(quote) for p, quote in found if p and len(quote) > 1 and quote in p.text]
    return quoted if quoted and len(quoted) == len(found) else None


def _passages(
    row: Statement,
    key: tuple[str, int] | None,
    text_of: TextOf,
    addresses: Mapping[UUID, Address],
) -> Iterator[tuple[str, Passage]]:
    """What the statement was made from: quotes with the words around them, or what its data say."""
    quotes: Sequence[Quote] = row.get("sources") or ()
    # A model's own words prove nothing.
    data = () if is_written(row) else tuple(quote for quote in quotes if quote.text is None)
    note = _note(row, key)
    if data and row.get("description"):
        text = normalized(str(row["description"]))
        at = addresses.get(data[0].document_id, {})
        title, day = at.get("title"), at.get("published_at")
        yield text, Passage(text, key, proofs=data, title=title, day=day, note=note)
    for quote in quotes:
        said = normalized(quote.text or "")
        held = text_of(quote.document_id) if said else None
        around = _around(held, said) if held else None
        if held is not None and around is not None:
            address = addresses.get(quote.document_id, {})
            yield said, Passage(
                held[slice(*around)], key, quote.document_id, around[0],
                title=address.get("title"), day=address.get("published_at"), note=note,
            )  # fmt: skip


def _note(row: Statement, key: tuple[str, int] | None) -> str | None:
    """What is known of a statement besides."""
    if key is not None and key[0] == "custom_insights":
        return f"for {QUESTIONS}{key[1] + 1}"
    change = row.get("change")  # of a risk a word, of a figure a number
    return f"{change} in the newest report" if isinstance(change, str) else row.get("note")


def _around(text: str, quote: str) -> tuple[int, int] | None:
    """Where the whole sentences around a quote stand in a text with single spaces; None when it is not
    there."""
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
    return start, end
