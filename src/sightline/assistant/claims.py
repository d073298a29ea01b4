"""The schema of a model's reply, and which of its sentences are proven: by verbatim quotes of sources that
the model was shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from pydantic import BaseModel, Field

from sightline.assistant.contract import Listener, Statement
from sightline.assistant.shown import CALCULATION, Shown, ShownSources, cite
from sightline.assistant.units import unscaled
from sightline.llm.models import ModelConfig
from sightline.reading.orders import is_order
from sightline.reading.proof import Claim, Judged, Quoted, claim_fault, verify
from sightline.reading.stated import PLAIN, fault, normalized
from sightline.reading.tables import CELL
from sightline.reading.terms import terms

_MARK: Final = re.compile(r"\s*[\[(](S\d+(?:\s*[,;]\s*S\d+)*)[\])]")
_ELISIONS: Final = ("[...]", "[…]", "...")  # written for …
_DEMONSTRATIVES: Final = ("this", "that", "these", "those")
# A sign that stands at no figure: of a column, a row or a caption.
_SHARE: Final = re.compile(r"(?:^|[^\d\s)])[^\S\n]*(?:%|per\s?cent)", re.I | re.M)
_LONGEST_CONTEXT: Final = 2_300  # characters of what the verifier sees of a source
_LEAST_SURROUNDINGS: Final = 800  # of them around the quote
_DIGITS: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")

_MOST_SENTENCES: Final = 8
_ANSWERED: Final = '"fully", "partly", "no" or, of a question for advice, "advice".'
_OPEN: Final = (
    "The thing, period or place asked about that the sources do not give, in a few words of the question;"
    " never the whole question again; empty when nothing is open."
)
_LONGEST_OPEN: Final = 160  # characters
_ECHO: Final = 0.75  # of the question's words; who says more of them names no part of it


class Cited(BaseModel):
    id: str = Field(description="The id of a source, as a tool gave it: S3.")
    quote: str = Field(default="", description="Words of that source's text, copied exactly.")


class Sentence(BaseModel):
    text: str = Field(description="One short, complete sentence.")
    sources: list[Cited] = Field(default=[], description="What proves it.")


class _Reply(BaseModel):
    answered: str = Field(default="fully", description=_ANSWERED, max_length=20)
    left_open: str = Field(default="", description=_OPEN)

    @property
    def how_far(self) -> str:
        """How far the model says that it answered."""
        return self.answered.strip().casefold()


class LlmAnswer(_Reply):
    """The answer, sentence by sentence; none when the sources do not answer, or advice is asked for."""

    sentences: list[Sentence] = []


class PlanStep(BaseModel):
    action: str = Field(description="What to do, as one short imperative sentence.", max_length=300)
    reason: Sentence


class LlmPlan(_Reply):
    """The plan, step by step; none without evidence."""

    steps: list[PlanStep] = []


Output = LlmAnswer | LlmPlan


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that nothing speaks against yet: the verifier has to decide. `cited` are source ids."""

    statement: Statement
    claim: Claim
    cited: tuple[str, ...]

    @property
    def leans(self) -> bool:
        """Whether it begins with what only the sentence before it says."""
        return self.statement.text.split(maxsplit=1)[0].casefold() in _DEMONSTRATIVES


@dataclass
class Judge:
    """Which sentences of a reply are proven, by their places; the model may mend the others once."""

    config: ModelConfig
    listener: Listener
    shown: ShownSources
    names: Sequence[str]  # of the company, its own first
    question: str
    candidates: dict[int, Candidate] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    tokens: int = 0  # of the verifier
    _verdicts: dict[str, Judged] = field(default_factory=dict)  # by the mark of the claim

    @property
    def known(self) -> str:
        return "\n".join(self.names)

    async def verify(self) -> None:
        """Ask the verifier about the candidates; those that it refuses become faults."""
        if not self._verdicts:
            await self.listener.step("checking")
        marks = {place: each.claim.mark for place, each in self.candidates.items()}
        asked = {m: self.candidates[p].claim for p, m in marks.items() if m not in self._verdicts}
        verified = await verify(self.config, list(asked.values()))
        self._verdicts |= dict(zip(asked, verified.judged, strict=True))
        self.tokens += verified.tokens
        for place, mark in marks.items():
            if self._verdicts[mark].verdict != "supported":
                del self.candidates[place]
                self.faults.append(f"{place}: its quotes, where they stand, do not say all of it")

    def left_open(self, said: Output) -> str:
        """What the model says is open, where that names a part of the question and nothing beyond it."""
        words = normalized(said.left_open).rstrip(".?")[:_LONGEST_OPEN]
        stated = f"{self.question}\n{self.known}"
        asked = set(terms(self.question)) - set(terms(self.known))
        is_echo = len(asked & set(terms(words))) > _ECHO * len(asked)
        return "" if is_echo or is_order(words) or fault(words, stated) else words

    def read(self, said: Output) -> None:
        """Which sentences can go to the verifier."""
        self.candidates, self.faults = {}, []
        if isinstance(said, LlmPlan):
            pairs = [(step.reason, step.action) for step in said.steps]
        else:
            pairs = [(sentence, "") for sentence in said.sentences]
        if said.how_far in ("no", "advice"):
            pairs = []
        judged = partial(candidate, shown=self.shown, company=next(iter(self.names), ""))
        for number, (sentence, action) in enumerate(pairs[:_MOST_SENTENCES], start=1):
            found = judged(sentence, known=self.known, question=self.question, action=action)
            if isinstance(found, str):
                self.faults.append(f"{number}: {found}")
            else:
                self.candidates[number] = found


