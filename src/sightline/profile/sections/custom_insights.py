"""Custom insights: an organization's questions, answered with the sentences that answer them best."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.select import Candidate, candidate, choose
from sightline.profile.seller import Question, Seller
from sightline.profile.sentences import Sentence

_MOST: Final = 3
_LEAST_COVERED: Final = 0.5
_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS: Final = """
a an the of in on at to for from by with as is are was were be been do does did has have had how
what which who whom whose when where why it its they their them this that these those and or not
any company companies we our us use uses using plan plans planning there can could would should
will much many currently about into
"""
_STOP: Final = frozenset(_STOP_WORDS.split())
_ENDINGS = re.compile(r"(?:ations?|ings?|ies|ed|es|s|ment|ers?|al|ly|e|y)$")


def stem(word: str) -> str:
    """A word without its ending, so that "hires", "hiring" and "hire" meet."""
    shorter = _ENDINGS.sub("", word)
    return shorter if len(shorter) >= 3 else word


def _stems(text: str) -> list[str]:
    return [stem(w) for w in _WORD.findall(text.casefold()) if w not in _STOP]


def answers(evidence: Evidence, question: Question) -> list[Candidate]:
    """Sentences that hold most of what the question asks for, rare words counting more."""
    wanted = set(_stems(question.question)) | {
        s for keyword in question.keywords for s in _stems(keyword)
    }
    if not wanted:
        return []
    sentences = [s for s in evidence.sentences() if s.part != "notes" and not s.dangles]
    stems = [frozenset(_stems(s.text)) for s in sentences]
    seen: Counter[str] = Counter(word for each in stems for word in each & wanted)
    idf = {w: math.log(1 + len(sentences) / (1 + seen[w])) for w in wanted}
    asked = set(_stems(question.question)) or wanted
    whole = sum(idf[w] for w in asked)
    keys = [frozenset(_stems(k)) for k in question.keywords if _stems(k)]
    found: list[Candidate] = []
    for place, (sentence, words) in enumerate(zip(sentences, stems, strict=True)):
        covered = sum(idf[w] for w in asked & words) / whole if whole else 0.0
        named = any(key <= words for key in keys)
        if named:
            covered = max(covered, _LEAST_COVERED) + 0.25
        if covered < _LEAST_COVERED or (not named and len(asked & words) < min(2, len(asked))):
            continue
        found.append(candidate(sentence, follow=_follow(sentences, place), score=covered))
    return choose(found, most=_MOST)


def _follow(sentences: Sequence[Sentence], place: int) -> Sequence[Sentence]:
    following = sentences[place + 1 : place + 2]
    return [s for s in following if s.document is sentences[place].document]


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
