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
    erased = await send(member, path, action="erase")
    assert erased.headers["location"].endswith("notice=person_erased")
    assert (await member.get(path)).status_code == 404
    again = await send(member, f"{CONTACTS}/new", emails="mira@harbor.example")
    assert again.status_code == 422


async def test_colleagues_note_on_an_account(
    member: httpx.AsyncClient, workspace: Workspace, make_workspace: MakeWorkspace
) -> None:
    company = f"/console/companies/{workspace.companies[1]}"
    notes = f"{company}/notes"
    for fields in (
        {"action": "note", "text": "Met <b>their</b> buyer"},
        {"action": "next_step", "text": "Send the offer", "due_on": "2026-12-01"},
        {"action": "owner", "owner": workspace.email},
    ):
        assert (await send(member, notes, **fields)).status_code == 303, fields
    page = (await member.get(company)).text
    assert "Met &lt;b&gt;their&lt;/b&gt; buyer" in page
    assert "1 Dec 2026" in page
    shown = (await member.get(f"{company}/activity?kind=note")).text
    for said in ("Met &lt;b&gt;their", "Next step: Send the offer", f"Owner: {workspace.email}"):
        assert said in shown, said
    (note,) = re.findall(r'name="note" value="([^"]+)"', page)
    assert (await send(member, notes, action="delete", note=note)).status_code == 303
    await send(member, notes, action="next_step", text="")
    page = (await member.get(company)).text
    assert "buyer" not in page
    assert "Send the offer" not in page
    assert (await send(member, notes, action="note", text=" ")).status_code == 400
    assert (await send(member, notes, action="read")).status_code == 403
    other = await make_workspace("second")
    foreign = f"/console/companies/{other.companies[1]}/notes"
    assert (await send(member, foreign, action="note", text="x")).status_code == 404
