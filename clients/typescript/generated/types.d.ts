// Made from openapi.json by clients/generate; do not edit.

/** The enrichment is queued; poll `status_url`. */
export interface Accepted {
  public_operation_id: string;
  status: OperationStatus;
  status_url: string;
  /** Null until the company is identified. */
  company_id: string | null;
  cost: HeldCost;
}

/**
 * Values set by your organization. Null removes your value and restores the public one; lists
 * are replaced as a whole.
 */
export interface AccountChange {
  company_name?: string | null;
  /** Website URL or domain. */
  website?: string | null;
  /** Whether the company is publicly traded. */
  public_company?: boolean | null;
  /** ISO 3166 code or name. */
  country?: string | null;
  hq_city?: string | null;
  hq_state?: string | null;
  hq_address?: string | null;
  hq_postcode?: string | null;
  /** Industry name; determines the sector. */
  industry?: string | null;
  /** Determines the employee band. */
  full_time_employees?: number | null;
  /** Employee band, if the count is unknown. */
  employee_count_range?: AccountChangeEmployeeCountRange | null;
  /** Revenue band in USD. */
  revenue_range?: AccountChangeRevenueRange | null;
  ceo?: string | null;
  description?: string | null;
  tags?: Array<string> | null;
  alternative_names?: Array<string> | null;
}

export type AccountChangeEmployeeCountRange = "1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10001+";

export type AccountChangeRevenueRange = "0-1M" | "1M-10M" | "10M-50M" | "50M-100M" | "100M-500M" | "500M-1B" | "1B-10B" | "10B+";

/** The accounts to delete: by ids or by a filter. */
export interface AccountDeletion {
  /** Account ids; unknown ids are ignored. */
  account_ids?: Array<string> | null;
  /** A filter; {} matches every account. */
  filter?: Record<string, unknown> | null;
  /** With a filter: the `count` from a dry run. If more match by now, nothing is deleted. */
  confirm?: number | null;
}

/** A company as one of your accounts. */
export interface AccountItem {
  company_id: string;
  company_name?: string;
  website_domain?: string;
  public_company?: boolean;
  /** ISO 3166-1 alpha-2. */
  country_code?: string | null;
  profile_network_url?: string | null;
  hq_city?: string | null;
  hq_state?: string | null;
  hq_address?: string | null;
  hq_postcode?: string | null;
  hq_country_name?: string | null;
  region?: string | null;
  ceo?: string | null;
  sector?: string | null;
  industry?: string | null;
  /** Revenue band in USD. */
  revenue_range?: string | null;
  /** Employee band. */
  employee_count_range?: string | null;
  full_time_employees?: number | null;
  alternative_domains?: Array<string> | null;
  alternative_names?: Array<string> | null;
  tags?: Array<string> | null;
  description?: string | null;
  stock_ticker?: string | null;
  stock_currency?: string | null;
  stock_exchange_name?: string | null;
  stock_exchange_symbol?: string | null;
  market_cap?: number | null;
  /** Id of the account. */
  id: string;
  domain?: string;
  website?: string;
  employee_size_category?: string | null;
  revenue_category?: string | null;
  /** Country name. */
  country?: string | null;
}

/** One line of the export. */
export interface AccountLine {
  company_id: string;
  company_name?: string;
  website_domain?: string;
  public_company?: boolean;
  /** ISO 3166-1 alpha-2. */
  country_code?: string | null;
  profile_network_url?: string | null;
  hq_city?: string | null;
  hq_state?: string | null;
  hq_address?: string | null;
  hq_postcode?: string | null;
  hq_country_name?: string | null;
  region?: string | null;
  ceo?: string | null;
  sector?: string | null;
  industry?: string | null;
  /** Revenue band in USD. */
  revenue_range?: string | null;
  /** Employee band. */
  employee_count_range?: string | null;
  full_time_employees?: number | null;
  alternative_domains?: Array<string> | null;
  alternative_names?: Array<string> | null;
  tags?: Array<string> | null;
  description?: string | null;
  stock_ticker?: string | null;
  stock_currency?: string | null;
  stock_exchange_name?: string | null;
  stock_exchange_symbol?: string | null;
  market_cap?: number | null;
  /** Id of the account. */
  id: string;
  domain?: string;
  website?: string;
  employee_size_category?: string | null;
  revenue_category?: string | null;
  /** Country name. */
  country?: string | null;
  updated_at: string;
  provenance?: Record<string, Record<string, unknown>> | null;
}

export interface AccountList {
  id: string;
  name: string;
  description: string;
  kind: AccountListKind;
  filter: Record<string, unknown> | null;
  /** Null for a saved search, which runs each time. */
  account_count: number | null;
  created_at: string;
  updated_at: string;
}

export type AccountListKind = "accounts" | "search";

export interface AccountListPage {
  items: Array<AccountList>;
  pagination: Pagination;
}

export type AccountOrder = "company_name" | "-company_name" | "updated_at" | "-updated_at" | "employees" | "-employees" | "revenue" | "-revenue";

export interface AccountPageAnswer {
  items: Array<AccountItem>;
  pagination: Pagination;
  request: AccountRequest;
  facets?: Record<string, Array<FacetValue>> | null;
}

/** The parameters used. */
export interface AccountRequest {
  industry: string | null;
  employee_size_category: string | null;
  revenue_category: string | null;
  country: string | null;
  company_name: string | null;
  public_company: boolean | null;
  filter: Record<string, unknown> | null;
  changed_since: string | null;
  page: number;
  per_page: number;
  offset: number;
  sort: AccountOrder;
}

/** Filters are combined with "and"; an empty body matches all accounts. */
export interface AccountSearch {
  /** Industry name. */
  industry?: string | null;
  /** An employee band. */
  employee_size_category?: string | null;
  /** A revenue band in USD. */
  revenue_category?: string | null;
  /** ISO 3166 code or name. */
  country?: string | null;
  /** Part of a name, alternative name or domain; ignores case, accents and punctuation. */
  company_name?: string | null;
  public_company?: boolean | null;
  /** A filter: nested and, or, not over conditions of field, op and value. Applies in addition to the fields above. On description, contains finds words by their beginnings. */
  filter?: Record<string, unknown> | null;
  /** Created or changed at or after this time. To mirror accounts, use GET /accounts/export. */
  changed_since?: string | null;
  /** Page number, from 0. */
  page?: number;
  /** Items per page. */
  per_page?: number;
  /** Rows to skip. */
  offset?: number;
  /** The `next_cursor` of the previous page. */
  cursor?: string | null;
  /** A leading minus sorts in descending order. */
  sort?: AccountOrder;
  /** Fields whose values to count. */
  facets?: Array<AccountSearchFacets> | null;
}

export type AccountSearchFacets = "industry" | "sector" | "employee_size_category" | "revenue_category" | "country" | "public_company";

export interface AccountsDeleted {
  /** How many accounts match. */
  count: number;
  /** How many this request deleted. */
  deleted: number;
  /** The first names, sorted. */
  sample: Array<NamedAccount>;
  /** The operation that deletes them, if there are too many for one request. */
  public_operation_id: string | null;
  /** URL to poll its progress. */
  status_url: string | null;
}

export interface Act {
  id: string;
  at: string;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  request_id: string | null;
}

export interface Alert {
  id: string;
  status: AlertStatus;
  event: Record<string, unknown>;
  company: Record<string, unknown>;
  /** Null once the watch is deleted. */
  watch_id: string | null;
  note: string | null;
  assignee: string | null;
  snoozed_until: string | null;
  history: Array<Move>;
  created_at: string;
  updated_at: string;
}

/**
 * At least one field. Any change of status is allowed; setting the same status again changes
 * nothing.
 */
export interface AlertChange {
  status?: AlertChangeStatus | null;
  note?: string | null;
  /** A user; null unassigns the alert. */
  assignee?: string | null;
  /** Hidden until then. */
  snoozed_until?: string | null;
}

export type AlertChangeStatus = "viewed" | "acknowledged" | "resolved" | "dismissed";

export interface AlertPage {
  items: Array<Alert>;
  pagination: Pagination;
}

export type AlertStatus = "new" | "viewed" | "acknowledged" | "resolved" | "dismissed";

/**
 * The annual report behind the figures and plans of a profile. `outdated`: it is older than
 * fifteen months.
 */
export interface AnnualSource {
  published_at: string;
  outdated: boolean;
}

export interface ApiKey {
  id: string;
  name: string;
  /** First 14 characters of the key. */
  prefix: string;
  scopes: Array<string>;
  /** Email address of the user it acts for. */
  owner: string;
  user_id: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  allowed_networks: Array<string>;
  /** The key's own limit; null uses the plan's. */
  rate_limit: number | null;
  flat_errors: boolean;
}

export interface ApiKeyPage {
  items: Array<ApiKey>;
  pagination: Pagination;
}

export type AssistantEvidence = "sufficient" | "partial" | "none";

export interface AuditPage {
  items: Array<Act>;
  pagination: Pagination;
}

/** Parts without known facts are empty. */
export interface Brief {
  company: BriefCompany;
  /** Date the brief was created. */
  as_of: string;
  /** Caveats, e.g. that the newest annual report is old. */
  note: string | null;
  /** Who they are, in at most two sentences. */
  summary: Array<BriefLine>;
  figures: Array<BriefFigure>;
  /** What they sell, if no figures are known. */
  offers: Array<BriefLine>;
  /** The newest signals that have not expired, at most two per family. */
  changes: Array<BriefChange>;
  /** Tailored to your offering, once you have described it. */
  why_now: Array<BriefAnswer>;
  people: Array<BriefPerson>;
  questions: Array<BriefAnswer>;
  sources: Array<BriefSource>;
}

