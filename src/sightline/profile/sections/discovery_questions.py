"""Discovery questions: what to ask, about what the company has said."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from sightline.profile.composing import (
    composed,
    is_own_offer,
    keywords_in,
    persona_for,
    ranked,
    rows_of,
    said,
    troubles,
)
from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.names import is_title
from sightline.profile.seller import Seller

_MOST_OF_A_KIND: Final = 2
_LONGEST_QUOTE: Final = 200  # characters
_FIRST = re.compile(r"^.+?[a-z)\d”\"][.!?](?= [A-Z“\"]|$)", re.S)
# Of what: the first and the second question of a kind, about a title and about a whole sentence.
_ASKS: Final = (
    (
        "aims",
        (
            "How far have you come with “{it}”, and what slows it down?",
            "What has to happen this year for “{it}” to succeed?",
        ),
        (
            "You write: “{it}” How far have you come, and what slows it down?",
            "You write: “{it}” What has to happen this year for that to succeed?",
        ),
    ),
    (
        "digital_strategies",
        (
            "Who owns “{it}”, and how do you decide what comes next?",
            "What would “{it}” have to bring for you to call it a success?",
        ),
        (
            "You write: “{it}” Who owns this, and how do you decide what comes next?",
            "You write: “{it}” What would tell you that it pays off?",
        ),
    ),
    (
        "goals",
        (
            "What has to be true for you to reach “{it}”?",
            "How do you measure today how far you are from “{it}”?",
        ),
        (
            "You write: “{it}” What has to be true for you to get there?",
            "You write: “{it}” How do you measure today how far you are from it?",
        ),
    ),
    (
        "troubles",
        (
            "How do you deal today with “{it}”?",
            "What would it cost you if nothing changed about “{it}”?",
        ),
        (
            "Your filings say: “{it}” How do you deal with that today?",
            "Your filings say: “{it}” What would it cost you if nothing changed?",
        ),
    ),
)


# The same where an offering is called for by its keyword `key`, about a title and about a sentence.
_ASKS_OF: Final = {
    "aims": "On {key}: how far have you come with “{it}”, and what slows you down?",
    "digital_strategies": "On {key}: who decides about “{it}”, and how do you tell that it pays off?",
    "goals": "On {key}: what would have to change for you to reach “{it}”?",
    "troubles": "On {key}: how do you deal today with “{it}”, and what has it cost you so far?",
}
_ASKS_OF_SENTENCES: Final = {
    "aims": "You write: “{it}” On {key}, how far have you come, and what slows you down?",
    "digital_strategies": "You write: “{it}” On {key}, who decides, and how do you tell that it pays off?",
    "goals": "You write: “{it}” On {key}, what would have to change for you to get there?",
    "troubles": "Your filings say: “{it}” On {key}, how do you deal with that, and what has it cost you?",
}


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    """Questions to ask, each about something the company has said."""
    del evidence
    pools = {
        "aims": rows_of(built, "strategic_priorities"),
        "digital_strategies": [
            row for row in rows_of(built, "digital_strategies") if not is_own_offer(row)
        ],
        "goals": rows_of(built, "goals"),
        "troubles": troubles(built),
    }
    found: list[Statement] = []
    for kind, of_titles, of_sentences in _ASKS:
        rows = ranked([row for row in pools[kind] if row.get("name")], seller)
        if kind == "troubles" and seller.is_set:  # a risk that one sells nothing for is no opening
            rows = [pair for pair in rows if pair[1] is not None]
        asks = zip(of_titles, of_sentences, strict=True)
        for (row, offering), frames in zip(rows[:_MOST_OF_A_KIND], asks, strict=False):
            question = _question(row, *frames)
            keys = keywords_in(offering, row) if offering is not None else []
            if keys and not any(f"On {keys[0]}" in each["name"] for each in found):
                of_key = (_ASKS_OF[kind], _ASKS_OF_SENTENCES[kind])
                question = _question(row, *(f.replace("{key}", keys[0]) for f in of_key))
            asked = composed(question, said(row), row, about=row["name"])
            if persona := persona_for(seller, row, offering):
                asked["ask"] = persona
            if offering is not None:
                asked["offering"] = offering.name
            found.append(asked)
    return found


def _question(row: Statement, of_title: str, of_sentence: str) -> str:
    """The question: of a title by its name, of anything else by the sentence that it is taken from."""
    name = str(row["name"])
    first = _FIRST.match(said(row))
    if is_title(name) or first is None or len(first[0]) > _LONGEST_QUOTE:
        return of_title.format(it=name)
    return of_sentence.format(it=first[0])
