"""Made from openapi.json by clients/generate; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

AccountChangeEmployeeCountRange: TypeAlias = Literal["1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10001+"]
AccountChangeRevenueRange: TypeAlias = Literal["0-1M", "1M-10M", "10M-50M", "50M-100M", "100M-500M", "500M-1B", "1B-10B", "10B+"]
AccountListKind: TypeAlias = Literal["accounts", "search"]
AccountOrder: TypeAlias = Literal["company_name", "-company_name", "updated_at", "-updated_at", "employees", "-employees", "revenue", "-revenue"]
AccountSearchFacets: TypeAlias = Literal["industry", "sector", "employee_size_category", "revenue_category", "country", "public_company"]
AlertChangeStatus: TypeAlias = Literal["viewed", "acknowledged", "resolved", "dismissed"]
AlertStatus: TypeAlias = Literal["new", "viewed", "acknowledged", "resolved", "dismissed"]
AssistantEvidence: TypeAlias = Literal["sufficient", "partial", "none"]
BriefChangePrecision: TypeAlias = Literal["day", "month", "year", "reported"]
ContentType: TypeAlias = Literal["email", "notes", "call_script", "document", "value_pyramid", "three_whys"]
CostState: TypeAlias = Literal["none", "reserved", "settled", "released"]
CreditType: TypeAlias = Literal["company", "content", "territory", "contact"]
CrmPropertyKind: TypeAlias = Literal["accounts", "contacts"]
DeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed"]
Department: TypeAlias = Literal["general_management", "engineering", "it", "data", "product", "design", "research", "project_management", "marketing", "sales", "business_development", "customer_success", "support", "consulting", "finance", "legal", "hr", "administration", "operations", "purchasing", "supply_chain", "production", "medical", "education", "other"]
ExportFormat: TypeAlias = Literal["csv", "jsonl", "parquet", "xlsx"]
FindPeopleProvider: TypeAlias = Literal["people_data_labs", "hunter"]
HealthDatabase: TypeAlias = Literal["ok", "unavailable"]
HealthQueue: TypeAlias = Literal["ok", "unavailable"]
HealthStatus: TypeAlias = Literal["ok", "unavailable"]
HeldCostState: TypeAlias = Literal["none", "reserved"]
ImportKind: TypeAlias = Literal["accounts", "contacts"]
ImportState: TypeAlias = Literal["running", "finished", "undoing", "undone"]
IntegrationItemCategory: TypeAlias = Literal["crm", "data_source", "notification", "llm", "import"]
IntegrationItemStatus: TypeAlias = Literal["connected", "not_configured", "error", "disabled"]
IntegrationItemSyncStatus: TypeAlias = Literal["never", "running", "succeeded", "failed"]
JobEmploymentType: TypeAlias = Literal["full_time", "part_time", "contract", "temporary", "internship", "other"]
JobRemote: TypeAlias = Literal["remote", "hybrid", "on_site"]
JobSalaryPeriod: TypeAlias = Literal["year", "month", "week", "day", "hour"]
JobSeniority: TypeAlias = Literal["owner", "c_suite", "vp", "director", "head", "manager", "lead", "senior", "professional", "entry", "intern"]
JobsMetaReason: TypeAlias = Literal["fetched", "unchanged", "fresh", "nothing_found", "unreachable", "timed_out", "disabled"]
LedgerEntryKind: TypeAlias = Literal["grant", "reserve", "settle", "release"]
ListAgentSessionsSortOrder: TypeAlias = Literal["asc", "desc"]
ListCompanyAgentSessionsSortOrder: TypeAlias = Literal["asc", "desc"]
MailSettingsSecurity: TypeAlias = Literal["starttls", "tls", "none"]
MappedFieldInputKind: TypeAlias = Literal["accounts", "contacts"]
MappedFieldKind: TypeAlias = Literal["accounts", "contacts"]
MatchAnswerStatus: TypeAlias = Literal["matched", "ambiguous", "no_match"]
MessageRole: TypeAlias = Literal["user", "assistant"]
NewKeyScopes: TypeAlias = Literal["accounts:read", "accounts:write", "companies:read", "contacts:read", "contacts:write", "insights:read", "insights:write", "integrations:read", "integrations:write", "jobs:read", "monitoring:read", "monitoring:write", "org_settings:read", "org_settings:write", "sequences:read", "sequences:write", "tasks:read", "tasks:write", "territories:read", "territories:write", "workflows:read", "workflows:execute", "*", "accounts:*", "companies:*", "contacts:*", "insights:*", "integrations:*", "jobs:*", "monitoring:*", "org_settings:*", "sequences:*", "tasks:*", "territories:*", "workflows:*"]
NoteKind: TypeAlias = Literal["note", "next_step", "owner"]
OperationKind: TypeAlias = Literal["company_enrichment", "bulk_enrichment", "account_deletion"]
OperationMatchStatus: TypeAlias = Literal["matched", "created", "ambiguous", "not_found"]
OperationStatus: TypeAlias = Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"]
OperationStepStatus: TypeAlias = Literal["pending", "running", "succeeded", "partial", "nothing_found", "skipped", "failed"]
OrganizationPlan: TypeAlias = Literal["free", "team", "enterprise"]
PreviewedFieldKind: TypeAlias = Literal["accounts", "contacts"]
ProfileWritingStatus: TypeAlias = Literal["queued", "dry_run", "no_model"]
ReadinessReason: TypeAlias = Literal["database_away", "read_only", "storage_full"]
ReadinessStatus: TypeAlias = Literal["ok", "unavailable"]
RowResultStatus: TypeAlias = Literal["created", "updated", "unchanged", "suppressed", "invalid"]
SectionStateStatus: TypeAlias = Literal["ready", "insufficient_evidence", "generating"]
SectionWritingOutcome: TypeAlias = Literal["waiting", "written", "too_little_proven", "failed", "over_budget"]
SessionCapabilities: TypeAlias = Literal["answer", "plan", "document", "email", "setting"]
SessionOrder: TypeAlias = Literal["updated_at", "created_at", "title"]
SessionStatus: TypeAlias = Literal["active", "archived"]
SessionType: TypeAlias = Literal["document", "chat", "plan", "canvas_settings", "email", "workspace", "project"]
SettingLength: TypeAlias = Literal["short", "medium", "long"]
SignalFamily: TypeAlias = Literal["material_changes", "leadership_moves", "funding", "product_launches", "hiring_trends", "technology_mentions", "strategic_shifts", "risk"]
SignalType: TypeAlias = Literal["receives_financing", "goes_public", "goes_private", "invests_into", "earnings_released", "pays_dividend", "repays_debt", "acquires", "merges_with", "sells_assets_to", "spins_off", "divests", "rebrands", "material_agreement", "ends_agreement", "bankruptcy", "accountant_change", "restates", "writes_down", "guidance_changed", "buys_back_shares", "other_event", "hires", "promotes", "leaves", "retires_from", "board_change", "launches", "is_developing", "integrates_with", "receives_award", "recognized_as", "receives_approval", "is_certified", "hiring_surge", "hiring_slowdown", "senior_role_opened", "headcount_increase", "headcount_decrease", "layoffs", "technology_added", "technology_removed", "technology_mentioned_in_job", "partners_with", "signs_new_client", "expands_to", "opens_new_location", "closes_offices_in", "cost_cutting", "discontinues", "changes_prices", "reviews_alternatives", "strategic_priority_stated", "files_suit_against", "settles_with", "has_issues_with", "recalls", "defaults", "control_weakness", "security_incident", "regulatory_action", "new_risk_factor"]
SourceKind: TypeAlias = Literal["insight", "filing", "news", "web", "job", "technology"]
SuppressionKind: TypeAlias = Literal["email", "phone", "profile", "person"]
SuppressionSource: TypeAlias = Literal["user", "erasure"]
SwotEntryType: TypeAlias = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
SyncChangeNotes: TypeAlias = Literal["brief", "signals"]
SyncDirection: TypeAlias = Literal["in", "out", "both"]
SyncRule: TypeAlias = Literal["theirs", "ours", "newest", "only_empty"]
SyncRunState: TypeAlias = Literal["queued", "running", "waiting", "succeeded", "failed"]
SyncSettingsNotes: TypeAlias = Literal["brief", "signals"]
UserRole: TypeAlias = Literal["owner", "admin", "member"]
WatchKind: TypeAlias = Literal["accounts", "search"]
WatchStatus: TypeAlias = Literal["active", "paused", "expired"]
WebhookTopic: TypeAlias = Literal["event", "alert"]


class Accepted(TypedDict):
    """The enrichment is queued; poll `status_url`."""
    public_operation_id: str
    status: OperationStatus
    status_url: str
    company_id: str | None
    """Null until the company is identified."""
    cost: HeldCost


class AccountChange(TypedDict):
    """Values set by your organization. Null removes your value and restores the public one; lists
    are replaced as a whole."""
    company_name: NotRequired[str | None]
    website: NotRequired[str | None]
    """Website URL or domain."""
    public_company: NotRequired[bool | None]
    """Whether the company is publicly traded."""
    country: NotRequired[str | None]
    """ISO 3166 code or name."""
    hq_city: NotRequired[str | None]
    hq_state: NotRequired[str | None]
    hq_address: NotRequired[str | None]
    hq_postcode: NotRequired[str | None]
    industry: NotRequired[str | None]
    """Industry name; determines the sector."""
    full_time_employees: NotRequired[int | None]
    """Determines the employee band."""
    employee_count_range: NotRequired[AccountChangeEmployeeCountRange | None]
    """Employee band, if the count is unknown."""
    revenue_range: NotRequired[AccountChangeRevenueRange | None]
    """Revenue band in USD."""
    ceo: NotRequired[str | None]
    description: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    alternative_names: NotRequired[list[str] | None]


class AccountDeletion(TypedDict):
    """The accounts to delete: by ids or by a filter."""
    account_ids: NotRequired[list[str] | None]
    """Account ids; unknown ids are ignored."""
    filter: NotRequired[dict[str, Any] | None]
    """A filter; {} matches every account."""
    confirm: NotRequired[int | None]
    """With a filter: the `count` from a dry run. If more match by now, nothing is deleted."""


class AccountItem(TypedDict):
    """A company as one of your accounts."""
    company_id: str
    company_name: NotRequired[str]
    website_domain: NotRequired[str]
    public_company: NotRequired[bool]
    country_code: NotRequired[str | None]
    """ISO 3166-1 alpha-2."""
    profile_network_url: NotRequired[str | None]
    hq_city: NotRequired[str | None]
    hq_state: NotRequired[str | None]
    hq_address: NotRequired[str | None]
    hq_postcode: NotRequired[str | None]
    hq_country_name: NotRequired[str | None]
    region: NotRequired[str | None]
    ceo: NotRequired[str | None]
    sector: NotRequired[str | None]
    industry: NotRequired[str | None]
    revenue_range: NotRequired[str | None]
    """Revenue band in USD."""
    employee_count_range: NotRequired[str | None]
    """Employee band."""
    full_time_employees: NotRequired[int | None]
    alternative_domains: NotRequired[list[str] | None]
    alternative_names: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    description: NotRequired[str | None]
    stock_ticker: NotRequired[str | None]
    stock_currency: NotRequired[str | None]
    stock_exchange_name: NotRequired[str | None]
    stock_exchange_symbol: NotRequired[str | None]
    market_cap: NotRequired[float | None]
    id: str
    """Id of the account."""
    domain: NotRequired[str]
    website: NotRequired[str]
    employee_size_category: NotRequired[str | None]
    revenue_category: NotRequired[str | None]
    country: NotRequired[str | None]
    """Country name."""


class AccountLine(TypedDict):
    """One line of the export."""
    company_id: str
    company_name: NotRequired[str]
    website_domain: NotRequired[str]
    public_company: NotRequired[bool]
    country_code: NotRequired[str | None]
    """ISO 3166-1 alpha-2."""
    profile_network_url: NotRequired[str | None]
    hq_city: NotRequired[str | None]
    hq_state: NotRequired[str | None]
    hq_address: NotRequired[str | None]
    hq_postcode: NotRequired[str | None]
    hq_country_name: NotRequired[str | None]
    region: NotRequired[str | None]
    ceo: NotRequired[str | None]
    sector: NotRequired[str | None]
    industry: NotRequired[str | None]
    revenue_range: NotRequired[str | None]
    """Revenue band in USD."""
    employee_count_range: NotRequired[str | None]
    """Employee band."""
    full_time_employees: NotRequired[int | None]
    alternative_domains: NotRequired[list[str] | None]
    alternative_names: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    description: NotRequired[str | None]
    stock_ticker: NotRequired[str | None]
    stock_currency: NotRequired[str | None]
    stock_exchange_name: NotRequired[str | None]
    stock_exchange_symbol: NotRequired[str | None]
    market_cap: NotRequired[float | None]
    id: str
    """Id of the account."""
    domain: NotRequired[str]
    website: NotRequired[str]
    employee_size_category: NotRequired[str | None]
    revenue_category: NotRequired[str | None]
    country: NotRequired[str | None]
    """Country name."""
    updated_at: str
    provenance: NotRequired[dict[str, dict[str, Any]] | None]


class AccountList(TypedDict):
    id: str
    name: str
    description: str
    kind: AccountListKind
    filter: dict[str, Any] | None
    account_count: int | None
    """Null for a saved search, which runs each time."""
    created_at: str
    updated_at: str


class AccountListPage(TypedDict):
    items: list[AccountList]
    pagination: Pagination


class AccountPageAnswer(TypedDict):
    items: list[AccountItem]
    pagination: Pagination
    request: AccountRequest
    facets: NotRequired[dict[str, list[FacetValue]] | None]


class AccountRequest(TypedDict):
    """The parameters used."""
    industry: str | None
    employee_size_category: str | None
    revenue_category: str | None
    country: str | None
    company_name: str | None
    public_company: bool | None
    filter: dict[str, Any] | None
    changed_since: str | None
    page: int
    per_page: int
    offset: int
    sort: AccountOrder


class AccountSearch(TypedDict):
    """Filters are combined with "and"; an empty body matches all accounts."""
    industry: NotRequired[str | None]
    """Industry name."""
    employee_size_category: NotRequired[str | None]
    """An employee band."""
    revenue_category: NotRequired[str | None]
    """A revenue band in USD."""
    country: NotRequired[str | None]
    """ISO 3166 code or name."""
    company_name: NotRequired[str | None]
    """Part of a name, alternative name or domain; ignores case, accents and punctuation."""
    public_company: NotRequired[bool | None]
    filter: NotRequired[dict[str, Any] | None]
    """A filter: nested and, or, not over conditions of field, op and value. Applies in addition to
    the fields above. On description, contains finds words by their beginnings."""
    changed_since: NotRequired[str | None]
    """Created or changed at or after this time. To mirror accounts, use GET /accounts/export."""
    page: NotRequired[int]
    """Page number, from 0."""
    per_page: NotRequired[int]
    """Items per page."""
    offset: NotRequired[int]
    """Rows to skip."""
    cursor: NotRequired[str | None]
    """The `next_cursor` of the previous page."""
    sort: NotRequired[AccountOrder]
    """A leading minus sorts in descending order."""
    facets: NotRequired[list[AccountSearchFacets] | None]
    """Fields whose values to count."""


class AccountsDeleted(TypedDict):
    count: int
    """How many accounts match."""
    deleted: int
    """How many this request deleted."""
    sample: list[NamedAccount]
    """The first names, sorted."""
    public_operation_id: str | None
    """The operation that deletes them, if there are too many for one request."""
    status_url: str | None
    """URL to poll its progress."""


class Act(TypedDict):
    id: str
    at: str
    actor: str
    action: str
    subject: str
    details: dict[str, Any]
    request_id: str | None


class Alert(TypedDict):
    id: str
    status: AlertStatus
    event: dict[str, Any]
    company: dict[str, Any]
    watch_id: str | None
    """Null once the watch is deleted."""
    note: str | None
    assignee: str | None
    snoozed_until: str | None
    history: list[Move]
    created_at: str
    updated_at: str


class AlertChange(TypedDict):
    """At least one field. Any change of status is allowed; setting the same status again changes
    nothing."""
    status: NotRequired[AlertChangeStatus | None]
    note: NotRequired[str | None]
    assignee: NotRequired[str | None]
    """A user; null unassigns the alert."""
    snoozed_until: NotRequired[str | None]
    """Hidden until then."""


class AlertPage(TypedDict):
    items: list[Alert]
    pagination: Pagination


class AnnualSource(TypedDict):
    """The annual report behind the figures and plans of a profile. `outdated`: it is older than
    fifteen months."""
    published_at: str
    outdated: bool


class ApiKey(TypedDict):
    id: str
    name: str
    prefix: str
    """First 14 characters of the key."""
    scopes: list[str]
    owner: str
    """Email address of the user it acts for."""
    user_id: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    allowed_networks: list[str]
    rate_limit: int | None
    """The key's own limit; null uses the plan's."""
    flat_errors: bool


class ApiKeyPage(TypedDict):
    items: list[ApiKey]
    pagination: Pagination


class AuditPage(TypedDict):
    items: list[Act]
    pagination: Pagination


class Brief(TypedDict):
    """Parts without known facts are empty."""
    company: BriefCompany
    as_of: str
    """Date the brief was created."""
    note: str | None
    """Caveats, e.g. that the newest annual report is old."""
    summary: list[BriefLine]
    """Who they are, in at most two sentences."""
    figures: list[BriefFigure]
    offers: list[BriefLine]
    """What they sell, if no figures are known."""
    changes: list[BriefChange]
    """The newest signals that have not expired, at most two per family."""
    why_now: list[BriefAnswer]
    """Tailored to your offering, once you have described it."""
    people: list[BriefPerson]
    questions: list[BriefAnswer]
    sources: list[BriefSource]


class BriefAnswer(TypedDict):
    text: str
    as_of: str | None
    """Date of its newest document."""
    sources: list[BriefCitation]
    about: NotRequired[str | None]
    """The why it answers; for a question, its basis."""


class BriefChange(TypedDict):
    """`text` is the title of the signal."""
    text: str
    as_of: str | None
    """Date of its newest document."""
    sources: list[BriefCitation]
    date: str
    precision: BriefChangePrecision
    """What `date` is: the day it happened, the first day of its month or year, or the day it was
    reported where the source gives no day."""
    type: str
    planned: bool
    """Announced but not completed."""
    signal_id: str


class BriefCitation(TypedDict):
    n: int
    """Number of the document in `sources`."""
    quote: str | None
    """Verbatim quote; null for the value of a data field."""


class BriefCompany(TypedDict):
    company_id: str
    company_name: NotRequired[str | None]
    website_domain: NotRequired[str | None]
    industry: NotRequired[str | None]
    sector: NotRequired[str | None]
    hq_city: NotRequired[str | None]
    hq_country_name: NotRequired[str | None]
    stock_ticker: NotRequired[str | None]
    public_company: NotRequired[bool | None]


class BriefFigure(TypedDict):
    label: str
    amount: float
    currency: str | None
    period: str
    period_end: str
    change: float | None
    """Change from the year before, as a fraction."""
    trend: list[TrendPoint]
    """At most five fiscal years, newest first."""
    sources: list[BriefCitation]


class BriefLine(TypedDict):
    text: str
    as_of: str | None
    """Date of its newest document."""
    sources: list[BriefCitation]


class BriefPerson(TypedDict):
    """`text` is the name."""
    text: str
    as_of: str | None
    """Date of its newest document."""
    sources: list[BriefCitation]
    title: NotRequired[str | None]


class BriefSource(TypedDict):
    n: int
    document_id: str | None
    url: str | None
    title: str | None
    published_at: str | None


class BulkAccepted(TypedDict):
    public_operation_id: str
    status: OperationStatus
    status_url: str
    company_id: str | None
    """Null until the company is identified."""
    cost: HeldCost
    items: int
    """How many were queued."""


class BulkItem(TypedDict):
    """An item of a bulk operation."""
    public_operation_id: str
    kind: OperationKind
    status: OperationStatus
    progress: Progress
    steps: list[OperationStep]
    input: dict[str, Any]
    company_id: str | None
    match: OperationMatch | None
    cost: Cost
    created_at: str
    started_at: str | None
    finished_at: str | None
    error: OperationFault | None
    next_poll_after: str | None
    """Null once it is finished."""
    item: int
    """Index in the request, from 0."""
    external_id: str | None


class BulkItemPage(TypedDict):
    items: list[BulkItem]
    pagination: Pagination


class Change(TypedDict):
    field: str
    before: Any
    after: Any


class ChatAnswer(TypedDict):
    conversation_id: str
    """Also the id of an agent session of type chat."""
    message_id: str
    answer: str
    citations: list[Citation]
    nearest: list[NearPassage]
    """The closest passages where `evidence` is `none`. They may not answer the question."""
    related: list[RelatedDocument]
    """More documents on the topic."""
    suggestions: list[str]
    """Suggested follow-up questions."""
    evidence: AssistantEvidence
    model: str
    """Name of the model that wrote it, or extractive."""
    usage: dict[str, Any]
    """Tokens used by a model. `degraded` says why no model wrote the answer."""


class ChatMessage(TypedDict):
    message: str
    """The question."""
    conversation_id: NotRequired[str | None]
    """Continues one of your conversations; omit it to start a new one."""


class Citation(TypedDict):
    n: int
    """Number in the answer, such as [1]."""
    document_id: str | None
    """Null for your own records, such as a contact."""
    url: str | None
    title: str | None
    """Title of the document; for data, the location in it."""
    quote: str | None
    """Verbatim from the document; null for data."""
    published_at: str | None


class Companies(TypedDict):
    items: list[AccountItem]
    pagination: Pagination


class CompanyContacts(TypedDict):
    contacts: list[Contact]
    pagination: Pagination


class CompanyInput(TypedDict):
    name: NotRequired[str | None]
    domain: NotRequired[str | None]
    """Domain or website; links the contact to it."""
    profile_network_id: NotRequired[str | None]


class CompanyProfile(TypedDict):
    """The requested sections and the state of each."""
    company_id: str
    company_name: NotRequired[str]
    website_domain: NotRequired[str]
    hq_country_name: str | None
    industry: str | None
    revenue_range: str | None
    employee_count_range: str | None
    sections: dict[str, SectionState]
    overview: NotRequired[dict[str, Any]]
    key_executives: NotRequired[list[Executive]]
    divisions: NotRequired[list[Division]]
    geographical_operations: NotRequired[list[Statement]]
    swot_analysis: NotRequired[list[SwotEntry]]
    competitors: NotRequired[list[Competitor]]
    industry_insights: NotRequired[list[Statement]]
    strategic_priorities: NotRequired[list[Statement]]
    digital_strategies: NotRequired[list[Statement]]
    risks: NotRequired[list[Statement]]
    goals: NotRequired[list[Statement]]
    events: NotRequired[list[FiscalEvent]]
    how_they_make_money: NotRequired[list[Statement]]
    how_they_lose_money: NotRequired[list[Statement]]
    employee_groups: NotRequired[list[Statement]]
    favourite_technologies_count: NotRequired[list[TechnologyCount]]
    insights_scores: NotRequired[list[Open]]
    custom_insights: NotRequired[list[Open]]
    three_whys: NotRequired[list[Statement]]
    value_pyramid: NotRequired[list[Statement]]
    discovery_questions: NotRequired[list[Statement]]
    territory_custom_scores: NotRequired[list[Open]]
    content: NotRequired[list[Open]]


class CompanyRecord(TypedDict):
    """A company; with `provenance=true`, the source of each field."""
    company_id: str
    company_name: NotRequired[str]
    website_domain: NotRequired[str]
    public_company: NotRequired[bool]
    country_code: NotRequired[str | None]
    """ISO 3166-1 alpha-2."""
    profile_network_url: NotRequired[str | None]
    hq_city: NotRequired[str | None]
    hq_state: NotRequired[str | None]
    hq_address: NotRequired[str | None]
    hq_postcode: NotRequired[str | None]
    hq_country_name: NotRequired[str | None]
    region: NotRequired[str | None]
    ceo: NotRequired[str | None]
    sector: NotRequired[str | None]
    industry: NotRequired[str | None]
    revenue_range: NotRequired[str | None]
    """Revenue band in USD."""
    employee_count_range: NotRequired[str | None]
    """Employee band."""
    full_time_employees: NotRequired[int | None]
    alternative_domains: NotRequired[list[str] | None]
    alternative_names: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    description: NotRequired[str | None]
    stock_ticker: NotRequired[str | None]
    stock_currency: NotRequired[str | None]
    stock_exchange_name: NotRequired[str | None]
    stock_exchange_symbol: NotRequired[str | None]
    market_cap: NotRequired[float | None]
    merged_into: NotRequired[str | None]
    """Only if the id belongs to a company merged into another."""
    provenance: NotRequired[dict[str, dict[str, Any]] | None]
    """Field -> value, source, url, document_id, quote, pointer, method, observed_at, confidence,
    support (0-1, all sources that agree together) and alternatives of that form; of an imported
    value that the documents contradict, contradicted_by of that form."""


class Competitor(TypedDict):
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    name: str
    website: NotRequired[str | None]
    description: str


class Condition(TypedDict):
    property: str
    operator: str
    value: NotRequired[str | None]


class ConditionInput(TypedDict):
    property: str
    operator: str
    value: NotRequired[str | None]


class Conditions(TypedDict):
    """Which records are read; a record must meet all conditions."""
    accounts: NotRequired[list[Condition]]
    contacts: NotRequired[list[Condition]]


class ConditionsInput(TypedDict):
    """Which records are read; a record must meet all conditions."""
    accounts: NotRequired[list[ConditionInput]]
    contacts: NotRequired[list[ConditionInput]]


class Connect(TypedDict):
    """Credentials. With `client_id` and no `code`, the response has the URL where a person
    authorizes access."""
    secret: NotRequired[str | None]
    """Token of a private app, secret of your own app, or key. Stored encrypted, never shown."""
    client_id: NotRequired[str | None]
    """Client id of your own app, for OAuth."""
    redirect_uri: NotRequired[str]
    """Redirect URL of the app."""
    code: NotRequired[str | None]
    """The code that came back from the redirect."""
    site: NotRequired[str | None]
    """Where people sign in to Salesforce."""
    state: NotRequired[str]
    """Returned with the code. Send a random value and compare it before you send the code."""


class ConnectionState(TypedDict):
    id: str
    connected: bool
    authorize_url: str | None
    """URL where a person authorizes access; then send the code."""
    terms: str | None
    """Terms of use of the contact provider."""


class Contact(TypedDict):
    """One person. Nullable fields are always present; others only when known."""
    id: str
    full_name: NotRequired[str]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    current_job_title: NotRequired[str]
    location: NotRequired[str]
    summary: NotRequired[str]
    headline: NotRequired[str]
    profile_network_url: NotRequired[str]
    image_url: NotRequired[str]
    country: str | None
    country_code: str | None
    """ISO 3166-1 alpha-2."""
    emails: list[str]
    phones: list[str]
    """E.164."""
    skills: list[str]
    company: NotRequired[ContactCompany]
    experience: list[ContactJob]
    education: list[ContactSchool]
    company_id: str | None
    """Id of the employer, if it is a company you can read."""
    seniority: str | None
    """Seniority, derived from the title."""
    department: str | None
    role_emails: list[str]
    """Role addresses among `emails`, such as info@ or sales@."""
    created_at: str
    updated_at: str | None


class ContactCompany(TypedDict):
    name: NotRequired[str]
    profile_network_id: NotRequired[str]


class ContactDeleted(TypedDict):
    deleted: bool
    id: str
    erasure_id: NotRequired[str | None]
    """Id of the certificate, after `erase`."""


class ContactInput(TypedDict):
    """What is known about a person: at least a name, an email address or a profile page."""
    full_name: NotRequired[str | None]
    first_name: NotRequired[str | None]
    last_name: NotRequired[str | None]
    current_job_title: NotRequired[str | None]
    location: NotRequired[str | None]
    summary: NotRequired[str | None]
    headline: NotRequired[str | None]
    profile_network_url: NotRequired[str | None]
    image_url: NotRequired[str | None]
    country: NotRequired[str | None]
    """Code or name."""
    emails: NotRequired[list[str] | None]
    phones: NotRequired[list[str] | None]
    """E.164, or the national format of `country`."""
    skills: NotRequired[list[str] | None]
    company: NotRequired[CompanyInput | None]
    company_id: NotRequired[str | None]
    """Id of the employer, if known."""
    experience: NotRequired[list[JobInput] | None]
    education: NotRequired[list[SchoolInput] | None]


class ContactJob(TypedDict):
    """A job, past or present."""
    job_id: str
    company_id: NotRequired[str]
    company: NotRequired[str]
    company_profile_network_id: NotRequired[str]
    title: NotRequired[str]
    location: str | None
    start_date: NotRequired[str]
    end_date: str | None
    is_current: bool
    description: str | None
    created_at: str


class ContactPage(TypedDict):
    data: list[Contact]
    pagination: LimitPagination


class ContactRecord(TypedDict):
    """A contact; with `provenance=true`, the source of each field."""
    id: str
    full_name: NotRequired[str]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    current_job_title: NotRequired[str]
    location: NotRequired[str]
    summary: NotRequired[str]
    headline: NotRequired[str]
    profile_network_url: NotRequired[str]
    image_url: NotRequired[str]
    country: str | None
    country_code: str | None
    """ISO 3166-1 alpha-2."""
    emails: list[str]
    phones: list[str]
    """E.164."""
    skills: list[str]
    company: NotRequired[ContactCompany]
    experience: list[ContactJob]
    education: list[ContactSchool]
    company_id: str | None
    """Id of the employer, if it is a company you can read."""
    seniority: str | None
    """Seniority, derived from the title."""
    department: str | None
    role_emails: list[str]
    """Role addresses among `emails`, such as info@ or sales@."""
    created_at: str
    updated_at: str | None
    provenance: NotRequired[dict[str, dict[str, Any]] | None]
    """Field -> source, observed_at, import_id, url, document_id, quote."""


class ContactRows(TypedDict):
    """Rows of a list; columns are recognized by name and content, or mapped by you."""
    rows: list[dict[str, Any]]
    mapping: NotRequired[dict[str, str] | None]
    """Column -> field; an empty field ignores the column."""
    country: NotRequired[str | None]
    """Default country of phone numbers."""


class ContactSchool(TypedDict):
    degree: NotRequired[str]
    field_of_study: str | None
    school: NotRequired[str]
    start_year: NotRequired[int]
    end_year: NotRequired[int]


class ContentChange(TypedDict):
    title: NotRequired[str | None]
    content: NotRequired[str | None]


class ContentItem(TypedDict):
    content_id: str
    company_id: str
    content_type: ContentType
    content_setting_id: str | None
    title: str
    content: str
    ref_content_template_id: str | None
    created_at: str
    updated_at: str | None
    method: str
    """written, extractive, or the name of a model."""
    sources: list[dict[str, Any]]
    """What it quotes, with documents and URLs."""


class ContentPage(TypedDict):
    """The field is named contacts although it holds content, as in the reference."""
    contacts: list[ContentItem]
    pagination: Pagination


class Corroboration(TypedDict):
    """The independent publishers that report the same."""
    count: int
    sources: list[RelevanceTeller]


class Cost(TypedDict):
    credit: CreditType
    amount: int
    state: CostState


class CreditRemaining(TypedDict):
    company_credits: int
    content_credits: int
    territory_credits: int
    contact_credits: int


class CrmProperty(TypedDict):
    kind: CrmPropertyKind
    name: str
    label: str
    read_only: bool
    """Whether it can only be read."""


class CustomQuestion(TypedDict):
    """A question that is answered with evidence in `custom_insights` of every profile."""
    id: str
    name: str
    question: str
    keywords: list[str]
    created_at: str
    updated_at: str


class CustomQuestionPage(TypedDict):
    items: list[CustomQuestion]
    pagination: Pagination


class Deleted(TypedDict):
    """The record was deleted."""
    deleted: Literal[True]
    id: str


class Delivery(TypedDict):
    id: str
    topic: str
    status: DeliveryStatus
    attempts: list[dict[str, Any]]
    """at, status, error and seconds of each."""
    body: dict[str, Any]
    next_at: str | None
    created_at: str


class DeliveryPage(TypedDict):
    items: list[Delivery]
    pagination: Pagination


class DepartmentCounts(TypedDict):
    opened: int
    closed: int
    active: int
    department: Department | None


class DiscoveredContacts(TypedDict):
    company_id: str
    created: int
    existing: int
    """People who were already your contacts."""
    suppressed: int
    remaining: int
    """New people beyond `max`."""
    charged: int
    """Contact credits charged."""
    contacts: list[Contact]


class Division(TypedDict):
    """Revenue is in whole units of `currency`; changes are from the prior year."""
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    division_name: str
    division_summary: NotRequired[str | None]
    last_year_label: NotRequired[str | None]
    last_year_financial_year_end: NotRequired[str | None]
    last_year_revenue_gross: NotRequired[float | None]
    last_year_gross_revenue_change: NotRequired[str | None]
    year_before_label: NotRequired[str | None]
    year_before_financial_year_end: NotRequired[str | None]
    year_before_revenue_gross: NotRequired[float | None]
    year_before_gross_revenue_change: NotRequired[str | None]
    priorities: NotRequired[list[Statement]]
    challenges: NotRequired[list[Statement]]
    digital_strategies: NotRequired[list[Statement]]
    key_people: NotRequired[list[DivisionPerson]]


class DivisionPerson(TypedDict):
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    name: str
    source: str
    description: str


class Document(TypedDict):
    document_id: str
    title: str | None
    url: str
    kind: str
    source: str
    published_at: str | None
    fetched_at: str
    characters: int
    """Length of the whole text."""


class DocumentPage(TypedDict):
    items: list[Document]
    pagination: Pagination


class DocumentText(TypedDict):
    document_id: str
    title: str | None
    url: str
    kind: str
    source: str
    published_at: str | None
    fetched_at: str
    characters: int
    """Length of the whole text."""
    superseded_at: str | None
    """Null: it is the present version."""
    text: str
    """Plain text, from `start` on."""
    next_start: int | None
    """`start` of the next part; null at the end."""


class DryRun(TypedDict):
    """What an operation would cost now."""
    dry_run: Literal[True]
    credit: CreditType
    amount: int
    """Credits it would charge."""
    remaining: int
    """Credits of that kind left."""


class ErasedThing(TypedDict):
    kind: SuppressionKind
    display: str


class Erasure(TypedDict):
    """The certificate. It does not reveal who the person was."""
    id: str
    requested_by: str
    subject: list[ErasedThing]
    """The request, masked."""
    removed: dict[str, int]
    """Rows removed, by place."""
    suppressions: int
    """Digests that keep the person from being added again."""
    completed_at: str
    proof: str
    """SHA-256 of the above, in hex."""


class ErasureRequest(TypedDict):
    email: NotRequired[str | None]
    phone: NotRequired[str | None]
    """E.164."""
    profile_network_url: NotRequired[str | None]
    full_name: NotRequired[str | None]
    company_name: NotRequired[str | None]
    contact_id: NotRequired[str | None]
    """Any other identifier you have."""


class ErrorDetails(TypedDict):
    """Details of every error; some errors have more."""
    request_id: str
    """The same as the X-Request-Id header."""
    retryable: bool
    """Whether the same request may succeed later."""
    docs: str
    """Documentation of the error."""


class ErrorObject(TypedDict):
    type: str
    """The class of error; it determines the status."""
    code: str
    """The error code, for programs."""
    message: str
    """The error message, for people."""
    details: ErrorDetails


class Event(TypedDict):
    """A signal or a data change."""
    id: str
    type: str
    family: str | None
    title: str
    summary: str
    company: EventCompany
    source: EventSource | None
    occurred_at: str | None
    """When it happened; null if no day is given. Reported at `source.published_at`."""
    detected_at: str
    signal_id: str | None
    changes: list[Change]
    watch_ids: list[str]
    background: bool
    """No news any more when it was reported; raises no alert."""


class EventCompany(TypedDict):
    id: str
    name: str | None
    domain: str | None


class EventPage(TypedDict):
    items: list[Event]
    pagination: Pagination


class EventSource(TypedDict):
    """The source of the event. All fields are present, and null if unknown."""
    kind: SourceKind | None
    """`insight` is a finding of Sightline itself, such as a changed value."""
    name: str | None
    """The source that found it."""
    url: str | None
    title: str | None
    publisher: str | None
    published_at: str | None


class EvidenceCompany(TypedDict):
    id: str
    name: str | None
    website_domain: str | None


class EvidenceGroup(TypedDict):
    """A company and its matching evidence."""
    company: EvidenceCompany
    score: float
    """0-1: of its best match; comparable between companies."""
    hits: list[RelevanceItem]
    """Best first."""


class EvidencePage(TypedDict):
    items: list[EvidenceGroup]
    """Best-matching company first."""
    pagination: Pagination


class EvidenceSearch(TypedDict):
    """The query, and whose evidence to search; default: all accounts."""
    q: str
    """What you want to know."""
    filter: NotRequired[dict[str, Any] | None]
    """Only accounts that match this filter."""
    company_ids: NotRequired[list[str] | None]
    """Only these companies; those without an account are ignored."""
    list_id: NotRequired[str | None]
    """Only accounts of this list."""
    territory_id: NotRequired[str | None]
    """Only accounts of this territory."""
    kinds: NotRequired[list[SourceKind] | None]
    """Kinds of source."""
    families: NotRequired[list[SignalFamily] | None]
    """Families of signals."""
    since: NotRequired[str | None]
    """Only items that happened or were published at or after this time; ISO 8601."""
    until: NotRequired[str | None]
    """Only items that happened or were published at or before this time."""
    per_company: NotRequired[int]
    """Maximum hits per company."""
    per_page: NotRequired[int]
    """Companies."""
    cursor: NotRequired[str | None]
    """The `next_cursor` of the previous page."""


class Executive(TypedDict):
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    name: str
    title: NotRequired[str | None]


class FacetValue(TypedDict):
    value: str | bool | None
    """Null counts the accounts without a value."""
    count: int


class Fact(TypedDict):
    """One observed value; `wins` if it is the one in the record."""
    fact_id: str
    field: str
    value: Any
    wins: bool
    source: str
    url: str
    document_id: str
    quote: str | None
    """Verbatim from the document's text."""
    pointer: str | None
    """Location in structured data."""
    method: str
    confidence: float
    as_of: str | None
    first_seen_at: str
    observed_at: str
    """When its document last confirmed it."""


