"""What form the answer to a question has: a count, a sum, a share, a day, a name, a place or a cause."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from sightline.assistant.question import Question
from sightline.assistant.words import covers, said_in

Form = Literal["count", "sum", "share", "figure", "day", "name", "place", "cause", "any"]

# The first that matches is wanted.
_FORMS: Final[tuple[tuple[Form, str], ...]] = (
    ("share", r"\b(?:percentage|proportion|what\s+share|share\s+of|fraction\s+of"
              r"|how\s+(?:dependent|reliant|concentrated))\b"),
    ("count", r"\bhow\s+many\b|\bnumber\s+of\b|\bnumbers\b"),
    ("sum", r"\bhow\s+much\b|\b(?:salary|price|cost|costs|fee|fine|worth)\b"),
    ("figure", r"\b(?:size|amount|level|value|total|sum)\s+of\b|\b(?:the|its|their)\s+total\b"
               r"|^\W*(?:what\s+(?:is|was)\s+)?(?:the\s+|its\s+|their\s+)?(?:average|total|potential|current)\b"
               r"|\bhow\s+(?:big|large|high|long)\b"),
    ("day", r"^\W*(?:when|(?:in\s+)?(?:what|which)\s+(?:year|month)|on\s+(?:what|which)\s+da(?:y|te))\b"
            r"|\bwhen\s+(?:is|was|does|did|are|will|do)\b|\bsince\s+when\b|\b(?:date|deadline)\b"),
    ("cause", r"\bwhy\b|\breasons?\b|\bwhat\s+(?:caused|drove|led)\b|\bhow\s+come\b"),
    ("place", r"\bwhere\b|\b(?:which|what)\s+(?:country|countries|city|cities|state|states)\b"),
    ("name", r"^\W*(?:and\s+)?who\b|\bwhom\b|\b(?:which|what)\s+(?:company|companies|firms?|customers?"
             r"|suppliers?|partners?|banks?|people|person)\b|\b(?:largest|biggest)\s+customers?\b"),
)  # fmt: skip
_FIGURE = re.compile(r"\d")
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
    r"(?<![$€£\d.,])(?!(?:19|20)\d\d\b)\d[\d,.]*\+?(?:\s(?:million|billion))?\s+((?:[\w'’-]+\s*){1,4})"
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

    @classmethod
    def of(cls, question: Question) -> "Wanted":
        form: Form = next((form for form, cue in _FORMS if question.asks(cue)), "any")
        single = question.asks(r"^\W*what\s+(?:is|was|are|were)\s+(?:the|its|their|\S+'s)\s")
        return cls(form, question.every, single)

    @property
    def has_figure(self) -> bool:
        return self.form in ("count", "sum", "share", "figure")

    @property
    def is_exact(self) -> bool:
        """Whether one value answers, so that further sentences only distract."""
        return self.has_figure or self.form in ("day", "name", "place")

    def is_in(self, words: str) -> bool:
        """Whether a sentence can be an answer of the form."""
        match self.form:
            case "count":
                return self._counts(words)
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
                return 0.2 if _TOTAL.search(words) else 0.0
            case "sum" | "figure":
                return 0.3 if _SUM.search(words) else 0.0
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

    def _counts(self, words: str) -> bool:
        """Whether a figure counts something that is asked for."""
        told = [
            found[1] for pattern in (_FIGURE_OF, _FIGURE_FOR) for found in pattern.finditer(words)
        ]
        return any(covers(term, said_in(each)) for each in told for term in self.terms)


def _names(words: str) -> bool:
    return any(not _MONTH.match(found[0]) for found in _NAME.finditer(words))
