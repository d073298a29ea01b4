"""Sentences of whatever is held that speak of everything asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sightline.assistant.contract import Draft, Statement
from sightline.assistant.held import FoundPassage, Held, HeldText
from sightline.assistant.question import Question
from sightline.assistant.readers import tables
from sightline.assistant.readers.scanning import as_passages, speaking
from sightline.assistant.readers.wanted import Wanted
from sightline.assistant.words import covers, said_in, terms_of
from sightline.profile.sentences import cut, is_boilerplate, spaced

_SHORTEST: Final = 30
_LONG: Final = 480
_LONGEST: Final = 800
_MOST: Final = 3
_MOST_EXACT: Final = 2
# Share of the question's terms that a sentence with its surroundings must speak of.
_ENOUGH: Final = 0.75
_OWN: Final = 0.5  # of which so many in the sentence itself
_CLOSE: Final = 0.8  # of the best sentence's score that a further one must have
_CLOSE_EXACT: Final = 0.95  # where one figure, day or name is asked for
_NEWEST: Final = 0.15
_STOCK: Final = 0.5  # what stock phrases take from a sentence
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|may|might|must|shall|should"
    r"|[a-z]{2,}(?:ed|es|s)|ist|sind|hat|haben|wird|werden|war|bieten|est|sont|ont|son|es|está)\b"
)
_ANY_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
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
    r"|\banswer\s+(?:every|all|each|any)\s+(?:other\s+)?questions?\b|\bbefore\s+(?:you\s+)?answer(?:ing)?\b"
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


# A sentence that says in particular what the one before says in general.
_CONTINUES = re.compile(
    r"\s*(?:Specifically|In particular|Of these|Namely|These include|They are)\b"
)
# An abbreviation that ends no sentence: "Smith v. Jones".
_ENDS_OPEN = re.compile(r"\bvs?\.$")


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: FoundPassage
    words: str  # as they stand in the document
    score: float
    own: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The terms of a sentence; with those of the headings; of the sentence before; of the paragraph."""

    own: frozenset[str]
    named: frozenset[str]
    near: frozenset[str]
    around: frozenset[str]


async def read(question: Question, held: Held) -> Draft | None:
    """The sentences that say most of what is asked; None when none says enough of it."""
    if not question.every:
        return None
    lines = speaking(await held.texts(), question.every)
    lines = [line for line in lines if not ADDRESSES_READER.search(line.text)]
    found = [*await held.passages(question.text), *as_passages(lines)]
    wanted = Wanted.of(question)
    newest = max((p.published_at for p in found if p.published_at), default=None)
    if wanted.is_cell and (cell := tables.read(question, lines, whole=True)):
        return cell
    candidates = [
        candidate
        for passage in found
        if held.may("jobs:read") or passage.kind != "job"
        for candidate in _candidates(
            passage, question, wanted, fresh=_NEWEST if passage.published_at == newest else 0.0
        )
    ]
    if not candidates:
        return tables.read(question, lines) if wanted.has_figure else None
    best = max(candidate.score for candidate in candidates)
    close = _CLOSE_EXACT if wanted.is_exact else _CLOSE
    chosen: list[_Candidate] = []
    for each in sorted(candidates, key=lambda c: -c.score):
        if len(chosen) == (_MOST_EXACT if wanted.is_exact else _MOST) or each.score < close * best:
            break
        if not any(_alike(each, other) for other in chosen):
            chosen.append(each)
    whole = set(question.every)
    said = set().union(*(c.own for c in chosen))
    whole_texts = {text.document_id: text for text in await held.texts()}
    told = tuple(_told(each, whole_texts.get(each.passage.document_id)) for each in chosen)
    return Draft(told, "sufficient" if whole <= said else "partial")


def _told(candidate: _Candidate, document: HeldText | None) -> Statement:
    text = spaced(candidate.words)
    unit = tables.unit_of(text, document) if document else ""
    if unit:
        text = text[:-1] + unit + text[-1]
    return Statement(text, (candidate.passage.source(candidate.words),))