class FactPage(TypedDict):
    items: list[Fact]
    pagination: Pagination


class FindPeople(TypedDict):
    provider: FindPeopleProvider
    max: NotRequired[int]
    """Maximum number of people."""
    dry_run: NotRequired[bool]
    """Show the maximum cost without asking the provider."""


class FiscalEvent(TypedDict):
    """Revenue is in whole units of `currency`; the change is from the prior year."""
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    id: str
    event_title: str
    fiscal_label: str
    period_end_date: str
    gross_revenue: float
    gross_revenue_change: NotRequired[str | None]
    earnings_call_new_strategies: NotRequired[list[Statement]]
    earnings_call_summary: NotRequired[list[Statement]]
    earnings_call_quotes: NotRequired[list[Statement]]
    event_new_strategies: NotRequired[list[Statement]]
    earnings_call_challenges: NotRequired[list[Statement]]
    digital_strategies: NotRequired[list[Statement]]


class FlatError(TypedDict):
    """The shape for callers with `X-Error-Format: flat` or this setting on their key."""
    error: str
    """The code."""
    message: str
    details: ErrorDetails


class FoundPeople(TypedDict):
    """What a provider found. Credits are your credits with the provider, not Sightline's."""
    provider: str
    company: str
    dry_run: bool
    credits: int
    """Credits of the provider; in a dry run the maximum."""
    price: str
    terms: str
    found: int
    created: int
    updated: int
    unchanged: int
    suppressed: int
    """Suppressed people who were returned anyway, and dropped."""
    not_asked_for: int
    """Suppressed people whom the provider was asked to exclude."""
    unusable: int
    addresses_guessed: int
    """Guessed from a pattern, and not stored."""
    addresses_without_mail: int


