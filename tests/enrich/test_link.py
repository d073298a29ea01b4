"""Looking a company up in the registers that it is not linked to yet."""

import json
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from sightline.enrich.identify import link
from sightline.enrich.target import target_of
from sightline.sources.context import EvidenceContext
from sightline.sources.gleif.connector import GLEIF
from tests.sources.desk import Desk, desk
from tests.sources.gleif.test_parse import LEI, RECORDS, record

__all__ = ["desk"]


async def linked(desk: Desk, name: str, *, like: EvidenceContext | None = None) -> EvidenceContext:
    """A link of a company of that name: of a new one, or of the one of an earlier link."""
    company_id = like.target.company_id if like and like.target else await desk.company(name)
    async with desk.database.connection() as connection:
        target = await target_of(connection, company_id)
    context = desk.context(GLEIF)
    context.target = target
    await link(context, GLEIF, target)
    return context


def answers(desk: Desk, name: str) -> None:
    for words in ("filter[entity.legalName]", "filter[fulltext]"):
        url = f"{RECORDS}?{urlencode({words: name, 'page[size]': 20})}"
        desk.web.answer(url, json.dumps({"data": [record()]}))


async def test_a_register_that_does_not_know_a_company_is_not_searched_again(desk: Desk) -> None:
    first = await linked(desk, "Quince Terrace")
    assert first.counts["not_recorded"] == 2
    again = await linked(desk, "Quince Terrace", like=first)
    assert not again.counts


async def test_another_name_of_the_company_is_another_search(desk: Desk) -> None:
    first = await linked(desk, "Orchard Quay Holdings")
    assert first.target is not None
    async with desk.database.connection() as connection:
        await connection.execute(
            "UPDATE companies SET company_name = 'Orchard & Quay AG' WHERE company_id = $1",
            first.target.company_id,
        )
    answers(desk, "Orchard & Quay AG")
    again = await linked(desk, "", like=first)
    assert again.notes == [f"Linked to ORCHARD & QUAY AG (lei {LEI})."]


async def test_what_is_foreseen_is_looked_up_once_and_counts_once(desk: Desk) -> None:
    url = f"{RECORDS}/{LEI}"
    desk.web.answer(url, json.dumps({"data": record()}))
    company_id = await desk.company("Orchard & Quay AG", lei=LEI)
    first = await desk.collect(GLEIF, company_id)
    assert first.counts["fetched"] == 1
    context = desk.context(GLEIF)
    context.target = first.target
    await context.prefetch([url, f"{url}/none"])
    await GLEIF.collect(context, context.target)
    assert (context.counts["fetched"], context.counts["fresh"]) == (0, 1)


@pytest.mark.parametrize(
    ("domain", "city", "is_linked"),
    [
        ("orchardquay.example", None, True),
        ("quay.example", None, True),
        ("outsider.example", None, False),
        ("orchardquay-shop.example", None, False),
        ("outsider.example", "Hamburg", True),
    ],
)
async def test_a_site_gets_no_entry_for_the_name_that_it_gives_itself(
    desk: Desk, domain: str, city: str | None, is_linked: bool
) -> None:
    answers(desk, "Orchard & Quay AG")
    company_id = await desk.company("Orchard & Quay AG")
    async with desk.database.connection() as connection:
        target = await target_of(connection, company_id)
    facts = {"hq_city": (city,)} if city else {}
    target = replace(target, domain=domain, domains=(domain,), facts=facts)
    context = desk.context(GLEIF)
    context.target = target
    found = await link(context, GLEIF, target)
    assert ("lei" in found.identifiers) is is_linked
    if not is_linked:
        [note] = context.notes
        assert f"nothing links it to {domain}" in note
        assert 'source_system "lei"' in note