def _candidates(
    passage: FoundPassage, question: Question, wanted: Wanted, *, fresh: float
) -> list[_Candidate]:
    terms = question.every
    title = passage.title or ""
    context = said_in(f"{passage.heading} {title}")
    headed = frozenset(term for term in terms if covers(term, context))
    found: list[_Candidate] = []
    previous: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()  # of the paragraph so far and the end of the one above
    for line in passage.text.split("\n"):
        if ADDRESSES_READER.search(line):
            previous = before = frozenset()
            continue
        for words in _sentences(line):
            stems = said_in(words)
            own = frozenset(term for term in terms if covers(term, stems))
            around = _Surroundings(
                own, own | headed, own | headed | previous, own | headed | before
            )
            before, previous = before | own, own
            if not own or not _is_whole(words) or not wanted.is_in(words):
                continue
            if not _is_enough(question, around, words, title):
                continue
            if is_boilerplate(words) and not wanted.has_figure:
                continue
            score = (len(own) + 0.3 * len(around.around)) / len(terms) + 0.4 * passage.score
            score += wanted.worth(words) + _worth(words) + fresh
            found.append(_Candidate(passage, words, score, own))
        before = previous
    return found


def _sentences(line: str) -> list[str]:
    """The sentences of a line as they stand, those that belong together in one."""
    found: list[tuple[int, int]] = []
    for start, end in cut(line):
        before = line[found[-1][0] : found[-1][1]] if found else ""
        goes_on = _CONTINUES.match(line[start:end]) or _ENDS_OPEN.search(before.rstrip())
        if found and goes_on and end - found[-1][0] <= _LONGEST:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [line[start:end].strip() for start, end in found]


def _is_whole(words: str) -> bool:
    """Whether words can be shown as a sentence."""
    if not _SHORTEST <= len(words) <= _LONGEST or _MARKUP.search(words) or words[0].islower():
        return False
    found = _WORD.findall(words)
    if sum(word.islower() for word in found) < (3 if _VERB.search(words) else 4):  # a heading
        return False
    return len(found) >= 5 and words[-1] in ".!?”\"')" and words[0] not in ",;)"


def _is_enough(question: Question, terms_in: "_Surroundings", words: str, title: str) -> bool:
    """Whether a sentence speaks of what is asked: of all names and years, and of most other terms."""
    terms, own, named = question.every, terms_in.own, terms_in.named
    if not question.proper <= (terms_in.near if len(own) > 1 else named):
        return False
    period = question.period
    years = (period.year,) if period is not None and period.year else period.years if period else ()
    if not all(str(year) in words for year in years) and not _is_dated(years, title, words):
        return False
    common = set(terms) - question.proper
    if common and not common & own:
        return False
    if len(terms) <= 2:
        return all(term in named for term in terms)
    return len(terms_in.around) >= _ENOUGH * len(terms) and len(own) >= _OWN * len(terms)


def _is_dated(years: Sequence[int], title: str, words: str) -> bool:
    """Whether a sentence without any year is of a report for the one year that is asked for."""
    return len(years) == 1 and f"for {years[0]}-" in title and not _ANY_YEAR.search(words)


def _worth(words: str) -> float:
    """What makes one of several fitting sentences the easier to read."""
    worth = 0.0
    worth -= 0.2 if _DANGLES.match(words) else 0.0
    worth -= 0.3 if words[0] == "(" else 0.0
    worth -= _STOCK if is_boilerplate(words) else 0.0
    if _CONTINUES.search(words):
        return worth
    return worth - (0.3 if len(words) > _LONG else 0.1 if len(words) > 330 else 0.0)


def _alike(one: _Candidate, other: _Candidate) -> bool:
    left, right = terms_of(one.words), terms_of(other.words)
    return len(left & right) > 0.6 * min(len(left), len(right))
