"""Job titles as people write them -> a tidy title, a department and a level.

English, German, French and Spanish; the common words of Italian, Dutch, Portuguese, Polish, Swedish, Danish
and Norwegian. What the vocabularies mean here:

- Founders and co-founders are owners, as are partners of firms. Whoever heads the whole company
  (Geschäftsführer, managing director, general manager, PDG, gérant) or sits on its board is c_suite.
- `director` is the word (director, Direktor, directeur, Prokurist); `head` leads a unit (head of,
  Leiter, chief engineer); `manager` leads people or an outlet (sales manager, responsable, gerente).
  Who manages an object (account, product, project, event manager, chef de projet) has a job's name,
  not a level: `professional`.
- `lead` leads a team or a project (team lead, supervisor, Teamleiter, Projektleiter, Meister).
  Principal and staff engineers are `senior`. Apprentices, trainees and graduates are `entry`.
- A title without any level is `professional`. One that names no field has the department `other`,
  or `general_management` where it leads the company. A title that names no job ("student", "looking
  for opportunities"), or of which no word is known, has neither.

Of several titles in one line the first that names a job counts, unless a later one owns or heads the
company.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from sightline.domain.tables import word_set
from sightline.domain.title_jobs import looked_up, own_words
from sightline.domain.title_style import tidy
from sightline.domain.title_text import Word, cleaned, segments
from sightline.domain.title_words import Term, levels, parts, terms

_SETS = "title_sets.toml"

Seniority = Literal[
    "owner", "c_suite", "vp", "director", "head", "manager", "lead", "senior", "professional",
    "entry", "intern",
]  # fmt: skip
Department = Literal[
    "general_management", "engineering", "it", "data", "product", "design", "research",
    "project_management", "marketing", "sales", "business_development", "customer_success", "support",
    "consulting", "finance", "legal", "hr", "administration", "operations", "purchasing",
    "supply_chain", "production", "medical", "education", "other",
]  # fmt: skip
Language = Literal["en", "de", "fr", "es"]

SENIORITIES: tuple[Seniority, ...] = (
    "owner", "c_suite", "vp", "director", "head", "manager", "lead", "senior", "professional",
    "entry", "intern",
)  # fmt: skip
_RANK: dict[str, int] = {name: rank for rank, name in enumerate(SENIORITIES)}
_OF_NAME: dict[str, Seniority] = {name: name for name in SENIORITIES}
_DEPARTMENT_OF: dict[str, Department] = {
    "general_management": "general_management", "engineering": "engineering", "it": "it",
    "data": "data", "product": "product", "design": "design", "research": "research",
    "project_management": "project_management", "marketing": "marketing", "sales": "sales",
    "business_development": "business_development", "customer_success": "customer_success",
    "support": "support", "consulting": "consulting", "finance": "finance", "legal": "legal",
    "hr": "hr", "administration": "administration", "operations": "operations",
    "purchasing": "purchasing", "supply_chain": "supply_chain", "production": "production",
    "medical": "medical", "education": "education", "other": "other",
}  # fmt: skip
DEPARTMENTS: tuple[Department, ...] = tuple(_DEPARTMENT_OF.values())

# The weight in title_levels.toml of words that name the head of a whole company.
_HEADS_COMPANY = 2.9
# From this weight on a word names a field; below it nouns such as "director" or "specialist".
_FIELD = 1.0
# A vice president who is one of these as well heads a unit.
_MAY_HEAD_UNITS = frozenset(("general manager", "managing director", "gm"))
_AIDED = frozenset(("to", "der", "des", "du", "de", "del", "von", "of", "zur", "zum", "au", "aux"))
# "Assistenz Geschäftsführung": these need no word between.
_AIDES_OF = frozenset(("assistenz", "assistent", "assistentin", "sekretariat", "ea", "pa"))
_AFTER_PARTNER = frozenset(
    (",", "/", "&", "(", ")", ":", "in", "of", "fur", "for", "im", "de", "en")
)
_STAFF_LADDERS = frozenset(("engineering", "data", "design", "product", "it", "research"))
# From this weight on a field is what a member of the board answers for.
_NAMED = 1.9
# From this weight on words name a job, not only a field.
_JOB = 2.0
_BETWEEN_JOBS = frozenset(("&", "/", ","))
_MEMBERS = frozenset(("mitglied", "membre", "member", "miembro"))
_LONGEST_LETTERS = 4  # of a rank: "CISO"
_UNDER_OFFICERS = ("vp", "director", "head")
_CHIEF_OFFICER = 5  # words from "chief" to its "officer"


@dataclass(frozen=True, slots=True)
class Title:
    """`normalized_title` is "" when nothing is left of the text; department and seniority are both
    None when it names no job, and both set when it does."""

    normalized_title: str
    department: Department | None
    seniority: Seniority | None


@dataclass(frozen=True, slots=True)
class _Reading:
    words: list[Word]
    department: str | None
    weight: float
    level: str | None
    side: bool

    @property
    def known(self) -> bool:
        """Whether any of its words is a word of titles."""
        return self.department is not None or self.level is not None

    @property
    def is_slogan(self) -> bool:
        """Whether it says what somebody strives for and nothing else: "Building something new"."""
        strives = self.words[0].plain in word_set(_SETS, "slogans")
        return strives and not self.known and len(self.words) > 2

    @property
    def on_own_account(self) -> bool:
        """Whether it says no more than that a job is done on one's own account."""
        return self.level == "owner" and self.weight < _FIELD


