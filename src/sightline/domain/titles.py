"""Job titles as people write them -> a tidy title, a department and a level.

English, German, French and Spanish; the common words of Italian, Dutch, Portuguese, Polish, Swedish, Danish
and Norwegian. What the vocabularies mean here:

- Founders and co-founders are owners, as are partners of firms. A person who heads the whole company
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

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from sightline.domain.tables import word_set
from sightline.domain.title_jobs import looked_up, own_words
from sightline.domain.title_text import Word, cleaned, segments, tidy
from sightline.domain.title_words import (
    SENIORITIES,
    Department,
    Seniority,
    Term,
    levels,
    taken_apart,
    terms,
)

_SETS = "title_sets.toml"

_RANK: dict[str, int] = {name: rank for rank, name in enumerate(SENIORITIES)}

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


_Found = tuple[int, int, Term]  # of the words from the first up to the second


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
    department: Department | None
    weight: float
    level: Seniority | None
    side: bool

    @property
    def known(self) -> bool:
        """Whether any of its words is a word of titles."""
        return self.department is not None or self.level is not None

    @property
    def is_slogan(self) -> bool:
        """Whether it says what a person strives for and nothing else: "Building something new"."""
        strives = self.words[0].plain in word_set(_SETS, "slogans")
        return strives and not self.known and len(self.words) > 2

    @property
    def on_own_account(self) -> bool:
        """Whether it says no more than that a job is done on one's own account."""
        return self.level == "owner" and self.weight < _FIELD


@lru_cache(maxsize=65_536)
def read_title(text: str) -> Title:
    """Normalize a title."""
    clean = cleaned(text)
    readings = []
    for segment in segments(clean):
        words = own_words(segment)
        if words:
            readings.append(_read_words(words))
    readings = [each for each in readings if not each.is_slogan]
    if not readings:
        return Title(" ".join(text.split()), None, None)
    main = _main(readings)
    if not any(each.known for each in readings):
        return Title(tidy(main.words, None), None, None)
    department = _field(main, readings) or "other"
    level = _early(readings) or main.level or "professional"
    return Title(tidy(main.words, level), department, level)


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


def _early(readings: list[_Reading]) -> Seniority | None:
    """The level of a part that says only "intern" or "trainee"."""
    for each in readings:
        if each.level in ("intern", "entry") and each.weight < _FIELD:
            return each.level
    return None


def _field(main: _Reading, readings: list[_Reading]) -> Department | None:
    """The department of the main title; "Manager - Logistics" names it only behind the dash."""
    if main.weight < _FIELD:
        for each in readings[readings.index(main) + 1 :]:
            if each.weight >= _FIELD and not each.side:
                return each.department
    return main.department


def _read_words(words: list[Word]) -> _Reading:
    whole = [looked_up(word) for word in words]
    plain = whole[: _aided_from(whole)]
    department, weight = _department(plain)
    if len(plain) < len(whole) and weight < _FIELD:  # "Referentin der Geschäftsführung"
        department, weight = _department(whole)
    ranks = _ranks(taken_apart(plain, levels()), department, weight)
    level = _highest(ranks)
    if level in ("owner", "c_suite"):
        department, weight = _department(plain, leads=True)
    return _Reading(words, department, weight, level, level is None and _is_side(plain))


def _ranks(tokens: list[str], department: str | None, weight: float) -> set[Seniority]:
    """The levels that the words of a title say are the person's own."""
    found = levels().matches(tokens)
    ranks = {
        term.level
        for start, end, term in found
        if term.level
        and not (term.level == "owner" and _owns_nothing(tokens, start, end, term, weight))
        and not (term.level == "c_suite" and _is_anothers(tokens, start, end, department))
    }
    heads = {" ".join(tokens[a:b]) for a, b, term in found if term.level == "c_suite"}
    if "vp" in ranks and heads <= _MAY_HEAD_UNITS:
        ranks.discard("c_suite")
    if tokens[0] == "staff" and department in _STAFF_LADDERS:
        ranks.add("senior")
    if _chief_officer(tokens):
        ranks.add("c_suite")
    return ranks


def _is_side(plain: list[str]) -> bool:
    """Whether words without a level say what a person is or does beside the job."""
    slogans, roles = word_set(_SETS, "slogans"), word_set(_SETS, "side_roles")
    return (
        plain[0] in slogans
        or not roles.isdisjoint(plain)
        or word_set(_SETS, "credentials") | {","} >= set(plain)
    )


def _owns_nothing(tokens: list[str], start: int, end: int, term: Term, weight: float) -> bool:
    """Whether a word of ownership says less here: "partner support", "Fotografin, selbständig"."""
    if tokens[end - 1] in ("partner", "partnerin", "partners"):
        followed = end < len(tokens) and tokens[end] not in _AFTER_PARTNER
        return followed or (
            start > 0 and tokens[start - 1] not in word_set(_SETS, "before_partner")
        )
    return term.weight < _FIELD <= weight


