"""Which words of a title name a job: not the employer, wishes, studies or what somebody once was."""

import re

from sightline.domain.tables import word_set
from sightline.domain.title_text import Word
from sightline.domain.title_words import levels, parts, terms

_SETS = "title_sets.toml"

_AFTER_FORMER = frozenset((",", "/", "(", "&"))
_JOB_NOUN = 2.5  # the weight of such nouns in title_terms.toml
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
    "gen": "general", "gral": "general", "secy": "secretary", "natl": "national", "govt": "government",
    "akad": "akademischer", "wiss": "wissenschaftlicher", "actg": "acting", "vors": "vorsitzender",
    "supt": "superintendent", "svc": "service", "supvr": "supervisor", "dtor": "director",
    "dtora": "directora",
    "vps": "vp", "ea": "assistant", "ingen": "ingenieur", "mng": "manager", "sw": "software",
    "gte": "gerente", "resp": "responsable",
}  # fmt: skip
_SHORT_ENDINGS = {
    "ltg": "leitung", "ltr": "leiter", "ltrin": "leiterin", "beauftr": "beauftragter",
    "sachb": "sachbearbeiter",
}  # fmt: skip
_SHORT_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ltg|ltrin|ltr|beauftr|sachb)$")
_EMPLOYER_MARKS = frozenset(("at", "@", "bei", "beim", "chez"))
_PHRASES_OF_NOTHING = re.compile(
    r"\b(?:(?:actively |currently |aktuell |derzeit |actuellement |actualmente )*"
    r"(?:look(?:ing)?|seeking|searching|open) (?:for |to |a |new |next )*"
    r"(?:a |an |the |my |new |next |exciting |fresh )*(?:job|work|opportunit\w*|challenge\w*|role\w*|"
    r"position\w*|employment|offers?|career|internship|jobs|projects?)\b.*"
    r"|(?:looking for|seeking|searching for) (?:\w+ ){1,4}(?:opportunit\w*|roles?|positions?)\b.*"
    r"|(?:job|opportunity|employment) (?:seeker|hunter|hunting|search)\w*"
    r"|(?:auf|in) (?:der )?(?:job|stellen|arbeits)?\s?suche\b.*|auf der suche\b.*|jobsuche\w*"
    r"|arbeits(?:suchend|los)\w*|offen fur neue\w*.*|suche (?:neue|eine|nach)\b.*|wechselwillig"
    r"|(?:en|a la) recherche (?:d|de|active|d une?|du)\b.*|recherche (?:un |une |active|d )?"
    r"(?:emploi|poste|stage|alternance|cdi|opportunit\w*|nouvel\w*).*|a l ecoute\b.*"
    r"|demandeu(?:r|se) d emploi|sans emploi|en (?:busca|busqueda)\b.*|buscando\b.*"
    r"|desemplead[oa]|en paro|unemployed|between jobs|disponible|available (?:now|for)\b.*"
    r"|open to work|opentowork|in transition|career break|elternzeit"
    r"|(?:on (?:a |an )?)?(?:sabbatical|(?:maternity|parental) leave)|conge (?:maternite|parental))"
)


def own_words(segment: list[Word]) -> list[Word]:
    """The words of a segment that name a job: without employer, wishes and studies. [] for none."""
    plain = " ".join(word.plain for word in segment)
    wish = _PHRASES_OF_NOTHING.search(plain)
    if wish is not None:
        segment = segment[: len(plain[: wish.start()].split())]
    past = word_set(_SETS, "former") | word_set(_SETS, "retired")
    if segment and segment[0].plain in past:
        segment = _today(segment)
    if any(word.plain in word_set(_SETS, "retired") for word in segment):
        return []
    for at, word in enumerate(segment):
        if word.plain in _EMPLOYER_MARKS and at:
            # "Student @ College, intern @ Firm"
            return own_words(segment[:at]) or _next_job(segment[at + 1 :])
    segment = _without_company(segment)
    letters = [
        w.plain
        for w in segment
        if len(w.plain) > 1
        and not w.plain.isdigit()
        and w.plain not in word_set(_SETS, "small_words")
        and w.plain not in _EMPLOYER_MARKS
    ]
    none = word_set(_SETS, "no_job")
    if not letters or (
        any(w in none for w in letters)
        and not _has_level(segment)
        and all(w in none or w in word_set(_SETS, "credentials") for w in letters)
    ):
        return []
    if any(w in word_set(_SETS, "students") for w in letters) and not _has_level(segment):
        return []
    return segment


def _today(segment: list[Word]) -> list[Word]:
    """What follows of somebody who was something: after a "now", or a job behind a comma."""
    for at, word in enumerate(segment):
        if word.plain in word_set(_SETS, "nowadays"):
            return segment[at + 1 :]
    for at, word in enumerate(segment):
        if word.plain in _AFTER_FORMER:
            rest = segment[at + 1 :]
            return rest if _has_level(rest) or _names_job(rest) else []
    return []


def _next_job(segment: list[Word]) -> list[Word]:
    """What stands behind the comma after an employer, if it names a job."""
    for at, word in enumerate(segment):
        if word.plain == ",":
            rest = segment[at + 1 :]
            return own_words(rest) if _names_job(rest) or _has_level(rest) else []
    return []


def _without_company(segment: list[Word]) -> list[Word]:
    """A segment without company names that show their legal form: up to three words before it."""
    for at in range(len(segment) - 1, 0, -1):
        if segment[at].plain not in word_set(_SETS, "legal_forms"):
            continue
        start = at
        while start > 0 and at - start < 3 and not _stops_name(segment[start - 1]):
            start -= 1
        segment = [*segment[:start], *segment[at + 1 :]]
        break
    return segment


def _stops_name(word: Word) -> bool:
    if word.plain in (
        ",",
        "/",
        "(",
        ")",
        ":",
        "of",
        "de",
        "der",
        "des",
        "der",
        "fur",
        "&",
        "la",
        "in",
    ):
        return True
    known = parts(word.plain, levels())
    return any(part in levels().words for part in known)


def _has_level(segment: list[Word]) -> bool:
    tokens = [part for word in segment for part in parts(looked_up(word), levels())]
    return any(term.level for _, _, term in levels().matches(tokens))


def _names_job(segment: list[Word]) -> bool:
    """Whether a noun stands there that names its job by itself."""
    table = terms()
    tokens = [part for word in segment for part in parts(looked_up(word), table)]
    return bool(segment) and (
        segment[0].plain in word_set(_SETS, "side_roles")
        or any(term.weight >= _JOB_NOUN for _, _, term in table.matches(tokens))
    )


def looked_up(word: Word) -> str:
    """A word as the tables have it: "asst" is an assistant, "Teamltg" a "teamleitung"."""
    known = _LOOKED_UP.get(word.plain)
    if known is None:
        return _SHORT_ENDING.sub(lambda m: _SHORT_ENDINGS[m.group()], word.plain)
    return known
