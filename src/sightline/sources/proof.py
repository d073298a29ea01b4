"""Checks that quotes appear in their document."""

from sightline.domain.evidence import Observation, Parsed
from sightline.domain.fields import FIELDS


def prove(parsed: Parsed) -> tuple[list[Observation], int]:
    """The observations whose quote occurs in the text, white space aside, and how many do not."""
    text = " ".join(parsed.text.split())
    proved = [
        each
        for each in parsed.observations
        if each.field in FIELDS
        and (each.quote is None or " ".join(each.quote.split()) in text)
        and (each.quote or each.pointer)
    ]
    return proved, len(parsed.observations) - len(proved)