class GapPage(TypedDict):
    items: list[AccountItem]
    pagination: Pagination


class Health(TypedDict):
    status: HealthStatus
    version: str
    database: HealthDatabase
    queue: HealthQueue


class HeldCost(TypedDict):
    credit: Literal['company']
    amount: int
    state: HeldCostState


class IdealProfile(TypedDict):
    """Your ideal customer; an empty list sets no criterion."""
    industries: NotRequired[list[str]]
    countries: NotRequired[list[str]]
    """ISO 3166 codes."""
    employee_ranges: NotRequired[list[str]]
    revenue_ranges: NotRequired[list[str]]
    technologies: NotRequired[list[str]]
    keywords: NotRequired[list[str]]


class IdealProfileInput(TypedDict):
    """Your ideal customer; an empty list sets no criterion."""
    industries: NotRequired[list[str]]
    countries: NotRequired[list[str]]
    """ISO 3166 codes."""
    employee_ranges: NotRequired[list[str]]
    revenue_ranges: NotRequired[list[str]]
    technologies: NotRequired[list[str]]
    keywords: NotRequired[list[str]]


class Import(TypedDict):
    """An import of a list. Counts are rows of the file."""
    id: str
    kind: ImportKind
    file_name: str
    state: ImportState
    rows: int
    """Rows done so far."""
    rows_total: int | None
    """Rows of the file; null for imports of earlier releases."""
    percent: int | None
    """Percentage done, 0-100."""
    seconds_left: int | None
    """Estimated from the speed so far. Null unless it is running and has processed some rows."""
    created: int
    updated: int
    unchanged: int
    bad: int
    can_be_undone: bool
    """False for imports by releases without undo."""
    undone: Undone | None
    """Null unless it is being or was undone."""
    started_at: str
    finished_at: str | None
    undone_at: str | None


