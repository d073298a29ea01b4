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

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, takewhile

from sightline.domain.tables import toml_table, word_set
from sightline.domain.title_text import Word, cleaned, segments, tidy
from sightline.domain.title_words import (
    SENIORITIES,
    Department,
    Found,
    Seniority,
    Term,
    found_in,
    levels,
    terms,
)

_SETS = "title_sets.toml"

_FIRST_JOBS: tuple[Seniority, ...] = ("intern", "entry")
_LEADERS = SENIORITIES[: SENIORITIES.index("manager") + 1]
# The weight in title_levels.toml of words that name the head of a whole company.
_HEADS_COMPANY = 2.9
# From this weight on words name a job by themselves, a job with its field, what a member of the board
# answers for, and any field; below the last are nouns such as "director" or "specialist".
_JOB_NOUN, _JOB, _NAMED, _FIELD = 2.5, 2.0, 1.9, 1.0
_AIDED = frozenset(("to", "der", "des", "du", "de", "del", "von", "of", "zur", "zum", "au", "aux"))
# "Assistenz Geschäftsführung": these need no word between.
_AIDES_OF = frozenset(("assistenz", "assistent", "assistentin", "sekretariat", "pa"))
_BETWEEN_JOBS = frozenset(("&", "/", ","))
_MEMBERS = frozenset(("mitglied", "membre", "member", "miembro"))
_LONGEST_LETTERS = 4  # of a rank: "CISO"
_UNDER_OFFICERS = ("vp", "director", "head")
_AFTER_FORMER = frozenset((",", "/", "(", "&"))
_EMPLOYER_MARKS = frozenset(("at", "@", "bei", "beim", "chez"))


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
    def on_own_account(self) -> bool:
        """Whether it says no more than that a job is done on one's own account."""
        return self.level == "owner" and self.weight < _FIELD


@lru_cache(maxsize=65_536)
def read_title(text: str) -> Title:
    """Normalize a title."""
    parts = map(_own_words, segments(cleaned(text)))
    readings = [_read_words(words) for words in parts if words]
    if not readings:
        return Title(" ".join(text.split()), None, None)
    main = _main(readings)
    if not main.known:
        return Title(tidy(main.words, None), None, None)
    department = _field(main, readings) or "other"
    level = _first_job(readings) or main.level or "professional"
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


def _first_job(readings: list[_Reading]) -> Seniority | None:
    """The level of a part that says only "intern" or "trainee"."""
    for each in readings:
        if each.level in _FIRST_JOBS and each.weight < _FIELD:
            return each.level
    return None


def _field(main: _Reading, readings: list[_Reading]) -> Department | None:
    """The department of the main title; "Manager - Logistics" names it only behind the dash."""
    if main.weight < _FIELD:
        for each in readings[readings.index(main) + 1 :]:
            if each.weight >= _FIELD and not each.side:
                return each.department
    return main.department


def _own_words(segment: list[Word]) -> list[Word]:
    """The words of a segment that name a job: without employer, wishes, studies and former jobs. [] for
    none."""
    segment = _present(_without_wish(segment))
    plain = {word.plain for word in segment}
    if not plain.isdisjoint(word_set(_SETS, "retired")):
        return []
    for at, word in enumerate(segment):
        if word.plain in _EMPLOYER_MARKS and at:
            # "Student @ College, intern @ Firm"
            return _own_words(segment[:at]) or _own_words(_next_job(segment[at + 1 :]))
    studies = not plain.isdisjoint(word_set(_SETS, "students"))
    return [] if studies and not _has_level(segment) else segment


def _without_wish(segment: list[Word]) -> list[Word]:
    """A segment up to what is looked for: "looking for opportunities"."""
    plain = " ".join(word.plain for word in segment)
    sought = _sought().search(plain)
    return segment if sought is None else segment[: len(plain[: sought.start()].split())]


@cache
def _sought() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(toml_table(_SETS)['sought'])})")


def _present(segment: list[Word]) -> list[Word]:
    """What a person is today who once was something else: what follows a "now", or a job behind a comma."""
    past = word_set(_SETS, "former") | word_set(_SETS, "retired")
    if not segment or segment[0].plain not in past:
        return segment
    for at, word in enumerate(segment):
        if word.plain in word_set(_SETS, "nowadays"):
            return segment[at + 1 :]
    return _next_job(segment)


def _next_job(segment: list[Word]) -> list[Word]:
    """What stands behind a comma, if it names a job by itself."""
    for at, word in enumerate(segment):
        if word.plain in _AFTER_FORMER:
            rest = segment[at + 1 :]
            nouns = (term.weight >= _JOB_NOUN for *_, term in found_in(_plain(rest), terms())[1])
            side = bool(rest) and rest[0].plain in word_set(_SETS, "side_roles")
            return rest if side or _has_level(rest) or any(nouns) else []
    return []


def _plain(words: list[Word]) -> list[str]:
    return [word.plain for word in words]


def _has_level(words: list[Word]) -> bool:
    return any(term.level for *_, term in found_in(_plain(words), levels())[1])


