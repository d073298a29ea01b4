"""Typed look-ups: one answer from stored facts, figures, postings and signals, in a fixed sentence.

The topics of `data/topics.toml` name them, with what they look up and the sentence. A look-up answers None
where nothing is stored for it; then the documents are quoted instead.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from sightline.assistant.company_evidence import Asked, stored_sources
from sightline.assistant.contract import Draft, Source, Statement, Sufficiency
from sightline.assistant.lookups_activity import postings, signals
from sightline.assistant.lookups_figures import figure, parts
from sightline.assistant.routing import plain_terms
from sightline.assistant.tools.accounts import known_people
from sightline.reading.stated import normalized
from sightline.reading.terms import terms

LookUp = Callable[..., Awaitable[Draft | None]]

_MOST_NAMES: Final = 10
_MOST_HOLDERS: Final = 2
_MOST_QUOTES: Final = 3


async def role(asked: Asked, *, titles: Sequence[str] = ()) -> Draft | None:
    """Who holds an office today, the one of the whole company first: "CFO" before "CFO of the chemicals
    division". Without `titles` whoever has a title that the question writes out."""
    asks = asked.route and plain_terms(asked.route.topic)
    wanted = set(terms(asked.wordings[0])) - (asks or set())
    found: dict[str, tuple[int, Statement]] = {}
    for person, sources in await known_people(asked.evidence):
        title = str(person.get("title") or person.get("role") or "")
        rests = [len(title) - len(one) for one in titles if one in title.lower()]
        if not titles:
            each = [set(terms(part)) for part in title.replace(" and ", ", ").split(",")]
            rests = [len(part) for part in each if wanted and wanted <= part]
        if rests and not person.get("until"):
            since = f", since {person['since']}" if person.get("since") else ""
            text = f"{person['name']} is {title} of {asked.evidence.name}{since}."
            found.setdefault(person["name"], (min(rests), Statement(text, sources[:1])))
    said = [found[name][1] for name in sorted(found, key=lambda name: (found[name][0], name))]
    return Draft(tuple(said[: _MOST_HOLDERS if titles else 1])) if said else None


async def record(
    asked: Asked,
    *,
    sentence: str,
    fields: Sequence[str] = (),
    section: str = "",
    role: str | None = None,
    evidence_is: Sufficiency = "sufficient",
) -> Draft | None:
    """What fields of the record have, the most certain of each first, or the names of a section of the
    profile, in one sentence; of people those with a role today."""
    facts = await asked.evidence.facts(*fields)
    facts.sort(key=lambda fact: (fields.index(fact.field), -fact.confidence))
    rows = await _rows(asked, section)
    for fact in facts:
        if role is None or (fact.value.get("role") == role and not fact.value.get("until")):
            rows.append((fact.value, (asked.evidence.proof(fact),)))
    found = {_in_words(value, *fields): source for value, sources in rows for source in sources[:1]}
    shown = dict(islice(found.items(), _MOST_NAMES))
    if not shown:
        return None
    more = [f"and {len(found) - len(shown)} more"] * (len(found) > len(shown))
    text = sentence.format(name=asked.evidence.name, value=", ".join([*shown, *more]))
    if len(facts) == 1 and facts[0].as_of:
        text = f"{text.removesuffix('.')}, as of {facts[0].as_of}."
    return Draft((Statement(text, tuple(dict.fromkeys(shown.values()))),), evidence_is)


def _in_words(value: Any, field: str = "", *_: str) -> str:
    """'Jane Doe (Chief Financial Officer)', '79,400', '2011'."""
    if isinstance(value, Mapping):
        return f"{value['name']} ({value['title']})" if value.get("title") else str(value["name"])
    is_count = isinstance(value, int | float) and not field.endswith("_year")
    return f"{value:,}" if is_count else str(value)


async def section(
    asked: Asked, *, section: str, evidence_is: Sufficiency = "partial"
) -> Draft | None:
    """The first statements of a section of the profile, each quoted, with its day."""
    said = [
        Statement(f"{row['as_of']}: “{quote}”" if row.get("as_of") else f"“{quote}”", (one,))
        for row, sources in await _rows(asked, section)
        for one in [source for source in sources if source.quote][:1]
        for quote in [normalized(str(one.quote))]
    ]
    return Draft(tuple(said[:_MOST_QUOTES]), evidence_is) if said else None


async def _rows(asked: Asked, section: str) -> list[tuple[Mapping[str, Any], tuple[Source, ...]]]:
    """The rows of a section of the profile, with what proves each; of a text a row for each source."""
    body = await asked.evidence.section(section) if section else []
    if isinstance(body, Mapping):
        return [({}, (source,)) for source in stored_sources(body)]
    return [(row, stored_sources(row)) for row in body]


async def refuse(asked: Asked, *, reason: str) -> Draft:
    """What is not answered, whatever is stored."""
    del asked
    return Draft((), "none", reason)


LOOK_UPS: Final[Mapping[str, LookUp]] = {
    look_up.__name__: look_up
    for look_up in (role, record, section, figure, parts, postings, signals, refuse)
}
