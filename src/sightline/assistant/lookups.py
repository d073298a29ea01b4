"""Typed look-ups: one answer from stored facts, figures, postings and signals, in a fixed sentence.

The topics of `data/topics.toml` name them, with what they look up and the sentence. A look-up answers None
where nothing is stored for it; then the documents are quoted instead.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from itertools import islice
from operator import itemgetter
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
    division". Without `titles` the title is one that the question writes out."""
    wanted = set(terms(asked.wordings[0]))
    wanted -= plain_terms(asked.route.topic) if asked.route else set()
    found: dict[str, tuple[int, str, str, Statement]] = {}
    for person, sources in await known_people(asked.evidence):
        title, name = str(person.get("title") or person.get("role") or ""), str(person["name"])
        if rests := _rests(title, titles, wanted):
            since = f", since {person['since']}" if person.get("since") else ""
            said = Statement(f"{name} is {title} of {asked.evidence.name}{since}.", sources[:1])
            # The newest that is known of someone counts.
            found.setdefault(name, (min(rests), name, str(person.get("until") or ""), said))
    now = [said for _, _, until, said in sorted(found.values(), key=itemgetter(0, 1)) if not until]
    return Draft(tuple(now[: _MOST_HOLDERS if titles else 1])) if now else None


def _rests(title: str, titles: Sequence[str], wanted: Set[str]) -> list[int]:
    """What a title says beyond each of `titles` that it has, or without these beyond the words wanted."""
    if titles:
        return [len(title) - len(one) for one in titles if one in title.lower()]
    parts = [set(terms(part)) for part in title.replace(" and ", ", ").split(",")]
    return [len(part) for part in parts if wanted and wanted <= part]


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