def _read_words(words: list[Word]) -> _Reading:
    whole = _plain(words)
    own = whole[: _aided_from(whole)]
    department, weight = _department(own)
    if len(own) < len(whole) and weight < _FIELD:  # "Referentin der Geschäftsführung"
        department, weight = _department(whole)
    level = _level(own, weight)
    if level in ("owner", "c_suite"):
        department, weight = _department(own, leads=True)
    return _Reading(words, department, weight, level, level is None and _is_side(own))


def _level(words: list[str], weight: float) -> Seniority | None:
    """Internships and first jobs say so whatever else stands there; otherwise the highest rank."""
    tokens, found = found_in(words, levels())
    ranks = {each[2].level for each in found if _is_own(tokens, each, weight)}
    if any(tokens[a:b] == ["chief"] and "officer" in tokens[b:] for a, b, _ in found):
        ranks.add("c_suite")  # of a field that no table knows: "chief wellbeing officer"
    return next((level for level in (*_FIRST_JOBS, *SENIORITIES) if level in ranks), None)


def _is_own(tokens: list[str], found: Found, weight: float) -> bool:
    """Whether a rank is the person's own: not in "partner support", "Fotografin, selbständig", "CEO
    communications manager" and "office of the CEO"."""
    start, end, term = found
    if term.level == "owner" and tokens[end - 1] in ("partner", "partnerin", "partners"):
        return word_set(_SETS, "beside_partner") >= {*tokens[:start][-1:], *tokens[end:][:1]}
    if term.level == "owner":
        return term.weight >= _FIELD or weight < _FIELD
    if term.level == "c_suite" and end - start == 1 and len(tokens[start]) <= _LONGEST_LETTERS:
        return _are_own(tokens[start], tokens[:start], tokens[end:])
    return True


def _are_own(letters: str, before: list[str], behind: list[str]) -> bool:
    """Whether the letters of a rank are the person's own: not those of the officer above in "Director,
    Communications (COO)"."""
    stated = [word for word in before if word != "the"]
    ranks = {term.level for *_, term in found_in(stated, levels())[1]}
    if stated[-1:] == ["("] and not ranks.isdisjoint(_UNDER_OFFICERS):
        return _department(stated)[0] in (None, _department([letters])[0])
    noun = list(takewhile(str.isalpha, behind))[-1:]
    return stated[-1:] not in (["of"], ["to"], ["for"]) and (
        word_set(_SETS, "others_rank").isdisjoint(noun)
    )


def _is_side(plain: list[str]) -> bool:
    """Whether words without a level say what a person is or does beside the job."""
    slogans, roles = word_set(_SETS, "slogans"), word_set(_SETS, "side_roles")
    return (
        plain[0] in slogans
        or not roles.isdisjoint(plain)
        or word_set(_SETS, "credentials") | {","} >= set(plain)
    )


def _aided_from(words: list[str]) -> int | None:
    """Where the person begins whom an assistant assists: that rank is not the assistant's."""
    for at, word in enumerate(words[:-1]):
        if (word in word_set(_SETS, "aides") and words[at + 1] in _AIDED) or word in _AIDES_OF:
            rest = found_in(words[at + 1 :], levels())[1]
            if any(term.level in _LEADERS for *_, term in rest):
                return at + 1
    return None


def _department(words: list[str], *, leads: bool = False) -> tuple[Department | None, float]:
    """The department that the words name, and with what weight; that of an owner or head of a company is
    what the person answers for."""
    tokens, found = found_in(words, terms())
    if not found:
        return None, 0
    led = _led(found, tokens) if leads else None
    if led is not None:
        return led, _HEADS_COMPANY
    best = found[0][2]
    for (_, end, _), (start, _, term) in pairwise(found):
        if best.weight >= _JOB and not _BETWEEN_JOBS.isdisjoint(tokens[end:start]):
            break  # the first of two jobs: "Office Manager & Bookkeeper"
        best = max(best, term, key=_weight)
    return best.department, best.weight


def _led(found: list[Found], tokens: list[str]) -> Department | None:
    """What the owner or head of a company answers for: a function of its own ("interim manager (CFO)"), else
    what the words beside say."""
    for *_, term in found:
        if term.level in ("c_suite", "director") and term.weight > _HEADS_COMPANY:
            return term.department
    heads = (each for each in found if each[2][:2] == ("general_management", _HEADS_COMPANY))
    head = next(heads, None)
    return None if head is None else _beside_head(head, found, tokens)


def _beside_head(head: Found, found: list[Found], tokens: list[str]) -> Department | None:
    """The field right behind a head ("Geschäftsführer Vertrieb"), anywhere beside a member of a board or a
    vice president; else the whole company."""
    start, end, term = head
    fields = [each for *_, each in found if each[:2] != term[:2] and each.weight >= _NAMED]
    if fields and (tokens[start] in _MEMBERS or "vp" in tokens):  # "Founder & VP Sales"
        return max(fields, key=_weight).department
    behind = [each for each in found if each[0] >= end]
    fills = bool(behind) and behind[0][0] == end and behind[-1][1] == len(tokens)
    return behind[0][2].department if fills and term.level == "c_suite" else term.department


def _weight(term: Term) -> float:
    return term.weight
