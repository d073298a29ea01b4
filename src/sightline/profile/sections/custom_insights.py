"""Custom insights: an organization's questions, answered by facts or the sentences that answer them.

A question that asks for yes or no gets one of them with its proof, or no answer.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.asking import Asked, asked, stems, weights
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.fact_answers import fact_answer
from sightline.profile.first_person import in_first_person, speaks_of
from sightline.profile.judging import is_of_the_past, is_results
from sightline.profile.select import Candidate, candidate, choose, specificity
from sightline.profile.seller import Question, Seller
from sightline.profile.sentences import Sentence
from sightline.profile.yes_or_no import Verdict, is_asked, known_answer, verdict

_MOST: Final = 3
_OURS = re.compile(r"\b(?:we|our|us|the company)\b", re.I)
_ENOUGH: Final = 0.75  # of the best score, that others must reach
Stemmed = Sequence[tuple[Sentence, Sequence[str]]]


def answers(evidence: Evidence, question: Question) -> list[Candidate]:
    """What is known, else the sentences that hold what a question asks for, rare words counting
    more; of a question that asks two things, those that answer either. [] when nothing answers."""
    if "stemmed" not in evidence.memo:
        said = [s for s in evidence.sentences() if s.part != "notes" and not s.dangles]
        evidence.memo["stemmed"] = [(s, stems(s.text)) for s in said]
    known = fact_answer(evidence, question.question)
    halves = asked(question.question, question.keywords)
    if known is not None and len(halves) == 1:
        return [known]
    found = [c for each in halves for c in _answers(evidence, evidence.memo["stemmed"], each)]
    return choose(([known] if known is not None else []) + found, most=_MOST, named=False)


def _answers(evidence: Evidence, stemmed: Stemmed, wanted: Asked) -> list[Candidate]:
    speaks = speaks_of(evidence.name)
    needed = wanted.words | frozenset().union(*wanted.keys)
    idf = weights([frozenset(words) for _, words in stemmed], needed)
    found: list[Candidate] = []
    for place, (sentence, words) in enumerate(stemmed):
        if needed.isdisjoint(words):
            continue
        if sentence.document.form is not None and not speaks.search(sentence.text):
            continue
        if wanted.of_late and is_of_the_past(sentence.text, sentence.document.year - 1):
            continue
        fit = wanted.fits(sentence.text, words, idf)
        if not fit:
            continue
        score = fit * specificity(sentence.text)
        score *= (1.2 if _OURS.search(sentence.text) else 1.0) * (
            0.6 if is_results(sentence.text) and not wanted.of_figures else 1.0
        )
        found.append(candidate(sentence, follow=_follow(stemmed, place), score=score))
    best = max((each.score for each in found), default=0.0)
    return [each for each in found if each.score >= _ENOUGH * best]


def _follow(stemmed: Stemmed, place: int) -> Sequence[Sentence]:
    following = [sentence for sentence, _ in stemmed[place + 1 : place + 2]]
    return [s for s in following if s.document is stemmed[place][0].document]


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    del built
    return [_insight(evidence, question) for question in seller.questions]


def _insight(evidence: Evidence, question: Question) -> Statement:
    decided: Verdict | None = None
    if is_asked(question.question):
        decided, best = _decision(evidence, question)
    else:
        best = answers(evidence, question)
    said = " ".join(c.description for c in best)
    proofs: tuple[Quote, ...] = tuple(q for c in best for q in c.quotes)
    return {
        "id": str(question.question_id),
        "name": question.name,
        "question": question.question,
        "state": "ready" if best else "insufficient_evidence",
        "verdict": decided,
        "answer": (f"{decided.capitalize()}. {said}" if decided else said) or None,
        "description": said,
        "sources": proofs,
    }


def _decision(evidence: Evidence, question: Question) -> tuple[Verdict | None, list[Candidate]]:
    """Yes or no with what proves it: a fact, else the best sentence that decides it and those that
    agree; None and [] when nothing does."""
    known = known_answer(evidence, question.question)
    if known is not None:
        return known.verdict, [known.said]
    ruled = [
        (verdict(question.question, in_first_person(c.description, evidence.name)), c)
        for c in answers(evidence, question)
    ]
    decided = next((each for each, _ in ruled if each is not None), None)
    return decided, [c for each, c in ruled if each == decided and each is not None]
