"""How like a query the companies are that the sources name, and whether one of them is meant.

Candidates of several sources that are one company (a shared identifier, a shared domain, one name in
one country) are weighed as one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sightline.domain.names import name_key
from sightline.match.index import Index
from sightline.match.model import shipped_weights
from sightline.match.records import Candidate as MatchRecord
from sightline.sources.contract import Candidate, Query

_CATALOGUE = "catalogue"
# A web site that answers at the very domain that was asked for is the company's.
_SAME_DOMAIN = 0.99
_SAME_IDENTIFIER = 1.0
# What a register's company must reach to be linked on its name alone.
_STRICT = 0.93


@dataclass(frozen=True)
class Likeness:
    """One company that a query may mean, as one or several sources know it. `score` is 0-1."""

    name: str
    score: float
    features: Mapping[str, float]
    domain: str | None
    country_code: str | None
    city: str | None
    domains: tuple[str, ...] = ()
    identifiers: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    company_id: UUID | None = None
    exact_name: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "company_id": str(self.company_id) if self.company_id else None,
            "name": self.name,
            "domain": self.domain,
            "country_code": self.country_code,
            "city": self.city,
            "identifiers": dict(self.identifiers),
            "sources": list(self.sources),
            "score": self.score,
            "features": dict(self.features),
        }


@dataclass(frozen=True)
class Verdict:
    """The company that is meant, if one is."""

    chosen: Likeness | None
    ambiguous: bool
    score: float | None


def likeness(
    query: Query, candidates: Sequence[Candidate], *, names: Sequence[str] = ()
) -> list[Likeness]:
    """The companies among the candidates, most like the query first. `names` are further names of
    the company that is asked for."""
    if not candidates:
        return []
    scores = _scores(query, candidates, names)
    groups: list[list[tuple[Candidate, float, Mapping[str, float]]]] = []
    for number, candidate in enumerate(candidates):
        entry = (candidate, *scores[number])
        group = next((g for g in groups if any(_is_same(candidate, c) for c, *_ in g)), None)
        if group is None:
            groups.append([entry])
        else:
            group.append(entry)
    keys = {name_key(name) for name in (query.name, *names) if name}
    merged = [_merge(group, keys) for group in groups]
    return sorted(merged, key=lambda each: (-each.score, -len(each.sources), each.name))


def decide(query: Query, ranked: Sequence[Likeness], *, strict: bool = False) -> Verdict:
    """Which of the companies is meant. `strict` takes only what cannot be another company."""
    if not ranked:
        return Verdict(None, False, None)
    best, rest = ranked[0], ranked[1:]
    weights = shipped_weights()
    threshold = weights.threshold
    if best.score < threshold:
        return Verdict(None, False, best.score)
    rivals = [each for each in rest if each.score >= max(threshold, best.score - weights.margin)]
    for proof in ("same_identifier", "same_domain"):
        # Another company of the same name is none that states the identifier or answers there.
        if proof in best.features:
            rivals = [each for each in rivals if proof in each.features]
            break
    if strict:
        proved = bool({"same_domain", "same_identifier"} & set(best.features))
        contradicted = bool(
            query.country_code and best.country_code and query.country_code != best.country_code
        )
        if not proved and (contradicted or rivals or not best.exact_name or best.score < _STRICT):
            return Verdict(None, bool(rivals), best.score)
        return Verdict(best, False, best.score)
    if rivals:
        return Verdict(None, True, best.score)
    return Verdict(best, False, best.score)


def _scores(
    query: Query, candidates: Sequence[Candidate], names: Sequence[str]
) -> list[tuple[float, Mapping[str, float]]]:
    """Score and named features of each candidate."""
    index = Index(
        MatchRecord(
            id=str(number),
            name=each.name,
            country=each.country_code,
            city=each.city,
            domain=each.domain,
            ticker=each.ticker,
            lei=each.identifiers.get("lei"),
            other_names=each.names,
        )
        for number, each in enumerate(candidates)
    )
    asked = MatchRecord(
        id="query",
        name=query.name or query.domain or "",
        country=query.country_code,
        city=query.city,
        domain=query.domain,
        ticker=query.ticker,
        lei=query.identifiers.get("lei"),
        other_names=tuple(names),
    )
    found: dict[int, tuple[float, Mapping[str, float]]] = {}
    if query.name:
        for scored in index.query(asked, limit=len(candidates)):
            features = {f.name: round(f.weight, 3) for f in scored.features if f.value}
            found[int(scored.id)] = (round(float(scored.score), 4), features)
    return [
        _certain(query, each, *found.get(number, (0.0, {})))
        for number, each in enumerate(candidates)
    ]


def _certain(
    query: Query, candidate: Candidate, score: float, features: Mapping[str, float]
) -> tuple[float, Mapping[str, float]]:
    """What an identifier or the domain settles, over what the name says."""
    shared = set(query.identifiers.items()) & set(candidate.identifiers.items())
    if shared:
        return _SAME_IDENTIFIER, {**features, "same_identifier": 1.0}
    if query.domain and query.domain in candidate.all_domains:
        return max(score, _SAME_DOMAIN), {**features, "same_domain": 1.0}
    return score, features


def _is_same(one: Candidate, other: Candidate) -> bool:
    if any(other.identifiers.get(k) == v for k, v in one.identifiers.items()):
        return True
    if any(k in other.identifiers for k in one.identifiers):
        return False  # a register tells its companies apart
    if one.all_domains and other.all_domains:
        return not set(one.all_domains).isdisjoint(other.all_domains)
    if one.source == other.source:
        return False
    same_name = bool({name_key(n) for n in (one.name, *one.names)} & {
        name_key(n) for n in (other.name, *other.names)
    })  # fmt: skip
    same_country = not (
        one.country_code and other.country_code and one.country_code != other.country_code
    )
    return same_name and same_country


def _merge(
    group: Sequence[tuple[Candidate, float, Mapping[str, float]]], keys: set[str]
) -> Likeness:
    """One company out of what several sources say; the best scored names it."""
    ordered = sorted(group, key=lambda entry: -entry[1])
    best, score, features = ordered[0]
    identifiers: dict[str, str] = {}
    for candidate, *_ in ordered:
        identifiers = dict(candidate.identifiers) | identifiers
    known = next((c.key for c, *_ in ordered if c.source == _CATALOGUE), None)
    return Likeness(
        name=best.name,
        score=score,
        features=features,
        domain=next((c.domain for c, *_ in ordered if c.domain), None),
        domains=tuple(dict.fromkeys(d for c, *_ in ordered for d in c.all_domains)),
        country_code=next((c.country_code for c, *_ in ordered if c.country_code), None),
        city=next((c.city for c, *_ in ordered if c.city), None),
        identifiers=identifiers,
        sources=tuple(dict.fromkeys(c.source for c, *_ in ordered)),
        company_id=UUID(known) if known else None,
        exact_name=any(name_key(name) in keys for c, *_ in ordered for name in (c.name, *c.names)),
    )