class ImportPage(TypedDict):
    items: list[Import]
    pagination: Pagination


class ImportedContacts(TypedDict):
    import_id: str
    rows: int
    created: int
    updated: int
    unchanged: int
    suppressed: int
    invalid: int
    mapping: list[MappedColumn]
    results: list[RowResult]


class IntegrationChange(TypedDict):
    enabled: bool


class IntegrationItem(TypedDict):
    id: str
    provider: str
    provider_name: str
    category: IntegrationItemCategory
    status: IntegrationItemStatus
    last_sync_at: str | None
    sync_status: IntegrationItemSyncStatus
    last_error: str | None
    counts: dict[str, int]


class Integrations(TypedDict):
    integrations: list[IntegrationItem]


class Job(TypedDict):
    """One posting. A job that is listed several times or reposted appears once."""
    id: str
    company_id: str
    title: str
    normalized_title: str | None
    department: Department | None
    seniority: JobSeniority | None
    employment_type: JobEmploymentType | None
    remote: JobRemote | None
    locations: list[JobLocation]
    salary: JobSalary | None
    skills: list[str]
    technologies: list[str]
    description: str
    url: str
    source: str
    first_seen_at: str
    posted_at: str | None
    """The employer's date; null if unknown."""
    last_seen_at: str
    closed_at: str | None
    active: bool
    """Not closed, and present in the last complete pull of its board."""
    openings: int | None


