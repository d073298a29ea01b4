"""Parts of assistant answers, in chats and in agent sessions."""

from typing import Annotated, Final
from uuid import UUID

from pydantic import AfterValidator, Field

from sightline.api.endpoint import Schema

LONGEST_MESSAGE: Final = 4_000  # characters


class Citation(Schema):
    n: int = Field(description="Number in the answer, such as [1].")
    document_id: UUID | None = Field(description="Null for your own records, such as a contact.")
    url: str | None
    title: str | None = Field(description="Title of the document; for data, the location in it.")
    quote: str | None = Field(description="Verbatim from the document; null for data.")
    published_at: str | None


class RelatedDocument(Schema):
    document_id: UUID
    url: str | None
    title: str | None
    published_at: str | None


class NearPassage(RelatedDocument):
    quote: str = Field(description="Verbatim from the document.")


Nearest = Annotated[
    list[NearPassage],
    Field(
        description="The closest passages where `evidence` is `none`. They may not answer the question."
    ),
]


def _says_something(value: str) -> str:
    if not value.strip():
        raise ValueError("The message is empty.")
    return value


Message = Annotated[
    str,
    AfterValidator(_says_something),
    Field(max_length=LONGEST_MESSAGE, json_schema_extra={"pattern": r"\S"}),
]
"""What a person says: something, and not too long."""
