"""Choosing statements: cues, weights, and the ones that repeat each other left out."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from sightline.profile.evidence import Document, Evidence, Quote
from sightline.profile.names import heading_name, sentence_name
from sightline.profile.sentences import LONGEST, Sentence, spaced

_MOST_DESCRIPTION: Final = 520
_SHORT: Final = 170
_ALIKE: Final = 0.45
_SHINGLE: Final = 2
_PER_HEADING: Final = 2
_SHORTEST_FIRST_WORD: Final = 3
_LONGEST_SUBJECT: Final = 60
_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS: Final = """
a an and are as at be been by can could for from had has have in into is it its may might of on
or our that the their these this those to us was we were which will with would such any all not
also other more than if when including us's
"""
_STOP: Final = frozenset(_STOP_WORDS.split())
# What else a description of a business has headings for.
_TOPICS = re.compile(
    r"(?:our )?(?:competit\w+|employees.*|human capital.*|sales(?: and marketing| channels)?|marketing.*"
    r"|manufacturing.*|customers?|(?:our )?products?(?: and services)?|intellectual property.*|patents.*"
    r"|(?:government )?regulat\w+.*|seasonality|research.*|available information|information"
    r" about.*|backlog"
    r"|properties|segments?|operating segments|our (?:technology|platform|segments?|products"
    r"|customers|people)"
    r"|environment\w*.*|sustainability.*|raw materials|suppliers?.*|supply chain|corporate"
    r" (?:information|history)"
    r"|legal proceedings|government contracts?|facilities|our (?:company|business)|overview|data center)$",
    re.I,
)
_ASIDE = re.compile(
    r"human capital|recruit|retention|talent|compensation|benefits|diversity|inclusion"
    r"|employee|workforce|wellness"
    r"|well-being|culture|climate|sustainab|environmental|governance|available information"
    r"|executive officers"
    r"|accounting|liquidity|cash (?:flow|requirement)|repurchase|dividend|legal proceedings"
    r"|off-balance|income tax"
    r"|communit|philanthrop|volunteer|responsib|safety|our people|our associates|\bESG\b|critical estimates"
    r"|contractual obligations|capital resources|foreign currency|market risk|purchases of"
    r" equity|stock perform",
    re.I,
)
_ASIDE_WORDS = re.compile(
    r"\b(?:emissions?|carbon|greenhouse|SBTi|DEI|DE&I|diversity|inclusi(?:on|ve)|veterans|philanthrop\w*"
    r"|stock options?|restricted stock|vest(?:s|ing)?|equity awards?|employee resource"
    r"|training (?:programs?|courses)"
    r"|our (?:employees|associates|workforce|team members|culture)|tuition|internships?"
    r"|workplace|human capital"
    r"|internal controls?|auditors?|par value|net of tax|fair value|impairment (?:charges?|test))\b",
    re.I,
)
_TOPIC_LENGTH: Final = 70
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*\s?(?:%|percent|million|billion|basis points)|[$€£]\s?\d")


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that make a sentence a statement of a section. A group `what` begins the name."""

    pattern: re.Pattern[str]
    weight: float


def cues(*rows: tuple[str, float]) -> tuple[Cue, ...]:
    """Cues from (pattern, weight), case ignored."""
    return tuple(Cue(re.compile(pattern, re.IGNORECASE), weight) for pattern, weight in rows)


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

    def statement(self) -> dict[str, Any]:
        return {
            "name": self.name,
            **self.extra,
            "description": self.description,
            "sources": self.quotes,
        }


