"""Writes of many kinds for `tests/bench/idempotent_retries.py`, and how to see what each has done.

Every request carries a word of its own; the effects of a kind are the places where the word stands
afterwards, or a number that each request raises.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

_CONSONANTS, _VOWELS = "bdfgklmnprstv", "aeiou"
COMPANIES = 8
PEOPLE = 4  # at each company, to be discovered


def word(number: int) -> str:
    """A word for a request: letters only, so that it may stand in names."""
    letters = ""
    for alphabet in (_CONSONANTS, _VOWELS) * 3:
        number, at = divmod(number, len(alphabet))
        letters += alphabet[at]
    return f"zq{letters}"


WORD = r"zq(?:[bdfgklmnprstv][aeiou]){3}"


@dataclass(frozen=True)
class World:
    """What an organization has before the requests: ids that paths and bodies name, those of single
    things empty until they are made."""

    organization_id: UUID
    keys: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    list_id: str = ""
    watch_id: str = ""
    webhook_id: str = ""
    territory_id: str = ""
    content_id: str = ""
    contact_id: str = ""
    bulk_id: str = ""


@dataclass(frozen=True)
class Request:
    """One request to be sent until it is answered. `effects` is how often its word must then stand."""

    kind: str
    path: str
    body: dict[str, Any] | None
    word: str
    method: str = "POST"
    effects: int = 1
    has_secret: bool = False


Make = Callable[[World, str, random.Random], tuple[str, dict[str, Any] | None]]


@dataclass(frozen=True)
class Kind:
    """A kind of write. `words` selects texts that hold the words of its effects; `total` a number that
    each request raises by `effects`."""

    name: str
    make: Make
    words: str | None = None
    total: str | None = None
    effects: int = 1
    method: str = "POST"
    has_secret: bool = False

    def request(self, world: World, number: int, chance: random.Random) -> Request:
        path, body = self.make(world, word(number), chance)
        return Request(
            self.name, path, body, word(number), self.method, self.effects, self.has_secret
        )


def _company(world: World, chance: random.Random) -> str:
    return chance.choice(world.companies)


ALL: dict[str, Any] = {}  # the filter that every account passes

KINDS: tuple[Kind, ...] = (
    Kind(
        "create_contact",
        lambda w, m, c: ("/contacts", {"full_name": f"Olu {m.title()}", "emails": [f"{m}@p.example"]}),
        "SELECT document::jsonb ->> 'full_name' FROM contacts",
    ),
    Kind(
        "import_contacts",
        lambda w, m, c: (
            "/contacts/import",
            {"rows": [{"full_name": f"{n} {m.title()}", "email": f"{n}.{m}@i.example"}
                      for n in ("Ida", "Bo", "Cem")]},
        ),
        "SELECT document::jsonb ->> 'full_name' FROM contacts",
        effects=3,
    ),
    Kind(
        "change_contact",
        lambda w, m, c: (f"/contacts/{w.contact_id}", {"headline": m}),
        method="PATCH",
    ),
    Kind(
        "discover_contacts",
        lambda w, m, c: (f"/companies/{_company(w, c)}/contacts/discover?max={c.randint(1, 3)}", None),
    ),
    Kind(
        "add_suppressions",
        lambda w, m, c: ("/suppressions", {"items": [{"email": f"{m}@gone.example"}], "reason": m}),
        "SELECT reason FROM suppressions WHERE source = 'user'",
    ),
    Kind(
        "erase_person",
        lambda w, m, c: ("/contacts/erasures", {"email": f"{m}@erased.example"}),
        total="SELECT count(*) FROM erasures",
    ),
    Kind(
        "create_list",
        lambda w, m, c: ("/lists", {"name": m, "filter": ALL}),
        "SELECT name FROM account_lists",
    ),
    Kind(
        "change_list_accounts",
        lambda w, m, c: (f"/lists/{w.list_id}/accounts", {"add": [c.choice(w.accounts)]}),
    ),
    Kind(
        "create_territory",
        lambda w, m, c: (
            "/territories",
            {"id": m, "name": m, "rules": {"field": "industry", "op": "eq", "value": "Software"}},
        ),
        "SELECT territory_id FROM territories",
    ),
    Kind(
        "recompute_territory",
        lambda w, m, c: (f"/territories/{w.territory_id}/recompute", None),
        total="SELECT count(*) FROM credit_ledger WHERE operation LIKE 'territory:%' AND kind = 'reserve'",
    ),
    Kind(
        "create_watch",
        lambda w, m, c: ("/watches", {"name": m, "filter": ALL, "families": ["funding"]}),
        "SELECT name FROM watches",
    ),
    Kind(
        "update_watch",
        lambda w, m, c: (f"/watches/{w.watch_id}", {"name": f"renamed {m}"}),
        method="PATCH",
    ),
    Kind(
        "create_webhook",
        lambda w, m, c: ("/webhooks", {"url": f"https://hooks.example/{m}"}),
        "SELECT url FROM webhooks",
        has_secret=True,
    ),
    Kind(
        "test_webhook",
        lambda w, m, c: (f"/webhooks/{w.webhook_id}/test", None),
        total="SELECT count(*) FROM webhook_deliveries",
    ),
    Kind(
        "create_key",
        lambda w, m, c: ("/keys", {"name": m, "scopes": ["accounts:read"]}),
        "SELECT name FROM api_keys",
        has_secret=True,
    ),
    Kind(
        "create_user",
        lambda w, m, c: ("/users", {"email": f"{m}@users.example"}),
        "SELECT email FROM users",
    ),
    Kind(
        "update_seller_context",
        lambda w, m, c: ("/seller-context", {"company_name": m}),
        total="SELECT version FROM seller_contexts",
        method="PATCH",
    ),
    Kind(
        "write_content",
        lambda w, m, c: (
            f"/companies/{_company(w, c)}/content",
            {"content_type": "notes", "title": m, "content": "Written by hand."},
        ),
        "SELECT title FROM content",
    ),
    Kind(
        "generate_content",
        lambda w, m, c: (
            f"/companies/{_company(w, c)}/content", {"content_type": "notes", "title": m}
        ),
        "SELECT title FROM content",
    ),
    Kind(
        "update_content",
        lambda w, m, c: (f"/content/{w.content_id}", {"content": m}),
        method="PATCH",
    ),
    Kind(
        "create_content_template",
        lambda w, m, c: ("/content/templates", {"name": m, "content_type": "email", "body": "Hello"}),
        "SELECT name FROM content_templates",
    ),
    Kind(
        "create_content_setting",
        lambda w, m, c: ("/content/settings", {"name": m}),
        "SELECT name FROM content_settings",
    ),
    Kind(
        "create_agent_session",
        lambda w, m, c: ("/agent/sessions", {"title": m}),
        "SELECT title FROM agent_sessions",
    ),
    Kind(
        "chat",
        lambda w, m, c: (
            f"/companies/{_company(w, c)}/assistant/chat", {"message": f"Whom did it acquire? {m}"}
        ),
        "SELECT content FROM agent_messages WHERE role = 'user'",
    ),
    Kind(
        "submit_company",
        lambda w, m, c: ("/companies", {"company_name": f"Unheard {m}"}),
        "SELECT input ->> 'company_name' FROM operations WHERE parent_id IS NULL",
    ),
    Kind(
        "submit_companies",
        lambda w, m, c: (
            "/companies/bulk", {"items": [{"company_name": f"{n} {m}"} for n in ("One", "Two", "Three")]}
        ),
        "SELECT input ->> 'company_name' FROM operations WHERE parent_id IS NOT NULL",
        effects=3,
    ),
    Kind(
        "submit_dry_run",
        lambda w, m, c: ("/companies?dry_run=true", {"company_name": f"Unheard {m}"}),
        "SELECT input ->> 'company_name' FROM operations",
        effects=0,
    ),
    Kind(
        "retry_operation",
        lambda w, m, c: (f"/operations/{w.bulk_id}/retry", None),
        total="SELECT count(*) FROM operations WHERE kind = 'bulk_enrichment' AND total = 2",
    ),
    Kind("search_accounts", lambda w, m, c: ("/accounts", {"per_page": c.randint(1, 9)})),
    Kind("search_contacts", lambda w, m, c: ("/contacts/search", {"per_page": c.randint(1, 9)})),
)  # fmt: skip
BY_NAME = {kind.name: kind for kind in KINDS}
