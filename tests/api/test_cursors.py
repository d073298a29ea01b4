"""A cursor that was not issued as it stands is 400, whatever it holds; never 500, never a row."""

import base64
import json
from typing import Any

import httpx
import pytest

from sightline.api.endpoints import BASE_PATH
from sightline.api.paging import make_cursor, pagination, read_cursor
from sightline.domain.errors import CursorIsInvalid
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.api.answers import refused
from tests.conftest import Tenant

LISTS = ("accounts", "ledger")


async def read(client: httpx.AsyncClient, name: str, cursor: str | None) -> httpx.Response:
    if name == "accounts":
        return await client.post(f"{BASE_PATH}/accounts", json={"per_page": 1, "cursor": cursor})
    given = {"per_page": "1"} | ({"cursor": cursor} if cursor is not None else {})
    return await client.get(f"{BASE_PATH}/organization/credits/ledger", params=given)


@pytest.fixture
async def filled(
    client: httpx.AsyncClient, tenant: Tenant, database: Database
) -> httpx.AsyncClient:
    organization_id = tenant.organization_id
    await add_accounts(database, organization_id, [{"company_name": f"C{n}"} for n in range(3)])
    async with database.tenant(organization_id) as connection:
        for n in range(3):
            await grant(connection, credit="company", amount=1, reason=f"{n}")
    return client


@pytest.mark.parametrize("name", LISTS)
async def test_every_changed_character_is_noticed(filled: httpx.AsyncClient, name: str) -> None:
    cursor = (await read(filled, name, None)).json()["pagination"]["next_cursor"]
    assert (await read(filled, name, cursor)).status_code == 200
    plain = _decode(cursor)
    tampered = [cursor[:n] for n in range(0, len(cursor), 3)]
    for n in range(len(cursor)):
        tampered += [cursor[:n] + other + cursor[n + 1 :] for other in "A_" if other != cursor[n]]
    for each in {
        *tampered,
        cursor + "A",
        cursor + "AAAA",
        "=" + cursor,
        cursor * 2,
        cursor.lower(),
    }:
        if _decode(each) == plain:
            continue  # the last character has bits that say nothing
        refused(await read(filled, name, each), 400, "invalid_cursor")


def _decode(cursor: str) -> bytes | None:
    try:
        return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        return None


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    "content",
    [
        b"", b"null", b"[]", b"{}", b"1", b'"text"', b"[1,2,3]", b"[1,2,3,4,5]", b'["a",1,"b","c"]',
        b"[[],{},null,true]", b"[null,null,null,null]", b'["\\ud800",1,"\\ud800","x"]', b"\xff\xfe",
        b"[" * 700, b'["a",1e400,"b","c"]', b'["a",' + b"9" * 500 + b',"b","c"]', b'["a",true,"b","c"]',
    ],
    ids=lambda c: repr(c[:20]),
)  # fmt: skip
async def test_made_up_cursors_are_refused(
    filled: httpx.AsyncClient, name: str, content: bytes
) -> None:
    refused(await read(filled, name, _encode(content)), 400, "invalid_cursor")


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("text", ["", "é", "日本", "%", "a b", "....", "\t", "😀" * 10])
async def test_text_that_is_no_cursor_is_refused(
    filled: httpx.AsyncClient, name: str, text: str
) -> None:
    refused(await read(filled, name, text), 400, "invalid_cursor")


@pytest.mark.parametrize("sort", ["company_name", "updated_at", "employees", "-revenue", None])
@pytest.mark.parametrize(
    ("position", "last"),
    [
        (1, ("\x00", "01a1feac-7b5b-7ae2-b678-500edbb5d82e")),
        (1, ("not of its type", "not a uuid")),
        (1, ("\ud800", "01a1feac-7b5b-7ae2-b678-500edbb5d82e")),
        (1, ("'; DROP TABLE accounts; --", "01a1feac-7b5b-7ae2-b678-500edbb5d82e")),
        (1, ("9" * 400, "01a1feac-7b5b-7ae2-b678-500edbb5d82e")),
        (-5, ("2026-01-01", "01a1feac-7b5b-7ae2-b678-500edbb5d82e")),
        (10**30, ("2026-01-01", "01a1feac-7b5b-7ae2-b678-500edbb5d82e")),
    ],
    ids=repr,
)
async def test_a_forged_seal_breaks_nothing(
    filled: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    sort: str | None,
    position: int,
    last: tuple[str, str],
) -> None:
    """Even one that seals cursors as we do gets an error or rows of its own, never a failure."""
    taken: list[str] = []

    def take(cursor: str, fingerprint: str) -> Any:
        taken.append(fingerprint)
        return read_cursor(cursor, fingerprint)

    module = "resources.accounts" if sort else "paging"
    monkeypatch.setattr(f"sightline.api.{module}.read_cursor", take)

    async def ask(cursor: str) -> httpx.Response:
        if sort is None:
            return await read(filled, "ledger", cursor)
        return await filled.post(f"{BASE_PATH}/accounts", json={"sort": sort, "cursor": cursor})

    refused(await ask("a"), 400, "invalid_cursor")
    response = await ask(make_cursor(taken[0], position=position, last=last))
    if response.status_code == 200:
        page = json.loads(response.content)["pagination"]
        assert 0 <= page["page"] <= 1
    else:
        refused(response, 400, "invalid_cursor")


def test_a_cursor_reads_back() -> None:
    cursor = make_cursor("f", position=7, last=('a"é\n', "b"))
    assert read_cursor(cursor, "f") == (7, ('a"é\n', "b"))
    with pytest.raises(CursorIsInvalid):
        read_cursor(cursor, "g")


@pytest.mark.parametrize(
    ("total", "start", "count", "expected"),
    [
        (0, 0, 0, (1, 0, False, False)),
        (1, 0, 1, (1, 1, False, False)),
        (10, 0, 10, (1, 1, False, False)),
        (11, 0, 10, (1, 2, True, False)),
        (11, 10, 1, (2, 2, False, True)),
        (11, 5, 6, (1, 2, False, True)),
        (11, 500, 0, (51, 2, False, True)),
    ],
)
def test_pagination(total: int, start: int, count: int, expected: tuple[Any, ...]) -> None:
    page = pagination(
        total=total, start=start, count=count, per_page=10, first_page=1, next_cursor="c"
    )
    got = (page["page"], page["total_pages"], page["has_next"], page["has_previous"])
    assert got == expected
    assert page["next_cursor"] == ("c" if page["has_next"] else None)
