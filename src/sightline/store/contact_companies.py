"""Which of an organization's companies a contact works at."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sightline.domain.contact_input import ReadContact
from sightline.domain.contact_records import company_key_of, company_name
from sightline.domain.names import name_key
from sightline.store.database import Tenant


async def link_companies(tenant: Tenant, given: Sequence[ReadContact]) -> None:
    """Give each contact the id of its employer: by a domain of an account, else by a name that one
    account alone has. Ids that are given already stay."""
    by_domain, by_name = await _accounts(tenant, given)
    for each in given:
        if each.values.get("company_id"):
            continue
        key = company_key_of(each.values)
        sites = [by_domain[domain] for domain in each.domains if domain in by_domain]
        found = _employer(key, sites, list(by_name.get(key or "", {}).values()))
        if found is not None:
            each.values["company_id"] = str(found["company_id"])
            if not company_name(each.values):
                held = each.values.get("company") or {}
                each.values["company"] = held | {"name": found["company_name"]}


async def _accounts(
    tenant: Tenant, given: Sequence[ReadContact]
) -> tuple[dict[str, Any], dict[str, dict[UUID, Any]]]:
    """The accounts that employers may be: by domain, and by the key of their name and company."""
    domains = {domain for each in given for domain in each.domains}
    names = {company_key_of(each.values) for each in given} - {None}
    rows = await tenant.rows(
        """
        SELECT d.domain, NULL AS name_key, a.company_id, a.company_name FROM account_domains d
        JOIN accounts a ON a.organization_id = $1 AND a.account_id = d.account_id
        WHERE d.organization_id = $1 AND d.domain = ANY($2::text[])
        UNION ALL
        SELECT website_domain, NULL, company_id, company_name FROM accounts
        WHERE organization_id = $1 AND name_key = ANY($3::text[]) AND website_domain = ANY($2::text[])
        UNION ALL
        SELECT NULL, name_key, company_id, company_name FROM accounts
        WHERE organization_id = $1 AND name_key = ANY($3::text[])
        """,
        list(domains),
        list(names),
    )
    by_domain = {row["domain"]: row for row in rows if row["domain"]}
    by_name: defaultdict[str, dict[UUID, Any]] = defaultdict(dict)
    for row in rows:
        if row["name_key"]:
            by_name[row["name_key"]][row["company_id"]] = row
    return by_domain, by_name


def _employer(key: str | None, sites: Sequence[Any], namesakes: Sequence[Any]) -> Any:
    """The account of an employer called `key`, among those of the contact's domains and of that name."""
    if key:
        # Who writes from a customer's domain may work for someone else: a name that disagrees wins.
        agreeing = [each for each in sites if name_key(each["company_name"]) == key]
        if agreeing or namesakes:
            return next(iter(agreeing or (namesakes if len(namesakes) == 1 else ())), None)
    return next(iter(sites), None)
