"""The second step of signing in, and the list of sessions, as a person and an attacker meet them."""

import re
from datetime import datetime, timedelta

import httpx
import pyotp
import pytest

from sightline.api.endpoint import Services
from sightline.console.responses import HOME
from sightline.domain.callers import OrganizationId
from sightline.kit import clock
from sightline.site import create_site
from sightline.store import second_factors
from sightline.store.console_sessions import set_password
from sightline.store.database import Database
from sightline.store.second_factors import CLOSED_FOR, MOST_WRONG_CODES
from tests.console.conftest import AddMember, MakeWorkspace, Workspace
from tests.console.pages import PASSWORD, form_token

SETTINGS = "/console/settings/sign-in"
CODE = "/console/sign-in/code"


class Phone:
    """An authenticator app, and the time that it and the server see."""

    def __init__(self) -> None:
        self.secret = ""
        self.time = clock.now()

    def now(self) -> datetime:
        return self.time

    def code(self) -> str:
        """The next code that has not been used: half a minute passes."""
        self.time += timedelta(seconds=30)
        return self.shown(0)

    def shown(self, drift: int) -> str:
        """The code of the present, or of so many steps from it."""
        app = pyotp.TOTP(self.secret)
        return app.generate_otp(app.timecode(self.time) + drift)


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Phone:
    made = Phone()
    monkeypatch.setattr(second_factors, "now", made.now)
    return made


async def act(client: httpx.AsyncClient, action: str, **fields: str) -> httpx.Response:
    csrf = form_token((await client.get(SETTINGS)).text)
    return await client.post(SETTINGS, data={"csrf": csrf, "action": action, **fields})


async def turn_on(client: httpx.AsyncClient, phone: Phone) -> list[str]:
    """Set the app up as a person does; answers the recovery codes."""
    page = (await act(client, "begin")).text
    assert "<svg" in page
    phone.secret = read_secret(page)
    done = await act(client, "confirm", code=phone.code())
    assert done.status_code == 200, done.text
    return read_codes(done.text)


def read_secret(page: str) -> str:
    found = re.search(r"<code>([A-Z2-7]{32})</code>", page)
    assert found, page
    return found[1]


def read_codes(page: str) -> list[str]:
    return re.findall(r"<li>([A-Z0-9]{4}(?:-[A-Z0-9]{4}){3})</li>", page)


async def password(client: httpx.AsyncClient, email: str = "owner@first.example") -> httpx.Response:
    client.cookies.clear()
    csrf = form_token((await client.get("/console/sign-in")).text)
    fields = {"csrf": csrf, "workspace": "first", "email": email, "password": PASSWORD}
    return await client.post("/console/sign-in", data=fields)


async def give(client: httpx.AsyncClient, code: str) -> httpx.Response:
    csrf = form_token((await client.get(CODE)).text)
    return await client.post(CODE, data={"csrf": csrf, "code": code})


async def is_in(client: httpx.AsyncClient) -> bool:
    return (await client.get("/console/accounts")).status_code == 200


async def test_a_password_alone_lets_nobody_in_once_codes_are_on(
    member: httpx.AsyncClient, phone: Phone
) -> None:
    assert len(set(await turn_on(member, phone))) == 10
    answer = await password(member)
    assert answer.headers["location"] == CODE
    assert not await is_in(member)
    assert "Set up" not in (await member.get(CODE)).text
    for wrong in ("000000", "", "1234567", "abc", "١٢٣٤٥٦"):
        assert (await give(member, wrong)).status_code == 401, wrong
        assert not await is_in(member)
        if wrong == "1234567":
            assert (await give(member, phone.code())).status_code == 303
            assert await is_in(member)
            await password(member)


async def test_a_code_is_used_up(member: httpx.AsyncClient, phone: Phone) -> None:
    await turn_on(member, phone)
    await password(member)
    code = phone.code()
    assert (await give(member, code)).headers["location"] == HOME
    await password(member)
    refused = await give(member, code)
    assert refused.status_code == 401
    assert "was already used" in refused.text
    # An older code that was never used does not count either: the app has moved on.
    assert (await give(member, phone.shown(-1))).status_code == 401
    assert (await give(member, f" {phone.code()} ")).status_code == 303


async def test_a_clock_that_is_a_little_off_does_not_matter(
    member: httpx.AsyncClient, phone: Phone
) -> None:
    await turn_on(member, phone)
    phone.time += timedelta(minutes=10)
    for drift, status in ((2, 401), (-2, 401), (-1, 303), (1, 303)):
        await password(member)
        given = await give(member, phone.shown(drift))
        assert given.status_code == status, drift


async def test_a_recovery_code_signs_in_once(member: httpx.AsyncClient, phone: Phone) -> None:
    codes = await turn_on(member, phone)
    await password(member)
    assert (await give(member, codes[3].lower().replace("-", " "))).status_code == 303
    assert "9 recovery codes left" in (await member.get(SETTINGS)).text
    await password(member)
    assert (await give(member, codes[3])).status_code == 401
    await give(member, codes[4])
    fresh = read_codes((await act(member, "new_codes", code=phone.code())).text)
    assert len(fresh) == 10
    await password(member)
    assert (await give(member, codes[5])).status_code == 401
    assert (await give(member, fresh[5])).status_code == 303


