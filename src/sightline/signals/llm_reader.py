"""Events read from sentences by a language model: bound to the types, proven sentence by sentence. Pure but
for the two requests, one that reads and one that verifies.

What cannot be proven is dropped: a statement with a number, date or name that its words lack, and an event
whose type or sides the verifier does not find in them. Where only the statement is doubted, the quote is.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files
from typing import Any, Final, get_args

from pydantic import BaseModel

from sightline.domain.mentions import Mention, NamedCompany, SignalAmount, SignalParty
from sightline.domain.signals import KINDS, NOT_IN_SENTENCES, PartyRole, Realis, SignalType
from sightline.llm.asking import ask
from sightline.llm.models import ModelConfig
from sightline.reading import proof
from sightline.reading.dates import names_day, names_month
from sightline.reading.money import sums_in
from sightline.reading.named import named_in
from sightline.reading.periods import years_in
from sightline.reading.proof import Claim, Quoted, claim_fault, harmless, stands, verify
from sightline.signals.contract import is_company
from sightline.signals.dating import is_old
from sightline.signals.making import in_its_name, mention_of
from sightline.signals.units import Unit

PROMPT_VERSION: Final = 7
BATCH: Final = 30
"""Sentences of one request."""
MOST_TOKENS: Final = 4_000  # of an answer
_AROUND: Final = 300  # characters before and after a sentence
_SHORT: Final = 2_400  # characters of a unit that all its sentences are judged in
# Sentences before and after one that may stand in its quote, the fewest first.
_BESIDE: Final = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (2, 1), (3, 0), (4, 0))
_CHARACTERS_A_TOKEN: Final = 3.5
_CONFIDENCE: Final = 0.9
_REALIS: Final[tuple[Realis, ...]] = get_args(Realis)
_FRAMES: Final[dict[str, str]] = {
    "happened": "{}.", "ongoing": "It is under way that {}.", "planned": "It is planned that {}.",
    "possible": "It is possible that {}.", "denied": "It is denied that {}.",
}  # fmt: skip


class ReadEvent(BaseModel):
    # Lenient, so that one event of another shape does not void the others.
    sentence: str | int
    type: str
    statement: str
    realis: str = "happened"
    actors: list[str] = []
    others: list[str] = []
    day: str | None = None
    day_quote: str | None = None
    amount: float | None = None
    currency: str | None = None
    place: str | None = None


class Answer(BaseModel):
    events: list[ReadEvent]


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence to be read, with what stands around it. `key` is the same only for the same model, prompt,
    company, sentence and surroundings."""

    unit: Unit
    span: tuple[int, int]
    key: str

    @property
    def sentence(self) -> str:
        return self.unit.document.text[self.span[0] : self.span[1]]

    @property
    def context(self) -> str:
        return self.around(self.span)

    def around(self, span: tuple[int, int]) -> str:
        """A stretch of the document in its unit, or the words about it where the unit is long."""
        text, start, end = self.unit.document.text, self.unit.spans[0][0], self.unit.spans[-1][1]
        if end - start > _SHORT:
            start, end = max(0, span[0] - _AROUND), span[1] + _AROUND
        return text[start:end]

    @property
    def stretches(self) -> list[tuple[int, int]]:
        """The sentence, and what it makes with those beside it, the shortest first."""
        spans = self.unit.spans
        at = spans.index(self.span)
        return [
            (spans[at - before][0], spans[at + after][1])
            for before, after in _BESIDE
            if before <= at and at + after < len(spans)
        ]


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """The proven events by the sentence's key, [] for none, and the tokens they took."""

    events: Mapping[str, list[dict[str, Any]]]
    tokens: int


def asked_of(unit: Unit, span: tuple[int, int], company: NamedCompany, model: ModelConfig) -> Asked:
    """A sentence of a unit as it is asked for."""
    asked = Asked(unit, span, "")
    parts = [
        model.name, str(PROMPT_VERSION), str(proof.VERSION), company.name, str(unit.said),
        str(unit.cover), asked.context, asked.sentence,
    ]  # fmt: skip
    return replace(asked, key=hashlib.sha256("\x1f".join(parts).encode()).hexdigest())


def most_tokens(batch: Sequence[Asked], company: NamedCompany) -> int:
    """The most that reading and verifying a batch takes, about."""
    size = len(_instructions(company.name)) + len(_prompt(batch))
    return 3 * (int(size / _CHARACTERS_A_TOKEN) + MOST_TOKENS)


