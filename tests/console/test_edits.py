"""An account's own values and contacts, set and taken away in the console."""

import html
import re

import httpx

from tests.console.conftest import MakeWorkspace, Workspace
from tests.console.pages import form_token

CONTACTS = "/console/contacts"


async def send(client: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    csrf = form_token((await client.get("/console/accounts/new")).text)
    return await client.post(path, data={"csrf": csrf, **fields})


def form_of(page: str) -> dict[str, str]:
    """The inputs and selects of a page's form, as a browser would send them."""
    fields = dict(re.findall(r'<input name="(\w+)" value="([^"]*)"', page))
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    return {name: html.unescape(value) for name, value in fields.items()}


async def test_own_values_are_set_and_taken_away(
    member: httpx.AsyncClient, workspace: Workspace, make_workspace: MakeWorkspace
) -> None:
    path = f"/console/companies/{workspace.companies[1]}/edit"
    form = form_of((await member.get(path)).text) | {"description": "A maker of arms."}
    assert form["company_name"] == "First Company 01"
    saved = await send(
        member, path, **(form | {"full_time_employees": "1,250", "tags": "partner, arms"})
    )
    assert saved.status_code == 303
    page = (await member.get("/console/accounts?employees_min=1000&col=tags")).text
    assert "First Company 01" in page
    assert "partner, arms" in page
    refused = await send(member, path, **(form | {"country": "Atlantis"}))
    assert refused.status_code == 422
    assert "Unknown country" in refused.text
    emptied = form_of((await member.get(path)).text) | {"tags": "", "description": "Arms."}
    await send(member, path, **emptied)
    assert "partner" not in (await member.get("/console/accounts?col=tags")).text
    other = await make_workspace("second")
    foreign = f"/console/companies/{other.companies[1]}/edit"
    assert (await member.get(foreign)).status_code == 404
    assert (await send(member, foreign, **form)).status_code == 404


async def test_a_contact_is_added_changed_and_erased(member: httpx.AsyncClient) -> None:
    assert (await send(member, f"{CONTACTS}/new", action="save")).status_code == 422
    made = await send(
        member,
        f"{CONTACTS}/new",
        full_name="Mira Tanaka",
        emails="mira@harbor.example, m.tanaka@harbor.example",
        company="Harbor Foods",
    )
    assert made.status_code == 303
    path = made.headers["location"].partition("?")[0]
    form = form_of((await member.get(path)).text)
    assert form["emails"] == "mira@harbor.example, m.tanaka@harbor.example"
    changed = form | {"current_job_title": "VP Sales", "emails": "mira@harbor.example"}
    assert (await send(member, path, action="save", **changed)).status_code == 303
    page = (await member.get(path)).text
    assert "VP Sales" in page
    assert "m.tanaka" not in page
    file = await send(member, f"{CONTACTS}/export", format="csv")
    assert "Mira Tanaka" in file.text
    assert (await send(member, path, action="explode")).status_code == 403
    assert (await send(member, path, action="erase")).status_code == 303
    assert (await member.get(path)).status_code == 404
    again = await send(member, f"{CONTACTS}/new", emails="mira@harbor.example")
    assert again.status_code == 422
