"""Events read from sentences by the heads over the encoder's vectors, where no model reads.

The event head says which type a sentence tells; a type counts from its own threshold on, at which it was
right four times in five on companies kept aside. In the items of current reports the number of the item
says the type already, and the heads only choose the sentence. Without the encoder items alone are read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from sightline.domain.mentions import NamedCompany
from sightline.domain.signals import (
    KINDS,
    NOT_IN_SENTENCES,
    PartyRole,
    Realis,
    SignalFamily,
    SignalType,
    family_of,
)
from sightline.reading.heads import LABELS, Floats, Head, head, sentence_vectors
from sightline.reading.named import Span, named_in
from sightline.reading.onnx_encoder import OnnxEncoder
from sightline.signals.dating import is_old, is_past
from sightline.signals.units import DONE_ITEMS, MANY, Unit

# The probability that the heads must give to a type that the number of an item allows.
LEAST_IN_ITEM: Final = 0.3
LEAST_AMONG_MANY: Final = 0.15  # where every sentence may say one
_LEAST_IN_NOTE: Final = 0.5  # of all types together that the heading of a note allows
# And to results, once a sentence of the unit tells them.
_LEAST_FIGURE: Final = 0.15
_LEAST_ROLE: Final = 0.6
_LEAST_REALIS: Final = 0.6
_MOST_NEITHER: Final = 0.5
_LEADS: Final = 3  # sentences of a piece of news that tell its event, with its title
# The probability of no event from which not even a model is asked.
_NO_EVENT: Final = 0.9
# Of a sentence whose type the number of its item says.
_SURE_OF_ITEM: Final = 0.85
# "Borealis was acquired by", but not "is pleased to"; "against Borealis", "Vale v. Borealis".
_PASSIVE: Final = re.compile(
    r"[\s,]+(?:(?:has|have|had|will)\s+)?(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?\w+ed\b(?!\s+to\b)"
)
_AGAINST: Final = re.compile(r"(?:\bagainst|\bvs?\.)\s+(?:the\s+)?$")
_SUED: Final = re.compile(r"\b(?:defendant|respondent)s?\b", re.I)
_RESULTS: Final = SignalType.EARNINGS_RELEASED
_EVENTS: Final = LABELS["event"]
_TYPES: Final = tuple(SignalType(each) for each in _EVENTS[1:])
_COLUMN: Final = {type: number for number, type in enumerate(_TYPES, start=1)}


@dataclass(frozen=True, slots=True)
class Found:
    """An event that a sentence tells. `role` is the company's place in it, None when unsure."""

    type: SignalType
    span: Span
    realis: Realis
    role: PartyRole | None
    confidence: float


@dataclass(frozen=True, slots=True)
class _Read:
    """What the heads say of the sentences of a unit, a row each, and where each names the company."""

    named: Sequence[Sequence[Span]]
    events: Floats
    roles: Floats
    realis: Floats


