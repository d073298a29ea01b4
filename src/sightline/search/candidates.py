"""What ranking knows of a passage besides its words, one by one and packed for a whole company."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sightline.domain.signals import SignalFamily
from sightline.search.duplicates import Fingerprint, alike

SourceKind = Literal["insight", "filing", "news", "web", "job", "technology"]
SOURCE_KINDS: Final[tuple[SourceKind, ...]] = get_args(SourceKind)
_FAMILIES = tuple(SignalFamily)

# One passage. Times are minutes since 1970, the lowest number where unknown; kind and family are
# places in SOURCE_KINDS and SignalFamily, 255 for none; `source`, `story` and `within` are checksums of
# names; `cue` is the strength of its cues in 255ths. New columns go last: rows that were written before
# are shorter and lack them.
_ROW = np.dtype(
    [
        ("published", "<i4"),
        ("kind", "u1"),
        ("family", "u1"),
        ("source", "<u4"),
        ("story", "<u4"),
        ("told", "u1"),
        ("words", "<u8"),
        ("numbers", "<u4"),
        ("cue", "u1"),
        ("within", "<u4"),
        ("best_at", "<u2"),
    ]
)
_INSIGHT = SOURCE_KINDS.index("insight")
_UNKNOWN_TIME = np.iinfo(np.int32).min
_NONE = 255


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage that may be shown. `text_score` is 0-1, from retrieval; `source` names where it was said
    (a publisher, a document): two candidates of one source do not corroborate each other. `cue` (0-1) is
    how surely it tells of a material change (`substance.substance`). Candidates of one `story` tell one
    known happening; `told` is how many sources are already known to tell it. An insight and the passage
    it is quoted from have the same `within`. `best_at` is where in its text the sentence begins that tells
    most."""

    id: str
    source_kind: SourceKind
    source: str
    text_score: float
    family: SignalFamily | None = None
    published_at: datetime | None = None
    fingerprint: Fingerprint | None = None
    cue: float = 0.0
    story: str = ""
    told: int = 1
    within: str = ""
    best_at: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """What all rankers may know of the request. `asked` says how much the words of the request speak of
    each family (0-1); None when the request has no words and material changes are sought. `told_by` has,
    by candidate id, how many different sources tell the same; 1 for those it does not name."""

    now: datetime
    asked: Mapping[SignalFamily, float] | None = None
    told_by: Mapping[str, int] = field(default_factory=dict)


