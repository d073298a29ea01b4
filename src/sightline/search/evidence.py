"""Retrieval results: passages of a company's evidence, and the query terms that none of them has."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

SourceKind = Literal["insight", "filing", "news", "web", "job", "technology"]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a company's evidence. `text` appears verbatim in its document, from character `start`
    to `end` of its text where these are known. `context` is what a reader needs beside it: header,
    period and unit of a table row, title and place of a posting, heading of a section. `matched` has the
    words of the question found here, the rarest first. `score` is 0-1; `near` is the similarity of the
    embeddings, 0-1, None where the passage has none."""

    id: str
    company_id: UUID
    document_id: UUID | None
    kind: SourceKind
    title: str
    heading: str
    url: str | None
    published_at: datetime | None
    text: str
    start: int | None
    end: int | None
    context: str
    score: float
    matched: tuple[str, ...]
    near: float | None = None


@dataclass
class Found:
    """Passages, best first, and the content words of the question that no passage of the company has."""

    passages: list[Passage] = field(default_factory=list)
    missing: tuple[str, ...] = ()