class LocalReader:
    """Reads units with the heads; `encoder` None reads by the structure of documents alone."""

    def __init__(self, encoder: OnnxEncoder | None) -> None:
        self.encoder = encoder

    def read(self, unit: Unit, company: NamedCompany, *, everyone: bool = False) -> list[Found]:
        """The events of a unit, in the order of its text, each type once but those of people and
        results, of which every sentence is given. `everyone`: also those of others. Raises EncoderFailed."""
        usable = [
            number
            for number, text in enumerate(unit.texts)
            if not is_old(text, said=unit.said)
            and not (unit.kind == "note" and is_past(text, said=unit.said))
        ]
        if not usable:
            return []
        if self.encoder is None:
            return _by_structure(unit, company, usable)
        named = self._named(unit, company)
        read = self._heads(unit.texts, named)
        found: dict[tuple[SignalType, Span | None], Found] = {}
        own = [n for n in usable if named[n] or unit.speaks or everyone]
        for each in (
            *_of_item(unit, read, usable),
            *_free(unit, read, own, everyone=everyone),
            *_together(unit, read, own, everyone=everyone),
        ):
            many = family_of(each.type) == SignalFamily.LEADERSHIP_MOVES or each.type == _RESULTS
            key = (each.type, each.span if many else None)
            if key not in found or found[key].confidence < each.confidence:
                found[key] = each
        if any(each.type == _RESULTS for each in found.values()):
            for each in _results(unit, read, usable):
                found.setdefault((each.type, each.span), each)
        return sorted(found.values(), key=lambda each: each.span)

    def worth_reading(self, unit: Unit, company: NamedCompany) -> list[Span]:
        """The sentences in which an event is not out of the question: all, without the encoder."""
        if self.encoder is None or not unit.spans:
            return list(unit.spans)
        events = self._heads(unit.texts, self._named(unit, company)).events
        return [
            span
            for span, chances in zip(unit.spans, events, strict=True)
            if unit.types or chances[0] <= _NO_EVENT
        ]

    def roles(self, sentence: str, spans: Sequence[Span]) -> Floats:
        """(spans, actor | other | neither): the place of each name in what the sentence tells."""
        if self.encoder is None or not spans:
            return np.zeros((0, 3), np.float32)
        rows = sentence_vectors(self.encoder, [sentence] * len(spans), [[each] for each in spans])
        return head("role").probabilities(rows)

    def _named(self, unit: Unit, company: NamedCompany) -> list[list[Span]]:
        names = (company.name, *company.names)
        return [named_in(text, names, speaks=unit.speaks) for text in unit.texts]

    def _heads(self, texts: Sequence[str], named: Sequence[Sequence[Span]]) -> _Read:
        assert self.encoder is not None
        rows = sentence_vectors(self.encoder, texts, named)
        return _Read(
            named,
            head("event").probabilities(rows),
            head("role").probabilities(rows),
            head("realis").probabilities(rows),
        )


def _of_item(unit: Unit, read: _Read, usable: Sequence[int]) -> list[Found]:
    """What the item's number says, with the sentence that says it best, and its other types where a
    sentence says them."""
    if not unit.types:
        return []
    chances = read.events[np.ix_(usable, [_COLUMN[type] for type in unit.types])]
    likely = chances.argmax(axis=1)
    found = []
    if unit.item in MANY:
        pairs = [(row, int(likely[row])) for row in range(len(usable))]
    else:
        pairs = [(int(chances[:, column].argmax()), column) for column in range(len(unit.types))]
    for row, column in pairs:
        chance = float(chances[row].sum() if unit.is_open else chances[row, column])
        if chance >= _least(unit) and column == likely[row]:
            sure = chance if unit.kind == "note" else _SURE_OF_ITEM + 0.1 * chance
            found.append(_found(unit, read, usable[row], unit.types[column], confidence=sure))
    if not found and not unit.is_open:
        best = usable[int(chances.sum(axis=1).argmax())]
        found.append(_found(unit, read, best, unit.types[0], confidence=_SURE_OF_ITEM))
    return [each for each in found if each is not None]


def _least(unit: Unit) -> float:
    if unit.kind == "note":
        return _LEAST_IN_NOTE
    return LEAST_AMONG_MANY if unit.item in MANY else LEAST_IN_ITEM


def _results(unit: Unit, read: _Read, usable: Sequence[int]) -> list[Found]:
    """The sentences with figures of a unit that releases results, from a lower chance on."""
    column = _COLUMN[_RESULTS]
    found = [
        _found(unit, read, number, _RESULTS, confidence=float(read.events[number, column]))
        for number in usable
        if read.events[number, column] >= _LEAST_FIGURE
    ]
    return [each for each in found if each is not None]


def _free(unit: Unit, read: _Read, usable: Sequence[int], *, everyone: bool) -> list[Found]:
    """What sentences say by themselves, each type from its threshold on."""
    trained: Head = head("event")
    found = []
    for number in usable:
        chances = read.events[number]
        best = int(chances.argmax())
        is_said = best and chances[best] >= trained.thresholds[best]
        if is_said and (everyone or _has_part(unit, read, number)):
            chance = float(chances[best])
            found.append(_found(unit, read, number, _TYPES[best - 1], confidence=chance))
    return [each for each in found if each is not None]