class JobInput(TypedDict):
    company: NotRequired[str | None]
    company_id: NotRequired[str | None]
    company_profile_network_id: NotRequired[str | None]
    title: NotRequired[str | None]
    location: NotRequired[str | None]
    start_date: NotRequired[str | None]
    """Date or month."""
    end_date: NotRequired[str | None]
    is_current: NotRequired[bool | None]
    description: NotRequired[str | None]


class JobLocation(TypedDict):
    city: str | None
    region: str | None
    country_code: str | None
    raw: str
    """As the job board words it."""


class JobPage(TypedDict):
    items: list[Job]
    pagination: Pagination
    meta: JobsMeta


class JobSalary(TypedDict):
    min: float | None
    max: float | None
    currency: str | None
    period: JobSalaryPeriod | None


class JobTrends(TypedDict):
    company_id: str
    observed_since: str | None
    """Date of the first pull. Earlier months count only postings still open then."""
    months: list[MonthCounts]
    departments: list[DepartmentCounts]
    locations: list[LocationCounts]


class JobsMeta(TypedDict):
    """Outcome of `live`: `fetched` and `unchanged` are refreshes; `fresh` postings were pulled
    minutes ago. With the others, stored postings are returned: `nothing_found` (no board lists
    postings), `unreachable` (a board or page did not respond), `timed_out`, `disabled` (your
    organization or the operator turned the source off)."""
    live_requested: bool
    refreshed: bool
    refreshed_at: str | None
    """When the boards were last pulled."""
    reason: JobsMetaReason | None


class KeyRotation(TypedDict):
    overlap_seconds: NotRequired[int]
    """How long the old key stays valid."""


class Ledger(TypedDict):
    items: list[LedgerEntry]
    pagination: Pagination


class LedgerEntry(TypedDict):
    """One entry of the ledger. Entries are never changed or deleted."""
    id: str
    created_at: str
    credit: CreditType
    kind: LedgerEntryKind
    amount: int
    """Change to the balance."""
    balance_after: int
    reason: str
    operation: str
    """What was charged, or the grant's reference."""
    key_id: str | None
    request_id: str | None


class Lifted(TypedDict):
    deleted: bool
    id: str
    contacts_restored: int


class LimitPagination(TypedDict):
    page: int
    limit: int
    """Contacts per page."""
    total: int
    """Total contacts, exact."""
    next_cursor: NotRequired[str | None]
    """Pass it as `cursor` for the next page, unaffected by new contacts."""


class ListChange(TypedDict):
    name: NotRequired[str | None]
    description: NotRequired[str | None]
    filter: NotRequired[dict[str, Any] | None]
    """Saved searches only."""


class LocationCounts(TypedDict):
    """`raw` is set only if the place could not be parsed."""
    opened: int
    closed: int
    active: int
    city: str | None
    region: str | None
    country_code: str | None
    raw: str | None


class MadeKey(TypedDict):
    id: str
    key: str | None
    """Shown only once; null in a replayed response."""


class MadeWebhook(TypedDict):
    id: str
    url: str
    description: str
    topics: list[str]
    enabled: bool
    disabled_reason: str | None
    last_delivery_at: str | None
    last_error: str | None
    created_at: str
    updated_at: str
    secret: str | None
    """Signs deliveries; shown only once, null in a replayed response."""


class MailSettings(TypedDict):
    """The mail server that digests of alerts go out over."""
    host: str
    port: NotRequired[Literal[25, 465, 587, 2525]]
    security: NotRequired[MailSettingsSecurity]
    username: NotRequired[str]
    password: NotRequired[str | None]
    """Stored encrypted and never shown."""
    sender: str
    recipients: list[str]


class MappedColumn(TypedDict):
    column: str
    field: str
    confidence: float
    """0-1."""


class MappedField(TypedDict):
    kind: MappedFieldKind
    property: str
    """CRM property."""
    field: str
    """Sightline field."""
    direction: NotRequired[SyncDirection]
    rule: NotRequired[SyncRule]
    """Which value to keep when both sides changed it."""


class MappedFieldInput(TypedDict):
    kind: MappedFieldInputKind
    property: str
    """CRM property."""
    field: str
    """Sightline field."""
    direction: NotRequired[SyncDirection]
    rule: NotRequired[SyncRule]
    """Which value to keep when both sides changed it."""


class MatchAnswer(TypedDict):
    status: MatchAnswerStatus
    score: float
    """Of the best candidate; 0 if there is none."""
    features: list[MatchFeature]
    """Those of the best candidate."""
    candidates: list[MatchCandidate]
    """Best first, at most ten."""


class MatchCandidate(TypedDict):
    company_id: str
    account_id: str | None
    """Only if it is one of your accounts."""
    name: str
    domain: str | None
    country_code: str | None
    city: str | None
    score: float
    """Probability, 0 to 1, that this is the company."""
    features: list[MatchFeature]


class MatchFeature(TypedDict):
    """One feature of the comparison; `weight` is what it adds to the log-odds."""
    name: str
    value: float
    weight: float


class MatchRequest(TypedDict):
    """What you know about the company: a name or a domain, or better both."""
    company_name: NotRequired[str | None]
    domain: NotRequired[str | None]
    """A domain or URL."""
    country: NotRequired[str | None]
    """A code or a name."""
    city: NotRequired[str | None]
    ticker: NotRequired[str | None]
    lei: NotRequired[str | None]


