"""Which of a company's sentences are of use to a seller, and which section each of them stands in.

A sentence is read when it stands alone, has a name, figure, date or sum in it, is of no past year, and was
not in the report of the year before; the newest documents come first. One head says how probably it is of
use, another what it is about, and so in which section it stands.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from sightline.profile.evidence import Document, Evidence
from sightline.profile.figures import repeats_amount, shown_amounts
from sightline.profile.parts import scopes
from sightline.profile.registry import SECTIONS
from sightline.profile.sections import swot_analysis
from sightline.profile.sentences import Judged, Sentence, in_context, is_own, is_specific
from sightline.reading.bundled import BundledFileIsBroken
from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.heads import WHOLE, head, head_encoder, sentence_vectors
from sightline.reading.money import sums_in
from sightline.reading.named import named_in
from sightline.reading.onnx_encoder import OnnxEncoder
from sightline.reading.periods import latest_day
from sightline.reading.prose import (
    WORD,
    is_possible,
    points_back,
    speaks_of,
    stands_alone,
    states_fact,
)
from sightline.reading.repeats import alike, is_caption, shingles
from sightline.reading.vectors import Vectors

ENGLISH: Final = "en"
MOST: Final = 1_000
"""Sentences of a company that are read; one takes some 7 ms."""

_MOST_OF_PAGE: Final = 20  # sentences of a document that is no report
_INTRODUCES: Final = ("business", "about", "home", "posting")
_MOST_OPENING: Final = 16  # of a part, sentences among which one says what the company does
_LEAST_NEAR: Final = 0.2  # cosine of a sentence to what says what a company does
_AS_GOOD: Final = 0.75  # of the best: how near a further one comes to saying what the company does
# What a sentence counts that stands in no part of a report that tells of the business, and one that names
# no time from the report's last year on: what ranks the labelled sentences best (decision 0108).
_OF_NOTES, _UNDATED = 0.84, 0.71
_LEAST_WORTH: Final = 0.25  # of a statement: from there on six of ten that are placed are of use
_UNREAD: Final = 0.5  # worth of a dated fact below the caption of a risk, where no head has read it
_MOST_CHOSEN: Final = 24
_LEAST_SUM: Final = 100_000  # smaller ones of a report are given in thousands or millions
_LONG_AGO: Final = 36  # months, after which nothing of a document is shown even as of its day
# Of what a model is shown besides.
_MOST_LEADS: Final = 120
_MOST_OF_LABEL: Final = 4  # goals, priorities and so on, which few sentences are
_MOST_DESCRIBING: Final = 8
_LEAST_LEAD: Final = 0.02  # worth

_GOALS, _PRIORITIES = "goals", "strategic_priorities"
_RISKS: Final = ("risks", "legal")
_MAY_BE_RISK: Final = ("risk", "loses", "makes", "none")
_PLANS: Final = ("goal", "priority", "digital")
_SECTION_OF: Final = {label: each.name for each in SECTIONS for label in each.holds}


def read(evidence: Evidence, encoder: Encoder | None) -> Evidence:
    """The evidence with what is of use in its documents, by section; without the heads, dated facts of its
    risk factors alone. Computes."""
    considered = candidates(evidence)
    found = replace(evidence, opening=_opening(evidence, considered), parts=scopes(evidence))
    judged = [_unread(evidence, each) for each in considered]
    leads: Iterable[Sentence] = (s for s in considered if is_own(s, evidence.name))
    reader = head_encoder(encoder)
    if considered and reader is not None:
        try:
            texts = [each.text for each in considered]
            spans = [named_in(each, [evidence.name], speaks=True) for each in texts]
            vectors = sentence_vectors(reader, texts, spans)
            judged = _judged(evidence, considered, vectors, reader)
            leads = _ranked(judged, vectors)
            found = replace(found, opening=_describing(found.opening, judged))
        except (EncoderFailed, BundledFileIsBroken):
            pass
    kept = islice((each for each in leads if _is_candidate(evidence, each)), _MOST_LEADS)
    shown = list(dict.fromkeys((*found.opening[:_MOST_DESCRIBING], *kept)))
    return replace(found, judged=judged, leads=shown, chosen=_chosen(found, judged))


def candidates(evidence: Evidence) -> list[Sentence]:
    """The sentences to be read, the same words once: those that may say what the company does, and those that
    may be of use."""
    found: dict[str, Sentence] = {}
    for document in filter(is_english, evidence.reading):
        room: Counter[str] = Counter()
        for each in document.sentences:
            is_full = document.form is None and room[each.part] >= _MOST_OF_PAGE
            if is_full or not stands_alone(each.text):
                continue
            introduces = each.part in _INTRODUCES and room[each.part] < _MOST_OPENING
            if introduces or _is_candidate(evidence, each):
                room[each.part] += 1
                found.setdefault(each.text, each)
    return list(islice(found.values(), MOST))


def is_english(document: Document) -> bool:
    """Whether the classifiers can read a document."""
    return (document.language or ENGLISH).startswith(ENGLISH)


def _is_candidate(evidence: Evidence, sentence: Sentence) -> bool:
    """Whether a sentence is new, of this company and its last year, and of a risk more than that it could
    be."""
    if sentence.text in evidence.said_before:
        return False
    is_fact = sentence.part != "risks" or states_fact(sentence.text)
    is_own_time = not evidence.is_past_year(sentence)
    return is_fact and is_own_time and is_specific(sentence, evidence.name)


def _opening(evidence: Evidence, considered: Sequence[Sentence]) -> list[Sentence]:
    """The first sentences of the business and of the site that are its own, stand alone and name no time:
    one of them says what it does."""
    room = dict.fromkeys(_INTRODUCES, _MOST_OPENING)
    found = []
    for sentence in considered:
        if room.get(sentence.part) and latest_day(sentence.text) is None:
            room[sentence.part] -= 1
            words = WORD.findall(sentence.text)
            is_list = 2 * sum(word[0].isupper() for word in words) > len(words)
            is_apart = not (is_list or points_back(sentence.text))
            if is_apart and is_own(sentence, evidence.name):
                found.append(sentence)
    return found


def _describing(opening: Sequence[Sentence], judged: Sequence[Judged]) -> Sequence[Sentence]:
    """Those that come nearest to saying what the company does, the nearest first."""
    describes = {each.sentence: each.describes for each in judged}
    first = sorted(opening, key=lambda each: -describes[each])
    least = max(_LEAST_NEAR, _AS_GOOD * describes[first[0]]) if first else 0.0
    return [each for each in first if describes[each] >= least]


def _unread(evidence: Evidence, sentence: Sentence) -> Judged:
    """A sentence that no head has read."""
    is_fact = sentence.part in _RISKS and _is_risk(sentence) and states_fact(sentence.text)
    is_of_use = is_fact and evidence.is_of_newest_year(sentence)
    return Judged(sentence, worth=_UNREAD, section="risks") if is_of_use else Judged(sentence)


def _is_risk(sentence: Sentence) -> bool:
    """Whether a sentence of risk factors or cases is of a case, or below the caption of a risk."""
    return sentence.part == "legal" or is_caption(sentence.heading or "")


def _judged(
    evidence: Evidence, considered: Sequence[Sentence], vectors: Vectors, reader: OnnxEncoder
) -> list[Judged]:
    """The sentences as the heads read them."""
    does = f"{evidence.name} is a company that makes and sells products and services."
    describes = vectors[:, WHOLE] @ reader.encode_now([does])[0]
    worth = head("useful").probabilities(vectors)[:, 1]
    found = []
    for row, (sentence, about) in enumerate(zip(considered, _about(vectors), strict=True)):
        section = _section(evidence, sentence, about)
        counts = float(worth[row]) * _weight(evidence, sentence, is_goal=about == "goal")
        found.append(Judged(sentence, counts, section, float(describes[row])))
    return found


def _about(vectors: Vectors) -> list[str]:
    """What each sentence is about, "none" where the head is not sure. Its three kinds of plans count as one
    against the others."""
    section = head("section")
    chances, rows = section.probabilities(vectors), np.arange(len(vectors))
    plans = np.array([section.labels.index(each) for each in _PLANS])
    likeliest, whole = plans[chances[:, plans].argmax(axis=1)], chances[:, plans].sum(axis=1)
    chances[:, plans] = 0
    chances[rows, likeliest] = whole
    best = chances.argmax(axis=1)
    is_sure = chances[rows, best] >= section.thresholds[best]
    return [
        section.labels[label] if sure else "none" for label, sure in zip(best, is_sure, strict=True)
    ]


def _weight(evidence: Evidence, sentence: Sentence, *, is_goal: bool) -> float:
    """What a sentence counts by its place and time; a goal or risk is of the time of its document."""
    is_note = sentence.part == "other" and sentence.document.form != "8-K"
    is_timed = is_goal or sentence.part == "risks" or evidence.is_of_newest_year(sentence)
    return (_OF_NOTES if is_note else 1.0) * (1.0 if is_timed else _UNDATED)


def _section(evidence: Evidence, sentence: Sentence, about: str) -> str:
    """The section of a sentence, "" for none. Among risk factors and cases it is a risk unless surely a plan
    or of the market; a goal has a time ahead, and what could only be is no plan and no result."""
    section = _SECTION_OF.get(about, "")
    if sentence.part in _RISKS:
        section = "risks" if _is_risk(sentence) and about in _MAY_BE_RISK else ""
    elif section != "risks" and is_possible(sentence.text):
        section = ""
    if section == _GOALS:
        is_ahead = latest_day(sentence.text) is not None and not evidence.is_over(sentence.text)
        section = _GOALS if is_ahead and speaks_of(sentence.text, evidence.name) else _PRIORITIES
    return "" if evidence.is_history(sentence.document, months=_LONG_AGO) else section


def _ranked(judged: Sequence[Judged], vectors: Vectors) -> list[Sentence]:
    """The sentences that are worth showing to a model, the best first; before them, the best of each
    kind."""
    worth = np.asarray([each.worth for each in judged])
    chances = head("section").probabilities(vectors)[:, 1:] * worth[:, None]
    first = np.argsort(-chances, axis=0)[:_MOST_OF_LABEL].ravel()
    order = dict.fromkeys((*first, *np.argsort(-worth)))
    return [judged[row].sentence for row in order if worth[row] >= _LEAST_LEAD]


def _chosen(evidence: Evidence, judged: Sequence[Judged]) -> Mapping[str, Sequence[Judged]]:
    """The sentences of each section, best first; none repeats another, or an amount that figures show."""
    most = {each.name: each.most for each in SECTIONS}
    shown = shown_amounts(evidence)
    chosen: dict[str, list[Judged]] = defaultdict(list)
    seen = [shingles(each.text) for each in evidence.opening[:2]]
    seen += [shingles(row["name"]) for row in swot_analysis.happened(evidence)]
    room = len(seen) + _MOST_CHOSEN
    for each in sorted(judged, key=lambda each: -each.worth):
        is_full = len(chosen[each.section]) == most.get(each.section, 0) or len(seen) == room
        is_old = each.sentence.text in evidence.said_before
        if (
            is_full
            or is_old
            or each.worth < _LEAST_WORTH
            or _is_unclear(each.sentence, evidence.name)
        ):
            continue
        own = [shingles(text) for text in (in_context(each.sentence), each.sentence.text)]
        is_told = any(alike(text, other) for text in own for other in seen)
        if not is_told and not repeats_amount(each.sentence.text, shown):
            seen.append(own[0])
            chosen[each.section].append(each)
    return chosen


def _is_unclear(sentence: Sentence, company: str) -> bool:
    """Whether a sentence is not understood by itself: it points back, its sums lack their unit, or among
    cases, risks and notes it is of somebody else."""
    sums = (each.amount for each in sums_in(sentence.text))
    is_cut = sentence.document.form is not None and min(sums, default=_LEAST_SUM) < _LEAST_SUM
    is_of_others = sentence.part in (*_RISKS, "other") and not speaks_of(sentence.text, company)
    return points_back(sentence.text) or is_cut or is_of_others
