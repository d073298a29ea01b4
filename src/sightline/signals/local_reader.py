"""Events read from sentences by the heads over the encoder's vectors, without a language model.

In the items of current reports the number of the item says the type, and the heads only choose the sentence.
In free text the event head says it, each type from its own threshold on, at which it was right four times in
five on companies kept aside; a type that never was has none. Free text that is not surely done or planned is
left out. Without the encoder items alone are read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np

from sightline.domain.mentions import NamedCompany
from sightline.domain.signals import KINDS, PartyRole, Realis, SignalFamily, SignalType, family_of
from sightline.reading.heads import LABELS, Floats, head, sentence_vectors
from sightline.reading.legal_forms import LEGAL_FORM
from sightline.reading.named import Span, named_in
from sightline.reading.onnx_encoder import OnnxEncoder
from sightline.signals.contract import LONGEST_TITLE
from sightline.signals.dating import is_old, is_past
from sightline.signals.references import of_another, references
from sightline.signals.units import (
    AGREED_ITEMS,
    DEALS,
    DONE_ITEMS,
    MANY,
    OF_CONTROL,
    ONE_DEAL,
    STOPS,
    Unit,
)

# The probability that the heads must give to a type that the number of an item allows.
LEAST_IN_ITEM: Final = 0.3
LEAST_AMONG_MANY: Final = 0.15  # where every sentence may say one
# And to results, once a sentence of the unit tells them.
_LEAST_FIGURE: Final = 0.15
_LEAST_REALIS: Final = 0.5
_NEARLY: Final = 0.5  # of the best chance: a sentence that says it nearly as well
_SURELY_DONE: Final = 0.9  # a deal that was agreed on, and is closed on the same day
# In free text the probability that it is done or planned: so right in .95 and .87 on companies kept aside.
_CLEARLY: Final = 0.6
_MOST_NEITHER: Final = 0.5
# Of an item for what the registrant thinks important: something has happened, or there would be none.
_LEAST_OF_OTHER: Final = 0.6
_LEADS: Final = 3  # sentences of a piece of news that tell its event, with its title
# The probability of no event from which not even a model is asked.
_NO_EVENT: Final = 0.9
# Of a sentence whose type the number of its item says.
_SURE_OF_ITEM: Final = 0.85
# "Borealis was acquired by", but not "is pleased to"; the name is put as a mark.
_MARK: Final = "\x00"
_ACTED_ON: Final = re.compile(
    r"\x00[\s.,”\")]+(?:(?:has|have|had|will)\s+)?(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?\w+ed\b(?!\s+to\b)"
    r"|\x00[^\x00]*?(?i:\bto\s+be\s+\w+(?:ed|ought)\s+by\b)"
    r"|\x00[^\x00]*?\breceiv(?:ed|es)\b[^\x00]*?\bfrom\b"
)
_RESULTS: Final = SignalType.EARNINGS_RELEASED
_EVENTS: Final = LABELS["event"]
_TYPES: Final = tuple(SignalType(each) for each in _EVENTS[1:])
_COLUMN: Final = {type: number for number, type in enumerate(_TYPES, start=1)}
_T = SignalType
# Types between which a sentence is often torn, and either says what happened: together they are sure.
ALIKE: Final = (
    frozenset({_T.ACQUIRES, _T.MERGES_WITH}),
    frozenset({_T.SELLS_ASSETS_TO, _T.DIVESTS, _T.SPINS_OFF}),
    frozenset({_T.EXPANDS_TO, _T.OPENS_NEW_LOCATION}),
    frozenset({_T.RECEIVES_AWARD, _T.RECOGNIZED_AS}),
    frozenset({_T.LEAVES, _T.RETIRES_FROM}),
    frozenset({_T.HIRES, _T.PROMOTES}),
)
_GROUPS: Final = np.array(
    [[a == b or any({a, b} <= alike for alike in ALIKE) for a in _TYPES] for b in _TYPES],
    np.float32,
)


@dataclass(frozen=True, slots=True)
class Found:
    """An event that a sentence tells. `role` is the company's place in it, None when unsure, `named` where
    the sentence means the company; `also` are the other sentences of an item about one deal that say it;
    `is_torn` says that its sentences may also tell another deal: a sale rather than a purchase."""

    type: SignalType
    span: Span
    realis: Realis
    role: PartyRole | None
    confidence: float
    named: Sequence[Span] = ()
    also: Sequence[Span] = ()
    is_torn: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    """What the heads say of the sentences of a unit, a row each, and where each names the company."""

    named: Sequence[Sequence[Span]]
    own: Sequence[bool]  # whether a sentence without the company's name may still be about it
    another: Sequence[bool]  # whether it is about what another does
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
        usable = [n for n, text in enumerate(unit.texts) if _is_news(unit, text)]
        if not usable:
            return []
        if self.encoder is None:
            return _by_structure(unit, company, usable)
        read = self._heads(unit, company)
        if unit.types:
            found = _each_once(_of_item(unit, read, usable))
        else:
            own = [n for n in usable if everyone or _has_part(read, n)]
            free = _free(unit, read, own)
            found = _each_once(each for each in free if not _is_of_another(unit, read, each))
        if any(each.type == _RESULTS for each in found):
            own = [n for n in usable if not read.another[n]]
            found = _each_once([*found, *_results(unit, read, own)])
        return sorted(found, key=lambda each: each.span)

    def worth_reading(self, unit: Unit, company: NamedCompany) -> list[Span]:
        """The sentences in which an event is not out of the question: all, without the encoder."""
        if self.encoder is None or not unit.spans:
            return list(unit.spans)
        events = self._heads(unit, company).events
        return [
            span
            for span, chances in zip(unit.spans, events, strict=True)
            if unit.is_of_events or chances[0] <= _NO_EVENT
        ]

    def _heads(self, unit: Unit, company: NamedCompany) -> _Read:
        assert self.encoder is not None
        texts, names = unit.texts, (company.name, *company.names)
        if unit.speaks:
            found: list[list[Span] | None] = [named_in(text, names, speaks=True) for text in texts]
        else:
            found = references(texts, company)
        named = [each or [] for each in found]
        rows = sentence_vectors(self.encoder, texts, named)
        return _Read(
            named,
            [each is not None for each in found],
            of_another(texts, company),
            head("event").probabilities(rows),
            head("role").probabilities(rows),
            head("realis").probabilities(rows),
        )


def _is_news(unit: Unit, text: str) -> bool:
    """Whether a sentence tells of no time that was over when it was said, and has its beginning, which
    columns and transcripts may lose."""
    is_begun = not (text[:2].isalpha() and text[:2].islower())  # but "eBay"
    is_over = unit.kind == "note" and is_past(text, said=unit.said)
    return is_begun and not is_over and not is_old(text, said=unit.said)


def _each_once(every: Iterable[Found]) -> list[Found]:
    """The surest of each type, or of those that say the same; people and results by every sentence."""
    found: dict[tuple[SignalType, Span | None], Found] = {}
    for each in every:
        alike = next((min(group) for group in ALIKE if each.type in group), each.type)
        key = (each.type, each.span) if _is_of_many(each.type) else (alike, None)
        if key not in found or found[key].confidence < each.confidence:
            found[key] = each
    return list(found.values())


def _is_of_many(type: SignalType) -> bool:
    """Whether every sentence of a unit tells an event of its own: people and results."""
    return family_of(type) == SignalFamily.LEADERSHIP_MOVES or type == _RESULTS


def _of_item(unit: Unit, read: _Read, usable: Sequence[int]) -> Iterator[Found]:
    """What the item's number leaves open, each with the sentence that says it."""
    columns = [_COLUMN[type] for type in unit.types]
    chances = read.events[np.ix_(usable, columns)]
    sums = chances.sum(axis=1)
    if unit.item in MANY:
        for number, row, sum in zip(usable, chances, sums, strict=True):
            if sum >= LEAST_AMONG_MANY:
                yield _in_item(unit, read, number, unit.types[int(row.argmax())], float(sum))
        return
    found = _each_once(_likely(unit, read, usable, chances))
    if not found and not unit.is_open:
        found = [_in_item(unit, read, usable[int(sums.argmax())], unit.types[0], 0.0)]
    if unit.item in ONE_DEAL:
        is_torn = len([each for each in found if each.type in DEALS]) > 1
        found = [replace(each, is_torn=is_torn) for each in found[:1]]
    yield from found