class MemberChange(TypedDict):
    add: NotRequired[list[str]]
    """Account ids; unknown ids are ignored."""
    remove: NotRequired[list[str]]
    """Account ids."""


class MembersChanged(TypedDict):
    added: int
    removed: int


class Message(TypedDict):
    id: str
    role: MessageRole
    content: str
    details: dict[str, Any]
    """Of an answer: citations, evidence, model, usage, steps; of a written item content_id."""
    created_at: str


class MessagePage(TypedDict):
    items: list[Message]
    pagination: Pagination


class MonthCounts(TypedDict):
    """`active` is at the end of the month."""
    opened: int
    closed: int
    active: int
    month: str


Move = TypedDict('Move', {
    'from': 'str',
    'to': 'str',
    'at': 'str',
    'by': 'str',
})


class NamedAccount(TypedDict):
    id: str
    company_name: str


class NearPassage(TypedDict):
    document_id: str
    url: str | None
    title: str | None
    published_at: str | None
    quote: str
    """Verbatim from the document."""


class NewCompanies(TypedDict):
    items: list[NewCompany]


class NewCompany(TypedDict):
    """At least one of company_name, domain and id. A domain takes precedence over a name."""
    company_name: NotRequired[str | None]
    domain: NotRequired[str | None]
    """Domain or URL of its website."""
    id: NotRequired[str | None]
    """Id of an account or a company to enrich again."""
    external_id: NotRequired[str | None]
    """Your own id for it; stored as a cross-reference, unique per source system."""
    source_system: NotRequired[str | None]


class NewContent(TypedDict):
    """With `content`, the text is stored as given, free of charge; without, it is composed."""
    content_type: ContentType
    title: NotRequired[str | None]
    content: NotRequired[str | None]
    """Your own text."""
    ref_content_template_id: NotRequired[str | None]
    content_setting_id: NotRequired[str | None]


class NewKey(TypedDict):
    name: str
    scopes: list[NewKeyScopes]
    user_id: NotRequired[str | None]
    """User it acts for; default: you."""
    expires_at: NotRequired[str | None]
    """No later than the expiry of your own key, which is the default."""
    allowed_networks: NotRequired[list[str]]
    """CIDR ranges within those of your own key, which are the default; empty allows any."""
    rate_limit: NotRequired[int | None]
    """Requests per minute, at most the limits of your plan and your own key."""
    flat_errors: NotRequired[bool]


class NewList(TypedDict):
    name: str
    description: NotRequired[str]
    filter: NotRequired[dict[str, Any] | None]
    """Makes it a saved search; without one, accounts are added by hand."""


class NewMessage(TypedDict):
    content: str
    """A question, what to plan, what to write, or a note, depending on the session's type."""


class NewQuestion(TypedDict):
    name: str
    question: str
    keywords: NotRequired[list[str]]
    """Words an answer is likely to contain."""


class NewSession(TypedDict):
    title: NotRequired[str | None]
    company_id: NotRequired[str | None]
    """Company that the session is about."""
    type: NotRequired[Any]
    """document, chat, plan, canvas_settings, email, workspace or project; chat if missing or
    unknown."""


class NewSetting(TypedDict):
    name: str
    tone: NotRequired[str]
    language: NotRequired[str]
    length: NotRequired[SettingLength]
    signature: NotRequired[str]


class NewSuppressions(TypedDict):
    items: list[Person]
    reason: NotRequired[str]


class NewTemplate(TypedDict):
    name: str
    content_type: ContentType
    body: str
    """Text with {{placeholders}}: company_name, website_domain, industry, hq_city,
    hq_country_name, ceo, revenue_range, employee_count_range, description, seller_name,
    offering, value_proposition, signature, strategic_priorities, risks, goals,
    digital_strategies, competitors, key_executives, value_pyramid, three_whys,
    discovery_questions, how_they_make_money."""


class NewTerritory(TypedDict):
    name: str
    description: NotRequired[str]
    owner_id: NotRequired[str | None]
    """User who owns it."""
    rules: dict[str, Any]
    include: NotRequired[list[str]]
    """Account ids."""
    exclude: NotRequired[list[str]]
    """Account ids."""
    score_rules: NotRequired[list[ScoreRuleBody]]
    id: NotRequired[str | None]
    """Your own id for it; default: derived from the name."""


class NewUser(TypedDict):
    email: str
    role: NotRequired[UserRole]


class NewWebhook(TypedDict):
    url: str
    description: NotRequired[str]
    topics: NotRequired[list[WebhookTopic]]
    """Empty for both events and alerts."""


class Note(TypedDict):
    id: str
    account_id: str
    kind: NoteKind
    text: str
    due_on: str | None
    owner: NoteUser | None
    author: NoteUser
    created_at: str


class NoteEntry(TypedDict):
    kind: NotRequired[NoteKind]
    """Text of the note."""
    text: NotRequired[str]
    """For a next step, no text marks it done; for an owner, a comment."""
    due_on: NotRequired[str | None]
    """For a next step: its due date."""
    owner: NotRequired[str | None]
    """For an owner: a user's email; null removes the owner."""


class NotePage(TypedDict):
    items: list[Note]
    pagination: Pagination


class NoteUser(TypedDict):
    id: str
    email: str


class Offering(TypedDict):
    """A product or service of your organization."""
    name: str
    description: NotRequired[str]
    value_propositions: NotRequired[list[str]]
    keywords: NotRequired[list[str]]


class OfferingInput(TypedDict):
    """A product or service of your organization."""
    name: str
    description: NotRequired[str]
    value_propositions: NotRequired[list[str]]
    keywords: NotRequired[list[str]]


class Open(TypedDict):
    """A row whose fields are open."""
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""


class Operation(TypedDict):
    """An enrichment, a bulk enrichment, or a deletion of accounts."""
    public_operation_id: str
    kind: OperationKind
    status: OperationStatus
    progress: Progress
    steps: list[OperationStep]
    input: dict[str, Any]
    company_id: str | None
    match: OperationMatch | None
    cost: Cost
    created_at: str
    started_at: str | None
    finished_at: str | None
    error: OperationFault | None
    next_poll_after: str | None
    """Null once it is finished."""


class OperationFault(TypedDict):
    code: str
    message: str


class OperationMatch(TypedDict):
    """The company that the input was matched to, with `features` and `candidates`."""
    status: OperationMatchStatus
    score: float | None
    """0-1."""
    features: dict[str, Any]
    candidates: list[dict[str, Any]]


class OperationPage(TypedDict):
    items: list[Operation]
    pagination: Pagination


class OperationStep(TypedDict):
    """One step. `found` counts documents and values; `error` and `notes` are sentences."""
    name: str
    source: str | None
    status: OperationStepStatus
    started_at: str | None
    finished_at: str | None
    found: dict[str, int]
    error: str | None
    notes: list[str]


class Organization(TypedDict):
    id: str
    slug: str
    name: str
    plan: OrganizationPlan
    costs: dict[str, int]
    created_at: str


class OrganizationChange(TypedDict):
    name: NotRequired[str | None]


class OrganizationCredits(TypedDict):
    organization: OrganizationName
    credit_remaining: CreditRemaining


class OrganizationName(TypedDict):
    id: str
    name: str


class Overlap(TypedDict):
    first: str
    second: str
    account_count: int
    company_ids: list[str]
    """At most ten, best score first."""


class OverlapPage(TypedDict):
    items: list[Overlap]
    pagination: Pagination


class Owner(TypedDict):
    id: str
    email: str


class PagedContactSearch(TypedDict):
    q: NotRequired[str | None]
    """All words must occur somewhere in the contact."""
    name: NotRequired[str | None]
    """Words of the name; the last may be incomplete."""
    title: NotRequired[str | list[str] | None]
    """The title has all words of one of these; abbreviations (VP, CFO) match full titles."""
    title_exclude: NotRequired[str | list[str] | None]
    """Exclude titles that have all words of one of these."""
    seniority: NotRequired[str | list[str] | None]
    """Seniority levels."""
    department: NotRequired[str | list[str] | None]
    """Departments."""
    skills: NotRequired[str | list[str] | None]
    """Any of these skills."""
    country: NotRequired[str | list[str] | None]
    """ISO 3166 codes or names."""
    location: NotRequired[str | list[str] | None]
    """The location has all words of one of these."""
    company_name: NotRequired[str | list[str] | None]
    """The employer's name has all words of one of these."""
    past_company: NotRequired[str | list[str] | None]
    """A previous employer's name has all words of one of these."""
    company_ids: NotRequired[list[str] | None]
    account_filter: NotRequired[dict[str, Any] | None]
    """A filter over the accounts where they work."""
    email: NotRequired[str | None]
    """Exactly this address."""
    has_email: NotRequired[bool | None]
    has_phone: NotRequired[bool | None]
    updated_since: NotRequired[str | None]
    """Created or changed at or after this time."""
    page: NotRequired[int]
    """Page number, from 1."""
    per_page: NotRequired[int]
    """Items per page."""
    limit: NotRequired[int | None]
    """Alias of `per_page`."""
    cursor: NotRequired[str | None]
    """The `next_cursor` of the previous page."""


class Pagination(TypedDict):
    """The position of a page in its list."""
    page: int
    """Page number."""
    per_page: int
    """Items per page."""
    total: int | None
    """Total items, exact."""
    total_items: int | None
    """The same as `total`."""
    total_pages: int
    """Total pages."""
    has_next: bool | None
    has_previous: bool | None
    next_cursor: NotRequired[str | None]
    """Pass it as `cursor` for the next page, unaffected by new rows. Null on an empty page."""


class Person(TypedDict):
    """Identifiers of a person. A name needs a company."""
    email: NotRequired[str | None]
    phone: NotRequired[str | None]
    """E.164."""
    profile_network_url: NotRequired[str | None]
    full_name: NotRequired[str | None]
    company_name: NotRequired[str | None]