export interface BriefAnswer {
  text: string;
  /** Date of its newest document. */
  as_of: string | null;
  sources: Array<BriefCitation>;
  /** The why it answers; for a question, its basis. */
  about?: string | null;
}

/** `text` is the title of the signal. */
export interface BriefChange {
  text: string;
  /** Date of its newest document. */
  as_of: string | null;
  sources: Array<BriefCitation>;
  date: string;
  /** What `date` is: the day it happened, the first day of its month or year, or the day it was reported where the source gives no day. */
  precision: BriefChangePrecision;
  type: string;
  /** Announced but not completed. */
  planned: boolean;
  signal_id: string;
}

export type BriefChangePrecision = "day" | "month" | "year" | "reported";

export interface BriefCitation {
  /** Number of the document in `sources`. */
  n: number;
  /** Verbatim quote; null for the value of a data field. */
  quote: string | null;
}

export interface BriefCompany {
  company_id: string;
  company_name?: string | null;
  website_domain?: string | null;
  industry?: string | null;
  sector?: string | null;
  hq_city?: string | null;
  hq_country_name?: string | null;
  stock_ticker?: string | null;
  public_company?: boolean | null;
}

export interface BriefFigure {
  label: string;
  amount: number;
  currency: string | null;
  period: string;
  period_end: string;
  /** Change from the year before, as a fraction. */
  change: number | null;
  /** At most five fiscal years, newest first. */
  trend: Array<TrendPoint>;
  sources: Array<BriefCitation>;
}

export interface BriefLine {
  text: string;
  /** Date of its newest document. */
  as_of: string | null;
  sources: Array<BriefCitation>;
}

/** `text` is the name. */
export interface BriefPerson {
  text: string;
  /** Date of its newest document. */
  as_of: string | null;
  sources: Array<BriefCitation>;
  title?: string | null;
}

export interface BriefSource {
  n: number;
  document_id: string | null;
  url: string | null;
  title: string | null;
  published_at: string | null;
}

export interface BulkAccepted {
  public_operation_id: string;
  status: OperationStatus;
  status_url: string;
  /** Null until the company is identified. */
  company_id: string | null;
  cost: HeldCost;
  /** How many were queued. */
  items: number;
}

/** An item of a bulk operation. */
export interface BulkItem {
  public_operation_id: string;
  kind: OperationKind;
  status: OperationStatus;
  progress: Progress;
  steps: Array<OperationStep>;
  input: Record<string, unknown>;
  company_id: string | null;
  match: OperationMatch | null;
  cost: Cost;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  error: OperationFault | null;
  /** Null once it is finished. */
  next_poll_after: string | null;
  /** Index in the request, from 0. */
  item: number;
  external_id: string | null;
}

export interface BulkItemPage {
  items: Array<BulkItem>;
  pagination: Pagination;
}

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

export interface ChatAnswer {
  /** Also the id of an agent session of type chat. */
  conversation_id: string;
  message_id: string;
  answer: string;
  citations: Array<Citation>;
  /** The closest passages where `evidence` is `none`. They may not answer the question. */
  nearest: Array<NearPassage>;
  /** More documents on the topic. */
  related: Array<RelatedDocument>;
  /** Suggested follow-up questions. */
  suggestions: Array<string>;
  evidence: AssistantEvidence;
  /** Name of the model that wrote it, or extractive. */
  model: string;
  /** Tokens used by a model. `degraded` says why no model wrote the answer. */
  usage: Record<string, unknown>;
}

export interface ChatMessage {
  /** The question. */
  message: string;
  /** Continues one of your conversations; omit it to start a new one. */
  conversation_id?: string | null;
}

export interface Citation {
  /** Number in the answer, such as [1]. */
  n: number;
  /** Null for your own records, such as a contact. */
  document_id: string | null;
  url: string | null;
  /** Title of the document; for data, the location in it. */
  title: string | null;
  /** Verbatim from the document; null for data. */
  quote: string | null;
  published_at: string | null;
}

export interface Companies {
  items: Array<AccountItem>;
  pagination: Pagination;
}

export interface CompanyContacts {
  contacts: Array<Contact>;
  pagination: Pagination;
}

export interface CompanyInput {
  name?: string | null;
  /** Domain or website; links the contact to it. */
  domain?: string | null;
  profile_network_id?: string | null;
}

/** The requested sections and the state of each. */
export interface CompanyProfile {
  company_id: string;
  company_name?: string;
  website_domain?: string;
  hq_country_name: string | null;
  industry: string | null;
  revenue_range: string | null;
  employee_count_range: string | null;
  sections: Record<string, SectionState>;
  overview?: Record<string, unknown>;
  key_executives?: Array<Executive>;
  divisions?: Array<Division>;
  geographical_operations?: Array<Statement>;
  swot_analysis?: Array<SwotEntry>;
  competitors?: Array<Competitor>;
  industry_insights?: Array<Statement>;
  strategic_priorities?: Array<Statement>;
  digital_strategies?: Array<Statement>;
  risks?: Array<Statement>;
  goals?: Array<Statement>;
  events?: Array<FiscalEvent>;
  how_they_make_money?: Array<Statement>;
  how_they_lose_money?: Array<Statement>;
  employee_groups?: Array<Statement>;
  favourite_technologies_count?: Array<TechnologyCount>;
  insights_scores?: Array<Open>;
  custom_insights?: Array<Open>;
  three_whys?: Array<Statement>;
  value_pyramid?: Array<Statement>;
  discovery_questions?: Array<Statement>;
  territory_custom_scores?: Array<Open>;
  content?: Array<Open>;
}

/** A company; with `provenance=true`, the source of each field. */
export interface CompanyRecord {
  company_id: string;
  company_name?: string;
  website_domain?: string;
  public_company?: boolean;
  /** ISO 3166-1 alpha-2. */
  country_code?: string | null;
  profile_network_url?: string | null;
  hq_city?: string | null;
  hq_state?: string | null;
  hq_address?: string | null;
  hq_postcode?: string | null;
  hq_country_name?: string | null;
  region?: string | null;
  ceo?: string | null;
  sector?: string | null;
  industry?: string | null;
  /** Revenue band in USD. */
  revenue_range?: string | null;
  /** Employee band. */
  employee_count_range?: string | null;
  full_time_employees?: number | null;
  alternative_domains?: Array<string> | null;
  alternative_names?: Array<string> | null;
  tags?: Array<string> | null;
  description?: string | null;
  stock_ticker?: string | null;
  stock_currency?: string | null;
  stock_exchange_name?: string | null;
  stock_exchange_symbol?: string | null;
  market_cap?: number | null;
  /** Only if the id belongs to a company merged into another. */
  merged_into?: string | null;
  /** Field -> value, source, url, document_id, quote, pointer, method, observed_at, confidence, support (0-1, all sources that agree together) and alternatives of that form; of an imported value that the documents contradict, contradicted_by of that form. */
  provenance?: Record<string, Record<string, unknown>> | null;
}

export interface Competitor {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  name: string;
  website?: string | null;
  description: string;
}

export interface Condition {
  property: string;
  operator: string;
  value?: string | null;
}

export interface ConditionInput {
  property: string;
  operator: string;
  value?: string | null;
}

/** Which records are read; a record must meet all conditions. */
export interface Conditions {
  accounts?: Array<Condition>;
  contacts?: Array<Condition>;
}

/** Which records are read; a record must meet all conditions. */
export interface ConditionsInput {
  accounts?: Array<ConditionInput>;
  contacts?: Array<ConditionInput>;
}

/**
 * Credentials. With `client_id` and no `code`, the response has the URL where a person
 * authorizes access.
 */
export interface Connect {
  /** Token of a private app, secret of your own app, or key. Stored encrypted, never shown. */
  secret?: string | null;
  /** Client id of your own app, for OAuth. */
  client_id?: string | null;
  /** Redirect URL of the app. */
  redirect_uri?: string;
  /** The code that came back from the redirect. */
  code?: string | null;
  /** Where people sign in to Salesforce. */
  site?: string | null;
  /** Returned with the code. Send a random value and compare it before you send the code. */
  state?: string;
}

export interface ConnectionState {
  id: string;
  connected: boolean;
  /** URL where a person authorizes access; then send the code. */
  authorize_url: string | null;
  /** Terms of use of the contact provider. */
  terms: string | null;
}

/** One person. Nullable fields are always present; others only when known. */
export interface Contact {
  id: string;
  full_name?: string;
  first_name?: string;
  last_name?: string;
  current_job_title?: string;
  location?: string;
  summary?: string;
  headline?: string;
  profile_network_url?: string;
  image_url?: string;
  country: string | null;
  /** ISO 3166-1 alpha-2. */
  country_code: string | null;
  emails: Array<string>;
  /** E.164. */
  phones: Array<string>;
  skills: Array<string>;
  company?: ContactCompany;
  experience: Array<ContactJob>;
  education: Array<ContactSchool>;
  /** Id of the employer, if it is a company you can read. */
  company_id: string | null;
  /** Seniority, derived from the title. */
  seniority: string | null;
  department: string | null;
  /** Role addresses among `emails`, such as info@ or sales@. */
  role_emails: Array<string>;
  created_at: string;
  updated_at: string | null;
}

