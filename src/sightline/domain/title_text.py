"""Splits a job title into segments of words, without gender marks, emojis and employers."""

import re
import unicodedata
from typing import NamedTuple


class Word(NamedTuple):
    """A word as written and as it is looked up, or a separator ("&", "/", ",", "(", ")").

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
# "Ingenieur:in", "Leiter*innen", "Directeur·rice", "chargé(e)", "ingeniero/a", "Entwickler/-in".
_GENDER_ENDINGS = re.compile(
    r"(?<=[a-zäöüßéèñ])(?:"
    r"\s?[/(*:_·•\-–]-?(?:innen|inne?n?|in|frau|euse|rice|trice|ice|ère|ière|ienne|enne|ne|ive|elle)\)?"
    r"|[/(*:·•@]-?(?:a|as|o|e|es|r|n|s|er|ra|ora)\)?"
    r"|\.(?:e|es|rice|trice|ne|ive)(?:\.s)?)(?![a-zäöüßéèñ])",
    re.IGNORECASE,
)
_INNER_CAPITAL = re.compile(r"(?<=[a-zäöü])In(?:nen)?\b")  # "MitarbeiterIn"
_DOTTED = re.compile(r"\b(?:[A-Za-z]\.){2,}[A-Za-z]?\b\.?|\b(?:[A-Za-z]\.){2,}")
_TOKENS = re.compile(r"[^\W_]+(?:\+\+|#)?|[&/,()|•·;\n@–—:+']|-{1,2}|\.", re.UNICODE)
_BREAKS = frozenset("|•·;\n–—")
_JOINS = frozenset(("&", "and", "und", "et", "y", "+"))
_SPACED_DASH = re.compile(r"\s+[-–—]+\s*|\s*[-–—]+\s+|\s*//+\s*|\s*>+\s*|\s+~\s+|[\[\]{}]")
_LIGATURES = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "’": "'"})
# "Ass't", "Int'l", "Gov't", "Sec'y".
_CONTRACTED = re.compile(
    r"\b(ass|dep|gov|int|nat|sec|prof|reg|comm)['’`´](t|l|y|n|r)\b", re.IGNORECASE
)
# "Bürgermeister a. D.", "Lehrer i.R.", "Colonel (Ret.)": out of service.
_OUT_OF_SERVICE = re.compile(
    r"\b(?:a\.\s?D\.|i\.\s?R\.)(?!\w)|\((?:[Rr]et\.?|[Rr]etd\.?|e\.\s?r\.)\)"
)
_APOSTROPHES = str.maketrans("’`´", "'''")


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
    text = _CONTRACTED.sub(r"\1\2", text)
    text = _OUT_OF_SERVICE.sub(" Ruhestand", text)
    text = _GENDERS.sub(" ", text)
    text = _GENDER_ENDINGS.sub("", text)
    text = _INNER_CAPITAL.sub("", text)
    return _DOTTED.sub(lambda match: match.group().replace(".", "") + " ", text).strip()


def segments(text: str) -> list[list[Word]]:
    """The parts of a cleaned title that strong separators (bars, spaced dashes, bullets) part."""
    text = _SPACED_DASH.sub("\n", text)
    text = text.translate(_APOSTROPHES)
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
            found[-1].append(Word(token, "&" if plain in _JOINS else plain, glue))
        glue = ""
    return [part[:MAX_WORDS] for part in found if part]