async def read_batch(
    model: ModelConfig, batch: Sequence[Asked], company: NamedCompany
) -> ReadBatch:
    """What the model reads in some sentences, verified. Raises ModelDidNotAnswer."""
    instructions, prompt = _instructions(company.name), _prompt(batch)
    answered = await ask(
        model, Answer, instructions=instructions, prompt=prompt, most_tokens=MOST_TOKENS
    )
    tokens = answered.input_tokens + answered.output_tokens
    claimed = list(_claimed(batch, answered.output.events, company))
    verified = await verify(model, [claim for *_, claim in claimed])
    pairs = list(zip(claimed, verified.judged, strict=True))
    proven = [(asked, event) for (asked, event, _), each in pairs if each.verdict == "supported"]
    doubted = [
        (asked, event, replace(claim, text=_core(event)))
        for (asked, event, claim), each in pairs
        if each.verdict == "not_said" and event.type != SignalType.OTHER_EVENT
    ]
    again = await verify(model, [claim for *_, claim in doubted])
    for (asked, event, claim), each in zip(doubted, again.judged, strict=True):
        if each.verdict == "supported":
            quote = claim.quotes[0].quote
            own = named_in(quote, (company.name, *company.names), speaks=asked.unit.speaks)
            event.statement = in_its_name(quote, own, company)
            proven.append((asked, event))
    events: dict[str, list[dict[str, Any]]] = {each.key: [] for each in batch}
    for asked, event in proven:
        events[asked.key].append(event.model_dump(exclude={"sentence"}))
    return ReadBatch(events, tokens + verified.tokens + again.tokens)


def _claimed(
    batch: Sequence[Asked], events: Sequence[ReadEvent], company: NamedCompany
) -> Iterator[tuple[Asked, ReadEvent, Claim]]:
    """The events of an answer that have a sentence, are of the schema and state nothing that it lacks."""
    by_id = {f"S{number}": each for number, each in enumerate(batch, start=1)}
    for event in events:
        asked = by_id.get(str(event.sentence))
        if asked and _is_of_the_schema(event) and (proof := _proof(asked, event, company)):
            yield asked, event, proof[1]


def _core(event: ReadEvent) -> str:
    """The type of an event and its two sides as a sentence: all that is said of one with its quote."""
    kind = KINDS[SignalType(event.type)]
    actor, other = (" and ".join(names) for names in (event.actors, event.others))
    other = other or (f"a {kind.other}" if kind.other else "")
    return _FRAMES[event.realis].format(
        f"{actor or f'the {kind.actor}'} {kind.verb} {other}".strip()
    )


def mentions_of(
    asked: Asked, stored: Sequence[Mapping[str, Any]], company: NamedCompany
) -> list[Mention]:
    """Mentions out of proven events as they are stored; what is of another shape is left out."""
    found = []
    for each in stored:
        with suppress(ValueError):
            event = ReadEvent.model_validate({"sentence": "", **each})
            found.append(_mention(asked, event, company))
    return found


def _is_of_the_schema(event: ReadEvent) -> bool:
    return (
        event.type in set(SignalType) - NOT_IN_SENTENCES
        and event.realis in _REALIS
        and bool(event.statement.strip())
    )


def _proof(
    asked: Asked, event: ReadEvent, company: NamedCompany
) -> tuple[tuple[int, int], Claim] | None:
    """The fewest sentences that have every name and figure of a statement, else the sentence with a further
    one of the unit, which says who "the buyer" is; None where they lack one."""
    near = sorted(asked.unit.spans, key=lambda span: abs(span[0] - asked.span[0]))
    tried = [*([each] for each in asked.stretches), *([asked.span, each] for each in near)]
    known = " ".join(company.names)
    for spans in tried:
        claim = Claim(event.statement, tuple(_quoted(asked, each) for each in spans), company.name)
        if claim_fault(claim, known=known) is None:
            return spans[0], claim
    return None


def _quoted(asked: Asked, span: tuple[int, int]) -> Quoted:
    document = asked.unit.document
    quote = document.text[slice(*span)]
    return Quoted(quote, asked.around(span), document.title, document.published_at)


