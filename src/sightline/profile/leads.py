"""What a model is shown of a company's documents beside the statements made of them: the sentences that would
change what a seller says, whatever they are about, none that the report of the year before has as well."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Final

import numpy as np

from sightline.profile.choosing import without_repeats
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.insights import candidates, is_english
from sightline.profile.sentences import Sentence, is_own, is_specific
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.heads import Floats, head, head_encoder
from sightline.reading.prose import stands_alone
from sightline.reading.vectors import Vectors

_MOST_READ: Final = 1_000  # sentences; one takes some 6 ms
_MOST: Final = 100
_MOST_OF_LABEL: Final = 4  # goals, priorities and so on, which few sentences are
_MOST_OPENING: Final = 8  # sentences that say what the company does
# What a sentence counts that stands in no part of a report that tells of the business, and one that names
# no time from the report's last year on.
_OF_NOTES, _UNDATED = 0.5, 0.25
_LEAST_WORTH: Final = 0.12  # of what is shown


def with_leads(evidence: Evidence, encoder: Encoder | None) -> Evidence:
    """The evidence with its leads, the best first; without the classifiers, the first sentences of its own.
    Computes."""
    read = list(islice(_told(evidence), _MOST_READ))
    try:
        best = _ranked(evidence, read, encoder) if read and head_encoder(encoder) else None
    except EncoderFailed:
        best = None
    if best is None:
        best = [each for each in read if is_own(each, evidence.name)]
    chosen = without_repeats(best, lambda each: each.text, most=_MOST)
    leads = (*evidence.opening[:_MOST_OPENING], *chosen)
    return replace(evidence, leads=tuple(dict.fromkeys(leads)))


def _told(evidence: Evidence) -> Iterator[Sentence]:
    """The sentences of reports, and of other documents those that sections are made of: specific ones, each
    once, none of a year that is past or that the report before has already."""
    before = {each.text for document in evidence.annuals[1:2] for each in document.sentences}
    reports = [each for each in evidence.reading if each.form is not None and is_english(each)]
    found = chain.from_iterable(each.sentences for each in reports)
    fit = (each for each in found if stands_alone(each.text) and is_specific(each, evidence.name))
    others = (each for each in candidates(evidence) if each.document.form is None)
    for each in {each.text: each for each in chain(fit, others)}.values():
        if each.text not in before and not evidence.is_past_year(each):
            yield each


def _ranked(
    evidence: Evidence, read: Sequence[Sentence], encoder: Encoder | None
) -> list[Sentence]:
    """Sentences by how probably they are of use to a seller and true of this company alone, those that are
    so at all; before them, the best of each kind of insight."""
    assert encoder is not None
    vectors = encoder.encode_now([each.text for each in read])
    worth = _worth(vectors)
    worth[[_is_note(each) for each in read]] *= _OF_NOTES
    worth[[not evidence.is_of_newest_year(each) for each in read]] *= _UNDATED
    chances = head("insight").probabilities(vectors)[:, 1:] * worth[:, None]
    first = np.argsort(-chances, axis=0)[:_MOST_OF_LABEL].ravel()
    order = dict.fromkeys((*first, *np.argsort(-worth)))
    return [read[row] for row in order if worth[row] >= _LEAST_WORTH]


def _worth(vectors: Vectors) -> Floats:
    """How probably sentences are of use to a seller and true of one company alone."""
    useful, specific = (head(name).probabilities(vectors)[:, 1] for name in ("useful", "specific"))
    return np.asarray(useful * specific, np.float32)


def most_useful(quotes: Sequence[Quote], encoder: Encoder | None, *, most: int) -> Sequence[Quote]:
    """So many of the quotes, in their order; without the classifiers the first. Computes."""
    if len(quotes) <= most or encoder is None or head_encoder(encoder) is None:
        return quotes[:most]
    try:
        vectors = encoder.encode_now([each.text or "" for each in quotes])
    except EncoderFailed:
        return quotes[:most]
    return [quotes[row] for row in sorted(np.argsort(-_worth(vectors))[:most])]


def _is_note(sentence: Sentence) -> bool:
    return sentence.part == "other" and sentence.document.form != "8-K"
