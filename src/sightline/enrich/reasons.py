"""Why no company was chosen, in a sentence that says how to ask again."""

import shlex
from collections.abc import Sequence

from sightline.enrich.likeness import Likeness
from sightline.match.model import shipped_weights
from sightline.sources.contract import Query

# scheme of a register's ids -> the source system that an external id of it is given with
SYSTEMS = {"cik": "sec_cik", "lei": "lei", "wikidata_id": "wikidata"}
_MOST_TOLD = 3  # candidates in a sentence


def why_none(
    query: Query, candidates: Sequence[Likeness], notes: Sequence[str], *, ambiguous: bool
) -> str:
    """Of an input that was taken for no company. `notes` are what went wrong while sources were asked."""
    if ambiguous:
        return _which_is_meant(query, candidates)
    wanted = (query.domain or query.name or "the company").removesuffix(".")
    if candidates and candidates[0].score >= shipped_weights().threshold:
        likeliest = told_apart(candidates[0]).removesuffix(".")
        unknown = f"No source clearly knows {wanted}. It may be {likeliest}. {_again(query, candidates[:1])}"
    else:
        unknown = f"No source knows {wanted}."
    return f"{unknown} {notes[0]}" if notes else unknown


def _which_is_meant(query: Query, candidates: Sequence[Likeness]) -> str:
    """The likeliest candidates by what tells them apart, and how to say which of them it is."""
    least = min(candidates[0].score, shipped_weights().threshold)
    best = [each for each in candidates[:_MOST_TOLD] if each.score >= least]
    choices = "; ".join(told_apart(each) for each in best)
    again = _again(query, best)
    if query.name or not query.domain:
        return f"Several companies match {query.name or 'it'}: {choices}. {again}"
    return f"No source knows {query.domain}. By its name alone it may be {choices}. {again}"


def _again(query: Query, best: Sequence[Likeness]) -> str:
    """How to say which of the candidates it is."""
    ways = [] if query.domain else ["its domain"]
    if any(each.company_id for each in best):
        ways.append("the company_id of a candidate as id")
    for scheme, system in SYSTEMS.items():
        if any(scheme in each.identifiers for each in best):
            ways.append(f'its external_id with source_system "{system}"')
            break
    sentence = f"Submit it again with {', or '.join(ways or ['its company_name'])}."
    command = _command(query, best)
    return f"{sentence} On the command line: {command}" if command else sentence


def _command(query: Query, best: Sequence[Likeness]) -> str:
    """What enriches the likeliest candidate that a register numbers; empty when none does."""
    asked = query.domain or query.name
    for scheme, system in SYSTEMS.items():
        value = next((c.identifiers[scheme] for c in best if scheme in c.identifiers), None)
        if asked and value:
            command = ("sightline", "enrich", asked, "--external-id", value)
            return shlex.join((*command, "--source-system", system))
    return ""


def told_apart(candidate: Likeness) -> str:
    """A candidate with what tells it from its namesakes."""
    known = [
        candidate.domain or "",
        ", ".join(filter(None, (candidate.city, candidate.country_code))),
        *(f"{scheme} {value}" for scheme, value in sorted(candidate.identifiers.items())),
    ]
    shown = ", ".join(filter(None, known)) or f"known to {', '.join(candidate.sources)}"
    return f"{candidate.name} ({shown})"
