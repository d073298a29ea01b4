"""How a company speaks of itself, and sentences about it as it would say them."""

import re
from typing import Final

_SHORTEST_FIRST_WORD: Final = 3
_LONGEST_SUBJECT: Final = 60
# "Acme Corp. (“Acme,” the “Company”)": how a company says what it calls itself.
_DEFINED = re.compile(r"\s*\([^()]*[“”\"][^()]*\)")
_VERBS: Final = (
    "plan|intend|aim|seek|continue|expect|offer|provide|operate|sell|make|design|develop|manufacture"
    "|build|deliver|serve|use|invest|focuse?|believe|generate|derive|earn|license|charge|lease|distribute"
    "|market|help|enable|own|run|employ|work|compete|face|depend|strive|want|hope|support|create|produce"
    "|supplie|manage|maintain|expand|grow|launche?|introduce|embed|leverage|deploy|integrate|connect"
    "|combine|bring|give|see|target|remain|anticipate|project|commit|need|set"
)


def in_first_person(text: str, name: str, *, language: str = "en") -> str:
    """A sentence that begins with the company's name as the company would say it: "Larkspur plans to"
    as "We plan to", in other languages as "§ plant". Cues are written for these forms."""
    first = re.split(r"[\s,.]+", name.strip())[0]
    if (
        len(first) < _SHORTEST_FIRST_WORD
        or first.casefold() not in text[:_LONGEST_SUBJECT].casefold()
    ):
        return text
    plain = _DEFINED.sub("", text)
    found = re.match(
        rf"(?i:the )?(?i:{re.escape(first)})\S*(?: [A-Z]\S*){{0,4}}(?<![’']s)"
        rf"(?: (?:also|now|currently))? (?:(?P<be>is|has)|(?P<verb>{_VERBS})s)\b(?! (?:is|are"
        rf"|was|were|and|or|of)\b)",
        plain[: _LONGEST_SUBJECT + 20],
    )
    if found is not None:
        verb = found["verb"] or {"is": "are", "has": "have"}[found["be"]]
        return f"We {verb}{plain[found.end() :]}"
    if language == "en":
        return text
    return re.sub(
        rf"^(?:(?:Die|Der|Das|La|Le|El"
        rf"|L[’'])\s?)?(?i:{re.escape(first)})\S*(?: [A-ZÀ-Ý]\S*){{0,4}}(?= [a-zà-ÿ])",
        "§",
        plain,
    )


def speaks_of(name: str) -> re.Pattern[str]:
    """How a text speaks of the company: "we", "our", its name."""
    first = re.split(r"[\s,.]+", name.strip())[0]
    named = f"|{re.escape(first)}" if len(first) >= _SHORTEST_FIRST_WORD else ""
    ours = "we|our|us|the company|wir|uns|unser\\w*|nous|notre|nos|nosotros|nuestr\\w+|\\w+[aei]mos"
    return re.compile(rf"(?<!\w)(?:{ours}{named})(?!\w)", re.I)
