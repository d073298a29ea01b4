"""Custom insights: an organization's questions, answered by facts or the sentences that answer them."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.asking import Asked, asked, stems, weights
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.fact_answers import fact_answer
from sightline.profile.first_person import speaks_of
from sightline.profile.judging import is_of_the_past, is_results
from sightline.profile.select import Candidate, candidate, choose, specificity
from sightline.profile.seller import Question, Seller
from sightline.profile.sentences import Sentence

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
    found = []
    for question in seller.questions:
        best = answers(evidence, question)
        proofs: tuple[Quote, ...] = tuple(q for c in best for q in c.quotes)
        found.append(
            {
                "id": str(question.question_id),
                "name": question.name,
                "question": question.question,
                "state": "ready" if best else "insufficient_evidence",
                "answer": " ".join(c.description for c in best) or None,
                "description": " ".join(c.description for c in best),
                "sources": proofs,
            }
        )
    return found
