"""Titles of officers and directors: which words make one, how they are written."""

import re

_ABBREVIATIONS = (
    (re.compile(r"\bExec\.?\s+(?=V)", re.IGNORECASE), "Executive "),
    (re.compile(r"\bS\.?V\.?P\.?(?![\w.])"), "Senior Vice President"),
    (re.compile(r"\bE\.?V\.?P\.?(?![\w.])"), "Executive Vice President"),
    (re.compile(r"\b(?:Sr\.?|Senior)\s+(?:VP|V\.P\.)", re.IGNORECASE), "Senior Vice President"),
    (re.compile(r"\bV\.?P\.?(?![\w.])"), "Vice President"),
    (re.compile(r"\bGC\b"), "General Counsel"),
    (re.compile(r"\bSr\.?\s+(?=Vice)", re.IGNORECASE), "Senior "),
)
_SMALL = frozenset({"and", "of", "the", "for", "to", "in", "&", "at"})
_ACRONYMS = frozenset(
    {
        "ceo",
        "cfo",
        "coo",
        "cto",
        "cio",
        "cao",
        "clo",
        "cmo",
        "cpo",
        "chro",
        "cso",
        "cro",
        "it",
        "us",
    }
    | {"usa", "uk", "emea", "apac", "hr", "r&d", "evp", "svp", "vp", "gm", "ai", "na", "eu", "ip"}
)
_CHIEF_EXECUTIVE = re.compile(
    r"\bchief\s+executive(?:\s+officer)?\b|\bC\.?E\.?O\.?(?!\w)|\bprincipal\s+executive\s+officer\b",
    re.IGNORECASE,
)
_NOT_CHIEF_EXECUTIVE = re.compile(
    r"\b(?:former|retired|deputy|assistant|advis[eo]r\s+to|office\s+of)\b|\bto\s+the\s+(?:chief|ceo)"
    r"|\b(?:ceo|chief\s+executive(?:\s+officer)?)\s*(?:,|\bof\b|[-–—])\s*(?!and\b|&|president\b"
    r"|chair|director"
    r"|the\s+company|(?:interim|acting)\b|co-?founder|founder|principal|member|treasurer|chief"
    r"|secretary"
    r"|executive|vice|cfo|ceo)\w|\bceo\s+(?!and\b|&|\(|for\s+life)\w",
    re.IGNORECASE,
)
TITLE_WORD = re.compile(
    r"\b(?:chief|president|vice|officer|director|chair(?:man|woman|person)?|treasurer|secretary|counsel"
    r"|controller|comptroller|ceo|cfo|coo|cto|cio|c\.e\.o|manager|head|partner|trustee|member|founder"
    r"|co-founder|executive|general|svp|evp|vp|principal|attorney|representative)\b",
    re.IGNORECASE,
)


def tidy_title(title: str) -> str:
    """A title with one space between words, abbreviations written out, and no shouting."""
    clean = " ".join(title.split()).strip(" ,;:*|-–—")
    if (len(clean) > 6 and clean.isupper()) or clean.islower():
        clean = " ".join(_word(word, index) for index, word in enumerate(clean.split(" ")))
    for pattern, written in _ABBREVIATIONS:
        clean = pattern.sub(written, clean)
    return " ".join(clean.split())


def is_chief_executive(title: str) -> bool:
    """Whether a title is that of the whole company's chief executive, acting and co-chiefs included.

    "CEO, Europe" and "Chief Executive Officer of Bank North" lead a part of it.
    """
    return bool(_CHIEF_EXECUTIVE.search(title)) and not _NOT_CHIEF_EXECUTIVE.search(title)


def _word(word: str, index: int) -> str:
    bare = word.lower().strip(",.;()")
    if bare in _ACRONYMS:
        return word.upper()
    if bare in _SMALL and index:
        return word.lower()
    return re.sub(r"[^\W\d_]+(?:['’][^\W\d_]+)?", lambda part: part[0].capitalize(), word)
