"""Job titles as people write them -> a tidy title, a department and a level.

English, German, French and Spanish. What the vocabularies mean here:

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
  for opportunities") has neither.

Of several titles in one line the first that names a job counts, unless a later one owns or heads the
company.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sightline.domain.title_text import Word, cleaned, folded, segments
from sightline.domain.title_words import Term, levels, parts, terms

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
_SPELLED_OUT = {
    "sr": "Senior", "snr": "Senior", "jr": "Junior", "jnr": "Junior", "mgr": "Manager",
    "dir": "Director", "asst": "Assistant", "assoc": "Associate", "vp": "Vice President",
    "svp": "Senior Vice President", "evp": "Executive Vice President", "dept": "Department",
    "avp": "Assistant Vice President", "resp": "Responsable", "ltr": "Leiter",
    "gf": "Geschäftsführer", "exec": "Executive", "eng": "Engineer", "engr": "Engineer",
    "mktg": "Marketing", "admin": "Administrator", "coord": "Coordinator", "rep": "Representative",
    "stv": "Stellvertretender", "mgmt": "Management", "dev": "Developer", "kfm": "Kaufmännischer",
    "techn": "Technischer", "intl": "International", "spec": "Specialist", "tec": "Técnico",
    "ing": "Ingenieur", "prof": "Professor", "acct": "Account", "ops": "Operations",
}  # fmt: skip
# Short forms as they are looked up. "ing." and the like are words of the tables themselves.
_LOOKED_UP = {
    "asst": "assistant", "assoc": "associate", "eng": "engineer", "engr": "engineer",
    "mgmt": "management", "coord": "coordinator", "rep": "representative", "exec": "executive",
    "kfm": "kaufmannischer", "kaufm": "kaufmannischer", "techn": "technischer", "mgr": "manager",
    "tec": "tecnico", "acct": "account", "spec": "specialist", "intl": "international",
    "dept": "department", "mitarb": "mitarbeiter", "ass": "assistent", "bus": "business",
    "mngr": "manager", "mgnt": "management", "mgt": "management", "dpt": "department",
    "assist": "assistant", "dev": "dev", "adm": "administrativo", "respo": "responsable",
    "vertr": "vertrieb", "abt": "abteilung", "proj": "projekt",
    "vps": "vp", "ingen": "ingenieur", "mng": "manager", "sw": "software",
}  # fmt: skip
_EMPLOYER_MARKS = frozenset(("at", "@", "bei", "beim", "chez"))
_LEGAL_FORMS = frozenset(
    "gmbh inc llc ltd sarl sas kg ohg gbr srl bv limited corp corporation plc sl slu aps oy ev mbh".split()
)
_PHRASES_OF_NOTHING = re.compile(
    r"\b(?:(?:actively |currently |aktuell |derzeit |actuellement |actualmente )*"
    r"(?:look(?:ing)?|seeking|searching|open) (?:for |to |a |new |next )*"
    r"(?:a |an |the |my |new |next |exciting |fresh )*(?:job|work|opportunit\w*|challenge\w*|role\w*|"
    r"position\w*|employment|offers?|career|internship|jobs|projects?)\b.*"
    r"|(?:job|opportunity|employment) (?:seeker|hunter|hunting|search)\w*"
    r"|(?:auf|in) (?:der )?(?:job|stellen|arbeits)?\s?suche\b.*|auf der suche\b.*|jobsuche\w*"
    r"|arbeits(?:suchend|los)\w*|offen fur neue\w*.*|suche (?:neue|eine|nach)\b.*|wechselwillig"
    r"|(?:en|a la) recherche (?:d|de|active|d une?|du)\b.*|recherche (?:un |une |active|d )?"
    r"(?:emploi|poste|stage|alternance|cdi|opportunit\w*|nouvel\w*).*|a l ecoute\b.*"
    r"|demandeu(?:r|se) d emploi|sans emploi|en (?:busca|busqueda)\b.*|buscando\b.*"
    r"|desemplead[oa]|en paro|unemployed|between jobs|disponible|available (?:now|for)\b.*"
    r"|open to work|opentowork|in transition|career break|sabbatical|elternzeit|maternity leave)"
)
_OUT_OF_WORK = frozenset(
    "retired rentner rentnerin pensionar ruhestand pensioniert retraite retraitee jubilado jubilada none "
    "na nil keine keiner kein ninguno ninguna aucun aucune tbd unknown unbekannt nothing nichts null nan "
    "student studentin studierende studierender etudiant etudiante estudiante schuler schulerin eleve "
    "alumno alumna alumni alumnus pupil undergraduate homemaker hausfrau hausmann housewife privatier "
    "privat private self life human mensch mother father mama papa test xxx abc lyceen universitario "
    "freshman sophomore candidate hello hi".split()
)
_STUDENTS = frozenset(
    "student studentin studierende studierender etudiant etudiante estudiante undergraduate schuler "
    "schulerin eleve alumno alumna pupil lyceen studentat".split()
)
_FORMER = frozenset(
    ("ex", "former", "formerly", "ehemals", "ehemaliger", "ehemalige", "ancien", "ancienne", "previously")
)
_AIDES = frozenset(
    "assistant assistante assistent assistentin assistenz asistente secretary secretaria secretaire "
    "sekretarin pa ea aide adviser advisor deputy referent referentin asesor asesora adjoint "
    "assistants assist staff".split()
)
_AIDED = frozenset(("to", "der", "des", "du", "de", "del", "von", "of", "zur", "zum", "au", "aux"))
_SIDE_ROLES = frozenset(
    "speaker author autor autorin auteur mentor blogger podcaster enthusiast evangelist volunteer investor "
    "lecturer dozent dozentin moderator conferencier conferenciere volunteer youtuber storyteller "
    "coach".split()
)
_AFTER_PARTNER = frozenset((",", "/", "&", "(", ")", ":", "in", "of", "fur", "for", "im", "de", "en"))
_BEFORE_PARTNER = frozenset(
    (",", "/", "&", "(", ":", "tax", "audit", "law", "assurance", "advisory", "attorney", "lawyer", "general",
     "limited", "named", "rechtsanwalt", "rechtsanwaltin", "steuerberater", "founder", "founding", "equity",
     "litigation", "director", "ceo", "consulting", "managing", "investment", "deputy", "national")
)  # fmt: skip
_STAFF_LADDERS = frozenset(("engineering", "data", "design", "product", "it", "research"))
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


@lru_cache(maxsize=65_536)
def read_title(text: str, *, language: Language | None = None) -> Title:
    """Normalise a title. `language` is a hint for words that mean different things in two languages."""
    clean = cleaned(text)
    readings = []
    for segment in segments(clean):
        words = _own_words(segment)
        if words:
            readings.append(_read_words(words, language))
    if not readings:
        return Title(" ".join(text.split()), None, None)
    main = _main(readings)
    department = _field(main, readings) or "other"
    level = _early(readings) or main.level or "professional"
    return Title(_tidy(main.words), _DEPARTMENT_OF[department], _OF_NAME[level])


def _main(readings: list[_Reading]) -> _Reading:
    """The job that the line is about."""
    known = [each for each in readings if each.known] or readings
    main = next((each for each in known if not each.side), known[0])
    if main.level is None or main.level == "senior":
        for each in known:
            if each.level in ("owner", "c_suite"):
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


def _own_words(segment: list[Word]) -> list[Word]:
    """The words of a segment that name a job: without employer, wishes and studies. [] for none."""
    plain = " ".join(word.plain for word in segment)
    wish = _PHRASES_OF_NOTHING.search(plain)
    if wish is not None:
        segment = segment[: len(plain[: wish.start()].split())]
    if segment and segment[0].plain in _FORMER:
        return []
    for at, word in enumerate(segment):
        if word.plain in _EMPLOYER_MARKS and at:
            segment = segment[:at]
            break
    segment = _without_company(segment)
    letters = [
        w.plain
        for w in segment
        if len(w.plain) > 1 and not w.plain.isdigit() and w.plain not in _SMALL_WORDS
    ]
    if not letters or all(w in _OUT_OF_WORK for w in letters):
        return []
    if any(w in _STUDENTS for w in letters) and not _has_level(segment):
        return []
    return segment


def _without_company(segment: list[Word]) -> list[Word]:
    """A segment without company names that show their legal form: up to three words before it."""
    for at in range(len(segment) - 1, 0, -1):
        if segment[at].plain not in _LEGAL_FORMS:
            continue
        start = at
        while start > 0 and at - start < 3 and not _stops_name(segment[start - 1]):
            start -= 1
        segment = [*segment[:start], *segment[at + 1 :]]
        break
    return segment


def _stops_name(word: Word) -> bool:
    if word.plain in (",", "/", "(", ")", ":", "of", "de", "der", "des", "der", "fur", "&", "la", "in"):
        return True
    known = parts(word.plain, levels())
    return any(part in levels().words for part in known)


def _has_level(segment: list[Word]) -> bool:
    tokens = [part for word in segment for part in parts(_looked_up(word), levels())]
    return any(term.level for _, _, term in levels().matches(tokens))


def _looked_up(word: Word) -> str:
    return _LOOKED_UP.get(word.plain, word.plain)


def _read_words(words: list[Word], language: Language | None) -> _Reading:
    looked_up = [_looked_up(word) for word in words]
    aided = _aided_from(looked_up)
    if aided is not None:
        looked_up = looked_up[:aided]
    table = levels()
    tokens = [part for word in looked_up for part in parts(word, table)]
    found = table.matches(tokens)
    department, weight = _department(looked_up)
    ranks = {
        term.level
        for start, end, term in found
        if term.level
        and not (term.level == "owner" and _owns_nothing(tokens, start, end, term, weight))
    }
    if tokens[0] == "staff" and department in _STAFF_LADDERS:
        ranks.add("senior")
    chief = _chief_officer(tokens)
    if chief:
        ranks.add("c_suite")
    if language == "de" and tokens == ["chef"]:
        ranks.add("owner")
    level = _highest(ranks)
    if level in ("owner", "c_suite"):
        department, weight = _department(looked_up, leads=True)
    side = level is None and any(word in _SIDE_ROLES for word in looked_up)
    return _Reading(words, department, weight, level, side)


def _owns_nothing(tokens: list[str], start: int, end: int, term: Term, weight: float) -> bool:
    """Whether a word of ownership says less here: "partner support", "Fotografin, selbständig"."""
    if tokens[end - 1] in ("partner", "partnerin", "partners"):
        followed = end < len(tokens) and tokens[end] not in _AFTER_PARTNER
        return followed or (start > 0 and tokens[start - 1] not in _BEFORE_PARTNER)
    return term.weight < _FIELD <= weight


def _highest(ranks: set[str]) -> str | None:
    """Internships and first jobs say so whatever else stands there; otherwise the highest rank."""
    for early in ("intern", "entry"):
        if early in ranks:
            return early
    return min(ranks, key=_RANK.__getitem__, default=None)


def _aided_from(words: list[str]) -> int | None:
    """Where the person begins whom an assistant assists: that rank is not the assistant's."""
    for at, word in enumerate(words[:-2]):
        if word in _AIDES and words[at + 1] in _AIDED:
            rest = [part for each in words[at + 2 :] for part in parts(each, levels())]
            if any(t.level and _RANK[t.level] <= _RANK["manager"] for *_, t in levels().matches(rest)):
                return at + 1
    return None


