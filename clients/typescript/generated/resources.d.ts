// Made from openapi.json by clients/generate; do not edit.

import type * as t from "./types.js";
import type { Options, Pages, Waiting } from "../client.js";

export interface Accounts {
  /** Add a note to an account, set its next step or its owner */
  addNote(accountId: string, body?: t.NoteEntry, options?: Options): Promise<t.Note>;
  /** Delete an account */
  delete(accountId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Delete many accounts, by ids or by a filter
   * dry_run: Return what would be deleted without deleting it.
   */
  deleteMany(body?: t.AccountDeletion, query?: { dry_run?: boolean }, options?: Options): Promise<t.AccountsDeleted>;
  /** Delete an entry of an account */
  deleteNote(accountId: string, noteId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Export accounts as JSON Lines, CSV, Excel or Parquet
   * format: jsonl, csv, xlsx or parquet.
   * provenance: Include source, URL and time of each value.
   * search: What to export: the filters of the search body, as JSON.
   * changed_since: Only records changed since then: the X-Changed-Until of the previous export.
   */
  export(query?: { format?: t.ExportFormat; provenance?: boolean; search?: string; changed_since?: string }, options?: Options): Promise<ReadableStream<Uint8Array>>;
  /**
   * Notes, next steps and owners of an account, newest first
   * per_page: Items per page.
   * kind: Only entries of this kind.
   */
  listNotes(accountId: string, query?: { per_page?: number; kind?: t.NoteKind }, options?: Options): Pages<t.Note, t.NotePage>;
  /** Read one account */
  read(accountId: string, options?: Options): Promise<t.AccountItem>;
  /** Search your accounts */
  search(body?: t.AccountSearch, options?: Options): Pages<t.AccountItem, t.AccountPageAnswer>;
  /** Set values of an account */
  update(accountId: string, body?: t.AccountChange, options?: Options): Promise<t.AccountItem>;
}

export interface Agent {
  /** [Beta] Send a message to one of your agent sessions */
  createMessage(sessionId: string, body: t.NewMessage, options?: Options): Promise<t.SessionReply>;
  /** What this would cost, without doing it: [Beta] Send a message to one of your agent sessions */
  createMessageDryRun(sessionId: string, body: t.NewMessage, options?: Options): Promise<t.DryRun>;
  /** [Beta] Create an agent session */
  createSession(body?: t.NewSession, options?: Options): Promise<t.Session>;
  /**
   * [Beta] The messages of one of your agent sessions, oldest first
   * per_page: Items per page.
   */
  listMessages(sessionId: string, query?: { per_page?: number }, options?: Options): Pages<t.Message, t.MessagePage>;
  /**
   * [Beta] Your own agent sessions
   * per_page: Items per page.
   * status: Only sessions of this status.
   * type: A session type.
   * search: Part of a title.
   * sort_by: Sort field.
   * sort_order: Sort direction.
   * company_id: Only sessions on this company.
   */
  listSessions(query?: { per_page?: number; status?: t.SessionStatus; type?: string; search?: string; sort_by?: t.SessionOrder; sort_order?: t.ListAgentSessionsSortOrder; company_id?: string }, options?: Options): Pages<t.Session, t.SessionPage>;
  /** [Beta] Read one of your agent sessions */
  readSession(sessionId: string, options?: Options): Promise<t.Session>;
  /** [Beta] Rename, archive or restore an agent session */
  updateSession(sessionId: string, body?: t.SessionChange, options?: Options): Promise<t.Session>;
}

export interface Alerts {
  /**
   * Your organization's alerts, newest first
   * per_page: Items per page.
   * status: Only alerts of this status.
   * watch_id: Only alerts of this watch.
   * company_id: Only alerts of this company.
   * assignee: A user.
   * include_snoozed: Show snoozed alerts as well.
   * since: Created at or after.
   */
  list(query?: { per_page?: number; status?: t.AlertStatus; watch_id?: string; company_id?: string; assignee?: string; include_snoozed?: boolean; since?: string }, options?: Options): Pages<t.Alert, t.AlertPage>;
  /** Read one alert */
  read(alertId: string, options?: Options): Promise<t.Alert>;
  /** Change the status of an alert, add a note, assign or snooze it */
  update(alertId: string, body?: t.AlertChange, options?: Options): Promise<t.Alert>;
}

export interface AuditLog {
  /**
   * Administrative actions, newest first
   * per_page: Items per page.
   * action: Only actions of this kind.
   * actor: key:<id>, user:<id> or cli.
   */
  list(query?: { per_page?: number; action?: string; actor?: string }, options?: Options): Pages<t.Act, t.AuditPage>;
}

export interface Companies {
  /** Ask a question about a company */
  chat(companyId: string, body: t.ChatMessage, options?: Options): Promise<t.ChatAnswer>;
  /** What this would cost, without doing it: Ask a question about a company */
  chatDryRun(companyId: string, body: t.ChatMessage, options?: Options): Promise<t.DryRun>;
  /** Compose content about a company from its evidence, or store your own */
  createContent(companyId: string, body: t.NewContent, options?: Options): Promise<t.ContentItem>;
  /** What this would cost, without doing it: Compose content about a company from its evidence, or store your own */
  createContentDryRun(companyId: string, body: t.NewContent, options?: Options): Promise<t.DryRun>;
  /**
   * Discover contacts at a company in public sources
   * max: Maximum number of new contacts; most senior first.
   */
  discoverContacts(companyId: string, query?: { max?: number }, options?: Options): Promise<t.DiscoveredContacts>;
  /**
   * What this would cost, without doing it: Discover contacts at a company in public sources
   * max: Maximum number of new contacts; most senior first.
   */
  discoverContactsDryRun(companyId: string, query?: { max?: number }, options?: Options): Promise<t.DryRun>;
  /** Find people at a company through a contact provider */
  findContacts(companyId: string, body: t.FindPeople, options?: Options): Promise<t.FoundPeople>;
  /**
   * [Beta] Your own agent sessions on a company
   * per_page: Items per page.
   * status: Only sessions of this status.
   * type: A session type.
   * search: Part of a title.
   * sort_by: Sort field.
   * sort_order: Sort direction.
   */
  listAgentSessions(companyId: string, query?: { per_page?: number; status?: t.SessionStatus; type?: string; search?: string; sort_by?: t.SessionOrder; sort_order?: t.ListCompanyAgentSessionsSortOrder }, options?: Options): Pages<t.Session, t.SessionPage>;
  /**
   * Your contacts at a company, newest first
   * per_page: Items per page.
   */
  listContacts(companyId: string, query?: { per_page?: number }, options?: Options): Pages<t.Contact, t.CompanyContacts>;
  /**
   * Content about a company, newest first
   * per_page: Items per page.
   * content_type: Only items of this type.
   */
  listContent(companyId: string, query?: { per_page?: number; content_type?: t.ContentType }, options?: Options): Pages<t.ContentItem, t.ContentPage>;
  /**
   * Filings, pages and news read for a company, newest first
   * per_page: Items per page.
   */
  listDocuments(companyId: string, query?: { per_page?: number }, options?: Options): Pages<t.Document, t.DocumentPage>;
  /**
   * Every value found about a company, with its evidence
   * per_page: Items per page.
   * field: Only this field.
   * source: Only this source.
   */
  listFacts(companyId: string, query?: { per_page?: number; field?: string; source?: string }, options?: Options): Pages<t.Fact, t.FactPage>;
  /**
   * Job postings of a company, newest first
   * per_page: Items per page.
   * live: Pull the company's job boards first; waits a few seconds at most.
   * active: Only open postings, or only closed ones.
   * department: One of: general_management, engineering, it, data, product, design, research, project_management, marketing, sales, business_development, customer_success, support, consulting, finance, legal, hr, administration, operations, purchasing, supply_chain, production, medical, education, other.
   * location: A city, a state, a country (also by its ISO 3166 code), a part of the world (Europe, APAC, DACH) or `remote`, also together: `Toronto, Canada`, `remote, Germany`.
   * title: Words of the title.
   * posted_since: Posted at or after this time, if known; UTC by default.
   */
  listJobs(companyId: string, query?: { per_page?: number; live?: boolean; active?: boolean; department?: string; location?: string; title?: string; posted_since?: string }, options?: Options): Pages<t.Job, t.JobPage>;
  /**
   * What this would cost, without doing it: Job postings of a company, newest first
   * per_page: Items per page.
   * live: Pull the company's job boards first; waits a few seconds at most.
   * active: Only open postings, or only closed ones.
   * department: One of: general_management, engineering, it, data, product, design, research, project_management, marketing, sales, business_development, customer_success, support, consulting, finance, legal, hr, administration, operations, purchasing, supply_chain, production, medical, education, other.
   * location: A city, a state, a country (also by its ISO 3166 code), a part of the world (Europe, APAC, DACH) or `remote`, also together: `Toronto, Canada`, `remote, Germany`.
   * title: Words of the title.
   * posted_since: Posted at or after this time, if known; UTC by default.
   */
  listJobsDryRun(companyId: string, query?: { per_page?: number; live?: boolean; active?: boolean; department?: string; location?: string; title?: string; posted_since?: string }, options?: Options): Promise<t.DryRun>;
  /**
   * Technologies of a company, with evidence, most certain first
   * per_page: Items per page.
   * category: Only this category.
   * active: Only technologies still present at the last check, or only the others.
   */
  listTechnologies(companyId: string, query?: { per_page?: number; category?: string; active?: boolean }, options?: Options): Pages<t.Technology, t.TechnologyPage>;
  /** Match a name, domain or identifier to a company */
  match(body?: t.MatchRequest, options?: Options): Promise<t.MatchAnswer>;
  /**
   * Read one company record
   * provenance: Include the provenance and the alternatives of each field.
   */
  read(companyId: string, query?: { provenance?: boolean }, options?: Options): Promise<t.CompanyRecord>;
  /** A one-page brief for a call */
  readBrief(companyId: string, options?: Options): Promise<t.Brief>;
  /**
   * The text of a document, in parts
   * start: Position of the first character of `text`.
   * length: Characters of `text` at most.
   */
  readDocument(companyId: string, documentId: string, query?: { start?: number; length?: number }, options?: Options): Promise<t.DocumentText>;
  /**
   * Former name of relevance
   * per_page: Items per page.
   * q: What you want to know. Default: material changes.
   * max_hits_per_source: Maximum items per kind of source (`source.kind`).
   * since: Only items that happened or were published at or after this time; ISO 8601.
   * until: Only items that happened or were published at or before this time.
   */
  readGraph(companyId: string, query?: { per_page?: number; q?: string; max_hits_per_source?: number; since?: string; until?: string }, options?: Options): Pages<t.RelevanceItem, t.RelevancePage>;
  /**
   * Postings opened, closed and active, by month, department and location
   * months: Calendar months back, including this one.
   */
  readJobTrends(companyId: string, query?: { months?: number }, options?: Options): Promise<t.JobTrends>;
  /**
   * Read the profile of a company, section by section
   * include: Comma-separated sections; `full` is all of them: overview, key_executives, divisions, geographical_operations, swot_analysis, competitors, industry_insights, strategic_priorities, digital_strategies, risks, goals, events, how_they_make_money, how_they_lose_money, employee_groups, favourite_technologies_count, insights_scores, custom_insights, three_whys, value_pyramid, discovery_questions, territory_custom_scores, content.
   * exclude: Sections to leave out; overrides `include`.
   * sources: Include the sources of each statement, with quotes.
   */
  readProfile(companyId: string, query?: { include?: string; exclude?: string; sources?: boolean }, options?: Options): Promise<t.CompanyProfile>;
  /**
   * What matters about a company, ranked
   * per_page: Items per page.
   * q: What you want to know. Default: material changes.
   * max_hits_per_source: Maximum items per kind of source (`source.kind`).
   * since: Only items that happened or were published at or after this time; ISO 8601.
   * until: Only items that happened or were published at or before this time.
   */
  readRelevance(companyId: string, query?: { per_page?: number; q?: string; max_hits_per_source?: number; since?: string; until?: string }, options?: Options): Pages<t.RelevanceItem, t.RelevancePage>;
  /** Submit a company for discovery and enrichment */
  submit(body?: t.NewCompany, options?: Options): Promise<t.Accepted>;
  /** What this would cost, without doing it: Submit a company for discovery and enrichment */
  submitDryRun(body?: t.NewCompany, options?: Options): Promise<t.DryRun>;
  /** Submit up to 10,000 companies as one operation */
  submitMany(body: t.NewCompanies, options?: Options): Promise<t.BulkAccepted>;
  /** What this would cost, without doing it: Submit up to 10,000 companies as one operation */
  submitManyDryRun(body: t.NewCompanies, options?: Options): Promise<t.DryRun>;
  /**
   * Have the language model write the profile of a company
   * dry_run: Return the cost without doing anything.
   */
  writeProfile(companyId: string, query?: { dry_run?: boolean }, options?: Options): Promise<t.ProfileWriting>;
}

export interface Contacts {
  /** Set values of a contact */
  change(contactId: string, body?: t.ContactInput, options?: Options): Promise<t.Contact>;
  /** Create a contact, or update the existing one */
  create(body?: t.ContactInput, options?: Options): Promise<t.Contact>;
  /**
   * Delete a contact, or erase the person
   * erase: Also suppress the person permanently and issue a certificate.
   */
  delete(contactId: string, query?: { erase?: boolean }, options?: Options): Promise<t.ContactDeleted>;
  /** Erase a person permanently, everywhere */
  erasePerson(body?: t.ErasureRequest, options?: Options): Promise<t.Erasure>;
  /**
   * Export contacts as JSON Lines, CSV, Excel or Parquet
   * format: jsonl, csv, xlsx or parquet.
   * provenance: Include source, URL and time of each value.
   * search: What to export: the filters of the search body, as JSON.
   */
  export(query?: { format?: t.ExportFormat; provenance?: boolean; search?: string }, options?: Options): Promise<ReadableStream<Uint8Array>>;
  /** Import rows of a list as contacts */
  importMany(body: t.ContactRows, options?: Options): Promise<t.ImportedContacts>;
  /**
   * Your contacts, newest first
   * per_page: Items per page.
   * limit: Alias of `per_page`.
   * q: All words must occur somewhere in the contact.
   * company_id: Only this company.
   * updated_since: Created or changed at or after this time.
   */
  list(query?: { per_page?: number; limit?: number; q?: string; company_id?: string; updated_since?: string }, options?: Options): Pages<t.Contact, t.ContactPage>;
  /**
   * Read one contact
   * provenance: Include the provenance of each field.
   */
  read(contactId: string, query?: { provenance?: boolean }, options?: Options): Promise<t.ContactRecord>;
  /** The certificate of an erasure */
  readErasure(erasureId: string, options?: Options): Promise<t.Erasure>;
  /**
   * Search your contacts
   * live: Not supported here; true is refused.
   */
  search(body?: t.PagedContactSearch, query?: { live?: boolean }, options?: Options): Pages<t.Contact, t.ContactPage>;
}

export interface Content {
  /** Create a content setting */
  createSetting(body: t.NewSetting, options?: Options): Promise<t.Setting>;
  /** Create a content template */
  createTemplate(body: t.NewTemplate, options?: Options): Promise<t.Template>;
  /** Delete a piece of content */
  delete(contentId: string, options?: Options): Promise<t.Deleted>;
  /** Delete a content setting; content made with it stays */
  deleteSetting(settingId: string, options?: Options): Promise<t.Deleted>;
  /** Delete a content template; content made with it stays */
  deleteTemplate(templateId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Your content settings, by name
   * per_page: Items per page.
   */
  listSettings(query?: { per_page?: number }, options?: Options): Pages<t.Setting, t.SettingPage>;
  /**
   * Your content templates, by name
   * per_page: Items per page.
   */
  listTemplates(query?: { per_page?: number }, options?: Options): Pages<t.Template, t.TemplatePage>;
  /** Read one piece of content */
  read(contentId: string, options?: Options): Promise<t.ContentItem>;
  /** Read one content setting */
  readSetting(settingId: string, options?: Options): Promise<t.Setting>;
  /** Read one content template */
  readTemplate(templateId: string, options?: Options): Promise<t.Template>;
  /** Change a piece of content */
  update(contentId: string, body?: t.ContentChange, options?: Options): Promise<t.ContentItem>;
  /** Change a content setting */
  updateSetting(settingId: string, body?: t.SettingChange, options?: Options): Promise<t.Setting>;
  /** Change a content template */
  updateTemplate(templateId: string, body?: t.TemplateChange, options?: Options): Promise<t.Template>;
}

export interface CustomQuestions {
  /** Ask a question about every company */
  create(body: t.NewQuestion, options?: Options): Promise<t.CustomQuestion>;
  /** Delete a question */
  delete(questionId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Questions asked about every company, by name
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.CustomQuestion, t.CustomQuestionPage>;
  /** Read one question */
  read(questionId: string, options?: Options): Promise<t.CustomQuestion>;
  /** Change a question; it is answered again */
  update(questionId: string, body?: t.QuestionChange, options?: Options): Promise<t.CustomQuestion>;
}

export interface Events {
  /**
   * Events at your accounts, newest first
   * per_page: Items per page.
   * type: A type or a family.
   * source: Kind of source, or name.
   * company_id: Only this company.
   * since: Detected at or after.
   * until: Detected at or before.
   * background: Only background, or only news.
   */
  list(query?: { per_page?: number; type?: string; source?: string; company_id?: string; since?: string; until?: string; background?: boolean }, options?: Options): Pages<t.Event, t.EventPage>;
}

export interface Evidence {
  /** Search the evidence of all accounts */
  search(body: t.EvidenceSearch, options?: Options): Pages<t.EvidenceGroup, t.EvidencePage>;
}

export interface Health {
  /** Health of the service */
  read(options?: Options): Promise<t.Health>;
}

export interface Imports {
  /**
   * Imports of lists, newest first
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.Import, t.ImportPage>;
  /** Read one import */
  read(importId: string, options?: Options): Promise<t.Import>;
  /** Undo a whole import */
  undo(importId: string, options?: Options): Promise<t.Import>;
}

export interface Integrations {
  /** Connect a CRM or a contact provider */
  connect(integrationId: string, body?: t.Connect, options?: Options): Promise<t.ConnectionState>;
  /** Disconnect an integration; synced data stays, a run in progress stops */
  disconnect(integrationId: string, options?: Options): Promise<t.ConnectionState>;
  /**
   * Log of a sync run by record
   * per_page: Items per page.
   * action: Only records with this outcome.
   */
  listSyncLog(integrationId: string, runId: string, query?: { per_page?: number; action?: string }, options?: Options): Pages<t.SyncEntry, t.SyncLog>;
  /**
   * Sync runs of a CRM with dry runs, newest first
   * per_page: Items per page.
   */
  listSyncRuns(integrationId: string, query?: { per_page?: number }, options?: Options): Pages<t.SyncRun, t.SyncRunPage>;
  /** Preview the first records of a CRM and how they are read */
  previewSync(integrationId: string, options?: Options): Promise<t.Preview>;
  /** Every data source, webhook, mail server, CRM and model provider, with status */
  readStatus(options?: Options): Promise<t.Integrations>;
  /** Progress and results of a sync run */
  readSyncRun(integrationId: string, runId: string, options?: Options): Promise<t.SyncRun>;
  /** Field mapping of a CRM, and what is synced */
  readSyncSettings(integrationId: string, options?: Options): Promise<t.SyncSettings>;
  /** Set up the mail server for alert digests */
  setMailServer(body: t.MailSettings, options?: Options): Promise<t.IntegrationItem>;
  /** Run an integration now */
  sync(integrationId: string, body?: t.SyncOptions, options?: Options): Promise<t.SyncQueued>;
  /** Switch an integration on or off */
  update(integrationId: string, body: t.IntegrationChange, options?: Options): Promise<t.IntegrationItem>;
  /** Change the field mapping of a CRM, and what is synced */
  updateSyncSettings(integrationId: string, body?: t.SyncChange, options?: Options): Promise<t.SyncSettings>;
}

export interface Keys {
  /** Create an API key; it is shown only once */
  create(body: t.NewKey, options?: Options): Promise<t.MadeKey>;
  /**
   * API keys of your organization, newest first
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.ApiKey, t.ApiKeyPage>;
  /** Revoke an API key, on every node within a second */
  revoke(keyId: string, options?: Options): Promise<t.Revoked>;
  /** Rotate an API key; the old one expires after the overlap */
  rotate(keyId: string, body?: t.KeyRotation, options?: Options): Promise<t.MadeKey>;
}

export interface Lists {
  /** Add accounts to a list, and remove others */
  changeAccounts(listId: string, body?: t.MemberChange, options?: Options): Promise<t.MembersChanged>;
  /** Create a list */
  create(body: t.NewList, options?: Options): Promise<t.AccountList>;
  /** Delete a list; its accounts stay */
  delete(listId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Export the accounts of a list as JSON Lines, CSV, Excel or Parquet
   * format: jsonl, csv, xlsx or parquet.
   * provenance: Include source, URL and time of each value.
   */
  export(listId: string, query?: { format?: t.ExportFormat; provenance?: boolean }, options?: Options): Promise<ReadableStream<Uint8Array>>;
  /**
   * Your saved lists, by name
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.AccountList, t.AccountListPage>;
  /** Read one list */
  read(listId: string, options?: Options): Promise<t.AccountList>;
  /** Change a list's name, description or filter */
  update(listId: string, body?: t.ListChange, options?: Options): Promise<t.AccountList>;
}

export interface Operations extends Waiting {
  /** Cancel an operation and release its reserved credits */
  cancel(publicOperationId: string, options?: Options): Promise<t.Operation>;
  /**
   * Operations of your organization, newest first
   * per_page: Items per page.
   * status: Only operations in this state.
   */
  list(query?: { per_page?: number; status?: t.OperationStatus }, options?: Options): Pages<t.Operation, t.OperationPage>;
  /**
   * The items of a bulk operation, in the order of the request
   * per_page: Items per page.
   * status: Only operations in this state.
   */
  listItems(publicOperationId: string, query?: { per_page?: number; status?: t.OperationStatus }, options?: Options): Pages<t.BulkItem, t.BulkItemPage>;
  /** Read an operation: its progress and result */
  read(publicOperationId: string, options?: Options): Promise<t.Operation>;
  /** Submit the failed items of a bulk operation again */
  retry(publicOperationId: string, options?: Options): Promise<t.BulkAccepted>;
  /** What this would cost, without doing it: Submit the failed items of a bulk operation again */
  retryDryRun(publicOperationId: string, options?: Options): Promise<t.DryRun>;
}

export interface Organization {
  /**
   * Every grant, reservation, settlement and release, newest first
   * per_page: Items per page.
   * credit: Only entries of this kind of credit.
   */
  listLedger(query?: { per_page?: number; credit?: t.CreditType }, options?: Options): Pages<t.LedgerEntry, t.Ledger>;
  /** Your organization, its plan and costs */
  read(options?: Options): Promise<t.Organization>;
  /** Credit balances of your organization */
  readCredits(options?: Options): Promise<t.OrganizationCredits>;
  /** Rename your organization */
  update(body?: t.OrganizationChange, options?: Options): Promise<t.Organization>;
}

export interface Ready {
  /** Readiness to take writes */
  readReadiness(options?: Options): Promise<t.Readiness>;
}

export interface SellerContext {
  /** What your organization sells, and to whom */
  read(options?: Options): Promise<t.SellerContext>;
  /** Replace parts of the seller context */
  update(body?: t.SellerContextInput, options?: Options): Promise<t.SellerContext>;
}

export interface Suppressions {
  /** Add people to the suppression list */
  addMany(body: t.NewSuppressions, options?: Options): Promise<t.Suppressed>;
  /** Remove an entry; its contacts become visible again */
  lift(suppressionId: string, options?: Options): Promise<t.Lifted>;
  /**
   * Suppressed people, newest first
   * per_page: Items per page.
   * kind: Only entries of this kind.
   */
  list(query?: { per_page?: number; kind?: t.SuppressionKind }, options?: Options): Pages<t.Suppression, t.SuppressionPage>;
}

export interface Territories {
  /** Create a territory and compute its members */
  create(body: t.NewTerritory, options?: Options): Promise<t.Territory>;
  /** Delete a territory; its accounts stay */
  delete(territoryId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Export the accounts of a territory with their scores
   * format: jsonl, csv, xlsx or parquet.
   * provenance: Include source, URL and time of each value.
   */
  export(territoryId: string, query?: { format?: t.ExportFormat; provenance?: boolean }, options?: Options): Promise<ReadableStream<Uint8Array>>;
  /**
   * Your territories, by name
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.TerritorySummary, t.TerritoryPage>;
  /**
   * Accounts in no territory
   * per_page: Items per page.
   */
  listGaps(query?: { per_page?: number }, options?: Options): Pages<t.AccountItem, t.GapPage>;
  /**
   * Pairs of territories that share accounts
   * per_page: Items per page.
   */
  listOverlaps(query?: { per_page?: number }, options?: Options): Pages<t.Overlap, t.OverlapPage>;
  /**
   * Read one territory with a page of its companies
   * page: Page number, from 1.
   * per_page: Items per page.
   * cursor: The `next_cursor` of the previous page; unaffected by new rows.
   */
  read(territoryId: string, query?: { page?: number; per_page?: number; cursor?: string }, options?: Options): Promise<t.Territory>;
  /** Compute a territory's members and scores now */
  recompute(territoryId: string, options?: Options): Promise<t.Recomputed>;
  /** What this would cost, without doing it: Compute a territory's members and scores now */
  recomputeDryRun(territoryId: string, options?: Options): Promise<t.DryRun>;
  /** Preview a territory without saving it */
  simulate(body: t.Simulation, options?: Options): Promise<t.SimulationResult>;
  /** Change a territory; its members are computed again */
  update(territoryId: string, body?: t.TerritoryChange, options?: Options): Promise<t.Territory>;
}

export interface Usage {
  /**
   * Requests by day, key and operation
   * per_page: Items per page.
   * since: First day; default: 30 days ago.
   * until: Last day; default: today.
   * key_id: Only requests of this key.
   */
  read(query?: { per_page?: number; since?: string; until?: string; key_id?: string }, options?: Options): Pages<t.UsageRow, t.UsagePage>;
}

export interface Users {
  /** Add a user */
  create(body: t.NewUser, options?: Options): Promise<t.User>;
  /**
   * Users of your organization, by email
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.User, t.UserPage>;
  /** Change a user's role, or disable the user */
  update(userId: string, body?: t.UserChange, options?: Options): Promise<t.User>;
}

export interface Watches {
  /** Create a watch */
  create(body: t.WatchBody, options?: Options): Promise<t.Watch>;
  /** Delete a watch; its alerts stay */
  delete(watchId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Your watches, by name
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.Watch, t.WatchPage>;
  /** Preview the alerts of a watch over the last 30 days */
  preview(body: t.WatchBody, options?: Options): Promise<t.WatchPreview>;
  /** Read one watch */
  read(watchId: string, options?: Options): Promise<t.Watch>;
  /** Change, pause or resume a watch */
  update(watchId: string, body?: t.WatchChange, options?: Options): Promise<t.Watch>;
}

export interface Webhooks {
  /** Add a webhook; its secret is shown only once */
  create(body: t.NewWebhook, options?: Options): Promise<t.MadeWebhook>;
  /** Delete a webhook and its delivery log */
  delete(webhookId: string, options?: Options): Promise<t.Deleted>;
  /**
   * Your webhooks, newest first
   * per_page: Items per page.
   */
  list(query?: { per_page?: number }, options?: Options): Pages<t.Webhook, t.WebhookPage>;
  /**
   * The delivery log of a webhook, newest first
   * per_page: Items per page.
   * status: Only deliveries of this status.
   */
  listDeliveries(webhookId: string, query?: { per_page?: number; status?: t.DeliveryStatus }, options?: Options): Pages<t.Delivery, t.DeliveryPage>;
  /** Read one webhook */
  read(webhookId: string, options?: Options): Promise<t.Webhook>;
  /** Resend a delivery under the same id */
  redeliver(webhookId: string, deliveryId: string, options?: Options): Promise<t.Queued>;
  /** Rotate the secret of a webhook; both sign until the overlap ends */
  rotateSecret(webhookId: string, body?: t.SecretRotation, options?: Options): Promise<t.MadeWebhook>;
  /** Send a test message to a webhook */
  test(webhookId: string, options?: Options): Promise<t.Queued>;
  /** Change, enable or disable a webhook */
  update(webhookId: string, body?: t.WebhookChange, options?: Options): Promise<t.Webhook>;
}

export interface Resources {
  readonly accounts: Accounts;
  readonly agent: Agent;
  readonly alerts: Alerts;
  readonly auditLog: AuditLog;
  readonly companies: Companies;
  readonly contacts: Contacts;
  readonly content: Content;
  readonly customQuestions: CustomQuestions;
  readonly events: Events;
  readonly evidence: Evidence;
  readonly health: Health;
  readonly imports: Imports;
  readonly integrations: Integrations;
  readonly keys: Keys;
  readonly lists: Lists;
  readonly operations: Operations;
  readonly organization: Organization;
  readonly ready: Ready;
  readonly sellerContext: SellerContext;
  readonly suppressions: Suppressions;
  readonly territories: Territories;
  readonly usage: Usage;
  readonly users: Users;
  readonly watches: Watches;
  readonly webhooks: Webhooks;
}
