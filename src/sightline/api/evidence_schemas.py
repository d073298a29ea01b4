"""A piece of evidence in the responses of relevance and evidence search."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Schema
from sightline.domain.signals import SignalFamily, SignalType
from sightline.store.passages import SourceKind


class RelevanceTeller(Schema):
    """The publisher."""

    name: str | None = Field(description="The source that found it.", examples=["sec_edgar"])
    url: str | None
    title: str | None
    publisher: str | None = Field(examples=["sec.gov"])
    published_at: datetime | None


class RelevanceSource(RelevanceTeller):
    kind: SourceKind


class Corroboration(Schema):
    """The independent publishers that report the same."""

    count: int
    sources: list[RelevanceTeller]


class ScoreFactors(Schema):
    """The factors of the score, each 0-1 before weighting."""

    text: float = Field(description="Match to `q`, or to a material change.")
    recency: float
    specificity: float = Field(description="Density of numbers and names.")
    source: float
    family: float
    corroboration: float


class RelevanceItem(Schema):
    """A signal, or a passage of a filing, news item, page, posting or a technology."""

    id: UUID
    family: SignalFamily | None
    type: SignalType | None = Field(description="Of a signal.")
    title: str
    summary: str | None = Field(description="Of a signal.")
    quote: str | None = Field(description="Verbatim from the document.")
    source: RelevanceSource
    document_id: UUID | None
    occurred_at: datetime | None = Field(
        description="When the event of a signal happened; null where its source gives no day:"
        " `source.published_at` is when it was reported. Of a passage: when it was published."
    )
    detected_at: datetime | None
    expires_at: datetime | None
    planned: bool | None = Field(description="For signals: announced, not completed.")
    background: bool | None = Field(
        description="For signals: no news any more when it was reported."
    )
    confidence: float | None = Field(description="0-1.")
    parties: list[dict[str, Any]]
    amount: dict[str, Any] | None
    location: str | None
    corroboration: Corroboration
    score: float = Field(description="0-1: the weighted mean of the factors.")
    score_factors: ScoreFactors
