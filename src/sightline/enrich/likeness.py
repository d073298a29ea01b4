"""Scores how well the companies from the sources match a query, and decides whether one of them is meant.

Candidates of several sources that are one company (a shared identifier, a shared domain, one name in
one country that no other candidate has) are weighed as one.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sightline.domain.names import name_key
from sightline.enrich.ties import fits
from sightline.match.index import Index
from sightline.match.model import shipped_weights
from sightline.match.records import Candidate as MatchRecord
from sightline.sources.contract import Candidate, Query

_CATALOGUE = "catalogue"
# A website that answers at the very domain that was asked for is the company's.
_SAME_DOMAIN = 0.99
_SAME_IDENTIFIER = 1.0
# What the company that is meant must reach: all of its facts follow, and a wrong one is not noticed.
# Of lists of companies with their places, half of the partners removed and sisters and namesakes
# left, 99 of 100 that reach it are right (tests/eval/test_matching.py).
_SURE = 0.9
# What a register's company must reach to be linked on its name alone.
_STRICT = 0.93
# Features that tie a candidate to what is asked for by more than its name.
PROOFS = frozenset({"same_domain", "same_identifier"})


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
    keys = {name_key(name) for name in (query.name, *names) if name}
    groups = [[candidates[number] for number in group] for group in _groups(candidates)]
    merged = [
        _merge(group, keys, *_certain(query, group, *scored))
        for group, scored in zip(groups, _scores(query, groups, names), strict=True)
    ]
    return sorted(merged, key=lambda each: (-each.score, -len(each.sources), each.name))


def decide(query: Query, ranked: Sequence[Likeness], *, strict: bool = False) -> Verdict:
    """Which of the companies is meant. `strict` takes only what cannot be another company."""
    if not ranked:
        return Verdict(None, False, None)
    best, rest = ranked[0], ranked[1:]
    if best.score < _SURE:
        return Verdict(None, False, best.score)
    has_rivals = bool(_rivals(best, rest))
    if not strict:
        is_taken = not has_rivals
    elif PROOFS.isdisjoint(best.features):
        contradicted = len({query.country_code, best.country_code} - {None, ""}) > 1
        is_sure = best.exact_name and best.score >= _STRICT
        is_taken = is_sure and not (contradicted or has_rivals)
    else:
        is_taken = True
    return Verdict(best, False, best.score) if is_taken else Verdict(None, has_rivals, best.score)


def _rivals(best: Likeness, rest: Sequence[Likeness]) -> list[Likeness]:
    """The companies that may be meant as well as the best."""
    ahead = shipped_weights().margin
    near = [
        each
        for each in rest
        if each.score >= _SURE and _log_odds(best.score) - _log_odds(each.score) < ahead
    ]
    # Another company of the same name is none that states the identifier or answers there.
    for proof in ("same_identifier", "same_domain"):
        if proof in best.features:
            return [each for each in near if proof in each.features]
    return near


def _log_odds(score: float) -> float:
    score = min(score, _SAME_DOMAIN)  # differences above it are rounding
    return math.log(score / (1 - score))


_Scored = tuple[float, Mapping[str, float]]


def _scores(
    query: Query, groups: Sequence[Sequence[Candidate]], names: Sequence[str]
) -> list[_Scored]:
    """Score and named features of each company by what it is called and where it is.

    A company leads the others or follows them, but not its namesakes: none of those could lead, and
    all would seem unlike the query that they fit equally well.
    """
    if not query.name:
        return [(0.0, {})] * len(groups)
    asked = MatchRecord(
        id="query",
        name=query.name,
        country=query.country_code,
        city=query.city,
        domain=query.domain,
        ticker=query.ticker,
        lei=query.identifiers.get("lei"),
        other_names=tuple(names),
    )
    records = [_record(str(number), group) for number, group in enumerate(groups)]
    together = _asked(asked, records)
    keys = [_keys(group) for group in groups]
    found = []
    for number, record in enumerate(records):
        rivals = [r for r, k in zip(records, keys, strict=True) if k.isdisjoint(keys[number])]
        alone = len(rivals) == len(records) - 1
        scored = together if alone else _asked(asked, [record, *rivals])
        found.append(scored.get(record.id, (0.0, {})))
    return found


def _asked(asked: MatchRecord, records: Sequence[MatchRecord]) -> dict[str, _Scored]:
    return {
        scored.id: (
            round(float(scored.score), 4),
            {f.name: round(f.weight, 3) for f in scored.features if f.value},
        )
        for scored in Index(records).query(asked, limit=len(records))
    }


def _record(number: str, group: Sequence[Candidate]) -> MatchRecord:
    """One company as all its sources know it."""
    names = dict.fromkeys(name for each in group for name in (each.name, *each.names))
    name, *other_names = names
    return MatchRecord(
        id=number,
        name=name,
        country=_first(each.country_code for each in group),
        city=_first(each.city for each in group),
        domain=_first(each.domain for each in group),
        ticker=_first(each.ticker for each in group),
        lei=_first(each.identifiers.get("lei") for each in group),
        other_names=tuple(other_names),
    )


def _first(values: Iterable[str | None]) -> str | None:
    return next(filter(None, values), None)


def _keys(group: Iterable[Candidate]) -> set[str]:
    return {name_key(name) for each in group for name in (each.name, *each.names)} - {""}


def _certain(
    query: Query, group: Sequence[Candidate], score: float, features: Mapping[str, float]
) -> _Scored:
    """What an identifier or the domain settles, over what the name says."""
    asked = set(query.identifiers.items())
    if any(asked & set(each.identifiers.items()) for each in group):
        return _SAME_IDENTIFIER, {**features, "same_identifier": 1.0}
    if query.domain and any(query.domain in each.all_domains for each in group):
        return max(score, _SAME_DOMAIN), {**features, "same_domain": 1.0}
    return score, features


def _groups(candidates: Sequence[Candidate]) -> list[list[int]]:
    """The candidates by number, those of one company together.

    What is proved goes first: a name alone brings no two together of which anybody else in either
    group says that they differ.
    """
    groups = _proved_groups(candidates)
    namesakes = _namesakes(candidates)
    for number, others in enumerate(namesakes):
        for other in others:
            one, two = _group_of(groups, number), _group_of(groups, other)
            if (
                one is not two
                and not any(_are_apart(candidates[n], candidates[m]) for n in one for m in two)
                and _may_have_site([candidates[n] for n in one], [candidates[m] for m in two])
                and _is_only_namesake(candidates, namesakes, number, other)
            ):
                groups.remove(two)
                one += two
    return groups


def _group_of(groups: Sequence[list[int]], number: int) -> list[int]:
    return next(group for group in groups if number in group)


def _proved_groups(candidates: Sequence[Candidate]) -> list[list[int]]:
    groups: list[list[int]] = []
    for number, candidate in enumerate(candidates):
        joined = [number]
        tied = [g for g in groups if any(_is_proved_same(candidate, candidates[n]) for n in g)]
        for group in tied:
            if not any(
                _bear_other_entries(candidates[n], candidates[m]) for n in joined for m in group
            ):
                groups.remove(group)
                joined = [*group, *joined]
        groups.append(joined)
    return groups


def _is_proved_same(one: Candidate, other: Candidate) -> bool:
    if any(other.identifiers.get(k) == v for k, v in one.identifiers.items()):
        return True
    if any(k in other.identifiers for k in one.identifiers):
        return False  # a register tells its companies apart
    return not set(one.all_domains).isdisjoint(other.all_domains)


def _bear_other_entries(one: Candidate, other: Candidate) -> bool:
    return any(other.identifiers.get(k, v) != v for k, v in one.identifiers.items())


def _are_apart(one: Candidate, other: Candidate) -> bool:
    """Whether a source, an identifier, a website or the country tells two candidates apart."""
    sites = set(one.all_domains), set(other.all_domains)
    return (
        one.source == other.source
        or _bear_other_entries(one, other)
        or (all(sites) and sites[0].isdisjoint(sites[1]))
        or len({one.country_code, other.country_code} - {None}) > 1
    )


def _may_have_site(one: Sequence[Candidate], other: Sequence[Candidate]) -> bool:
    """Whether a site that only calls itself by the name of a register's company may be that company's."""
    for site, entry in ((one, other), (other, one)):
        domains = {domain for each in site for domain in each.all_domains}
        bear = [any(each.identifiers for each in group) for group in (site, entry)]
        if domains and bear == [False, True]:
            names = {name for each in entry for name in (each.name, *each.names)}
            cities = _first(each.city for each in site), _first(each.city for each in entry)
            return fits(domains, names, cities)
    return True


def _namesakes(candidates: Sequence[Candidate]) -> list[set[int]]:
    """For each candidate, those of other sources that nothing but the name tells of."""
    keys = [{name_key(name) for name in (each.name, *each.names)} - {""} for each in candidates]
    found: list[set[int]] = [set() for _ in candidates]
    for n, one in enumerate(candidates):
        for m, other in enumerate(candidates[:n]):
            if keys[n].isdisjoint(keys[m]) or _are_apart(one, other):
                continue
            if not _is_proved_same(one, other):
                found[n].add(m)
                found[m].add(n)
    return found


def _is_only_namesake(
    candidates: Sequence[Candidate], namesakes: Sequence[set[int]], one: int, other: int
) -> bool:
    """Whether two candidates have a name in common that no other company of their sources has."""
    return all(
        candidates[third].source != candidates[known].source
        or _is_proved_same(candidates[third], candidates[known])
        for asked, known in ((one, other), (other, one))
        for third in namesakes[asked] - {known}
    )


def _merge(
    group: Sequence[Candidate], keys: set[str], score: float, features: Mapping[str, float]
) -> Likeness:
    """One company out of what several sources say; the one that has the name asked for names it."""
    ordered = sorted(group, key=lambda each: name_key(each.name) not in keys)
    identifiers: dict[str, str] = {}
    for candidate in ordered:
        identifiers = dict(candidate.identifiers) | identifiers
    known = next((each.key for each in ordered if each.source == _CATALOGUE), None)
    return Likeness(
        name=ordered[0].name,
        score=score,
        features=features,
        domain=_first(each.domain for each in ordered),
        domains=tuple(dict.fromkeys(d for each in ordered for d in each.all_domains)),
        country_code=_first(each.country_code for each in ordered),
        city=_first(each.city for each in ordered),
        identifiers=identifiers,
        sources=tuple(dict.fromkeys(each.source for each in ordered)),
        company_id=UUID(known) if known else None,
        exact_name=not keys.isdisjoint(_keys(group)),
    )
