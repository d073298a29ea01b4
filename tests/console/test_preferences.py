"""Theme and time zone of the person at the browser, and the page of components."""

import re

import httpx
import pytest

from sightline.console.icons import names
from sightline.console.navigation import GROUPS
from sightline.console.render import browser, day, moment, templates
from sightline.console.viewer import UTC, VIEWER, Viewer, viewer_of
from sightline.store.database import Database
from tests.console.conftest import Workspace
from tests.console.pages import form_token


async def choose(client: httpx.AsyncClient, **given: str) -> httpx.Response:
    csrf = form_token((await client.get("/console/preferences")).text)
    return await client.post("/console/preferences", data={"csrf": csrf, **given})


async def test_a_theme_is_kept_and_the_person_stays_where_they_were(
    member: httpx.AsyncClient,
) -> None:
    assert "data-theme" not in (await member.get("/console/alerts")).text
    answer = await choose(member, theme="dark", back="/console/alerts?status=new")
    assert (answer.status_code, answer.headers["location"]) == (303, "/console/alerts?status=new")
    assert 'data-theme="dark"' in (await member.get("/console/alerts")).text
    await choose(member, theme="")
    assert "data-theme" not in (await member.get("/console/alerts")).text


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
async def test_a_form_leads_nowhere_else(member: httpx.AsyncClient, back: str) -> None:
    answer = await choose(member, theme="light", back=back)
    assert answer.headers["location"] == "/console/preferences"


async def test_what_does_not_exist_is_refused(member: httpx.AsyncClient) -> None:
    assert (await choose(member, theme="mauve")).status_code == 403
    assert (await choose(member, zone="../../etc/passwd")).status_code == 403


async def test_times_are_in_the_chosen_zone(member: httpx.AsyncClient) -> None:
    await choose(member, zone="Asia/Tokyo")
    assert "Time zone: Asia/Tokyo" in (await member.get("/console/alerts")).text
    token = VIEWER.set(viewer_of({"sightline_zone": "Asia/Tokyo"}))
    assert moment("2026-03-04T20:30:00Z") == "5 Mar 2026, 05:30 JST"
    VIEWER.reset(token)
    assert moment("2026-03-04T20:30:00Z") == "4 Mar 2026, 20:30 UTC"


def test_cookies_of_others_are_not_believed() -> None:
    assert viewer_of({"sightline_theme": '"><script>', "sightline_zone": "/etc/passwd"}) == Viewer()
    assert viewer_of({"sightline_zone": "\x00"}).zone is UTC


async def test_components_are_shown_to_admins(
    member: httpx.AsyncClient, workspace: Workspace, database: Database
) -> None:
    page = await member.get("/console/design")
    assert page.status_code == 200
    assert all(f"</svg> {name}</span>" in page.text for name in names())
    tenant = workspace.tenant
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute(
            "UPDATE users SET role = 'member' WHERE organization_id = $1 AND user_id = $2",
            tenant.organization_id,
            tenant.user_id,
        )
    assert (await member.get("/console/design")).status_code == 404


def test_every_place_has_its_icon() -> None:
    assert {place.icon for _, places in GROUPS for place in places} <= set(names())


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
            "Firefox on Linux",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1",
            "Safari on iPhone",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        (None, "Unknown browser"),
    ],
)
def test_a_session_is_named_by_its_browser(agent: str | None, shown: str) -> None:
    assert browser(agent) == shown


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ({"occurred_at": "2025-03-05T12:00:00Z"}, "5 Mar 2025"),
        ({"source": {"published_at": "2025-03-05T12:00:00Z"}}, "reported 5 Mar 2025"),
        ({"source": None, "detected_at": "2025-03-06T12:00:00Z"}, "detected 6 Mar 2025"),
    ],
)
def test_an_event_without_a_day_shows_when_it_was_reported(
    times: dict[str, object], words: str
) -> None:
    shown = templates().from_string(
        '{% import "components/ui.html" as ui %}{{ ui.happened(event) }}'
    )
    assert re.sub("<[^>]*>", "", shown.render(event=times)) == words


@pytest.mark.parametrize(
    ("precision", "words"),
    [
        ("day", "1 Mar 2025"),
        ("month", "Mar 2025"),
        ("year", "2025"),
        ("reported", "reported 1 Mar 2025"),
    ],
)
def test_a_day_is_shown_as_far_as_it_is_known(precision: str, words: str) -> None:
    assert day("2025-03-01", precision) == words
