"""Made from openapi.json by clients/generate; do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sightline_client.generated import types as t
from sightline_client.pages import Pages
from sightline_client.transport import Transport


class Accounts:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def add_note(
        self,
        account_id: str,
        body: t.NoteEntry | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Note:
        """Add a note to an account, set its next step or its owner"""
        return self._transport.write(
            "POST",
            f"/accounts/{self._transport.quote(account_id)}/notes",
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete(self, account_id: str) -> t.Deleted:
        """Delete an account"""
        return self._transport.call("DELETE", f"/accounts/{self._transport.quote(account_id)}")

    def delete_many(
        self,
        body: t.AccountDeletion | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.AccountsDeleted:
        """Delete many accounts, by ids or by a filter

        dry_run: Return what would be deleted without deleting it.
        """
        return self._transport.write(
            "POST",
            "/accounts/delete",
            query=dict(dry_run=dry_run),
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete_note(self, account_id: str, note_id: str) -> t.Deleted:
        """Delete an entry of an account"""
        return self._transport.call(
            "DELETE",
            f"/accounts/{self._transport.quote(account_id)}/notes/{self._transport.quote(note_id)}",
        )

    def export(
        self,
        *,
        format: t.ExportFormat | None = None,
        provenance: bool | None = None,
        search: str | None = None,
        changed_since: datetime | str | None = None,
    ) -> Iterator[bytes]:
        """Export accounts as JSON Lines, CSV, Excel or Parquet

        format: jsonl, csv, xlsx or parquet.
        provenance: Include source, URL and time of each value.
        search: What to export: the filters of the search body, as JSON.
        changed_since: Only records changed since then: the X-Changed-Until of the previous
        export.
        """
        return self._transport.stream(
            "GET",
            "/accounts/export",
            query=dict(format=format, provenance=provenance, search=search, changed_since=changed_since),
        )

    def list_notes(
        self,
        account_id: str,
        *,
        per_page: int | None = None,
        kind: t.NoteKind | None = None,
    ) -> Pages[t.Note, t.NotePage]:
        """Notes, next steps and owners of an account, newest first

        per_page: Items per page.
        kind: Only entries of this kind.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/accounts/{self._transport.quote(account_id)}/notes",
            query=dict(per_page=per_page, kind=kind),
        )

    def read(self, account_id: str) -> t.AccountItem:
        """Read one account"""
        return self._transport.call("GET", f"/accounts/{self._transport.quote(account_id)}")

    def search(
        self,
        body: t.AccountSearch | None = None,
    ) -> Pages[t.AccountItem, t.AccountPageAnswer]:
        """Search your accounts"""
        return Pages(self._transport, "items", "POST", "/accounts", body=body)

    def update(
        self,
        account_id: str,
        body: t.AccountChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.AccountItem:
        """Set values of an account"""
        return self._transport.write(
            "PATCH",
            f"/accounts/{self._transport.quote(account_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class Agent:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create_message(
        self,
        session_id: str,
        body: t.NewMessage,
        *,
        idempotency_key: str | None = None,
    ) -> t.SessionReply:
        """[Beta] Send a message to one of your agent sessions"""
        return self._transport.write(
            "POST",
            f"/agent/sessions/{self._transport.quote(session_id)}/messages",
            body=body,
            idempotency_key=idempotency_key,
        )

    def create_message_dry_run(self, session_id: str, body: t.NewMessage) -> t.DryRun:
        """What this would cost, without doing it: [Beta] Send a message to one of your agent
        sessions"""
        return self._transport.call(
            "POST",
            f"/agent/sessions/{self._transport.quote(session_id)}/messages",
            query=dict(dry_run=True),
            body=body,
        )

    def create_session(
        self,
        body: t.NewSession | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Session:
        """[Beta] Create an agent session"""
        return self._transport.write(
            "POST",
            "/agent/sessions",
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_messages(
        self,
        session_id: str,
        *,
        per_page: int | None = None,
    ) -> Pages[t.Message, t.MessagePage]:
        """[Beta] The messages of one of your agent sessions, oldest first

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/agent/sessions/{self._transport.quote(session_id)}/messages",
            query=dict(per_page=per_page),
        )

    def list_sessions(
        self,
        *,
        per_page: int | None = None,
        status: t.SessionStatus | None = None,
        type: str | None = None,
        search: str | None = None,
        sort_by: t.SessionOrder | None = None,
        sort_order: t.ListAgentSessionsSortOrder | None = None,
        company_id: str | None = None,
    ) -> Pages[t.Session, t.SessionPage]:
        """[Beta] Your own agent sessions

        per_page: Items per page.
        status: Only sessions of this status.
        type: A session type.
        search: Part of a title.
        sort_by: Sort field.
        sort_order: Sort direction.
        company_id: Only sessions on this company.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/agent/sessions",
            query=dict(
                per_page=per_page,
                status=status,
                type=type,
                search=search,
                sort_by=sort_by,
                sort_order=sort_order,
                company_id=company_id,
            ),
        )

    def read_session(self, session_id: str) -> t.Session:
        """[Beta] Read one of your agent sessions"""
        return self._transport.call("GET", f"/agent/sessions/{self._transport.quote(session_id)}")

    def update_session(
        self,
        session_id: str,
        body: t.SessionChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Session:
        """[Beta] Rename, archive or restore an agent session"""
        return self._transport.write(
            "PATCH",
            f"/agent/sessions/{self._transport.quote(session_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class Alerts:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        per_page: int | None = None,
        status: t.AlertStatus | None = None,
        watch_id: str | None = None,
        company_id: str | None = None,
        assignee: str | None = None,
        include_snoozed: bool | None = None,
        since: datetime | str | None = None,
    ) -> Pages[t.Alert, t.AlertPage]:
        """Your organization's alerts, newest first

        per_page: Items per page.
        status: Only alerts of this status.
        watch_id: Only alerts of this watch.
        company_id: Only alerts of this company.
        assignee: A user.
        include_snoozed: Show snoozed alerts as well.
        since: Created at or after.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/alerts",
            query=dict(
                per_page=per_page,
                status=status,
                watch_id=watch_id,
                company_id=company_id,
                assignee=assignee,
                include_snoozed=include_snoozed,
                since=since,
            ),
        )

    def read(self, alert_id: str) -> t.Alert:
        """Read one alert"""
        return self._transport.call("GET", f"/alerts/{self._transport.quote(alert_id)}")

    def update(
        self,
        alert_id: str,
        body: t.AlertChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Alert:
        """Change the status of an alert, add a note, assign or snooze it"""
        return self._transport.write(
            "PATCH",
            f"/alerts/{self._transport.quote(alert_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class AuditLog:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        per_page: int | None = None,
        action: str | None = None,
        actor: str | None = None,
    ) -> Pages[t.Act, t.AuditPage]:
        """Administrative actions, newest first

        per_page: Items per page.
        action: Only actions of this kind.
        actor: key:<id>, user:<id> or cli.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/audit-log",
            query=dict(per_page=per_page, action=action, actor=actor),
        )


class Companies:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def chat(
        self,
        company_id: str,
        body: t.ChatMessage,
        *,
        idempotency_key: str | None = None,
    ) -> t.ChatAnswer:
        """Ask a question about a company"""
        return self._transport.write(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/assistant/chat",
            body=body,
            idempotency_key=idempotency_key,
        )

    def chat_dry_run(self, company_id: str, body: t.ChatMessage) -> t.DryRun:
        """What this would cost, without doing it: Ask a question about a company"""
        return self._transport.call(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/assistant/chat",
            query=dict(dry_run=True),
            body=body,
        )

    def create_content(
        self,
        company_id: str,
        body: t.NewContent,
        *,
        idempotency_key: str | None = None,
    ) -> t.ContentItem:
        """Compose content about a company from its evidence, or store your own"""
        return self._transport.write(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/content",
            body=body,
            idempotency_key=idempotency_key,
        )

    def create_content_dry_run(self, company_id: str, body: t.NewContent) -> t.DryRun:
        """What this would cost, without doing it: Compose content about a company from its
        evidence, or store your own"""
        return self._transport.call(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/content",
            query=dict(dry_run=True),
            body=body,
        )

    def discover_contacts(
        self,
        company_id: str,
        *,
        max: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.DiscoveredContacts:
        """Discover contacts at a company in public sources

        max: Maximum number of new contacts; most senior first.
        """
        return self._transport.write(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/contacts/discover",
            query=dict(max=max),
            idempotency_key=idempotency_key,
        )

    def discover_contacts_dry_run(self, company_id: str, *, max: int | None = None) -> t.DryRun:
        """What this would cost, without doing it: Discover contacts at a company in public
        sources

        max: Maximum number of new contacts; most senior first.
        """
        return self._transport.call(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/contacts/discover",
            query=dict(max=max, dry_run=True),
        )

    def find_contacts(
        self,
        company_id: str,
        body: t.FindPeople,
        *,
        idempotency_key: str | None = None,
    ) -> t.FoundPeople:
        """Find people at a company through a contact provider"""
        return self._transport.write(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/contacts/find",
            body=body,
            idempotency_key=idempotency_key,
        )

    def list_agent_sessions(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        status: t.SessionStatus | None = None,
        type: str | None = None,
        search: str | None = None,
        sort_by: t.SessionOrder | None = None,
        sort_order: t.ListCompanyAgentSessionsSortOrder | None = None,
    ) -> Pages[t.Session, t.SessionPage]:
        """[Beta] Your own agent sessions on a company

        per_page: Items per page.
        status: Only sessions of this status.
        type: A session type.
        search: Part of a title.
        sort_by: Sort field.
        sort_order: Sort direction.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/agent/sessions",
            query=dict(
                per_page=per_page,
                status=status,
                type=type,
                search=search,
                sort_by=sort_by,
                sort_order=sort_order,
            ),
        )

    def list_contacts(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
    ) -> Pages[t.Contact, t.CompanyContacts]:
        """Your contacts at a company, newest first

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "contacts",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/contacts",
            query=dict(per_page=per_page),
        )

    def list_content(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        content_type: t.ContentType | None = None,
    ) -> Pages[t.ContentItem, t.ContentPage]:
        """Content about a company, newest first

        per_page: Items per page.
        content_type: Only items of this type.
        """
        return Pages(
            self._transport,
            "contacts",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/content",
            query=dict(per_page=per_page, content_type=content_type),
        )

    def list_documents(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
    ) -> Pages[t.Document, t.DocumentPage]:
        """Filings, pages and news read for a company, newest first

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/documents",
            query=dict(per_page=per_page),
        )

    def list_facts(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        field: str | None = None,
        source: str | None = None,
    ) -> Pages[t.Fact, t.FactPage]:
        """Every value found about a company, with its evidence

        per_page: Items per page.
        field: Only this field.
        source: Only this source.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/facts",
            query=dict(per_page=per_page, field=field, source=source),
        )

    def list_jobs(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        live: bool | None = None,
        active: bool | None = None,
        department: str | None = None,
        location: str | None = None,
        title: str | None = None,
        posted_since: datetime | str | None = None,
    ) -> Pages[t.Job, t.JobPage]:
        """Job postings of a company, newest first

        per_page: Items per page.
        live: Pull the company's job boards first; waits a few seconds at most.
        active: Only open postings, or only closed ones.
        department: One of: general_management, engineering, it, data, product, design,
        research, project_management, marketing, sales, business_development, customer_success,
        support, consulting, finance, legal, hr, administration, operations, purchasing,
        supply_chain, production, medical, education, other.
        location: A city, a state, a country (also by its ISO 3166 code), a part of the world
        (Europe, APAC, DACH) or `remote`, also together: `Toronto, Canada`, `remote, Germany`.
        title: Words of the title.
        posted_since: Posted at or after this time, if known; UTC by default.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/jobs",
            query=dict(
                per_page=per_page,
                live=live,
                active=active,
                department=department,
                location=location,
                title=title,
                posted_since=posted_since,
            ),
        )

    def list_jobs_dry_run(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        live: bool | None = None,
        active: bool | None = None,
        department: str | None = None,
        location: str | None = None,
        title: str | None = None,
        posted_since: datetime | str | None = None,
    ) -> t.DryRun:
        """What this would cost, without doing it: Job postings of a company, newest first

        per_page: Items per page.
        live: Pull the company's job boards first; waits a few seconds at most.
        active: Only open postings, or only closed ones.
        department: One of: general_management, engineering, it, data, product, design,
        research, project_management, marketing, sales, business_development, customer_success,
        support, consulting, finance, legal, hr, administration, operations, purchasing,
        supply_chain, production, medical, education, other.
        location: A city, a state, a country (also by its ISO 3166 code), a part of the world
        (Europe, APAC, DACH) or `remote`, also together: `Toronto, Canada`, `remote, Germany`.
        title: Words of the title.
        posted_since: Posted at or after this time, if known; UTC by default.
        """
        return self._transport.call(
            "GET",
            f"/companies/{self._transport.quote(company_id)}/jobs",
            query=dict(
                per_page=per_page,
                live=live,
                active=active,
                department=department,
                location=location,
                title=title,
                posted_since=posted_since,
                dry_run=True,
            ),
        )

    def list_technologies(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        category: str | None = None,
        active: bool | None = None,
    ) -> Pages[t.Technology, t.TechnologyPage]:
        """Technologies of a company, with evidence, most certain first

        per_page: Items per page.
        category: Only this category.
        active: Only technologies still present at the last check, or only the others.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/technologies",
            query=dict(per_page=per_page, category=category, active=active),
        )

    def match(
        self,
        body: t.MatchRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.MatchAnswer:
        """Match a name, domain or identifier to a company"""
        return self._transport.write(
            "POST",
            "/companies/match",
            body=body,
            idempotency_key=idempotency_key,
        )

    def read(self, company_id: str, *, provenance: bool | None = None) -> t.CompanyRecord:
        """Read one company record

        provenance: Include the provenance and the alternatives of each field.
        """
        return self._transport.call(
            "GET",
            f"/companies/{self._transport.quote(company_id)}",
            query=dict(provenance=provenance),
        )

    def read_brief(self, company_id: str) -> t.Brief:
        """A one-page brief for a call"""
        return self._transport.call("GET", f"/companies/{self._transport.quote(company_id)}/brief")

    def read_document(
        self,
        company_id: str,
        document_id: str,
        *,
        start: int | None = None,
        length: int | None = None,
    ) -> t.DocumentText:
        """The text of a document, in parts

        start: Position of the first character of `text`.
        length: Characters of `text` at most.
        """
        return self._transport.call(
            "GET",
            f"/companies/{self._transport.quote(company_id)}/documents/{self._transport.quote(document_id)}",
            query=dict(start=start, length=length),
        )

    def read_graph(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        q: str | None = None,
        max_hits_per_source: int | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> Pages[t.RelevanceItem, t.RelevancePage]:
        """Former name of relevance

        per_page: Items per page.
        q: What you want to know. Default: material changes.
        max_hits_per_source: Maximum items per kind of source (`source.kind`).
        since: Only items that happened or were published at or after this time; ISO 8601.
        until: Only items that happened or were published at or before this time.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/graph",
            query=dict(
                per_page=per_page,
                q=q,
                max_hits_per_source=max_hits_per_source,
                since=since,
                until=until,
            ),
        )

    def read_job_trends(self, company_id: str, *, months: int | None = None) -> t.JobTrends:
        """Postings opened, closed and active, by month, department and location

        months: Calendar months back, including this one.
        """
        return self._transport.call(
            "GET",
            f"/companies/{self._transport.quote(company_id)}/jobs/trends",
            query=dict(months=months),
        )

    def read_profile(
        self,
        company_id: str,
        *,
        include: str | None = None,
        exclude: str | None = None,
        sources: bool | None = None,
    ) -> t.CompanyProfile:
        """Read the profile of a company, section by section

        include: Comma-separated sections; `full` is all of them: overview, key_executives,
        divisions, geographical_operations, swot_analysis, competitors, industry_insights,
        strategic_priorities, digital_strategies, risks, goals, events, how_they_make_money,
        how_they_lose_money, employee_groups, favourite_technologies_count, insights_scores,
        custom_insights, three_whys, value_pyramid, discovery_questions,
        territory_custom_scores, content.
        exclude: Sections to leave out; overrides `include`.
        sources: Include the sources of each statement, with quotes.
        """
        return self._transport.call(
            "GET",
            f"/companies/{self._transport.quote(company_id)}/profile",
            query=dict(include=include, exclude=exclude, sources=sources),
        )

    def read_relevance(
        self,
        company_id: str,
        *,
        per_page: int | None = None,
        q: str | None = None,
        max_hits_per_source: int | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> Pages[t.RelevanceItem, t.RelevancePage]:
        """What matters about a company, ranked

        per_page: Items per page.
        q: What you want to know. Default: material changes.
        max_hits_per_source: Maximum items per kind of source (`source.kind`).
        since: Only items that happened or were published at or after this time; ISO 8601.
        until: Only items that happened or were published at or before this time.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/companies/{self._transport.quote(company_id)}/relevance",
            query=dict(
                per_page=per_page,
                q=q,
                max_hits_per_source=max_hits_per_source,
                since=since,
                until=until,
            ),
        )

    def submit(
        self,
        body: t.NewCompany | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Accepted:
        """Submit a company for discovery and enrichment"""
        return self._transport.write(
            "POST",
            "/companies",
            body=body,
            idempotency_key=idempotency_key,
        )

    def submit_dry_run(self, body: t.NewCompany | None = None) -> t.DryRun:
        """What this would cost, without doing it: Submit a company for discovery and
        enrichment"""
        return self._transport.call("POST", "/companies", query=dict(dry_run=True), body=body)

    def submit_many(
        self,
        body: t.NewCompanies,
        *,
        idempotency_key: str | None = None,
    ) -> t.BulkAccepted:
        """Submit up to 10,000 companies as one operation"""
        return self._transport.write(
            "POST",
            "/companies/bulk",
            body=body,
            idempotency_key=idempotency_key,
        )

    def submit_many_dry_run(self, body: t.NewCompanies) -> t.DryRun:
        """What this would cost, without doing it: Submit up to 10,000 companies as one
        operation"""
        return self._transport.call("POST", "/companies/bulk", query=dict(dry_run=True), body=body)

    def write_profile(
        self,
        company_id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.ProfileWriting:
        """Have the language model write the profile of a company

        dry_run: Return the cost without doing anything.
        """
        return self._transport.write(
            "POST",
            f"/companies/{self._transport.quote(company_id)}/profile",
            query=dict(dry_run=dry_run),
            idempotency_key=idempotency_key,
        )


class Contacts:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def change(
        self,
        contact_id: str,
        body: t.ContactInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Contact:
        """Set values of a contact"""
        return self._transport.write(
            "PATCH",
            f"/contacts/{self._transport.quote(contact_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def create(
        self,
        body: t.ContactInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Contact:
        """Create a contact, or update the existing one"""
        return self._transport.write(
            "POST",
            "/contacts",
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete(self, contact_id: str, *, erase: bool | None = None) -> t.ContactDeleted:
        """Delete a contact, or erase the person

        erase: Also suppress the person permanently and issue a certificate.
        """
        return self._transport.call(
            "DELETE",
            f"/contacts/{self._transport.quote(contact_id)}",
            query=dict(erase=erase),
        )

    def erase_person(
        self,
        body: t.ErasureRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Erasure:
        """Erase a person permanently, everywhere"""
        return self._transport.write(
            "POST",
            "/contacts/erasures",
            body=body,
            idempotency_key=idempotency_key,
        )

    def export(
        self,
        *,
        format: t.ExportFormat | None = None,
        provenance: bool | None = None,
        search: str | None = None,
    ) -> Iterator[bytes]:
        """Export contacts as JSON Lines, CSV, Excel or Parquet

        format: jsonl, csv, xlsx or parquet.
        provenance: Include source, URL and time of each value.
        search: What to export: the filters of the search body, as JSON.
        """
        return self._transport.stream(
            "GET",
            "/contacts/export",
            query=dict(format=format, provenance=provenance, search=search),
        )

    def import_many(
        self,
        body: t.ContactRows,
        *,
        idempotency_key: str | None = None,
    ) -> t.ImportedContacts:
        """Import rows of a list as contacts"""
        return self._transport.write(
            "POST",
            "/contacts/import",
            body=body,
            idempotency_key=idempotency_key,
        )

    def list(
        self,
        *,
        per_page: int | None = None,
        limit: int | None = None,
        q: str | None = None,
        company_id: str | None = None,
        updated_since: datetime | str | None = None,
    ) -> Pages[t.Contact, t.ContactPage]:
        """Your contacts, newest first

        per_page: Items per page.
        limit: Alias of `per_page`.
        q: All words must occur somewhere in the contact.
        company_id: Only this company.
        updated_since: Created or changed at or after this time.
        """
        return Pages(
            self._transport,
            "data",
            "GET",
            "/contacts",
            query=dict(
                per_page=per_page,
                limit=limit,
                q=q,
                company_id=company_id,
                updated_since=updated_since,
            ),
        )

    def read(self, contact_id: str, *, provenance: bool | None = None) -> t.ContactRecord:
        """Read one contact

        provenance: Include the provenance of each field.
        """
        return self._transport.call(
            "GET",
            f"/contacts/{self._transport.quote(contact_id)}",
            query=dict(provenance=provenance),
        )

    def read_erasure(self, erasure_id: str) -> t.Erasure:
        """The certificate of an erasure"""
        return self._transport.call(
            "GET",
            f"/contacts/erasures/{self._transport.quote(erasure_id)}",
        )

    def search(
        self,
        body: t.PagedContactSearch | None = None,
        *,
        live: bool | None = None,
    ) -> Pages[t.Contact, t.ContactPage]:
        """Search your contacts

        live: Not supported here; true is refused.
        """
        return Pages(
            self._transport,
            "data",
            "POST",
            "/contacts/search",
            query=dict(live=live),
            body=body,
        )


class Content:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create_setting(
        self,
        body: t.NewSetting,
        *,
        idempotency_key: str | None = None,
    ) -> t.Setting:
        """Create a content setting"""
        return self._transport.write(
            "POST",
            "/content/settings",
            body=body,
            idempotency_key=idempotency_key,
        )

    def create_template(
        self,
        body: t.NewTemplate,
        *,
        idempotency_key: str | None = None,
    ) -> t.Template:
        """Create a content template"""
        return self._transport.write(
            "POST",
            "/content/templates",
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete(self, content_id: str) -> t.Deleted:
        """Delete a piece of content"""
        return self._transport.call("DELETE", f"/content/{self._transport.quote(content_id)}")

    def delete_setting(self, setting_id: str) -> t.Deleted:
        """Delete a content setting; content made with it stays"""
        return self._transport.call(
            "DELETE",
            f"/content/settings/{self._transport.quote(setting_id)}",
        )

    def delete_template(self, template_id: str) -> t.Deleted:
        """Delete a content template; content made with it stays"""
        return self._transport.call(
            "DELETE",
            f"/content/templates/{self._transport.quote(template_id)}",
        )

    def list_settings(self, *, per_page: int | None = None) -> Pages[t.Setting, t.SettingPage]:
        """Your content settings, by name

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/content/settings",
            query=dict(per_page=per_page),
        )

    def list_templates(
        self,
        *,
        per_page: int | None = None,
    ) -> Pages[t.Template, t.TemplatePage]:
        """Your content templates, by name

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/content/templates",
            query=dict(per_page=per_page),
        )

    def read(self, content_id: str) -> t.ContentItem:
        """Read one piece of content"""
        return self._transport.call("GET", f"/content/{self._transport.quote(content_id)}")

    def read_setting(self, setting_id: str) -> t.Setting:
        """Read one content setting"""
        return self._transport.call("GET", f"/content/settings/{self._transport.quote(setting_id)}")

    def read_template(self, template_id: str) -> t.Template:
        """Read one content template"""
        return self._transport.call(
            "GET",
            f"/content/templates/{self._transport.quote(template_id)}",
        )

    def update(
        self,
        content_id: str,
        body: t.ContentChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.ContentItem:
        """Change a piece of content"""
        return self._transport.write(
            "PATCH",
            f"/content/{self._transport.quote(content_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def update_setting(
        self,
        setting_id: str,
        body: t.SettingChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Setting:
        """Change a content setting"""
        return self._transport.write(
            "PATCH",
            f"/content/settings/{self._transport.quote(setting_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def update_template(
        self,
        template_id: str,
        body: t.TemplateChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Template:
        """Change a content template"""
        return self._transport.write(
            "PATCH",
            f"/content/templates/{self._transport.quote(template_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class CustomQuestions:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: t.NewQuestion,
        *,
        idempotency_key: str | None = None,
    ) -> t.CustomQuestion:
        """Ask a question about every company"""
        return self._transport.write(
            "POST",
            "/custom-questions",
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete(self, question_id: str) -> t.Deleted:
        """Delete a question"""
        return self._transport.call(
            "DELETE",
            f"/custom-questions/{self._transport.quote(question_id)}",
        )

    def list(
        self,
        *,
        per_page: int | None = None,
    ) -> Pages[t.CustomQuestion, t.CustomQuestionPage]:
        """Questions asked about every company, by name

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/custom-questions",
            query=dict(per_page=per_page),
        )

    def read(self, question_id: str) -> t.CustomQuestion:
        """Read one question"""
        return self._transport.call(
            "GET",
            f"/custom-questions/{self._transport.quote(question_id)}",
        )

    def update(
        self,
        question_id: str,
        body: t.QuestionChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.CustomQuestion:
        """Change a question; it is answered again"""
        return self._transport.write(
            "PATCH",
            f"/custom-questions/{self._transport.quote(question_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class Events:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        per_page: int | None = None,
        type: str | None = None,
        source: str | None = None,
        company_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        background: bool | None = None,
    ) -> Pages[t.Event, t.EventPage]:
        """Events at your accounts, newest first

        per_page: Items per page.
        type: A type or a family.
        source: Kind of source, or name.
        company_id: Only this company.
        since: Detected at or after.
        until: Detected at or before.
        background: Only background, or only news.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/events",
            query=dict(
                per_page=per_page,
                type=type,
                source=source,
                company_id=company_id,
                since=since,
                until=until,
                background=background,
            ),
        )


class Evidence:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def search(self, body: t.EvidenceSearch) -> Pages[t.EvidenceGroup, t.EvidencePage]:
        """Search the evidence of all accounts"""
        return Pages(self._transport, "items", "POST", "/evidence/search", body=body)


class Health:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def read(self) -> t.Health:
        """Health of the service"""
        return self._transport.call("GET", "/health")


class Imports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, per_page: int | None = None) -> Pages[t.Import, t.ImportPage]:
        """Imports of lists, newest first

        per_page: Items per page.
        """
        return Pages(self._transport, "items", "GET", "/imports", query=dict(per_page=per_page))

    def read(self, import_id: str) -> t.Import:
        """Read one import"""
        return self._transport.call("GET", f"/imports/{self._transport.quote(import_id)}")

    def undo(self, import_id: str, *, idempotency_key: str | None = None) -> t.Import:
        """Undo a whole import"""
        return self._transport.write(
            "POST",
            f"/imports/{self._transport.quote(import_id)}/undo",
            idempotency_key=idempotency_key,
        )


class Integrations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def connect(
        self,
        integration_id: str,
        body: t.Connect | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.ConnectionState:
        """Connect a CRM or a contact provider"""
        return self._transport.write(
            "POST",
            f"/integrations/{self._transport.quote(integration_id)}/connection",
            body=body,
            idempotency_key=idempotency_key,
        )

    def disconnect(self, integration_id: str) -> t.ConnectionState:
        """Disconnect an integration; synced data stays, a run in progress stops"""
        return self._transport.call(
            "DELETE",
            f"/integrations/{self._transport.quote(integration_id)}/connection",
        )

    def list_sync_log(
        self,
        integration_id: str,
        run_id: str,
        *,
        per_page: int | None = None,
        action: str | None = None,
    ) -> Pages[t.SyncEntry, t.SyncLog]:
        """Log of a sync run by record

        per_page: Items per page.
        action: Only records with this outcome.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/integrations/{self._transport.quote(integration_id)}/runs/{self._transport.quote(run_id)}/log",
            query=dict(per_page=per_page, action=action),
        )

    def list_sync_runs(
        self,
        integration_id: str,
        *,
        per_page: int | None = None,
    ) -> Pages[t.SyncRun, t.SyncRunPage]:
        """Sync runs of a CRM with dry runs, newest first

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/integrations/{self._transport.quote(integration_id)}/runs",
            query=dict(per_page=per_page),
        )

    def preview_sync(
        self,
        integration_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.Preview:
        """Preview the first records of a CRM and how they are read"""
        return self._transport.write(
            "POST",
            f"/integrations/{self._transport.quote(integration_id)}/preview",
            idempotency_key=idempotency_key,
        )

    def read_status(self) -> t.Integrations:
        """Every data source, webhook, mail server, CRM and model provider, with status"""
        return self._transport.call("GET", "/integrations/status")

    def read_sync_run(self, integration_id: str, run_id: str) -> t.SyncRun:
        """Progress and results of a sync run"""
        return self._transport.call(
            "GET",
            f"/integrations/{self._transport.quote(integration_id)}/runs/{self._transport.quote(run_id)}",
        )

    def read_sync_settings(self, integration_id: str) -> t.SyncSettings:
        """Field mapping of a CRM, and what is synced"""
        return self._transport.call(
            "GET",
            f"/integrations/{self._transport.quote(integration_id)}/settings",
        )

    def set_mail_server(
        self,
        body: t.MailSettings,
        *,
        idempotency_key: str | None = None,
    ) -> t.IntegrationItem:
        """Set up the mail server for alert digests"""
        return self._transport.write(
            "POST",
            "/integrations/smtp/settings",
            body=body,
            idempotency_key=idempotency_key,
        )

    def sync(
        self,
        integration_id: str,
        body: t.SyncOptions | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.SyncQueued:
        """Run an integration now"""
        return self._transport.write(
            "POST",
            f"/integrations/{self._transport.quote(integration_id)}/sync",
            body=body,
            idempotency_key=idempotency_key,
        )

    def update(
        self,
        integration_id: str,
        body: t.IntegrationChange,
        *,
        idempotency_key: str | None = None,
    ) -> t.IntegrationItem:
        """Switch an integration on or off"""
        return self._transport.write(
            "PATCH",
            f"/integrations/{self._transport.quote(integration_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def update_sync_settings(
        self,
        integration_id: str,
        body: t.SyncChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.SyncSettings:
        """Change the field mapping of a CRM, and what is synced"""
        return self._transport.write(
            "PATCH",
            f"/integrations/{self._transport.quote(integration_id)}/settings",
            body=body,
            idempotency_key=idempotency_key,
        )


class Keys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: t.NewKey, *, idempotency_key: str | None = None) -> t.MadeKey:
        """Create an API key; it is shown only once"""
        return self._transport.write("POST", "/keys", body=body, idempotency_key=idempotency_key)

    def list(self, *, per_page: int | None = None) -> Pages[t.ApiKey, t.ApiKeyPage]:
        """API keys of your organization, newest first

        per_page: Items per page.
        """
        return Pages(self._transport, "items", "GET", "/keys", query=dict(per_page=per_page))

    def revoke(self, key_id: str) -> t.Revoked:
        """Revoke an API key, on every node within a second"""
        return self._transport.call("DELETE", f"/keys/{self._transport.quote(key_id)}")

    def rotate(
        self,
        key_id: str,
        body: t.KeyRotation | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.MadeKey:
        """Rotate an API key; the old one expires after the overlap"""
        return self._transport.write(
            "POST",
            f"/keys/{self._transport.quote(key_id)}/rotate",
            body=body,
            idempotency_key=idempotency_key,
        )


class Lists:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def change_accounts(
        self,
        list_id: str,
        body: t.MemberChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.MembersChanged:
        """Add accounts to a list, and remove others"""
        return self._transport.write(
            "POST",
            f"/lists/{self._transport.quote(list_id)}/accounts",
            body=body,
            idempotency_key=idempotency_key,
        )

    def create(self, body: t.NewList, *, idempotency_key: str | None = None) -> t.AccountList:
        """Create a list"""
        return self._transport.write("POST", "/lists", body=body, idempotency_key=idempotency_key)

    def delete(self, list_id: str) -> t.Deleted:
        """Delete a list; its accounts stay"""
        return self._transport.call("DELETE", f"/lists/{self._transport.quote(list_id)}")

    def export(
        self,
        list_id: str,
        *,
        format: t.ExportFormat | None = None,
        provenance: bool | None = None,
    ) -> Iterator[bytes]:
        """Export the accounts of a list as JSON Lines, CSV, Excel or Parquet

        format: jsonl, csv, xlsx or parquet.
        provenance: Include source, URL and time of each value.
        """
        return self._transport.stream(
            "GET",
            f"/lists/{self._transport.quote(list_id)}/export",
            query=dict(format=format, provenance=provenance),
        )

    def list(self, *, per_page: int | None = None) -> Pages[t.AccountList, t.AccountListPage]:
        """Your saved lists, by name

        per_page: Items per page.
        """
        return Pages(self._transport, "items", "GET", "/lists", query=dict(per_page=per_page))

    def read(self, list_id: str) -> t.AccountList:
        """Read one list"""
        return self._transport.call("GET", f"/lists/{self._transport.quote(list_id)}")

    def update(
        self,
        list_id: str,
        body: t.ListChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.AccountList:
        """Change a list's name, description or filter"""
        return self._transport.write(
            "PATCH",
            f"/lists/{self._transport.quote(list_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class Operations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def cancel(
        self,
        public_operation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.Operation:
        """Cancel an operation and release its reserved credits"""
        return self._transport.write(
            "POST",
            f"/operations/{self._transport.quote(public_operation_id)}/cancel",
            idempotency_key=idempotency_key,
        )

    def list(
        self,
        *,
        per_page: int | None = None,
        status: t.OperationStatus | None = None,
    ) -> Pages[t.Operation, t.OperationPage]:
        """Operations of your organization, newest first

        per_page: Items per page.
        status: Only operations in this state.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/operations",
            query=dict(per_page=per_page, status=status),
        )

    def list_items(
        self,
        public_operation_id: str,
        *,
        per_page: int | None = None,
        status: t.OperationStatus | None = None,
    ) -> Pages[t.BulkItem, t.BulkItemPage]:
        """The items of a bulk operation, in the order of the request

        per_page: Items per page.
        status: Only operations in this state.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/operations/{self._transport.quote(public_operation_id)}/items",
            query=dict(per_page=per_page, status=status),
        )

    def read(self, public_operation_id: str) -> t.Operation:
        """Read an operation: its progress and result"""
        return self._transport.call(
            "GET",
            f"/operations/{self._transport.quote(public_operation_id)}",
        )

    def retry(
        self,
        public_operation_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.BulkAccepted:
        """Submit the failed items of a bulk operation again"""
        return self._transport.write(
            "POST",
            f"/operations/{self._transport.quote(public_operation_id)}/retry",
            idempotency_key=idempotency_key,
        )

    def retry_dry_run(self, public_operation_id: str) -> t.DryRun:
        """What this would cost, without doing it: Submit the failed items of a bulk operation
        again"""
        return self._transport.call(
            "POST",
            f"/operations/{self._transport.quote(public_operation_id)}/retry",
            query=dict(dry_run=True),
        )


class Organization:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_ledger(
        self,
        *,
        per_page: int | None = None,
        credit: t.CreditType | None = None,
    ) -> Pages[t.LedgerEntry, t.Ledger]:
        """Every grant, reservation, settlement and release, newest first

        per_page: Items per page.
        credit: Only entries of this kind of credit.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/organization/credits/ledger",
            query=dict(per_page=per_page, credit=credit),
        )

    def read(self) -> t.Organization:
        """Your organization, its plan and costs"""
        return self._transport.call("GET", "/organization")

    def read_credits(self) -> t.OrganizationCredits:
        """Credit balances of your organization"""
        return self._transport.call("GET", "/organization/credits")

    def update(
        self,
        body: t.OrganizationChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Organization:
        """Rename your organization"""
        return self._transport.write(
            "PATCH",
            "/organization",
            body=body,
            idempotency_key=idempotency_key,
        )


class Ready:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def read_readiness(self) -> t.Readiness:
        """Readiness to take writes"""
        return self._transport.call("GET", "/ready")


class SellerContext:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def read(self) -> t.SellerContext:
        """What your organization sells, and to whom"""
        return self._transport.call("GET", "/seller-context")

    def update(
        self,
        body: t.SellerContextInput | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.SellerContext:
        """Replace parts of the seller context"""
        return self._transport.write(
            "PATCH",
            "/seller-context",
            body=body,
            idempotency_key=idempotency_key,
        )


class Suppressions:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def add_many(
        self,
        body: t.NewSuppressions,
        *,
        idempotency_key: str | None = None,
    ) -> t.Suppressed:
        """Add people to the suppression list"""
        return self._transport.write(
            "POST",
            "/suppressions",
            body=body,
            idempotency_key=idempotency_key,
        )

    def lift(self, suppression_id: str) -> t.Lifted:
        """Remove an entry; its contacts become visible again"""
        return self._transport.call(
            "DELETE",
            f"/suppressions/{self._transport.quote(suppression_id)}",
        )

    def list(
        self,
        *,
        per_page: int | None = None,
        kind: t.SuppressionKind | None = None,
    ) -> Pages[t.Suppression, t.SuppressionPage]:
        """Suppressed people, newest first

        per_page: Items per page.
        kind: Only entries of this kind.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/suppressions",
            query=dict(per_page=per_page, kind=kind),
        )


class Territories:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: t.NewTerritory,
        *,
        idempotency_key: str | None = None,
    ) -> t.Territory:
        """Create a territory and compute its members"""
        return self._transport.write(
            "POST",
            "/territories",
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete(self, territory_id: str) -> t.Deleted:
        """Delete a territory; its accounts stay"""
        return self._transport.call("DELETE", f"/territories/{self._transport.quote(territory_id)}")

    def export(
        self,
        territory_id: str,
        *,
        format: t.ExportFormat | None = None,
        provenance: bool | None = None,
    ) -> Iterator[bytes]:
        """Export the accounts of a territory with their scores

        format: jsonl, csv, xlsx or parquet.
        provenance: Include source, URL and time of each value.
        """
        return self._transport.stream(
            "GET",
            f"/territories/{self._transport.quote(territory_id)}/export",
            query=dict(format=format, provenance=provenance),
        )

    def list(
        self,
        *,
        per_page: int | None = None,
    ) -> Pages[t.TerritorySummary, t.TerritoryPage]:
        """Your territories, by name

        per_page: Items per page.
        """
        return Pages(self._transport, "items", "GET", "/territories", query=dict(per_page=per_page))

    def list_gaps(self, *, per_page: int | None = None) -> Pages[t.AccountItem, t.GapPage]:
        """Accounts in no territory

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/territories/gaps",
            query=dict(per_page=per_page),
        )

    def list_overlaps(self, *, per_page: int | None = None) -> Pages[t.Overlap, t.OverlapPage]:
        """Pairs of territories that share accounts

        per_page: Items per page.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/territories/overlaps",
            query=dict(per_page=per_page),
        )

    def read(
        self,
        territory_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        cursor: str | None = None,
    ) -> t.Territory:
        """Read one territory with a page of its companies

        page: Page number, from 1.
        per_page: Items per page.
        cursor: The `next_cursor` of the previous page; unaffected by new rows.
        """
        return self._transport.call(
            "GET",
            f"/territories/{self._transport.quote(territory_id)}",
            query=dict(page=page, per_page=per_page, cursor=cursor),
        )

    def recompute(
        self,
        territory_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.Recomputed:
        """Compute a territory's members and scores now"""
        return self._transport.write(
            "POST",
            f"/territories/{self._transport.quote(territory_id)}/recompute",
            idempotency_key=idempotency_key,
        )

    def recompute_dry_run(self, territory_id: str) -> t.DryRun:
        """What this would cost, without doing it: Compute a territory's members and scores now"""
        return self._transport.call(
            "POST",
            f"/territories/{self._transport.quote(territory_id)}/recompute",
            query=dict(dry_run=True),
        )

    def simulate(
        self,
        body: t.Simulation,
        *,
        idempotency_key: str | None = None,
    ) -> t.SimulationResult:
        """Preview a territory without saving it"""
        return self._transport.write(
            "POST",
            "/territories/simulate",
            body=body,
            idempotency_key=idempotency_key,
        )

    def update(
        self,
        territory_id: str,
        body: t.TerritoryChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Territory:
        """Change a territory; its members are computed again"""
        return self._transport.write(
            "PATCH",
            f"/territories/{self._transport.quote(territory_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class Usage:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def read(
        self,
        *,
        per_page: int | None = None,
        since: str | None = None,
        until: str | None = None,
        key_id: str | None = None,
    ) -> Pages[t.UsageRow, t.UsagePage]:
        """Requests by day, key and operation

        per_page: Items per page.
        since: First day; default: 30 days ago.
        until: Last day; default: today.
        key_id: Only requests of this key.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            "/usage",
            query=dict(per_page=per_page, since=since, until=until, key_id=key_id),
        )


class Users:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: t.NewUser, *, idempotency_key: str | None = None) -> t.User:
        """Add a user"""
        return self._transport.write("POST", "/users", body=body, idempotency_key=idempotency_key)

    def list(self, *, per_page: int | None = None) -> Pages[t.User, t.UserPage]:
        """Users of your organization, by email

        per_page: Items per page.
        """
        return Pages(self._transport, "items", "GET", "/users", query=dict(per_page=per_page))

    def update(
        self,
        user_id: str,
        body: t.UserChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.User:
        """Change a user's role, or disable the user"""
        return self._transport.write(
            "PATCH",
            f"/users/{self._transport.quote(user_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class Watches:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: t.WatchBody, *, idempotency_key: str | None = None) -> t.Watch:
        """Create a watch"""
        return self._transport.write("POST", "/watches", body=body, idempotency_key=idempotency_key)

    def delete(self, watch_id: str) -> t.Deleted:
        """Delete a watch; its alerts stay"""
        return self._transport.call("DELETE", f"/watches/{self._transport.quote(watch_id)}")

    def list(self, *, per_page: int | None = None) -> Pages[t.Watch, t.WatchPage]:
        """Your watches, by name

        per_page: Items per page.
        """
        return Pages(self._transport, "items", "GET", "/watches", query=dict(per_page=per_page))

    def preview(
        self,
        body: t.WatchBody,
        *,
        idempotency_key: str | None = None,
    ) -> t.WatchPreview:
        """Preview the alerts of a watch over the last 30 days"""
        return self._transport.write(
            "POST",
            "/watches/dry-run",
            body=body,
            idempotency_key=idempotency_key,
        )

    def read(self, watch_id: str) -> t.Watch:
        """Read one watch"""
        return self._transport.call("GET", f"/watches/{self._transport.quote(watch_id)}")

    def update(
        self,
        watch_id: str,
        body: t.WatchChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Watch:
        """Change, pause or resume a watch"""
        return self._transport.write(
            "PATCH",
            f"/watches/{self._transport.quote(watch_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: t.NewWebhook,
        *,
        idempotency_key: str | None = None,
    ) -> t.MadeWebhook:
        """Add a webhook; its secret is shown only once"""
        return self._transport.write(
            "POST",
            "/webhooks",
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete(self, webhook_id: str) -> t.Deleted:
        """Delete a webhook and its delivery log"""
        return self._transport.call("DELETE", f"/webhooks/{self._transport.quote(webhook_id)}")

    def list(self, *, per_page: int | None = None) -> Pages[t.Webhook, t.WebhookPage]:
        """Your webhooks, newest first

        per_page: Items per page.
        """
        return Pages(self._transport, "items", "GET", "/webhooks", query=dict(per_page=per_page))

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        per_page: int | None = None,
        status: t.DeliveryStatus | None = None,
    ) -> Pages[t.Delivery, t.DeliveryPage]:
        """The delivery log of a webhook, newest first

        per_page: Items per page.
        status: Only deliveries of this status.
        """
        return Pages(
            self._transport,
            "items",
            "GET",
            f"/webhooks/{self._transport.quote(webhook_id)}/deliveries",
            query=dict(per_page=per_page, status=status),
        )

    def read(self, webhook_id: str) -> t.Webhook:
        """Read one webhook"""
        return self._transport.call("GET", f"/webhooks/{self._transport.quote(webhook_id)}")

    def redeliver(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.Queued:
        """Resend a delivery under the same id"""
        return self._transport.write(
            "POST",
            f"/webhooks/{self._transport.quote(webhook_id)}/deliveries/{self._transport.quote(delivery_id)}/redeliver",
            idempotency_key=idempotency_key,
        )

    def rotate_secret(
        self,
        webhook_id: str,
        body: t.SecretRotation | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.MadeWebhook:
        """Rotate the secret of a webhook; both sign until the overlap ends"""
        return self._transport.write(
            "POST",
            f"/webhooks/{self._transport.quote(webhook_id)}/rotate",
            body=body,
            idempotency_key=idempotency_key,
        )

    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> t.Queued:
        """Send a test message to a webhook"""
        return self._transport.write(
            "POST",
            f"/webhooks/{self._transport.quote(webhook_id)}/test",
            idempotency_key=idempotency_key,
        )

    def update(
        self,
        webhook_id: str,
        body: t.WebhookChange | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> t.Webhook:
        """Change, enable or disable a webhook"""
        return self._transport.write(
            "PATCH",
            f"/webhooks/{self._transport.quote(webhook_id)}",
            body=body,
            idempotency_key=idempotency_key,
        )