def _chief_officer(tokens: list[str]) -> bool:
    """Whether a "chief ... officer" stands there that no table knows, as "chief wellbeing officer"."""
    for at, token in enumerate(tokens):
        if token == "chief" and "officer" in tokens[at + 2 : at + _CHIEF_OFFICER]:
            between = tokens[at + 1 : at + _CHIEF_OFFICER]
            return "happiness" not in between and "fun" not in between
    return False


def _department(looked_up: list[str], *, leads: bool = False) -> tuple[str | None, float]:
    """The department that the words name, and with what weight."""
    table = terms()
    tokens = [part for word in looked_up for part in parts(word, table)]
    found = [each for each in table.matches(tokens) if each[2].department is not None]
    if not found:
        return None, 0
    if leads:
        led = _led_company(found, tokens)
        if led is not None:
            return led, _HEADS_COMPANY
    best: Term = max(found, key=lambda each: each[2].weight)[2]
    return best.department, best.weight


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
        if term.level == "c_suite" and term.weight > _HEADS_COMPANY:
            return term.department
    if len(whole) == 1:
        _, end, term = whole[0]
        behind = [each for each in found if each[0] >= end]
        if term.level == "c_suite" and behind and behind[0][0] == end and behind[-1][1] == len(tokens):
            return behind[0][2].department
    return "general_management"


