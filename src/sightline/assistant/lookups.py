"""Typed look-ups: one answer from stored facts, figures, postings and signals, in a fixed sentence.

The topics of `data/topics.toml` name them, with what they look up and the sentence. A look-up answers None
where nothing is stored for it; then the documents are quoted instead.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sightline.assistant.asked_names import people_named
from sightline.assistant.company_evidence import (
    Asked,
    Person,
    list_words,
    quoted,
    stored_sources,
)
from sightline.assistant.contract import Draft, Source, Statement, Sufficiency
from sightline.assistant.lookups_activity import departures, postings, signals
from sightline.assistant.lookups_figures import figure, parts
from sightline.assistant.routing import spoken_of
from sightline.domain.amounts import up_or_down
from sightline.domain.countries import country_from_text
from sightline.reading.orders import is_order
from sightline.reading.stated import normalized
from sightline.reading.terms import terms
from sightline.search.quotes import find_quotes
from sightline.store.passages import StoredPassage

LookUp = Callable[..., Awaitable[Draft | None]]

_MOST_NAMES: Final = 10
_MOST_SOURCES: Final = 8
_MOST_QUOTES: Final = 3
_SIGNATURE: Final = "/s/"


async def role(asked: Asked, *, titles: Sequence[str]) -> Draft | None:
    """The holders of one of the titles, those of the whole company first; of the time before, those
    before them, or what was reported when they left."""
    if found := await holders(asked, titles):
        return Draft(tuple(_holder(asked, person) for person in found[:2]))
    if asked.earlier:
        return await departures(asked.evidence, titles) or await _reported_before(asked, titles)
    return None


async def _reported_before(asked: Asked, titles: Sequence[str]) -> Draft | None:
    """Whom an older document reports in an office, before the newest holder or the one whom the question
    names."""
    known = [p for p in await holders(replace(asked, earlier=False), titles) if p.as_of]
    known.sort(key=lambda person: person.as_of, reverse=True)
    named = {person.name for person in await people_named(asked.evidence, asked.question)}
    last = next((p for p in known if p.name in named), known[0] if known else None)
    before = [p for p in known if last and p.as_of < last.as_of and p.name != last.name]
    if not before:
        return None
    held = f"{before[0].value['title']} of {asked.evidence.name}"
    text = f"{before[0].name} was reported as {held} as of {before[0].as_of}."
    return Draft((Statement(text, (asked.evidence.proof(before[0].fact),)),), "partial")


async def titled(asked: Asked) -> Draft | None:
    """Who has the title that a question writes out, and asks for nothing beside."""
    words = set(terms(asked.question))
    rest = words - spoken_of()
    found: list[tuple[int, str, Person]] = []
    for person in await asked.evidence.people():
        title = str(person.value.get("title") or "").replace(" and ", ", ")
        parts = [set(terms(part)) for part in title.split(",")]
        own = [part for part in parts if part and rest <= part <= words and (rest or len(part) > 1)]
        if own and not person.value.get("until"):
            found.append((-max(map(len, own)), person.name, person))
    if not found:
        return None
    return Draft((_holder(asked, min(found, key=lambda each: each[:2])[2]),))


async def holders(asked: Asked, titles: Sequence[str]) -> list[Person]:
    """The people with one of the titles, or before with it: "CFO" before "CFO of the chemicals division"."""
    for field in ("person", "ceo"):
        found: list[tuple[int, str, Person]] = []
        for person in await asked.evidence.people(field):
            title = str(person.value.get("title") or person.value.get("role") or "").lower()
            rests = [len(title) - len(one) for one in titles if one in title]
            if rests and bool(person.value.get("until")) == asked.earlier:
                found.append((min(rests), person.name, person))
        if found:
            return [person for _, _, person in sorted(found, key=lambda each: each[:2])]
    return []


def _holder(asked: Asked, person: Person) -> Statement:
    words = [f", {key} {person.value[key]}" for key in ("since", "until") if person.value.get(key)]
    title = person.value.get("title") or person.value.get("role")
    verb = "was" if person.value.get("until") else "is"
    text = f"{person.name} {verb} {title} of {asked.evidence.name}{''.join(words)}."
    return Statement(text, (asked.evidence.proof(person.fact),))


async def career(asked: Asked, *, titles: Sequence[str] = ()) -> Draft | None:
    """Who it is that the question names, or that has the title, and what documents say of where they
    worked before."""
    chosen = await people_named(asked.evidence, asked.question) or await holders(asked, titles)
    if not chosen:
        return None
    name = chosen[0].name

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
    for fact in (await asked.evidence.facts(field))[:1]:
        is_count = isinstance(fact.value, int | float) and not field.endswith("_year")
        shown = f"{fact.value:,}" if is_count else str(fact.value)
        text = sentence.format(name=asked.evidence.name, value=shown)
        if fact.as_of:
            text = f"{text.removesuffix('.')}, as of {fact.as_of.isoformat()}."
        statements = [Statement(text, (asked.evidence.proof(fact),))]
        before = asked.evidence.year_before(fact) if is_count else None
        if before is not None and before.value:
            step, sources = fact.value - before.value, (fact, before)
            text = (
                f"That is {abs(step):,} {'fewer' if step < 0 else 'more'} than the {before.value:,} as of"
                f" {before.as_of}: {up_or_down(step / before.value)}."
            )
            statements.append(Statement(text, tuple(map(asked.evidence.proof, sources))))
        return Draft(tuple(statements))
    return None


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
    sources = [s for _, own in await _rows(asked, "overview") for s in own if s.quote]
    if sources:
        return Draft(
            tuple(Statement(normalized(str(s.quote)), (s,)) for s in sources[:_MOST_QUOTES])
        )
    return await value(asked, field="description", sentence="{value}")


async def competitors(asked: Asked, *, sentence: str) -> Draft | None:
    """The competitors that documents name."""
    rows = await _rows(asked, "competitors")
    named = [(str(row["name"]), sources[0]) for row, sources in rows if sources]
    return _listed(asked, sentence, named, "sufficient")


async def _rows(asked: Asked, section: str) -> list[tuple[Mapping[str, Any], tuple[Source, ...]]]:
    """The rows of a section of the profile, with what proves each."""
    body = await asked.evidence.section(section)
    rows = [body] if isinstance(body, Mapping) else body
    return [(row, stored_sources(row)) for row in rows]


async def members(
    asked: Asked,
    *,
    field: str,
    sentence: str,
    role: str | None = None,
    evidence_is: Sufficiency = "sufficient",
) -> Draft | None:
    """The members of a field with many values, most certain first; of people those with a role today."""
    facts = sorted(await asked.evidence.facts(field), key=lambda fact: -fact.confidence)
    if role is not None:
        facts = [f for f in facts if f.value.get("role") == role and not f.value.get("until")]
    titles = [f" ({fact.value['title']})" if fact.value.get("title") else "" for fact in facts]
    named = [
        (f"{fact.value['name']}{title}", asked.evidence.proof(fact))
        for fact, title in zip(facts, titles, strict=True)
    ]
    return _listed(asked, sentence, named, evidence_is)


def _listed(
    asked: Asked, sentence: str, named: Iterable[tuple[str, Source]], evidence_is: Sufficiency
) -> Draft | None:
    """The first of some names in one sentence, with the source of each."""
    first = dict(named)
    shown = list(first)[:_MOST_NAMES]
    if not shown:
        return None
    more = [f"{len(first) - len(shown)} more"] if len(first) > len(shown) else []
    text = sentence.format(name=asked.evidence.name, list=list_words([*shown, *more]))
    cited = tuple(dict.fromkeys(first[name] for name in shown))
    return Draft((Statement(text, cited[:_MOST_SOURCES]),), evidence_is)


async def refuse(asked: Asked, *, reason: str) -> Draft:
    """What is not answered, whatever is stored."""
    del asked
    return Draft((), "none", reason)


LOOK_UPS: Final[Mapping[str, LookUp]] = {
    look_up.__name__: look_up
    for look_up in (
        role, career, headquarters, value, members, section, figure, parts, postings, signals, overview,
        competitors, refuse,
    )
}  # fmt: skip
