"""What a sentence tells of a fiscal period: a result, something done or planned, what went against it.

Pure: a sentence and its period in; whether it is of that kind, and its name, out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from sightline.profile.judging import is_bookkeeping, is_good_news
from sightline.profile.names import sentence_name
from sightline.profile.sentences import Sentence, spaced

_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_FISCAL: Final = re.compile(r"\bfiscal\b", re.I)
_NEAR: Final = 80  # characters before a year, in which others belong to the same comparison
_SAME: Final = 0.02  # of an amount, that rounding may make

_MEASURE: Final = (
    r"(?:revenues?|sales|income|profits?|margins?|earnings|EPS|EBITDA?|bookings|orders|backlog"
    r"|cash flows?"
    r"|deliveries|shipments|subscribers|members(?:hips?)?|subscriptions|customers|users|volumes?"
    r"|demand"
    r"|traffic|transactions?|production|performance obligations|RPO|ARR"
    r"|(?:average )?(?:selling )?prices?|ASPs?"
    r"|average ticket|impressions|downloads|units|occupancy|market share|guests?|premiums"
    r"|deposits|loans"
    r"|assets under management|people served)"
)
_MONEY_MEASURE: Final = re.compile(
    r"\b(?:revenues?|sales|income|profits?|margins?|earnings|EPS|bookings|orders|backlog"
    r"|cash flows?"
    r"|net loss(?:es)?|operating loss(?:es)?|deliveries|subscribers|members(?:hips?)?|ARR|RPO)\b",
    re.I,
)
_MOVES: Final = (
    r"(?:was|were|totaled|totalled|increased|decreased|grew|declined|rose|fell|reached|improved"
    r"|expanded|dropped"
    r"|up|down|of (?=[$€£]))"
)
_FIGURE: Final = r"(?:\d+(?:[.,]\d+)*\s?(?:%|percent|points|bps|million|billion)|(?:US)?[$€£]\s?\d)"
_RESULT: Final = re.compile(
    rf"^(?P<subject>[^.;]{{0,110}}?\b(?:{_MEASURE}"
    rf"|loss(?:es)?)\b[^;]{{0,90}}?)\b{_MOVES}\b[^;]{{0,60}}?{_FIGURE}",
    re.I,
)
# What tells little of how it went, whatever figures it has.
_NO_SUBJECT: Final = re.compile(
    r"\b(?:expenses?|costs?|spend\w*|commitments?|fees|proceeds|purchases|interest|taxes?"
    r"|other income"
    r"|other \((?:income|expense)|deferred|compensation|receivables?|payables?|inventor(?:y|ies)"
    r"|depreciation"
    r"|allowances?|capital expenditures|investments?|advertising|marketing|square foot|turnover"
    r"|industry|industry-wide|SG&A|as a percentage of|compris\w+|completed|association|catch-up"
    r"|unallocated|eliminations?|foreign currency|exchange rates?|days|investing|financing)\b",
    re.I,
)
_WHOLE: Final = re.compile(
    r"^(?:we (?:reported|generated|had|delivered|recorded) )?(?:in [^,]{4,30}, "
    r"|for [^,]{4,60}, )?(?:our )?"
    r"(?:(?:total|net|consolidated|company(?:[- ]wide)?|overall) )*(?:revenues?|sales)\b",
    re.I,
)
# A comparison or a counterweight says nothing of the period itself.
_BESIDE: Final = re.compile(
    r"^while [^,]*,|,? (?:as )?compared (?:to|with)\b.*|\bversus\b.*|(?:partially |partly "
    r"|slightly "
    r"|more than )?offset by\b.*"
    r"|\b(?:despite|following|after) (?:a|an|the)\b[^,]*,|\b(?:lower|decreases? in|declin\w+ in"
    r"|decreased)"
    r" (?:\w+ ){0,3}?(?:costs?|expenses?|losses|charges|taxes|spending|compensation)\b",
    re.I,
)
_FELL: Final = (
    r"(?:decreas(?:ed|es|e|ing)|declin(?:ed|es|e|ing)|fell|dropped|slowed|contracted|weakened"
    r"|shrank"
    r"|lower|reduced|softened)"
)
_WENT_DOWN: Final = re.compile(
    rf"^[^;]{{0,120}}?\b{_MEASURE}\b[^;]{{0,90}}?\b(?:{_FELL}|down)\b"
    rf"|\b(?:lower|reduced|weaker|softer|slower|softening|declining"
    rf"|falling) (?:\w+[ -]){{0,4}}?{_MEASURE}\b"
    rf"|\b(?:decrease|decline|reduction|drop|slowdown|softness|softening|weakness)s? (?:in"
    rf"|of) (?:[\w’'-]+,? ){{0,6}}?"
    rf"{_MEASURE}\b|\b(?:net|operating) loss(?:es)? (?:was|were|of|increased|widened)\b",
    re.I,
)
_PRESSES: Final = re.compile(
    r"\b(?:headwinds?|challenges?|challenging|pressures?|softness|softening|weak(?:er|ness)?"
    r"|shortages?"
    r"|inflation(?:ary)?|tariffs?|export (?:controls?|restrictions?)|constraints?|delays?"
    r"|disruptions?|slowdown"
    r"|unfavorabl[ey]|negatively|adversely)\b",
    re.I,
)
_IS_FELT: Final = re.compile(
    r"\b(?:experienc(?:ed|ing)|faced?|facing|saw|seen|continu(?:e|es|ed|ing)|remain(?:s|ed)?"
    r"|impact(?:ed|ing|s)?"
    r"|affect(?:ed|ing|s)?|due to|driven by|result(?:ed|ing) (?:in|from)|reflect(?:s|ed|ing)?"
    r"|caus(?:ed|ing)"
    r"|led to|because of|given)\b",
    re.I,
)
_NO_CHALLENGE: Final = re.compile(
    r"\b(?:from time to time|outcomes?|less unfavorable|growth rate variation|cash (?:used"
    r"|provided)|excludes?"
    r"|not (?:[\w-]+ ){0,5}pressure|offer(?:s|ing)? (?:low|lower)|depends? on"
    r"|had (?:\w+ ){0,3}growth|expansion of|improvement of|catch-up|unable to"
    r"|estimate|recogni[sz]e|favorable impact"
    r"|changes in assets|strengths"
    r"|strategy builds|subject to"
    r"|as a percent(?:age)? of|percent of (?:total )?revenue"
    r"|expenses? (?:was|were|of|in|for|increased|decreased)|they face|judgments?|spend to decline"
    r"|used to"
    r"|we (?:believe|intend|plan|aim|continue to believe) (?:that )?(?:we|our)|to (?:help|address"
    r"|offset|reduce|mitigate)"
    r"|losses? (?:from operations )?(?:[\w,$.]+ ){0,9}?decreased|in working with|deferred"
    r"|payables|uncertain"
    r"|interest (?:and|income|expense)|enterprises, who)\b",
    re.I,
)
_ACTS: Final = (
    r"(?:announced|launched|introduced|unveiled|expanded|opened|entered into|acquired|completed"
    r"|began|initiated"
    r"|signed|agreed|divested|sold(?! (?:more|over|approximately))|closed|started|rolled out"
    r"|deployed|released|appointed|commenced|formed"
    r"|established|invested|implemented|reorgani[sz]ed|restructured|extended|approved)"
)
_DONE: Final = re.compile(
    rf"(?:\b(?:we|the company|§)\b(?: (?:have|has|also|successfully|recently|had|subsequently"
    rf"|further|then|now|first"
    rf"|officially|together|continued|\w+ly)){{0,3}} {_ACTS}\b"
    rf"|^(?:[A-Z][\w’'. -]{{2,40}} [-–—] )?{_ACTS}\b"
    rf"|\b(?:was|were|has been|have been) (?:\w+ly )?(?:announced|launched|introduced|opened"
    rf"|acquired|completed|sold"
    rf"|formed|established)\b)",
    re.I,
)
_AIMS: Final = re.compile(
    r"(?<!as )(?<!that )(?<!which )(?<!while )(?<!because )"
    r"\b(?:we|the company|§|management)\b(?: (?:are|is|also|will|have|has|been|further|currently"
    r"|now|\w+ly)){0,4}"
    r" (?:plan(?:s|ning)?|intend(?:s|ing)?|aim(?:s|ing)?|continu(?:e|es|ing)|focus(?:ed|ing|es)?"
    r"|commit(?:ted|ting)"
    r"|prioriti[sz](?:e|es|ing)|invest(?:s|ing)?|mak(?:e|es|ing) (?:\w+ )?investments|expand(?:s"
    r"|ing)?"
    r"|accelerat(?:e|es|ing)|transform(?:s|ing)?|expect(?:s|ing)? (?:to (?:invest|open|launch"
    r"|expand|complete|grow"
    r"|continue|build|introduce)|the majority of our investments))\b"
    r"|\b(?:strateg(?:y|ies)|priorit(?:y|ies)|strategic (?:plan|focus|initiatives?|investments?)"
    r"|transformation"
    r"|growth (?:plan|initiatives?))\b[^.;]{0,50}\b(?:is|are|focus(?:es)?|includes? |centers?"
    r"|encompass\w+|calls? for"
    r"|remains?|cent(?:er|re)ed)\b",
    re.I,
)
_ROUTINE: Final = re.compile(
    r"\b(?:commitments?|investments include|in (?:certain )?(?:companies|marketable|securities)"
    r"|from time to time"
    r"|reporting|reported|operating expenses|industrial participation|procurement contracts?"
    r"|personnel to support|expect that"
    r"|expenses? will"
    r"|our contracts|lease|monitor|evaluate|review(?:s|ing)? (?:our|its)|to the extent|insurance"
    r"|in order to provide"
    r"|working capital|dividends?|indemnif\w+|additional (?:debt|financing)|returns? of capital"
    r"|pay (?:for|down)"
    r"|fund (?:our|its)|used to|total capital|vendors?|seller|foreign currency"
    r"|shareholders?"
    r"|stockholders?|comply|compliance|assess\w*|regulators?|advocate|balance)\b"
    r"|\bcontinue to (?:be|experience|incur|believe|see|expect|have|face|impact|affect|adversely"
    r"|rely|depend|increase"
    r"|decrease|decline|represent|account|generate|benefit)\b",
    re.I,
)
_ENDED: Final = r"(?: ended [A-Z][a-z]+ \d{1,2}, (?:19|20)\d\d)?"
_YEAR_SAID: Final = r"(?:,? (?:of )?(?:fiscal )?(?:year )?(?:19|20)\d\d)?"
_OF_PERIOD: Final = re.compile(
    rf"(?:^beginning |,? ?)\b(?:for|in|during|of|exiting) (?:the )?(?:trailing |first "
    rf"|full )?(?:fiscal )?"
    rf"(?:(?:three|six|nine|twelve)(?: (?:and|to) (?:six|nine))?[- ]months?(?: periods?)?"
    rf"|(?:(?:first|second|third|fourth)[- ])?(?:fiscal )?(?:quarter"
    rf"|year)s?){_YEAR_SAID}{_ENDED}(?=\W)(?! and )"
    rf"|,? (?:for|in|during) (?:fiscal )?(?:year )?(?:19|20)\d\d(?=\W)"
    rf"|^(?:for|in|during) (?:fiscal )?(?:year )?(?:19|20)\d\d,? ",
    re.I,
)
_COMPARED: Final = re.compile(
    r",? (?:(?:as )?compared (?:to|with)|versus|from \$|from the (?:prior|same|year)"
    r"|over the (?:prior|same)|(?:primarily|mainly"
    r"|mostly|predominantly|largely|partially)\b|driven by|due to|reflecting|in each case|which"
    r"|relative to|representing)\b.*",
    re.I | re.S,
)
# "Revenue: For fiscal 2025, revenue was": what a list puts before its sentences.
_LABEL: Final = re.compile(r"^[A-Z][\w ]{2,40}: (?=[A-Z])")
_SUM: Final = (
    r"(?:(?:US)?[$€£]\s?\d[\d.,]*\d?(?: (?:thousand|million|billion|trillion))?"
    r"|\d[\d.,]*\s?(?:%|percentage points|percent|basis points|million|billion))"
)
_HEADLINE: Final = re.compile(
    rf"^.{{3,90}}?\b(?:was|were|totaled|increased|decreased|grew|declined|rose|fell|reached"
    rf"|improved|dropped)"
    rf" (?:by |to |at |an? |approximately |about |from )*{_SUM}(?:,? or {_SUM}"
    rf"| \(\d+%\))?(?:,? to {_SUM})?"
    rf"(?:, (?:an? )?(?:increase of|decrease of|up|down) {_SUM})?"
)
_LONGEST_HEADLINE: Final = 95  # characters
# "The increases were due to": of what, the sentence before has said.
_DANGLING: Final = re.compile(
    r"^(?:(?:the|these) (?:[\w’'-]+ ){0,5}?(?:increases?|decreases?|declines?|growth|changes?"
    r"|impacts?|improvements?)"
    r" (?:was|were|is|are|in (?:both|each))\b|the (?:three|six|nine|twelve|first)\b|also\b"
    r"|(?:[\w’'-]+ ){1,7}(?:was|were) (?:primarily |mainly |largely |partly )?(?:due to"
    r"|driven by)\b)",
    re.I,
)
# "Organic sales increased": of the whole or of what was spoken of before?
_OF_WHOLE: Final = re.compile(
    r"\b(?:total|consolidated|overall|company|our|we|global|worldwide|net (?:sales|income"
    r"|earnings) for)\b",
    re.I,
)
_BULLET: Final = 5  # characters before the first word of a paragraph
_LONGER: Final = re.compile(
    r"\b(?:six|nine|twelve)[- ]months?|\bfirst half\b|\byear[- ]to[- ]date\b|\byear ended\b|\bfull[- ]year\b",
    re.I,
)
_QUARTER: Final = re.compile(r"\b(?:three (?:and (?:six|nine) )?months|quarter)", re.I)
_QUALIFIED: Final = re.compile(
    r"^(?:(?:we|the company) (?:had|reported|recorded) an? |our |consolidated |overall |total )*"
    r"(?P<metric>operating|net) (?:income|loss|earnings|profit)\b",
    re.I,
)
_AMOUNT: Final = re.compile(r"\$\s?(\d[\d,]*(?:\.\d+)?)(?: (thousand|million|billion))?")
_PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?)\s?%")
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_WEIGHTS: Final = {"whole": 2.4, "money": 1.6, "other": 1.0}


@dataclass(frozen=True, slots=True)
class Told:
    """A period that sentences may tell of. `known` are its figures by metric: (amount, change);
    `parts` the names of divisions and regions."""

    label: str
    end: date
    known: Mapping[str, tuple[float, float | None]]
    parts: tuple[str, ...] = ()

    @property
    def annual(self) -> bool:
        return self.label.startswith("FY")

    @property
    def fiscal_year(self) -> int:
        """The year that the company calls it by."""
        said = re.search(r"\d{4}", self.label)
        return int(said[0]) if said else self.end.year

    def has(self, sentence: Sentence) -> bool:
        """Whether a sentence speaks of the period rather than of an earlier one: by the years that it
        names, else by those named last before it in its paragraph, else in its heading."""
        latest = max(self.fiscal_year, self.end.year)
        before = sentence.document.text[sentence.line : sentence.start]
        for text in (sentence.text, _last_years(before), sentence.heading or ""):
            years = [int(year) for year in _YEAR.findall(text) if int(year) <= latest]
            if years:
                fiscal = _FISCAL.search(text)
                first = self.fiscal_year if fiscal else min(self.fiscal_year, self.end.year)
                return max(years) >= first
        return True

    def dates(self, sentence: Sentence) -> bool:
        """Whether a sentence, what stands before it or its heading names a time."""
        before = sentence.document.text[sentence.line : sentence.start]
        told = f"{sentence.heading or ''} {_last_years(before)} {sentence.text}"
        return bool(_YEAR.search(told) or _QUARTER.search(told))

    def result(self, sentence: Sentence) -> float:
        """How well a sentence tells how the period went, 0 when it does not."""
        text = _LABEL.sub("", sentence.text)
        found = _RESULT.search(text)
        if found is None or _NO_SUBJECT.search(found["subject"]) or self._is_of_else(sentence):
            return 0.0
        kind = (
            "whole"
            if _WHOLE.search(text)
            else "money"
            if _MONEY_MEASURE.search(found["subject"])
            else "other"
        )
        return _WEIGHTS[kind] * self._length(text)

    def challenge(self, sentence: Sentence) -> float:
        """How well a sentence tells what went against the company in the period, 0 when it does not."""
        text = sentence.text
        main = _BESIDE.sub("", text)
        if _NO_CHALLENGE.search(main) or is_good_news(main) or self._is_of_else(sentence):
            return 0.0
        if is_bookkeeping(text) and not re.search(_FIGURE, text):
            return 0.0
        if _WENT_DOWN.search(main) and not _NO_SUBJECT.search(re.split(_FELL, main)[0]):
            return 1.4 * self._length(text)
        return 1.1 if _PRESSES.search(main) and _IS_FELT.search(main) else 0.0

    def news(self, sentence: Sentence, said: str) -> float:
        """How well a sentence tells what the company did or aims at, 0 when it does not. `said` is the
        sentence in the first person. What was done needs a time in a report, not in a release."""
        if _ROUTINE.search(said):
            return 0.0
        if _DONE.search(said):
            dated = sentence.document.form == "8-K" or self.dates(sentence)
            return 1.4 if dated else 0.0
        return 1.2 if _AIMS.search(said) else 0.0

    def _length(self, text: str) -> float:
        """Less for figures of half a year or of a quarter where the period is another."""
        if self.annual:
            return 0.6 if _QUARTER.search(text) else 1.0
        return 0.0 if _LONGER.search(text) and not _QUARTER.search(text) else 1.0

    def _is_of_else(self, sentence: Sentence) -> bool:
        """Whether a sentence about figures leaves open of what they are, or of a division under whose
        heading it stands, or gives the company's own income otherwise than tagged."""
        text, heading = sentence.text, (sentence.heading or "").casefold()
        if _DANGLING.match(text) or self._contradicts(text):
            return True
        part = next((name for name in self.parts if name.casefold() in heading), None)
        if part is not None and part.casefold() not in text.casefold():
            return True
        first = sentence.start - sentence.line < _BULLET
        subject = re.split(rf"\b{_MOVES}\b", text, maxsplit=1, flags=re.I)[0]
        named = re.search(r"(?<=\s)[A-Z]|^[A-Z]{2}|^[A-Z]\w+[A-Z]", subject) is not None
        return not (first or named or _OF_WHOLE.search(subject))

    def _contradicts(self, text: str) -> bool:
        """Whether it gives the company's own income otherwise than tagged: it is a division's."""
        found = _QUALIFIED.search(text)
        known = self.known.get(f"{found['metric'].casefold()}_income") if found else None
        if found is None or known is None or self._length(text) < 1.0:
            return False
        amount, change = known
        if said := _AMOUNT.search(text):
            told = float(said[1].replace(",", "")) * _SCALES.get(said[2] or "", 1.0)
            return abs(told - abs(amount)) > _SAME * abs(amount)
        share = _PERCENT.search(text)
        return bool(
            share and change is not None and abs(float(share[1]) / 100 - abs(change)) > _SAME
        )


def result_name(text: str) -> str:
    """What moved and how far: a sentence about figures without its period, comparison and reasons."""
    plain = _OF_PERIOD.sub("", _LABEL.sub("", text)).lstrip(" ,")
    plain = re.sub(rf"(?<=\w), (?={_MOVES}\b)", " ", plain)  # what stood between two commas
    told = _HEADLINE.match(plain)
    if told is not None and len(told[0]) <= _LONGEST_HEADLINE:
        plain = told[0]
    plain = spaced(_COMPARED.sub("", plain)).strip(" ,.")
    plain = plain[:1].upper() + plain[1:]
    return plain if told is not None and len(plain) <= _LONGEST_HEADLINE else sentence_name(plain)


@lru_cache(maxsize=1024)
def _last_years(text: str) -> str:
    """The years that a text names last, with what stands between them."""
    found = list(_YEAR.finditer(text))
    return text[max(0, found[-1].start() - _NEAR) : found[-1].end()] if found else ""