export interface ContactCompany {
  name?: string;
  profile_network_id?: string;
}

export interface ContactDeleted {
  deleted: boolean;
  id: string;
  /** Id of the certificate, after `erase`. */
  erasure_id?: string | null;
}

/** What is known about a person: at least a name, an email address or a profile page. */
export interface ContactInput {
  full_name?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  current_job_title?: string | null;
  location?: string | null;
  summary?: string | null;
  headline?: string | null;
  profile_network_url?: string | null;
  image_url?: string | null;
  /** Code or name. */
  country?: string | null;
  emails?: Array<string> | null;
  /** E.164, or the national format of `country`. */
  phones?: Array<string> | null;
  skills?: Array<string> | null;
  company?: CompanyInput | null;
  /** Id of the employer, if known. */
  company_id?: string | null;
  experience?: Array<JobInput> | null;
  education?: Array<SchoolInput> | null;
}

/** A job, past or present. */
export interface ContactJob {
  job_id: string;
  company_id?: string;
  company?: string;
  company_profile_network_id?: string;
  title?: string;
  location: string | null;
  start_date?: string;
  end_date: string | null;
  is_current: boolean;
  description: string | null;
  created_at: string;
}

export interface ContactPage {
  data: Array<Contact>;
  pagination: LimitPagination;
}

/** A contact; with `provenance=true`, the source of each field. */
export interface ContactRecord {
  id: string;
  full_name?: string;
  first_name?: string;
  last_name?: string;
  current_job_title?: string;
  location?: string;
  summary?: string;
  headline?: string;
  profile_network_url?: string;
  image_url?: string;
  country: string | null;
  /** ISO 3166-1 alpha-2. */
  country_code: string | null;
  emails: Array<string>;
  /** E.164. */
  phones: Array<string>;
  skills: Array<string>;
  company?: ContactCompany;
  experience: Array<ContactJob>;
  education: Array<ContactSchool>;
  /** Id of the employer, if it is a company you can read. */
  company_id: string | null;
  /** Seniority, derived from the title. */
  seniority: string | null;
  department: string | null;
  /** Role addresses among `emails`, such as info@ or sales@. */
  role_emails: Array<string>;
  created_at: string;
  updated_at: string | null;
  /** Field -> source, observed_at, import_id, url, document_id, quote. */
  provenance?: Record<string, Record<string, unknown>> | null;
}

/** Rows of a list; columns are recognized by name and content, or mapped by you. */
export interface ContactRows {
  rows: Array<Record<string, unknown>>;
  /** Column -> field; an empty field ignores the column. */
  mapping?: Record<string, string> | null;
  /** Default country of phone numbers. */
  country?: string | null;
}

export interface ContactSchool {
  degree?: string;
  field_of_study: string | null;
  school?: string;
  start_year?: number;
  end_year?: number;
}

export interface ContentChange {
  title?: string | null;
  content?: string | null;
}

export interface ContentItem {
  content_id: string;
  company_id: string;
  content_type: ContentType;
  content_setting_id: string | null;
  title: string;
  content: string;
  ref_content_template_id: string | null;
  created_at: string;
  updated_at: string | null;
  /** written, extractive, or the name of a model. */
  method: string;
  /** What it quotes, with documents and URLs. */
  sources: Array<Record<string, unknown>>;
}

/** The field is named contacts although it holds content, as in the reference. */
export interface ContentPage {
  contacts: Array<ContentItem>;
  pagination: Pagination;
}

export type ContentType = "email" | "notes" | "call_script" | "document" | "value_pyramid" | "three_whys";

/** The independent publishers that report the same. */
export interface Corroboration {
  count: number;
  sources: Array<RelevanceTeller>;
}

export interface Cost {
  credit: CreditType;
  amount: number;
  state: CostState;
}

export type CostState = "none" | "reserved" | "settled" | "released";

export interface CreditRemaining {
  company_credits: number;
  content_credits: number;
  territory_credits: number;
  contact_credits: number;
}

export type CreditType = "company" | "content" | "territory" | "contact";

export interface CrmProperty {
  kind: CrmPropertyKind;
  name: string;
  label: string;
  /** Whether it can only be read. */
  read_only: boolean;
}

export type CrmPropertyKind = "accounts" | "contacts";

/** A question that is answered with evidence in `custom_insights` of every profile. */
export interface CustomQuestion {
  id: string;
  name: string;
  question: string;
  keywords: Array<string>;
  created_at: string;
  updated_at: string;
}

export interface CustomQuestionPage {
  items: Array<CustomQuestion>;
  pagination: Pagination;
}

/** The record was deleted. */
export interface Deleted {
  deleted: true;
  id: string;
}

export interface Delivery {
  id: string;
  topic: string;
  status: DeliveryStatus;
  /** at, status, error and seconds of each. */
  attempts: Array<Record<string, unknown>>;
  body: Record<string, unknown>;
  next_at: string | null;
  created_at: string;
}

export interface DeliveryPage {
  items: Array<Delivery>;
  pagination: Pagination;
}

export type DeliveryStatus = "pending" | "delivered" | "failed";

export type Department = "general_management" | "engineering" | "it" | "data" | "product" | "design" | "research" | "project_management" | "marketing" | "sales" | "business_development" | "customer_success" | "support" | "consulting" | "finance" | "legal" | "hr" | "administration" | "operations" | "purchasing" | "supply_chain" | "production" | "medical" | "education" | "other";

export interface DepartmentCounts {
  opened: number;
  closed: number;
  active: number;
  department: Department | null;
}

export interface DiscoveredContacts {
  company_id: string;
  created: number;
  /** People who were already your contacts. */
  existing: number;
  suppressed: number;
  /** New people beyond `max`. */
  remaining: number;
  /** Contact credits charged. */
  charged: number;
  contacts: Array<Contact>;
}

/** Revenue is in whole units of `currency`; changes are from the prior year. */
export interface Division {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  division_name: string;
  division_summary?: string | null;
  last_year_label?: string | null;
  last_year_financial_year_end?: string | null;
  last_year_revenue_gross?: number | null;
  last_year_gross_revenue_change?: string | null;
  year_before_label?: string | null;
  year_before_financial_year_end?: string | null;
  year_before_revenue_gross?: number | null;
  year_before_gross_revenue_change?: string | null;
  priorities?: Array<Statement>;
  challenges?: Array<Statement>;
  digital_strategies?: Array<Statement>;
  key_people?: Array<DivisionPerson>;
}

export interface DivisionPerson {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  name: string;
  source: string;
  description: string;
}

export interface Document {
  document_id: string;
  title: string | null;
  url: string;
  kind: string;
  source: string;
  published_at: string | null;
  fetched_at: string;
  /** Length of the whole text. */
  characters: number;
}

export interface DocumentPage {
  items: Array<Document>;
  pagination: Pagination;
}

export interface DocumentText {
  document_id: string;
  title: string | null;
  url: string;
  kind: string;
  source: string;
  published_at: string | null;
  fetched_at: string;
  /** Length of the whole text. */
  characters: number;
  /** Null: it is the present version. */
  superseded_at: string | null;
  /** Plain text, from `start` on. */
  text: string;
  /** `start` of the next part; null at the end. */
  next_start: number | null;
}

/** What an operation would cost now. */
export interface DryRun {
  dry_run: true;
  credit: CreditType;
  /** Credits it would charge. */
  amount: number;
  /** Credits of that kind left. */
  remaining: number;
}

export interface ErasedThing {
  kind: SuppressionKind;
  display: string;
}

/** The certificate. It does not reveal who the person was. */
export interface Erasure {
  id: string;
  requested_by: string;
  /** The request, masked. */
  subject: Array<ErasedThing>;
  /** Rows removed, by place. */
  removed: Record<string, number>;
  /** Digests that keep the person from being added again. */
  suppressions: number;
  completed_at: string;
  /** SHA-256 of the above, in hex. */
  proof: string;
}

export interface ErasureRequest {
  email?: string | null;
  /** E.164. */
  phone?: string | null;
  profile_network_url?: string | null;
  full_name?: string | null;
  company_name?: string | null;
  /** Any other identifier you have. */
  contact_id?: string | null;
}

/** Details of every error; some errors have more. */
export interface ErrorDetails {
  /** The same as the X-Request-Id header. */
  request_id: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** Documentation of the error. */
  docs: string;
}

export interface ErrorObject {
  /** The class of error; it determines the status. */
  type: string;
  /** The error code, for programs. */
  code: string;
  /** The error message, for people. */
  message: string;
  details: ErrorDetails;
}

/** A signal or a data change. */
export interface Event {
  id: string;
  type: string;
  family: string | null;
  title: string;
  summary: string;
  company: EventCompany;
  source: EventSource | null;
  /** When it happened; null if no day is given. Reported at `source.published_at`. */
  occurred_at: string | null;
  detected_at: string;
  signal_id: string | null;
  changes: Array<Change>;
  watch_ids: Array<string>;
  /** No news any more when it was reported; raises no alert. */
  background: boolean;
}

export interface EventCompany {
  id: string;
  name: string | null;
  domain: string | null;
}

export interface EventPage {
  items: Array<Event>;
  pagination: Pagination;
}

