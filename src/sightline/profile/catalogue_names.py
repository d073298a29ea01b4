"""Companies of the catalogue that a text names as competitors. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from sightline.domain.names import name_key
from sightline.match.decide import decide
from sightline.match.index import Index
from sightline.match.model import shipped_weights
from sightline.match.records import Candidate
from sightline.profile.evidence import Known

# A name alone, without place or website, must say this much where it is not how the other begins.
_SURE: Final = 0.9


def match_names(names: Mapping[str, str], catalogue: Sequence[Known]) -> dict[str, Known]:
    """Name key → the company meant, of names by their key; those that may mean several have none.

    A company whose key is the same is meant, unless several have it; else the matcher decides.
    """
    same: dict[str, list[Known]] = defaultdict(list)
    for known in catalogue:
        same[name_key(known.name)].append(known)
    found = {key: same[key][0] for key in names if len(same.get(key, ())) == 1}
    open_names = {key: name for key, name in names.items() if key not in same}
    if not open_names or not catalogue:
        return found
    by_id = {str(known.company_id): known for known in catalogue}
    index = Index(
        Candidate(id=i, name=known.name, domain=known.domain) for i, known in by_id.items()
    )
    asked = [Candidate(id=key, name=name) for key, name in open_names.items()]
    for each, scored in zip(asked, index.query_many(asked), strict=True):
        best = decide(scored)
        if best.outcome != "matched" or best.best is None:
            continue
        known = by_id[best.best.id]
        if best.best.score >= max(_least(each.id, known), shipped_weights().threshold):
            found[each.id] = known
    return found


def _least(key: str, known: Known) -> float:
    """What a company must score: less when its name begins with the words that are said."""
    return 0.0 if name_key(known.name).startswith(f"{key} ") else _SURE
