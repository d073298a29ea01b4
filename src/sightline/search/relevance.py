"""Relevance: what matters about a company, for a query or without one.

Without one it is what is new: nothing older fills the list up, and an empty list says why.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from functools import cache, partial
from importlib import resources
from typing import Final
from uuid import UUID

import numpy as np

from sightline.domain.signals import SignalFamily
from sightline.domain.titles import read_title
from sightline.reading.periods import latest_day
from sightline.reading.prose import has_sentence, is_whole
from sightline.reading.sentences import sentences
from sightline.search.bm25 import Floats
from sightline.search.ranking import Hit, Request, rank
from sightline.search.retrieve import Retrieved, retriever
from sightline.store import passages, signals
from sightline.store.database import Connection
from sightline.store.evidence_search import newest_day
from sightline.store.passages import StoredPassage
from sightline.store.profiles import STALE_MONTHS

# Of the best match's score; below it a passage is no hit, or of the default request no change.
WEAKEST: Final = 0.25
WEAKEST_CHANGE: Final = 0.6
# The cosine from which a passage without any rarer word of the request is a hit.
CLOSE: Final = 0.5
# Of the terms of a request, by weight: a hit that is not close has so many.
COVERED: Final = 0.2
# What the default request gives those that are no pieces of documents, beside the passage that is most like
# the description of a change: signals are proven to be changes.
WORTH: Final[Mapping[str, float]] = {"signal": 1.0, "technology": 0.2}
PASSAGE: Final = 0.8
_OF_EACH: Final = 200
# Who is sought to lead says where a company goes.
ROLE_OF: Final[Mapping[str, float]] = {
    "owner": 0.3, "c_suite": 0.45, "vp": 0.45, "head": 0.4, "director": 0.4, "lead": 0.22,
    "manager": 0.25, "senior": 0.18, "intern": 0.1, "entry": 0.1,
}  # fmt: skip
ROLE: Final = 0.12


async def relevance(connection: Connection, company_id: UUID, request: Request) -> list[Hit]:
    """All hits within the caps, best first; none where nothing is indexed or nothing matches."""
    if request.text is None:
        return await _new(connection, company_id, request)
    found = await retriever().retrieve(connection, company_id, [request.text], request.reach)
    (vector,) = await retriever().encode([request.text])
    return rank(matching(found), found, request, asked=await asked_families(vector))


async def why_empty(connection: Connection, company_id: UUID, request: Request) -> str:
    """Why relevance found nothing, as a sentence."""
    newest = await newest_day(connection, company_id)
    if request.text is not None:
        return "Nothing known about the company matches the query."
    if newest is None:
        return "Nothing dated is known about the company yet."
    dated = f"The newest evidence is of {newest.date().isoformat()}"
    return f"Nothing new is known about the company. {dated}; a query searches all of it."


async def _new(connection: Connection, company_id: UUID, request: Request) -> list[Hit]:
    """What changed of late: signals that have not expired, and of everything else what is like a change and
    was said within the time that is asked for, or within fifteen months."""
    found = await retriever().retrieve(connection, company_id, [_descriptions()[0]], request.reach)
    expired = await signals.expired_signals(connection, company_id, at=request.now)
    is_new = partial(_is_new, request, expired)
    scored = [pair for pair in _changes(found) if is_new(pair[0])]
    own = await passages.passages_of_origins(
        connection, company_id, request.reach, origins=(*WORTH, "job"), limit=_OF_EACH
    )
    scored += [
        (each, WORTH.get(each.origin) or ROLE_OF.get(read_title(each.title).seniority or "", ROLE))
        for each in own
        if is_new(each)
    ]
    return rank(scored, found, request, asked={})


def _changes(found: Retrieved) -> Iterator[tuple[StoredPassage, float]]:
    """Passages of documents that report a signal, or are like a change, with their worth."""
    best = max((match.score for match in found.matches), default=0.0)
    for match in found.matches:
        if match.passage.origin != "passage":
            continue
        if match.passage.signal_id:
            yield match.passage, WORTH["signal"]
        elif match.score >= WEAKEST_CHANGE * best and has_sentence(match.passage.body):
            yield match.passage, PASSAGE * match.score / best


def _is_new(request: Request, expired: Collection[UUID], passage: StoredPassage) -> bool:
    is_bounded = request.reach.since is not None or request.reach.until is not None
    if passage.signal_id is not None and (is_bounded or passage.signal_id not in expired):
        return True
    if passage.origin == "signal" or passage.published_at is None:
        return False
    if is_bounded:
        return True
    oldest = request.now - timedelta(days=31 * STALE_MONTHS)
    # Filings say most of what they say each year again: what is new there names its time, in a sentence
    # (below a signature or at the head of a table stands a day too).
    if passage.published_at < oldest or passage.kind != "filing":
        return passage.published_at >= oldest
    texts = [passage.body[start:end] for start, end in sentences(passage.body)]
    days = filter(None, map(latest_day, filter(is_whole, texts)))
    return any(day >= oldest.date() for day in days)


def matching(found: Retrieved) -> list[tuple[StoredPassage, float]]:
    """Candidates that are hits: those with some of the weight of the words of the request that occur at all,
    or near it by their vectors, that are not far behind the best."""
    occurring = frozenset[str]().union(*(match.matched for match in found.matches))
    whole = sum(found.weights[term] for term in occurring)
    hits = [
        (match.passage, match.score)
        for match in found.matches
        if match.cosine >= CLOSE
        or (whole and sum(found.weights[term] for term in match.matched) >= COVERED * whole)
    ]
    best = max((score for _, score in hits), default=0.0)
    return [(passage, score) for passage, score in hits if score >= WEAKEST * best]


@cache
def _descriptions() -> tuple[str, Mapping[SignalFamily, str]]:
    """What a material change is, in words, and what each family is about."""
    file = resources.files("sightline.search").joinpath("data", "descriptions.toml")
    read = tomllib.loads(file.read_text("utf-8"))
    families = {SignalFamily(name): text for name, text in read["families"].items()}
    return " ".join(read["changes"].split()), families


async def asked_families(vector: Floats | None) -> dict[SignalFamily, float]:
    """How near a request, by its vector, is to what each family is about; nothing without an encoder."""
    described = _descriptions()[1]
    known = await retriever().encode(list(described.values()))
    return {
        family: max(0.0, float(np.dot(own, vector)))
        for family, own in zip(described, known, strict=True)
        if own is not None and vector is not None
    }
