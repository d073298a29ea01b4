"""Sentences of whatever is held that speak of everything asked."""

import re
from dataclasses import dataclass
from typing import Final

from sightline.assistant.contract import Draft, Statement
from sightline.assistant.held import FoundPassage, Held
from sightline.assistant.question import Question
from sightline.assistant.words import covers, said_in, terms_of
from sightline.profile.sentences import cut, is_boilerplate, spaced

_SHORTEST: Final = 30
_LONGEST: Final = 480
_MOST: Final = 3
# Share of the question's terms that a sentence with its surroundings must speak of.
_ENOUGH: Final = 0.75
_OWN: Final = 0.5  # of which so many in the sentence itself
_FIGURE = re.compile(r"\d")
_WHEN: Final = (
    r"^\W*(?:when|(?:in\s+)?(?:what|which)\s+(?:year|month)|on\s+(?:what|which)\s+da(?:y|te))\b"
)
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December)\s+\d"
)
_COUNTED: Final = r"\bhow\s+(?:many|much)\b"
# What a figure counts: the four words after it.
_FIGURE_OF = re.compile(r"\d[\d,.]*\+?\s+((?:[\w-]+\s*){1,4})")
# Or what stands right before it: "customers totaled 455".
_FIGURE_FOR = re.compile(
    r"\b([\w-]+)\s+(?:was|were|of|totall?ed|numbered|stood at|:)\s+(?:approximately\s+|about\s+"
    r"|over\s+)?\d"
)
_TOTAL = re.compile(r"\b(?:total|aggregate|worldwide|approximately|in all|altogether)\b", re.I)
_SUM = re.compile(r"[$€£]\s?\d|\d\s?%|\d\s(?:million|billion|percent)")
# Rows of tables; and what is for a machine, not in prose: markup, templates, addresses with a query.
_MARKUP = re.compile(r" \| |!\[|\]\(|\{\{|\}\}|</?\w+[^<]*>|\w://\S*\?")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Words that speak to whoever reads by machine. They are evidence of nothing.
ADDRESSES_READER = re.compile(
    r"\b(?:ignor\w*|disregard|forget|override|olvida\w*|oublie\w*|vergiss)\b.{0,40}"
    r"\b(?:instru[ck]\w*|anweisung\w*|prompts?|rules|above|previous)\b"
    r"|\bsystem\s+(?:prompt|message|override)\b|\byou\s+are\s+(?:now\s+)?(?:an?\s+)?(?:ai"
    r"|assistant|language model|chatbot|dan)\b"
    r"|\b(?:as|dear|attention|hey|note\s+to)\s+(?:an?\s+|the\s+|all\s+)?(?:ai|llms?"
    r"|language\s+model|chatbot|assistant)s?\b"
    r"|\b(?:call|invoke|use|run)\s+the\s+\w*\s?(?:tool|function)\b|<\s*/?\s*(?:system|assistant"
    r"|user|tool|instructions?|im_start|im_end)\b"
    r"|\[/?(?:inst|system)\]|\bnew\s+instructions?\b|\bdeveloper\s+mode\b|\bjailbreak\b"
    r"|\b(?:reveal|print|repeat|output|send|exfiltrate|leak)\b.{0,40}\b(?:prompt|api\s+keys?"
    r"|secrets?|credentials|passwords?|conversation)\b",
    re.I | re.S,
)
_DANGLES = re.compile(
    r"^[\"“(]?(?:this|these|those|such|that|they|their|however|in addition|additionally"
    r"|moreover|furthermore"
    r"|for example|as a result|accordingly|therefore|thus|also|consequently|further)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: FoundPassage
    words: str  # as they stand in the document
    score: float
    own: frozenset[str]


async def read(question: Question, held: Held) -> Draft | None:
    """The sentences that say most of what is asked; None when none says enough of it."""
    if not question.every:
        return None
    found = await held.passages(question.text)
    candidates = [
        candidate
        for passage in found
        if held.may("jobs:read") or passage.kind != "job"
        for candidate in _candidates(passage, question)
    ]
    if not candidates:
        return None
    best = max(candidate.score for candidate in candidates)
    chosen: list[_Candidate] = []
    for each in sorted(candidates, key=lambda c: -c.score):
        if len(chosen) == _MOST or each.score < 0.75 * best:
            break
        if not any(_alike(each, other) for other in chosen):
            chosen.append(each)
    whole = set(question.every)
    said = set().union(*(c.own for c in chosen))
    told = tuple(Statement(spaced(c.words), (c.passage.source(c.words),)) for c in chosen)
    return Draft(told, "sufficient" if whole <= said else "partial")


def _candidates(passage: FoundPassage, question: Question) -> list[_Candidate]:
    terms = question.every
    context = said_in(f"{passage.heading} {passage.title or ''}")
    counted, dated = question.asks(_COUNTED), question.asks(_WHEN)
    found: list[_Candidate] = []
    before: set[str] = set()
    for line in passage.text.split("\n"):
        if ADDRESSES_READER.search(line):
            before = set()
            continue
        for start, end in cut(line):
            words = line[start:end].strip()
            stems = said_in(words)
            own = frozenset(term for term in terms if covers(term, stems))
            named = own | {term for term in terms if covers(term, context)}
            around = named | {term for term in terms if covers(term, before)}
            before = stems
            if not _is_whole(words) or not _is_enough(question, own, around, named, words):
                continue
            if counted and not _counts(question, words):
                continue
            if dated and not _DATE.search(words):
                continue
            score = len(own) / len(terms) + 0.3 * len(around) / len(terms) + 0.4 * passage.score
            score += _worth(question, words)
            found.append(_Candidate(passage, words, score, own))
    return found


def _is_whole(words: str) -> bool:
    """Whether words can be shown as a sentence."""
    if not _SHORTEST <= len(words) <= _LONGEST or _MARKUP.search(words) or is_boilerplate(words):
        return False
    found = _WORD.findall(words)
    if sum(word.islower() for word in found) < 3:  # a heading
        return False
    return len(found) >= 5 and words[-1] in ".!?”\"')" and words[0] not in ",;)"


def _is_enough(
    question: Question,
    own: frozenset[str],
    around: frozenset[str],
    named: frozenset[str],
    words: str,
) -> bool:
    """Whether a sentence speaks of what is asked: of all names and years, and of most other terms.

    `around` are the terms of the sentence, the one before it and the headings; `named` those of
    the sentence and the headings.
    """
    terms = question.every
    if not question.proper <= named:
        return False
    year = question.period.year if question.period is not None else None
    if year and str(year) not in words:
        return False
    common = set(terms) - question.proper
    if common and not common & own:
        return False
    if len(terms) <= 2:
        return all(term in named for term in terms) and bool(own)
    return len(around) >= _ENOUGH * len(terms) and len(own) >= _OWN * len(terms)


def _counts(question: Question, words: str) -> bool:
    """Whether a sentence has a figure; asked how many, one of what is asked for."""
    if not question.asks(r"\bhow\s+many\b"):
        return _FIGURE.search(words) is not None
    wanted = set(question.every)
    return any(terms_of(found[1]) & wanted for found in _FIGURE_OF.finditer(words)) or any(
        terms_of(found[1]) & wanted for found in _FIGURE_FOR.finditer(words)
    )


def _worth(question: Question, words: str) -> float:
    """What makes one of several fitting sentences the better answer."""
    worth = 0.0
    if question.asks(_COUNTED):
        worth += 0.2 if _TOTAL.search(words) else 0.0
    elif question.asks(_WHEN) and _DATE.search(words):
        worth += 0.3
    elif question.asks(
        r"^\W*what\s+(?:is|was|are|were)\s+(?:the|its|their|\S+['’]s)\s"
    ) and _SUM.search(words):
        worth += 0.2
    worth -= 0.2 if _DANGLES.match(words) else 0.0
    worth -= 0.3 if words[0] == "(" else 0.0
    return worth - (0.1 if len(words) > 330 else 0.0)


def _alike(one: _Candidate, other: _Candidate) -> bool:
    left, right = terms_of(one.words), terms_of(other.words)
    return len(left & right) > 0.6 * min(len(left), len(right))