def _mention(asked: Asked, event: ReadEvent, company: NamedCompany) -> Mention:
    type = SignalType(event.type)
    kind, words = KINDS[type], f"{asked.context}\n{event.statement}"
    proof = _proof(asked, event, company)
    day, precision = _day(event, asked, proof[1] if proof else None)
    others = _parties(event.others, kind.other, words, company) if kind.other else ()
    return mention_of(
        asked.unit, proof[0] if proof else asked.span, company, type=type,
        realis=next(each for each in _REALIS if each == event.realis), confidence=_CONFIDENCE,
        parties=[*_parties(event.actors, kind.actor, words, company), *others],
        amount=_amount(event, asked.context), day=day, precision=precision, statement=event.statement,
        location=event.place if event.place and stands(event.place, asked.context) else None,
    )  # fmt: skip


def _parties(
    names: Sequence[str], role: PartyRole, words: str, company: NamedCompany
) -> list[SignalParty]:
    """The names that stand in the words or the proven statement, and the company by its own."""
    return [
        SignalParty(role, company.name if is_company(name, company) else name)
        for name in dict.fromkeys(names)
        if is_company(name, company) or stands(name, words)
    ]


def _amount(event: ReadEvent, context: str) -> SignalAmount | None:
    """The sum, if the words have it."""
    if event.amount is None:
        return None
    same = [each for each in sums_in(context) if abs(each.amount - event.amount) < 1]
    return SignalAmount(same[0].amount, same[0].currency) if same else None


def _day(event: ReadEvent, asked: Asked, claim: Claim | None) -> tuple[date | None, str | None]:
    """The day that the words, the proof or the cover give, no dateline; of a month, or of another year, the
    first day, and "month" or "year"."""
    unit, given = asked.unit, event.day or ""
    said, words = unit.said, _words_of_day(event, asked, claim)
    with suppress(ValueError):
        day = date.fromisoformat(given)
        if names_day(words, day, said=said):
            return day, None
    with suppress(ValueError):
        month = date.fromisoformat(f"{given}-01")
        if names_month(words, month, said=said) and f"{said:%Y-%m}" != given:
            return month, "month"
    years = {year for year in years_in(words) if given.startswith(str(year)) and year != said.year}
    if not years and is_old(asked.sentence, said=said):
        years = set(years_in(asked.sentence))
    if years:
        return date(max(years), 1, 1), "year"
    return unit.day_in(asked.sentence), None


def _words_of_day(event: ReadEvent, asked: Asked, claim: Claim | None) -> str:
    """The words that may give the day of an event: its surroundings, its proof, its quote and the cover."""
    unit, quotes = asked.unit, [each.quote for each in (claim.quotes if claim else ())]
    if event.day_quote and stands(event.day_quote, unit.without_dateline(" ".join(unit.texts))):
        quotes.append(event.day_quote)
    cover = f"\n{unit.cover:%B %-d, %Y}" if unit.cover else ""
    return unit.without_dateline("\n".join([asked.context, *quotes])) + cover


def _instructions(name: str) -> str:
    place = files("sightline.signals").joinpath("prompts/read.md")
    types = "\n".join(
        f"- {type}: {kind.actor} {kind.verb}" + (f" {kind.other}" if kind.other else "")
        for type, kind in KINDS.items()
        if type not in NOT_IN_SENTENCES
    )
    text = place.read_text(encoding="utf-8").replace("{types}", types)
    return text.replace("{name}", harmless(name))


def _prompt(batch: Sequence[Asked]) -> str:
    """The sentences as they follow each other, with what stands before one where that is not asked too."""
    lines = []
    for number, each in enumerate(batch, start=1):
        before = batch[number - 2] if number > 1 else None
        line = {"id": f"S{number}"}
        if before is None or before.unit is not each.unit:
            line |= {
                "document": each.unit.document.title or "",
                "heading": each.unit.heading,
                "said": each.unit.said.isoformat(),
            }
            line |= {"earliest_event": str(each.unit.cover)} if each.unit.cover else {}
        is_next = before is not None and before.unit.document is each.unit.document
        read = before.span[1] if before is not None and is_next else 0
        start = each.span[0]
        if skipped := each.unit.document.text[max(read, start - _AROUND) : start].split():
            line["before"] = " ".join(skipped)
        lines.append(line | {"sentence": " ".join(each.sentence.split())})
    shown = "\n".join(harmless(json.dumps(line, ensure_ascii=False)) for line in lines)
    return f"<evidence>\n{shown}\n</evidence>"
