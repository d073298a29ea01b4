"""Seller context: what the organization sells, and the questions it asks about every company."""

from typing import Any
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, deleted, of_resource, one
from sightline.api.paging import PageParameters, listing, page_of
from sightline.api.schemas import Deleted
from sightline.domain.errors import NameIsTaken, QuestionDoesNotExist
from sightline.domain.sellers import (
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    LONGEST_QUESTION,
    MOST_COUNTRIES,
    MOST_ENTRIES,
)
from sightline.store import seller_context as store


class Offering(Schema):
    """A product or service of your organization."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME, examples=["Route planning"])
    description: str = Field(default="", max_length=LONGEST_DESCRIPTION)
    value_propositions: list[str] = Field(default=[], max_length=MOST_ENTRIES)
    keywords: list[str] = Field(default=[], max_length=MOST_ENTRIES)


class IdealProfile(Schema):
    """Your ideal customer; an empty list sets no criterion."""

    industries: list[str] = Field(default=[], max_length=MOST_ENTRIES)
    countries: list[str] = Field(
        default=[],
        max_length=MOST_COUNTRIES,
        description="ISO 3166 codes.",
        examples=[["DE", "AT"]],
    )
    employee_ranges: list[str] = Field(default=[], max_length=MOST_ENTRIES)
    revenue_ranges: list[str] = Field(default=[], max_length=MOST_ENTRIES)
    technologies: list[str] = Field(default=[], max_length=MOST_ENTRIES)
    keywords: list[str] = Field(default=[], max_length=MOST_ENTRIES)


class SellerContext(Schema):
    """What your organization sells, to whom, and against which competitors."""

    company_name: str = Field(default="", max_length=LONGEST_NAME)
    offerings: list[Offering] = Field(default=[], max_length=MOST_ENTRIES)
    value_propositions: list[str] = Field(default=[], max_length=MOST_ENTRIES)
    personas: list[str] = Field(
        default=[], max_length=MOST_ENTRIES, examples=[["Head of logistics"]]
    )
    competitors: list[str] = Field(default=[], max_length=MOST_ENTRIES)
    ideal_profile: IdealProfile = IdealProfile()


class NewQuestion(Schema):
    name: str = Field(min_length=1, max_length=LONGEST_NAME, examples=["Warehouse automation"])
    question: str = Field(
        min_length=1, max_length=LONGEST_QUESTION, examples=["Does it automate its warehouses?"]
    )
    keywords: list[str] = Field(
        default=[], max_length=MOST_ENTRIES, description="Words an answer is likely to contain."
    )


class QuestionChange(Schema):
    name: str | None = Field(default=None, min_length=1, max_length=LONGEST_NAME)
    question: str | None = Field(default=None, min_length=1, max_length=LONGEST_QUESTION)
    keywords: list[str] | None = Field(default=None, max_length=MOST_ENTRIES)


class CustomQuestion(Schema):
    """A question that is answered with evidence in `custom_insights` of every profile."""

    id: UUID
    name: str
    question: str
    keywords: list[str]
    created_at: str
    updated_at: str


async def read_context(call: Call) -> Reply:
    stored, _ = await store.read_context(call.tenant)
    return _shown(stored)


async def change_context(call: Call) -> Reply:
    given = call.body.model_dump(mode="json", exclude_unset=True)
    stored = await store.change_context(call.tenant, given)
    return _shown(stored)


list_questions = listing(store.questions_page, "custom-questions")


async def create_question(call: Call) -> Reply:
    values = call.body.model_dump()
    question_id = await store.add_question(call.tenant, values)
    return await _question(call, question_id, status=201)


async def read_question(call: Call) -> Reply:
    return await _question(call, call.params.question_id)


async def change_question(call: Call) -> Reply:
    question_id = call.params.question_id
    if not await store.change_question(call.tenant, question_id, call.body.model_dump()):
        raise QuestionDoesNotExist()
    return await _question(call, question_id)


async def delete_question(call: Call) -> Reply:
    question_id = call.params.question_id
    found = await store.delete_question(call.tenant, question_id)
    return deleted(found, QuestionDoesNotExist, question_id)


async def _question(call: Call, question_id: UUID, *, status: int = 200) -> Reply:
    text = await store.read_question(call.tenant, question_id)
    return one(text, QuestionDoesNotExist, status=status)


def _shown(stored: dict[str, Any]) -> Reply:
    return Reply(SellerContext.model_validate(stored).model_dump_json().encode())


ENDPOINTS = of_resource(
    "Seller context",
    ("insights:read", "insights:write"),
    Endpoint(
        method="GET",
        path="/seller-context",
        name="read_seller_context",
        summary="What your organization sells, and to whom",
        answer=SellerContext,
        handler=read_context,
    ),
    Endpoint(
        method="PATCH",
        path="/seller-context",
        name="update_seller_context",
        summary="Replace parts of the seller context",
        description="Each part you send replaces the stored one; the others stay.",
        body=SellerContext,
        answer=SellerContext,
        handler=change_context,
    ),
    Endpoint(
        method="GET",
        path="/custom-questions",
        name="list_custom_questions",
        summary="Questions asked about every company, by name",
        params=PageParameters,
        answer=page_of(CustomQuestion),
        handler=list_questions,
    ),
    Endpoint(
        method="POST",
        path="/custom-questions",
        name="create_custom_question",
        summary="Ask a question about every company",
        body=NewQuestion,
        answer=CustomQuestion,
        status=201,
        errors=(NameIsTaken,),
        handler=create_question,
    ),
    Endpoint(
        method="GET",
        path="/custom-questions/{question_id}",
        name="read_custom_question",
        summary="Read one question",
        answer=CustomQuestion,
        handler=read_question,
    ),
    Endpoint(
        method="PATCH",
        path="/custom-questions/{question_id}",
        name="update_custom_question",
        summary="Change a question; it is answered again",
        body=QuestionChange,
        answer=CustomQuestion,
        errors=(NameIsTaken,),
        handler=change_question,
    ),
    Endpoint(
        method="DELETE",
        path="/custom-questions/{question_id}",
        name="delete_custom_question",
        summary="Delete a question",
        answer=Deleted,
        handler=delete_question,
    ),
)
