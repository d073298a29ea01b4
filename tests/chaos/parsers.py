"""Parsers that are slow, lie or flood; they run in the parser processes of a worker."""

import random
import time

from sightline.domain.evidence import Body, Observation, Parsed, Passage

_LONGEST_SECONDS = 0.15  # in which the parser may be killed
_FLOOD = 400  # passages of one document


def parse_slowly(body: Body) -> Parsed:
    """Text alone, after a moment."""
    time.sleep(random.uniform(0, _LONGEST_SECONDS))
    text = body.content.decode()
    return Parsed(kind="page", text=text, passages=(Passage(0, len(text), "home"),))


def parse_lies(body: Body) -> Parsed:
    """Values whose quotes stand nowhere in the document."""
    lies = [
        Observation(name, value, "text", 1.0, quote=f"It surely has {value}.")
        for name, value in (("employees", 999_999), ("hq_city", "Nowhere"), ("company_name", "Lie"))
    ]
    return Parsed(kind="page", text=body.content.decode(), observations=tuple(lies))


def parse_flood(body: Body) -> Parsed:
    """Far more passages than any page has."""
    lines = [f"Line {n} of a flood: {body.url}\n" for n in range(_FLOOD)]
    ends = [sum(map(len, lines[: n + 1])) for n in range(_FLOOD)]
    passages = [
        Passage(end - len(line), end - 1, "home") for line, end in zip(lines, ends, strict=True)
    ]
    return Parsed(kind="page", text="".join(lines), passages=tuple(passages))
