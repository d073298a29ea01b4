"""What a question asks for, and whether a sentence can answer it: the words, and a figure, place, name
or date where one is asked for. English; a question in another language asks for its words alone."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from sightline.profile.judging import is_bookkeeping, is_formality

_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS: Final = """
a an the of in on at to for from by with as is are was were be been do does did has have had how
what which who whom whose when where why it its they their them this that these those and or not
any company companies we our us use uses using plan plans planning there can could would should
will much many currently about into get gets got
"""
_STOP: Final = frozenset(_STOP_WORDS.split())
# What a question is asked with rather than about; an answer has a figure, a place, a name for them.
_ASKING_WORDS: Final = """
make makes made making doing done recently recent latest main key major biggest largest located based
situated responsible charge lead leads led number share percentage percent portion amount affected
affects affect impacted impact come comes came coming depend depends dependent rely relies reliance
currently long often today now still run runs running operate operates own owns offer offers
"""
_ENDINGS = re.compile(r"(?:ations?|ings?|ies|ed|es|s|ment|ers?|al|ly|e|y)$")
# One thing under several names.
_ALSO_CALLED: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\bartificial intelligence\b|\bgenai\b", "ai"),
        (r"\bmachine learning\b", "ml"),
        (r"\binternet of things\b", "iot"),
        (r"\be-commerce\b|\bonline (?:sales|shops?|stores?)\b", "ecommerce"),
        (r"\bcyber[- ]security\b|\binformation security\b", "cybersecurity"),
        (r"\bresearch and development\b|\br&d\b", "rnd"),
        (r"\bproviders?\b", "vendor"),
        (r"\b(?:customer|talent|user|subscriber|data) acquisition\b", "winning"),
        (
            r"\boutside (?:of )?(?:the )?(?:u\.?s\.?a?\b\.?|united states|north america)|\bnon-u\.?s\b\.?"
            r"|\babroad\b|\binternational(?:ly)?\b|\boverseas\b",
            "abroad",
        ),
        (r"\bunited states\b|\bu\.s\.", "usa"),
        (
            r"\b(?:sole|single)[- ]sourced?\b|\b(?:sole|single|limited|small|few)(?: number of)? (?:third"
            r"[- ]party )?(?:suppliers?|vendors?|third parties|manufacturers?|sources)\b",
            "singlesource",
        ),
        (
            r"\b(?:single|one|largest|top|no|few|major) (?:\w+ )?(?:customers?|clients?)\b"
            r"|\b(?:customers?|clients?) (?:who |that )?(?:each )?(?:accounted|represent\w+|compris\w+)\b",
            "bigcustomer",
        ),
    )
)


def stem(word: str) -> str:
    """A word without its ending, so that "hires", "hiring" and "hire" meet."""
    shorter = _ENDINGS.sub("", word)
    return shorter if len(shorter) >= 3 else word


# Words of one meaning, by their stems.
_SAME: Final = {
    stem(word): stem(group[0])
    for group in (
        ("manufactured", "assembled", "fabricated"),
        ("suppliers", "vendors"),
        ("move", "migrate", "migration", "moving"),
        ("acquire", "acquisition", "acquisitions"),
        ("sell", "sales", "sold", "sale"),
        ("staff", "workforce", "employees", "headcount"),
        ("customers", "clients"),
        ("competitors", "rivals"),
        ("hire", "recruit"),
        ("invest", "spend", "spent"),
        ("challenges", "problems", "difficulties"),
        ("targets", "goals", "objectives"),
        ("layoffs", "dismissals"),
        ("automation", "automate", "automated", "robotics"),
    )
    for word in group
}
_ASKING: Final = frozenset(stem(word) for word in _ASKING_WORDS.split())
_HALVES = re.compile(
    r"\?\s|,? and (?=(?:how|what|which|who|where|when|why|do|does|is|are|has|have)\b)", re.I
)
_EITHER = re.compile(r"\b(\w+),? or (?:\w+ )?(\w+)\b", re.I)
_DATES = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r" \d{1,2}(?:, \d{4})?|\b(?:19|20)\d\d\b|\b(?:item|note|section|part) \d+",
    re.I,
)
_FIGURE = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?)\b"
)
_TIME = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october|november"
    r"|december|spring|summer|autumn|quarter)\b",
    re.I,
)
_PLACE = re.compile(r"\b(?:in|at|from|near|across|throughout|outside) (?:the |our )?[A-Z][a-z]")
_NAME = re.compile(r"(?<=[a-z,;)] )(?!I\b|U\.?S\b)[A-Z][\w&’'.-]+")
_ROLE: Final = (
    r"(?:[Oo]fficer|[Pp]resident|[Cc]ommittee|[Dd]irector|Board|[Mm]anagement|[Hh]ead of"
    r"|C[A-Z]{2,3}O?)\b"
)
_IN_CHARGE = re.compile(
    rf"(?=.*\b{_ROLE})(?=.*\b(?:responsib\w+|overs(?:ee|aw)\w*|led by|leads?|heads?|manages?"
    r"|reports? to|runs|run by)\b)",
    re.S,
)
_WHO = re.compile(rf"{_NAME.pattern}|\b{_ROLE}")
# What is asked, and what an answer to it holds.
_KINDS: Final = (
    (
        re.compile(
            r"\bhow (?:many|much|large|big|high|often)\b"
            r"|\bwhat (?:is |are )?(?:the |their |its )?(?:\w+ )?(?:share|percentage|portion|number|amount)\b"
            r"|\b(?:rate|budget)\W*$",
            re.I,
        ),
        _FIGURE,
    ),
    (
        re.compile(
            r"\bwho\b.*\b(?:responsible|leads?|runs?|charge|heads?|oversees?|manages?)\b", re.I
        ),
        _IN_CHARGE,
    ),
    (re.compile(r"\bwho(?:m|se)?\b", re.I), _WHO),
    (re.compile(r"\bwhere\b|\bwhich (?:countr|cit|region|state)\w+", re.I), _PLACE),
    (re.compile(r"\bwhen\b|\bwhat (?:year|date)\b", re.I), _TIME),
    (
        re.compile(
            r"\b(?:which|what) [\w -]{3,40}? (?:do(?:es)?|did|has|have) (?:they|it|the company)\b",
            re.I,
        ),
        _NAME,
    ),
)
# What they do or have done: an answer says that it is done.
_DOES = re.compile(
    r"\b(?:they|it|you|(?:the|this|their) company) (?:\w+ly |still |now |also |planning to |going to )?(\w+)",
    re.I,
)
_OF_DANGER = re.compile(
    r"\b(?:risks?|threat\w*|affect\w*|impact\w*|depend\w*|expos\w+|challenge\w*|problem\w*|concern\w*"
    r"|vulnerab\w+|difficult\w*|hurt\w*|suppliers?)\b",
    re.I,
)
_OF_OFFERS = re.compile(r"\b(?:sell|offer|products?|services?|customers?|clients?|help)\b", re.I)
# What others do with what the company sells.
_FOR_OTHERS = re.compile(
    r"\b(?:helps?|enabl\w+|allow\w*|lets?|empower\w*) (?:[\w-]+ ){0,3}?(?:teams|customers|companies"
    r"|organi[sz]ations|users|clients|enterprises|businesses|operators|managers)\b"
    r"|\b(?:customers?|clients?|users) (?:\w+ )?(?:us(?:e|es|ing)|run|deploy|includ\w+)\b"
    r"|\b(?:suite|platform|applications?|software|solutions?) (?:also )?(?:helps|enables|allows|lets)\b",
    re.I,
)
_RECENT = re.compile(r"\b(?:recent|latest|newest|last|this year)", re.I)
_HEDGED = re.compile(r"\b(?:could|may|might|would|if we|cannot|unable)\b")
_OF_A_PERSON = re.compile(r"^(?:Mr|Ms|Mrs|Dr)\.|\b(?:he|she|his|her)\b")
_NEAR: Final = 3  # words from each other
_LEAST: Final = 0.6  # of what is asked for, rare words counting more
_MANY: Final = 2 / 3  # of the words that are asked about, each counted once
_SHORTLY: Final = 80  # characters


def stems(text: str) -> list[str]:
    """The content words of a text, without endings, one word for one meaning."""
    return [_meaning(word) for word in _words(text) if word not in _STOP]


def _words(text: str) -> list[str]:
    words = text.casefold()
    for pattern, instead in _ALSO_CALLED:
        words = pattern.sub(instead, words)
    return _WORD.findall(words)


def _meaning(word: str) -> str:
    shorter = stem(word)
    return _SAME.get(shorter, shorter)


def _compounds(question: str) -> Iterator[tuple[str, str]]:
    """Words that stand side by side, "supply chain"; not a verb and its object, "to reduce supply"."""
    words = ["", *_words(question)]
    for before, left, right in zip(words, words[1:], words[2:], strict=False):
        pair = (_meaning(left), _meaning(right))
        if before != "to" and not {left, right} & _STOP and not _ASKING.intersection(pair):
            yield pair


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the words that it is about, and what is near each other in it.

    `either` are words of which one is enough. `holds` is what an answer has: a figure, a place.
    """

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    either: frozenset[str]
    keys: tuple[frozenset[str], ...]
    holds: re.Pattern[str] | None
    of_danger: bool
    of_offers: bool
    of_people: bool
    of_late: bool
    verb: str | None

    @property
    def of_figures(self) -> bool:
        """Whether it asks how many or how much."""
        return self.holds is _FIGURE

    def covered(self, said: Set[str], idf: Mapping[str, float]) -> float:
        """The share of what is asked for that is said, 0 to 1."""
        rest = self.words - self.either
        whole = sum(idf[w] for w in rest)
        held = sum(idf[w] for w in rest & said)
        if self.either:
            most = max(idf[w] for w in self.either)
            whole += most
            held += most if self.either & said else 0.0
        return held / whole if whole else 1.0

    def fits(self, text: str, said: Sequence[str], idf: Mapping[str, float]) -> float:
        """How well a sentence with these stems answers, 0 when it does not."""
        if not self._could_answer(text):
            return 0.0
        words = frozenset(said)
        if self.verb is not None and self.verb not in words:
            return 0.0
        covered = self.covered(words, idf)
        if any(key <= words for key in self.keys):
            others = self.words - frozenset[str]().union(*self.keys)
            whole = sum(idf[word] for word in others)
            told = sum(idf[word] for word in others & words)
            enough = told >= _MANY * whole or self._are_near(said, self._beside(others))
            return max(covered, _LEAST) if enough else 0.0
        enough = covered >= _LEAST and len(self.words & words) >= _MANY * self._many
        return covered if enough and self._are_near(said, self.pairs) else 0.0

    def _beside(self, others: Set[str]) -> frozenset[tuple[str, str]]:
        """Words of keywords with the other words of the question."""
        return frozenset((word, other) for key in self.keys for word in key for other in others)

    def _could_answer(self, text: str) -> bool:
        """Whether a sentence has what is asked for, and speaks of the company as it is."""
        seen = _DATES.sub("", text) if self.of_figures else text
        return not (
            (self.holds is not None and not self.holds.search(seen))
            or (not self.of_danger and _HEDGED.search(text))
            or (not self.of_people and _OF_A_PERSON.search(text))
            or (not self.of_offers and _FOR_OTHERS.search(text))
            or is_formality(text)
            or (not self.of_figures and is_bookkeeping(text))
            or (self.holds is _NAME and not self._names_one(text))
        )

    def _names_one(self, text: str) -> bool:
        """Whether a name stands shortly behind a word that is asked for."""
        wanted = self.words.union(*self.keys)
        return any(
            _NAME.search(text, word.end(), word.end() + _SHORTLY)
            for word in _WORD.finditer(text)
            if not wanted.isdisjoint(stems(word[0]))
        )

    @property
    def _many(self) -> int:
        """How many words there are to cover; of alternatives one."""
        return len(self.words - self.either) + bool(self.either)

    @staticmethod
    def _are_near(said: Sequence[str], pairs: Set[tuple[str, str]]) -> bool:
        """Whether the words of a pair stand together; True when there are no pairs."""
        if not pairs:
            return True
        places: dict[str, list[int]] = {}
        for at, word in enumerate(said):
            places.setdefault(word, []).append(at)
        return any(
            abs(a - b) <= _NEAR
            for left, right in pairs
            for a in places.get(left, ())
            for b in places.get(right, ())
        )