class Columns:
    """The same facts of all passages of a company, 34 bytes each, for filtering and for candidates."""

    def __init__(self, rows: "NDArray[np.void]") -> None:
        self._rows = rows

    @classmethod
    def of(cls, candidates: Sequence[Candidate]) -> "Columns":
        """Passages in the order of the index."""
        rows = np.zeros(len(candidates), _ROW)
        for row, candidate in zip(rows, candidates, strict=True):
            published = candidate.published_at
            row["published"] = (
                _UNKNOWN_TIME if published is None else int(published.timestamp() // 60)
            )
            row["kind"] = SOURCE_KINDS.index(candidate.source_kind)
            row["family"] = _NONE if candidate.family is None else _FAMILIES.index(candidate.family)
            row["source"] = zlib.crc32(candidate.source.encode())
            row["story"] = zlib.crc32(candidate.story.encode())  # 0 for none
            row["told"] = min(255, candidate.told)
            if candidate.fingerprint is not None:
                row["words"] = candidate.fingerprint.words
                row["numbers"] = candidate.fingerprint.numbers
            row["cue"] = round(255 * candidate.cue)
            row["within"] = zlib.crc32(candidate.within.encode())
            row["best_at"] = candidate.best_at
        return cls(rows)

    @classmethod
    def unpack(cls, packed: bytes, documents: int) -> "Columns":
        """What older rows lack is 0."""
        held = np.frombuffer(packed, np.uint8).reshape(documents, len(packed) // max(1, documents))
        if held.shape[1] == _ROW.itemsize:
            return cls(np.frombuffer(packed, _ROW))
        rows = np.zeros((documents, _ROW.itemsize), np.uint8)
        rows[:, : held.shape[1]] = held
        return cls(rows.view(_ROW)[:, 0])

    @classmethod
    def join(cls, parts: "Sequence[Columns]") -> "Columns":
        """Of several segments, one after the other."""
        return cls(np.concatenate([np.zeros(0, _ROW), *(part._rows for part in parts)]))

    def take(self, documents: NDArray[np.integer]) -> "Columns":
        """Of these passages only."""
        return Columns(self._rows[documents])

    def pack(self) -> bytes:
        return self._rows.tobytes()

    def __len__(self) -> int:
        return len(self._rows)

    def allowed(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: Sequence[SourceKind] | None = None,
        deleted: NDArray[np.integer] | None = None,
    ) -> NDArray[np.bool_]:
        """One truth value a passage. A passage of unknown time is outside every time bound."""
        mask = np.ones(len(self._rows), bool)
        published = self._rows["published"]
        if since is not None or until is not None:
            mask &= published != _UNKNOWN_TIME
        if since is not None:
            mask &= published >= -(-since.timestamp() // 60)
        if until is not None:
            mask &= published <= until.timestamp() // 60
        if kinds is not None:
            mask &= np.isin(self._rows["kind"], [SOURCE_KINDS.index(kind) for kind in kinds])
        if deleted is not None:
            mask[deleted] = False
        return mask

    def cues(self) -> NDArray[np.float32]:
        """Strength of the cues of every passage, 0-1: the text score where a request has no words."""
        return (self._rows["cue"] / 255).astype(np.float32)

    def kinds(self) -> NDArray[np.uint8]:
        """Of every passage, the place of its kind in SOURCE_KINDS."""
        return np.ascontiguousarray(self._rows["kind"])

    def ages(self, now: datetime) -> NDArray[np.float64]:
        """Days since every passage was published, 0 for what is to come; NaN where it is unknown."""
        published = self._rows["published"]
        days = np.maximum(0.0, (now.timestamp() / 60 - published.astype(np.float64)) / 1440)
        days[published == _UNKNOWN_TIME] = np.nan
        return days

    def family_worth(self, families: Sequence[float]) -> NDArray[np.float32]:
        """Of every passage, by the place of its family in SignalFamily; the last one for none."""
        place = np.minimum(self._rows["family"], len(families) - 1)
        worth: NDArray[np.float32] = np.array(families, np.float32)[place]
        return worth

    def standing(self, documents: NDArray[np.int32], *, days: float) -> NDArray[np.bool_]:
        """Of these passages, whether one of the same kind that was published so many days before or after
        says nearly the same with the same figures: what every report says tells nothing new. Insights
        are alike in words where they tell of like happenings; their best sentence has to be the same."""
        rows = self._rows[documents]
        repeated = np.zeros(len(documents), bool)
        for kind in np.unique(rows["kind"]):
            own = np.flatnonzero((rows["kind"] == kind) & (rows["published"] != _UNKNOWN_TIME))
            dated = (self._rows["kind"] == kind) & (self._rows["published"] != _UNKNOWN_TIME)
            some, others = rows[own], self._rows[dated]
            same = (some["story"][:, None] == others["story"]) & (some["story"] != 0)[:, None]
            if kind != _INSIGHT:
                same |= alike(some["words"], some["numbers"], others["words"], others["numbers"])
            for at, other in zip(*np.nonzero(same), strict=True):
                apart = abs(int(some["published"][at]) - int(others["published"][other]))
                repeated[own[at]] |= apart >= days * 1440
        return repeated

    def superseded(self, documents: NDArray[np.int32], *, days: float) -> NDArray[np.bool_]:
        """Of these passages, whether the newest of them of the same kind is so many days newer."""
        rows = self._rows[documents]
        older = np.zeros(len(documents), bool)
        for kind in np.unique(rows["kind"]):
            own = (rows["kind"] == kind) & (rows["published"] != _UNKNOWN_TIME)
            published = rows["published"][own].astype(np.int64)
            if len(published):
                older[own] = published < published.max() - days * 1440
        return older

    def candidates(
        self, documents: NDArray[np.int32], text_scores: NDArray[np.float32]
    ) -> list[Candidate]:
        """Candidates of retrieved passages; ids and sources are their numbers as text."""
        found = []
        for document, row, score in zip(
            documents.tolist(), self._rows[documents].tolist(), text_scores.tolist(), strict=True
        ):
            published, kind, family, source, story, told, words, numbers, cue, within, best = row
            found.append(
                Candidate(
                    id=str(document),
                    source_kind=SOURCE_KINDS[kind],
                    source=str(source),
                    text_score=score,
                    family=None if family == _NONE else _FAMILIES[family],
                    published_at=(
                        None
                        if published == _UNKNOWN_TIME
                        else datetime.fromtimestamp(published * 60, UTC)
                    ),
                    fingerprint=Fingerprint(words, numbers) if words else None,
                    cue=cue / 255,
                    story=str(story) if story else "",
                    told=told,
                    within=str(within) if within else "",
                    best_at=best,
                )
            )
        return found