class PlanStep(TypedDict):
    action: str
    """What to do."""
    reason: str
    """Why the evidence makes it worth doing."""
    citations: list[int]
    """Numbers of `citations` that prove the reason."""


class Preview(TypedDict):
    items: list[PreviewedField]
    properties: list[CrmProperty]
    """Properties of the CRM that can be mapped."""


class PreviewedField(TypedDict):
    kind: PreviewedFieldKind
    property: str
    field: str
    label: str | None
    """Null: the CRM has no such property."""
    theirs: list[str]
    """Values of the first records."""
    read_as: list[str | None]


class ProfileSource(TypedDict):
    """Where a statement is proven. `quote` appears verbatim in the document; `pointer` names the
    place in its data."""
    document_id: str
    url: str | None
    title: str | None
    quote: str | None
    published_at: str | None
    pointer: NotRequired[str | None]


class ProfileWriting(TypedDict):
    """The maximum cost of writing the sections that the model has not written yet."""
    company_id: str
    status: ProfileWritingStatus
    model: str | None
    sections: int
    """Public sections to write."""
    tokens: int
    """At most, input and output together, including verification."""


class Progress(TypedDict):
    done: int
    total: int


class QuestionChange(TypedDict):
    name: NotRequired[str | None]
    question: NotRequired[str | None]
    keywords: NotRequired[list[str] | None]


class Queued(TypedDict):
    delivery_id: str
    status: Literal['pending']


class Readiness(TypedDict):
    status: ReadinessStatus
    reason: ReadinessReason | None
    """Why it is not ready; null when it is."""


class Recomputed(TypedDict):
    id: str
    account_count: int


class RelatedDocument(TypedDict):
    document_id: str
    url: str | None
    title: str | None
    published_at: str | None


class RelevanceItem(TypedDict):
    """A signal, or a passage of a filing, news item, page, posting or a technology."""
    id: str
    family: SignalFamily | None
    type: SignalType | None
    """Of a signal."""
    title: str
    summary: str | None
    """Of a signal."""
    quote: str | None
    """Verbatim from the document."""
    source: RelevanceSource
    document_id: str | None
    occurred_at: str | None
    """When the event of a signal happened; null where its source gives no day:
    `source.published_at` is when it was reported. Of a passage: when it was published."""
    detected_at: str | None
    expires_at: str | None
    planned: bool | None
    """For signals: announced, not completed."""
    background: bool | None
    """For signals: no news any more when it was reported."""
    confidence: float | None
    """0-1."""
    parties: list[dict[str, Any]]
    amount: dict[str, Any] | None
    location: str | None
    corroboration: Corroboration
    score: float
    """0-1: the weighted mean of the factors."""
    score_factors: ScoreFactors


class RelevancePage(TypedDict):
    items: list[RelevanceItem]
    total: int
    """Total items."""
    page: int
    per_page: int
    pagination: Pagination
    reason: str | None
    """Why the list is empty, e.g. nothing new is known; null if it is not."""


class RelevanceSource(TypedDict):
    name: str | None
    """The source that found it."""
    url: str | None
    title: str | None
    publisher: str | None
    published_at: str | None
    kind: SourceKind


class RelevanceTeller(TypedDict):
    """The publisher."""
    name: str | None
    """The source that found it."""
    url: str | None
    title: str | None
    publisher: str | None
    published_at: str | None


class Revoked(TypedDict):
    id: str
    revoked: Literal[True]


class RowFault(TypedDict):
    field: str
    message: str


class RowResult(TypedDict):
    row: int
    """Index in the request, from 0."""
    status: RowResultStatus
    contact_id: str | None
    problems: list[RowFault]
    """Values that were rejected, and why."""


class SchoolInput(TypedDict):
    degree: NotRequired[str | None]
    field_of_study: NotRequired[str | None]
    school: NotRequired[str | None]
    start_year: NotRequired[int | None]
    end_year: NotRequired[int | None]


class ScoreFactors(TypedDict):
    """The factors of the score, each 0-1 before weighting."""
    text: float
    """Match to `q`, or to a material change."""
    recency: float
    specificity: float
    """Density of numbers and names."""
    source: float
    family: float
    corroboration: float


class ScoreRuleBody(TypedDict):
    filter: dict[str, Any]
    """Which accounts get the points."""
    points: int
    why: str


class SecretRotation(TypedDict):
    overlap_seconds: NotRequired[int]
    """How long both secrets stay valid."""


class SectionState(TypedDict):
    """`generating`: the section is being built; try again in a few seconds."""
    status: SectionStateStatus
    generated_at: str | None
    method: str | None
    """`extractive`, or the model that wrote it."""
    source_window: dict[str, str] | None
    """`from` and `until`: the oldest and newest quoted documents."""
    stale: bool
    """Newer evidence exists or a month has passed; it is being rebuilt."""
    annual_source: AnnualSource | None
    """The company's newest annual report; null if none is known."""
    writing: SectionWriting | None
    """Null if no model is configured or no model writes this section."""


class SectionWriting(TypedDict):
    """The state of a section's writing by the model. Until it is `written`, the section is
    extractive."""
    outcome: SectionWritingOutcome
    model: str
    prompt_version: int
    at: str
    reason: NotRequired[str | None]
    """Why it failed."""
    tries: NotRequired[int | None]
    tokens: NotRequired[int | None]
    """Tokens used to write the profile that it belongs to, in and out."""
    kept: NotRequired[int | None]
    """Statements written and proven."""
    dropped: NotRequired[int | None]
    """Statements written but not proven, and dropped."""


class SellerContext(TypedDict):
    """What your organization sells, to whom, and against which competitors."""
    company_name: NotRequired[str]
    offerings: NotRequired[list[Offering]]
    value_propositions: NotRequired[list[str]]
    personas: NotRequired[list[str]]
    competitors: NotRequired[list[str]]
    ideal_profile: NotRequired[IdealProfile]


class SellerContextInput(TypedDict):
    """What your organization sells, to whom, and against which competitors."""
    company_name: NotRequired[str]
    offerings: NotRequired[list[OfferingInput]]
    value_propositions: NotRequired[list[str]]
    personas: NotRequired[list[str]]
    competitors: NotRequired[list[str]]
    ideal_profile: NotRequired[IdealProfileInput]


class Session(TypedDict):
    id: str
    title: str
    type: SessionType
    status: SessionStatus
    company_id: str | None
    user_id: str
    """User it belongs to."""
    capabilities: list[SessionCapabilities]
    """What a message to it produces."""
    message_count: int
    created_at: str
    updated_at: str


class SessionChange(TypedDict):
    title: NotRequired[str | None]
    status: NotRequired[SessionStatus | None]
    """archived or active."""


class SessionPage(TypedDict):
    items: list[Session]
    pagination: Pagination


class SessionReply(TypedDict):
    session_id: str
    message_id: str
    """Id of the reply, or of your own message if there is none."""
    answer: str | None
    """The answer, plan, text or setting."""
    steps: list[PlanStep]
    """Steps of a plan, in order."""
    content: ContentItem | None
    """What a document or email session wrote."""
    setting: Setting | None
    """The content setting of a canvas_settings session."""
    citations: list[Citation]
    nearest: list[NearPassage]
    """The closest passages where `evidence` is `none`. They may not answer the question."""
    related: list[RelatedDocument]
    suggestions: list[str]
    evidence: AssistantEvidence | None
    model: str | None
    """Name of the model that wrote it, or extractive."""
    usage: dict[str, Any]


class Setting(TypedDict):
    name: str
    tone: NotRequired[str]
    language: NotRequired[str]
    length: NotRequired[SettingLength]
    signature: NotRequired[str]
    id: str
    created_at: str
    updated_at: str


class SettingChange(TypedDict):
    name: NotRequired[str]
    tone: NotRequired[str]
    language: NotRequired[str]
    length: NotRequired[SettingLength]
    signature: NotRequired[str]


class SettingPage(TypedDict):
    items: list[Setting]
    pagination: Pagination


