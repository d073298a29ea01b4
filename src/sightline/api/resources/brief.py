"""The brief of a company: one page for a call."""

from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, json_reply
from sightline.domain.errors import CompanyDoesNotExist
from sightline.domain.signals import Precision
from sightline.kit.clock import now
from sightline.profile.brief import read_brief
from sightline.profile.brief_markdown import markdown

MARKDOWN = "text/markdown"


class BriefCitation(Schema):
    n: int = Field(description="Number of the document in `sources`.", examples=[1])
    quote: str | None = Field(description="Verbatim quote; null for the value of a data field.")


class BriefLine(Schema):
    text: str = Field(examples=["Harbor Analytics operates 42 warehouses in Portugal and Spain."])
    as_of: datetime | date | None = Field(description="Date of its newest document.")
    sources: list[BriefCitation]


class BriefAnswer(BriefLine):
    about: str | None = Field(
        default=None,
        description="The why it answers; for a question, its basis.",
        examples=["Why now?"],
    )


class BriefPerson(BriefLine):
    """`text` is the name."""

    title: str | None = Field(default=None, examples=["Chief Financial Officer"])


class BriefChange(BriefLine):
    """`text` is the title of the signal."""

    date: date
    precision: Precision = Field(
        description="What `date` is: the day it happened, the first day of its month or year, or the day it"
        " was reported where the source gives no day."
    )
    type: str = Field(examples=["acquires"])
    planned: bool = Field(description="Announced but not completed.")
    signal_id: UUID


class TrendPoint(Schema):
    period: str = Field(examples=["FY2025"])
    amount: float


class BriefFigure(Schema):
    label: str = Field(examples=["Revenue"])
    amount: float
    currency: str | None = Field(examples=["USD"])
    period: str = Field(examples=["FY2025"])
    period_end: date
    change: float | None = Field(
        description="Change from the year before, as a fraction.", examples=[0.125]
    )
    trend: list[TrendPoint] = Field(description="At most five fiscal years, newest first.")
    sources: list[BriefCitation]


class BriefSource(Schema):
    n: int = Field(examples=[1])
    document_id: UUID | None
    url: str | None
    title: str | None
    published_at: datetime | date | None


class BriefCompany(Schema):
    company_id: UUID
    company_name: str | None = None
    website_domain: str | None = None
    industry: str | None = None
    sector: str | None = None
    hq_city: str | None = None
    hq_country_name: str | None = None
    stock_ticker: str | None = None
    public_company: bool | None = None


class Brief(Schema):
    """Parts without known facts are empty."""

    company: BriefCompany
    as_of: date = Field(description="Date the brief was created.")
    note: str | None = Field(description="Caveats, e.g. that the newest annual report is old.")
    summary: list[BriefLine] = Field(description="Who they are, in at most two sentences.")
    figures: list[BriefFigure]
    offers: list[BriefLine] = Field(description="What they sell, if no figures are known.")
    changes: list[BriefChange] = Field(
        description="The newest signals that have not expired, at most two per family."
    )
    why_now: list[BriefAnswer] = Field(
        description="Tailored to your offering, once you have described it."
    )
    people: list[BriefPerson]
    questions: list[BriefAnswer]
    sources: list[BriefSource]


async def read(call: Call) -> Reply:
    brief = await read_brief(call.tenant, call.params.company_id, now=now())
    if brief is None:
        raise CompanyDoesNotExist()
    offered = [part.partition(";")[0].strip().lower() for part in call.accept.split(",")]
    if MARKDOWN in offered:
        headers = {"Content-Type": f"{MARKDOWN}; charset=utf-8"}
        return Reply(markdown(brief).encode(), headers=headers)
    return json_reply(brief)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/companies/{company_id}/brief",
        name="read_brief",
        summary="A one-page brief for a call",
        description=(
            "Who they are, their figures, what changed, why now, whom to call and what to ask, each line "
            "with its sources. With `Accept: text/markdown` as a page of Markdown. It calls no model and "
            "costs nothing."
        ),
        tag="Companies",
        scopes=("insights:read",),
        answer=Brief,
        snapshot=True,
        handler=read,
    ),
)
