"""What form the answer to a question has: a count, a sum, a day, a name, a list, what a word means, …"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from sightline.assistant.question import Question
from sightline.assistant.words import covers, said_in, terms_of

Form = Literal[
    "count", "sum", "share", "figure", "day", "name", "place", "cause", "use", "event", "meaning", "list",
    "any",
]  # fmt: skip

# The first that matches is wanted.
_FORMS: Final[tuple[tuple[Form, str], ...]] = (
    ("share", r"\bstakes?\b|\b(?:percentage|proportion|what\s+share|share\s+of|fraction\s+of"
              r"|how\s+(?:dependent|reliant|concentrated))\b"),
    ("count", r"\bhow\s+many\b|\bnumber\s+of\b|\bnumbers\b"
              r"|^\W*(?:[\w'&-]+\s){1,2}(?:delivered|produced|built|opened|shipped|served|hired)\b"
              r"|^\W*(?!(?:which|what|who|main|key|top|biggest|largest|the|our)\b)(?:[\w'&-]+\s){0,2}"
              r"(?:members|memberships|subscribers|users|stores|restaurants|patents|plants|factories|shops)\W*$"),
    ("sum", r"\bhow\s+much\b|\b(?:salary|price|cost|costs|fee|fine|worth)\b"),
    ("figure", r"\b(?:size|amount|level|value|total|sum)\s+of\b|\b(?:the|its|their)\s+total\b"
               r"|^\W*(?:what\s+(?:is|was)\s+)?(?:the\s+|its\s+|their\s+)?(?:average|total|potential|current)\b"
               r"|\bhow\s+(?:big|large|high|long)\b"),
    ("day", r"^\W*(?:when|(?:in\s+)?(?:what|which)\s+(?:year|month)|on\s+(?:what|which)\s+da(?:y|te))\b"
            r"|\bwhen\s+(?:is|was|does|did|are|will|do)\b|\bsince\s+when\b|\b(?:date|deadline)\b"),
    ("cause", r"\bwhy\b|\breasons?\b|\bwhat\s+(?:caused|drove|led)\b|\bhow\s+come\b"),
    ("event", r"\bwhat\s+(?:happen(?:ed|s)|became)\b|\bdid\b.*\b(?:leave|exit|quit|end)\b"),
    ("use", r"\b(?:do|does|did|are|is)\b.*\b(?:use|uses|using|run(?:ning)?\s+on|rely(?:ing)?\s+on)\b"),
    ("place", r"\bwhere\b|\b(?:which|what)\s+(?:country|countries|city|cities|state|states)\b"),
    ("name", r"^\W*(?:and\s+)?who\b|\bwhom\b|\b(?:which|what)\s+(?:company|companies|firms?|customers?"
             r"|suppliers?|partners?|banks?|people|person)\b|\b(?:largest|biggest)\s+customers?\b"),
    ("list", r"\b(?:vendors|suppliers|partners|products|brands|models|platforms|manufacturers|offerings"
             r"|applications|apps|services|markets|companies)\b"),
    ("meaning", r"^\W*(?:what|who)\s+(?:is|are)\s+(?:an?\s+)?(?!the\b)[\w.&+-]+(?:\s[\w.&+-]+)?\W*$"
                r"|^\W*what\s+does\s+[\w.&+ -]{2,30}\s(?:do|mean|stand\s+for)\W*$"),
)  # fmt: skip
_FIGURE = re.compile(r"\d")
_OF_A_WHOLE = re.compile(
    r"(?:\d\s?%|\d\s?percent)\)?(?:\s\w+){0,3}\s(?:of|by)\b|\b(?:accounted\s+for|represent\w*|compris\w+)\b"
)
_ENDED = re.compile(
    r"\b(?:terminat|discontinu|sold|clos|complet|w(?:i|ou)nd(?:ing)?\s+down|ceas|exit|settl|acquir|spun"
    r"|separat|announc|cancel)\w*",
    re.I,
)
_SPENT = re.compile(r"\b(?:spen[dt]|paid|pay)\b", re.I)
_NOT_SPENT = re.compile(r"\b(?:authori[sz]\w+|remaining|subsequent\s+to|up\s+to)\b", re.I)
_NAMELY = re.compile(r"\b(?:such\s+as|includ(?:e|es|ing)|are|namely)\s+(?:[a-z]+\s){0,2}[A-Z]")
_USES = re.compile(
    r"\b(?:us(?:e|es|ing|ed)|utili[sz]\w+|rel(?:y|ies|ying)\s+(?:up)?on|r[au]n\w*\s+on|hosted|powered\s+by"
    r"|deployed|migrat\w+|built\s+on)\b",
    re.I,
)
_LONGEST_LABEL: Final = 6  # terms of the name of a row of a table
_HOME = re.compile(r"United\s+States|U\.S\.", re.I)
_AT_HOME = re.compile(r"\bin\s+the\s+(?:United\s+States|U\.S\.)", re.I)
_ABROAD = re.compile(
    r"\b(?:outside|beyond)\s+(?:of\s+)?(?:the\s+)?(?:United\s+States|U\.S\.)", re.I
)
_SHARE = re.compile(
    r"\d\s?%|\d\s?percent\b|\b(?:one|two|three)[- ](?:half|third|thirds|quarter|fifth)\b"
)
_SUM = re.compile(r"[$€£¥]\s?\d|\d\s?%|\d\s(?:million|billion|percent|dollars|euros?)|\d,\d{3}")
_DAY = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December)\s+\d"
)
_WHOLE_DAY = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"\s+\d{1,2},?\s+(?:19|20)\d\d"
)
_CAUSE = re.compile(
    r"\b(?:because|due\s+to|as\s+a\s+result|owing\s+to|in\s+order\s+to|driven\s+by|reflect(?:s|ing)|"
    r"attributable\s+to|resulted\s+from|so\s+that|in\s+an\s+effort)\b",
    re.I,
)
_NAME = re.compile(r"(?<=[a-z,;:(]\s)(?:[A-Z][\w&’'.-]*[\w&](?:\s(?:of|and|&)\s|\s)?)+")
_PLACE = re.compile(r"\b(?:in|at|near|to|from|and|,)\s+(?:the\s+)?[A-Z][a-z]+")
_MONTH = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Company|Board|We|Note|Item)\b"
)
_TOTAL = re.compile(r"\b(?:total|aggregate|worldwide|approximately|in all|altogether)\b", re.I)
# What a figure counts: the four words after it.
_FIGURE_OF = re.compile(
    r"(?:(?<![$€£\d.,])(?!(?:19|20)\d\d\b)\d[\d,.]*\+?(?:\s(?:million|billion))?"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|dozens\s+of))"
    r"\s+((?:[\w'’-]+\s*){1,4})"
)
# Or what stands right before it: "customers totaled 455".
_FIGURE_FOR = re.compile(
    r"\b([\w-]+)\s+(?:was|were|of|totall?ed|numbered|stood at|:)\s+(?:approximately\s+|about\s+"
    r"|over\s+)?\d"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A form of answer and the terms it is about."""

    form: Form
    terms: Sequence[str]
    is_single: bool  # "what was the …": likelier a value than a story
    is_dated: bool
    words: str  # of the question
    said: re.Pattern[str] | None  # what a thing is, where that is asked

    @classmethod
    def of(cls, question: Question) -> "Wanted":
        form: Form = next((form for form, cue in _FORMS if question.asks(cue)), "any")
        single = question.asks(r"^\W*what\s+(?:is|was|are|were)\s+(?:the|its|their|\S+'s)\s")
        year = question.period is not None and question.period.year is not None
        said = _said_of(question.text, question.every) if form == "meaning" else None
        return cls(form, question.every, single, year, question.text, said)

    @property
    def has_figure(self) -> bool:
        return self.form in ("count", "sum", "share", "figure")

    @property
    def is_cell(self) -> bool:
        """Whether the figure of a row that is called so answers before any prose does."""
        return self.form in ("figure", "sum") or (
            self.form == "any" and len(self.terms) < _LONGEST_LABEL and self.is_dated
        )

    @property
    def is_exact(self) -> bool:
        """Whether one value answers, so that further sentences only distract."""
        return self.has_figure or self.form in ("day", "name", "place", "use", "meaning")

    def is_in(self, words: str) -> bool:
        """Whether a sentence can be an answer of the form."""
        if self._is_elsewhere(words):
            return False
        match self.form:
            case "count":
                return self._counts(words)
            case "use":
                return _USES.search(words) is not None
            case "sum":
                return _SUM.search(words) is not None
            case "figure":
                return _FIGURE.search(words) is not None
            case "share":
                return _SHARE.search(words) is not None
            case "day":
                return _DAY.search(words) is not None
            case "place":
                return _names(words)
            case _:
                return True

    def worth(self, words: str) -> float:
        """How much better an answer of the form it is than another that fits as well."""
        match self.form:
            case "count":
                return (0.2 if _TOTAL.search(words) else 0.0) + 0.3 * self._share_counted(words)
            case "sum" | "figure":
                worth = 0.3 if _SUM.search(words) else 0.0
                if _SPENT.search(self.words) and _NOT_SPENT.search(words):
                    worth -= 0.5
                return worth
            case "share":
                return 0.3 if _OF_A_WHOLE.search(words) else 0.0
            case "event":
                return 0.3 if _ENDED.search(words) else 0.0
            case "meaning":
                return 0.8 if self.said and self.said.search(words) else 0.0
            case "list":
                named = 0.3 if _NAMELY.search(words) else 0.0
                return named + min(0.4, 0.1 * len(_NAME.findall(words)))
            case "day":
                return 0.4 if _WHOLE_DAY.search(words) else 0.3
            case "cause":
                return 0.3 if _CAUSE.search(words) else 0.0
            case "name":
                return 0.3 if _names(words) else 0.0
            case "place":
                return min(0.5, 0.2 * len(_PLACE.findall(words))) if _names(words) else 0.0
            case _:
                return 0.2 if self.is_single and _SUM.search(words) else 0.0

    def _is_elsewhere(self, words: str) -> bool:
        """Whether a sentence is about abroad where home is asked for."""
        if self.form not in ("count", "share", "sum"):
            return False
        if not _HOME.search(self.words) or _ABROAD.search(self.words):
            return False
        return _ABROAD.search(words) is not None and not _AT_HOME.search(words)

    def _counts(self, words: str) -> bool:
        """Whether a figure counts something that is asked for."""
        return self._share_counted(words) > 0

    def _share_counted(self, words: str) -> float:
        """How much of what is asked for one figure of a sentence counts, of 1."""
        most = 0.0
        for found in (
            one for pattern in (_FIGURE_OF, _FIGURE_FOR) for one in pattern.finditer(words)
        ):
            told = said_in(found[1])
            part = sum(covers(term, told) for term in self.terms) / max(1, len(self.terms))
            most = max(most, part if _FIGURE.search(found[0]) else 0.5 * part)
        return most


def _said_of(asked: str, terms: Sequence[str]) -> re.Pattern[str] | None:
    """How a sentence says what a thing that is asked about is, or writes its short form out."""
    words = [word.rstrip(".") for word in re.findall(r"[\w.&+-]{2,}", asked)]
    names = [re.escape(word) for word in words if not terms_of(word).isdisjoint(terms)]
    if not names:
        return None
    name = f"(?:{'|'.join(names)})"
    return re.compile(
        rf"\([\"“'‘]?{name}[\"”'’]?\)"
        rf"|\b{name}\b,?(?:\s[\w’'-]+){{0,2}}\s(?:is|are|was|means|refers\s+to)\s(?:an?|the|our|one)\b"
        rf"|\b(?:company|platform|service|product),\s{name}\b|\b{name},\s(?:an?|the|our|one)\s",
        re.I,
    )


def _names(words: str) -> bool:
    return any(not _MONTH.match(found[0]) for found in _NAME.finditer(words))
