"""Choosing statements: cues, weights, and the ones that repeat each other left out."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from sightline.profile.evidence import Document, Evidence, Quote
from sightline.profile.first_person import in_first_person, speaks_of
from sightline.profile.judging import is_aside, is_broken, is_of_the_past
from sightline.profile.names import heading_name, is_cut, is_half, sentence_name
from sightline.profile.patterns import Words, words_if_plain
from sightline.profile.sentences import LONGEST, Sentence, spaced

_MOST_DESCRIPTION: Final = 520
_SHORT: Final = 170
_ALIKE: Final = 0.45
_SAME_NAME: Final = 0.7
_PER_HEADING: Final = 2
_OPENING: Final = 60  # characters
_ADDS = re.compile(
    r"(?:additionally|in addition|furthermore|moreover|further|also|finally), (?:we|our"
    r"|the company)\b"
    r"(?! (?:\w+ ){0,5}(?:this|these|those|such)\b)",
    re.I,
)
_NEWS_DAYS: Final = 3 * 365
_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS: Final = """
a an and are as at be been by can could for from had has have in into is it its may might of on
or our that the their these this those to us was we were which will with would such any all not
also other more than if when including us's
"""
_STOP: Final = frozenset(_STOP_WORDS.split())
# What else a description of a business has headings for.
_TOPICS = re.compile(
    r"(?:our )?(?:competit\w+|employees.*|human capital.*|sales(?: and marketing| channels)?"
    r"|marketing.*"
    r"|manufacturing.*|customers?|(?:our )?products?(?: and services)?|intellectual property.*"
    r"|patents.*"
    r"|(?:government )?regulat\w+.*|seasonality|research.*|available information|information"
    r" about.*|backlog"
    r"|properties|segments?|operating segments|our (?:technology|platform|segments?|products"
    r"|customers|people)"
    r"|environment\w*.*|sustainability.*|raw materials|suppliers?.*|supply chain|corporate"
    r" (?:information|history)"
    r"|legal proceedings|government contracts?|facilities|our (?:company|business)|overview"
    r"|data center"
    r"|.*\b(?:results?|outlook|net sales|revenues?|income|expenses?|expenditures|profit|margins?"
    r"|cash|debt"
    r"|tax(?:es)?|earnings|impairments?|accounting|estimates|metrics|liquidity|increase|decrease"
    r"|distribution|information management)\b.*)$",
    re.I,
)
# What follows a statement and completes it in no way.
_OF_RIVALS = re.compile(
    r"(?:the|our) (?:principal |primary |main |key |major )*competitors\b|we (?:also )?compete\b",
    re.I,
)
_TOPIC_LENGTH: Final = 70
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*\s?(?:%|percent|million|billion|basis points)|[$€£]\s?\d")


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that make a sentence a statement of a section. A group `what` begins the name."""

    pattern: re.Pattern[str]
    weight: float
    occurs: Words  # the same, for asking first


def cues(*rows: tuple[str, float]) -> tuple[Cue, ...]:
    """Cues from (pattern, weight), case ignored."""
    made = [(re.compile(pattern, re.IGNORECASE), weight) for pattern, weight in rows]
    return tuple(Cue(pattern, weight, words_if_plain(pattern)) for pattern, weight in made)


def by_language(
    english: Sequence[Cue], others: Mapping[str, Sequence[tuple[str, float]]]
) -> Mapping[str, Sequence[Cue]]:
    """English cues and those of other languages, by language."""
    return {"en": english, **{code: cues(*rows) for code, rows in others.items()}}


@dataclass
class Candidate:
    """A statement that may be chosen. `quotes` prove name and description."""

    name: str
    description: str
    quotes: tuple[Quote, ...]
    score: float
    group: Any = None  # at most two of one group are chosen
    extra: dict[str, Any] = field(default_factory=dict)
    shingles: frozenset[Any] = frozenset()
    heading: str | None = None  # the heading that it stands under, as a name

    def statement(self) -> dict[str, Any]:
        return {
            "name": self.name,
            **self.extra,
            "description": self.description,
            "sources": self.quotes,
        }


Cues = Sequence[Cue] | Mapping[str, Sequence[Cue]]
"""Cues for every language, or by language (ISO 639-1)."""


