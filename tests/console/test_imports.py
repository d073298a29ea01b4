"""A list brought in by upload: looked at, mapped, imported by a worker, undone."""

import re

import httpx
import pytest

from sightline.imports import undo, uploads
from sightline.queue.runner import Runner
from sightline.store import import_uploads, imports
from sightline.store.database import Database, open_database
from tests.console.conftest import MakeWorkspace, Workspace
from tests.console.pages import form_token

NEW = "/console/imports/new"
LIST = (
    b"Firm;Web;Staff;Land\n"
    b"Harbor Foods;harbor-foods.example;120;Germany\n"
    b"Quill Paper;quill-paper.example;80;France\n"
    b";;7;Spain\n"
)


async def upload(client: httpx.AsyncClient, content: bytes, name: str = "firms.csv") -> str:
    """The address of the preview of an uploaded list."""
    csrf = form_token((await client.get(NEW)).text)
    answer = await client.post(
        NEW, data={"csrf": csrf, "kind": "accounts"}, files={"file": (name, content, "text/csv")}
    )
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def press(client: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    csrf = form_token((await client.get(NEW)).text)
    return await client.post(path, data={"csrf": csrf, **fields})


async def work(database_url: str) -> None:
    """What a worker does with uploads, to the end of the queue."""
    database: Database = await open_database(database_url, role="sightline_worker", size=4)

    async def run_upload(item: object) -> None:
        await uploads.run_upload(database, item)  # type: ignore[arg-type]

    async def run_undo(item: object) -> None:
        await undo.run_undo(database, item)  # type: ignore[arg-type]

    try:
        await Runner(
            database=database,
            handlers={import_uploads.WORK_KIND: run_upload, imports.UNDO: run_undo},
            slots=1,
            per_organization=1,
        ).run_all()
    finally:
        await database.close()


async def test_a_list_is_uploaded_mapped_imported_and_undone(
    member: httpx.AsyncClient, workspace: Workspace, database_url: str
) -> None:
    preview = await upload(member, LIST)
    page = (await member.get(preview)).text
    assert "Harbor Foods" in page
    chosen = dict(re.findall(r'<select name="(field:\d)".*?value="([^"]*)" selected', page))
    assert chosen["field:1"] == "company_name"

    # A column that is ignored stays ignored when the page is shown again.
    fields = {f"column:{n}": name for n, name in enumerate(("Firm", "Web", "Staff", "Land"), 1)}
    guesses = {f"guess:{n}": chosen.get(f"field:{n}", "") for n in range(1, 5)}
    picked = {f"field:{n}": chosen.get(f"field:{n}", "") for n in range(1, 5)} | {"field:4": ""}
    await press(member, preview, action="look", **fields, **guesses, **picked)
    again = (await member.get(preview)).text
    assert "field:4" not in dict(
        re.findall(r'<select name="(field:\d)"[^>]*><option[^>]*>Ignore</option>'
                   r'(?:<option value="[^"]*">[^<]*</option>)*<option value="([^"]*)" selected', again)
    )  # fmt: skip
    assert 'name="kept:4"' in again

    await press(member, preview, action="import", **fields, **guesses, **picked)
    waiting = (await member.get(preview)).text
    assert "Waiting for a worker" in waiting
    assert 'data-poll="1"' in waiting
    await work(database_url)
    done = (await member.get(preview)).text
    assert re.search(r"Created</p><p class=\"tile-number\">2<", done)
    problems = await member.get(f"{preview}/problems")
    assert "row skipped" in problems.text
    assert "32 in this workspace" in (await member.get("/console/accounts")).text
    assert (await member.get("/console/accounts?q=harbor+foods&country=DE")).text.count(
        "Harbor Foods"
    ) == 0

    listed = (await member.get("/console/imports")).text
    import_id = re.search(r'action="/console/imports/([^/"]+)/undo"', listed)
    assert import_id
    await press(member, f"/console/imports/{import_id[1]}/undo")
    await work(database_url)
    assert "30 in this workspace" in (await member.get("/console/accounts")).text
    assert "Undone" in (await member.get("/console/imports")).text


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"Colour;Shoe\nred;7\n", "column"), (b"\x00\x01\x02\xff" * 500, "binary")],
)
async def test_a_list_that_cannot_be_used_says_why(
    member: httpx.AsyncClient, content: bytes, says: str
) -> None:
    page = await member.get(await upload(member, content))
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert says in page.text
    assert 'value="import"' not in page.text


async def test_what_is_no_upload_is_refused(member: httpx.AsyncClient) -> None:
    csrf = form_token((await member.get(NEW)).text)
    file = {"file": ("a.csv", LIST, "text/csv")}
    for fields, status in (
        ({"csrf": csrf, "kind": "shoes"}, 403),
        ({"csrf": "no", "kind": "accounts"}, 403),
    ):
        refused = await member.post(NEW, data=fields, files=file)
        assert refused.status_code == status, fields
    empty = await member.post(
        NEW, data={"csrf": csrf, "kind": "accounts"}, files={"file": ("a.csv", b"", "text/csv")}
    )
    assert empty.status_code == 422
    # Other pages take no files.
    elsewhere = await member.post("/console/lists", data={"csrf": csrf, "name": "x"}, files=file)
    assert elsewhere.status_code == 403


async def test_uploads_of_others_are_not_there(
    member: httpx.AsyncClient, make_workspace: MakeWorkspace, database: Database
) -> None:
    other = await make_workspace("second")

    async def parts():  # type: ignore[no-untyped-def]
        yield LIST

    async with database.tenant(other.tenant.organization_id) as connection:
        upload_id = await import_uploads.store_upload(
            connection,
            parts(),
            kind="accounts",
            file_name="secret.csv",
            created_by=other.tenant.user_id,
        )
    path = f"/console/imports/uploads/{upload_id}"
    assert (await member.get(path)).status_code == 404
    assert (await member.get(f"{path}/problems")).status_code == 404
    assert (await press(member, path, action="import")).status_code == 404