@lru_cache(maxsize=65_536)
def read_title(text: str, *, language: Language | None = None) -> Title:
    """Normalise a title. `language` is a hint for words that mean different things in two languages."""
    clean = cleaned(text)
    readings = []
    for segment in segments(clean):
        words = own_words(segment)
        if words:
            readings.append(_read_words(words, language))
    readings = [each for each in readings if not each.is_slogan]
    if not readings:
        return Title(" ".join(text.split()), None, None)
    main = _main(readings)
    if not any(each.known for each in readings):
        return Title(tidy(main.words, None), None, None)
    department = _field(main, readings) or "other"
    level = _early(readings) or main.level or "professional"
    return Title(tidy(main.words, level), _DEPARTMENT_OF[department], _OF_NAME[level])


def department_named(words: str | None) -> Department | None:
    """The department that an employer's own name of one means ("Risk & Analytics"); None for none."""
    read = read_title(words) if words else None
    return None if read is None or read.department == "other" else read.department


def _main(readings: list[_Reading]) -> _Reading:
    """The job that the line is about."""
    known = [each for each in readings if each.known] or readings
    main = next((each for each in known if not each.side), known[0])
    if main.on_own_account:
        main = next((each for each in known if each.weight >= _FIELD and not each.side), main)
    if main.level is None or main.level == "senior":
        for each in known:
            if each.level in ("owner", "c_suite") and not each.on_own_account:
                return each
    return main


def _early(readings: list[_Reading]) -> str | None:
    """The level of a part that says only "intern" or "trainee"."""
    for each in readings:
        if each.level in ("intern", "entry") and each.weight < _FIELD:
            return each.level
    return None


def _field(main: _Reading, readings: list[_Reading]) -> str | None:
    """The department of the main title; "Manager - Logistics" names it only behind the dash."""
    if main.weight < _FIELD:
        for each in readings[readings.index(main) + 1 :]:
            if each.weight >= _FIELD and not each.side:
                return each.department
    return main.department


def _read_words(words: list[Word], language: Language | None) -> _Reading:
    plain = [looked_up(word) for word in words]
    whole = plain
    plain = plain[: _aided_from(plain)]
    table = levels()
    tokens = [part for word in plain for part in parts(word, table)]
    found = table.matches(tokens)
    department, weight = _department(plain)
    if len(plain) < len(whole) and weight < _FIELD:  # "Referentin der Geschäftsführung"
        department, weight = _department(whole)
    ranks = {
        term.level
        for start, end, term in found
        if term.level
        and not (term.level == "owner" and _owns_nothing(tokens, start, end, term, weight))
        and not (term.level == "c_suite" and _is_anothers(tokens, start, end))
        and not (department == "medical" and tokens[start:end] == ["md"])
    }
    heads = {" ".join(tokens[a:b]) for a, b, term in found if term.level == "c_suite"}
    if "vp" in ranks and heads <= _MAY_HEAD_UNITS:
        ranks.discard("c_suite")
    if tokens[0] == "staff" and department in _STAFF_LADDERS:
        ranks.add("senior")
    chief = _chief_officer(tokens)
    if chief:
        ranks.add("c_suite")
    if language == "de" and tokens == ["chef"]:
        ranks.add("owner")
    level = _highest(ranks)
    if level in ("owner", "c_suite"):
        department, weight = _department(plain, leads=True)
    side = level is None and (
        all(word in word_set(_SETS, "credentials") or word == "," for word in plain)
        or plain[0] in word_set(_SETS, "slogans")
        or any(word in word_set(_SETS, "side_roles") for word in plain)
    )
    return _Reading(words, department, weight, level, side)


def _owns_nothing(tokens: list[str], start: int, end: int, term: Term, weight: float) -> bool:
    """Whether a word of ownership says less here: "partner support", "Fotografin, selbständig"."""
    if tokens[end - 1] in ("partner", "partnerin", "partners"):
        followed = end < len(tokens) and tokens[end] not in _AFTER_PARTNER
        return followed or (
            start > 0 and tokens[start - 1] not in word_set(_SETS, "before_partner")
        )
    return term.weight < _FIELD <= weight


