"""What the classifiers make of a company's sentences: goals, priorities, strengths and the like.

A sentence is considered when it is whole, begins with the company, "we" or a name, and has a name,
figure, date or sum in it. The newest documents come first, and each is encoded once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import Statement
from sightline.profile.evidence import Document, Evidence, Insight
from sightline.profile.sentences import Sentence, is_own, is_specific
from sightline.reading.encoder import BUNDLED, Encoder, EncoderFailed
from sightline.reading.heads import Floats, Head, head, head_encoder
from sightline.reading.periods import is_over, latest_day
from sightline.reading.vectors import Vectors

OVERVIEW: Final = "overview"
MOST: Final = 300
"""Sentences of a company that are encoded; one takes some 6 ms."""

# Of a part of a document, so many sentences are considered; parts that are not named, none.
_MOST_OF_PART: Final = {
    "release": 60, "review": 80, "business": 140, "about": 30, "home": 20, "products": 20,
    "news": 20, "feed_item": 20, "investors": 20, "page": 20,
}  # fmt: skip
_MOST_OPENING: Final = 8  # of a part, sentences among which one says what the company does
_MOST_LEADS: Final = 12
LABELS: Final = (
    "goal",
    "priority",
    "digital",
    "strength",
    "weakness",
    "opportunity",
    "threat",
    OVERVIEW,
)
_INTRODUCES: Final = ("business", "about", "home")


def read(evidence: Evidence, encoder: Encoder | None) -> Evidence:
    """The evidence with what the classifiers find, and with leads for a model. Computes.

    Without the bundled encoder there are no insights, and the newest sentences lead; where the heads are
    off the sentences that say what the company does are all that is found.
    """
    considered = list(candidates(evidence))
    leads: dict[str, Sequence[Sentence]] = dict.fromkeys(LABELS, considered[:_MOST_LEADS])
    if not considered or encoder is None or not encoder.name.startswith(BUNDLED):
        return replace(evidence, leads=leads)
    try:
        vectors = encoder.encode_now([each.text for each in considered])
        prototype = encoder.encode_now(
            [f"{evidence.name} is a company that makes and sells products and services."]
        )
    except EncoderFailed:
        return replace(evidence, leads=leads)
    found = list(_opening(considered, vectors, prototype))
    if head_encoder(encoder) is not None:
        found += _labelled(considered, vectors, evidence.name)
        leads = _leads(considered, vectors)
    leads[OVERVIEW] = [each.sentence for each in sorted(found, key=_of_label(OVERVIEW))][
        :_MOST_LEADS
    ]
    return replace(evidence, insights=sorted(found, key=lambda i: -i.probability), leads=leads)


def _of_label(label: str) -> Callable[[Insight], float]:
    return lambda each: -each.probability if each.label == label else 0.0


def _leads(considered: Sequence[Sentence], vectors: Vectors) -> dict[str, Sequence[Sentence]]:
    """By label the sentences that are most probably of it, however probable that is."""
    insight = head("insight")
    told = insight.probabilities(vectors)
    return {
        label: [considered[row] for row in np.argsort(-told[:, at])[:_MOST_LEADS]]
        for at, label in enumerate(insight.labels)
    }


def candidates(evidence: Evidence) -> Iterator[Sentence]:
    """The sentences to be read, at most `MOST`, the same words once."""
    found: dict[str, Sentence] = {}
    for document in evidence.reading:
        for sentence in _of_document(document, evidence.name):
            if len(found) == MOST:
                break
            found.setdefault(sentence.text, sentence)
    yield from found.values()


def _of_document(document: Document, company: str) -> Iterator[Sentence]:
    room = dict(_MOST_OF_PART)
    for sentence in document.sentences:
        if not room.get(sentence.part) or not is_own(sentence, company):
            continue
        introduces = sentence.part in _INTRODUCES and room[sentence.part] > (
            _MOST_OF_PART[sentence.part] - _MOST_OPENING
        )
        if introduces or is_specific(sentence, company):
            room[sentence.part] -= 1
            yield sentence


def _labelled(considered: Sequence[Sentence], vectors: Vectors, company: str) -> Iterator[Insight]:
    insight, specific = head("insight"), head("specific")
    told, kept = insight.probabilities(vectors), specific.probabilities(vectors)
    for row, sentence in enumerate(considered):
        if not is_specific(sentence, company) or not _says(specific, kept[row], "true"):
            continue
        best = int(np.argmax(told[row]))
        label = insight.labels[best]
        if label != "none" and told[row][best] >= insight.thresholds[best]:
            yield Insight(label, sentence, float(told[row][best]))


def _says(found: Head, row: Floats, label: str) -> bool:
    """Whether a classifier says a label; one that never does is not asked."""
    at = found.labels.index(label)
    return bool(found.thresholds[at] > 1 or row[at] >= found.thresholds[at])


def _opening(
    considered: Sequence[Sentence], vectors: Vectors, prototype: Vectors
) -> Iterator[Insight]:
    """The first sentences of the business and of the site, by how near they are to saying what the
    company does."""
    room = dict.fromkeys(_INTRODUCES, _MOST_OPENING)
    for row, sentence in enumerate(considered):
        if not room.get(sentence.part) or latest_day(sentence.text) is not None:
            continue
        room[sentence.part] -= 1
        yield Insight(OVERVIEW, sentence, float(vectors[row] @ prototype[0]))


def ahead(evidence: Evidence, label: str, *, most: int) -> list[Statement]:
    """Statements of the insights of a label that speak of nothing that is over, the newest first."""
    found = [i for i in evidence.labelled(label) if not is_over(i.sentence.text, evidence.today)]
    best = without_repeats(found, lambda each: each.sentence.text, most=most)
    best.sort(key=lambda each: each.sentence.document.said_at, reverse=True)
    return [statement_of(each.sentence) for each in best]
