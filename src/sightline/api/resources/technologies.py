"""The technologies that a company uses or hires for, with the evidence."""

from datetime import datetime
from functools import cache, partial
from uuid import UUID

from pydantic import Field

from sightline.api.asked_company import list_of_company
from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.filtering import vocabulary_warning
from sightline.api.paging import PageParameters, page_of, with_pagination
from sightline.domain.technologies import products
from sightline.store.technologies import technologies_page


class TechnologyParameters(PageParameters):
    company_id: UUID = Field(description="Id of the company.")
    category: str | None = Field(default=None, max_length=100, description="Only this category.")
    active: bool | None = Field(
        default=None,
        description="Only technologies still present at the last check, or only the others.",
    )


class TechnologyEvidence(Schema):
    """`quote` is verbatim from the posting or page: a sentence, the tag, header or script, or the
    full URL of what the page loads; null if no words show it."""

    source: str = Field(examples=["website"])
    evidence_kind: str = Field(examples=["script"])
    quote: str | None
    url: str
    document_id: UUID | None
    last_seen_at: datetime


class Technology(Schema):
    """One product. `postings` counts the job postings that name it."""

    product: str = Field(examples=["Kubernetes"])
    vendor: str | None
    category: str | None = Field(examples=["containers"])
    first_seen_at: datetime
    last_seen_at: datetime
    active: bool
    evidence_kind: str = Field(examples=["job_posting"])
    quote: str | None
    confidence: float = Field(description="0-1, from all kinds of evidence.")
    postings: int
    sources: list[TechnologyEvidence]


async def list_technologies(call: Call) -> Reply:
    asked: TechnologyParameters = call.params
    page = partial(technologies_page, category=asked.category, active=asked.active)
    items, described = await list_of_company(
        call, page, bound_to=("technologies", asked.category, asked.active)
    )
    # The categories of pages come with their parsers, which take long to import.
    headers = (
        vocabulary_warning("category", asked.category.lower(), _categories())
        if asked.category is not None
        else {}
    )
    return Reply(with_pagination(items, described), headers=headers)


@cache
def _categories() -> tuple[str, ...]:
    """Every category that a technology may have, of pages and of postings, in small letters."""
    from sightline.sources.website.technologies import fingerprints

    of_pages = {fingerprint.category.lower() for fingerprint in fingerprints()}
    return tuple(sorted(of_pages | {product.category.lower() for product in products().values()}))


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/companies/{company_id}/technologies",
        name="list_technologies",
        summary="Technologies of a company, with evidence, most certain first",
        description=(
            "From its web pages, other documents and job postings. A technology that is no longer found "
            "stays in the list with `active: false` and the date it was last seen. Postings are not evidence "
            "for technologies that the company makes itself, or that its customers, competitors or investors "
            "use."
        ),
        tag="Companies",
        scopes=("insights:read",),
        params=TechnologyParameters,
        answer=page_of(Technology),
        headers={"X-Warning": "An unknown category."},
        handler=list_technologies,
    ),
)
