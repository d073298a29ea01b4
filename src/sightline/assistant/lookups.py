"""Typed look-ups: one answer from stored facts, figures, postings and signals, in a fixed sentence.

The topics of `data/topics.toml` name them, with what they look up and the sentence. A look-up answers None
where nothing is stored for it; then the documents are quoted instead.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from sightline.assistant.asked_names import people_named
from sightline.assistant.company_evidence import (
    Asked,
    list_words,
    quoted,
    stored_sources,
)
from sightline.assistant.contract import Draft, Source, Statement, Sufficiency
from sightline.assistant.lookups_activity import postings, signals
from sightline.assistant.lookups_figures import figure, parts
from sightline.assistant.routing import spoken_of
from sightline.assistant.tools.accounts import Person, known_people
from sightline.domain.countries import country_from_text
from sightline.reading.orders import is_order
from sightline.reading.stated import normalized
from sightline.reading.terms import terms
from sightline.search.quotes import find_quotes
from sightline.store.passages import StoredPassage

LookUp = Callable[..., Awaitable[Draft | None]]

_MOST_NAMES: Final = 10
_MOST_QUOTES: Final = 3
_SIGNATURE: Final = "/s/"
_LEAVING: Final = ("leaves", "retires_from", "board_change")


async def role(asked: Asked, *, titles: Sequence[str]) -> Draft | None:
    """The holders of one of the titles, those of the whole company first; of the time before, those
    before them, or what was reported when they left."""
    if found := await holders(asked, titles):
        evidence_is: Sufficiency = "partial" if asked.earlier else "sufficient"
        return Draft(tuple(_holder(asked, person) for person in found[:2]), evidence_is)
    return await signals(asked, types=_LEAVING, titles=titles) if asked.earlier else None


async def titled(asked: Asked) -> Draft | None:
    """Who has the title that a question writes out, and asks for nothing beside."""
    words = set(terms(asked.question))
    rest = words - spoken_of()
    found = []
    for person in await known_people(asked.evidence):
        parts = [set(terms(part)) for part in _title(person).replace(" and ", ", ").split(",")]
        own = [part for part in parts if part and rest <= part <= words and (rest or len(part) > 1)]
        if own and not person[0].get("until"):
            found.append((-max(map(len, own)), str(person[0]["name"]), person))
    if not found:
        return None
    return Draft((_holder(asked, min(found, key=itemgetter(0, 1))[2]),))


async def holders(asked: Asked, titles: Sequence[str]) -> list[Person]:
    """The people with one of the titles, or before with it: "CFO" before "CFO of the chemicals division"."""
    found: dict[str, tuple[int, str, Person]] = {}
    for person in await known_people(asked.evidence):
        title, name = _title(person).lower(), str(person[0]["name"])
        if rests := [len(title) - len(one) for one in titles if one in title]:
            found.setdefault(name, (min(rests), name, person))
    every = [person for _, _, person in sorted(found.values(), key=itemgetter(0, 1))]
    left = [person for person in every if person[0].get("until")]
    now = [person for person in every if person not in left]
    if not asked.earlier:
        return now
    # Whom an older document reports, the newest first, than the newest or than whom the question names.
    dated = sorted((p for p in now if p[0].get("as_of")), key=_day, reverse=True)
    named = await people_named(asked.evidence, asked.question)
    last = next((p for p in dated if p[0]["name"] in named), dated[0] if dated else None)
    return left or [p for p in dated if last and _day(p) < _day(last) and p != last][:1]


def _title(person: Person) -> str:
    return str(person[0].get("title") or person[0].get("role") or "")


def _day(person: Person) -> str:
    return str(person[0]["as_of"])


def _holder(asked: Asked, person: Person) -> Statement:
    value, sources = person
    words = [f", {key} {value[key]}" for key in ("since", "until") if value.get(key)]
    if asked.earlier and not words:
        words = [f", as of {value['as_of']}"]
    verb = "was" if asked.earlier or value.get("until") else "is"
    text = f"{value['name']} {verb} {_title(person)} of {asked.evidence.name}{''.join(words)}."
    return Statement(text, sources[:1])


async def career(asked: Asked, *, titles: Sequence[str] = ()) -> Draft | None:
    """Who it is that the question names, or that has the title, and what documents say of where they
    worked before."""
    named = await people_named(asked.evidence, asked.question)
    known = [p for p in await known_people(asked.evidence) if p[0]["name"] in named]
    chosen = known or await holders(asked, titles)
    if not chosen:
        return None
    name = str(chosen[0][0]["name"])

    def may_quote(passage: StoredPassage) -> bool:
        is_signed = _SIGNATURE in passage.body.casefold()
        return name.split()[-1] in passage.body and not (is_signed or is_order(passage.body))

    wordings = [f"Where did {name} work before?"]
    async with asked.evidence.reading() as connection:
        found = await find_quotes(
            connection, asked.evidence.company_id, wordings, may_quote=may_quote
        )
    return Draft((_holder(asked, chosen[0]), *map(quoted, found.best[:1])), "partial")


async def headquarters(asked: Asked) -> Draft | None:
    """The address of the head office."""
    fields = ("hq_address", "hq_city", "hq_state", "country_code")
    facts = [fact for field in fields for fact in (await asked.evidence.facts(field))[:1]]
    if not {"hq_address", "hq_city"} & {fact.field for fact in facts}:
        return None
    words = [str(fact.value) for fact in facts]
    if facts[-1].field == "country_code" and (country := country_from_text(words[-1])):
        words[-1] = country.name
    sources = {(fact.document_id, fact.quote): asked.evidence.proof(fact) for fact in facts}
    text = f"The head office of {asked.evidence.name}: {', '.join(dict.fromkeys(words))}."
    return Draft((Statement(text, tuple(sources.values())[:2]),))


async def value(asked: Asked, *, field: str, sentence: str) -> Draft | None:
    """One field of the record; of a count also what it was a year before."""
    facts = (await asked.evidence.facts(field))[:1]
    is_count = not field.endswith("_year") and any(isinstance(f.value, int | float) for f in facts)
    if is_count and (before := asked.evidence.year_before(facts[0])):
        facts.append(before)
    said = []
    for fact in facts:
        shown = f"{fact.value:,}" if is_count else str(fact.value)
        text = sentence.format(name=asked.evidence.name, value=shown).removesuffix(".")
        text += f", as of {fact.as_of}." if fact.as_of else "."
        said.append(Statement(text, (asked.evidence.proof(fact),)))
    return Draft(tuple(said)) if said else None


async def section(asked: Asked, *, section: str) -> Draft | None:
    """The first statements of a section of the profile, each quoted, with its day."""
    said = [
        Statement(f"{row.get('as_of') or 'Undated'}: “{normalized(str(one.quote))}”", (one,))
        for row, sources in await _rows(asked, section)
        for one in [source for source in sources if source.quote][:1]
    ]
    return Draft(tuple(said[:_MOST_QUOTES]), "partial") if said else None


async def overview(asked: Asked) -> Draft | None:
    """What the company does, quoted."""
    quoted = [one for _, own in await _rows(asked, "overview") for one in own if one.quote]
    said = [Statement(normalized(str(one.quote)), (one,)) for one in quoted[:_MOST_QUOTES]]
    return Draft(tuple(said)) if said else None


async def _rows(asked: Asked, section: str) -> list[tuple[Mapping[str, Any], tuple[Source, ...]]]:
    """The rows of a section of the profile, with what proves each."""
    body = await asked.evidence.section(section)
    rows = [body] if isinstance(body, Mapping) else body
    return [(row, stored_sources(row)) for row in rows]


async def members(
    asked: Asked,
    *,
    sentence: str,
    field: str = "",
    section: str = "",
    role: str | None = None,
    evidence_is: Sufficiency = "sufficient",
) -> Draft | None:
    """The names in a field with many values, most certain first, or in a section of the profile, in one
    sentence; of people those with a role today."""
    rows = await _rows(asked, section)
    for fact in sorted(await asked.evidence.facts(field), key=lambda fact: -fact.confidence):
        if role is None or (fact.value.get("role") == role and not fact.value.get("until")):
            rows.append((fact.value, (asked.evidence.proof(fact),)))
    found = {}
    for row, sources in rows:
        title = f" ({row['title']})" if row.get("title") else ""
        found.update({f"{row['name']}{title}": source for source in sources[:1]})
    shown = dict(islice(found.items(), _MOST_NAMES))
    if not shown:
        return None
    more = [f"{len(found) - len(shown)} more"] * (len(found) > len(shown))
    text = sentence.format(name=asked.evidence.name, list=list_words([*shown, *more]))
    return Draft((Statement(text, tuple(dict.fromkeys(shown.values()))),), evidence_is)


async def refuse(asked: Asked, *, reason: str) -> Draft:
    """What is not answered, whatever is stored."""
    del asked
    return Draft((), "none", reason)


LOOK_UPS: Final[Mapping[str, LookUp]] = {
    look_up.__name__: look_up
    for look_up in (
        role, career, headquarters, value, members, section, figure, parts, postings, signals, overview,
        refuse,
    )
}  # fmt: skip