def find(
    evidence: Evidence,
    wanted: Sequence[Cue],
    *,
    parts: dict[str, float],
    accept: Callable[[Sentence], bool] = lambda _: True,
    prefer_heading: bool = True,
    named_by_heading: bool = False,
    asides: bool = False,
) -> list[Candidate]:
    """Sentences of the parts (with their weights) that a cue matches, with what follows them.

    `asides` also reads what stands under headings about staff, sustainability, rules of accounting.
    """
    found: list[Candidate] = []
    for document in evidence.reading:
        sentences = document.sentences
        for place, sentence in enumerate(sentences):
            weight = parts.get(sentence.part)
            if weight is None or sentence.dangles or not accept(sentence):
                continue
            if not asides and is_aside(sentence):
                continue
            hit = best_cue(in_first_person(sentence.text, evidence.name), wanted)
            if hit is None:
                continue
            cue, match = hit
            what = match.groupdict().get("what")
            found.append(
                candidate(
                    sentence,
                    follow=sentences[place + 1 : place + 3],
                    score=weight
                    * cue.weight
                    * specificity(sentence.text)
                    * freshness(evidence, sentence),
                    what=what,
                    prefer_heading=prefer_heading,
                    name=heading_name(sentence.heading) if named_by_heading else None,
                )
            )
    return found


def is_aside(sentence: Sentence) -> bool:
    """Whether a sentence is about staff, sustainability, giving or accounting, not the business."""
    return bool(_ASIDE.search(sentence.heading or "") or _ASIDE_WORDS.search(sentence.text))


def best_cue(text: str, wanted: Sequence[Cue]) -> tuple[Cue, re.Match[str]] | None:
    """The weightiest cue in a text."""
    best: tuple[Cue, re.Match[str]] | None = None
    for cue in wanted:
        if best is not None and cue.weight <= best[0].weight:
            continue
        match = cue.pattern.search(text)
        if match:
            best = (cue, match)
    return best


def in_first_person(text: str, name: str) -> str:
    """A sentence that begins with the company's name as the company would say it: "Larkspur plans to"
    as "We plan to". Cues are written for that form."""
    first = re.split(r"[\s,.]+", name.strip())[0]
    if len(first) < _SHORTEST_FIRST_WORD or not text.casefold().startswith(first.casefold()):
        return text
    found = re.match(
        r"\S+(?: [A-Z]\S*){0,4}(?: (?:also|now|currently))? (?P<verb>[a-z]+)s\b",
        text[:_LONGEST_SUBJECT],
    )
    if found is None:
        return text
    verb = {"i": "are", "ha": "have"}.get(found["verb"], found["verb"])
    return f"We {verb}{text[found.end() :]}"


def candidate(
    sentence: Sentence,
    *,
    follow: Sequence[Sentence] = (),
    score: float = 1.0,
    what: str | None = None,
    prefer_heading: bool = True,
    name: str | None = None,
) -> Candidate:
    """A sentence as a statement, with the sentences of its paragraph that complete it."""
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
        ):
            break
        description, end = joined, after.end
    heading = heading_name(sentence.heading) if prefer_heading else None
    if heading and not _names(heading, description):
        heading = None
    made = name or (None if what and not heading else heading) or sentence_name(sentence.text, what)
    return Candidate(
        name=made,
        description=description,
        quotes=(Quote(sentence.document.document_id, description),),
        score=score,
        group=(
            sentence.document.document_id,
            sentence.heading if heading_name(sentence.heading) else sentence.line,
        ),
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
    for span in document.spans:
        heading = span.heading or ""
        if document.part(span.section) != part:
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
    candidates: Iterable[Candidate], *, most: int = 10, per_group: int = _PER_HEADING
) -> list[Candidate]:
    """The best candidates that do not repeat each other, best first; names are unique."""
    chosen: list[Candidate] = []
    groups: Counter[Any] = Counter()
    names: set[str] = set()
    for each in sorted(candidates, key=lambda c: -c.score):
        if len(chosen) >= most:
            break
        if each.group is not None and groups[each.group] >= per_group:
            continue
        each.shingles = shingles(each.description)
        if any(alike(each.shingles, other.shingles) for other in chosen):
            continue
        if _key(each.name) in names:
            renamed = sentence_name(each.description)
            if _key(renamed) in names:
                continue
            each.name = renamed
        names.add(_key(each.name))
        groups[each.group] += 1
        chosen.append(each)
    return chosen


def statements(
    candidates: Iterable[Candidate], *, most: int = 10, per_group: int = _PER_HEADING
) -> list[dict[str, Any]]:
    """`choose`, as statements."""
    return [each.statement() for each in choose(candidates, most=most, per_group=per_group)]


def _key(name: str) -> str:
    return " ".join(_WORD.findall(name.casefold()))