def _is_anothers(tokens: list[str], start: int, end: int, department: str | None) -> bool:
    """Whether a C-suite acronym is not the person's own: "CEO Communications Manager", "Office of the CEO",
    "Account Executive, MD/VA/DC", "Director, Communications (COO)"; a physician's MD is a degree."""
    if end - start > 1 or len(tokens[start]) > _LONGEST_LETTERS:
        return False
    if tokens[start] == "md" and department == "medical":
        return True
    before = [word for word in tokens[:start] if word != "the"]
    if before[-1:] in (["of"], ["to"], ["for"]):
        return True
    if tokens[start] == "md" and "/" in (*before[-1:], *tokens[end : end + 1]):
        return any(len(word) == 2 for word in (*before[-2:-1], *tokens[end + 1 : end + 2]))
    if tokens[start - 1 : start] == ["("]:
        return _is_under(tokens[: start - 1], tokens[start])
    behind = list(takewhile(str.isalpha, tokens[end:]))
    return bool(behind) and behind[-1] in word_set(_SETS, "others_rank")


def _is_under(first: list[str], letters: str) -> bool:
    """Whether a title has a rank and another field than the letters in brackets behind it."""
    ranked = any(term.level in _UNDER_OFFICERS for *_, term in levels().matches(first))
    return ranked and _department(first)[0] not in (None, _department([letters])[0])


def _highest(ranks: set[Seniority]) -> Seniority | None:
    """Internships and first jobs say so whatever else stands there; otherwise the highest rank."""
    first: tuple[Seniority, ...] = ("intern", "entry", *SENIORITIES)
    return next((level for level in first if level in ranks), None)


def _aided_from(words: list[str]) -> int | None:
    """Where the person begins whom an assistant assists: that rank is not the assistant's."""
    for at, word in enumerate(words[:-1]):
        if (word in word_set(_SETS, "aides") and words[at + 1] in _AIDED) or word in _AIDES_OF:
            rest = levels().matches(taken_apart(words[at + 1 :], levels()))
            if any(term.level and _RANK[term.level] <= _RANK["manager"] for *_, term in rest):
                return at + 1
    return None


def _chief_officer(tokens: list[str]) -> bool:
    """Whether a "chief ... officer" stands there that no table knows, as "chief wellbeing officer"."""
    for at, word in enumerate(tokens):
        if word == "chief" and "officer" in tokens[at + 2 : at + _CHIEF_OFFICER]:
            between = tokens[at + 1 : at + _CHIEF_OFFICER]
            return "happiness" not in between and "fun" not in between
    return False


def _department(words: list[str], *, leads: bool = False) -> tuple[Department | None, float]:
    """The department that the words name, and with what weight."""
    tokens = taken_apart(words, terms())
    found = terms().matches(tokens)
    if not found:
        return None, 0
    if leads:
        led = _led_company(found, tokens) or _led_function(found)
        if led is not None:
            return led, _HEADS_COMPANY
    best = _first_of_two(found, tokens) or _surest(found)
    return best.department, best.weight


def _surest(found: Iterable[_Found]) -> Term:
    return max((term for *_, term in found), key=lambda term: term.weight)


def _first_of_two(found: list[_Found], tokens: list[str]) -> Term | None:
    """The first of two jobs that are joined: "Office Manager & Bookkeeper"."""
    for at, token in enumerate(tokens):
        if token in _BETWEEN_JOBS and not any(start < at < end for start, end, _ in found):
            before = [each for each in found if each[1] <= at]
            first = _surest(before) if before else None
            return first if first is not None and first.weight >= _JOB else None
    return None


def _led_function(found: list[_Found]) -> Department | None:
    """What a chief officer answers for, whatever else the line names: "interim manager (CFO)"."""
    chiefs = (t for *_, t in found if t.level == "c_suite" and t.weight > _HEADS_COMPANY)
    return next((term.department for term in chiefs), None)


def _led_company(found: list[_Found], tokens: list[str]) -> Department | None:
    """The department of the head of a company: the one it names right behind, else the whole."""
    whole = [each for each in found if each[2][:2] == ("general_management", _HEADS_COMPANY)]
    if not whole:
        return None
    for *_, term in found:
        if term.level in ("c_suite", "director") and term.weight > _HEADS_COMPANY:
            return term.department
    fields = [
        each
        for each in found
        if each[2].department != "general_management" and each[2].weight >= _NAMED
    ]
    if fields and "vp" in tokens:  # "Founder & VP Sales"
        return _surest(fields).department
    field = _right_behind(whole[0], found, tokens) if len(whole) == 1 else None
    return field or "general_management"


def _right_behind(leads: _Found, found: list[_Found], tokens: list[str]) -> Department | None:
    """The field that the head of a company, or a member of its board, answers for."""
    start, end, term = leads
    if tokens[start] in _MEMBERS:
        others = [each for each in found if each[2] != term and each[2].weight >= _NAMED]
        return _surest(others).department if others else None
    behind = [each for each in found if each[0] >= end]
    fills = bool(behind) and behind[0][0] == end and behind[-1][1] == len(tokens)
    return behind[0][2].department if fills and term.level == "c_suite" else None
