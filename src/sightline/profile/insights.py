"""What the classifiers make of a company's sentences, and which section each of them stands in.

A sentence is considered when it is whole, understood by itself and has a name, figure, date or sum in it.
The newest documents come first. Each stands in one section at most: the one that it fits best.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from sightline.profile.contract import Section
from sightline.profile.evidence import Document, Evidence
from sightline.profile.figures import Shown, repeats_amount, shown_amounts
from sightline.profile.sentences import Judged, Near, Sentence, is_own, is_specific
from sightline.reading.encoder import BUNDLED, Encoder, EncoderFailed
from sightline.reading.heads import head, head_encoder
from sightline.reading.periods import latest_day
from sightline.reading.prose import WORD, points_back, stands_alone, states_fact
from sightline.reading.repeats import alike, shingles
from sightline.reading.vectors import Vectors

ENGLISH: Final = "en"
MOST: Final = 400
"""Sentences of a company that are encoded; one takes some 6 ms."""

# Of a part of a document, so many sentences are considered; parts that are not named, none.
_MOST_OF_PART: Final = {
    "release": 60, "review": 140, "business": 140, "risks": 80, "legal": 20, "about": 30, "home": 20,
    "products": 20, "pricing": 10, "customers": 20, "news": 20, "feed_item": 20, "investors": 20,
    "page": 20, "posting": 10,
}  # fmt: skip
_MOST_OPENING: Final = 16  # of a part, sentences among which one says what the company does
_LEAST_NEAR: Final = 0.2  # cosine of a sentence to what says what a company does
_AS_GOOD: Final = 0.75  # of the best: how near a further one comes to saying what the company does
_MOST_NAMES: Final = 0.5  # of the words of such a sentence: more are a list of names
# What sentences and captions are compared with: what a company does, what made its costs lower or higher,
# what is good news or bad, and holding its shares, which is no risk to its business.
_LOWER: Final = (
    "Costs included favorable development of prior year reserves, which reduced expenses.",
    "Expenses decreased because of lower spending, a gain and a benefit.",
)
_HIGHER: Final = (
    "We recorded charges for restructuring, impairment and losses.",
    "Expenses increased because of higher spending, and costs were unfavorable.",
)
_BETTER: Final = (
    "Losses and costs decreased, profit and margins rose, and a fine against us was annulled.",
    "Results improved compared with the year before, a favorable development.",
)
_WORSE: Final = (
    "Losses and costs increased, profit and margins fell, and a fine against us was upheld.",
    "Results got worse compared with the year before, an unfavorable development.",
)
_OF_SHARES: Final = (
    "The price of our common stock may be volatile, and stockholders have little influence over who"
    " controls the company.",
    "Anti-takeover provisions, voting rights of shares and dividends affect holders of our common stock.",
)
_LIKE_SHARES: Final = 0.5  # the captions of twelve companies fall apart at this cosine
_INTRODUCES: Final = ("business", "about", "home", "posting")
# How specific a sentence is held to be where no classifier says: with a number or day, or with a name alone.
_STATED, _NAMED = 0.9, 0.6


def read(evidence: Evidence, encoder: Encoder | None) -> Evidence:
    """The evidence with what the classifiers find; without them a sentence has no label. Computes."""
    considered = list(candidates(evidence))
    unread = replace(
        evidence,
        judged=[Judged(s, specific=_STATED if states_fact(s.text) else _NAMED) for s in considered],
        opening=opening(evidence, considered),
    )
    if not considered or encoder is None or not encoder.name.startswith(BUNDLED):
        return unread
    try:
        vectors = encoder.encode_now([each.text for each in considered])
        measures = _measures(considered, vectors, evidence.name, encoder)
    except EncoderFailed:
        return unread
    found = replace(unread, opening=_describing(unread.opening, measures))
    if head_encoder(encoder) is None:
        return found
    near = [replace(each, near=measures[each.sentence]) for each in _judged(considered, vectors)]
    return replace(found, judged=[each for each in near if each.near.shares < _LIKE_SHARES])


def _describing(
    opening: Sequence[Sentence], measures: Mapping[Sentence, Near]
) -> Sequence[Sentence]:
    """Those that come nearest to saying what the company does, the nearest first; of postings, which are
    about working there, none but the nearest of all."""
    first = sorted(opening, key=lambda each: -measures[each].describes)
    best = measures[first[0]].describes if first else 0.0
    least = max(_LEAST_NEAR, _AS_GOOD * best)
    near = (each for each in first if measures[each].describes >= least)
    return [each for each in near if each.part != "posting" or each is first[0]]


def _judged(considered: Sequence[Sentence], vectors: Vectors) -> list[Judged]:
    """The sentences with their labels."""
    insight = head("insight")
    chances = insight.probabilities(vectors)
    specific, useful = (head(name).probabilities(vectors)[:, 1] for name in ("specific", "useful"))
    best = chances.argmax(axis=1)
    return [
        Judged(
            sentence,
            insight.labels[best[row]],
            float(chances[row, best[row]]),
            float(specific[row]),
            float(useful[row]),
            is_sure=bool(chances[row, best[row]] >= insight.thresholds[best[row]]),
        )
        for row, sentence in enumerate(considered)
    ]


def _measures(
    considered: Sequence[Sentence], vectors: Vectors, company: str, encoder: Encoder
) -> dict[Sentence, Near]:
    """How near each sentence, and the caption of a risk, comes to what it is compared with (cosines)."""
    captions = list(
        dict.fromkeys(each.heading or "" for each in considered if each.part == "risks")
    )
    does = (f"{company} is a company that makes and sells products and services.",)
    groups = (does, _LOWER, _HIGHER, _BETTER, _WORSE, _OF_SHARES, captions)
    encoded = encoder.encode_now([text for group in groups for text in group])
    ends = np.cumsum([len(group) for group in groups])[:-1]
    *compared, of_shares, headed = np.split(encoded, ends)
    nearest = [(vectors @ group.T).max(axis=1) for group in compared]
    shares, own_shares = ((each @ of_shares.T).max(axis=1) for each in (headed, vectors))
    at = {caption: row for row, caption in enumerate(captions)}

    def near(row: int, sentence: Sentence) -> Near:
        describes, lower, higher, better, worse = (float(each[row]) for each in nearest)
        below = (0.0, 0.0)
        if sentence.part == "risks":
            place = at[sentence.heading or ""]
            of_holders = max(float(shares[place]), float(own_shares[row]))
            below = (float(vectors[row] @ headed[place]), of_holders)
        return Near(describes, lower - higher, better - worse, *below)

    return {sentence: near(row, sentence) for row, sentence in enumerate(considered)}


def candidates(evidence: Evidence) -> Iterator[Sentence]:
    """The sentences to be read, at most `MOST`, the same words once."""
    found: dict[str, Sentence] = {}
    for document in evidence.reading:
        if not is_english(document):
            continue
        for sentence in _of_document(document, evidence.name):
            if len(found) == MOST:
                break
            found.setdefault(sentence.text, sentence)
    yield from found.values()


def is_english(document: Document) -> bool:
    """Whether the classifiers can read a document."""
    return (document.language or ENGLISH).startswith(ENGLISH)


def _of_document(document: Document, company: str) -> Iterator[Sentence]:
    room = dict(_MOST_OF_PART)
    for sentence in document.sentences:
        if not room.get(sentence.part) or not stands_alone(sentence.text):
            continue
        introduces = sentence.part in _INTRODUCES and room[sentence.part] > (
            _MOST_OF_PART[sentence.part] - _MOST_OPENING
        )
        is_told = (
            states_fact(sentence.text)
            if sentence.part == "risks"
            else is_specific(sentence, company)
        )
        if introduces or is_told:
            room[sentence.part] -= 1
            yield sentence


def opening(evidence: Evidence, considered: Sequence[Sentence]) -> list[Sentence]:
    """The first sentences of the business and of the site that are its own, stand alone and name no time:
    one of them says what it does."""
    room = dict.fromkeys(_INTRODUCES, _MOST_OPENING)
    found = []
    for sentence in considered:
        if room.get(sentence.part) and latest_day(sentence.text) is None:
            room[sentence.part] -= 1
            if _introduces(sentence, evidence.name):
                found.append(sentence)
    return found


def _introduces(sentence: Sentence, company: str) -> bool:
    """Whether a sentence may say what the company does."""
    words = WORD.findall(sentence.text)
    is_list = sum(word[0].isupper() for word in words) > _MOST_NAMES * len(words)
    is_apart = not (_gives_address(sentence.text) or points_back(sentence.text))
    return is_apart and not is_list and is_own(sentence, company)


def _gives_address(text: str) -> bool:
    """Whether a sentence gives the address of a site: it says where to read, not what the company does."""
    words = (word.strip(".,;:()") for word in text.split())
    parts = (word.rpartition(".") for word in words if word.islower())
    return any(len(before) > 1 and len(last) > 1 for before, _, last in parts)


def _may_stand(sentence: Sentence, company: str, shown: Sequence[Shown]) -> bool:
    """Whether a sentence is understood by itself, specific, and not one of the amounts that are shown."""
    is_apart = not points_back(sentence.text) and not repeats_amount(sentence.text, shown)
    return is_apart and is_specific(sentence, company)


def share_out(evidence: Evidence, sections: Sequence[Section]) -> Evidence:
    """The evidence with the sentences of each section: those that fit best first, each in the section that
    it fits best, and none that repeats another, in whatever section."""
    choosers = [(each.fits, each) for each in sections if each.fits is not None]
    shown = shown_amounts(evidence)
    fitting: list[tuple[float, Section, Judged]] = []
    for judged in evidence.judged:
        if _may_stand(judged.sentence, evidence.name, shown):
            scores = [(fits(judged, evidence), each) for fits, each in choosers]
            score, section = max(scores, key=lambda pair: pair[0])
            fitting += [(score, section, judged)] if score > 0 else []
    chosen: dict[str, list[Judged]] = defaultdict(list)
    seen = [shingles(each.text) for each in evidence.opening[:2]]
    for _, section, judged in sorted(fitting, key=lambda each: -each[0]):
        own = shingles(judged.sentence.text)
        if len(chosen[section.name]) < section.most and not any(alike(own, s) for s in seen):
            seen.append(own)
            chosen[section.name].append(judged)
    return replace(evidence, chosen=chosen)