/** The source of the event. All fields are present, and null if unknown. */
export interface EventSource {
  /** `insight` is a finding of Sightline itself, such as a changed value. */
  kind: SourceKind | null;
  /** The source that found it. */
  name: string | null;
  url: string | null;
  title: string | null;
  publisher: string | null;
  published_at: string | null;
}

export interface EvidenceCompany {
  id: string;
  name: string | null;
  website_domain: string | null;
}

/** A company and its matching evidence. */
export interface EvidenceGroup {
  company: EvidenceCompany;
  /** 0-1: of its best match; comparable between companies. */
  score: number;
  /** Best first. */
  hits: Array<RelevanceItem>;
}

export interface EvidencePage {
  /** Best-matching company first. */
  items: Array<EvidenceGroup>;
  pagination: Pagination;
}

/** The query, and whose evidence to search; default: all accounts. */
export interface EvidenceSearch {
  /** What you want to know. */
  q: string;
  /** Only accounts that match this filter. */
  filter?: Record<string, unknown> | null;
  /** Only these companies; those without an account are ignored. */
  company_ids?: Array<string> | null;
  /** Only accounts of this list. */
  list_id?: string | null;
  /** Only accounts of this territory. */
  territory_id?: string | null;
  /** Kinds of source. */
  kinds?: Array<SourceKind> | null;
  /** Families of signals. */
  families?: Array<SignalFamily> | null;
  /** Only items that happened or were published at or after this time; ISO 8601. */
  since?: string | null;
  /** Only items that happened or were published at or before this time. */
  until?: string | null;
  /** Maximum hits per company. */
  per_company?: number;
  /** Companies. */
  per_page?: number;
  /** The `next_cursor` of the previous page. */
  cursor?: string | null;
}

export interface Executive {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  name: string;
  title?: string | null;
}

export type ExportFormat = "csv" | "jsonl" | "parquet" | "xlsx";

export interface FacetValue {
  /** Null counts the accounts without a value. */
  value: string | boolean | null;
  count: number;
}

/** One observed value; `wins` if it is the one in the record. */
export interface Fact {
  fact_id: string;
  field: string;
  value: unknown;
  wins: boolean;
  source: string;
  url: string;
  document_id: string;
  /** Verbatim from the document's text. */
  quote: string | null;
  /** Location in structured data. */
  pointer: string | null;
  method: string;
  confidence: number;
  as_of: string | null;
  first_seen_at: string;
  /** When its document last confirmed it. */
  observed_at: string;
}

export interface FactPage {
  items: Array<Fact>;
  pagination: Pagination;
}

export interface FindPeople {
  provider: FindPeopleProvider;
  /** Maximum number of people. */
  max?: number;
  /** Show the maximum cost without asking the provider. */
  dry_run?: boolean;
}

export type FindPeopleProvider = "people_data_labs" | "hunter";

/** Revenue is in whole units of `currency`; the change is from the prior year. */
export interface FiscalEvent {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  id: string;
  event_title: string;
  fiscal_label: string;
  period_end_date: string;
  gross_revenue: number;
  gross_revenue_change?: string | null;
  earnings_call_new_strategies?: Array<Statement>;
  earnings_call_summary?: Array<Statement>;
  earnings_call_quotes?: Array<Statement>;
  event_new_strategies?: Array<Statement>;
  earnings_call_challenges?: Array<Statement>;
  digital_strategies?: Array<Statement>;
}

/** The shape for callers with `X-Error-Format: flat` or this setting on their key. */
export interface FlatError {
  /** The code. */
  error: string;
  message: string;
  details: ErrorDetails;
}

/** What a provider found. Credits are your credits with the provider, not Sightline's. */
export interface FoundPeople {
  provider: string;
  company: string;
  dry_run: boolean;
  /** Credits of the provider; in a dry run the maximum. */
  credits: number;
  price: string;
  terms: string;
  found: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Suppressed people who were returned anyway, and dropped. */
  suppressed: number;
  /** Suppressed people whom the provider was asked to exclude. */
  not_asked_for: number;
  unusable: number;
  /** Guessed from a pattern, and not stored. */
  addresses_guessed: number;
  addresses_without_mail: number;
}

export interface GapPage {
  items: Array<AccountItem>;
  pagination: Pagination;
}

export interface Health {
  status: HealthStatus;
  version: string;
  database: HealthDatabase;
  queue: HealthQueue;
}

export type HealthDatabase = "ok" | "unavailable";

export type HealthQueue = "ok" | "unavailable";

export type HealthStatus = "ok" | "unavailable";

export interface HeldCost {
  credit: "company";
  amount: number;
  state: HeldCostState;
}

export type HeldCostState = "none" | "reserved";

/** Your ideal customer; an empty list sets no criterion. */
export interface IdealProfile {
  industries?: Array<string>;
  /** ISO 3166 codes. */
  countries?: Array<string>;
  employee_ranges?: Array<string>;
  revenue_ranges?: Array<string>;
  technologies?: Array<string>;
  keywords?: Array<string>;
}

/** Your ideal customer; an empty list sets no criterion. */
export interface IdealProfileInput {
  industries?: Array<string>;
  /** ISO 3166 codes. */
  countries?: Array<string>;
  employee_ranges?: Array<string>;
  revenue_ranges?: Array<string>;
  technologies?: Array<string>;
  keywords?: Array<string>;
}

/** An import of a list. Counts are rows of the file. */
export interface Import {
  id: string;
  kind: ImportKind;
  file_name: string;
  state: ImportState;
  /** Rows done so far. */
  rows: number;
  /** Rows of the file; null for imports of earlier releases. */
  rows_total: number | null;
  /** Percentage done, 0-100. */
  percent: number | null;
  /** Estimated from the speed so far. Null unless it is running and has processed some rows. */
  seconds_left: number | null;
  created: number;
  updated: number;
  unchanged: number;
  bad: number;
  /** False for imports by releases without undo. */
  can_be_undone: boolean;
  /** Null unless it is being or was undone. */
  undone: Undone | null;
  started_at: string;
  finished_at: string | null;
  undone_at: string | null;
}

export type ImportKind = "accounts" | "contacts";

export interface ImportPage {
  items: Array<Import>;
  pagination: Pagination;
}

export type ImportState = "running" | "finished" | "undoing" | "undone";

export interface ImportedContacts {
  import_id: string;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  suppressed: number;
  invalid: number;
  mapping: Array<MappedColumn>;
  results: Array<RowResult>;
}

export interface IntegrationChange {
  enabled: boolean;
}

export interface IntegrationItem {
  id: string;
  provider: string;
  provider_name: string;
  category: IntegrationItemCategory;
  status: IntegrationItemStatus;
  last_sync_at: string | null;
  sync_status: IntegrationItemSyncStatus;
  last_error: string | null;
  counts: Record<string, number>;
}

export type IntegrationItemCategory = "crm" | "data_source" | "notification" | "llm" | "import";

export type IntegrationItemStatus = "connected" | "not_configured" | "error" | "disabled";

export type IntegrationItemSyncStatus = "never" | "running" | "succeeded" | "failed";

export interface Integrations {
  integrations: Array<IntegrationItem>;
}

/** One posting. A job that is listed several times or reposted appears once. */
export interface Job {
  id: string;
  company_id: string;
  title: string;
  normalized_title: string | null;
  department: Department | null;
  seniority: JobSeniority | null;
  employment_type: JobEmploymentType | null;
  remote: JobRemote | null;
  locations: Array<JobLocation>;
  salary: JobSalary | null;
  skills: Array<string>;
  technologies: Array<string>;
  description: string;
  url: string;
  source: string;
  first_seen_at: string;
  /** The employer's date; null if unknown. */
  posted_at: string | null;
  last_seen_at: string;
  closed_at: string | null;
  /** Not closed, and present in the last complete pull of its board. */
  active: boolean;
  openings: number | null;
}

export type JobEmploymentType = "full_time" | "part_time" | "contract" | "temporary" | "internship" | "other";

export interface JobInput {
  company?: string | null;
  company_id?: string | null;
  company_profile_network_id?: string | null;
  title?: string | null;
  location?: string | null;
  /** Date or month. */
  start_date?: string | null;
  end_date?: string | null;
  is_current?: boolean | null;
  description?: string | null;
}

export interface JobLocation {
  city: string | null;
  region: string | null;
  country_code: string | null;
  /** As the job board words it. */
  raw: string;
}

export interface JobPage {
  items: Array<Job>;
  pagination: Pagination;
  meta: JobsMeta;
}

export type JobRemote = "remote" | "hybrid" | "on_site";

export interface JobSalary {
  min: number | null;
  max: number | null;
  currency: string | null;
  period: JobSalaryPeriod | null;
}

export type JobSalaryPeriod = "year" | "month" | "week" | "day" | "hour";

export type JobSeniority = "owner" | "c_suite" | "vp" | "director" | "head" | "manager" | "lead" | "senior" | "professional" | "entry" | "intern";

export interface JobTrends {
  company_id: string;
  /** Date of the first pull. Earlier months count only postings still open then. */
  observed_since: string | null;
  months: Array<MonthCounts>;
  departments: Array<DepartmentCounts>;
  locations: Array<LocationCounts>;
}

