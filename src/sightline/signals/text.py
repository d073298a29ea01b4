"""Signals told by sentences: patterns propose, a linear model over them and the words decides.

`detect` reads a sentence (or a few) and answers what happened, with the words that say so. It is pure,
needs no network and no language model, and takes some 0.6 ms a sentence.
"""

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from sightline.domain.signals import SignalFamily, SignalType, family_of
from sightline.signals.context import Context, context_of
from sightline.signals.parties import Amount, Party, amount_of, named, parties_of
from sightline.signals.patterns import Hit, Pattern, find_hits
from sightline.signals.sentences import calm
from sightline.signals.tokens import NAMES, Sentence, listed, tokenize
from sightline.signals.vectors import meaning_of
from sightline.signals.weights import NOTHING, features_of, weights, word_classes

# Below these silence is right more often than the best guess. By strength of the pattern that tells the type;
# 0 is for types told by the words of the sentence alone.
MIN_CONFIDENCE: Final = {3: 0.2, 2: 0.3, 0: 0.45}
# A second type in the same sentence must be told by words of its own, and clearly.
MIN_SECOND: Final = 0.3
# Or its clause, read alone, must tell it without doubt.
MIN_CLAUSE: Final = 0.85
_SHORTEST_CLAUSE: Final = 3

MAX_CHARACTERS: Final = 20_000
_MAX_SENTENCES: Final = 60
_EVIDENCE_REACH: Final = 8

_SENTENCE_END: Final = re.compile(
    r"(?<![A-Z]\.[A-Z])(?<!\b(?:Mr|Ms|Dr|St|vs|Jr|Sr|No|Co|CO|Rs|Lt))"
    r"(?<!\b(?:Inc|INC|Mrs|Ltd|LTD|Rep|Sen|Gov|Gen|Fla))(?<!\b(?:Corp|CORP|Prof|Bros))(?<!\b[A-Z])[.!?][\"”’)]*\s+(?=[\"“(]?[A-Z0-9])|\n\s*\n"
)


_NO_STATEMENT: Final = NAMES | {",", ".", ":", ";", "!", "?", "--", "and", "of"}


@dataclass(frozen=True, slots=True)
class Detected:
    """One happening told by a text.

    `confidence` is 0 to 1. `text[start:end]` is `quote`, the words that prove it. `planned` things are
    announced, not done; `rumoured` ones are only said to be so. `dates` and `locations` are as written.
    """

    type: SignalType
    family: SignalFamily
    confidence: float
    start: int
    end: int
    quote: str
    planned: bool
    rumoured: bool
    parties: tuple[Party, ...]
    amount: Amount | None
    dates: tuple[str, ...]
    locations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with everything that was found in it, before anything is decided."""

    sentence: Sentence
    hits: tuple[Hit, ...]
    contexts: tuple[Context, ...]
    probabilities: dict[str, float]


def detect(
    text: str, *, date: datetime.date | None = None, company: Sequence[str] = ()
) -> tuple[Detected, ...]:
    """What happened according to a text, the surest first; empty where nothing did.

    A sentence has one type, or two that are told by different words. `date` is when the text was
    published: things said to have happened years before it are background, not news. `company` are
    the names of the company the text was found for; its own name is never taken for a product or place.
    Only the first 20,000 characters are read.
    """
    best: dict[SignalType, Detected] = {}
    for start, sentence_text in _sentences(text[:MAX_CHARACTERS]):
        for each in _in_sentence(calm(sentence_text), date, tuple(company)):
            known = best.get(each.type)
            if known is None or each.confidence > known.confidence:
                best[each.type] = _placed(each, text, start)
    return tuple(sorted(best.values(), key=lambda each: -each.confidence))


def read(text: str, *, date: datetime.date | None = None) -> Reading:
    """Tokens, patterns, their contexts and the probability of every type for one sentence."""
    sentence = tokenize(text)
    hits = tuple(find_hits(sentence))
    contexts = tuple(context_of(sentence, hit, today=date) for hit in hits)
    chances = weights().probabilities(features_of(sentence, hits, contexts), meaning_of(sentence))
    return Reading(sentence, hits, contexts, chances)


def _sentences(text: str) -> list[tuple[int, str]]:
    found, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        found.append((start, text[start : match.end()].rstrip()))
        start = match.end()
        if len(found) == _MAX_SENTENCES:
            return found
    found.append((start, text[start:]))
    return [(start, each) for start, each in found if each.strip()]


def _in_sentence(text: str, date: datetime.date | None, company: tuple[str, ...]) -> list[Detected]:
    reading = read(text, date=date)
    if _is_general(reading.sentence):
        return []
    ranked = sorted(reading.probabilities.items(), key=lambda item: -item[1])
    first, chance = ranked[0]
    if first == NOTHING:
        return []
    proofs = {
        SignalType(name): _proof(reading, SignalType(name))
        for name, _ in ranked[:2]
        if name != NOTHING
    }
    main = SignalType(first)
    proof = proofs[main]
    if proof is None and _is_denied(reading, main):
        return []
    if chance < MIN_CONFIDENCE[proof[0].pattern.strength if proof else 0]:
        return []
    found = [_detected(reading, main, chance, proof, company)]
    second, chance = ranked[1]
    beside = proofs.get(SignalType(second)) if second != NOTHING else None
    if (
        beside
        and chance >= MIN_SECOND
        and beside[0].pattern.strength == 3
        and _apart(proof, beside)
    ):
        return [*found, _detected(reading, SignalType(second), chance, beside, company)]
    return [*found, *_in_other_clause(reading, main, proof, date, company)]


def _in_other_clause(
    reading: Reading,
    main: SignalType,
    proof: tuple[Hit, Context] | None,
    date: datetime.date | None,
    company: tuple[str, ...],
) -> list[Detected]:
    """What a clause without the main happening tells when it is read alone: "sales fell, and it will cut
    200 jobs"."""
    if proof is None:
        return []
    tried = set()
    for hit, context in zip(reading.hits, reading.contexts, strict=True):
        if hit.pattern.type == main or hit.pattern.strength < 3:
            continue
        if context.negated or context.background or not _apart(proof, (hit, context)):
            continue
        first, last = clause = _clause(reading.sentence, hit)
        holds_main = first <= proof[0].last and proof[0].first <= last
        if holds_main or last - first + 1 < _SHORTEST_CLAUSE or clause in tried:
            continue
        tried.add(clause)
        alone = read(reading.sentence.quote(first, last) + ".", date=date)
        kind, chance = max(alone.probabilities.items(), key=lambda item: item[1])
        if kind == hit.pattern.type and chance >= MIN_CLAUSE:
            return [_detected(reading, SignalType(kind), chance, (hit, context), company)]
    return []


