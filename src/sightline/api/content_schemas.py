"""Requests and responses of the content operations."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Schema
from sightline.api.paging import PageParameters, Pagination
from sightline.api.schemas import never_null
from sightline.profile.content import PLACEHOLDERS
from sightline.store.content import ContentType


class ContentList(PageParameters):
    content_type: ContentType | None = Field(default=None, description="Only items of this type.")


class NewContent(Schema):
    """With `content`, the text is stored as given, free of charge; without, it is composed."""

    content_type: ContentType = Field(examples=["email"])
    title: str | None = Field(default=None, min_length=1, max_length=500)
    content: str | None = Field(default=None, max_length=100_000, description="Your own text.")
    ref_content_template_id: UUID | None = None
    content_setting_id: UUID | None = None


class ContentChange(Schema):
    title: str | None = Field(default=None, min_length=1, max_length=500)
    content: str | None = Field(default=None, max_length=100_000)


class ContentItem(Schema):
    content_id: UUID
    company_id: UUID
    content_type: ContentType
    content_setting_id: UUID | None
    title: str = Field(examples=["Harbor Analytics: an idea"])
    content: str
    ref_content_template_id: UUID | None
    created_at: datetime
    updated_at: datetime | None
    method: str = Field(description="written, extractive, or the name of a model.")
    sources: list[dict[str, Any]] = Field(description="What it quotes, with documents and URLs.")


class ContentPage(Schema):
    """The field is named contacts although it holds content, as in the reference."""

    contacts: list[ContentItem]
    pagination: Pagination


class NewTemplate(Schema):
    name: str = Field(min_length=1, max_length=200, examples=["First email"])
    content_type: ContentType
    body: str = Field(
        min_length=1,
        max_length=20_000,
        description="Text with {{placeholders}}: " + ", ".join(PLACEHOLDERS) + ".",
    )


class TemplateChange(Schema):
    model_config = never_null("name", "content_type", "body")

    name: str | None = Field(default=None, min_length=1, max_length=200)
    content_type: ContentType | None = None
    body: str | None = Field(default=None, min_length=1, max_length=20_000)


class Template(NewTemplate):
    id: UUID
    created_at: str
    updated_at: str


class NewSetting(Schema):
    name: str = Field(min_length=1, max_length=200, examples=["Short and plain"])
    tone: str = Field(default="plain", max_length=100)
    language: str = Field(default="en", min_length=2, max_length=10)
    length: Literal["short", "medium", "long"] = "short"
    signature: str = Field(default="", max_length=1000)


class SettingChange(Schema):
    model_config = never_null("name", "tone", "language", "length", "signature")

    name: str | None = Field(default=None, min_length=1, max_length=200)
    tone: str | None = Field(default=None, max_length=100)
    language: str | None = Field(default=None, min_length=2, max_length=10)
    length: Literal["short", "medium", "long"] | None = None
    signature: str | None = Field(default=None, max_length=1000)


class Setting(NewSetting):
    id: UUID
    created_at: str
    updated_at: str
