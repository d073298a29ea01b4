"""Names of people in texts: whether a text is one, and its ordinary case.

Parting a name into given and family name is `domain.contacts.read_name`, whose tables this uses.
"""

import re
from typing import Final

from sightline.domain.contacts import PARTICLES, bare_name, without_title
from sightline.domain.names import fold
from sightline.reading.legal_forms import is_organization_name
from sightline.reading.months import ENGLISH
from sightline.reading.offices import OFFICE_WORD, is_office

MOST_WORDS: Final = 6
LONGEST: Final = 120  # characters; longer texts are sentences or malice
_WORD: Final = re.compile(r"['’]?[^\W\d_][^\W\d_'’.‑-]*(?:['’.‑-][^\W\d_'’.‑-]+)*\.?")
_GENERATIONS: Final = {"jr": "Jr.", "sr": "Sr.", "ii": "II", "iii": "III", "iv": "IV"}
_DEGREES: Final = {"md": "M.D.", "phd": "Ph.D."}
_NOTE: Final = re.compile(r"(?:\s*\(\d{1,2}\)|\s*[*†‡]+)+$")
_SHORTEST_NAME: Final = 4
_LONGEST_NAME: Final = 48
# Words that stand in headings, tables and addresses, and in no one's name. Offices and months are others.
_NO_NAME: Final = frozenset(
    """
    accounting act age all america and annual attorney-in-fact audit avenue award board business by
    california capacity city commission committee common company compensation corporate corporation
    current date dated delaware development directors division east exchange exhibit financial fiscal
    floor for form former global governance human independent international item legal long-term
    marketing members name new nominating nominee nominees non-executive none north occupation of
    officers operations other our part per performance plan position pursuant registrant report research
    resources retired road sales securities senior services share signature signatures since south states
    stock street suite table technology texas the title total united year
    """.split()
)
_MONTHS: Final = frozenset(map(str.lower, ENGLISH)) - {"april", "may", "june", "august"}
_PARTED: Final = re.compile(
    r"(.{4,48}?)\s*(?:\s[–—-]\s|,\s+(?!Jr|Sr|I{2,3}\b|IV\b)|:\s+)(.+)", re.DOTALL
)
_BEFORE_OFFICE: Final = frozenset(["Senior", "Executive", "Group", "Former"])


def name_words(text: str) -> tuple[str, ...]:
    """The words of a person's name, titles and degrees left out; () for what is not spelled as one.

    Only the spelling counts: "Vice President" passes, so callers know words that are in no name.
    """
    if len(text) > LONGEST or any(letter.isdigit() for letter in text):
        return ()
    words = tuple(bare_name(text).split())
    if not 2 <= len(words) <= MOST_WORDS:
        return ()
    for place, word in enumerate(words):
        if not _WORD.fullmatch(word):
            return ()
        is_particle = 0 < place < len(words) - 1 and word.lower() in PARTICLES
        if not word.lstrip("'’")[0].isupper() and not is_particle:
            return ()
    return words


def person_name(text: str) -> str | None:
    """A person's name in ordinary case, when a text is nothing but that; else None."""
    if len(text) > LONGEST:
        return None
    clean = _NOTE.sub("", " ".join(text.split()).strip(" ,;:*†‡|"))
    if not _SHORTEST_NAME <= len(clean) <= _LONGEST_NAME:
        return None
    words = name_words(clean)
    bare = [word.lower().strip(".") for word in words]
    full = sum(len(word) > 1 for word in bare)
    if full < 1 + (len(bare) < 3) or len(bare[-1]) < 2 or is_organization_name(" ".join(words)):
        return None
    if any(word in _NO_NAME or word in _MONTHS or OFFICE_WORD.fullmatch(word) for word in bare):
        return None
    return person_case(without_title(clean))


def split_name_and_office(text: str) -> tuple[str, str] | None:
    """("Ann Smith", "Chief Financial Officer") of "Ann Smith, Chief Financial Officer" or without comma."""
    parted = _PARTED.fullmatch(text)
    if parted and (name := person_name(parted[1])) and is_office(parted[2]):
        return name, parted[2]
    words = text.split(" ")
    for count in range(min(5, len(words) - 1), 1, -1):
        office = " ".join(words[count:])
        begins = words[count] in _BEFORE_OFFICE or OFFICE_WORD.match(words[count].lstrip("("))
        if begins and is_office(office) and (name := person_name(" ".join(words[:count]))):
            return name, office
    return None


def may_be_same(signed: str, printed: str) -> bool:
    """Whether a signature can be that of a printed name: the same last name, a like first one or its
    initial. Enough beside each other, too little anywhere else (`domain.same_person`)."""
    mine, its = (fold(bare_name(name)).split() for name in (signed, printed))
    if not mine or not its or mine[-1] != its[-1]:
        return False
    return mine[0][0] == its[0][0] or bool(set(mine[:-1]) & set(its[:-1]))


def person_case(name: str) -> str:
    """A person's name in ordinary case: "JOHN O'NEIL-SMITH JR" becomes "John O'Neil-Smith Jr."."""
    spelled = name.replace("Mc", "MC").replace("Mac", "MAC")
    if spelled.upper() != spelled:
        return name
    return " ".join(ending_of(word) or word_case(word) for word in name.split())


def ending_of(word: str) -> str | None:
    """The usual spelling of a word that ends names: "JR." gives "Jr.", "phd" "Ph.D."."""
    bare = word.lower().strip(".,")
    return _GENERATIONS.get(bare) or _DEGREES.get(bare)


def word_case(word: str) -> str:
    """One word of a name in ordinary case; initials have their stop."""
    if word[:2] == "Mc":
        word = word.upper()
    if word.upper() != word or len(word.strip(".")) == 1:
        return word + "." if len(word) == 1 and word.isalpha() else word
    if word.count(".") > 1:  # "J.P."
        return word
    titled = re.sub(r"[^\W\d_]+", lambda part: part[0].capitalize(), word)
    return titled[:2] + titled[2:3].upper() + titled[3:] if titled[:2] == "Mc" else titled
