"""Proves what a model wrote: nothing is added to its quotes, and a verifier compares the meaning.

`fault` is free and finds invented quotes, numbers, dates and names. `verify` asks a model whether the
quotes, read in their surroundings, say the sentence. What is not `supported` must not be shown, stored
or charged. A writer needs both.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.resources import files
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, Field

from sightline.llm.asking import ModelDidNotAnswer, ask
from sightline.llm.models import ModelConfig
from sightline.reading.dates import meant_by
from sightline.reading.repeats import joined
from sightline.reading.stated import PLAIN, fault, normalized

Verdict = Literal["supported", "contradicted", "not_said"]

VERSION: Final = 6
"""Raised with every change of the prompt, of the pairs or of how verdicts are read: earlier checks and
verdicts no longer count."""

MOST_TOKENS: Final = 4_000  # of one answer, what a model thinks included
_MOST_CLAIMS: Final = 24  # of one request
_MOST_CHARACTERS: Final = 36_000  # of the passages and claims of one request
_LONGEST_CONTEXT: Final = 2_400  # characters around a quote
_LONGEST_CLAIM: Final = 1_500
_LEAST_WORDS: Final = 3  # of each piece that a verdict rests on, unless a whole quote has fewer
_CHARACTERS_A_TOKEN: Final = 3.5


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote and the text around it. For data, `quote` says what the data say and `context` is "".
    `above` are the lines that `context` begins with and that stand further up in the document, such as the
    head of a table.

    The result of a calculation is a quote of its own: "37 / 230 = 16.1 %".
    """

    quote: str
    context: str
    title: str | None
    published_at: datetime | None
    above: str = ""

    @property
    def head(self) -> str:
        """What the document's header says, and a sentence may repeat: its title and day."""
        day = self.published_at.date().isoformat() if self.published_at else ""
        return f"{self.title or ''} {day}".strip()

    @property
    def meant(self) -> str:
        """The day, month or year that "yesterday", "last month" and the like of the quote mean."""
        said = self.published_at
        return " ".join(meant_by(self.quote, said=said.date())) if said else ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with what it is said to follow from, and the company that it is about: the one that
    calls itself "we" in its own documents. `question` is what it answers; "" where none was asked."""

    text: str
    quotes: tuple[Quoted, ...]
    company: str = ""
    question: str = ""

    @property
    def mark(self) -> str:
        """The same only for the same sentence, quotes and surroundings."""
        parts = [self.text, self.company, *filter(None, [self.question])]
        for each in self.quotes:
            parts += [each.quote, each.context, each.title or "", str(each.published_at or "")]
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and the words of quotes or their contexts that it rests on; none for `not_said`. `use`: what
    a reader does with the claim, where that was asked."""

    verdict: Verdict
    words: tuple[str, ...] = ()
    use: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdicts, in the order of the claims, and the tokens they took."""

    judged: list[Judged]
    tokens: int


NOT_SAID: Final = Judged("not_said")


class Ruling(BaseModel):
    # Lenient, so that one answer of another shape does not void the others.
    id: str | int
    verdict: str = Field(json_schema_extra={"enum": list(get_args(Verdict))})
    words: list[str] | str = []


class _Verdicts(BaseModel):
    verdicts: Sequence[Ruling]


class _RulingOnUse(Ruling):
    use: str = Field(default="", json_schema_extra={"enum": ["acts", "knows", "none"]})


class _VerdictsOnUse(_Verdicts):
    verdicts: Sequence[_RulingOnUse]


def claim_fault(claim: Claim, *, known: str = "", results: Sequence[float] = ()) -> str | None:
    """Why a claim needs no verifier to be refused: no quote, one that does not stand in its context,
    or something that no quote has. None when the verifier has to decide."""
    if not claim.quotes or not claim.text.strip():
        return "no quote"
    for each in claim.quotes:
        if not stands(each.quote, each.context or each.quote):
            return f"not in its document: {each.quote[:80]}"
    proof = "\n".join(f"{each.quote}\n{each.head}\n{each.meant}" for each in claim.quotes)
    around = "\n".join(dict.fromkeys(each.context for each in claim.quotes))
    return fault(
        claim.text, proof, known=f"{claim.company}\n{known}", around=around, results=results
    )


def own_words(text: str) -> Quoted:
    """What the seller's organization says of itself: proof of what is said of its offer."""
    return Quoted(text, "", "The seller's own words", None)


