"""Splits a job title into segments of words, without gender marks and emojis, and writes it tidily."""

import re
import unicodedata
from typing import NamedTuple

from sightline.domain.tables import toml_table, word_set

_SETS = "title_sets.toml"


class Word(NamedTuple):
    """A word as written and as the tables have it ("asst" is "assistant"), or a separator ("&", "/", ",",
    "(", ")").

    `glue` is the hyphen or apostrophe that joins it to the word before.
    """

    written: str
    plain: str
    glue: str = ""


# "(m/w/d)", "m|f|x", "(all genders)", "H/F": who may apply, nothing about the job.
_GENDERS = re.compile(
    r"[(\[]\s*(?:[mwfdxhiagn]|div|all|gn)(?:\s*[/|,*:.\-]\s*(?:[mwfdxhian*]|div|gn|i|all))+\s*[)\]]"
    r"|[(\[]\s*(?:all genders?|gn|alle|any gender|divers|d|remote|hybrid)\s*[)\]]"
    r"|\b[mwfh]\s?[/|]\s?[mwfhd](?:\s?[/|]\s?[dxi])?\b(?![a-z])",
    re.IGNORECASE,
)
# "Ingenieur:in", "Leiter*innen", "Directeur·rice", "chargé(e)", "ingeniero/a", "Entwickler/-in"; not "A/R".
_GENDER_ENDINGS = re.compile(
    r"(?<=[a-zäöüßéèñ]{3})(?:"
    r"\s?[/(*:_·•\-–]-?(?:innen|inne?n?|in|frau|euse|rice|trice|ice|ère|ière|ienne|enne|ne|ive|elle)\)?"
    r"|[/(*:·•@]-?(?:a|as|o|e|es|r|n|s|er|ra|ora)\)?"
    r"|\.(?:e|es|rice|trice|ne|ive)(?:\.s)?)(?![a-zäöüßéèñ])",
    re.IGNORECASE,
)
_INNER_CAPITAL = re.compile(r"(?<=[a-zäöü])In(?:nen)?\b")  # "MitarbeiterIn"
_CONTRACTED = re.compile(r"(?<=[a-z])['’`´](?=[tlynr]\b)")  # "Ass't", "Int'l", "Gov't", "Sec'y"
_DOTTED = re.compile(r"\b(?:[A-Za-z]\.){2,}[A-Za-z]?\b\.?|\b(?:[A-Za-z]\.){2,}")
_TOKENS = re.compile(r"[^\W_]+(?:\+\+|#)?|[&/,()|•·;\n@–—:+']|-{1,2}|\.", re.UNICODE)
_BREAKS = frozenset("|•·;\n–—")
_JOINS = frozenset(("&", "and", "und", "et", "y", "+"))
_SPACED_DASH = re.compile(r"\s+[-–—]+\s*|\s*[-–—]+\s+|\s*//+\s*|\s*>+\s*|\s+~\s+|[\[\]{}]")
_LIGATURES = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "’": "'"})
# "Bürgermeister a. D.", "Lehrer i.R.", "Colonel (Ret.)": out of service.
_OUT_OF_SERVICE = re.compile(
    r"\b(?:a\.\s?D\.|i\.\s?R\.)(?!\w)|\((?:[Rr]et\.?|[Rr]etd\.?|e\.\s?r\.)\)"
)
_APOSTROPHES = str.maketrans("’`´", "'''")
# Of a rank these are the field it is over ("VP Eng"), of others the job ("Sr Eng").
_FIELD_OR_JOB = {"eng": ("Engineering", "Engineer")}
_OVER_A_FIELD = frozenset(("c_suite", "vp", "director", "head", "manager"))
_LETTER_PAIR = re.compile(r"\b([A-Z]) & ([A-Z])\b")

MAX_TITLE = 400  # characters; profiles allow 220
MAX_WORDS = 60


def folded(text: str) -> str:
    """Lower case, without accents and umlauts."""
    if text.isascii():
        return text.lower()
    opened = unicodedata.normalize("NFKD", text.lower().translate(_LIGATURES))
    return "".join(c for c in opened if not unicodedata.combining(c))


def cleaned(text: str) -> str:
    """The title on one line, without emojis, marks of gender and dots of abbreviations."""
    text = unicodedata.normalize("NFKC", text[: 4 * MAX_TITLE])[:MAX_TITLE]
    if not text.isascii():
        text = "".join(
            " | " if unicodedata.category(c) in ("So", "Sk") else c
            for c in text
            if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn", "Mn", "Me") or c == "\u0301"
        )
    text = _OUT_OF_SERVICE.sub(" Ruhestand", _CONTRACTED.sub("", text))
    text = _INNER_CAPITAL.sub("", _GENDER_ENDINGS.sub("", _GENDERS.sub(" ", text)))
    return _DOTTED.sub(lambda match: match.group().replace(".", "") + " ", text).strip()


def segments(text: str) -> list[list[Word]]:
    """The parts of a cleaned title that strong separators (bars, spaced dashes, bullets) part."""
    text = _SPACED_DASH.sub("\n", text)
    text = text.translate(_APOSTROPHES)
    short_forms: dict[str, str] = toml_table(_SETS)["looked_up"]
    found: list[list[Word]] = [[]]
    glue = ""
    for token in _TOKENS.findall(text):
        if token in _BREAKS:
            found.append([])
        elif token in ("-", "'"):
            glue = token
            continue
        elif token not in ("--", "."):
            plain = folded(token)
            known = "&" if plain in _JOINS else short_forms.get(plain, plain)
            found[-1].append(Word(token, known, glue))
        glue = ""
    return [part[:MAX_WORDS] for part in found if part]


def tidy(words: list[Word], level: str | None) -> str:
    """The title in its own words: short forms spelled out, shouting and whispering undone. `level` is
    that of the title."""
    letters = [word.written for word in words if word.written.isalpha()]
    shouting = all(map(str.isupper, letters)) and sum(map(len, letters)) > 5
    recased = shouting or all(map(str.islower, letters))
    text = ""
    for at, word in enumerate(words):
        if word.written in (",", ")", ":"):
            text += word.written
            continue
        written = _spelled_out(folded(word.written), level) or (
            _cased(word.written, first=at == 0) if recased else word.written
        )
        glued = text.endswith(("(", "/")) or word.written == "/" or not text
        text += written if glued else f"{word.glue or ' '}{written}"
    return _LETTER_PAIR.sub(r"\1&\2", text).strip(" ,:/&+")


def _spelled_out(word: str, level: str | None) -> str | None:
    if word in _FIELD_OR_JOB:
        return _FIELD_OR_JOB[word][level not in _OVER_A_FIELD]
    spelled: str | None = toml_table(_SETS)["spelled_out"].get(word)
    return spelled


def _cased(word: str, *, first: bool) -> str:
    plain = folded(word)
    if plain in word_set(_SETS, "initials"):
        return word.upper()
    if plain in word_set(_SETS, "small_words") and not first:
        return word.lower()
    return word[:1].upper() + word[1:].lower()
