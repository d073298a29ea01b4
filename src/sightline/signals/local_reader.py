"""Events read from sentences by the heads over the encoder's vectors, without a language model.

The event head says which type a sentence tells; a type counts from its own threshold on, at which it was
right four times in five on companies kept aside. In the items of current reports the number of the item
says the type already, and the heads only choose the sentence. Without the encoder items alone are read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np

from sightline.domain.mentions import NamedCompany
from sightline.domain.signals import (
    KINDS,
    PartyRole,
    Realis,
    SignalFamily,
    SignalType,
    family_of,
)
from sightline.reading.heads import LABELS, Floats, head, sentence_vectors
from sightline.reading.named import Span, named_in
from sightline.reading.onnx_encoder import OnnxEncoder
from sightline.signals.contract import LONGEST_TITLE
from sightline.signals.dating import is_old, is_past
from sightline.signals.references import references
from sightline.signals.units import AGREED_ITEMS, DEALS, DONE_ITEMS, MANY, ONE_DEAL, Unit

# The probability that the heads must give to a type that the number of an item allows.
LEAST_IN_ITEM: Final = 0.3
LEAST_AMONG_MANY: Final = 0.15  # where every sentence may say one
_LEAST_IN_NOTE: Final = 0.5  # of all types together that the heading of a note allows
# And to results, once a sentence of the unit tells them.
_LEAST_FIGURE: Final = 0.15
_LEAST_ROLE: Final = 0.6
_LEAST_REALIS: Final = 0.5
_NEARLY: Final = (
    0.5  # of the best chance: the first sentence of an item that says it nearly as well
)
_SURELY_DONE: Final = 0.9  # a deal that was agreed on, and is closed on the same day
_MOST_NEITHER: Final = 0.5
# Of an item for what the registrant thinks important: something has happened, or there would be none.
_LEAST_OF_OTHER: Final = 0.6
_LEADS: Final = 3  # sentences of a piece of news that tell its event, with its title
# The probability of no event from which not even a model is asked.
_NO_EVENT: Final = 0.9
# Of a sentence whose type the number of its item says.
_SURE_OF_ITEM: Final = 0.85
# "Borealis was acquired by", but not "is pleased to"; "against Borealis", "Vale v. Borealis"; the name is
# put as a mark.
_MARK: Final = "\x00"
_ACTED_ON: Final = re.compile(
    r"\x00[\s,]+(?:(?:has|have|had|will)\s+)?(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?\w+ed\b(?!\s+to\b)"
    r"|\x00[^\x00]*?(?i:\bto\s+be\s+\w+(?:ed|ought)\s+by\b)"
    r"|\x00[^\x00]*?\breceiv(?:ed|es)\b[^\x00]*?\bfrom\b"
    r"|(?:\bagainst|\bvs?\.)\s+(?:the\s+)?\x00|(?i:\b(?:defendant|respondent)s?\b)"
)
_RESULTS: Final = SignalType.EARNINGS_RELEASED
_EVENTS: Final = LABELS["event"]
_TYPES: Final = tuple(SignalType(each) for each in _EVENTS[1:])
_COLUMN: Final = {type: number for number, type in enumerate(_TYPES, start=1)}
_T = SignalType
# Types between which a sentence is often torn, and either says what happened: together they are sure.
_ALIKE: Final = (
    frozenset({_T.ACQUIRES, _T.MERGES_WITH}),
    frozenset({_T.SELLS_ASSETS_TO, _T.DIVESTS, _T.SPINS_OFF}),
    frozenset({_T.EXPANDS_TO, _T.OPENS_NEW_LOCATION}),
    frozenset({_T.RECEIVES_AWARD, _T.RECOGNIZED_AS}),
    frozenset({_T.LEAVES, _T.RETIRES_FROM}),
    frozenset({_T.HIRES, _T.PROMOTES}),
)
_GROUPS: Final = np.array(
    [[a == b or any({a, b} <= alike for alike in _ALIKE) for a in _TYPES] for b in _TYPES],
    np.float32,
)


@dataclass(frozen=True, slots=True)
class Found:
    """An event that a sentence tells. `role` is the company's place in it, None when unsure, `named` where
    the sentence means the company; `also` are the other sentences of the unit that say the same."""

    type: SignalType
    span: Span
    realis: Realis
    role: PartyRole | None
    confidence: float
    named: Sequence[Span] = ()
    also: tuple["Found", ...] = ()
    is_sure: bool = False  # whether the sentence says it by itself


@dataclass(frozen=True, slots=True)
class _Read:
    """What the heads say of the sentences of a unit, a row each, and where each names the company."""

    named: Sequence[Sequence[Span]]
    own: Sequence[bool]  # whether a sentence without the company's name may still be about it
    events: Floats
    grouped: Floats  # of each type with those that say the same
    roles: Floats
    realis: Floats


class LocalReader:
    """Reads units with the heads; `encoder` None reads by the structure of documents alone."""

    def __init__(self, encoder: OnnxEncoder | None) -> None:
        self.encoder = encoder

    def read(self, unit: Unit, company: NamedCompany, *, everyone: bool = False) -> list[Found]:
        """The events of a unit, in the order of its text, each type once but those of people and
        results, of which every sentence is given. `everyone`: also those of others. Raises EncoderFailed."""
        usable = [n for n, text in enumerate(unit.texts) if _is_news(unit, text)]
        if not usable:
            return []
        if self.encoder is None:
            return _by_structure(unit, company, usable)
        read = self._heads(unit, company)
        every = [*_of_item(unit, read, usable)] if unit.types else []
        own = [n for n in usable if everyone or _has_part(read, n)]
        free = _free(unit, read, own)
        if unit.item is None or not unit.types:
            every += [*free, *_together(unit, read, own)]
        found = _each_once(every)
        if any(each.type == _RESULTS for each in found):
            found = _each_once([*found, *_results(unit, read, usable)])
        found.sort(key=lambda each: each.span)
        return [_with_others(unit, read, own, each) for each in found]

    def worth_reading(self, unit: Unit, company: NamedCompany) -> list[Span]:
        """The sentences in which an event is not out of the question: all, without the encoder."""
        if self.encoder is None or not unit.spans:
            return list(unit.spans)
        events = self._heads(unit, company).events
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

    def _heads(self, unit: Unit, company: NamedCompany) -> _Read:
        assert self.encoder is not None
        texts, names = unit.texts, (company.name, *company.names)
        if unit.speaks:
            found: list[list[Span] | None] = [named_in(text, names, speaks=True) for text in texts]
        else:
            found = references(texts, company)
        named = [each or [] for each in found]
        rows = sentence_vectors(self.encoder, texts, named)
        events = head("event").probabilities(rows)
        return _Read(
            named,
            [each is not None for each in found],
            events,
            np.concatenate([events[:, :1], events[:, 1:] @ _GROUPS], axis=1),
            head("role").probabilities(rows),
            head("realis").probabilities(rows),
        )


def _is_news(unit: Unit, text: str) -> bool:
    """Whether a sentence tells of no time that was over when it was said, and has its beginning, which
    columns and transcripts may lose."""
    is_over = is_old(text, said=unit.said) or (
        unit.kind == "note" and is_past(text, said=unit.said)
    )
    return not is_over and not (text[:2].isalpha() and text[:2].islower())  # but "eBay"


def _each_once(every: Iterable[Found]) -> list[Found]:
    """The surest of each type, or of those that say the same; people and results by every sentence."""
    found: dict[tuple[SignalType, Span | None], Found] = {}
    for each in every:
        alike = next((min(group) for group in _ALIKE if each.type in group), each.type)
        key = (each.type, each.span) if _is_of_many(each.type) else (alike, None)
        if key not in found or found[key].confidence < each.confidence:
            found[key] = each
    return list(found.values())


def _with_others(unit: Unit, read: _Read, usable: Sequence[int], found: Found) -> Found:
    """An event with the other sentences that rather say it than anything else. What all of them say in a
    piece of news decides whether it happened: headlines say of what is planned that it happens."""
    column = _COLUMN[found.type]
    own = unit.spans.index(found.span)
    others = [n for n in usable if n != own and read.grouped[n, column] >= _NEARLY]
    if _is_of_many(found.type) or not others:
        return found
    whole = _found(unit, read, [own, *others], found.type, found.confidence)
    also = tuple(_found(unit, read, [n], found.type, found.confidence) for n in others)
    also = tuple(
        replace(each, is_sure=_said(read.grouped[n], read.events[n]) is not None)
        for n, each in zip(others, also, strict=True)
    )
    return replace(found, realis=whole.realis if unit.is_one_event else found.realis, also=also)


def _is_of_many(type: SignalType) -> bool:
    """Whether every sentence of a unit tells an event of its own: people and results."""
    return family_of(type) == SignalFamily.LEADERSHIP_MOVES or type == _RESULTS


def _of_item(unit: Unit, read: _Read, usable: Sequence[int]) -> Iterator[Found]:
    """What the item's number or the note's heading leaves open, each with the sentence that says it."""
    columns = [_COLUMN[type] for type in unit.types]
    chances = read.events[np.ix_(usable, columns)]
    sums = chances.sum(axis=1)
    if unit.item in MANY:
        for number, row, sum in zip(usable, chances, sums, strict=True):
            if sum >= LEAST_AMONG_MANY:
                type = unit.types[int(row.argmax())]
                yield _found(unit, read, [number], type, _sure(unit, float(sum)))
        return
    found = _each_once(_likely(unit, read, usable, chances))
    if not found and not unit.is_open:
        found = [_found(unit, read, [usable[int(sums.argmax())]], unit.types[0], _SURE_OF_ITEM)]
    yield from found[:1] if unit.item in ONE_DEAL else found


def _likely(unit: Unit, read: _Read, usable: Sequence[int], chances: Floats) -> Iterator[Found]:
    """The types that are likely enough, the likeliest first, each in the first sentence that says it nearly
    as well as any; an agreement in the first that says any type of the item and mostly fits in a title."""
    grouped = read.grouped[np.ix_(usable, [_COLUMN[type] for type in unit.types])]
    least = _LEAST_IN_NOTE if unit.kind == "note" else LEAST_IN_ITEM
    fits = [len(unit.texts[n]) <= 2 * LONGEST_TITLE for n in usable]
    for column in _by_chance(chances, grouped):
        best = float(grouped[:, column].max())
        if best >= least:
            says = chances.sum(axis=1) * fits if unit.item in AGREED_ITEMS else grouped[:, column]
            says = says if says.any() else grouped[:, column]
            row = int((says >= _NEARLY * says.max()).argmax())
            yield _found(unit, read, [usable[row]], unit.types[column], _sure(unit, best))


def _by_chance(chances: Floats, grouped: Floats) -> list[int]:
    """The columns of types, those of the likeliest group first and in it the likeliest type."""
    return [int(each) for each in np.lexsort((-chances.max(axis=0), -grouped.max(axis=0)))]


def _sure(unit: Unit, chance: float) -> float:
    return chance if unit.kind == "note" else max(chance, _SURE_OF_ITEM + 0.1 * chance)


def _results(unit: Unit, read: _Read, usable: Sequence[int]) -> Iterator[Found]:
    """The sentences with figures of a unit that releases results, from a lower chance on."""
    for number in usable:
        chance = float(read.events[number, _COLUMN[_RESULTS]])
        if chance >= _LEAST_FIGURE:
            yield _found(unit, read, [number], _RESULTS, chance)


def _free(unit: Unit, read: _Read, usable: Sequence[int]) -> Iterator[Found]:
    """What sentences say by themselves, each type from its threshold on."""
    for number in usable:
        said = _said(read.grouped[number], read.events[number])
        if said is not None:
            yield _found(unit, read, [number], *said)


def _together(unit: Unit, read: _Read, usable: Sequence[int]) -> Iterator[Found]:
    """What the title and the first sentences of a piece of news, of a release or of an item for other events
    say together: it is about one event, and several that each say it halfway are as sure as one that says it
    fully."""
    first = list(usable[:_LEADS])
    if not unit.is_one_event or not first:
        return
    least = _LEAST_OF_OTHER if unit.kind == "item" else None
    together = 1 - np.prod(1 - read.grouped[first], axis=0)
    said = _said(together, read.events[first].sum(axis=0), least)
    if said is not None:
        column = _COLUMN[said[0]]
        most = read.grouped[first, column].max()
        numbers = [n for n in first if read.grouped[n, column] >= _NEARLY * most]
        if unit.kind != "item":
            numbers.sort(key=lambda n: -read.events[n, column])
        yield _found(unit, read, numbers, *said)


def _said(
    grouped: Floats, chances: Floats, least: float | None = None
) -> tuple[SignalType, float] | None:
    """The type that is said, and how surely: the likeliest of the likeliest group, from its threshold on,
    or another one."""
    column = _by_chance(chances[None, 1:], grouped[None, 1:])[0] + 1
    chance, own = float(grouped[column]), float(head("event").thresholds[column])
    return (_TYPES[column - 1], chance) if chance >= (least or own) else None


def _has_part(read: _Read, number: int) -> bool:
    """Whether the company may have a part in the event of a sentence: if it speaks, or is mentioned without
    its name, the event is its own."""
    is_likely = bool(read.roles[number, 2] <= _MOST_NEITHER)
    return is_likely if read.named[number] else read.own[number]


def _found(
    unit: Unit, read: _Read, numbers: Sequence[int], type: SignalType, confidence: float
) -> Found:
    """The event that the first of some sentences says best, with the company's role; what all of them say
    decides whether it happened."""
    number = numbers[0]
    weights = read.grouped[list(numbers), _COLUMN[type]]
    chances = np.average(read.realis[list(numbers)], axis=0, weights=weights + 1e-6)
    realis = _realis(chances)
    if unit.item in DONE_ITEMS:
        realis = "happened"
    elif unit.item in AGREED_ITEMS and type in DEALS and realis == "happened":
        realis = "happened" if chances[0] >= _SURELY_DONE else "planned"
    elif unit.speaks and realis == "possible" and family_of(type) == SignalFamily.LEADERSHIP_MOVES:
        realis = "planned"  # an announcement names who comes
    role = _role(unit, read, number, type)
    sure = round(min(confidence, 0.97), 3)
    return Found(type, unit.spans[number], realis, role, sure, read.named[number])


def is_acted_on(sentence: str, named: Sequence[Span]) -> bool:
    """Whether a sentence is passive behind the company's name, or has it as the one that receives from others
    or is sued."""
    marked = sentence
    for start, end in reversed(named):
        marked = marked[:start] + _MARK + marked[end:]
    return _ACTED_ON.search(marked) is not None


def _realis(chances: Floats) -> Realis:
    """What the head is sure of, denied things too; of what it is not, that it happened, as most has."""
    best = int(chances.argmax())
    realis = LABELS["realis"][best]
    if realis == "none" or chances[best] < _LEAST_REALIS:
        return "happened"
    return cast(Realis, realis)


def _role(unit: Unit, read: _Read, number: int, type: SignalType) -> PartyRole | None:
    """The company's place in an event of the item that it stands in, or of the company that speaks."""
    kind = KINDS[type]
    is_own_item = unit.kind == "item" and bool(unit.types)
    if family_of(type) == SignalFamily.LEADERSHIP_MOVES:
        return kind.other if kind.actor == "person" else kind.actor
    if kind.mutual or kind.other is None:
        return kind.actor
    if kind.has_sides:
        return _side(unit, read, number, type)
    # The other side is no company that anyone follows.
    is_sure = is_own_item or _has_part(read, number) or read.roles[number, 2] <= _MOST_NEITHER
    return kind.actor if is_sure else None


def _side(unit: Unit, read: _Read, number: int, type: SignalType) -> PartyRole | None:
    """Which of two companies in an event it is; None where that is not sure, as in news of sales and clients,
    where the order of the names says nothing."""
    kind, chances = KINDS[type], read.roles[number]
    if type == _T.RECEIVES_FINANCING and (unit.speaks or unit.is_obligation):
        return kind.actor  # who gives money says that it invests
    if not unit.speaks and type in (_T.SELLS_ASSETS_TO, _T.SIGNS_NEW_CLIENT):
        return None
    if chances[1] >= _LEAST_ROLE:
        return kind.other
    return kind.actor if chances[0] >= _LEAST_ROLE else None


def _by_structure(unit: Unit, company: NamedCompany, usable: Sequence[int]) -> list[Found]:
    """What the number of an item says, in the first sentence that names the company."""
    if not unit.types or unit.is_open:
        return []
    names = (company.name, *company.names)
    texts = unit.texts
    named = {n: named_in(texts[n], names, speaks=True) for n in usable}
    first = next((n for n in usable if named[n]), usable[0])
    type, sure = unit.types[0], _SURE_OF_ITEM - 0.15
    return [Found(type, unit.spans[first], "happened", KINDS[type].actor, sure, named[first])]