def _is_anothers(tokens: list[str], start: int, end: int) -> bool:
    """Whether letters of a rank are not the person's own: "CEO Communications Manager", "Office of the CEO",
    "Account Executive, MD/VA/DC", "Director, Communications (COO)"."""
    if end - start > 1 or len(tokens[start]) > _LONGEST_LETTERS:
        return False
    before = [word for word in tokens[:start] if word != "the"]
    if before and before[-1] in ("of", "to", "for"):
        return True
    if tokens[start] == "md" and "/" in (*before[-1:], *tokens[end : end + 1]):
        return any(len(word) == 2 for word in (*before[-2:-1], *tokens[end + 1 : end + 2]))
    if tokens[start - 1 : start] == ["("]:
        first = tokens[: start - 1]
        ranked = any(term.level in _UNDER_OFFICERS for *_, term in levels().matches(first))
        return ranked and _department(first)[0] not in (None, _department([tokens[start]])[0])
    behind = list(takewhile(str.isalpha, tokens[end:]))
    return bool(behind) and behind[-1] in word_set(_SETS, "others_rank")


def _highest(ranks: set[str]) -> str | None:
    """Internships and first jobs say so whatever else stands there; otherwise the highest rank."""
    for early in ("intern", "entry"):
        if early in ranks:
            return early
    return min(ranks, key=_RANK.__getitem__, default=None)


def _aided_from(words: list[str]) -> int | None:
    """Where the person begins whom an assistant assists: that rank is not the assistant's."""
    for at, word in enumerate(words[:-1]):
        if (word in word_set(_SETS, "aides") and words[at + 1] in _AIDED) or word in _AIDES_OF:
            rest = [part for each in words[at + 1 :] for part in parts(each, levels())]
            if any(
                t.level and _RANK[t.level] <= _RANK["manager"] for *_, t in levels().matches(rest)
            ):
                return at + 1
    return None


def _chief_officer(tokens: list[str]) -> bool:
    """Whether a "chief ... officer" stands there that no table knows, as "chief wellbeing officer"."""
    for at, word in enumerate(tokens):
        if word == "chief" and "officer" in tokens[at + 2 : at + _CHIEF_OFFICER]:
            between = tokens[at + 1 : at + _CHIEF_OFFICER]
            return "happiness" not in between and "fun" not in between
    return False


def _department(words: list[str], *, leads: bool = False) -> tuple[str | None, float]:
    """The department that the words name, and with what weight."""
    table = terms()
    tokens = [part for word in words for part in parts(word, table)]
    found = [each for each in table.matches(tokens) if each[2].department is not None]
    if not found:
        return None, 0
    if leads:
        led = _led_company(found, tokens) or _led_function(found)
        if led is not None:
            return led, _HEADS_COMPANY
    best = _first_of_two(found, tokens) or max(found, key=lambda each: each[2].weight)[2]
    return best.department, best.weight


def _first_of_two(found: list[tuple[int, int, Term]], tokens: list[str]) -> Term | None:
    """The first of two jobs that are joined: "Office Manager & Bookkeeper"."""
    for at, token in enumerate(tokens):
        if token not in _BETWEEN_JOBS or any(start < at < end for start, end, _ in found):
            continue
        before = [term for _, end, term in found if end <= at]
        first = max(before, key=lambda term: term.weight, default=None)
        return first if first is not None and first.weight >= _JOB else None
    return None


def _led_function(found: list[tuple[int, int, Term]]) -> str | None:
    """What a chief officer answers for, whatever else the line names: "interim manager (CFO)"."""
    chiefs = (t for _, _, t in found if t.level == "c_suite" and t.weight > _HEADS_COMPANY)
    return next((term.department for term in chiefs), None)


def _led_company(found: list[tuple[int, int, Term]], tokens: list[str]) -> str | None:
    """The department of whoever leads a company: the one it names right behind, else the whole."""
    whole = [
        each
        for each in found
        if each[2].weight == _HEADS_COMPANY and each[2].department == "general_management"
    ]
    if not whole:
        return None
    for _, _, term in found:
        if term.level in ("c_suite", "director") and term.weight > _HEADS_COMPANY:
            return term.department
    fields = [t for _, _, t in found if t.department != "general_management" and t.weight >= _NAMED]
    if fields and "vp" in tokens:  # "Founder & VP Sales"
        return max(fields, key=lambda term: term.weight).department
    if len(whole) == 1:
        start, end, term = whole[0]
        if tokens[start] in _MEMBERS:
            others = [each[2] for each in found if each[2] != term and each[2].weight >= _NAMED]
            return max(others, key=lambda each: each.weight, default=term).department
        behind = [each for each in found if each[0] >= end]
        if (
            term.level == "c_suite"
            and behind
            and behind[0][0] == end
            and behind[-1][1] == len(tokens)
        ):
            return behind[0][2].department
    return "general_management"
