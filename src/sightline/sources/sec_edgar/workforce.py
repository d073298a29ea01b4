"""How many people a company employs, as its annual report says it in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from sightline.domain.evidence import Observation
from sightline.reading.dates import first_day
from sightline.reading.sentences import sentence_at

_COUNT = r"(?P<count>\d+(?:\.\d+)?\s+(?:million|thousand)|\d{1,3}(?:,\d{3})+|\d{1,7})"
_PEOPLE = (
    r"(?:employees|team\s+members|associates|people|persons|individuals|colleagues|workers"
    r"|crewmembers|partners"
    r"|staff(?:\s+members)?|personnel|full-time\s+equivalents?|FTEs?|employee\s+owners|teammates)"
)
_KIND = (
    r"(?:(?:full|part)[- ]?time(?:\s*(?:\((?:including|excluding)[^)]*\)|,|/))?|regular|active"
    r"|permanent|salaried|equivalent|"
    r"hourly|total|talented|dedicated|worldwide|global|and|or|of\s+our|\(FTE\)|\(“?FTEs?”?\)|staff"
    r"|corporate|skilled|company|temporary|seasonal|union|non-union|diverse)"
)
# "we had approximately 5,100 full-time equivalent employees", "employed 812 people"
_STATED = re.compile(
    r"\b(?P<verb>(?:had|have|has|employed|employ|employs|employing|with|totaled|totaling|was|were"
    r"|consisted\s+of|consists\s+of"
    r"|comprised(?:\s+of)?|of|was\s+comprised\s+of|included|is|reached|our))\s+"
    r"(?:a\s+(?:total|workforce|global\s+workforce|team)\s+of\s+)?(?:in\s+(?:the\s+)?aggregate,?\s+)?"
    r"(?P<about>(?:(?:approximately|about|roughly|nearly|over|more\s+than|almost|around|some"
    r"|an?\s+(?:estimated|aggregate\s+of|total\s+of|average\s+of))\s+)*)"
    + _COUNT
    + rf"\s+(?P<kind>(?:{_KIND}\s+){{0,6}}){_PEOPLE}\b",
    re.IGNORECASE,
)
_WORKFORCE = re.compile(
    r"\b(?:(?:number|total\s+number)\s+of\s+(?:[\w’']+[- ]){0,4}employees|total\s+(?:employees"
    r"|headcount|workforce)|(?:our|global|total|worldwide)\s+(?:\w+\s+)?"
    r"(?:workforce|headcount|employee\s+headcount))[^.;\n]{0,60}?\b(?:was|were|of|totaled|is|:|\|)\s+"
    r"(?:approximately|about|roughly|nearly|over|more\s+than|almost|around|a\s+total\s+of)?\s*"
    + _COUNT
    + r"(?!\s*%|\s+(?:hours|countries|stores|locations|million\s+(?:shares|hours)))",
    re.IGNORECASE,
)
# "Employees, which include those in shops, totaled over 15,000 worldwide"
_TOTALED = re.compile(
    r"\b(?:employees|workforce|headcount)\b[^.;\n]{0,240}?\btotal(?:ed|s|ing)\s+"
    r"(?:approximately|about|roughly|nearly|over|more\s+than|almost|around)?\s*"
    + _COUNT
    + r"(?!\s*%)",
    re.IGNORECASE,
)
# Only a part of the people, or other people.
_PARTIAL = re.compile(
    r"\b(?:of\s+whom|of\s+which|of\s+these|of\s+those|located\s+in|based\s+in"
    r"|in\s+the\s+(?:United\s+States|U\.S\.?|region|country"
    r"|Americas)|outside\s+(?:of\s+)?the|represented\s+by|union|unions|unioni[sz]ed"
    r"|collective\s+bargaining|covered\s+by|participat\w+"
    r"|segment|division|sales\s+(?:force|and\s+marketing)|sales\s+representatives|marketing"
    r"|functions?\s+consisted|research\s+and\s+development"
    r"|engineers|engaged\s+in|contractors?|consultants|temporary|seasonal|interns?|hired|layoffs?"
    r"|laid\s+off|terminat\w+|eliminat\w+|reduc\w+"
    r"|headquarters|campus|facility|acqui\w+|acquired|franchisees?|training|trained|completed|plan"
    r"|options|severance|clinical|physicians"
    r"|leads?\s+a\s+team|cybersecurity|customers?|agents|drivers|pilots|technicians|manufacturing"
    r"|each\s+year|respon\w+|survey)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:we|the\s+company|company\s+and\s+its\s+subsidiaries|registrant|our\s+company|corporation"
    r"|workforce|worldwide|globally|in\s+total|consolidated|around\s+the\s+world)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:as\s+of|at\s+(?:the\s+end|[A-Z][a-z]+\s+\d|year[- ]end|fiscal)|on\s+[A-Z][a-z]+\s+\d"
    r"|year[- ]end)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:from|grown|increased\s+from|compared\s+(?:to|with)|versus|previous(?:ly)?"
    r"|prior\s+year)\b[^.]{0,30}$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:\A|(?<=\w)[^\w\n]*+\n)\W*+"
    r"(?:human\s+capital|employees|our\s+(?:people|workforce|employees)|workforce|personnel)"
    r"[^\n]{0,60}(?=\n)",
    re.IGNORECASE,
)

_BEST = 0.95
_ENOUGH = 0.44


@dataclass(frozen=True, slots=True)
class Headcount:
    """A stated number of employees with the sentence that states it. `score` is 0-1."""

    count: int
    quote: str
    as_of: date | None
    score: float


def read_headcount(text: str) -> Headcount | None:
    """The number of all employees that an annual report gives; None when it gives parts only."""
    candidates = sorted(_candidates(text), key=lambda one: one.score, reverse=True)
    best = candidates[0] if candidates else None
    if best is None or best.score < _ENOUGH:
        return None
    # Of sentences that are as good as each other the larger number is the whole.
    rivals = [one for one in candidates if best.score - one.score < 0.1]
    return max(rivals, key=lambda one: one.count)


def headcount_observations(text: str) -> tuple[Observation, ...]:
    """`employees` as the text states it, or nothing."""
    found = read_headcount(text)
    if found is None:
        return ()
    return (
        Observation(
            "employees",
            found.count,
            "text",
            round(min(_BEST, 0.5 + found.score / 2), 2),
            quote=found.quote,
            as_of=found.as_of,
        ),
    )


def _candidates(text: str) -> Iterator[Headcount]:
    headings = [found.start() for found in _HEADING.finditer(text)]
    for pattern in (_STATED, _WORKFORCE, _TOTALED):
        for found in pattern.finditer(text):
            count = _number(found["count"])
            if count is None or count < 1:
                continue
            start, end = sentence_at(text, found.start(), found.end())
            sentence = text[start:end]
            score = _score(text, found, sentence, start)
            if any(0 <= found.start() - heading < 2500 for heading in headings):
                score += 0.15
            if 1900 <= count <= 2100 and "," not in found["count"]:
                score -= 0.4  # more likely a year
            yield Headcount(
                count,
                " ".join(sentence.split()),
                first_day(sentence, slashes=True),
                max(0.0, min(1.0, score)),
            )


def _score(text: str, found: re.Match[str], sentence: str, start: int) -> float:
    """How sure a sentence speaks of all employees: who, when, and no word of a part near the number."""
    before = text[max(start, found.start() - 90) : found.start("count")]
    after = text[found.end() : found.end() + 45].split(",")[0].split(";")[0]
    score = 0.35
    groups = found.groupdict()
    verb = (groups.get("verb") or "").lower()
    if (
        verb.startswith(("had", "have", "has", "employ"))
        or "workforce" in before.lower()
        or found.re is not _STATED
    ):
        score += 0.2
    elif verb in {"of", "our", "with", "is", "was", "were"} and "workforce" not in before.lower():
        score -= 0.15
    if _TIME.search(sentence):
        score += 0.25
    if _WHOLE.search(before) or re.search(r"worldwide|globally|around\s+the\s+world", after, re.I):
        score += 0.2
    kind = groups.get("kind") or ""
    if re.search(r"part|seasonal|temporary", kind, re.IGNORECASE) and "full" not in kind.lower():
        score -= 0.35
    if _PARTIAL.search(before):
        score -= 0.35
    if _PARTIAL.search(after) and not re.match(
        r"\s*(?:in|across|located\s+in)\s+(?:\w+\s+)?(?:over|more|approximately|\d+)", after
    ):
        score -= 0.4
    if re.match(r"[^.,;]{0,12}(?:in|at|within)\s+(?:our|the|its)\s+[A-Z]", after):
        score -= 0.25
    if _PAST.search(before):
        score -= 0.3
    if re.search(r"\bno\s+(?:full-time\s+)?employees\b", sentence, re.IGNORECASE):
        score -= 0.6
    if "people" in found[0].lower() and not verb.startswith(("employ", "of", "had", "have")):
        score -= 0.4
    return score


def _number(text: str) -> int | None:
    parts = text.lower().split()
    try:
        amount = float(parts[0].replace(",", ""))
    except ValueError:
        return None
    scale = {"million": 1_000_000, "thousand": 1000}.get(parts[1], 1) if len(parts) > 1 else 1
    return round(amount * scale)