/**
 * Outcome of `live`: `fetched` and `unchanged` are refreshes; `fresh` postings were pulled
 * minutes ago. With the others, stored postings are returned: `nothing_found` (no board lists
 * postings), `unreachable` (a board or page did not respond), `timed_out`, `disabled` (your
 * organization or the operator turned the source off).
 */
export interface JobsMeta {
  live_requested: boolean;
  refreshed: boolean;
  /** When the boards were last pulled. */
  refreshed_at: string | null;
  reason: JobsMetaReason | null;
}

export type JobsMetaReason = "fetched" | "unchanged" | "fresh" | "nothing_found" | "unreachable" | "timed_out" | "disabled";

export interface KeyRotation {
  /** How long the old key stays valid. */
  overlap_seconds?: number;
}

export interface Ledger {
  items: Array<LedgerEntry>;
  pagination: Pagination;
}

/** One entry of the ledger. Entries are never changed or deleted. */
export interface LedgerEntry {
  id: string;
  created_at: string;
  credit: CreditType;
  kind: LedgerEntryKind;
  /** Change to the balance. */
  amount: number;
  balance_after: number;
  reason: string;
  /** What was charged, or the grant's reference. */
  operation: string;
  key_id: string | null;
  request_id: string | null;
}

export type LedgerEntryKind = "grant" | "reserve" | "settle" | "release";

export interface Lifted {
  deleted: boolean;
  id: string;
  contacts_restored: number;
}

export interface LimitPagination {
  page: number;
  /** Contacts per page. */
  limit: number;
  /** Total contacts, exact. */
  total: number;
  /** Pass it as `cursor` for the next page, unaffected by new contacts. */
  next_cursor?: string | null;
}

export type ListAgentSessionsSortOrder = "asc" | "desc";

export interface ListChange {
  name?: string | null;
  description?: string | null;
  /** Saved searches only. */
  filter?: Record<string, unknown> | null;
}

export type ListCompanyAgentSessionsSortOrder = "asc" | "desc";

/** `raw` is set only if the place could not be parsed. */
export interface LocationCounts {
  opened: number;
  closed: number;
  active: number;
  city: string | null;
  region: string | null;
  country_code: string | null;
  raw: string | null;
}

export interface MadeKey {
  id: string;
  /** Shown only once; null in a replayed response. */
  key: string | null;
}

export interface MadeWebhook {
  id: string;
  url: string;
  description: string;
  topics: Array<string>;
  enabled: boolean;
  disabled_reason: string | null;
  last_delivery_at: string | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
  /** Signs deliveries; shown only once, null in a replayed response. */
  secret: string | null;
}

/** The mail server that digests of alerts go out over. */
export interface MailSettings {
  host: string;
  port?: 25 | 465 | 587 | 2525;
  security?: MailSettingsSecurity;
  username?: string;
  /** Stored encrypted and never shown. */
  password?: string | null;
  sender: string;
  recipients: Array<string>;
}

export type MailSettingsSecurity = "starttls" | "tls" | "none";

export interface MappedColumn {
  column: string;
  field: string;
  /** 0-1. */
  confidence: number;
}

export interface MappedField {
  kind: MappedFieldKind;
  /** CRM property. */
  property: string;
  /** Sightline field. */
  field: string;
  direction?: SyncDirection;
  /** Which value to keep when both sides changed it. */
  rule?: SyncRule;
}

export interface MappedFieldInput {
  kind: MappedFieldInputKind;
  /** CRM property. */
  property: string;
  /** Sightline field. */
  field: string;
  direction?: SyncDirection;
  /** Which value to keep when both sides changed it. */
  rule?: SyncRule;
}

export type MappedFieldInputKind = "accounts" | "contacts";

export type MappedFieldKind = "accounts" | "contacts";

export interface MatchAnswer {
  status: MatchAnswerStatus;
  /** Of the best candidate; 0 if there is none. */
  score: number;
  /** Those of the best candidate. */
  features: Array<MatchFeature>;
  /** Best first, at most ten. */
  candidates: Array<MatchCandidate>;
}

export type MatchAnswerStatus = "matched" | "ambiguous" | "no_match";

export interface MatchCandidate {
  company_id: string;
  /** Only if it is one of your accounts. */
  account_id: string | null;
  name: string;
  domain: string | null;
  country_code: string | null;
  city: string | null;
  /** Probability, 0 to 1, that this is the company. */
  score: number;
  features: Array<MatchFeature>;
}

/** One feature of the comparison; `weight` is what it adds to the log-odds. */
export interface MatchFeature {
  name: string;
  value: number;
  weight: number;
}

/** What you know about the company: a name or a domain, or better both. */
export interface MatchRequest {
  company_name?: string | null;
  /** A domain or URL. */
  domain?: string | null;
  /** A code or a name. */
  country?: string | null;
  city?: string | null;
  ticker?: string | null;
  lei?: string | null;
}

export interface MemberChange {
  /** Account ids; unknown ids are ignored. */
  add?: Array<string>;
  /** Account ids. */
  remove?: Array<string>;
}

export interface MembersChanged {
  added: number;
  removed: number;
}

export interface Message {
  id: string;
  role: MessageRole;
  content: string;
  /** Of an answer: citations, evidence, model, usage, steps; of a written item content_id. */
  details: Record<string, unknown>;
  created_at: string;
}

export interface MessagePage {
  items: Array<Message>;
  pagination: Pagination;
}

export type MessageRole = "user" | "assistant";

/** `active` is at the end of the month. */
export interface MonthCounts {
  opened: number;
  closed: number;
  active: number;
  month: string;
}

export interface Move {
  from: string;
  to: string;
  at: string;
  /** key:<id> or user:<id>. */
  by: string;
}

export interface NamedAccount {
  id: string;
  company_name: string;
}

export interface NearPassage {
  document_id: string;
  url: string | null;
  title: string | null;
  published_at: string | null;
  /** Verbatim from the document. */
  quote: string;
}

export interface NewCompanies {
  items: Array<NewCompany>;
}

/** At least one of company_name, domain and id. A domain takes precedence over a name. */
export interface NewCompany {
  company_name?: string | null;
  /** Domain or URL of its website. */
  domain?: string | null;
  /** Id of an account or a company to enrich again. */
  id?: string | null;
  /** Your own id for it; stored as a cross-reference, unique per source system. */
  external_id?: string | null;
  source_system?: string | null;
}

/** With `content`, the text is stored as given, free of charge; without, it is composed. */
export interface NewContent {
  content_type: ContentType;
  title?: string | null;
  /** Your own text. */
  content?: string | null;
  ref_content_template_id?: string | null;
  content_setting_id?: string | null;
}

export interface NewKey {
  name: string;
  scopes: Array<NewKeyScopes>;
  /** User it acts for; default: you. */
  user_id?: string | null;
  /** No later than the expiry of your own key, which is the default. */
  expires_at?: string | null;
  /** CIDR ranges within those of your own key, which are the default; empty allows any. */
  allowed_networks?: Array<string>;
  /** Requests per minute, at most the limits of your plan and your own key. */
  rate_limit?: number | null;
  flat_errors?: boolean;
}

export type NewKeyScopes = "accounts:read" | "accounts:write" | "companies:read" | "contacts:read" | "contacts:write" | "insights:read" | "insights:write" | "integrations:read" | "integrations:write" | "jobs:read" | "monitoring:read" | "monitoring:write" | "org_settings:read" | "org_settings:write" | "sequences:read" | "sequences:write" | "tasks:read" | "tasks:write" | "territories:read" | "territories:write" | "workflows:read" | "workflows:execute" | "*" | "accounts:*" | "companies:*" | "contacts:*" | "insights:*" | "integrations:*" | "jobs:*" | "monitoring:*" | "org_settings:*" | "sequences:*" | "tasks:*" | "territories:*" | "workflows:*";

export interface NewList {
  name: string;
  description?: string;
  /** Makes it a saved search; without one, accounts are added by hand. */
  filter?: Record<string, unknown> | null;
}

export interface NewMessage {
  /** A question, what to plan, what to write, or a note, depending on the session's type. */
  content: string;
}

export interface NewQuestion {
  name: string;
  question: string;
  /** Words an answer is likely to contain. */
  keywords?: Array<string>;
}

export interface NewSession {
  title?: string | null;
  /** Company that the session is about. */
  company_id?: string | null;
  /** document, chat, plan, canvas_settings, email, workspace or project; chat if missing or unknown. */
  type?: unknown;
}

export interface NewSetting {
  name: string;
  tone?: string;
  language?: string;
  length?: SettingLength;
  signature?: string;
}

export interface NewSuppressions {
  items: Array<Person>;
  reason?: string;
}

export interface NewTemplate {
  name: string;
  content_type: ContentType;
  /** Text with {{placeholders}}: company_name, website_domain, industry, hq_city, hq_country_name, ceo, revenue_range, employee_count_range, description, seller_name, offering, value_proposition, signature, strategic_priorities, risks, goals, digital_strategies, competitors, key_executives, value_pyramid, three_whys, discovery_questions, how_they_make_money. */
  body: string;
}

export interface NewTerritory {
  name: string;
  description?: string;
  /** User who owns it. */
  owner_id?: string | null;
  rules: Record<string, unknown>;
  /** Account ids. */
  include?: Array<string>;
  /** Account ids. */
  exclude?: Array<string>;
  score_rules?: Array<ScoreRuleBody>;
  /** Your own id for it; default: derived from the name. */
  id?: string | null;
}