def _likely(unit: Unit, read: _Read, usable: Sequence[int], chances: Floats) -> Iterator[Found]:
    """The types that are likely enough, the likeliest first, each in the first sentence that says it nearly
    as well as any; an agreement in the first that says any type of the item and mostly fits in a title."""
    grouped = (read.events[:, 1:] @ _GROUPS)[np.ix_(usable, [_COLUMN[t] - 1 for t in unit.types])]
    fits = [len(unit.texts[n]) <= 2 * LONGEST_TITLE for n in usable]
    # Those of the likeliest group first, and in it the likeliest type.
    for column in np.lexsort((-chances.max(axis=0), -grouped.max(axis=0))):
        best = float(grouped[:, column].max())
        if best >= LEAST_IN_ITEM:
            says = chances.sum(axis=1) * fits if unit.item in AGREED_ITEMS else grouped[:, column]
            says = says if says.any() else grouped[:, column]
            row = int((says >= _NEARLY * says.max()).argmax())
            yield _in_item(unit, read, usable[row], unit.types[column], best)


def _in_item(unit: Unit, read: _Read, number: int, type: SignalType, chance: float) -> Found:
    """An event of a type that the number of an item allows."""
    chances = read.realis[number]
    realis = _likeliest(chances, _LEAST_REALIS) or "happened"  # as most has
    if unit.item in DONE_ITEMS:
        realis = "happened"
    elif unit.item in AGREED_ITEMS and type in DEALS and realis == "happened":
        realis = "happened" if chances[0] >= _SURELY_DONE else "planned"
    elif realis == "possible" and family_of(type) == SignalFamily.LEADERSHIP_MOVES:
        realis = "planned"  # an announcement names who comes
    role = _role(type, unit)
    sure = max(chance, _SURE_OF_ITEM + 0.1 * chance)
    also = [
        span
        for span, row in zip(unit.spans, read.events, strict=True)
        if row[_COLUMN[type]] >= _NEARLY
    ]
    return Found(type, unit.spans[number], realis, role, _rounded(sure), read.named[number], also)