def stands(quote: str, text: str) -> bool:
    """Whether a quote appears verbatim in a text, white space apart; one letter is no quote."""
    words = normalized(quote)
    return len(words) > 1 and words in normalized(text)


def harmless(text: str) -> str:
    """Material without what would end the block of a prompt that it stands in."""
    return re.sub(r"<(/?)\s*(evidence|passages|claims)", r"‹\1\2", text, flags=re.I)


async def verify(config: ModelConfig, claims: Sequence[Claim], *, use: str = "") -> Verification:
    """One verdict for each claim, in order, and what they took. Asks the verifier of `config`, else its
    model, once for some two dozen claims. `use` says for whom they are: then their use is judged too.

    A verdict that is missing, malformed, given twice or rests on words that stand nowhere is
    `not_said`. Raises ModelDidNotAnswer when a request fails: nothing of `claims` may be shown then.
    """
    verdicts = [NOT_SAID] * len(claims)
    tokens = 0
    asked = [
        number
        for number, claim in enumerate(claims)
        if claim.quotes and 0 < len(normalized(claim.text)) <= _LONGEST_CLAIM
    ]
    for batch in batches([claims[number] for number in asked]):
        found = await _verify_batch(config.verifier or config, batch, use)
        for judged in found.judged:
            verdicts[asked.pop(0)] = judged
        tokens += found.tokens
    return Verification(verdicts, tokens)


def batches(claims: Sequence[Claim]) -> Iterator[Sequence[Claim]]:
    """The claims as they are sent, request by request."""
    start, size = 0, 0
    shown: list[_Passage] = []
    for number, claim in enumerate(claims):
        own = len(claim.text) + sum(len(each.quote) for each in claim.quotes if each.context)
        size += own
        _show(claim, shown)
        is_long = size + sum(len(each.whole) for each in shown) > _MOST_CHARACTERS
        if number > start and (number - start >= _MOST_CLAIMS or is_long):
            yield claims[start:number]
            start, size, shown = number, own, []
            _show(claim, shown)
    if start < len(claims):
        yield claims[start:]


def most_tokens(claims: Sequence[Claim]) -> int:
    """The most that verifying can take, about: for what is reserved before."""
    size = sum(len(_instructions()) + len(_prompt(batch)) for batch in batches(claims))
    return int(size / _CHARACTERS_A_TOKEN) + MOST_TOKENS * sum(1 for _ in batches(claims))


async def _verify_batch(config: ModelConfig, claims: Sequence[Claim], use: str) -> Verification:
    try:
        said = await ask(
            config,
            _VerdictsOnUse if use else _Verdicts,
            instructions=f"{_instructions()}\n{use}".strip(),
            prompt=_prompt(claims),
            most_tokens=MOST_TOKENS,
        )
    except ModelDidNotAnswer as error:
        if error.reason != "malformed":
            raise
        return Verification([NOT_SAID] * len(claims), most_tokens(claims))
    given: dict[str, Ruling | None] = {}
    for each in said.output.verdicts:
        given[str(each.id)] = None if str(each.id) in given else each  # two verdicts are none
    passages = _passages(claims)
    judged = [
        _judged(given.get(f"C{number}"), claim, passages)
        for number, claim in enumerate(claims, start=1)
    ]
    return Verification(judged, said.input_tokens + said.output_tokens)


def _judged(given: Ruling | None, claim: Claim, passages: Sequence["_Passage"]) -> Judged:
    use = given.use if isinstance(given, _RulingOnUse) else ""
    if given is None or given.verdict not in ("supported", "contradicted"):
        return Judged("not_said", use=use)
    words = [given.words] if isinstance(given.words, str) else given.words
    words = [each for each in words if each.strip()]
    if not words or not all(_is_ground(each, claim, passages) for each in words):
        return Judged("not_said", use=use)
    verdict: Verdict = "supported" if given.verdict == "supported" else "contradicted"
    return Judged(verdict, tuple(words), use)


def _is_ground(words: str, claim: Claim, passages: Sequence["_Passage"]) -> bool:
    """Whether words stand in one quote or its passage, and are enough to rest on."""
    piece = _comparable(words)
    quotes = [_comparable(each.quote) for each in claim.quotes]
    if piece in quotes:
        return True
    shown = [*quotes, *(_comparable(_shown(each, passages)[1].whole) for each in claim.quotes)]
    return len(piece.split()) >= _LEAST_WORDS and any(piece in text for text in shown)


