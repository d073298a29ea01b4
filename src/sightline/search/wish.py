"""What a request is after besides its words: "hiring data engineers" wants postings on data engineers,
though no posting says "hiring"."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sightline.search.candidates import SourceKind

_EVENTS = (
    r"(?:freezes?|slow\w*|surges?|trends?|plans?|pace|cuts?|loss(?:es)?|spree|outlook|momentum)"
)
_KINDS: Final[tuple[tuple[SourceKind, re.Pattern[str]], ...]] = (
    (
        "job",
        re.compile(
            rf"\b(?:(?:open|current|active|available|vacant) )?(?:jobs?|roles|positions|openings|"
            rf"vacanc(?:y|ies)|job (?:openings?|postings?|ads?|offers?)|postings)(?! {_EVENTS})\b|"
            rf"\b(?:hiring|recruiting)(?: for)?(?! {_EVENTS})\b|\bopen (?=[\w ]{{3,40}} (?:jobs?|roles|"
            rf"positions)\b)",
            re.I,
        ),
    ),
    (
        "technology",
        re.compile(
            r"\btech(?:nology)? stack\b|\btechnologies(?: used| in use| (?:do )?they use)?\b|"
            r"\b(?:software|tools) (?:used|in use|(?:do )?they use)\b",
            re.I,
        ),
    ),
    (
        "insight",
        re.compile(
            r"\bwho(?:['’]s| is| are)(?: (?:the|their|its|currently)\b)*(?=[\w ,&-]*\b(?:c[a-z]{1,2}o|chief|"
            r"president|head|vp|chair\w*|founders?|director|(?:general )?counsel|treasurer)\b)",
            re.I,
        ),
    ),
)

_OR = re.compile(r",|/|\b(?:and|or)\b", re.I)
MOST_PARTS = 2


@dataclass(frozen=True, slots=True)
class Wish:
    """The words to search for, and the kind of things that they are sought among first, if one."""

    text: str
    kind: SourceKind | None

    @property
    def texts(self) -> tuple[str, ...]:
        """The words as a whole, and of a wish for a kind each alternative: the title of a posting or the
        name of a technology says one of them alone."""
        parts = [part.strip() for part in _OR.split(self.text) if part.strip()] if self.kind else []
        return (self.text, *parts[:MOST_PARTS]) if len(parts) > 1 else (self.text,)


def read_wish(text: str, held: Collection[SourceKind]) -> Wish:
    """Only what is `held` can be wished for: without postings, "hiring" is a word like others."""
    for kind, words in _KINDS:
        if kind in held and words.search(text):
            return Wish(" ".join(words.sub(" ", text).split()), kind)
    return Wish(text, None)
