"""What answers of the assistant are made of, in a chat and in agent sessions."""

from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Schema


class Citation(Schema):
    n: int = Field(description="Its number in the answer: [1].")
    document_id: UUID | None = Field(
        description="Null for a record of your own, such as a contact."
    )
    url: str | None
    title: str | None = Field(description="Of the document; of data, the place in it.")
    quote: str | None = Field(description="Word for word in the document; null for data.")
    published_at: str | None


class RelatedDocument(Schema):
    document_id: UUID
    url: str | None
    title: str | None
    published_at: str | None


def check_message(value: str) -> str:
    """Raises ValueError for a message without a word."""
    if not value.strip():
        raise ValueError("The message is empty.")
    return value
