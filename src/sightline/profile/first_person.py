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

# "The Bank accepts", "The Partnership leases": a capital letter tells that the writer is meant.
_ITSELF: Final = (
    r"The (?:Corporation|Partnership|Bank|Trust|Fund|Group|Firm|Registrant|Association)"
)
_THIRD: Final = re.compile(rf"({_VERBS})s\b", re.I)
_ES: Final = re.compile(r"(?:focus|launch)e$", re.I)


def in_first_person(text: str, name: str, *, language: str = "en") -> str:
    """A sentence that begins with the company's name as the company would say it: "Larkspur plans to"
    as "We plan to", in other languages as "§ plant". Cues are written for these forms."""
    first = re.split(r"[\s,.]+", name.strip())[0]
    named = (
        len(first) >= _SHORTEST_FIRST_WORD
        and first.casefold() in text[:_LONGEST_SUBJECT].casefold()
    )
    if not named and not text.startswith("The "):
        return text
    plain = _DEFINED.sub("", text)
    subject = rf"(?i:the )?(?i:{re.escape(first)})\S*(?: [A-Z]\S*){{0,4}}" if named else _ITSELF
    found = re.match(
        rf"{subject}(?<![’']s)"
        rf"(?: (?:also|now|currently))? (?:(?P<be>is|has)|(?P<will>will)|(?P<verb>{_VERBS})s)\b(?! (?:is|are"
        rf"|was|were|and|or|of)\b)",
        plain[: _LONGEST_SUBJECT + 20],
    )
    if found is not None:
        verb = found["verb"] or found["will"] or {"is": "are", "has": "have"}[found["be"]]
        return f"We {verb}{plain[found.end() :]}"
    if language == "en" or not named:
        return text
    return re.sub(
        rf"^(?:(?:Die|Der|Das|La|Le|El"
        rf"|L[’'])\s?)?(?i:{re.escape(first)})\S*(?: [A-ZÀ-Ý]\S*){{0,4}}(?= [a-zà-ÿ])",
        "§",
        plain,
    )


def imperative(text: str) -> str:
    """A clause that begins with a verb in the third person as a title has it: "Sells to" as "Sell to"."""
    found = _THIRD.match(text)
    if found is None:
        return text
    verb = found[1]
    verb = (
        f"{verb[:-1]}y"
        if verb.endswith("ie")
        else verb.removesuffix("e")
        if _ES.search(verb)
        else verb
    )
    return verb + text[found.end() :]


def speaks_of(name: str) -> re.Pattern[str]:
    """How a text speaks of the company: "we", "our", its name."""
    first = re.split(r"[\s,.]+", name.strip())[0]
    is_name = len(first) >= _SHORTEST_FIRST_WORD or any(map(str.isdigit, first))  # "3M"
    named = f"|{re.escape(first)}" if is_name else ""
    ours = "we|our|us|the company|wir|uns|unser\\w*|nous|notre|nos|nosotros|nuestr\\w+|\\w+[aei]mos"
    return re.compile(rf"(?<!\w)(?:{ours}{named})(?!\w)", re.I)
