"""Which words of a title name a job: not the employer, wishes, studies or what somebody once was."""

import re

from sightline.domain.tables import word_set
from sightline.domain.title_text import Word
from sightline.domain.title_words import levels, parts

_SETS = "title_sets.toml"

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
    "vps": "vp", "ea": "assistant", "ingen": "ingenieur", "mng": "manager", "sw": "software",
}  # fmt: skip
_EMPLOYER_MARKS = frozenset(("at", "@", "bei", "beim", "chez"))
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


def own_words(segment: list[Word]) -> list[Word]:
    """The words of a segment that name a job: without employer, wishes and studies. [] for none."""
    plain = " ".join(word.plain for word in segment)
    wish = _PHRASES_OF_NOTHING.search(plain)
    if wish is not None:
        segment = segment[: len(plain[: wish.start()].split())]
    if segment and segment[0].plain in word_set(_SETS, "former"):
        today = (i for i, w in enumerate(segment) if w.plain in word_set(_SETS, "nowadays"))
        segment = segment[next(today, len(segment)) + 1 :]
    for at, word in enumerate(segment):
        if word.plain in _EMPLOYER_MARKS and at:
            segment = segment[:at]
            break
    segment = _without_company(segment)
    letters = [
        w.plain
        for w in segment
        if len(w.plain) > 1
        and not w.plain.isdigit()
        and w.plain not in word_set(_SETS, "small_words")
        and w.plain not in _EMPLOYER_MARKS
    ]
    if not letters or all(w in word_set(_SETS, "no_job") for w in letters):
        return []
    if any(w in word_set(_SETS, "students") for w in letters) and not _has_level(segment):
        return []
    return segment


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


def looked_up(word: Word) -> str:
    return _LOOKED_UP.get(word.plain, word.plain)