def candidate(
    sentence: Sentence,
    shown: ShownSources,
    *,
    company: str,
    known: str,
    question: str = "",
    action: str = "",
) -> Candidate | str:
    """The sentence as a claim, or what is wrong with it, in words for the model."""
    text = normalized(_MARK.sub("", sentence.text))
    try:
        cited = list(_cited(sentence.sources, shown))
    except _NotShown as fault_of_source:
        return str(fault_of_source)
    if not cited or not text:
        return "it has no source"
    if is_order(text) or is_order(action):
        return "it is not about the company"
    claim = Claim(text, tuple(_quoted(one, quote) for _, one, quote in cited), company, question)
    if wrong := _wrong(claim, cited, action, known):
        return wrong
    # What is cited: the document of a quote, and of a calculation the sources of its numbers.
    sources = dict.fromkeys(
        source if one.kind == CALCULATION
        else cite(source, quote, beside=quote not in normalized(one.text))
        for _, one, quote in cited for source in one.sources
    )  # fmt: skip
    names = dict.fromkeys(name for name, _, _ in cited)
    return Candidate(Statement(text, tuple(sources), action), claim, tuple(names))


def _wrong(
    claim: Claim, cited: Sequence[tuple[str, Shown, str]], action: str, known: str
) -> str | None:
    """What a sentence, or the action of a step, states beyond its quotes."""
    results = [number for _, one, quote in cited for number in (*one.results, *_scaled(one, quote))]
    wrong = claim_fault(claim, known=known, results=results)
    if wrong is not None or not action:
        return wrong
    stated = "\n".join(one.quotable for _, one, _ in cited)
    return fault(action, stated, known=known, results=results)


class _NotShown(Exception):
    """A source or a quote that the model was not shown."""


def _cited(sources: Sequence[Cited], shown: ShownSources) -> Iterator[tuple[str, Shown, str]]:
    """Each quote as its source has it, with the source and its id. Raises _NotShown."""
    for each in sources:
        name = each.id.strip().strip("[]").upper()
        one = shown.by_id.get(name)
        if one is None:
            raise _NotShown(f"there is no source {each.id!r}")
        # A model that quotes the line above a source may begin with its id and kind.
        said = each.quote.strip().removeprefix(f"{name} | ").removeprefix(f"{one.kind} | ")
        for quote in _quotes(said, one):
            if quote is None:
                raise _NotShown(f"the quote is not word for word in {name}: {each.quote[:80]!r}")
            yield name, one, quote


def _quotes(quote: str, shown: Shown) -> Iterator[str | None]:
    """The quote as the source has it, in its parts where words or lines were left out; None where it has
    not. A calculation is quoted whole, with the lines that its numbers stand in."""
    wanted = quote.strip().strip('"“”')
    if shown.kind == CALCULATION:
        yield normalized(f"{shown.text}\n{shown.context}")
        return
    for elision in _ELISIONS:
        wanted = wanted.replace(elision, "…")
    for part in filter(None, map(str.strip, wanted.split("…"))):
        whole = _verbatim(part, shown.quotable)
        lines = [part] if whole else filter(str.strip, part.split("\n"))
        yield from (whole or _verbatim(line, shown.quotable) for line in lines)


def _verbatim(quote: str, text: str) -> str | None:
    words, whole = normalized(quote), normalized(text)
    at = whole.translate(PLAIN).find(words.translate(PLAIN))
    return whole[at : at + len(words)] if at >= 0 and len(words) > 1 else None


def _quoted(shown: Shown, quote: str) -> Quoted:
    """A quote as the verifier sees it: in its surroundings, below what stands above them, the head of its
    table included."""
    source, text = shown.sources[0], normalized(shown.text)
    if shown.kind == CALCULATION:
        return Quoted(quote, "", source.title, source.published_at)
    above = [part for part in (shown.company, shown.head, shown.context) if part]
    table = shown.table(quote)
    room = max(_LEAST_SURROUNDINGS, _LONGEST_CONTEXT - sum(map(len, [*above, table])), len(quote))
    if len(text) > room:
        middle = max(0, text.find(quote)) + len(quote) // 2
        start = max(0, min(middle - room // 2, len(text) - room))
        text = text[start : start + room]
        above += [table] if table else []
    head = "\n".join(above)
    return Quoted(quote, f"{head}\n{text}", source.title, source.published_at, head)


def _scaled(shown: Shown, quote: str) -> Iterator[float]:
    """What the bare numbers of a quote mean in its table: in whole units where that says "in thousands",
    as they are where a column, a row or the caption says that it shows a share."""
    numbers = [float(digits.replace(",", "")) for digits in _DIGITS.findall(quote)]
    if scale := shown.scale(quote):
        yield from (number * scale for number in numbers)
    elif scale := shown.notes_scale:
        yield from (amount * scale for amount in unscaled(quote))
    start, end = shown.row(quote)
    if CELL in shown.text[start:end] and _SHARE.search(f"{shown.context}\n{shown.text[:end]}"):
        yield from numbers