def find(
    evidence: Evidence,
    wanted: Cues,
    *,
    parts: Mapping[str, float],
    accept: Callable[[Sentence], bool] = lambda _: True,
    prefer_heading: bool = True,
    named_by_heading: bool = False,
    asides: bool = False,
    own: bool = False,
) -> list[Candidate]:
    """Sentences of the parts (with their weights) that a cue matches, with what follows them.

    `asides` also reads what stands under headings about staff, sustainability, rules of accounting.
    `own`: what is no filing must speak of the company itself, by name or as "we".
    """
    found: list[Candidate] = []
    speaks = speaks_of(evidence.name) if own else None
    for document in evidence.reading:
        if _is_old_news(document, evidence):
            continue
        cues = wanted.get(document.language, ()) if isinstance(wanted, Mapping) else wanted
        sentences = document.sentences
        for place, sentence in enumerate(sentences if cues else ()):
            weight = parts.get(sentence.part)
            if weight is None or not _can_lead(sentence) or not accept(sentence):
                continue
            if is_of_the_past(sentence.heading or "", document.year - 1):
                continue
            if is_broken(sentence.text) or (not asides and is_aside(sentence)):
                continue
            if speaks is not None and document.form is None and not speaks.search(sentence.text):
                continue
            said = in_first_person(sentence.text, evidence.name, language=document.language)
            hit = best_cue(said, cues)
            if hit is None:
                continue
            cue, match = hit
            score = weight * cue.weight * specificity(sentence.text) * freshness(evidence, sentence)
            found.append(
                candidate(
                    sentence,
                    follow=sentences[place + 1 : place + 3],
                    score=score,
                    what=match.groupdict().get("what"),
                    prefer_heading=prefer_heading,
                    name=heading_name(sentence.heading) if named_by_heading else None,
                    said=said,
                )
            )
    return found


def _is_old_news(document: Document, evidence: Evidence) -> bool:
    """Whether it is a release or an article whose plans have come true or to nothing since."""
    told_once = document.form == "8-K" or document.kind in ("news", "feed_item")
    return told_once and (evidence.now - document.said_at).days > _NEWS_DAYS


def _can_lead(sentence: Sentence) -> bool:
    """Whether it is understood without the sentence before, or only adds to it."""
    return not sentence.dangles or _ADDS.match(sentence.text) is not None


def once(
    evidence: Evidence, name: str, make: Callable[[Evidence], list[Candidate]]
) -> list[Candidate]:
    """What `make` makes of the evidence, made the first time that it is asked for."""
    if name not in evidence.memo:
        evidence.memo[name] = make(evidence)
    made: list[Candidate] = evidence.memo[name]
    return made


def best_cue(text: str, wanted: Sequence[Cue]) -> tuple[Cue, re.Match[str]] | None:
    """The weightiest cue in a text."""
    best: tuple[Cue, re.Match[str]] | None = None
    for cue in wanted:
        if best is not None and cue.weight <= best[0].weight:
            continue
        if cue.occurs is not cue.pattern and not cue.occurs.search(text):
            continue
        match = cue.pattern.search(text)
        if match:
            best = (cue, match)
    return best


def candidate(
    sentence: Sentence,
    *,
    follow: Sequence[Sentence] = (),
    score: float = 1.0,
    what: str | None = None,
    prefer_heading: bool = True,
    name: str | None = None,
    said: str | None = None,
) -> Candidate:
    """A sentence as a statement, with the sentences of its paragraph that complete it. `said` is the
    sentence in the first person, for its name."""
    end = sentence.end
    description = sentence.text
    for after in follow:
        joined = spaced(sentence.document.text[sentence.start : after.end])
        completes = after.dangles or len(description) < _SHORT
        # Only what follows directly: a sentence left out between them would be shown otherwise.
        direct = not sentence.document.text[end : after.start].strip()
        if (
            after.line != sentence.line
            or not direct
            or not completes
            or len(joined) > _MOST_DESCRIPTION
            or is_broken(after.text)
            or _OF_RIVALS.match(after.text)
        ):
            break
        description, end = joined, after.end
    above = heading_name(sentence.heading)
    heading = above if prefer_heading and above and _names(above, description) else None
    named = said if said is not None and "§" not in said else sentence.text
    made = name or (None if what else heading)
    made = made or sentence_name(named, what, language=sentence.document.language)
    return Candidate(
        name=made,
        description=description,
        quotes=(Quote(sentence.document.document_id, description),),
        score=score,
        group=(
            sentence.document.document_id,
            sentence.heading if above else sentence.line,
        ),
        heading=above,
    )


def _names(heading: str, description: str) -> bool:
    """Whether a heading names what is said below it: of its words, most occur there."""
    words = [w for w in _WORD.findall(heading.casefold()) if w not in _STOP]
    said = {w[:5] for w in _WORD.findall(description.casefold())}
    shared = sum(w[:5] in said for w in words)
    return len(words) > 1 and shared * 2 > len(words)


