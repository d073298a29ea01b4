"""Custom insights: an organization's questions, answered with the sentences that answer them best."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.judging import is_hedged, is_results
from sightline.profile.select import Candidate, candidate, choose, specificity
from sightline.profile.seller import Question, Seller
from sightline.profile.sentences import Sentence

_MOST: Final = 3
_LEAST_COVERED: Final = 0.5
_MUCH_COVERED: Final = 0.75
_RAREST: Final = 2
_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS: Final = """
a an the of in on at to for from by with as is are was were be been do does did has have had how
what which who whom whose when where why it its they their them this that these those and or not
any company companies we our us use uses using plan plans planning there can could would should
will much many currently about into get gets got
"""
_STOP: Final = frozenset(_STOP_WORDS.split())
_ENDINGS = re.compile(r"(?:ations?|ings?|ies|ed|es|s|ment|ers?|al|ly|e|y)$")


# One thing under several names.
_ALSO_CALLED: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\bartificial intelligence\b|\bgenai\b", "ai"),
        (r"\bmachine learning\b", "ml"),
        (r"\binternet of things\b", "iot"),
        (r"\be-commerce\b|\bonline (?:sales|shops?|stores?)\b", "ecommerce"),
        (r"\bcyber[- ]security\b|\binformation security\b", "cybersecurity"),
        (r"\bresearch and development\b|\br&d\b", "rnd"),
        (r"\bunited states\b|\bu\.s\.", "usa"),
        (
            r"\bsole[- ]sourced?\b|\bsingle[- ]sourced?\b|\b(?:single|sole) suppliers?\b",
            "singlesource",
        ),
    )
)
_HALVES = re.compile(
    r"\?\s|,? and (?=(?:how|what|which|who|where|when|why|do|does|is|are|has|have)\b)", re.I
)
_OURS = re.compile(r"\b(?:we|our|us|the company)\b", re.I)


def stem(word: str) -> str:
    """A word without its ending, so that "hires", "hiring" and "hire" meet."""
    shorter = _ENDINGS.sub("", word)
    return shorter if len(shorter) >= 3 else word


# Words of one meaning, by their stems.
_SAME: Final = {
    stem(word): stem(group[0])
    for group in (
        ("manufactured", "assembled", "fabricated"),
        ("suppliers", "vendors"),
        ("move", "migrate", "migration"),
        ("buy", "purchase", "acquire"),
        ("staff", "workforce", "employees", "headcount"),
        ("depend", "dependent", "rely", "reliance"),
        ("customers", "clients"),
        ("competitors", "rivals"),
        ("hire", "recruit"),
        ("invest", "spend"),
        ("challenges", "problems", "difficulties"),
    )
    for word in group
}


def _stems(text: str) -> list[str]:
    words = text.casefold()
    for pattern, instead in _ALSO_CALLED:
        words = pattern.sub(instead, words)
    return [
        _SAME.get(each, each) for w in _WORD.findall(words) if w not in _STOP for each in [stem(w)]
    ]


def answers(evidence: Evidence, question: Question) -> list[Candidate]:
    """Sentences that hold most of what a question asks for, rare words counting more; of a question
    that asks two things, those that answer either."""
    if "stemmed" not in evidence.memo:
        said = [s for s in evidence.sentences() if s.part != "notes" and not s.dangles]
        evidence.memo["stemmed"] = [(s, frozenset(_stems(s.text))) for s in said]
    keys = [frozenset(_stems(k)) for k in question.keywords if _stems(k)]
    halves = [half for half in _HALVES.split(question.question) if len(_stems(half)) > 1]
    asked = [frozenset(_stems(half)) for half in halves] or [frozenset(_stems(question.question))]
    found = [
        c for words in asked for c in _answers(evidence.memo["stemmed"], words or _all(keys), keys)
    ]
    return choose(found, most=_MOST, named=False)


def _all(keys: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset(word for key in keys for word in key)


def _answers(
    stemmed: Sequence[tuple[Sentence, frozenset[str]]],
    asked: frozenset[str],
    keys: Sequence[frozenset[str]],
) -> list[Candidate]:
    wanted = asked | _all(keys)
    if not wanted:
        return []
    seen: Counter[str] = Counter(word for _, words in stemmed for word in words & wanted)
    idf = {w: math.log(1 + len(stemmed) / (1 + seen[w])) for w in wanted}
    whole = sum(idf[w] for w in asked)
    # What a question is about are its rarest words: a sentence without them must hold nearly all else,
    # and so must every sentence where the rarest is never said.
    rarest = sorted(asked, key=lambda w: -idf[w])[:_RAREST]
    subject = frozenset(rarest if rarest and seen[rarest[0]] else ())
    found: list[Candidate] = []
    for place, (sentence, words) in enumerate(stemmed):
        covered = sum(idf[w] for w in asked & words) / whole if whole else 0.0
        named = any(key <= words for key in keys)
        if named:
            covered = max(covered, _LEAST_COVERED) + 0.25
        elif covered < (_LEAST_COVERED if subject & words else _MUCH_COVERED):
            continue
        if covered < _LEAST_COVERED or (not named and len(asked & words) < min(2, len(asked))):
            continue
        score = covered * specificity(sentence.text) * (0.7 if is_hedged(sentence.text) else 1.0)
        score *= (1.2 if _OURS.search(sentence.text) else 1.0) * (
            0.6 if is_results(sentence.text) else 1.0
        )
        found.append(candidate(sentence, follow=_follow(stemmed, place), score=score))
    return found


def _follow(stemmed: Sequence[tuple[Sentence, frozenset[str]]], place: int) -> Sequence[Sentence]:
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
