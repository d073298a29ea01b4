"""Names of people as texts spell them: is a text one, and how is it written in ordinary case.

Parting a name into given and family name is `domain.contacts.read_name`, whose tables this uses.
"""

import re
from typing import Final

from sightline.domain.contacts import PARTICLES, bare_name

MOST_WORDS: Final = 6
LONGEST: Final = 120  # characters; longer texts are sentences or malice
_WORD: Final = re.compile(r"['’]?[^\W\d_][^\W\d_'’.‑-]*(?:['’.‑-][^\W\d_'’.‑-]+)*\.?")
_GENERATIONS: Final = {"jr": "Jr.", "sr": "Sr.", "ii": "II", "iii": "III", "iv": "IV"}
_DEGREES: Final = {"md": "M.D.", "phd": "Ph.D."}
_MC: Final = re.compile(r"\b(?:Mc|Mac)(?=[A-Z])")


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


def person_case(name: str) -> str:
    """A person's name in ordinary case: "JOHN O'NEIL-SMITH JR" becomes "John O'Neil-Smith Jr."."""
    spelled = _MC.sub("MC", name)
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
    return re.sub(r"^Mc(\w)", lambda found: "Mc" + found[1].upper(), titled)
