"""`find_accounts` and `list_people`: other companies of the organization, and people at a company."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sightline.assistant.company_evidence import CompanyEvidence, stored_sources
from sightline.assistant.contract import Source
from sightline.assistant.tools.session import NoAnswer, Row, ToolSession, tool
from sightline.domain.filters import EVERYTHING, read_filter
from sightline.domain.names import search_terms
from sightline.domain.same_person import group_people
from sightline.store.accounts import AccountFilter, AccountOrder, count_accounts
from sightline.store.accounts import find_accounts as find
from sightline.store.contacts import company_contacts
from sightline.store.lists import list_named, resolve
from sightline.store.pages import Slice

_MOST: Final = 25
_MOST_PROOFS: Final = 3  # of one person
_SHOWN: Final = (
    "company_name", "website_domain", "industry", "country", "employee_size_category",
    "revenue_category",
)  # fmt: skip
# Name, title, role, since, until and as_of of someone as far as they are known, and what proves it.
Person = tuple[Mapping[str, Any], tuple[Source, ...]]


@tool("finding accounts")
async def find_accounts(
    session: ToolSession,
    name: str | None = None,
    industry: str | None = None,
    country: str | None = None,
    saved_list: str | None = None,
    page: int = 1,
) -> str:
    """Find other accounts of your organization, to compare them or to ask about several.

    Args:
        name: Words of the company's name.
        industry: An industry by its name.
        country: A country by its name or code.
        saved_list: Only the accounts of the saved list of this name.
        page: 1 is the first.
    """
    evidence = session.evidence
    if not evidence.may("accounts:read"):
        raise NoAnswer("This key may not read accounts: only this conversation's company.")
    async with evidence.reading() as connection:
        asked = {"industry": industry, "country": country}
        if saved_list:
            list_id = await list_named(connection, saved_list)
            if list_id is None:
                raise NoAnswer(f"There is no list {saved_list!r}.")
            asked["list"] = str(list_id)
        parts = [{"field": name, "op": "eq", "value": said} for name, said in asked.items() if said]
        wanted = read_filter({"and": parts}).filter if parts else EVERYTHING
        wanted = await resolve(connection, wanted)
        named = search_terms(name or "")
        spaced, squeezed = (named.spaced, named.squeezed) if name else (None, None)
        where = AccountFilter(name_spaced=spaced, name_squeezed=squeezed, wanted=wanted)
        total = await count_accounts(connection, where)
        rows = await find(
            connection, where=where, order=AccountOrder(), after=None,
            offset=(max(1, page) - 1) * _MOST, limit=_MOST,
        )  # fmt: skip
    items = json.loads(rows.items)
    if not items:
        raise NoAnswer("No accounts match.")
    lines = [f"{total} accounts:"]
    known = {each.company_id: key for key, each in session.companies.items()}
    for item in items:
        company_id = UUID(item["company_id"])
        key = known.setdefault(company_id, f"A{len(session.companies) + 1}")
        account = CompanyEvidence(evidence.reading, evidence.caller, company_id, item)
        session.companies.setdefault(key, account)
        lines.append(" | ".join([key, *(str(item[part]) for part in _SHOWN if item.get(part))]))
    return "\n".join(lines)


@tool("listing people")
async def list_people(
    session: ToolSession, query: str | None = None, company: str | None = None
) -> str:
    """List officers, directors and other leaders named in documents, and contacts of your organization.

    Args:
        query: Only people whose name or title has all of these words, such as "finance".
        company: An account of find_accounts; without it the company of this conversation.
    """
    evidence = session.of(company)
    words = (query or "").casefold().split()
    known = [each for each in _grouped(await known_people(evidence)) if _has(each[0], words)]
    lines = session.listed(evidence, known, kind="fact", most=_MOST)
    contacts = [each for each in await _contacts(evidence) if _has(each[0], words)]
    lines += session.listed(evidence, contacts, kind="contact", most=_MOST)
    if not lines:
        raise NoAnswer(f"No such person is stored for {evidence.name}.")
    return "\n".join(lines)


def _has(text: str, words: Sequence[str]) -> bool:
    return all(word in text.casefold() for word in words)


async def known_people(evidence: CompanyEvidence) -> list[Person]:
    """The executives of the profile, then others whom documents name, the newest first."""
    found: list[Person] = []
    for fact in await evidence.facts("person", "ceo"):
        day = fact.as_of.isoformat() if fact.as_of else ""
        values = [fact.value] if isinstance(fact.value, dict) else [
            {"name": name, "title": "Chief Executive Officer"}  # who share the office are two people
            for name in str(fact.value).split(" and ")
        ]  # fmt: skip
        found += [({"as_of": day, **value}, (evidence.proof(fact),)) for value in values]
    found.sort(key=lambda person: str(person[0]["as_of"]), reverse=True)
    listed = [(row, stored_sources(row)) for row in await evidence.section("key_executives")]
    return [(value, sources) for value, sources in listed + found if value.get("name") and sources]


def _grouped(known: Sequence[Person]) -> list[Row]:
    """Each person once, as words and their sources."""
    names = [(str(value["name"]), sources[0].document_id) for value, sources in known]
    groups = group_people(names, titles=[value.get("title") for value, _ in known])
    return [_one_person([known[place] for place in group]) for group in groups]


def _one_person(known: Sequence[Person]) -> Row:
    """'Jane Doe | Chief Financial Officer; Director | since: 2021 | as of: 2026-02-01 “quote”'."""
    value = {key: part for each, _ in reversed(known) for key, part in each.items() if part}
    every = [str(each["title"]) for each, _ in known if each.get("title")]
    titles = {title.casefold(): title for title in every}
    sources = list(dict.fromkeys(source for _, some in known for source in some))[:_MOST_PROOFS]
    quotes = "".join(f" “{quote}”" for quote in dict.fromkeys(s.quote for s in sources) if quote)
    fullest = max((str(each["name"]) for each, _ in known), key=len)
    words = _person(value | {"name": fullest, "title": "; ".join(titles.values())})
    return words + quotes, tuple(sources)


async def _contacts(evidence: CompanyEvidence) -> list[Row]:
    if not evidence.may("contacts:read"):
        return []
    async with evidence.reading() as connection:
        items, _, _ = await company_contacts(
            connection, company_id=evidence.company_id,
            part=Slice(200)
        )  # fmt: skip
    found: list[Row] = []
    for contact in json.loads(items):
        name = contact.get("full_name")
        known = {"name": name, "title": contact.get("current_job_title")}
        text = _person(known | {"location": contact.get("location")})
        source = Source(None, title=f"contact record: {name}", pointer="contact")
        found.append((f"{text} | your contact", (source,)))
    return found


def _person(value: Mapping[str, Any]) -> str:
    """'Jane Doe | Chief Financial Officer | since: 2021'."""
    parts = [str(value.get("name") or ""), str(value.get("title") or "")]
    parts += [
        f"{key.replace('_', ' ')}: {value[key]}"
        for key in ("role", "age", "since", "until", "location", "as_of")
        if value.get(key)
    ]
    return " | ".join(part for part in parts if part)