def _clause(sentence: Sentence, hit: Hit) -> tuple[int, int]:
    """The first and the last token of the clause that a hit begins in."""
    joints = listed("joints")
    first = hit.first
    while first > 0 and sentence.tokens[first - 1].norm not in joints:
        first -= 1
    last = hit.last
    while last + 1 < len(sentence.tokens) and sentence.tokens[last + 1].norm not in joints:
        last += 1
    return first, last


def _is_denied(reading: Reading, type: SignalType) -> bool:
    """Whether a pattern of a type is there, but denied or long past."""
    return any(
        hit.pattern.type == type and (context.negated or context.background)
        for hit, context in zip(reading.hits, reading.contexts, strict=True)
    )


def _is_general(sentence: Sentence) -> bool:
    """Whether a sentence says what usually happens, to nobody in particular; or is a bare name."""
    norms = {token.norm for token in sentence.tokens}
    if norms <= _NO_STATEMENT:
        return True
    if norms & (NAMES - {"PLACE"}):
        return False
    return any("habit" in word_classes().get(norm, ()) for norm in norms)


def _proof(reading: Reading, type: SignalType) -> tuple[Hit, Context] | None:
    """The best pattern of a type that is neither denied nor long past."""
    pairs = [
        (hit, context)
        for hit, context in zip(reading.hits, reading.contexts, strict=True)
        if hit.pattern.type == type
        and hit.pattern.strength > 1
        and not (context.negated or context.background)
    ]
    return max(pairs, key=lambda pair: (pair[0].pattern.strength, -pair[0].first), default=None)


def _apart(first: tuple[Hit, Context] | None, second: tuple[Hit, Context]) -> bool:
    if first is None:
        return False
    return first[0].last < second[0].first or second[0].last < first[0].first


def _detected(
    reading: Reading,
    type: SignalType,
    chance: float,
    proof: tuple[Hit, Context] | None,
    company: tuple[str, ...],
) -> Detected:
    sentence = reading.sentence
    if proof is None:
        whole = Hit(_pattern_of_words(type), 0, len(sentence.tokens) - 1)
        proof = (whole, context_of(sentence, whole, today=None))
    hit, context = proof
    first, last = _evidence(sentence, hit)
    start, end = sentence.tokens[first].start, sentence.tokens[last].end
    own = {name.casefold() for name in company}
    return Detected(
        type=type,
        family=family_of(type),
        confidence=round(chance * (0.85 if context.rumoured else 1.0), 3),
        start=start,
        end=end,
        quote=sentence.text[start:end],
        planned=context.planned,
        rumoured=context.rumoured,
        parties=parties_of(sentence, hit),
        amount=amount_of(sentence, hit),
        dates=named(sentence, frozenset({"DATE", "YEAR"})),
        locations=tuple(
            place for place in named(sentence, frozenset({"PLACE"})) if place.casefold() not in own
        ),
    )


@lru_cache(maxsize=64)
def _pattern_of_words(type: SignalType) -> Pattern:
    """Stands for the sentence as a whole where no single pattern told the type."""
    return Pattern(type, 1, "", re.compile("(?!)"), frozenset())


def _evidence(sentence: Sentence, hit: Hit) -> tuple[int, int]:
    """From the subject before a pattern to the name or amount after it, within its clause."""
    first, last = hit.first, hit.last
    stops = {";", ".", "!", "?", "--"}
    for place in range(hit.first - 1, max(-1, hit.first - 1 - _EVIDENCE_REACH), -1):
        if sentence.tokens[place].norm in stops:
            break
        if sentence.tokens[place].norm in NAMES | {"ROLE"}:
            first = place
            break
    for place in range(hit.last + 1, min(len(sentence.tokens), hit.last + 1 + _EVIDENCE_REACH)):
        if sentence.tokens[place].norm in stops:
            break
        if sentence.tokens[place].norm in NAMES | {"MONEY", "ROLE"}:
            last = place
            break
    return first, last


def _placed(each: Detected, text: str, by: int) -> Detected:
    """What was found in a sentence that begins at `by`, with its places and words in the text."""
    return replace(
        each,
        start=each.start + by,
        end=each.end + by,
        quote=text[each.start + by : each.end + by],
        parties=tuple(
            replace(party, start=party.start + by, end=party.end + by) for party in each.parties
        ),
    )