def _comparable(text: str) -> str:
    # Passages are shown as JSON: a model may copy its marks with the strokes before them.
    return normalized(text.replace('\\"', '"')).translate(PLAIN)


def _instructions() -> str:
    return files("sightline.reading").joinpath("prompts/verify.md").read_text("utf-8")


def _prompt(claims: Sequence[Claim]) -> str:
    """Passages, each once, and the claims that name them, as lines of JSON. A claim that names a passage
    without a quote quotes all of it."""
    passages = _passages(claims)
    lines: list[dict[str, Any]] = []
    for number, claim in enumerate(claims, start=1):
        quotes = []
        for each in claim.quotes:
            whole = {} if not each.context else {"quote": normalized(each.quote)}
            quotes.append({"passage": f"P{_shown(each, passages)[0]}", **whole})
        about = {"company": claim.company} if claim.company else {}
        about |= {"question": normalized(claim.question)} if claim.question else {}
        text = normalized(claim.text)
        lines.append({"id": f"C{number}", **about, "claim": text, "quotes": quotes})
    shown = [{"id": f"P{number}", **each.row()} for number, each in enumerate(passages, start=1)]
    return f"<passages>\n{_block(shown)}\n</passages>\n\n<claims>\n{_block(lines)}\n</claims>"


def _block(lines: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(harmless(json.dumps(line, ensure_ascii=False)) for line in lines)


@dataclass(frozen=True, slots=True)
class _Passage:
    """A stretch of a document as it is shown, below the lines `above`; `is_data` is a quote without
    surroundings."""

    title: str | None
    published: str | None
    text: str
    is_data: bool
    above: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        return "\n".join([*self.above, self.text])

    def row(self) -> dict[str, str]:
        """The passage as a line of the prompt."""
        found = {"title": self.title, "text": self.whole, "published": self.published}
        return {key: value for key, value in found.items() if value}

    def has(self, other: "_Passage") -> bool:
        """Whether another is a part of it."""
        is_part = other.text == self.text if self.is_data else other.text in self.text
        is_below = set(other.above) <= set(self.above)
        return is_part and is_below and replace(self, text=other.text, above=other.above) == other

    def joined(self, other: "_Passage") -> "_Passage | None":
        """Two stretches of one text as one, below the lines above both; None where they are of different
        texts or do not overlap."""
        if self.is_data or replace(self, text=other.text, above=other.above) != other:
            return None
        text = joined(self.text, other.text)
        above = tuple(dict.fromkeys((*self.above, *other.above)))
        return replace(self, text=text, above=above) if text is not None else None


def _passages(claims: Sequence[Claim]) -> list[_Passage]:
    """What is shown for some claims: stretches of one text that overlap are one."""
    found: list[_Passage] = []
    for claim in claims:
        _show(claim, found)
    return found


def _show(claim: Claim, shown: list[_Passage]) -> None:
    """Add what a claim needs to the passages that are shown."""
    for passage in map(_passage, claim.quotes):
        if any(each.has(passage) for each in shown):
            continue
        whole, at = passage, len(shown)
        for number, each in reversed([*enumerate(shown)]):
            if wider := each.joined(whole):
                del shown[number]
                whole, at = wider, number
        shown.insert(at, whole)


def _shown(quoted: Quoted, passages: Sequence[_Passage]) -> tuple[int, _Passage]:
    """The passage that has a quote's surroundings, and its number from 1."""
    own = _passage(quoted)
    return next((n, each) for n, each in enumerate(passages, start=1) if each.has(own))


def _passage(quoted: Quoted) -> _Passage:
    """The surroundings of a quote, or the quote itself where there are none."""
    day = quoted.published_at.date().isoformat() if quoted.published_at else None
    quote, context = normalized(quoted.quote), normalized(quoted.context.removeprefix(quoted.above))
    if not context:
        return _Passage(quoted.title, day, quote, is_data=True)
    above = tuple(filter(None, map(normalized, quoted.above.split("\n"))))
    text = _around(quote, context, is_above=quote in " ".join(above))
    return _Passage(quoted.title, day, text, is_data=False, above=above)


def _around(quote: str, context: str, *, is_above: bool) -> str:
    at = 0 if is_above else context.find(quote)
    if at < 0:
        return f"{quote}\n{context}"[:_LONGEST_CONTEXT].strip()
    room = max(0, _LONGEST_CONTEXT - len(quote))
    start = max(0, min(at - room // 2, len(context) - _LONGEST_CONTEXT))
    return context[start : max(start + _LONGEST_CONTEXT, at + len(quote))]
