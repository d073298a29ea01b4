"""Checks that quotes appear in their document."""

import re

from sightline.domain.evidence import Observation, Parsed
from sightline.domain.fields import FIELDS

_SPACES = re.compile(r"\s+")


def prove(parsed: Parsed) -> tuple[list[Observation], int]:
    """The observations whose quote occurs in the text, white space aside, and how many do not."""
    text = _SPACES.sub(" ", parsed.text)
    proved = [
        each
        for each in parsed.observations
        if each.field in FIELDS
        and (each.quote is None or _SPACES.sub(" ", each.quote).strip() in text)
        and (each.quote or each.pointer)
    ]
    return proved, len(parsed.observations) - len(proved)