def _results(unit: Unit, read: _Read, usable: Sequence[int]) -> Iterator[Found]:
    """The sentences with figures of a unit that releases results, from a lower chance on."""
    for number in usable:
        chance = float(read.events[number, _COLUMN[_RESULTS]])
        if chance >= _LEAST_FIGURE:
            realis = _likeliest(read.realis[number], _LEAST_REALIS) or "happened"
            span, named = unit.spans[number], read.named[number]
            yield Found(_RESULTS, span, realis, _role(_RESULTS, unit), _rounded(chance), named)


def _free(unit: Unit, read: _Read, own: Sequence[int]) -> Iterator[Found]:
    """What sentences say by themselves, and what the first ones say together: a piece of news, a release or
    an item for other events is about one event, and several that each say it halfway are as sure as one that
    says it fully. Such an item is there because something happened, and begins with it."""
    first = list(own[:_LEADS]) if unit.is_one_event else []
    for number in own:
        column = int(read.events[number, 1:].argmax()) + 1
        if read.events[number, column] >= head("event").thresholds[column]:
            yield from _told(unit, read, [number, *first], column, read.events[number, column])
    together = 1 - np.prod(1 - read.events[first], axis=0)
    column = int(together[1:].argmax()) + 1
    least = _LEAST_OF_OTHER if unit.kind == "item" else head("event").thresholds[column]
    if first and together[column] >= least:
        first.sort(key=lambda n: -read.events[n, column])
        yield from _told(unit, read, first, column, together[column])
    elif first and unit.kind == "item":  # it begins with what happened, if anything
        none, likely = read.events[first[0], 0], read.events[first[0], 1:]
        if likely.max() >= max(LEAST_IN_ITEM, _LEAST_OF_OTHER * (1 - none)):
            chance = likely.max() / (1 - none)
            yield from _told(unit, read, first[:1], int(likely.argmax()) + 1, chance)


def _told(
    unit: Unit, read: _Read, numbers: Sequence[int], column: int, chance: float
) -> Iterator[Found]:
    """An event that the first of some sentences of free text says, unless it is not clearly done or planned:
    by all of them that say it nearly as well, as headlines say of what is planned that it happens. A whole
    sentence tells it rather than a headline."""
    type, says = _TYPES[column - 1], read.events[:, column]
    alone = 1 if _is_of_many(type) else None
    numbers = [n for n in numbers[:alone] if says[n] >= _NEARLY * says[numbers[0]]]
    realis = _likeliest(np.average(read.realis[numbers], axis=0, weights=says[numbers]), _CLEARLY)
    if realis in ("happened", "planned"):
        texts = unit.texts
        number = next((n for n in sorted(numbers) if texts[n][-1] in STOPS), numbers[0])
        role = _role(type, unit) if _has_part(read, number) else None
        yield Found(type, unit.spans[number], realis, role, _rounded(chance), read.named[number])


def _has_part(read: _Read, number: int) -> bool:
    """Whether the company may have a part in the event of a sentence: if it speaks, or is mentioned without
    its name, the event is its own."""
    is_likely = bool(read.roles[number, 2] <= _MOST_NEITHER)
    return is_likely if read.named[number] else read.own[number]


def _is_of_another(unit: Unit, read: _Read, found: Found) -> bool:
    """Whether an event with one party is another's: a competitor's results, or those of a business sold."""
    return KINDS[found.type].other is None and read.another[unit.spans.index(found.span)]


def is_acted_on(sentence: str, named: Sequence[Span]) -> bool:
    """Whether a sentence is passive behind the company's name, or has it as the one that receives from
    others."""
    marked = sentence
    for start, end in reversed(named):
        marked = marked[:start] + _MARK + marked[end:]
    return _ACTED_ON.search(LEGAL_FORM.sub("", marked)) is not None


def _likeliest(chances: Floats, least: float) -> Realis | None:
    """What the head says of whether it happened; None of what it is not so sure of."""
    best = int(chances.argmax())
    realis = LABELS["realis"][best]
    return None if realis == "none" or chances[best] < least else cast(Realis, realis)


def _rounded(chance: float) -> float:
    return round(min(float(chance), 0.97), 3)


def _role(type: SignalType, unit: Unit) -> PartyRole | None:
    """The company's place in events that have only one for it; None of the others."""
    kind = KINDS[type]
    if type == _T.RECEIVES_FINANCING and unit.speaks:
        return kind.actor  # who gives money says that it invests
    if unit.item in OF_CONTROL:
        return kind.other
    if family_of(type) == SignalFamily.LEADERSHIP_MOVES and kind.actor == "person":
        return kind.other
    return None if kind.has_sides else kind.actor


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