def asked(question: str, keywords: Sequence[str]) -> list[Asked]:
    """What a question asks: its halves apart, where it asks two things."""
    keys = tuple(key for each in keywords if (key := frozenset(stems(each))))
    halves = [half for half in _HALVES.split(question) if len(stems(half)) > 1] or [question]
    return [_asked(half, keys) for half in halves]


def _asked(text: str, keys: tuple[frozenset[str], ...]) -> Asked:
    said = stems(text)
    words = [word for word in said if word not in _ASKING] or said
    either = frozenset(
        w for found in _EITHER.finditer(text) for w in stems(" ".join(found.groups()))
    )
    either &= frozenset(words)
    pairs = {pair for pair in _compounds(text) if not either.issuperset(pair)}
    pairs |= {(left, other) for left, right in pairs if right in either for other in either}
    done = _DOES.search(text)
    verb = _meaning(done[1].casefold()) if done is not None else ""
    return Asked(
        words=frozenset(words),
        pairs=frozenset(pairs),
        either=either,
        keys=keys,
        holds=next((holds for kind, holds in _KINDS if kind.search(text)), None),
        of_danger=bool(_OF_DANGER.search(text)),
        of_offers=bool(_OF_OFFERS.search(text)),
        of_people=bool(re.search(r"\bwho", text, re.I)),
        of_late=bool(_RECENT.search(text)),
        verb=verb if verb in words else None,
    )


def weights(texts: Sequence[Set[str]], wanted: Set[str]) -> dict[str, float]:
    """How telling words are: the rarer in the texts, the more."""
    seen = {word: sum(word in words for words in texts) for word in wanted}
    return {word: math.log(1 + len(texts) / (1 + count)) for word, count in seen.items()}