export interface NewUser {
  email: string;
  role?: UserRole;
}

export interface NewWebhook {
  url: string;
  description?: string;
  /** Empty for both events and alerts. */
  topics?: Array<WebhookTopic>;
}

export interface Note {
  id: string;
  account_id: string;
  kind: NoteKind;
  text: string;
  due_on: string | null;
  owner: NoteUser | null;
  author: NoteUser;
  created_at: string;
}

export interface NoteEntry {
  /** Text of the note. */
  kind?: NoteKind;
  /** For a next step, no text marks it done; for an owner, a comment. */
  text?: string;
  /** For a next step: its due date. */
  due_on?: string | null;
  /** For an owner: a user's email; null removes the owner. */
  owner?: string | null;
}

export type NoteKind = "note" | "next_step" | "owner";

export interface NotePage {
  items: Array<Note>;
  pagination: Pagination;
}

export interface NoteUser {
  id: string;
  email: string;
}

/** A product or service of your organization. */
export interface Offering {
  name: string;
  description?: string;
  value_propositions?: Array<string>;
  keywords?: Array<string>;
}

/** A product or service of your organization. */
export interface OfferingInput {
  name: string;
  description?: string;
  value_propositions?: Array<string>;
  keywords?: Array<string>;
}

/** A row whose fields are open. */
export interface Open {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
}

/** An enrichment, a bulk enrichment, or a deletion of accounts. */
export interface Operation {
  public_operation_id: string;
  kind: OperationKind;
  status: OperationStatus;
  progress: Progress;
  steps: Array<OperationStep>;
  input: Record<string, unknown>;
  company_id: string | null;
  match: OperationMatch | null;
  cost: Cost;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  error: OperationFault | null;
  /** Null once it is finished. */
  next_poll_after: string | null;
}

export interface OperationFault {
  code: string;
  message: string;
}

export type OperationKind = "company_enrichment" | "bulk_enrichment" | "account_deletion";

/** The company that the input was matched to, with `features` and `candidates`. */
export interface OperationMatch {
  status: OperationMatchStatus;
  /** 0-1. */
  score: number | null;
  features: Record<string, unknown>;
  candidates: Array<Record<string, unknown>>;
}

export type OperationMatchStatus = "matched" | "created" | "ambiguous" | "not_found";

export interface OperationPage {
  items: Array<Operation>;
  pagination: Pagination;
}

export type OperationStatus = "queued" | "running" | "succeeded" | "partial" | "failed" | "cancelled";

/** One step. `found` counts documents and values; `error` and `notes` are sentences. */
export interface OperationStep {
  name: string;
  source: string | null;
  status: OperationStepStatus;
  started_at: string | null;
  finished_at: string | null;
  found: Record<string, number>;
  error: string | null;
  notes: Array<string>;
}

export type OperationStepStatus = "pending" | "running" | "succeeded" | "partial" | "nothing_found" | "skipped" | "failed";

export interface Organization {
  id: string;
  slug: string;
  name: string;
  plan: OrganizationPlan;
  costs: Record<string, number>;
  created_at: string;
}

export interface OrganizationChange {
  name?: string | null;
}

export interface OrganizationCredits {
  organization: OrganizationName;
  credit_remaining: CreditRemaining;
}

export interface OrganizationName {
  id: string;
  name: string;
}

export type OrganizationPlan = "free" | "team" | "enterprise";

export interface Overlap {
  first: string;
  second: string;
  account_count: number;
  /** At most ten, best score first. */
  company_ids: Array<string>;
}

export interface OverlapPage {
  items: Array<Overlap>;
  pagination: Pagination;
}

export interface Owner {
  id: string;
  email: string;
}

export interface PagedContactSearch {
  /** All words must occur somewhere in the contact. */
  q?: string | null;
  /** Words of the name; the last may be incomplete. */
  name?: string | null;
  /** The title has all words of one of these; abbreviations (VP, CFO) match full titles. */
  title?: string | Array<string> | null;
  /** Exclude titles that have all words of one of these. */
  title_exclude?: string | Array<string> | null;
  /** Seniority levels. */
  seniority?: string | Array<string> | null;
  /** Departments. */
  department?: string | Array<string> | null;
  /** Any of these skills. */
  skills?: string | Array<string> | null;
  /** ISO 3166 codes or names. */
  country?: string | Array<string> | null;
  /** The location has all words of one of these. */
  location?: string | Array<string> | null;
  /** The employer's name has all words of one of these. */
  company_name?: string | Array<string> | null;
  /** A previous employer's name has all words of one of these. */
  past_company?: string | Array<string> | null;
  company_ids?: Array<string> | null;
  /** A filter over the accounts where they work. */
  account_filter?: Record<string, unknown> | null;
  /** Exactly this address. */
  email?: string | null;
  has_email?: boolean | null;
  has_phone?: boolean | null;
  /** Created or changed at or after this time. */
  updated_since?: string | null;
  /** Page number, from 1. */
  page?: number;
  /** Items per page. */
  per_page?: number;
  /** Alias of `per_page`. */
  limit?: number | null;
  /** The `next_cursor` of the previous page. */
  cursor?: string | null;
}

/** The position of a page in its list. */
export interface Pagination {
  /** Page number. */
  page: number;
  /** Items per page. */
  per_page: number;
  /** Total items, exact. */
  total: number | null;
  /** The same as `total`. */
  total_items: number | null;
  /** Total pages. */
  total_pages: number;
  has_next: boolean | null;
  has_previous: boolean | null;
  /** Pass it as `cursor` for the next page, unaffected by new rows. Null on an empty page. */
  next_cursor?: string | null;
}

/** Identifiers of a person. A name needs a company. */
export interface Person {
  email?: string | null;
  /** E.164. */
  phone?: string | null;
  profile_network_url?: string | null;
  full_name?: string | null;
  company_name?: string | null;
}

export interface PlanStep {
  /** What to do. */
  action: string;
  /** Why the evidence makes it worth doing. */
  reason: string;
  /** Numbers of `citations` that prove the reason. */
  citations: Array<number>;
}

export interface Preview {
  items: Array<PreviewedField>;
  /** Properties of the CRM that can be mapped. */
  properties: Array<CrmProperty>;
}

export interface PreviewedField {
  kind: PreviewedFieldKind;
  property: string;
  field: string;
  /** Null: the CRM has no such property. */
  label: string | null;
  /** Values of the first records. */
  theirs: Array<string>;
  read_as: Array<string | null>;
}

export type PreviewedFieldKind = "accounts" | "contacts";

/**
 * Where a statement is proven. `quote` appears verbatim in the document; `pointer` names
 * the place in its data.
 */
export interface ProfileSource {
  document_id: string;
  url: string | null;
  title: string | null;
  quote: string | null;
  published_at: string | null;
  pointer?: string | null;
}

/** The maximum cost of writing the sections that the model has not written yet. */
export interface ProfileWriting {
  company_id: string;
  status: ProfileWritingStatus;
  model: string | null;
  /** Public sections to write. */
  sections: number;
  /** At most, input and output together, including verification. */
  tokens: number;
}

export type ProfileWritingStatus = "queued" | "dry_run" | "no_model";

export interface Progress {
  done: number;
  total: number;
}

export interface QuestionChange {
  name?: string | null;
  question?: string | null;
  keywords?: Array<string> | null;
}

export interface Queued {
  delivery_id: string;
  status: "pending";
}

export interface Readiness {
  status: ReadinessStatus;
  /** Why it is not ready; null when it is. */
  reason: ReadinessReason | null;
}

export type ReadinessReason = "database_away" | "read_only" | "storage_full";

export type ReadinessStatus = "ok" | "unavailable";

export interface Recomputed {
  id: string;
  account_count: number;
}

export interface RelatedDocument {
  document_id: string;
  url: string | null;
  title: string | null;
  published_at: string | null;
}

/** A signal, or a passage of a filing, news item, page, posting or a technology. */
export interface RelevanceItem {
  id: string;
  family: SignalFamily | null;
  /** Of a signal. */
  type: SignalType | null;
  title: string;
  /** Of a signal. */
  summary: string | null;
  /** Verbatim from the document. */
  quote: string | null;
  source: RelevanceSource;
  document_id: string | null;
  /** When the event of a signal happened; null where its source gives no day: `source.published_at` is when it was reported. Of a passage: when it was published. */
  occurred_at: string | null;
  detected_at: string | null;
  expires_at: string | null;
  /** For signals: announced, not completed. */
  planned: boolean | null;
  /** For signals: no news any more when it was reported. */
  background: boolean | null;
  /** 0-1. */
  confidence: number | null;
  parties: Array<Record<string, unknown>>;
  amount: Record<string, unknown> | null;
  location: string | null;
  corroboration: Corroboration;
  /** 0-1: the weighted mean of the factors. */
  score: number;
  score_factors: ScoreFactors;
}

export interface RelevancePage {
  items: Array<RelevanceItem>;
  /** Total items. */
  total: number;
  page: number;
  per_page: number;
  pagination: Pagination;
  /** Why the list is empty, e.g. nothing new is known; null if it is not. */
  reason: string | null;
}

export interface RelevanceSource {
  /** The source that found it. */
  name: string | null;
  url: string | null;
  title: string | null;
  publisher: string | null;
  published_at: string | null;
  kind: SourceKind;
}

