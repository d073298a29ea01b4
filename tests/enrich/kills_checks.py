"""What must hold after workers were killed, and the state that two runs of the same inputs must share."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sightline.domain.callers import OrganizationId
from sightline.store.database import Database

# Written by a trigger: every time that an operation ends, and every change of one that had ended.
ENDINGS = """
CREATE TABLE test_endings (operation_id uuid NOT NULL, what text NOT NULL);
CREATE FUNCTION note_ending() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL THEN
    INSERT INTO test_endings VALUES (NEW.operation_id, 'ended');
  ELSIF OLD.finished_at IS NOT NULL AND (OLD.status, OLD.charge, OLD.amount, OLD.finished_at)
      IS DISTINCT FROM (NEW.status, NEW.charge, NEW.amount, NEW.finished_at) THEN
    INSERT INTO test_endings VALUES (NEW.operation_id, 'changed after its end');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER operations_end AFTER UPDATE ON operations
  FOR EACH ROW EXECUTE FUNCTION note_ending();
GRANT SELECT ON test_endings TO sightline_app, sightline_worker;
"""

# Each query answers the things that break its rule. They run inside one organization, the catalogue's
# tables being everybody's.
RULES: dict[str, str] = {
    "an operation that has not ended": """
        SELECT operation_id::text FROM operations WHERE finished_at IS NULL""",
    "an operation that did not end exactly once": """
        SELECT o.operation_id::text FROM operations o LEFT JOIN test_endings e USING (operation_id)
        GROUP BY o.operation_id HAVING count(*) FILTER (WHERE e.what = 'ended') <> 1
          OR count(*) FILTER (WHERE e.what <> 'ended') > 0""",
    "an operation that ended in another way than its input allows": """
        SELECT operation_id::text || ' ' || status FROM operations WHERE kind = 'company_enrichment'
          AND CASE WHEN input ->> 'company_name' LIKE 'Nobody%' THEN status NOT IN ('failed', 'cancelled')
            WHEN cancel_requested THEN status NOT IN ('succeeded', 'cancelled')
            ELSE status <> 'succeeded' END""",
    "a bulk operation that miscounts its items": """
        SELECT b.operation_id::text FROM operations b JOIN operations i ON i.parent_id = b.operation_id
        WHERE b.kind = 'bulk_enrichment' GROUP BY b.organization_id, b.operation_id
        HAVING count(*) <> b.total OR b.done <> b.total
          OR count(*) FILTER (WHERE i.status = 'succeeded') <> b.succeeded
          OR count(*) FILTER (WHERE i.status = 'failed') <> b.failed
          OR count(*) FILTER (WHERE i.status = 'cancelled') <> b.cancelled
          OR coalesce(sum(i.amount) FILTER (WHERE i.charge = 'settled'), 0) <> b.amount""",
    "an operation whose ledger is not one reservation and one end": """
        SELECT o.operation_id::text FROM operations o
        LEFT JOIN credit_ledger l ON l.operation = 'operation:' || o.operation_id
        WHERE o.amount > 0 AND o.kind = 'company_enrichment' GROUP BY o.operation_id, o.charge, o.amount
        HAVING array_agg(l.kind ORDER BY l.created_at)
            <> ARRAY['reserve', CASE o.charge WHEN 'settled' THEN 'settle' ELSE 'release' END]
          OR sum(l.amount) <> CASE o.charge WHEN 'settled' THEN -o.amount ELSE 0 END""",
    "a line of the ledger without its operation": """
        SELECT l.operation FROM credit_ledger l WHERE l.kind <> 'grant' AND NOT EXISTS (
          SELECT FROM operations o WHERE l.operation = 'operation:' || o.operation_id AND o.amount > 0)""",
    "a reservation that says otherwise than its operation": """
        SELECT o.operation_id::text FROM operations o
        FULL JOIN credit_reservations r ON r.operation = 'operation:' || o.operation_id
        WHERE coalesce(o.kind, 'company_enrichment') = 'company_enrichment'
          AND coalesce(r.state, 'none') IS DISTINCT FROM o.charge""",
    "an operation charged though nothing was found, or the other way about": """
        SELECT operation_id::text FROM operations
        WHERE kind = 'company_enrichment' AND charge = 'settled' AND status <> 'succeeded'""",
    "a company whose charges are not one": """
        SELECT c.company_id::text FROM company_charges c
        FULL JOIN (SELECT company_id, count(*) AS times FROM operations
          WHERE charge = 'settled' AND kind = 'company_enrichment' GROUP BY 1) o USING (company_id)
        WHERE c.company_id IS NULL OR o.times IS DISTINCT FROM 1""",
    "an account that was never paid for": """
        SELECT a.company_name FROM accounts a WHERE NOT EXISTS (
          SELECT FROM company_charges c WHERE c.company_id = a.company_id)""",
    "a company that is there twice": """
        SELECT website_domain FROM companies GROUP BY 1 HAVING count(*) > 1
        UNION ALL SELECT company_name FROM companies GROUP BY 1 HAVING count(*) > 1""",
    "an account that is there twice": """
        SELECT company_name FROM accounts GROUP BY 1 HAVING count(*) > 1""",
    "a fact that is there twice": """
        SELECT field FROM facts WHERE withdrawn_at IS NULL
        GROUP BY company_id, field, member, source, value HAVING count(*) > 1""",
    "an address with two newest versions": """
        SELECT d.url FROM company_documents c JOIN documents d USING (document_id)
        WHERE c.superseded_at IS NULL GROUP BY c.company_id, d.url HAVING count(*) > 1""",
    "a body that no document has": """
        SELECT encode(sha256, 'hex') FROM blobs b
        WHERE NOT EXISTS (SELECT FROM documents d WHERE d.sha256 = b.sha256)""",
    "a signal that is there twice": """
        SELECT title FROM signals GROUP BY company_id, type, title HAVING count(*) > 1""",
    "a document that was not read for signals": """
        SELECT d.url FROM company_documents c JOIN documents d USING (document_id)
        WHERE d.kind = 'news' AND c.superseded_at IS NULL AND NOT EXISTS (SELECT FROM signal_readings r
          WHERE r.company_id = c.company_id AND r.document_id = c.document_id)""",
    "a thing indexed twice": """
        SELECT origin FROM indexed_passages
        GROUP BY company_id, origin, origin_id, origin_at, start_at, body HAVING count(*) > 1""",
    "an unpublished signal or change": """
        SELECT s.title FROM signals s JOIN accounts a USING (company_id)
        WHERE NOT EXISTS (SELECT FROM events e WHERE e.story = 'signal:' || s.signal_id)
        UNION ALL SELECT a.company_name FROM company_changes c JOIN accounts a USING (company_id)
        WHERE NOT EXISTS (SELECT FROM events e
          WHERE e.story = 'record:' || c.company_id || ':' || c.record_version)""",
    "an event published twice": """
        SELECT title FROM events GROUP BY company_id, type, title, changes HAVING count(*) > 1""",
    "an alert that is raised twice": """
        SELECT event_id::text FROM alerts GROUP BY event_id, watch_id HAVING count(*) > 1""",
    "a message that is queued twice": """
        SELECT subject FROM webhook_deliveries GROUP BY webhook_id, subject HAVING count(*) > 1""",
    "an account that shows an old record": """
        SELECT a.company_name FROM accounts a JOIN account_records r USING (account_id)
        JOIN companies c USING (company_id) WHERE r.document <> c.document""",
    "a balance that is not the sum of its ledger": """
        SELECT b.credit FROM credit_balances b
        LEFT JOIN (SELECT credit, sum(amount) AS amount FROM credit_ledger GROUP BY 1) l USING (credit)
        WHERE b.balance IS DISTINCT FROM l.amount""",
    "a line of the ledger that does not follow from the one before": """
        SELECT entry_id::text FROM (SELECT entry_id, balance_after, sum(amount)
          OVER (PARTITION BY credit ORDER BY created_at, entry_id) AS running FROM credit_ledger) l
        WHERE balance_after <> running OR balance_after < 0""",
    "work left on the queue": """
        SELECT kind || ' ' || subject || coalesce(' ' || last_error, '') FROM work
        WHERE kind <> 'deliver_webhook'""",
    "a lease left": "SELECT kind || ' ' || subject FROM work WHERE lease_until IS NOT NULL",
}

# By what the world calls things, so that two data bases can be compared: ids differ between them.
STATE: dict[str, str] = {
    "companies": """SELECT website_domain, company_name, record, record_version FROM companies""",
    "changes": """SELECT website_domain, v.record_version, v.changes
        FROM company_changes v JOIN companies USING (company_id)""",
    "identifiers": """SELECT scheme, identifier, website_domain
        FROM company_identifiers JOIN companies USING (company_id)""",
    "facts": """SELECT website_domain, field, member, value, source, quote, wins,
        withdrawn_at IS NOT NULL FROM facts JOIN companies USING (company_id)""",
    "documents": """SELECT url, kind, title, encode(sha256, 'hex') FROM documents""",
    "company documents": """SELECT website_domain, url, encode(sha256, 'hex'),
        superseded_at IS NOT NULL FROM company_documents c
        JOIN companies USING (company_id) JOIN documents USING (document_id)""",
    "passages": """SELECT website_domain, url, encode(sha256, 'hex'), start_at, end_at, section
        FROM passages JOIN companies USING (company_id) JOIN documents USING (document_id)""",
    "signals": """SELECT website_domain, type, s.title, quote, source_kind, occurred_at::text, url
        FROM signals s JOIN companies USING (company_id) LEFT JOIN documents USING (document_id)""",
    "mentions": """SELECT website_domain, s.title, url, t.start_at FROM signal_mentions t
        JOIN signals s USING (company_id, signal_id) JOIN companies USING (company_id)
        JOIN documents d ON d.document_id = t.document_id""",
    "index": """SELECT website_domain, origin, origin_at, documents.url, encode(sha256, 'hex')
        FROM indexed_passages JOIN companies USING (company_id) LEFT JOIN documents USING (document_id)""",
    "profile": """SELECT website_domain, section, state, statements
        FROM profile_sections JOIN companies USING (company_id)""",
    "accounts": """SELECT company_name, website_domain, full_time_employees FROM accounts""",
    "charges": """SELECT website_domain FROM company_charges JOIN companies USING (company_id)""",
    "events": """SELECT website_domain, type, family, title, changes
        FROM events JOIN companies USING (company_id)""",
    "alerts": """SELECT website_domain, e.type, e.title, e.changes, w.name, a.status
        FROM alerts a JOIN events e USING (organization_id, event_id)
        JOIN watches w USING (organization_id, watch_id)
        JOIN companies c ON c.company_id = a.company_id""",
    "messages": """SELECT topic, body::jsonb #>> '{data,title}', body::jsonb #>> '{data,event,title}'
        FROM webhook_deliveries""",
}

State = dict[str, Counter[str]]


async def broken_rules(
    reader: Database, organizations: Sequence[OrganizationId], *, each: int = 5
) -> list[str]:
    """Everything that breaks a rule, at most `each` of one rule and organization."""
    found = []
    for organization_id in organizations:
        async with reader.tenant(organization_id) as connection:
            for what, query in RULES.items():
                rows = await connection.fetch(query)
                found += [f"{what}: {row[0]}" for row in rows[:each]]
    return found


async def read_state(reader: Database, organizations: Sequence[OrganizationId]) -> State:
    """The state of everything, by natural keys."""
    state: State = {}
    for n, organization_id in enumerate(organizations):
        async with reader.tenant(organization_id) as connection:
            for what, query in STATE.items():
                rows = await connection.fetch(query)
                state[f"{what} of {n}"] = Counter(_text(row) for row in rows)
    return state


def differences(found: State, expected: State, *, each: int = 5) -> list[str]:
    """What one state has and the other has not, at most `each` a table and side."""
    reported = []
    for what, rows in expected.items():
        reported += [f"missing in {what}: {row}" for row in list(rows - found[what])[:each]]
        reported += [f"too much in {what}: {row}" for row in list(found[what] - rows)[:each]]
        if not rows:
            reported.append(f"nothing in {what}: the comparison proves nothing")
    return reported


def _text(row: Any) -> str:
    return " | ".join(str(value) for value in row.values())