def _without_case_noise(text: str) -> str:
    return " ".join(text.replace("|", " ").split())


def _tidy(words: list[Word]) -> str:
    """The title in its own words: short forms spelled out, shouting and whispering undone."""
    shouting = all(w.written.isupper() for w in words if w.written.isalpha())
    whispering = all(w.written.islower() for w in words if w.written.isalpha())
    long = sum(len(w.written) for w in words if w.written.isalpha()) > 5
    text = ""
    for at, word in enumerate(words):
        if word.written in (",", ")", ":"):
            text += word.written
            continue
        written = _SPELLED_OUT.get(word.plain) or _cased(
            word.written, shouting=shouting and long, whispering=whispering, first=at == 0
        )
        glued = text.endswith(("(", "/")) or word.written == "/" or not text
        text += written if glued else f"{word.glue or ' '}{written}"
    return text.strip(" ,:/&+")


_SMALL_WORDS = frozenset(
    "of and und et y de des du la le les der die das fur für for in en to zu zur d a al del a l im & + mit with"
    " von vom zum el los las au aux".split()
)
_INITIALS = frozenset(
    "it hr vp ceo cfo cto coo cmo cio ux ui qa r d pr seo sap crm erp bi ai ki ml rh dsi drh daf pdg dg ii iii"
    " ios hse qhse b2b b2c saas svp evp avp gf edv cnc kfz lkw api aws".split()
)


def _cased(word: str, *, shouting: bool, whispering: bool, first: bool) -> str:
    if not (shouting or whispering):
        return word
    plain = folded(word)
    if plain in _INITIALS:
        return word.upper()
    if plain in _SMALL_WORDS and not first:
        return word.lower()
    return word[:1].upper() + word[1:].lower()
