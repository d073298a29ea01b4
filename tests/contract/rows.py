"""The reference as rows: what each operation takes and answers. The tests beside run over these.

Kinds are JSON types; "uuid", "uri" and "date-time" are strings of that form.
"""

import re
from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import uuid4

from sightline.api.endpoints import BASE_PATH
from sightline.profile import registry, shapes

Kind = Literal[
    "string", "integer", "number", "boolean", "object", "array", "uuid", "uri", "date-time"
]
Place = Literal["path", "query", "body"]


@dataclass(frozen=True)
class Field:
    """One field of an answer. `inner` are the fields of an object, or of an array's elements;
    `of` is the kind of an array's elements when they are plain."""

    name: str
    kind: Kind
    nullable: bool = False
    required: bool = False
    inner: tuple["Field", ...] = ()
    of: Kind | None = None


@dataclass(frozen=True)
class Parameter:
    """One thing an operation takes. `largest` is the most it may be."""

    name: str
    place: Place
    kind: Kind
    default: Any = None
    largest: int | None = None
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation. `scope` is None where no key is needed."""

    method: str
    path: str
    scope: str | None = None
    success: int = 200
    statuses: frozenset[int] = frozenset()
    maturity: Literal["ga", "beta"] = "ga"
    parameters: tuple[Parameter, ...] = ()
    fields: tuple[Field, ...] = ()
    ours: bool = False  # not in the reference
    also: tuple[str, ...] = ()  # scopes that suffice too
    # Answered with an object of the shared world only; else any account's company suffices.
    world: bool = False
    sample: dict[str, Any] | None = None  # a body, where the answer says little without one

    @property
    def id(self) -> str:
        return f"{self.method} {self.path}"


def _strings(*names: str, nullable: bool = True) -> tuple[Field, ...]:
    return tuple(Field(name, "string", nullable) for name in names)


COMPANY = (
    Field("company_id", "uuid", required=True),
    *_strings("company_name", "website_domain", nullable=False),
    Field("public_company", "boolean"),
    *_strings("country_code", "profile_network_url", "hq_city", "hq_state", "hq_address"),
    *_strings("hq_postcode", "hq_country_name", "region", "ceo", "sector", "industry"),
    *_strings("revenue_range", "employee_count_range"),
    Field("full_time_employees", "integer", nullable=True),
    Field("alternative_domains", "array", nullable=True, of="string"),
    Field("alternative_names", "array", nullable=True, of="string"),
    Field("tags", "array", nullable=True, of="string"),
    *_strings("description", "stock_ticker", "stock_currency"),
    *_strings("stock_exchange_name", "stock_exchange_symbol"),
    Field("market_cap", "number", nullable=True),
)

ACCOUNT_ITEM = (
    Field("id", "uuid", required=True),
    Field("domain", "string"),
    Field("website", "uri"),
    *_strings("employee_size_category", "revenue_category", "country"),
    *(
        Field("profile_network_url", "uri", nullable=True)
        if field.name == "profile_network_url"
        else field
        for field in COMPANY
    ),
)

PAGINATION = (
    Field("page", "integer", required=True),
    Field("per_page", "integer", required=True),
    Field("total", "integer", nullable=True),
    Field("total_items", "integer", nullable=True),
    Field("total_pages", "integer"),
    Field("has_next", "boolean", nullable=True),
    Field("has_previous", "boolean", nullable=True),
)
# Ours, beside those of the reference.
CURSOR = Field("next_cursor", "string", nullable=True)

FILTERS = ("industry", "employee_size_category", "revenue_category", "country", "company_name")
ECHO = (
    *_strings(*FILTERS),
    Field("public_company", "boolean", nullable=True),
    Field("page", "integer"),
    Field("per_page", "integer"),
    Field("offset", "integer"),
    Field("sort", "string"),
    Field("filter", "object", nullable=True),
    Field("changed_since", "date-time", nullable=True),
)
FACET_VALUE = (Field("count", "integer", required=True),)

COMPANY_ID = Parameter("company_id", "path", "uuid", required=True)
PER_PAGE = Parameter("per_page", "query", "integer", default=25, largest=50)

HEALTH = Operation(
    method="GET",
    path="/health",
    statuses=frozenset({503}),
    fields=(
        Field("status", "string", required=True),
        Field("version", "string", required=True),
        Field("database", "string", required=True),
        Field("queue", "string", required=True),
    ),
)

READY = Operation(
    method="GET",
    path="/ready",
    statuses=frozenset({503}),
    fields=(
        Field("status", "string", required=True),
        Field("reason", "string", nullable=True),
    ),
)

ACCOUNTS = Operation(
    method="POST",
    path="/accounts",
    scope="accounts:read",
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(
        *(Parameter(name, "body", "string") for name in FILTERS),
        Parameter("public_company", "body", "boolean"),
        Parameter("page", "body", "integer", default=0),
        Parameter("per_page", "body", "integer", default=25, largest=50),
        Parameter("offset", "body", "integer", default=0),
        # Ours.
        Parameter("cursor", "body", "string"),
        Parameter("sort", "body", "string", default="company_name"),
        Parameter("facets", "body", "array"),
        Parameter("filter", "body", "object"),
        Parameter("changed_since", "body", "string"),
    ),
    fields=(
        Field("items", "array", required=True, inner=ACCOUNT_ITEM),
        Field("pagination", "object", required=True, inner=(*PAGINATION, CURSOR)),
        Field("request", "object", required=True, inner=ECHO),
        Field("facets", "object", nullable=True),
    ),
)

COMPANY_RECORD = Operation(
    method="GET",
    path="/companies/{company_id}",
    scope="insights:read",
    statuses=frozenset({400, 401, 403, 404}),
    parameters=(COMPANY_ID, Parameter("provenance", "query", "boolean", default=False)),
    fields=(
        *COMPANY,
        # Ours.
        Field("merged_into", "uuid", nullable=True),
        Field("provenance", "object", nullable=True),
    ),
)

CREDITS = Operation(
    method="GET",
    path="/organization/credits",
    scope="org_settings:read",
    statuses=frozenset({401}),
    fields=(
        Field(
            "organization",
            "object",
            required=True,
            inner=(Field("id", "uuid", required=True), Field("name", "string", required=True)),
        ),
        Field(
            "credit_remaining",
            "object",
            required=True,
            inner=tuple(
                Field(f"{credit}_credits", "integer", required=True)
                for credit in ("company", "content", "territory", "contact")
            ),
        ),
    ),
)

LEDGER = Operation(
    method="GET",
    path="/organization/credits/ledger",
    scope="org_settings:read",
    ours=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    parameters=(
        Parameter("credit", "query", "string"),
        Parameter("page", "query", "integer", default=1),
        PER_PAGE,
        Parameter("cursor", "query", "string"),
    ),
    fields=(
        Field(
            "items",
            "array",
            required=True,
            inner=(
                Field("id", "uuid", required=True),
                Field("created_at", "date-time", required=True),
                Field("credit", "string", required=True),
                Field("kind", "string", required=True),
                Field("amount", "integer", required=True),
                Field("balance_after", "integer", required=True),
                Field("reason", "string", required=True),
                Field("operation", "string", required=True),
                Field("key_id", "uuid", nullable=True, required=True),
                Field("request_id", "string", nullable=True, required=True),
            ),
        ),
        Field("pagination", "object", required=True, inner=(*PAGINATION, CURSOR)),
    ),
)


TELLER = (
    *_strings("name", "url", "title", "publisher"),
    Field("published_at", "date-time", nullable=True),
)
RELEVANCE = Operation(
    method="GET",
    path="/companies/{company_id}/relevance",
    scope="companies:read",
    statuses=frozenset({400, 401, 403, 404}),
    parameters=(
        COMPANY_ID,
        Parameter("q", "query", "string"),
        Parameter("max_hits_per_source", "query", "integer", default=10, largest=50),
        Parameter("since", "query", "string"),
        Parameter("until", "query", "string"),
        Parameter("page", "query", "integer", default=1),
        PER_PAGE,
        Parameter("cursor", "query", "string"),
    ),
    fields=(
        Field(
            "items",
            "array",
            required=True,
            inner=(
                Field("id", "uuid", required=True),
                *_strings("family", "type", "summary", "quote", "location"),
                Field("title", "string", required=True),
                Field("source", "object", inner=(Field("kind", "string"), *TELLER)),
                Field("document_id", "uuid", nullable=True),
                *(
                    Field(name, "date-time", nullable=True)
                    for name in ("occurred_at", "detected_at", "expires_at")
                ),
                Field("planned", "boolean", nullable=True),
                Field("background", "boolean", nullable=True),
                Field("confidence", "number", nullable=True),
                Field("parties", "array"),
                Field("amount", "object", nullable=True),
                Field(
                    "corroboration",
                    "object",
                    inner=(Field("count", "integer"), Field("sources", "array", inner=TELLER)),
                ),
                Field("score", "number", required=True),
                Field(
                    "score_factors",
                    "object",
                    required=True,
                    inner=tuple(
                        Field(name, "number")
                        for name in (
                            "text",
                            "recency",
                            "specificity",
                            "source",
                            "family",
                            "corroboration",
                        )  # `specificity` is ours
                    ),
                ),
            ),
        ),
        Field("total", "integer", required=True),
        Field("page", "integer", required=True),
        Field("per_page", "integer", required=True),
        # Ours.
        Field("pagination", "object", required=True, inner=(*PAGINATION, CURSOR)),
        Field("reason", "string", nullable=True),
    ),
)
GRAPH = replace(RELEVANCE, path="/companies/{company_id}/graph")


# `method` is ours: the model that wrote a statement.
MADE_OF = (
    Field("as_of", "string", nullable=True),
    Field("sources", "array"),
    Field("method", "string", nullable=True),
)
STATEMENT = (
    Field("name", "string", required=True),
    Field("description", "string", required=True),
    *MADE_OF,
)
PROFILE = Operation(
    method="GET",
    path="/companies/{company_id}/profile",
    scope="insights:read",
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(
        COMPANY_ID,
        Parameter("include", "query", "string"),
        Parameter("exclude", "query", "string"),
        Parameter("sources", "query", "boolean", default=False),
    ),
    fields=(
        Field("company_id", "uuid", required=True),
        *_strings("company_name", "website_domain", nullable=False),
        *_strings("hq_country_name", "industry", "revenue_range", "employee_count_range"),
        Field("overview", "object"),
        Field(
            "divisions",
            "array",
            inner=(
                Field("division_name", "string", required=True),
                *_strings("division_summary", "last_year_label", "last_year_financial_year_end"),
                Field("last_year_revenue_gross", "number", nullable=True),
                *_strings("last_year_gross_revenue_change"),
                *_strings("year_before_label", "year_before_financial_year_end"),
                Field("year_before_revenue_gross", "number", nullable=True),
                *_strings("year_before_gross_revenue_change"),
                *(
                    Field(name, "array", inner=STATEMENT)
                    for name in ("priorities", "challenges", "digital_strategies")
                ),
                Field(
                    "key_people",
                    "array",
                    inner=(
                        *_strings("name", "source", "description", nullable=False),
                        *MADE_OF,
                    ),
                ),
                *MADE_OF,
            ),
        ),
        Field(
            "key_executives",
            "array",
            inner=(
                Field("name", "string", required=True),
                *_strings("title"),
                *MADE_OF,
            ),
        ),
        *(
            Field(each.name, "array", inner=STATEMENT)
            for each in registry.ALL
            if each.shape is shapes.Statement
        ),
        Field(
            "swot_analysis", "array", inner=(*STATEMENT, Field("type", "string", required=True))
        ),
        Field(
            "competitors", "array", inner=(*STATEMENT, Field("website", "uri", nullable=True))
        ),
        Field(
            "events",
            "array",
            inner=(
                Field("id", "uuid", required=True),
                *_strings("event_title", "fiscal_label", nullable=False),
                Field("period_end_date", "string"),
                Field("gross_revenue", "number"),
                *_strings("gross_revenue_change"),
                *(
                    Field(name, "array", inner=STATEMENT)
                    for name in (
                        "earnings_call_new_strategies", "earnings_call_summary",
                        "earnings_call_quotes", "event_new_strategies",
                        "earnings_call_challenges", "digital_strategies",
                    )
                ),
                *MADE_OF,
            ),
        ),
        *(
            Field(each.name, "array")
            for each in registry.ALL
            if each.shape in (shapes.Open, shapes.TechnologyCount)
        ),
        # Ours.
        Field("sections", "object", required=True),
    ),
)  # fmt: skip


PROFILE_WRITING = Operation(
    method="POST",
    path="/companies/{company_id}/profile",
    scope="insights:write",
    ours=True,
    parameters=(COMPANY_ID, Parameter("dry_run", "query", "boolean", default=False)),
    fields=(
        Field("company_id", "uuid", required=True),
        Field("status", "string", required=True),
        Field("model", "string", nullable=True),
        Field("sections", "integer", required=True),
        Field("tokens", "integer", required=True),
    ),
)


COUNTS = tuple(Field(name, "integer", required=True) for name in ("opened", "closed", "active"))
JOBS = Operation(
    method="GET",
    path="/companies/{company_id}/jobs",
    scope="jobs:read",
    statuses=frozenset({400, 401, 402, 403, 404}),
    parameters=(
        COMPANY_ID,
        Parameter("live", "query", "boolean", default=False),
        Parameter("active", "query", "boolean"),
        *(
            Parameter(name, "query", "string")
            for name in ("department", "location", "title", "posted_since", "cursor")
        ),
        Parameter("page", "query", "integer", default=1),
        PER_PAGE,
        Parameter("dry_run", "query", "boolean", default=False),
    ),
    fields=(
        Field(
            "items",
            "array",
            required=True,
            inner=(
                Field("id", "uuid", required=True),
                Field("company_id", "uuid", required=True),
                *(Field(name, "string", required=True) for name in ("title", "url", "source")),
                Field("description", "string"),
                *_strings("normalized_title", "department", "seniority", "employment_type"),
                *_strings("remote"),
                Field(
                    "locations",
                    "array",
                    inner=(*_strings("city", "region", "country_code"), Field("raw", "string")),
                ),
                Field("salary", "object", nullable=True),
                Field("skills", "array", of="string"),
                Field("technologies", "array", of="string"),
                Field("first_seen_at", "date-time"),
                Field("posted_at", "date-time", nullable=True),
                Field("last_seen_at", "date-time"),
                Field("closed_at", "date-time", nullable=True),
                Field("active", "boolean"),
                Field("openings", "integer", nullable=True),
            ),
        ),
        Field("pagination", "object", required=True, inner=(*PAGINATION, CURSOR)),
        Field(
            "meta",
            "object",
            required=True,
            inner=(
                Field("live_requested", "boolean", required=True),
                Field("refreshed", "boolean", required=True),
                Field("refreshed_at", "date-time", nullable=True),
                *_strings("reason"),
            ),
        ),
    ),
)
JOB_TRENDS = Operation(
    method="GET",
    path="/companies/{company_id}/jobs/trends",
    scope="jobs:read",
    ours=True,
    statuses=frozenset({400, 401, 403, 404}),
    parameters=(COMPANY_ID, Parameter("months", "query", "integer", default=12, largest=60)),
    fields=(
        Field("company_id", "uuid", required=True),
        Field("observed_since", "date-time", nullable=True),
        Field("months", "array", required=True, inner=(Field("month", "string"), *COUNTS)),
        Field("departments", "array", inner=(*_strings("department"), *COUNTS)),
        Field(
            "locations",
            "array",
            inner=(*_strings("city", "region", "country_code", "raw"), *COUNTS),
        ),
    ),
)
TECHNOLOGIES = Operation(
    method="GET",
    path="/companies/{company_id}/technologies",
    scope="insights:read",
    ours=True,
    statuses=frozenset({400, 401, 403, 404}),
    parameters=(
        COMPANY_ID,
        Parameter("category", "query", "string"),
        Parameter("active", "query", "boolean"),
        Parameter("page", "query", "integer", default=1),
        PER_PAGE,
        Parameter("cursor", "query", "string"),
    ),
    fields=(
        Field(
            "items",
            "array",
            required=True,
            inner=(
                Field("product", "string", required=True),
                *_strings("vendor", "category", "quote"),
                Field("first_seen_at", "date-time"),
                Field("last_seen_at", "date-time"),
                Field("active", "boolean"),
                Field("evidence_kind", "string"),
                Field("confidence", "number"),
                Field("postings", "integer"),
                Field("sources", "array"),
            ),
        ),
        Field("pagination", "object", required=True, inner=(*PAGINATION, CURSOR)),
    ),
)


FEATURE = (
    Field("name", "string", required=True),
    Field("value", "number", required=True),
    Field("weight", "number", required=True),
)
MATCH = Operation(
    method="POST",
    path="/companies/match",
    sample={"company_name": "Harbor Analytics"},
    scope="insights:read",
    ours=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    parameters=tuple(
        Parameter(name, "body", "string")
        for name in ("company_name", "domain", "country", "city", "ticker", "lei")
    ),
    fields=(
        Field("status", "string", required=True),
        Field("score", "number", required=True),
        Field("features", "array", required=True, inner=FEATURE),
        Field(
            "candidates",
            "array",
            required=True,
            inner=(
                Field("company_id", "uuid", required=True),
                Field("account_id", "uuid", nullable=True, required=True),
                Field("name", "string", required=True),
                *_strings("domain", "country_code", "city"),
                Field("score", "number", required=True),
                Field("features", "array", required=True, inner=FEATURE),
            ),
        ),
    ),
)


CHAT = Operation(
    method="POST",
    path="/companies/{company_id}/assistant/chat",
    scope="insights:read",
    sample={"message": "What did the company acquire?"},
    statuses=frozenset({400, 401, 403, 404}),
    parameters=(
        COMPANY_ID,
        Parameter("dry_run", "query", "boolean", default=False),
        Parameter("message", "body", "string", required=True),
        Parameter("conversation_id", "body", "string"),
    ),
    fields=(
        Field("conversation_id", "uuid", required=True),
        Field("message_id", "uuid", required=True),
        Field("answer", "string", required=True),
        Field(
            "citations",
            "array",
            required=True,
            inner=(
                Field("n", "integer", required=True),
                Field("document_id", "uuid", required=True),
                *_strings("url", "title", "quote", "published_at"),
            ),
        ),
        Field("related", "array", required=True),
        Field("suggestions", "array", required=True, of="string"),
        Field("evidence", "string", required=True),
        Field("model", "string", required=True),
        Field("usage", "object", required=True),
    ),
)


PAGE_NUMBER = Parameter("page", "query", "integer", default=1)
CURSOR_GIVEN = Parameter("cursor", "query", "string")
PAGED = (PAGE_NUMBER, PER_PAGE, CURSOR_GIVEN)
DRY = Parameter("dry_run", "query", "boolean", default=False)


def _paged(name: str, items: tuple[Field, ...]) -> tuple[Field, ...]:
    """An envelope: a list under `name`, and its pagination."""
    return (
        Field(name, "array", required=True, inner=items),
        Field("pagination", "object", required=True, inner=(*PAGINATION, CURSOR)),
    )


SUBMIT = Operation(
    method="POST",
    path="/companies",
    scope="insights:write",
    success=202,
    world=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    parameters=(
        DRY,
        *(
            Parameter(name, "body", "string")
            for name in ("company_name", "domain", "id", "external_id", "source_system")
        ),
    ),
    fields=(
        Field("public_operation_id", "uuid", required=True),
        Field("status", "string", required=True),
        Field("status_url", "string", required=True),
        Field("company_id", "uuid", nullable=True, required=True),
        Field("cost", "object", required=True),
    ),
)
OPERATION = Operation(
    method="GET",
    path="/operations/{public_operation_id}",
    scope="insights:read",
    world=True,
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(Parameter("public_operation_id", "path", "uuid", required=True),),
    fields=(
        Field("public_operation_id", "uuid", required=True),
        *_strings("kind", "status", nullable=False),
        Field("progress", "object", inner=(Field("done", "integer"), Field("total", "integer"))),
        Field("steps", "array"),
        Field("input", "object"),
        Field("company_id", "uuid", nullable=True),
        Field("match", "object", nullable=True),
        Field(
            "cost",
            "object",
            inner=(
                *_strings("credit", "state", nullable=False),
                Field("amount", "integer"),
            ),
        ),
        Field("created_at", "date-time"),
        *(
            Field(name, "date-time", nullable=True)
            for name in ("started_at", "finished_at", "next_poll_after")
        ),
        Field("error", "object", nullable=True),
    ),
)

CONTACT = (
    Field("id", "uuid", required=True),
    *_strings("full_name", "first_name", "last_name", "current_job_title", nullable=False),
    *_strings("location", "summary", "headline", nullable=False),
    Field("profile_network_url", "uri"),
    Field("image_url", "uri"),
    *_strings("country", "country_code"),
    *(Field(name, "array", of="string") for name in ("emails", "phones", "skills")),
    Field("company", "object"),
    Field(
        "experience",
        "array",
        inner=(
            Field("job_id", "uuid"),
            Field("company_id", "uuid"),
            *_strings("company", "company_profile_network_id", "title", nullable=False),
            *_strings("location", "description"),
            Field("start_date", "date-time"),
            Field("end_date", "date-time", nullable=True),
            Field("is_current", "boolean"),
            Field("created_at", "date-time"),
        ),
    ),
    Field(
        "education",
        "array",
        inner=(
            *_strings("degree", "school", nullable=False),
            *_strings("field_of_study"),
            Field("start_year", "integer"),
            Field("end_year", "integer"),
        ),
    ),
    Field("created_at", "date-time"),
    Field("updated_at", "date-time", nullable=True),
    # Ours.
    Field("company_id", "uuid", nullable=True),
    *_strings("seniority", "department"),
    Field("role_emails", "array", of="string"),
)
CONTACT_PAGES = (
    Field("page", "integer", required=True),
    Field("limit", "integer", required=True),
    Field("total", "integer", required=True),
    CURSOR,
)
CONTACT_LIST = (
    Field("data", "array", required=True, inner=CONTACT),
    Field("pagination", "object", required=True, inner=CONTACT_PAGES),
)
CONTACTS = Operation(
    method="GET",
    path="/contacts",
    scope="contacts:read",
    world=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    fields=CONTACT_LIST,
)
CONTACT_SEARCH = replace(CONTACTS, method="POST", path="/contacts/search")
COMPANY_CONTACTS = Operation(
    method="GET",
    path="/companies/{company_id}/contacts",
    scope="contacts:read",
    world=True,
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(COMPANY_ID, *PAGED),
    fields=_paged("contacts", CONTACT),
)

CONTENT = (
    Field("content_id", "uuid", required=True),
    Field("company_id", "uuid", required=True),
    Field("content_type", "string", required=True),
    Field("content_setting_id", "uuid", nullable=True),
    *_strings("title", "content", nullable=False),
    Field("ref_content_template_id", "uuid", nullable=True),
    Field("created_at", "date-time"),
    Field("updated_at", "date-time", nullable=True),
    # Ours.
    Field("method", "string"),
    Field("sources", "array"),
)
COMPANY_CONTENT = Operation(
    method="GET",
    path="/companies/{company_id}/content",
    scope="insights:read",
    world=True,
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(COMPANY_ID, *PAGED, Parameter("content_type", "query", "string")),
    # The reference calls the list so, though it holds content.
    fields=_paged("contacts", CONTENT),
)

SESSION = (
    Field("id", "uuid", required=True),
    *_strings("title", "type", "status", nullable=False),
    Field("company_id", "uuid", nullable=True),
    Field("user_id", "uuid"),
    Field("message_count", "integer"),
    Field("capabilities", "array", of="string"),
    *_strings("created_at", "updated_at", nullable=False),
)
OF_SESSIONS = tuple(
    Parameter(name, "query", "string")
    for name in ("status", "type", "search", "sort_by", "sort_order")
)
SESSIONS = Operation(
    method="GET",
    path="/agent/sessions",
    scope="insights:read",
    maturity="beta",
    world=True,
    statuses=frozenset({400, 401, 403, 500}),
    parameters=(*PAGED, *OF_SESSIONS, Parameter("company_id", "query", "uuid")),
    fields=_paged("items", SESSION),
)
COMPANY_SESSIONS = replace(
    SESSIONS,
    path="/companies/{company_id}/agent/sessions",
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(*PAGED, *OF_SESSIONS, COMPANY_ID),
)
NEW_SESSION = Operation(
    method="POST",
    path="/agent/sessions",
    scope="insights:write",
    success=201,
    maturity="beta",
    world=True,
    statuses=frozenset({400, 401, 403, 500}),
    fields=SESSION,
)

EVENT = (
    Field("id", "uuid", required=True),
    Field("type", "string"),
    *_strings("family"),
    *_strings("title", "summary", nullable=False),
    Field(
        "company",
        "object",
        inner=(Field("id", "uuid", required=True), *_strings("name", "domain")),
    ),
    Field("source", "object", nullable=True),
    *_strings("occurred_at"),
    Field("detected_at", "string"),
    Field("signal_id", "uuid", nullable=True),
    Field("changes", "array"),
    Field("watch_ids", "array", of="string"),
    Field("background", "boolean"),
)
EVENTS = Operation(
    method="GET",
    path="/events",
    scope="monitoring:read",
    world=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    parameters=(
        *PAGED,
        *(Parameter(name, "query", "string") for name in ("type", "source", "since", "until")),
        Parameter("company_id", "query", "uuid"),
        Parameter("background", "query", "boolean"),
    ),
    fields=_paged("items", EVENT),
)
ALERT = (
    Field("id", "uuid", required=True),
    Field("status", "string", required=True),
    Field("event", "object"),
    Field("company", "object"),
    Field("watch_id", "uuid", nullable=True),
    *_strings("note"),
    Field("assignee", "uuid", nullable=True),
    *_strings("snoozed_until"),
    Field(
        "history",
        "array",
        inner=_strings("from", "to", "at", "by", nullable=False),
    ),
    *_strings("created_at", "updated_at", nullable=False),
)
ALERT_ID = Parameter("alert_id", "path", "uuid", required=True)
ALERT_READ = Operation(
    method="GET",
    path="/alerts/{alert_id}",
    scope="insights:read",
    world=True,
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(ALERT_ID,),
    fields=ALERT,
)
ALERT_CHANGE = replace(
    ALERT_READ,
    method="PATCH",
    scope="insights:write",
    also=("monitoring:write",),
    parameters=(
        ALERT_ID,
        *(Parameter(name, "body", "string") for name in ("status", "note", "snoozed_until")),
        Parameter("assignee", "body", "string"),
    ),
)
ALERTS = Operation(
    method="GET",
    path="/alerts",
    scope="insights:read",
    world=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    fields=_paged("items", ALERT),
)

TERRITORY = (
    Field("id", "string", required=True),
    *_strings("name", "description", nullable=False),
    Field("owner", "object", nullable=True),
    Field("rules", "object"),
    Field("score_rules", "array"),
    *(Field(name, "array", of="string") for name in ("include", "exclude")),
    Field("account_count", "integer"),
    *_strings("computed_at"),
    *_strings("created_at", "updated_at", nullable=False),
)
TERRITORIES = Operation(
    method="GET",
    path="/territories",
    scope="territories:read",
    world=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    parameters=PAGED,
    fields=_paged("items", TERRITORY),
)
TERRITORY_READ = Operation(
    method="GET",
    path="/territories/{territory_id}",
    scope="territories:read",
    world=True,
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    parameters=(Parameter("territory_id", "path", "string", required=True), *PAGED),
    fields=(
        *TERRITORY,
        Field("companies", "object", required=True, inner=_paged("items", ACCOUNT_ITEM)),
        Field("scores", "array"),
    ),
)

CHAT = Operation(
    method="POST",
    path="/companies/{company_id}/assistant/chat",
    scope="insights:read",
    world=True,
    statuses=frozenset({400, 401, 403, 404, 429, 500}),
    fields=(
        Field("conversation_id", "uuid", required=True),
        Field("message_id", "uuid", required=True),
        Field("answer", "string", required=True),
        Field("citations", "array"),
        Field("related", "array"),
        Field("suggestions", "array", of="string"),
        *_strings("evidence", "model", nullable=False),
        Field("usage", "object"),
        # Ours.
        Field("nearest", "array"),
    ),
)
INTEGRATIONS = Operation(
    method="GET",
    path="/integrations/status",
    scope="integrations:read",
    world=True,
    statuses=frozenset({400, 401, 403, 429, 500}),
    fields=(
        Field(
            "integrations",
            "array",
            required=True,
            inner=(
                *_strings("id", "provider", "provider_name", "category", nullable=False),
                *_strings("status", "sync_status", nullable=False),
                *_strings("last_sync_at"),
                # Ours.
                *_strings("last_error"),
                Field("counts", "object"),
            ),
        ),
    ),
)

REFERENCE: tuple[Operation, ...] = (
    HEALTH, ACCOUNTS, COMPANY_RECORD, CREDITS, RELEVANCE, GRAPH, PROFILE, JOBS, SUBMIT, OPERATION,
    CONTACTS, CONTACT_SEARCH, COMPANY_CONTACTS, COMPANY_CONTENT, SESSIONS, NEW_SESSION,
    COMPANY_SESSIONS, EVENTS, ALERTS, ALERT_READ, ALERT_CHANGE, TERRITORIES, TERRITORY_READ, CHAT,
    INTEGRATIONS,
)  # fmt: skip

# Ours beside the reference: method, path, scope, status. Their fields are those of OpenAPI, which
# real answers are held to.
OURS = """
POST /accounts/delete accounts:write 200
GET /accounts/{account_id} accounts:read 200
PATCH /accounts/{account_id} accounts:write 200
DELETE /accounts/{account_id} accounts:write 200
GET /accounts/{account_id}/notes accounts:read 200
POST /accounts/{account_id}/notes accounts:write 201
DELETE /accounts/{account_id}/notes/{note_id} accounts:write 200
GET /imports accounts:read 200
GET /imports/{import_id} accounts:read 200
POST /imports/{import_id}/undo accounts:write 202
GET /companies/{company_id}/facts insights:read 200
GET /companies/{company_id}/brief insights:read 200
POST /evidence/search companies:read 200
GET /seller-context insights:read 200
PATCH /seller-context insights:write 200
GET /custom-questions insights:read 200
POST /custom-questions insights:write 201
GET /custom-questions/{question_id} insights:read 200
PATCH /custom-questions/{question_id} insights:write 200
DELETE /custom-questions/{question_id} insights:write 200
POST /companies/bulk insights:write 202
POST /operations/{public_operation_id}/retry insights:write 202
GET /operations insights:read 200
GET /operations/{public_operation_id}/items insights:read 200
POST /operations/{public_operation_id}/cancel insights:write 200
GET /organization org_settings:read 200
PATCH /organization org_settings:write 200
GET /users org_settings:read 200
POST /users org_settings:write 201
PATCH /users/{user_id} org_settings:write 200
GET /audit-log org_settings:read 200
GET /usage org_settings:read 200
GET /keys org_settings:read 200
POST /keys org_settings:write 201
DELETE /keys/{key_id} org_settings:write 200
POST /keys/{key_id}/rotate org_settings:write 201
GET /lists accounts:read 200
POST /lists accounts:write 201
GET /lists/{list_id} accounts:read 200
PATCH /lists/{list_id} accounts:write 200
DELETE /lists/{list_id} accounts:write 200
POST /lists/{list_id}/accounts accounts:write 200
POST /territories territories:write 201
POST /territories/simulate territories:read 200
GET /territories/overlaps territories:read 200
GET /territories/gaps territories:read 200
PATCH /territories/{territory_id} territories:write 200
DELETE /territories/{territory_id} territories:write 200
POST /territories/{territory_id}/recompute territories:write 200
GET /agent/sessions/{session_id} insights:read 200
PATCH /agent/sessions/{session_id} insights:write 200
GET /agent/sessions/{session_id}/messages insights:read 200
POST /agent/sessions/{session_id}/messages insights:write 200
POST /companies/{company_id}/content insights:write 201
GET /content/templates insights:read 200
POST /content/templates insights:write 201
GET /content/templates/{template_id} insights:read 200
PATCH /content/templates/{template_id} insights:write 200
DELETE /content/templates/{template_id} insights:write 200
GET /content/settings insights:read 200
POST /content/settings insights:write 201
GET /content/settings/{setting_id} insights:read 200
PATCH /content/settings/{setting_id} insights:write 200
DELETE /content/settings/{setting_id} insights:write 200
GET /content/{content_id} insights:read 200
PATCH /content/{content_id} insights:write 200
DELETE /content/{content_id} insights:write 200
POST /integrations/smtp/settings integrations:write 200
PATCH /integrations/{integration_id} integrations:write 200
POST /integrations/{integration_id}/sync integrations:write 202
POST /integrations/{integration_id}/connection integrations:write 200
DELETE /integrations/{integration_id}/connection integrations:write 200
GET /integrations/{integration_id}/settings integrations:read 200
PATCH /integrations/{integration_id}/settings integrations:write 200
POST /integrations/{integration_id}/preview integrations:write 200
GET /integrations/{integration_id}/runs integrations:read 200
GET /integrations/{integration_id}/runs/{run_id} integrations:read 200
GET /integrations/{integration_id}/runs/{run_id}/log integrations:read 200
GET /companies/{company_id}/documents insights:read 200
GET /companies/{company_id}/documents/{document_id} insights:read 200
POST /companies/{company_id}/contacts/find contacts:write 200
GET /watches monitoring:read 200
POST /watches monitoring:write 201
POST /watches/dry-run monitoring:read 200
GET /watches/{watch_id} monitoring:read 200
PATCH /watches/{watch_id} monitoring:write 200
DELETE /watches/{watch_id} monitoring:write 200
GET /webhooks monitoring:read 200
POST /webhooks monitoring:write 201
GET /webhooks/{webhook_id} monitoring:read 200
PATCH /webhooks/{webhook_id} monitoring:write 200
DELETE /webhooks/{webhook_id} monitoring:write 200
POST /webhooks/{webhook_id}/rotate monitoring:write 200
POST /webhooks/{webhook_id}/test monitoring:write 202
GET /webhooks/{webhook_id}/deliveries monitoring:read 200
POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver monitoring:write 202
GET /accounts/export accounts:read 200
GET /contacts/export contacts:read 200
GET /lists/{list_id}/export accounts:read 200
GET /territories/{territory_id}/export territories:read 200
GET /suppressions contacts:read 200
POST /suppressions contacts:write 201
DELETE /suppressions/{suppression_id} contacts:write 200
POST /contacts/erasures contacts:write 201
GET /contacts/erasures/{erasure_id} contacts:read 200
POST /contacts/import contacts:write 200
POST /companies/{company_id}/contacts/discover contacts:write 200
POST /contacts contacts:write 201
GET /contacts/{contact_id} contacts:read 200
PATCH /contacts/{contact_id} contacts:write 200
DELETE /contacts/{contact_id} contacts:write 200
"""


def _ours(line: str) -> Operation:
    method, path, scope, status = line.split()
    missing = {404} if "{" in path else set()
    return Operation(
        method=method,
        path=path,
        scope=scope,
        success=int(status),
        ours=True,
        world=True,
        maturity="beta" if "/agent/" in path else "ga",
        statuses=frozenset({400, 401, 403, 429, 500} | missing),
    )


OPERATIONS: tuple[Operation, ...] = (
    *REFERENCE,
    PROFILE_WRITING,
    MATCH,
    LEDGER,
    JOB_TRENDS,
    TECHNOLOGIES,
    READY,
    *map(_ours, OURS.split("\n")[1:-1]),
)

SCOPES = (
    "accounts:read", "companies:read", "contacts:read", "contacts:write", "insights:read",
    "insights:write", "integrations:read", "jobs:read", "monitoring:read", "monitoring:write",
    "org_settings:read", "sequences:read", "sequences:write", "tasks:read", "tasks:write",
    "territories:read", "workflows:read", "workflows:execute", "*",
)  # fmt: skip
# Ours: what writes to areas that the reference only reads.
OWN_SCOPES = ("accounts:write", "integrations:write", "org_settings:write", "territories:write")

# Status -> type of the error; the first eight are the reference's, the rest ours.
ERROR_STATUSES = {
    400: "validation_error",
    401: "authentication_error",
    402: "payment_required",
    403: "permission_error",
    404: "not_found",
    429: "rate_limited",
    500: "internal_error",
    503: "unavailable",
    405: "method_not_allowed",
    408: "timeout",
    409: "conflict",
    410: "gone",
    413: "payload_too_large",
    422: "unprocessable",
}

RATE_HEADERS = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")


def concrete(operation: Operation, company_id: object = None) -> str:
    """The path with real values for its placeholders."""
    return BASE_PATH + re.sub(r"{\w+}", str(company_id or uuid4()), operation.path)