def _together(unit: Unit, read: _Read, usable: Sequence[int], *, everyone: bool) -> list[Found]:
    """What the title and the first sentences of a piece of news, of a release or of an item for other events
    say together: it is about one event, and several that each say it halfway are as sure as one that says it
    fully."""
    first = [number for number in usable[:_LEADS] if everyone or _has_part(unit, read, number)]
    if not unit.is_one_event or len(first) < 2:
        return []
    missed = np.prod(1 - read.events[first], axis=0)
    best = int(missed[1:].argmin()) + 1
    chance = float(1 - missed[best])
    if chance < head("event").thresholds[best]:
        return []
    number = first[int(read.events[first, best].argmax())]
    found = _found(unit, read, number, _TYPES[best - 1], confidence=chance)
    return [found] if found else []


def _has_part(unit: Unit, read: _Read, number: int) -> bool:
    """Whether the company may have a part in what a sentence tells: where it speaks and does not name
    itself, what it tells is its own."""
    is_own = unit.speaks and not read.named[number]
    return is_own or bool(read.roles[number, 2] <= _MOST_NEITHER)


def _found(
    unit: Unit, read: _Read, number: int, type: SignalType, *, confidence: float
) -> Found | None:
    """The event with the company's role; None for one that is denied or is another's."""
    realis = _realis(read.realis[number])
    if realis == "denied" or type in NOT_IN_SENTENCES:
        return None
    if unit.item in DONE_ITEMS:
        realis = "happened"
    speaks_of_itself = unit.speaks and not read.named[number]
    is_own_item = unit.kind == "item" and bool(unit.types)
    role = _role(type, read.roles[number], is_own_item=is_own_item, is_own=speaks_of_itself)
    is_actor = KINDS[type].unsure and role == KINDS[type].actor
    if is_actor and is_acted_on(unit.texts[number], read.named[number]):
        role = None
    return Found(type, unit.spans[number], realis, role, round(min(confidence, 0.97), 3))


def is_acted_on(sentence: str, named: Sequence[Span]) -> bool:
    """Whether a sentence is passive behind the company's name, or has it as the one that is sued."""
    return _SUED.search(sentence) is not None or any(
        _PASSIVE.match(sentence, end) or _AGAINST.search(sentence, 0, start) for start, end in named
    )


def _realis(chances: Floats) -> Realis:
    """What the head is sure of; of what it is not, that it happened, as most has."""
    best = int(chances.argmax())
    realis = LABELS["realis"][best]
    if realis == "none" or chances[best] < _LEAST_REALIS:
        return "happened"
    return cast(Realis, realis)


def _role(
    type: SignalType, chances: Floats, *, is_own_item: bool, is_own: bool
) -> PartyRole | None:
    """The company's place in an event of the item that it stands in, or of the company that speaks."""
    kind = KINDS[type]
    if family_of(type) == SignalFamily.LEADERSHIP_MOVES:
        return kind.other if kind.actor == "person" else kind.actor
    if kind.mutual or kind.other is None:
        return kind.actor
    if not kind.unsure:  # the other side is no company that anyone follows
        is_sure = is_own_item or is_own or chances[2] <= _MOST_NEITHER
        return kind.actor if is_sure else None
    if chances[1] >= _LEAST_ROLE:
        return kind.other
    if chances[0] >= _LEAST_ROLE or is_own_item:
        return kind.actor
    return None


def _by_structure(unit: Unit, company: NamedCompany, usable: Sequence[int]) -> list[Found]:
    """What the number of an item says, in the first sentence that names the company."""
    if not unit.types or unit.is_open:
        return []
    names = (company.name, *company.names)
    texts = unit.texts
    first = next((n for n in usable if named_in(texts[n], names, speaks=True)), usable[0])
    type = unit.types[0]
    return [Found(type, unit.spans[first], "happened", KINDS[type].actor, _SURE_OF_ITEM - 0.15)]
