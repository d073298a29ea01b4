"""Typed look-ups: one answer out of stored facts, figures, postings and signals, in one fixed sentence each.

A look-up answers None where nothing is stored for it; then the documents are quoted instead.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from sightline.assistant.company_evidence import CompanyEvidence, list_words, stored_sources
from sightline.assistant.contract import Draft, Source, Statement, Sufficiency
from sightline.assistant.lookups_activity import country_name, departures, postings, signals
from sightline.assistant.lookups_figures import figure, parts
from sightline.store.facts import Fact

LookUp = Callable[..., Awaitable[Draft | None]]

_MOST_NAMES: Final = 10
_MOST_SOURCES: Final = 8
_MOST_QUOTES: Final = 3


async def role(
    evidence: CompanyEvidence, question: str, *, titles: list[str], earlier: bool = False
) -> Draft | None:
    """The holders of one of the titles, those of the whole company first; with `earlier` those before
    them, or what was reported when they left."""
    del question
    found: list[tuple[int, Fact]] = []
    for fact in await evidence.facts("person"):
        title = str(fact.value.get("title") or fact.value.get("role") or "").lower()
        wanted = [one for one in titles if one in title]
        if wanted and bool(fact.value.get("until")) == earlier:
            rest = min(len(title) - len(one) for one in wanted)
            found.append((rest, fact))  # "CFO" before "CFO of the chemicals division"
    if not found and earlier:
        return await departures(evidence, titles)
    if not found and "ceo" in titles:
        return await value(
            evidence, "", field="ceo", sentence="The chief executive of {name} is {value}."
        )
    best = [fact for _, fact in sorted(found, key=lambda pair: (pair[0], pair[1].value["name"]))]
    return Draft(tuple(_holder(evidence, fact) for fact in best[:2])) if best else None


def _holder(evidence: CompanyEvidence, fact: Fact) -> Statement:
    since = f", since {fact.value['since']}" if fact.value.get("since") else ""
    until = f", until {fact.value['until']}" if fact.value.get("until") else ""
    title = fact.value.get("title") or fact.value.get("role")
    verb = "was" if until else "is"
    text = f"{fact.value['name']} {verb} {title} of {evidence.name}{since}{until}."
    return Statement(text, (evidence.proof(fact),))


async def people(evidence: CompanyEvidence, question: str, *, role: str) -> Draft | None:
    """Everyone with a role, in one sentence."""
    del question
    found = [f for f in await evidence.facts("person") if f.value.get("role") == role]
    found = [f for f in found if not f.value.get("until")]
    names = [
        f"{f.value['name']} ({f.value['title']})" if f.value.get("title") else str(f.value["name"])
        for f in found
    ]
    called = "directors" if role == "director" else "executives"
    sentence = f"Documents name these {called} of {{name}}: {{list}}."
    return _listed(evidence, sentence, names, [evidence.proof(f) for f in found])


async def headquarters(evidence: CompanyEvidence, question: str) -> Draft | None:
    """The address of the head office."""
    del question
    parts = ("hq_address", "hq_city", "hq_state", "hq_postcode", "country_code")
    found = {field: (await evidence.facts(field))[:1] for field in parts}
    facts = [fact for some in found.values() for fact in some]
    if not (found["hq_city"] or found["hq_address"]):
        return None
    words = [str(f.value) for field in parts[:3] for f in found[field]]
    words += [country_name(str(f.value)) or str(f.value) for f in found["country_code"]]
    sources = {(f.document_id, f.quote): evidence.proof(f) for f in facts}
    text = f"The head office of {evidence.name}: {', '.join(dict.fromkeys(words))}."
    return Draft((Statement(text, tuple(sources.values())[:2]),))


async def value(
    evidence: CompanyEvidence, question: str, *, field: str, sentence: str
) -> Draft | None:
    """One field of the record."""
    del question
    for fact in (await evidence.facts(field))[:1]:
        shown = f"{fact.value:,}" if _is_count(field, fact.value) else str(fact.value)
        text = sentence.format(name=evidence.name, value=shown)
        if fact.as_of:
            text = f"{text.removesuffix('.')}, as of {fact.as_of.isoformat()}."
        return Draft((Statement(text, (evidence.proof(fact),)),))
    return None


def _is_count(field: str, shown: object) -> bool:
    return isinstance(shown, int | float) and not field.endswith("_year")


async def members(
    evidence: CompanyEvidence,
    question: str,
    *,
    field: str,
    sentence: str,
    evidence_is: Sufficiency = "sufficient",
) -> Draft | None:
    """The members of a field with many values, the surest first."""
    del question
    found = sorted(await evidence.facts(field), key=lambda f: -f.confidence)
    names = [str(f.value["name"]) for f in found]
    return _listed(evidence, sentence, names, [evidence.proof(f) for f in found], evidence_is)


def _listed(
    evidence: CompanyEvidence,
    sentence: str,
    names: Sequence[str],
    sources: Sequence[Source],
    evidence_is: Sufficiency = "sufficient",
) -> Draft | None:
    """The first of the names in one sentence; each name has a source in its place."""
    first = dict(zip(names, sources, strict=True))
    shown = list(first)[:_MOST_NAMES]
    if not shown:
        return None
    more = [f"{len(first) - len(shown)} more"] if len(first) > len(shown) else []
    text = sentence.format(name=evidence.name, list=list_words([*shown, *more]))
    cited = tuple(dict.fromkeys(first[name] for name in shown))
    return Draft((Statement(text, cited[:_MOST_SOURCES]),), evidence_is)


async def overview(evidence: CompanyEvidence, question: str) -> Draft | None:
    """What the company does, quoted."""
    del question
    body = await evidence.section("overview")
    quoted = [s for s in stored_sources(body) if s.quote] if isinstance(body, Mapping) else []
    if quoted:
        said = [Statement(" ".join(str(s.quote).split()), (s,)) for s in quoted[:_MOST_QUOTES]]
        return Draft(tuple(said))
    return await value(evidence, "", field="description", sentence="{value}")


async def competitors(evidence: CompanyEvidence, question: str) -> Draft | None:
    """The competitors that documents name."""
    del question
    rows = [row for row in await evidence.section("competitors") if stored_sources(row)]
    sentence = "Documents name these competitors of {name}: {list}."
    names = [str(row["name"]) for row in rows]
    return _listed(evidence, sentence, names, [stored_sources(row)[0] for row in rows])


async def refuse(evidence: CompanyEvidence, question: str, *, reason: str) -> Draft:
    """What is not answered, whatever is stored."""
    del evidence, question
    return Draft((), "none", reason)


LOOK_UPS: Final[dict[str, LookUp]] = {
    "role": role,
    "people": people,
    "headquarters": headquarters,
    "value": value,
    "members": members,
    "figure": figure,
    "parts": parts,
    "postings": postings,
    "signals": signals,
    "overview": overview,
    "competitors": competitors,
    "refuse": refuse,
}
