"""What a sentence tells: whether somebody did something, when, of what kind it is, and how surely.

Filings are full of what could happen, of what is always so, of what was years ago; pages are full of
praise. A seller wants the sentence in which something happened.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sightline.domain.signals import SignalFamily
from sightline.kit.clock import now
from sightline.search.analysis import Analyser
from sightline.search.cues import read_weights
from sightline.search.snippets import MAX_CHARACTERS, Span, cut_span, sentences

HALF: Final = 0.8  # sum of weights of cues at which a sentence is half sure
RESULT: Final = 1.0  # weight of a figure of the business that is compared

# Of a sentence: what it is worth beside one that tells what was done and when.
FORM: Final = 0.05
HEADING: Final = 0.15
SUPPOSED: Final = 0.15
ALWAYS: Final = 0.35
ALWAYS_DATED: Final = 0.65
CAREER: Final = 0.3
LONG_AGO: Final = 0.25
YEAR_BEFORE: Final = 0.5
NO_MONTH: Final = 0.85
UNTOLD: Final = 0.3
PLANNED: Final = 0.75
UNDATED: Final = 0.6
UNNAMED: Final = 0.6
LESSER: Final = 0.35

# All of these but _NAMED read small letters.
_FORM = re.compile(
    r"pursuant to the requirements of the securities|indicate by check ?mark|know all (?:men|persons) by|"
    r"commission file (?:no|number)|cover page interactive|incorporated (?:herein )?by reference|"
    r"exact name of (?:the )?registrant|power of attorney|attorneys?-in-fact|table of contents|"
    r"forward[- ]looking|private securities litigation reform|hereunto duly|furnished (?:herewith|as)|"
    r"\bfasb\b|\basu\b|accounting standards|shall not be deemed|filed (?:herewith|as exhibit)|non-gaap|"
    r"proxy (?:card|materials?)|"
    r"opinion of counsel|emerging growth company|with the (?:sec\b|securities and exchange)|free of charge|"
    r"registration statement|10b5-1|(?:stock|pre-arranged) trading|trading (?:plans?|arrangements?)|"
    r"\bshall\b|provided, however|(?:here|"
    r"there)(?:of|under|to|in|by)\b|"
    r"disclosure schedule|plan, as amended|as amended and restated effective|\(see exhibit|"
    r"disclosure controls|\berisa\b|\bsec reports\b|reference is made|"
    r"this (?:annual|quarterly|"
    r"current) report|form (?:10-|8-)[kq]",
)
_SUPPOSED = re.compile(
    r"\b(?:may(?! \d)|might|could|would|should|if|cannot|whether|unless|potential(?:ly)?|no assurance|"
    r"(?:can|able) (?:be|to)|in the event)\b",
)
_FOOTNOTE = re.compile(r"\W*\(\w{1,2}\)")
_DOUBTED = re.compile(r"\b(?:may(?! \d)|might|could|if|cannot|unless|no assurance)\b")
_ALWAYS = re.compile(
    r"\b(?:(?:is|are) (?:\w+ly )?(?:recorded|recognized|measured|accounted|included|classified|amortized|"
    r"expensed|reviewed|tested|evaluated|determined|based|subject|required|eligible|entitled|used|"
    r"considered|intended|designed|generally|typically|dependent|not)|from time to time|ordinary course|"
    r"on an? (?:ongoing|annual|regular) basis|generally|typically|in accordance with|"
    r"see (?:note|item|part)|refer to|as discussed|for (?:additional|further|more) (?:information|detail)|"
    r"(?:fair|carrying) value|valuation allowance|deferred tax|tax (?:positions?|benefits?|rate)|"
    r"(?:in|see|to) note \d|as of (?:\w+ \d|(?:year|fiscal)[- ]end)|(?:did|do|does|was|were) not|none of|"
    r"no (?:material|such|other)|not material|pro forma|401\(k\)|consolidated (?:balance|statements?|"
    r"financial)|operating loss|"
    r"carryforwards?|"
    r"shareholder return|tsr|(?:stock|share)-based|(?:restricted|performance) (?:stock|shares?)|rsus?|"
    r"psus?|vest(?:ed|ing|s)?|"
    r"(?:target|equity|incentive|stock|bonus|grant\w*) (?:compensation|awards?|grant)|stock options?|"
    r"named executive|compensation committee|audit committee|median employee|exercise price|"
    r"non-employee directors?|"
    r"(?:materially?|adversely?) (?:adverse|affect)|weighted[- ]average|discount rate|"
    r"working capital|letters? of credit|internal control|goodwill represents|critical audit|"
    r"(?:our|the company's|its) (?:ability|success|future)|such as|each of|any |"
    r"we (?:believe|evaluate|review|consider|maintain|monitor|offer|provide|compete|face|rely|depend|"
    r"recognize|account|estimate|use)|(?:seek|continue|aim|strive)s? to|commercial paper)",
)
_CAREER = re.compile(
    r"\b(?:(?:served|worked|employed|held) (?:as|at|in|on|for|with|by|various|several)|"
    r"(?:prior to|before) (?:that|joining|his|her)|previous(?:ly)? (?:positions|served)|"
    r"joined \S+ in (?:\w+ )?(?:19|20)\d\d|has (?:served|been (?:our|the|a|an)))\b"
)
# The first group is what makes a participle of it: "is expected", "the integrated platform", "AI-powered".
_TOLD = re.compile(
    r"(\b(?:is|are|be|being|an?|the|our|its|their|of|by|for|with|more|most|any|such|other|certain|all|"
    r"highly|fully|requires?|provides?|providing) (?:\w+ly )?|-)?"
    r"\b(?:announc|complet|clos|acquir|divest|purchas|agre|sign|appoint|nam|elect|promot|resign|retir|"
    r"depart|terminat|launch|introduc|releas|unveil|open|expand|commenc|start|initiat|approv|authoriz|"
    r"issu|rais|repa|refinanc|fil|settl|award|receiv|grant|rul|dismiss|affirm|revers|reduc|eliminat|"
    r"restructur|realign|reorganiz|consolidat|discontinu|exit|ceas|transition|migrat|rebrand|renam|"
    r"form|partner|select|secur|invest|declar|increas|decreas|declin|record|report|mov|relocat|join|"
    r"succeed|adopt|deliver|impair|impos|alleg|charg|su|recall|investigat|enter|acceler|shift|replac|"
    r"conclud|reach|add|merg|amend|redeem|implement|updat|adjust|establish|"
    r"creat|enact|vot|order|seiz|hir|halt|pilot|suspend|shipp|rank|recogniz|extend|renew)"
    r"(?:i?ed|d|yed)\b|"
    r"\b(?:sold|won|began|became|laid off|stepped down|rose|fell|grew|spent|bought|spun|lost|paid|broke|"
    r"exceeded|brought|underwent|sought|(?:have|has|we|company) (?:built|made|cut|met|set up|put))\b",
)
_HEADLINE = re.compile(
    r"\b(?:announces|acquires|launches|names|appoints|reports|completes|closes|expands|opens|unveils|"
    r"introduces|signs|raises|wins|sells|buys|joins|partners|selects|hires|cuts|files|settles|plans|"
    r"receives|secures|agrees|releases|elects|promotes|declares|enters|begins|to (?:acquire|merge|sell|buy|"
    r"invest|cut|open|close|lay off|spin off|launch|expand|build))\b",
)
_PLANNED = re.compile(
    r"\b(?:plans?|intends?|expects?|expected|aims?|scheduled|on track) to\b|\b(?:will|expects?|"
    r"anticipates?|"
    r"(?:are|is) (?:building|investing|expanding|launching|opening|closing|developing|focused|focusing|"
    r"accelerating|increasing|introducing|transforming|moving|shifting))\b",
)
_YEAR = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?!\d|,\d)")
_CELLS = re.compile(r"[\d)%—] +\(?[$\d—][\d,.]*\)?%?$")
_FISCAL = re.compile(r"\bfiscal (?:year )?(20\d\d)\b")
_DAY = re.compile(
    r"\b(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber) "
    r"(?:\d{1,2}\b|(?:of )?(?:19|20)\d\d)|\b(?:first|second|third|fourth|last|this|past|prior) "
    r"(?:fiscal )?(?:quarter|half|year)\b|(?<![\d.,$])(?:19|20)\d\d\b|\b(?:recently|today|yesterday)\b|"
    r"\bq[1-4]\b|\b(?:this|last) (?:week|month)\b",
)
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]{3,6})?\.? (?:\d{1,2}\b|"
    r"(?:of )?20\d\d)|"
    r"\bquarter\b|\brecently\b",
)
_NAMED = re.compile(
    r"[$€£]\s?\d|\d(?:\.\d+)?\s?%|\b\d[\d,.]*\s(?:million|billion|percent)|"
    r"(?<=[a-z,’')] )(?!Company|Board|Note|Item|Registrant|Corporation|Consolidated|Committee)[A-Z]"
)
_SIZE = r"(?:\d[\d.,]*\s?(?:%|percent|basis points|(?:million|billion)\b)|[$€£]\s?\d[\d.,]*|double|record)"
_MOVED = (
    r"(?:increas|decreas|declin|grew|growth|rose|fell|higher|lower|\bup\b|\bdown\b|"
    r"compared (?:to|with)|record)"
)
_RESULT = re.compile(rf"{_MOVED}.{{0,160}}?{_SIZE}|{_SIZE}.{{0,120}}?{_MOVED}", re.S)
_BUSINESS = re.compile(
    r"\b(?:revenues?|(?:net |comparable |organic |total |product |store )?sales|bookings|backlog|orders|"
    r"deliveries|subscri(?:bers|ptions)|memberships?|users|operating (?:income|profit|margin|loss)|"
    r"earnings|net (?:income|loss)|(?:gross )?margins?|traffic|volumes?|profit|arr|gmv|headcount)\b",
)
_LESSER = re.compile(
    r"\b(?:interest (?:income|expense|rates?)|sales and marketing|operating expenses?|"
    r"costs? of (?:sales|revenues?)|expenses?|tax(?:es)?|selling, general|sg&a|depreciation|amortization|"
    r"other (?:income|expense)|cash (?:flows?|inflows?|outflows?|used|provided|equivalents)|"
    r"compensation expenses?|inventor(?:y|ies)|receivables?|"
    r"payables?|securities|deposits|allowance|dilut\w+|currency|hedg\w+|derivatives?|lease\w*|"
    r"(?:marketing|development|administrative) expenses?|notes? due|dividends?|repurchases?d?|"
    r"investment policy)\b",
)
_REPORTED_BY = 4  # month by whose end the reports of the last year are out
_SHORTEST = 25  # characters of a sentence
_ENDS = '.!?;:”"’)'
_CONTEXT = 0.3  # of the weight of a cue that the heading has, for its sentences


@dataclass(frozen=True, slots=True)
class Telling:
    """What a span of a text tells: of which family, and how surely it is a happening (0-1)."""

    span: Span
    family: SignalFamily | None
    strength: float


@dataclass(frozen=True, slots=True)
class _Around:
    """What a sentence stands in: news tell of today; the heading speaks for each sentence under it;
    `period` is the year that the text is about."""

    news: bool
    heading: Mapping[SignalFamily, float]
    period: int | None


def tell(
    title: str,
    text: str,
    analyser: Analyser,
    *,
    kind: str = "filing",
    published: datetime | None = None,
) -> Iterator[Telling]:
    """What each sentence tells, the headline of news first (as the span 0-0). `kind` is that of the
    document."""
    small = title.lower()
    news = kind in ("news", "feed_item")
    if news:
        yield _told(Span(0, 0), title, small, _Around(True, {}, None), analyser, dated=True)
    heading = {f: _CONTEXT * w for f, w in read_weights(title, analyser).items()}
    period = period_of(title, text, published)
    around = _Around(news or _HEADLINE.search(small) is not None, heading, period)
    age = of_title = _age(title, around.period)
    dated, end = _DAY.search(small) is not None, 0
    for span in sentences(text):
        sentence = text[span.start : span.end]
        low = sentence.lower()
        of_a_year = _YEAR.search(low) is not None
        if of_a_year:
            age = 1.0  # told by its own years
        elif "\n" in text[end : span.start]:
            age = of_title
        now_dated = of_a_year or _DAY.search(low) is not None
        one = _told(span, sentence, low, around, analyser, dated=dated or now_dated)
        yield replace(one, strength=age * one.strength)
        age, end = _age(low, around.period) if of_a_year else age, span.end
        dated = now_dated or dated


def _told(
    span: Span,
    sentence: str,
    low: str,
    around: _Around,
    analyser: Analyser,
    *,
    dated: bool,
) -> Telling:
    if len(sentence) < _SHORTEST or is_row(sentence):
        return Telling(span, None, 0.0)
    weights = dict(read_weights(sentence, analyser))
    compared, lesser = _compared(low)
    if compared:
        weights = {SignalFamily.FUNDING: RESULT + _CONTEXT * sum(weights.values())}
    if not weights:
        return Telling(span, None, 0.0)
    for family, weight in around.heading.items():
        weights[family] = weights.get(family, 0.0) + weight
    total = sum(weights.values())
    family = max(weights, key=lambda name: weights[name])
    worth = _worth(sentence, low, around, dated=dated, compared=compared, lesser=lesser)
    return Telling(span, family, worth * total / (total + HALF))


def _compared(low: str) -> tuple[bool, bool]:
    """Whether a figure of the business is compared with another, and whether the sentence is about some
    lesser figure: about the one of the two that is named first."""
    business, lesser = _BUSINESS.search(low), _LESSER.search(low)
    leads = business is not None and (lesser is None or business.start() < lesser.start())
    compared = leads and _RESULT.search(low) is not None
    return compared, lesser is not None and not compared


def _worth(
    sentence: str, low: str, around: _Around, *, dated: bool, compared: bool, lesser: bool
) -> float:
    """What a sentence with cues is worth, by how it speaks."""
    if _FORM.search(low):
        return FORM
    news, worth = around.news, 1.0
    told = compared or _is_told(low) or (news and _HEADLINE.search(low) is not None)
    if not told:
        worth *= PLANNED if _PLANNED.search(low) else UNTOLD
        if sentence[-1] not in _ENDS and not news:
            worth *= HEADING
    if (_DOUBTED if told else _SUPPOSED).search(low):
        worth *= SUPPOSED
    on_a_day = told and _MONTH.search(low) is not None
    always = ALWAYS_DATED if on_a_day else ALWAYS
    worth *= always ** min(2, len(_ALWAYS.findall(low)))
    if not (dated or news):
        worth *= UNDATED
    elif not (news or on_a_day):
        worth *= NO_MONTH
    if lesser:
        worth *= LESSER
    if _CAREER.search(low):
        worth *= CAREER
    if _FOOTNOTE.match(low) and not on_a_day:
        worth *= LESSER
    if not _NAMED.search(sentence):
        worth *= UNNAMED
    return worth * _age(low, around.period)


def _is_told(low: str) -> bool:
    return any(found[1] is None for found in _TOLD.finditer(low))


def _age(text: str, period: int | None) -> float:
    """What is told of a year is worth beside what is told of the year of the report."""
    years = [year for found in _YEAR.findall(text) if (year := int(found)) <= (period or 0) + 1]
    if period is None or not years or max(years) >= period:
        return 1.0
    return YEAR_BEFORE if max(years) == period - 1 else LONG_AGO


def period_of(title: str, text: str, published: datetime | None) -> int | None:
    """The year that a text speaks of: that of its publication, in spring the year before, unless it names
    a fiscal year after that; without a date the latest year that it names and that has begun."""
    if published is None:
        years = [int(year) for year in _YEAR.findall(f"{title} {text}")]
        return max((year for year in years if year <= now().year), default=None)
    period = published.year - (published.month <= _REPORTED_BY)
    fiscal = (int(year) for year in _FISCAL.findall(f"{title} {text}".lower()))
    return max([period, *(year for year in fiscal if year <= published.year)])


def is_row(line: str) -> bool:
    """Whether a line is one of a table: of cells, or mostly of digits."""
    cells = line.count("|") > 1 or _CELLS.search(line) is not None
    return cells or 4 * sum(map(str.isdigit, line)) > len(line)


def is_career(text: str) -> bool:
    """Whether a text tells where somebody worked before."""
    return len(_CAREER.findall(text.lower())) > 1


def telling_span(text: str, start: int) -> Span:
    """What to show of a passage when nothing is asked: its best sentence, which begins at `start`, with what
    follows, as far as it fits."""
    end = 0
    for span in sentences(text):
        if span.start >= start and (not end or span.end - start <= MAX_CHARACTERS):
            end = span.end
    return cut_span(text, Span(start, end or len(text)), MAX_CHARACTERS)