/** The publisher. */
export interface RelevanceTeller {
  /** The source that found it. */
  name: string | null;
  url: string | null;
  title: string | null;
  publisher: string | null;
  published_at: string | null;
}

export interface Revoked {
  id: string;
  revoked: true;
}

export interface RowFault {
  field: string;
  message: string;
}

export interface RowResult {
  /** Index in the request, from 0. */
  row: number;
  status: RowResultStatus;
  contact_id: string | null;
  /** Values that were rejected, and why. */
  problems: Array<RowFault>;
}

export type RowResultStatus = "created" | "updated" | "unchanged" | "suppressed" | "invalid";

export interface SchoolInput {
  degree?: string | null;
  field_of_study?: string | null;
  school?: string | null;
  start_year?: number | null;
  end_year?: number | null;
}

/** The factors of the score, each 0-1 before weighting. */
export interface ScoreFactors {
  /** Match to `q`, or to a material change. */
  text: number;
  recency: number;
  /** Density of numbers and names. */
  specificity: number;
  source: number;
  family: number;
  corroboration: number;
}

export interface ScoreRuleBody {
  /** Which accounts get the points. */
  filter: Record<string, unknown>;
  points: number;
  why: string;
}

export interface SecretRotation {
  /** How long both secrets stay valid. */
  overlap_seconds?: number;
}

/** `generating`: the section is being built; try again in a few seconds. */
export interface SectionState {
  status: SectionStateStatus;
  generated_at: string | null;
  /** `extractive`, or the model that wrote it. */
  method: string | null;
  /** `from` and `until`: the oldest and newest quoted documents. */
  source_window: Record<string, string> | null;
  /** Newer evidence exists or a month has passed; it is being rebuilt. */
  stale: boolean;
  /** The company's newest annual report; null if none is known. */
  annual_source: AnnualSource | null;
  /** Null if no model is configured or no model writes this section. */
  writing: SectionWriting | null;
}

export type SectionStateStatus = "ready" | "insufficient_evidence" | "generating";

/**
 * The state of a section's writing by the model. Until it is `written`, the section is
 * extractive.
 */
export interface SectionWriting {
  outcome: SectionWritingOutcome;
  model: string;
  prompt_version: number;
  at: string;
  /** Why it failed. */
  reason?: string | null;
  tries?: number | null;
  /** Tokens used to write the profile that it belongs to, in and out. */
  tokens?: number | null;
  /** Statements written and proven. */
  kept?: number | null;
  /** Statements written but not proven, and dropped. */
  dropped?: number | null;
}

export type SectionWritingOutcome = "waiting" | "written" | "too_little_proven" | "failed" | "over_budget";

/** What your organization sells, to whom, and against which competitors. */
export interface SellerContext {
  company_name?: string;
  offerings?: Array<Offering>;
  value_propositions?: Array<string>;
  personas?: Array<string>;
  competitors?: Array<string>;
  ideal_profile?: IdealProfile;
}

/** What your organization sells, to whom, and against which competitors. */
export interface SellerContextInput {
  company_name?: string;
  offerings?: Array<OfferingInput>;
  value_propositions?: Array<string>;
  personas?: Array<string>;
  competitors?: Array<string>;
  ideal_profile?: IdealProfileInput;
}

export interface Session {
  id: string;
  title: string;
  type: SessionType;
  status: SessionStatus;
  company_id: string | null;
  /** User it belongs to. */
  user_id: string;
  /** What a message to it produces. */
  capabilities: Array<SessionCapabilities>;
  message_count: number;
  created_at: string;
  updated_at: string;
}

export type SessionCapabilities = "answer" | "plan" | "document" | "email" | "setting";

export interface SessionChange {
  title?: string | null;
  /** archived or active. */
  status?: SessionStatus | null;
}

export type SessionOrder = "updated_at" | "created_at" | "title";

export interface SessionPage {
  items: Array<Session>;
  pagination: Pagination;
}

export interface SessionReply {
  session_id: string;
  /** Id of the reply, or of your own message if there is none. */
  message_id: string;
  /** The answer, plan, text or setting. */
  answer: string | null;
  /** Steps of a plan, in order. */
  steps: Array<PlanStep>;
  /** What a document or email session wrote. */
  content: ContentItem | null;
  /** The content setting of a canvas_settings session. */
  setting: Setting | null;
  citations: Array<Citation>;
  /** The closest passages where `evidence` is `none`. They may not answer the question. */
  nearest: Array<NearPassage>;
  related: Array<RelatedDocument>;
  suggestions: Array<string>;
  evidence: AssistantEvidence | null;
  /** Name of the model that wrote it, or extractive. */
  model: string | null;
  usage: Record<string, unknown>;
}

export type SessionStatus = "active" | "archived";

export type SessionType = "document" | "chat" | "plan" | "canvas_settings" | "email" | "workspace" | "project";

export interface Setting {
  name: string;
  tone?: string;
  language?: string;
  length?: SettingLength;
  signature?: string;
  id: string;
  created_at: string;
  updated_at: string;
}

export interface SettingChange {
  name?: string;
  tone?: string;
  language?: string;
  length?: SettingLength;
  signature?: string;
}

export type SettingLength = "short" | "medium" | "long";

export interface SettingPage {
  items: Array<Setting>;
  pagination: Pagination;
}

export type SignalFamily = "material_changes" | "leadership_moves" | "funding" | "product_launches" | "hiring_trends" | "technology_mentions" | "strategic_shifts" | "risk";

export type SignalType = "receives_financing" | "goes_public" | "goes_private" | "invests_into" | "earnings_released" | "pays_dividend" | "repays_debt" | "acquires" | "merges_with" | "sells_assets_to" | "spins_off" | "divests" | "rebrands" | "material_agreement" | "ends_agreement" | "bankruptcy" | "accountant_change" | "restates" | "writes_down" | "guidance_changed" | "buys_back_shares" | "other_event" | "hires" | "promotes" | "leaves" | "retires_from" | "board_change" | "launches" | "is_developing" | "integrates_with" | "receives_award" | "recognized_as" | "receives_approval" | "is_certified" | "hiring_surge" | "hiring_slowdown" | "senior_role_opened" | "headcount_increase" | "headcount_decrease" | "layoffs" | "technology_added" | "technology_removed" | "technology_mentioned_in_job" | "partners_with" | "signs_new_client" | "expands_to" | "opens_new_location" | "closes_offices_in" | "cost_cutting" | "discontinues" | "changes_prices" | "reviews_alternatives" | "strategic_priority_stated" | "files_suit_against" | "settles_with" | "has_issues_with" | "recalls" | "defaults" | "control_weakness" | "security_incident" | "regulatory_action" | "new_risk_factor";

export interface Simulation {
  name?: string;
  description?: string;
  /** User who owns it. */
  owner_id?: string | null;
  rules: Record<string, unknown>;
  /** Account ids. */
  include?: Array<string>;
  /** Account ids. */
  exclude?: Array<string>;
  score_rules?: Array<ScoreRuleBody>;
  /** A territory to compare with. */
  compared_with?: string | null;
}

export interface SimulationResult {
  account_count: number;
  /** Accounts that would be added. */
  entering: number;
  /** Accounts that would be removed. */
  leaving: number;
  sample: Array<Record<string, unknown>>;
}

export type SourceKind = "insight" | "filing" | "news" | "web" | "job" | "technology";

export interface Statement {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  name: string;
  description: string;
}

/** The default shape. */
export interface StructuredError {
  error: ErrorObject;
}

export interface Suppressed {
  /** Entries for everything requested. */
  items: Array<Suppression>;
  /** How many of them are new. */
  added: number;
  /** Contacts that are now hidden. */
  contacts_hidden: number;
}

/** An entry of the list. Only a keyed digest is stored; `display` is masked. */
export interface Suppression {
  id: string;
  kind: SuppressionKind;
  display: string;
  reason: string;
  source: SuppressionSource;
  created_at: string;
}

export type SuppressionKind = "email" | "phone" | "profile" | "person";

export interface SuppressionPage {
  items: Array<Suppression>;
  pagination: Pagination;
}

export type SuppressionSource = "user" | "erasure";

export interface SwotEntry {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  name: string;
  type: SwotEntryType;
  description: string;
}

export type SwotEntryType = "STRENGTH" | "WEAKNESS" | "OPPORTUNITY" | "THREAT";

/** Omitted fields stay unchanged; `mapping` and `conditions` are replaced as a whole. */
export interface SyncChange {
  mapping?: Array<MappedFieldInput> | null;
  conditions?: ConditionsInput | null;
  writes?: boolean | null;
  creates?: boolean | null;
  notes?: Array<SyncChangeNotes> | null;
  every_hours?: number | null;
}

export type SyncChangeNotes = "brief" | "signals";

export type SyncDirection = "in" | "out" | "both";

export interface SyncEntry {
  stage: string;
  /** Of the CRM. */
  record_id: string;
  /** Of our account or contact. */
  local_id: string | null;
  action: string;
  details: Record<string, unknown>;
  at: string;
}

export interface SyncLog {
  items: Array<SyncEntry>;
  pagination: Pagination;
}

/** Only for a CRM. */
export interface SyncOptions {
  /** Only show in the log what would happen. */
  dry_run?: boolean;
  /** All records, not only those that changed since the last run. */
  everything?: boolean;
}

