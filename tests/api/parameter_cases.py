"""What each parameter does: operation and parameter -> a value and what it changes. The page of coverage
names these, so nothing heavy is imported here.

{name} stands for an id of the filled organization, {word} for its word.
"""

from dataclasses import dataclass
from typing import Any

MISSING_ID = "00000000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Narrows:
    """A filter of a list: `kept` leaves something, `lost` leaves nothing."""

    kept: Any
    lost: Any


@dataclass(frozen=True)
class Shown:
    """A value that is written, and is answered as `answered` (else as it was sent) under its name.
    `beside` is what must be sent with it."""

    sent: Any
    answered: Any = None
    beside: tuple[tuple[str, Any], ...] = ()


Case = Narrows | Shown
AGO, AHEAD = "2020-01-01", "2999-01-01"
CITY = {"field": "hq_city", "op": "eq", "value": "Portland"}
RULE = {"filter": CITY, "points": 5, "why": "near"}
OFFERING = {"name": "Cranes", "description": "", "value_propositions": [], "keywords": []}
IDEAL = {
    "industries": ["Software"], "countries": ["DE"], "employee_ranges": [], "revenue_ranges": [],
    "technologies": [], "keywords": [],
}  # fmt: skip

CASES: dict[tuple[str, str], Case] = {
    ("list_facts", "field"): Narrows("description", "ceo"),
    ("list_facts", "source"): Narrows("feeds", "gleif"),
    ("list_operations", "status"): Narrows("queued", "cancelled"),
    ("list_operation_items", "status"): Narrows("failed", "cancelled"),
    ("list_audit_log", "action"): Narrows("create", "nothing"),
    ("list_audit_log", "actor"): Narrows("key:{own_key_id}", "key:missing"),
    ("list_content", "content_type"): Narrows("notes", "email"),
    ("list_alerts", "status"): Narrows("new", "resolved"),
    ("list_alerts", "watch_id"): Narrows("{watch_id}", MISSING_ID),
    ("list_alerts", "company_id"): Narrows("{company_id}", MISSING_ID),
    ("list_alerts", "since"): Narrows(AGO, AHEAD),
    ("list_webhook_deliveries", "status"): Narrows("pending", "delivered"),
    ("list_suppressions", "kind"): Narrows("email", "phone"),
    ("list_contacts", "q"): Narrows("{word}", "zzzz"),
    ("list_contacts", "company_id"): Narrows("{company_id}", MISSING_ID),
    ("list_contacts", "updated_since"): Narrows(AGO, AHEAD),
    ("list_agent_sessions", "status"): Narrows("active", "archived"),
    ("list_agent_sessions", "type"): Narrows("chat", "plan"),
    ("list_agent_sessions", "search"): Narrows("{word}", "zzzz"),
    ("list_agent_sessions", "company_id"): Narrows("{company_id}", MISSING_ID),
    ("list_company_agent_sessions", "status"): Narrows("active", "archived"),
    ("list_company_agent_sessions", "type"): Narrows("chat", "plan"),
    ("list_company_agent_sessions", "search"): Narrows("{word}", "zzzz"),
    ("list_events", "type"): Narrows("acquires", "hires"),
    ("list_events", "company_id"): Narrows("{company_id}", MISSING_ID),
    ("list_events", "since"): Narrows(AGO, AHEAD),
    ("list_events", "until"): Narrows(AHEAD, AGO),
    ("list_events", "background"): Narrows("false", "true"),
    ("list_technologies", "category"): Narrows(None, "advertising"),
    ("update_seller_context", "company_name"): Shown("Cranes Ltd"),
    ("update_seller_context", "offerings"): Shown([OFFERING]),
    ("update_seller_context", "value_propositions"): Shown(["Half the time"]),
    ("update_seller_context", "personas"): Shown(["Head of port"]),
    ("update_seller_context", "competitors"): Shown(["Winches"]),
    ("update_seller_context", "ideal_profile"): Shown(IDEAL),
    ("create_custom_question", "name"): Shown("Name of its own"),
    ("create_custom_question", "question"): Shown("Does it float?", beside=(("name", "Floats"),)),
    ("create_custom_question", "keywords"): Shown(["float"], beside=(("name", "Floats too"),)),
    ("update_custom_question", "name"): Shown("Another name"),
    ("update_custom_question", "question"): Shown("Does it sink?"),
    ("update_custom_question", "keywords"): Shown(["sink"]),
    ("update_account", "hq_state"): Shown("Oregon"),
    ("update_account", "hq_address"): Shown("2 Quay Street"),
    ("update_account", "hq_postcode"): Shown("97202"),
    ("update_account", "ceo"): Shown("Ida Quay"),
    ("update_account", "description"): Shown("Plans berths"),
    ("update_account", "alternative_names"): Shown(["Harbour"]),
    ("update_organization", "name"): Shown("Amber and sons"),
    ("create_user", "email"): Shown("made@amber.example"),
    ("create_user", "role"): Shown("admin", beside=(("email", "admin@amber.example"),)),
    ("update_user", "role"): Shown("admin"),
    ("update_user", "disabled"): Shown(True),
    ("create_list", "name"): Shown("A list of its own"),
    ("create_list", "description"): Shown("Said", beside=(("name", "Described"),)),
    ("create_list", "filter"): Shown(CITY, beside=(("name", "Searched"),)),
    ("update_list", "name"): Shown("Renamed list"),
    ("update_list", "description"): Shown("Changed"),
    ("create_territory", "name"): Shown("A territory of its own"),
    ("create_territory", "id"): Shown("own-id", beside=(("name", "With an id"),)),
    ("create_territory", "description"): Shown("Said", beside=(("name", "Described"),)),
    ("create_territory", "rules"): Shown(CITY, beside=(("name", "Ruled"),)),
    ("create_territory", "include"): Shown(["{account_id}"], beside=(("name", "Included"),)),
    ("create_territory", "exclude"): Shown(["{account_id}"], beside=(("name", "Excluded"),)),
    ("create_territory", "score_rules"): Shown([RULE], beside=(("name", "Scored"),)),
    ("update_territory", "name"): Shown("Renamed territory"),
    ("update_territory", "description"): Shown("Changed"),
    ("update_territory", "rules"): Shown(CITY),
    ("update_territory", "include"): Shown(["{account_id}"]),
    ("update_territory", "exclude"): Shown(["{account_id}"]),
    ("update_territory", "score_rules"): Shown([RULE]),
    ("create_agent_session", "title"): Shown("A session of its own"),
    ("create_agent_session", "company_id"): Shown("{company_id}"),
    ("create_agent_session", "type"): Shown("plan"),
    ("update_agent_session", "title"): Shown("Renamed session"),
    ("update_agent_session", "status"): Shown("archived"),
    ("create_content", "content_type"): Shown("document"),
    ("create_content", "title"): Shown("A title of its own"),
    ("create_content", "content"): Shown("Text of its own"),
    ("create_content", "ref_content_template_id"): Shown("{template_id}"),
    ("create_content", "content_setting_id"): Shown("{setting_id}"),
    ("update_content", "title"): Shown("Another title"),
    ("update_content", "content"): Shown("Another text"),
    ("create_content_template", "name"): Shown("A template of its own"),
    ("create_content_template", "content_type"): Shown("notes", beside=(("name", "For notes"),)),
    ("create_content_template", "body"): Shown("Dear all", beside=(("name", "With a body"),)),
    ("update_content_template", "name"): Shown("Renamed template"),
    ("update_content_template", "content_type"): Shown("notes"),
    ("update_content_template", "body"): Shown("Dear reader"),
    ("create_content_setting", "name"): Shown("A setting of its own"),
    ("create_content_setting", "tone"): Shown("warm", beside=(("name", "Warm"),)),
    ("create_content_setting", "language"): Shown("de", beside=(("name", "German"),)),
    ("create_content_setting", "length"): Shown("long", beside=(("name", "Long"),)),
    ("create_content_setting", "signature"): Shown("Ada", beside=(("name", "Signed"),)),
    ("update_content_setting", "name"): Shown("Renamed setting"),
    ("update_content_setting", "tone"): Shown("warm"),
    ("update_content_setting", "language"): Shown("de"),
    ("update_content_setting", "length"): Shown("long"),
    ("update_content_setting", "signature"): Shown("Ada"),
    ("create_watch", "name"): Shown("A watch of its own"),
    ("create_watch", "account_ids"): Shown(["{account_id}"], beside=(("name", "By id"),)),
    ("create_watch", "filter"): Shown(CITY, beside=(("name", "Search"), ("account_ids", None))),
    ("create_watch", "families"): Shown(["risk"], beside=(("name", "Family"),)),
    ("create_watch", "types"): Shown(["leaves"], beside=(("name", "Type"),)),
    ("create_watch", "fields"): Shown(["ceo"], beside=(("name", "Field"),)),
    ("create_watch", "least_confidence"): Shown(0.75, beside=(("name", "Sure"),)),
    ("create_watch", "paused"): Shown(True, beside=(("name", "Paused"),)),
    ("create_watch", "expires_at"): Shown(
        "2999-01-01T00:00:00Z", "2999-01-01T00:00:00.000000Z", beside=(("name", "Ends"),)
    ),
    ("update_watch", "name"): Shown("Renamed watch"),
    ("update_watch", "families"): Shown(["risk"]),
    ("update_watch", "types"): Shown(["leaves"]),
    ("update_watch", "fields"): Shown(["ceo"]),
    ("update_watch", "least_confidence"): Shown(0.75),
    ("update_watch", "paused"): Shown(True),
    ("update_watch", "expires_at"): Shown("2999-01-01T00:00:00Z", "2999-01-01T00:00:00.000000Z"),
    ("update_watch", "account_ids"): Shown(["{account_id}"]),
    ("update_watch", "filter"): Shown(CITY),
    ("update_alert", "status"): Shown("viewed"),
    ("update_alert", "note"): Shown("Called them"),
    ("update_alert", "assignee"): Shown("{own_user_id}"),
    ("update_alert", "snoozed_until"): Shown("2999-01-01T00:00:00Z", "2999-01-01T00:00:00.000000Z"),
    ("create_webhook", "url"): Shown("https://hooks.amber.example/own"),
    ("create_webhook", "description"): Shown("Said"),
    ("create_webhook", "topics"): Shown(["alert"]),
    ("update_webhook", "url"): Shown("https://hooks.amber.example/other"),
    ("update_webhook", "description"): Shown("Changed"),
    ("update_webhook", "topics"): Shown(["event"]),
    ("update_webhook", "enabled"): Shown(False),
    **{
        (operation, name): case
        for operation in ("create_contact", "change_contact")
        for name, case in {
            "full_name": Shown("Ida Quay"),
            "first_name": Shown("Ida"),
            "last_name": Shown("Quay"),
            "current_job_title": Shown("Harbour master"),
            "location": Shown("Oslo"),
            "summary": Shown("Runs the port"),
            "headline": Shown("Port and sea"),
            "image_url": Shown("https://images.example/ida.png"),
            "country": Shown("NO", "Norway"),
            "emails": Shown(["ida.{operation}@quay.example"]),
            "phones": Shown(["+14155550199"]),
            "skills": Shown(["knots"]),
            "company_id": Shown("{company_id}"),
        }.items()
    },
}