class Simulation(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    owner_id: NotRequired[str | None]
    """User who owns it."""
    rules: dict[str, Any]
    include: NotRequired[list[str]]
    """Account ids."""
    exclude: NotRequired[list[str]]
    """Account ids."""
    score_rules: NotRequired[list[ScoreRuleBody]]
    compared_with: NotRequired[str | None]
    """A territory to compare with."""


class SimulationResult(TypedDict):
    account_count: int
    entering: int
    """Accounts that would be added."""
    leaving: int
    """Accounts that would be removed."""
    sample: list[dict[str, Any]]


class Statement(TypedDict):
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    name: str
    description: str


class StructuredError(TypedDict):
    """The default shape."""
    error: ErrorObject


class Suppressed(TypedDict):
    items: list[Suppression]
    """Entries for everything requested."""
    added: int
    """How many of them are new."""
    contacts_hidden: int
    """Contacts that are now hidden."""


class Suppression(TypedDict):
    """An entry of the list. Only a keyed digest is stored; `display` is masked."""
    id: str
    kind: SuppressionKind
    display: str
    reason: str
    source: SuppressionSource
    created_at: str


class SuppressionPage(TypedDict):
    items: list[Suppression]
    pagination: Pagination


class SwotEntry(TypedDict):
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    name: str
    type: SwotEntryType
    description: str


class SyncChange(TypedDict):
    """Omitted fields stay unchanged; `mapping` and `conditions` are replaced as a whole."""
    mapping: NotRequired[list[MappedFieldInput] | None]
    conditions: NotRequired[ConditionsInput | None]
    writes: NotRequired[bool | None]
    creates: NotRequired[bool | None]
    notes: NotRequired[list[SyncChangeNotes] | None]
    every_hours: NotRequired[int | None]


class SyncEntry(TypedDict):
    stage: str
    record_id: str
    """Of the CRM."""
    local_id: str | None
    """Of our account or contact."""
    action: str
    details: dict[str, Any]
    at: str


class SyncLog(TypedDict):
    items: list[SyncEntry]
    pagination: Pagination


class SyncOptions(TypedDict):
    """Only for a CRM."""
    dry_run: NotRequired[bool]
    """Only show in the log what would happen."""
    everything: NotRequired[bool]
    """All records, not only those that changed since the last run."""


class SyncQueued(TypedDict):
    id: str
    queued: int
    """Accounts queued for enrichment, messages sent, or runs started."""
    error: NotRequired[str | None]


class SyncRun(TypedDict):
    id: str
    integration_id: str
    dry_run: bool
    state: SyncRunState
    stage: str
    complete: bool
    """Whether all records are read, not only those that changed."""
    counts: dict[str, dict[str, int]]
    """Stage -> outcome -> records."""
    warnings: list[str]
    error: str | None
    waiting_until: str | None
    started_at: str
    finished_at: str | None


class SyncRunPage(TypedDict):
    items: list[SyncRun]
    pagination: Pagination


class SyncSettings(TypedDict):
    mapping: list[MappedField]
    conditions: Conditions
    writes: bool
    """Whether anything is written to the CRM."""
    creates: bool
    """Whether accounts that the CRM does not have are created there."""
    notes: list[SyncSettingsNotes]
    every_hours: int | None
    """How often it is synced; null: only on request."""


class Technology(TypedDict):
    """One product. `postings` counts the job postings that name it."""
    product: str
    vendor: str | None
    category: str | None
    first_seen_at: str
    last_seen_at: str
    active: bool
    evidence_kind: str
    quote: str | None
    confidence: float
    """0-1, from all kinds of evidence."""
    postings: int
    sources: list[TechnologyEvidence]


class TechnologyCount(TypedDict):
    as_of: NotRequired[str | None]
    """The day of the newest document cited."""
    sources: NotRequired[list[ProfileSource]]
    """Only with `sources=true`."""
    method: NotRequired[str | None]
    """The model that wrote it; else extractive."""
    name: str
    category: NotRequired[str | None]
    count: int


class TechnologyEvidence(TypedDict):
    """`quote` is verbatim from the posting or page: a sentence, the tag, header or script, or the
    full URL of what the page loads; null if no words show it."""
    source: str
    evidence_kind: str
    quote: str | None
    url: str
    document_id: str | None
    last_seen_at: str


class TechnologyPage(TypedDict):
    items: list[Technology]
    pagination: Pagination


class Template(TypedDict):
    name: str
    content_type: ContentType
    body: str
    """Text with {{placeholders}}: company_name, website_domain, industry, hq_city,
    hq_country_name, ceo, revenue_range, employee_count_range, description, seller_name,
    offering, value_proposition, signature, strategic_priorities, risks, goals,
    digital_strategies, competitors, key_executives, value_pyramid, three_whys,
    discovery_questions, how_they_make_money."""
    id: str
    created_at: str
    updated_at: str


class TemplateChange(TypedDict):
    name: NotRequired[str]
    content_type: NotRequired[ContentType]
    body: NotRequired[str]


class TemplatePage(TypedDict):
    items: list[Template]
    pagination: Pagination


class Territory(TypedDict):
    """A territory with a page of its companies, best score first."""
    id: str
    name: str
    description: str
    owner: Owner | None
    rules: dict[str, Any]
    score_rules: list[dict[str, Any]]
    include: list[str]
    exclude: list[str]
    account_count: int
    computed_at: str | None
    created_at: str
    updated_at: str
    companies: Companies
    scores: list[TerritoryScore]


class TerritoryChange(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    owner_id: NotRequired[str | None]
    rules: NotRequired[dict[str, Any]]
    include: NotRequired[list[str] | None]
    exclude: NotRequired[list[str] | None]
    score_rules: NotRequired[list[ScoreRuleBody]]


class TerritoryLine(TypedDict):
    """One line of the export of a territory."""
    company_id: str
    company_name: NotRequired[str]
    website_domain: NotRequired[str]
    public_company: NotRequired[bool]
    country_code: NotRequired[str | None]
    """ISO 3166-1 alpha-2."""
    profile_network_url: NotRequired[str | None]
    hq_city: NotRequired[str | None]
    hq_state: NotRequired[str | None]
    hq_address: NotRequired[str | None]
    hq_postcode: NotRequired[str | None]
    hq_country_name: NotRequired[str | None]
    region: NotRequired[str | None]
    ceo: NotRequired[str | None]
    sector: NotRequired[str | None]
    industry: NotRequired[str | None]
    revenue_range: NotRequired[str | None]
    """Revenue band in USD."""
    employee_count_range: NotRequired[str | None]
    """Employee band."""
    full_time_employees: NotRequired[int | None]
    alternative_domains: NotRequired[list[str] | None]
    alternative_names: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    description: NotRequired[str | None]
    stock_ticker: NotRequired[str | None]
    stock_currency: NotRequired[str | None]
    stock_exchange_name: NotRequired[str | None]
    stock_exchange_symbol: NotRequired[str | None]
    market_cap: NotRequired[float | None]
    id: str
    """Id of the account."""
    domain: NotRequired[str]
    website: NotRequired[str]
    employee_size_category: NotRequired[str | None]
    revenue_category: NotRequired[str | None]
    country: NotRequired[str | None]
    """Country name."""
    updated_at: str
    provenance: NotRequired[dict[str, dict[str, Any]] | None]
    score: int
    """0-100; 50 where the territory has no score rules."""
    why: list[dict[str, Any]]
    """The reasons for the score, with points."""
    by_hand: bool
    """Whether the account was included by hand."""


class TerritoryPage(TypedDict):
    items: list[TerritorySummary]
    pagination: Pagination


class TerritoryScore(TypedDict):
    """`why` lists the reasons with their points, or that the account was included by hand."""
    company_id: str
    score: int
    """0-100; 50 where the territory has no score rules."""
    why: list[dict[str, Any]]


class TerritorySummary(TypedDict):
    id: str
    name: str
    description: str
    owner: Owner | None
    rules: dict[str, Any]
    score_rules: list[dict[str, Any]]
    include: list[str]
    exclude: list[str]
    account_count: int
    computed_at: str | None
    created_at: str
    updated_at: str


class TrendPoint(TypedDict):
    period: str
    amount: float


class Undone(TypedDict):
    """Result of undoing an import, in accounts or contacts."""
    deleted: int
    """Records it created that were removed."""
    reverted: int
    """Records whose previous values were restored."""
    stayed_edited: int
    """Records it created that stay because a person edited them."""
    stayed_placed: int
    """Accounts it created that stay because a person added them to a list, territory or watch."""
    stayed_imported: int
    """Records it created that stay with values from other imports or discovery only."""
    values_stayed: int
    """Values that stay because they were changed later."""


class UsagePage(TypedDict):
    items: list[UsageRow]
    pagination: Pagination


class UsageRow(TypedDict):
    day: str
    key_id: str
    key_name: str | None
    operation: str
    requests: int
    failures: int
    """Responses with status 400 and above."""


class User(TypedDict):
    id: str
    email: str
    role: UserRole
    disabled: bool
    has_password: bool
    created_at: str


class UserChange(TypedDict):
    role: NotRequired[UserRole | None]
    disabled: NotRequired[bool | None]
    """A disabled user's keys are revoked."""


class UserPage(TypedDict):
    items: list[User]
    pagination: Pagination


class Watch(TypedDict):
    id: str
    name: str
    kind: WatchKind
    filter: dict[str, Any] | None
    account_ids: list[str]
    """Empty if the watch follows a filter."""
    account_count: int
    """If the watch follows a filter: as of the last update of its members."""
    families: list[str]
    types: list[str]
    fields: list[str]
    seniorities: list[str]
    least_confidence: float
    paused: bool
    expires_at: str | None
    status: WatchStatus
    created_at: str
    updated_at: str


class WatchBody(TypedDict):
    """Accounts by id or by a filter, and at least one family, type or field."""
    name: str
    account_ids: NotRequired[list[str] | None]
    """Unknown ids are ignored."""
    filter: NotRequired[dict[str, Any] | None]
    """A filter over accounts."""
    families: NotRequired[list[str]]
    types: NotRequired[list[str]]
    fields: NotRequired[list[str]]
    """Fields of the company record to watch for changes."""
    seniorities: NotRequired[list[str]]
    """Fire on leadership moves and senior openings only at these levels. Empty: at any."""
    least_confidence: NotRequired[float]
    paused: NotRequired[bool]
    expires_at: NotRequired[str | None]


class WatchChange(TypedDict):
    name: NotRequired[str]
    account_ids: NotRequired[list[str] | None]
    filter: NotRequired[dict[str, Any] | None]
    families: NotRequired[list[str]]
    types: NotRequired[list[str]]
    fields: NotRequired[list[str]]
    seniorities: NotRequired[list[str]]
    least_confidence: NotRequired[float]
    paused: NotRequired[bool]
    expires_at: NotRequired[str | None]


class WatchPage(TypedDict):
    items: list[Watch]
    pagination: Pagination


class WatchPreview(TypedDict):
    """What would have triggered the watch in the last 30 days. Nothing is saved."""
    account_count: int
    event_count: int
    items: list[dict[str, Any]]


class Webhook(TypedDict):
    id: str
    url: str
    description: str
    topics: list[str]
    enabled: bool
    disabled_reason: str | None
    last_delivery_at: str | None
    last_error: str | None
    created_at: str
    updated_at: str


class WebhookChange(TypedDict):
    url: NotRequired[str | None]
    description: NotRequired[str | None]
    topics: NotRequired[list[WebhookTopic] | None]
    enabled: NotRequired[bool | None]


class WebhookPage(TypedDict):
    items: list[Webhook]
    pagination: Pagination
