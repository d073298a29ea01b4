"""Candidates for matching: companies of an organization's accounts and of the catalogue."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from sightline.domain.names import name_key
from sightline.store.database import Tenant

MOST = 300
"""Companies of each of the two that are taken for beginning with the name's first word."""
_LEAST_LETTERS = 3
_AFTER_ALL = "\uffff"


@dataclass(frozen=True, slots=True)
class Known:
    """A company that may be meant; ``account_id`` only when the organization has it."""

    company_id: UUID
    account_id: UUID | None
    name: str
    domain: str | None
    country_code: str | None
    city: str | None
    ticker: str | None
    lei: str | None


_ACCOUNTS = """
  SELECT a.company_id, a.account_id, a.company_name AS name, a.website_domain AS domain,
    a.country_code, r.document::jsonb ->> 'hq_city' AS city,
    r.document::jsonb ->> 'stock_ticker' AS ticker,
    (SELECT i.identifier FROM company_identifiers i
     WHERE i.company_id = a.company_id AND i.scheme = 'lei' LIMIT 1) AS lei
  FROM accounts a JOIN account_records r USING (organization_id, account_id)
  WHERE a.organization_id = $1 AND a.account_id IN (
    SELECT account_id FROM account_domains WHERE organization_id = $1 AND domain = ANY($2::text[])
    UNION SELECT account_id FROM accounts WHERE organization_id = $1 AND website_domain = ANY($2::text[])
    UNION SELECT account_id FROM accounts WHERE organization_id = $1 AND name_key = $3
    UNION SELECT account_id FROM accounts WHERE organization_id = $1 AND company_id = ANY(ARRAY(
      SELECT company_id FROM company_identifiers
      WHERE (scheme, identifier) IN (SELECT * FROM unnest($4::text[], $5::text[]))))
    UNION (SELECT account_id FROM accounts
      WHERE organization_id = $1 AND name_key >= $6 AND name_key < $7 ORDER BY name_key LIMIT $8))
"""
_CATALOGUE = """
  SELECT c.company_id, NULL::uuid AS account_id, c.company_name AS name, c.website_domain AS domain,
    c.country_code, c.hq_city AS city, c.stock_ticker AS ticker,
    (SELECT i.identifier FROM company_identifiers i
     WHERE i.company_id = c.company_id AND i.scheme = 'lei' LIMIT 1) AS lei
  FROM companies c
  WHERE c.merged_into IS NULL AND c.company_id IN (
    SELECT company_id FROM company_domains WHERE domain = ANY($1::text[])
    UNION SELECT company_id FROM companies WHERE website_domain = ANY($1::text[])
    UNION SELECT company_id FROM companies WHERE name_key = $2
    UNION SELECT company_id FROM companies WHERE stock_ticker = $3
    UNION SELECT company_id FROM company_identifiers
      WHERE (scheme, identifier) IN (SELECT * FROM unnest($4::text[], $5::text[]))
    UNION (SELECT company_id FROM companies
      WHERE name_key >= $6 AND name_key < $7 ORDER BY name_key LIMIT $8))
"""


async def companies_like(
    tenant: Tenant,
    *,
    name: str,
    domains: Collection[str] = (),
    ticker: str | None = None,
    identifiers: Mapping[str, str] | None = None,
) -> list[Known]:
    """Companies with one of the domains or identifiers, the name's key, or a key that begins alike.

    Accounts come first; a company of the catalogue that is an account is not listed twice.
    """
    key = name_key(name) if name.strip() else ""
    start = _beginning(key)
    identifiers = identifiers or {}
    schemes, values = list(identifiers), list(identifiers.values())
    bounds = (start, start + _AFTER_ALL if start else "", MOST)
    accounts = await tenant.rows(_ACCOUNTS, list(domains), key, schemes, values, *bounds)
    catalogue = await tenant.fetch(_CATALOGUE, list(domains), key, ticker, schemes, values, *bounds)
    own = {row["company_id"] for row in accounts}
    rows = [*accounts, *(row for row in catalogue if row["company_id"] not in own)]
    return [Known(**dict(row)) for row in rows]


def _beginning(key: str) -> str:
    """The first word of a name's key; two words when the first is an initial or alike."""
    words = key.split()
    start = ""
    while words and len(start) < _LEAST_LETTERS:
        start = f"{start} {words.pop(0)}".strip()
    return start