async def test_secrets_and_codes_are_not_kept_in_clear(
    member: httpx.AsyncClient, phone: Phone, workspace: Workspace, database: Database
) -> None:
    codes = await turn_on(member, phone)
    async with database.tenant(workspace.tenant.organization_id) as connection:
        kept = repr(await connection.fetch("SELECT f, c FROM second_factors f, recovery_codes c"))
    assert phone.secret not in kept
    assert not any(code in kept or code.replace("-", "") in kept for code in codes)


async def test_guessing_codes_is_stopped(
    member: httpx.AsyncClient, phone: Phone, workspace: Workspace, database: Database
) -> None:
    await turn_on(member, phone)
    await password(member)
    for _ in range(MOST_WRONG_CODES):
        assert "That code is wrong" in (await give(member, "000000")).text
    closed = await give(member, phone.code())
    assert "Too many wrong codes" in closed.text
    assert not await is_in(member)
    async with database.tenant(workspace.tenant.organization_id) as connection:
        await connection.execute("UPDATE second_factors SET closed_until = now()")
    assert timedelta(minutes=10) < CLOSED_FOR
    assert (await give(member, phone.code())).status_code == 303


async def test_what_waits_for_the_code_ends_with_the_password_and_with_time(
    member: httpx.AsyncClient,
    phone: Phone,
    workspace: Workspace,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await turn_on(member, phone)
    await password(member)
    with monkeypatch.context() as later:
        later.setattr("sightline.console.door.now", lambda: clock.now() + timedelta(minutes=11))
        assert (await member.get(CODE)).headers["location"] == "/console/sign-in"
    csrf = form_token((await member.get(CODE)).text)
    organization_id, user_id = workspace.tenant.organization_id, workspace.tenant.user_id
    async with database.tenant(organization_id) as connection:
        await set_password(connection, user_id, "another")
    late = await member.post(CODE, data={"csrf": csrf, "code": phone.code()})
    assert late.headers["location"] == "/console/sign-in"
    member.cookies.clear()
    member.cookies.set("sightline_second_step", "guessed")
    assert (await member.get(CODE)).headers["location"] == "/console/sign-in"


async def test_an_owner_can_ask_everybody_for_codes(
    member: httpx.AsyncClient, phone: Phone, services: Services, add_member: AddMember
) -> None:
    early = await act(member, "require")
    assert early.status_code == 422
    assert "lock yourself out" in early.text
    await turn_on(member, phone)
    assert (await act(member, "require")).status_code == 303
    assert (await act(member, "off", code=phone.code())).status_code == 422
    await add_member("other@first.example")
    transport = httpx.ASGITransport(app=create_site(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as other:
        assert (await password(other, "other@first.example")).headers["location"] == CODE
        page = (await other.get(CODE)).text
        phone.secret = read_secret(page)
        assert read_secret((await other.get(CODE)).text) == phone.secret
        assert (await give(other, "000000")).status_code == 401
        assert not await is_in(other)
        done = await give(other, phone.code())
        assert len(read_codes(done.text)) == 10
        assert await is_in(other)
        assert (await act(other, "optional")).status_code == 404  # for owners


async def test_codes_are_turned_off_with_a_code(member: httpx.AsyncClient, phone: Phone) -> None:
    await turn_on(member, phone)
    assert (await act(member, "off", code="000000")).status_code == 422
    assert (await act(member, "off", code=phone.code())).status_code == 303
    assert (await password(member)).headers["location"] == HOME


async def test_sessions_are_listed_and_ended(
    member: httpx.AsyncClient,
    workspace: Workspace,
    services: Services,
    make_workspace: MakeWorkspace,
    database: Database,
) -> None:
    await make_workspace("second")
    transport = httpx.ASGITransport(app=create_site(services))
    headers = {"user-agent": "Netscape <b>4</b>"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://sightline.test", headers=headers
    ) as other:
        await password(other)
        page = (await member.get(SETTINGS)).text
        assert "Netscape &lt;b&gt;4&lt;/b&gt;" in page
        assert page.count("This session") == 1
        ids = re.findall(r'name="id" value="([0-9a-f]{64})"', page)
        assert len(ids) == 1
        assert (await act(member, "end", id="zz")).status_code == 404
        await act(member, "end", id=ids[0])
        assert not await is_in(other)
        assert await is_in(member)
        await password(other)
        await act(member, "end_others")
        assert not await is_in(other)
        assert await is_in(member)
    assert await acts(database, workspace.tenant.organization_id) >= {
        "sign_in",
        "end_other_sessions",
    }


async def acts(database: Database, organization_id: OrganizationId) -> set[str]:
    async with database.tenant(organization_id) as connection:
        rows = await connection.fetch("SELECT action FROM audit_log")
    return {row["action"] for row in rows}


async def test_another_user_s_sessions_stay(
    member: httpx.AsyncClient, services: Services, add_member: AddMember, database: Database,
    workspace: Workspace,
) -> None:  # fmt: skip
    await add_member("other@first.example")
    transport = httpx.ASGITransport(app=create_site(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as other:
        await password(other, "other@first.example")
        async with database.tenant(workspace.tenant.organization_id) as connection:
            ids = await connection.fetch("SELECT encode(token_hash, 'hex') FROM console_sessions")
        for row in ids:
            await act(other, "end", id=row[0])
            await password(other, "other@first.example")
        assert await is_in(member)
