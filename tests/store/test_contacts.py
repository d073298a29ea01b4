"""Contacts in the store: the bitmaps always say what the records say, no matter who writes at once."""

import asyncio
import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest

from sightline.domain.callers import OrganizationId
from sightline.domain.contact_records import tokens_of, values_of
from sightline.store.contact_book import open_book, read_book, suppressed_keys
from sightline.store.contact_edits import delete_contact, edit_contact
from sightline.store.contact_query import Atom, Clause, ContactQuery
from sightline.store.contact_writes import load_contacts
from sightline.store.contacts import find_contacts, stream_contacts
from sightline.store.database import Database, Tenant
from sightline.store.pages import Slice
from sightline.store.suppressions import lift_suppression, suppress
from tests.store.contacts_data import SOURCE, put, read_contact

GIVEN, FAMILY = ("Ada", "Ben", "Cleo", "Dev"), ("Lind", "Ruiz", "Okoro", "Tanaka", "Vance")
TITLES = ("CEO", "VP Sales", "Engineer", "Head of Marketing", None)
WORDS = ("n:ada", "n:ruiz", "t:ceo", "t:sales", "se:vp", "de:engineering", "cc:DE", "has:email")


async def everything(tenant: Tenant) -> dict[int, dict[str, Any]]:
    """slot -> values of all that may be seen."""
    rows = await tenant.rows(
        "SELECT slot, document FROM contacts WHERE organization_id = $1 AND NOT hidden"
    )
    return {row["slot"]: values_of(row["document"]) for row in rows}


async def search(tenant: Tenant, query: ContactQuery, limit: int = 1000) -> tuple[list[str], int]:
    items, total, _ = await find_contacts(tenant, query=query, part=Slice(limit))
    return [each["id"] for each in json.loads(items)], total


def a_person(dice: random.Random, n: int) -> dict[str, Any]:
    person: dict[str, Any] = {
        "full_name": f"{dice.choice(GIVEN)} {dice.choice(FAMILY)}",
        "current_job_title": dice.choice(TITLES),
        "country": dice.choice(("DE", "US", None)),
    }
    if dice.random() < 0.6:
        person["emails"] = [f"p{n}@x.example"]
    return person


@pytest.mark.parametrize("seed", range(3))
async def test_bitmaps_and_records_agree(
    database: Database, organization: OrganizationId, seed: int
) -> None:
    dice = random.Random(seed)
    async with database.tenant(organization) as connection:
        for turn in range(6):
            # Enough for a second block in the second half.
            size = 700 if turn == 2 else 40
            people = [a_person(dice, dice.randrange(10**6)) for _ in range(size)]
            await put(connection, people)
            seen = await everything(connection)
            ids = await connection.fetch(
                "SELECT contact_id FROM contacts WHERE organization_id = $1", organization
            )
            for row in dice.sample(ids, 10):
                said = read_contact({"current_job_title": dice.choice(TITLES) or "CFO"})
                await edit_contact(
                    connection, row[0],
                    said=said, cleared=["emails"] if dice.random() < 0.3 else [],
                    source=SOURCE | {"source": "user"}, now=datetime.now(UTC)
                )  # fmt: skip
            for row in dice.sample(ids, 5):
                await delete_contact(connection, row[0])
        seen = await everything(connection)
        under = {slot: set(tokens_of(values)) for slot, values in seen.items()}
        for wanted, unwanted in ((w, u) for w in WORDS for u in (None, *WORDS[:3])):
            clauses = [Clause(((Atom((wanted,)),),))]
            expected = {s for s, tokens in under.items() if wanted in tokens}
            if unwanted:
                clauses.append(Clause(((Atom((unwanted,)),),), negated=True))
                expected = {s for s in expected if unwanted not in under[s]}
            found, total = await search(connection, ContactQuery(tuple(clauses)))
            assert total == len(expected)
            assert len(set(found)) == len(found) == min(total, 1000)
        rows = await connection.fetch(
            "SELECT token, sum(bit_count(bits)) AS n FROM contact_bits WHERE organization_id = $1"
            " GROUP BY 1",
            organization,
        )
        counted = {row["token"]: row["n"] for row in rows}
        assert 0 not in counted.values(), "an empty block is left behind"
        real = [token for tokens in under.values() for token in tokens]
        assert counted == {token: real.count(token) for token in set(real)}


async def test_pages_reach_across_blocks(database: Database, organization: OrganizationId) -> None:
    people = [{"emails": [f"p{n}@x.example"]} for n in range(4200)]
    async with database.tenant(organization) as connection:
        await put(connection, people)
        expected = [f"p{n}@x.example" for n in reversed(range(4200))]
        for offset in (0, 100, 2100, 2150, 4190, 4200, 9000):
            items, total, _ = await find_contacts(
                connection, query=ContactQuery(), part=Slice(60, offset)
            )
            assert [e["emails"][0] for e in json.loads(items)] == expected[offset : offset + 60]
            assert total == 4200
        last: tuple[str, str] | None = ("2100", "")
        items, _, last = await find_contacts(
            connection, query=ContactQuery(), part=Slice(60, before=last)
        )
        assert [e["emails"][0] for e in json.loads(items)] == [
            f"p{n}@x.example" for n in reversed(range(2040, 2100))
        ]
        assert last is not None
        assert last[0] == "2040"
        streamed = [
            contact["emails"][0]
            async for batch in stream_contacts(connection, ContactQuery(), batch=999)
            for contact, _ in batch
        ]
        assert streamed == expected[::-1]


async def test_the_same_person_at_once_is_one(
    database: Database, organization: OrganizationId
) -> None:
    person = {"full_name": "Ada Lind", "emails": ["ada@x.example"]}

    async def one(n: int) -> None:
        async with database.tenant(organization) as connection:
            await put(connection, [person | {"skills": [f"skill {n}"]}])

    await asyncio.gather(*(one(n) for n in range(8)))
    async with database.tenant(organization) as connection:
        (contact,) = (await everything(connection)).values()
        assert len(contact["skills"]) == 8
        _, total = await search(connection, ContactQuery())
        assert total == 1


async def test_a_slot_is_never_used_twice(database: Database, organization: OrganizationId) -> None:
    async with database.tenant(organization) as connection:
        (first,) = await put(connection, [{"emails": ["a@x.example"]}])
        assert first.state is not None
        await delete_contact(connection, first.state.contact_id)
        (second,) = await put(connection, [{"emails": ["b@x.example"]}])
        assert second.state is not None
        assert second.state.slot > first.state.slot
        assert (await open_book(connection)).next_slot == second.state.slot + 1


async def test_hidden_contacts_come_back_as_they_were(
    database: Database, organization: OrganizationId
) -> None:
    async with database.tenant(organization) as connection:
        (made,) = await put(connection, [{"full_name": "Ada Lind", "emails": ["a@x.example"]}])
        assert made.state is not None
        before = await connection.fetch("SELECT * FROM contact_bits ORDER BY token")
        listed = await suppress(connection, ["e:a@x.example"], reason="test")
        book = await read_book(connection)
        assert book is not None
        keys = ["e:a@x.example"]
        assert await suppressed_keys(connection, keys, book=book) == set(keys)
        assert await connection.fetch("SELECT * FROM contact_bits") == []
        await lift_suppression(connection, listed.suppression_ids[0])
        assert await connection.fetch("SELECT * FROM contact_bits ORDER BY token") == before
        (state,) = await load_contacts(connection, [made.state.contact_id])
        assert not state.hidden
        assert state.tokens == frozenset(tokens_of(state.values))