def under(document: Document, part: str, opens: re.Pattern[str]) -> frozenset[str]:
    """The headings of a part from one that `opens` a topic on, until another topic begins."""
    found: set[str] = set()
    inside = False
    for span, spoken_of in zip(document.spans, document.parts, strict=True):
        heading = span.heading or ""
        if spoken_of != part:
            inside = False
        elif opens.search(heading) and len(heading) < _TOPIC_LENGTH:
            inside = True
        elif _TOPICS.match(heading.strip(" .")):
            inside = False
        if inside:
            found.add(heading)
    return frozenset(found)


def specificity(text: str) -> float:
    """More for figures and proper names, less for very long sentences."""
    names = len(re.findall(r"(?<=[a-z,] )[A-Z][\w&-]+", text))
    factor = 1.0 + (0.25 if _FIGURE.search(text) else 0.0) + 0.04 * min(names, 5)
    if len(text) > LONGEST * 0.75:
        factor *= 0.85
    if text.endswith("respectively."):
        factor *= 0.6
    hedged = re.search(r"\b(?:may|might|could|would)\b", text)
    return factor * (0.85 if hedged else 1.0)


def freshness(evidence: Evidence, sentence: Sentence) -> float:
    """1 for what was said this year, down to a half for what was said three years ago."""
    age = (evidence.now - sentence.document.said_at).days / 365.25
    newest = evidence.annual
    if newest is not None and sentence.document is newest:
        return 1.0
    return max(0.5, 1.0 - max(0.0, age - 1.0) * 0.25)


def shingles(text: str) -> frozenset[Any]:
    """Pairs of content words."""
    words = [w for w in _WORD.findall(text.casefold()) if w not in _STOP]
    return frozenset(pairwise(words)) | frozenset(
        (word,) for word in words if any(map(str.isdigit, word))
    )


def alike(left: frozenset[Any], right: frozenset[Any]) -> bool:
    """Whether one text repeats most of the shorter other."""
    smaller = min(len(left), len(right))
    return smaller > 0 and len(left & right) / smaller > _ALIKE


def choose(
    candidates: Iterable[Candidate],
    *,
    most: int = 10,
    per_group: int = _PER_HEADING,
    beside: Iterable[Candidate] = (),
    named: bool = True,
) -> list[Candidate]:
    """The best candidates that repeat neither each other nor those `beside`, best first; names are
    whole and unique, unless what is chosen is shown without them."""
    chosen: list[Candidate] = []
    groups: Counter[Any] = Counter()
    beside = list(beside)
    names = [_key(each.name) for each in beside]
    told = [each.shingles or shingles(each.description) for each in beside]
    for each in sorted(candidates, key=lambda c: -c.score):
        if len(chosen) >= most:
            break
        if named and is_cut(each.name) and _may_name(each):
            each.name = str(each.heading)
        if (named and is_half(each.name)) or (
            each.group is not None and groups[each.group] >= per_group
        ):
            continue
        each.shingles = each.shingles or shingles(each.description)
        if any(alike(each.shingles, other) for other in told) or _is_told(each, beside, chosen):
            continue
        if named and any(_same_name(_key(each.name), name) for name in names):
            renamed = sentence_name(each.description)
            if is_half(renamed) or any(_same_name(_key(renamed), name) for name in names):
                continue
            each.name = renamed
        names.append(_key(each.name))
        groups[each.group] += 1
        told.append(each.shingles)
        chosen.append(each)
    return chosen


def _may_name(each: Candidate) -> bool:
    """Whether the heading above says something of it: neither "Cash flows" nor a word alone."""
    heading = each.heading or ""
    return (
        " " in heading
        and _TOPICS.match(heading) is None
        and shares_a_word(heading, each.description)
    )


def shares_a_word(heading: str, text: str) -> bool:
    """Whether a content word of a heading stands in a text, in whatever form."""
    said = {word[:5] for word in _WORD.findall(text.casefold())}
    return any(w[:5] in said for w in _WORD.findall(heading.casefold()) if w not in _STOP)


def _is_told(each: Candidate, *others: Iterable[Candidate]) -> bool:
    """Whether its first words stand in what another has said: as what followed there."""
    opening = each.description[:_OPENING]
    return any(opening in other.description for told in others for other in told)


def statements(candidates: Iterable[Candidate]) -> list[dict[str, Any]]:
    """Chosen candidates as statements."""
    return [each.statement() for each in candidates]


def _key(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(name.casefold()))


def _same_name(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether most words of two names are the same."""
    return len(left & right) >= _SAME_NAME * len(left | right)