export interface SyncQueued {
  id: string;
  /** Accounts queued for enrichment, messages sent, or runs started. */
  queued: number;
  error?: string | null;
}

export type SyncRule = "theirs" | "ours" | "newest" | "only_empty";

export interface SyncRun {
  id: string;
  integration_id: string;
  dry_run: boolean;
  state: SyncRunState;
  stage: string;
  /** Whether all records are read, not only those that changed. */
  complete: boolean;
  /** Stage -> outcome -> records. */
  counts: Record<string, Record<string, number>>;
  warnings: Array<string>;
  error: string | null;
  waiting_until: string | null;
  started_at: string;
  finished_at: string | null;
}

export interface SyncRunPage {
  items: Array<SyncRun>;
  pagination: Pagination;
}

export type SyncRunState = "queued" | "running" | "waiting" | "succeeded" | "failed";

export interface SyncSettings {
  mapping: Array<MappedField>;
  conditions: Conditions;
  /** Whether anything is written to the CRM. */
  writes: boolean;
  /** Whether accounts that the CRM does not have are created there. */
  creates: boolean;
  notes: Array<SyncSettingsNotes>;
  /** How often it is synced; null: only on request. */
  every_hours: number | null;
}

export type SyncSettingsNotes = "brief" | "signals";

/** One product. `postings` counts the job postings that name it. */
export interface Technology {
  product: string;
  vendor: string | null;
  category: string | null;
  first_seen_at: string;
  last_seen_at: string;
  active: boolean;
  evidence_kind: string;
  quote: string | null;
  /** 0-1, from all kinds of evidence. */
  confidence: number;
  postings: number;
  sources: Array<TechnologyEvidence>;
}

export interface TechnologyCount {
  /** The day of the newest document cited. */
  as_of?: string | null;
  /** Only with `sources=true`. */
  sources?: Array<ProfileSource>;
  /** The model that wrote it; else extractive. */
  method?: string | null;
  name: string;
  category?: string | null;
  count: number;
}

/**
 * `quote` is verbatim from the posting or page: a sentence, the tag, header or script, or the
 * full URL of what the page loads; null if no words show it.
 */
export interface TechnologyEvidence {
  source: string;
  evidence_kind: string;
  quote: string | null;
  url: string;
  document_id: string | null;
  last_seen_at: string;
}

export interface TechnologyPage {
  items: Array<Technology>;
  pagination: Pagination;
}

export interface Template {
  name: string;
  content_type: ContentType;
  /** Text with {{placeholders}}: company_name, website_domain, industry, hq_city, hq_country_name, ceo, revenue_range, employee_count_range, description, seller_name, offering, value_proposition, signature, strategic_priorities, risks, goals, digital_strategies, competitors, key_executives, value_pyramid, three_whys, discovery_questions, how_they_make_money. */
  body: string;
  id: string;
  created_at: string;
  updated_at: string;
}

export interface TemplateChange {
  name?: string;
  content_type?: ContentType;
  body?: string;
}

export interface TemplatePage {
  items: Array<Template>;
  pagination: Pagination;
}

/** A territory with a page of its companies, best score first. */
export interface Territory {
  id: string;
  name: string;
  description: string;
  owner: Owner | null;
  rules: Record<string, unknown>;
  score_rules: Array<Record<string, unknown>>;
  include: Array<string>;
  exclude: Array<string>;
  account_count: number;
  computed_at: string | null;
  created_at: string;
  updated_at: string;
  companies: Companies;
  scores: Array<TerritoryScore>;
}

export interface TerritoryChange {
  name?: string;
  description?: string;
  owner_id?: string | null;
  rules?: Record<string, unknown>;
  include?: Array<string> | null;
  exclude?: Array<string> | null;
  score_rules?: Array<ScoreRuleBody>;
}

/** One line of the export of a territory. */
export interface TerritoryLine {
  company_id: string;
  company_name?: string;
  website_domain?: string;
  public_company?: boolean;
  /** ISO 3166-1 alpha-2. */
  country_code?: string | null;
  profile_network_url?: string | null;
  hq_city?: string | null;
  hq_state?: string | null;
  hq_address?: string | null;
  hq_postcode?: string | null;
  hq_country_name?: string | null;
  region?: string | null;
  ceo?: string | null;
  sector?: string | null;
  industry?: string | null;
  /** Revenue band in USD. */
  revenue_range?: string | null;
  /** Employee band. */
  employee_count_range?: string | null;
  full_time_employees?: number | null;
  alternative_domains?: Array<string> | null;
  alternative_names?: Array<string> | null;
  tags?: Array<string> | null;
  description?: string | null;
  stock_ticker?: string | null;
  stock_currency?: string | null;
  stock_exchange_name?: string | null;
  stock_exchange_symbol?: string | null;
  market_cap?: number | null;
  /** Id of the account. */
  id: string;
  domain?: string;
  website?: string;
  employee_size_category?: string | null;
  revenue_category?: string | null;
  /** Country name. */
  country?: string | null;
  updated_at: string;
  provenance?: Record<string, Record<string, unknown>> | null;
  /** 0-100; 50 where the territory has no score rules. */
  score: number;
  /** The reasons for the score, with points. */
  why: Array<Record<string, unknown>>;
  /** Whether the account was included by hand. */
  by_hand: boolean;
}

export interface TerritoryPage {
  items: Array<TerritorySummary>;
  pagination: Pagination;
}

/** `why` lists the reasons with their points, or that the account was included by hand. */
export interface TerritoryScore {
  company_id: string;
  /** 0-100; 50 where the territory has no score rules. */
  score: number;
  why: Array<Record<string, unknown>>;
}

export interface TerritorySummary {
  id: string;
  name: string;
  description: string;
  owner: Owner | null;
  rules: Record<string, unknown>;
  score_rules: Array<Record<string, unknown>>;
  include: Array<string>;
  exclude: Array<string>;
  account_count: number;
  computed_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface TrendPoint {
  period: string;
  amount: number;
}

/** Result of undoing an import, in accounts or contacts. */
export interface Undone {
  /** Records it created that were removed. */
  deleted: number;
  /** Records whose previous values were restored. */
  reverted: number;
  /** Records it created that stay because a person edited them. */
  stayed_edited: number;
  /** Accounts it created that stay because a person added them to a list, territory or watch. */
  stayed_placed: number;
  /** Records it created that stay with values from other imports or discovery only. */
  stayed_imported: number;
  /** Values that stay because they were changed later. */
  values_stayed: number;
}

export interface UsagePage {
  items: Array<UsageRow>;
  pagination: Pagination;
}

export interface UsageRow {
  day: string;
  key_id: string;
  key_name: string | null;
  operation: string;
  requests: number;
  /** Responses with status 400 and above. */
  failures: number;
}

export interface User {
  id: string;
  email: string;
  role: UserRole;
  disabled: boolean;
  has_password: boolean;
  created_at: string;
}

export interface UserChange {
  role?: UserRole | null;
  /** A disabled user's keys are revoked. */
  disabled?: boolean | null;
}

export interface UserPage {
  items: Array<User>;
  pagination: Pagination;
}

export type UserRole = "owner" | "admin" | "member";

export interface Watch {
  id: string;
  name: string;
  kind: WatchKind;
  filter: Record<string, unknown> | null;
  /** Empty if the watch follows a filter. */
  account_ids: Array<string>;
  /** If the watch follows a filter: as of the last update of its members. */
  account_count: number;
  families: Array<string>;
  types: Array<string>;
  fields: Array<string>;
  seniorities: Array<string>;
  least_confidence: number;
  paused: boolean;
  expires_at: string | null;
  status: WatchStatus;
  created_at: string;
  updated_at: string;
}

/** Accounts by id or by a filter, and at least one family, type or field. */
export interface WatchBody {
  name: string;
  /** Unknown ids are ignored. */
  account_ids?: Array<string> | null;
  /** A filter over accounts. */
  filter?: Record<string, unknown> | null;
  families?: Array<string>;
  types?: Array<string>;
  /** Fields of the company record to watch for changes. */
  fields?: Array<string>;
  /** Fire on leadership moves and senior openings only at these levels. Empty: at any. */
  seniorities?: Array<string>;
  least_confidence?: number;
  paused?: boolean;
  expires_at?: string | null;
}

export interface WatchChange {
  name?: string;
  account_ids?: Array<string> | null;
  filter?: Record<string, unknown> | null;
  families?: Array<string>;
  types?: Array<string>;
  fields?: Array<string>;
  seniorities?: Array<string>;
  least_confidence?: number;
  paused?: boolean;
  expires_at?: string | null;
}

export type WatchKind = "accounts" | "search";

export interface WatchPage {
  items: Array<Watch>;
  pagination: Pagination;
}

/** What would have triggered the watch in the last 30 days. Nothing is saved. */
export interface WatchPreview {
  account_count: number;
  event_count: number;
  items: Array<Record<string, unknown>>;
}

export type WatchStatus = "active" | "paused" | "expired";

export interface Webhook {
  id: string;
  url: string;
  description: string;
  topics: Array<string>;
  enabled: boolean;
  disabled_reason: string | null;
  last_delivery_at: string | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookChange {
  url?: string | null;
  description?: string | null;
  topics?: Array<WebhookTopic> | null;
  enabled?: boolean | null;
}

export interface WebhookPage {
  items: Array<Webhook>;
  pagination: Pagination;
}

export type WebhookTopic = "event" | "alert";
