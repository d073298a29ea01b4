"""Imports of companies or people: upload, preview, import, undo."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from starlette.datastructures import UploadFile
from starlette.responses import Response

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, answered_page
from sightline.imports.fields import Kind, fields_of
from sightline.imports.preview import Preview
from sightline.imports.uploads import UNUSABLE, look
from sightline.store import import_uploads, work
from sightline.store.import_uploads import Upload

HERE: Final = "/console/imports"
_KINDS: Final[dict[str, Kind]] = {"accounts": "accounts", "contacts": "contacts"}
_PIECE: Final = 1_000_000
_LONGEST: Final = 200
_UNFINISHED: Final = ("queued", "running")
_MOST_SHOWN: Final = 20  # problems of the first rows


async def show(visit: Visit) -> Shown:
    imports, pager = await answered_page(visit, "list_imports")
    live = any(each["state"] in ("running", "undoing") for each in imports)
    return Shown("imports.html", {"imports": imports, "pager": pager, "is_live": live})


async def new(visit: Visit) -> Shown:
    """A form for a file."""
    kind = visit.choice("kind", tuple(_KINDS)) or "accounts"
    return Shown("import_new.html", {"kind": kind, "error": None})


async def upload(visit: Visit) -> Shown | Moved:
    """Keep the file, and go on to what an import would make of it."""
    kind, file = _KINDS.get(visit.form.get("kind", "")), visit.upload
    if kind is None or file is None:
        raise FormIsInvalid
    if not file.size:
        missing = {"kind": kind, "error": "Choose a file that is not empty."}
        return Shown("import_new.html", missing)
    async with visit.writing() as connection:
        upload_id = await import_uploads.store_upload(
            connection,
            _pieces(file),
            kind=kind,
            file_name=(file.filename or "list")[-_LONGEST:].replace("\x00", ""),
            created_by=visit.session.user_id,
        )
    return Moved(f"{HERE}/uploads/{upload_id}")


async def detail(visit: Visit) -> Shown:
    """Before the import what it would make of the list; then its progress; then what came of it."""
    found = await _upload(visit)
    if found.state == "ready":
        return await _preview(visit, found)
    made = None
    if found.state == "finished" and found.outcome:
        made = await visit.run("read_import", path={"import_id": found.outcome["import_id"]})
    live = found.state in _UNFINISHED or (made is not None and made["state"] == "undoing")
    return Shown("import_run.html", {"upload": found, "made": made, "is_live": live})


async def change(visit: Visit) -> Shown | Moved:
    """Look again with other choices, import, try a failed one again, or throw the file away."""
    found = await _upload(visit)
    here = f"{HERE}/uploads/{found.upload_id}"
    organization_id, action = visit.session.organization_id, visit.form.get("action")
    if action not in ("look", "import", "discard", "again"):
        raise FormIsInvalid
    async with visit.writing() as connection:
        if action == "discard":
            await import_uploads.delete_upload(connection, found.upload_id)
            return Moved(HERE)
        options = dict(found.options) if action == "again" else _options(visit.form)
        starts = action in ("import", "again")
        changed = await import_uploads.set_options(connection, found.upload_id, options, run=starts)
        if changed and starts:
            await work.put(
                connection,
                import_uploads.WORK_KIND,
                str(found.upload_id),
                organization_id=organization_id,
            )
    return Moved(here)


async def problems(visit: Visit) -> Response:
    """Rows and values that were not taken, as a CSV file."""
    found = await _upload(visit)
    async with visit.reading() as connection:
        report = await import_uploads.read_problems(connection, found.upload_id)
    if report is None:
        raise NothingHere
    return Response(
        report,
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="problems-{found.upload_id}.csv"'},
    )


async def undo(visit: Visit) -> Moved:
    """Take back what an import made and changed."""
    await visit.run("undo_import", path={"import_id": visit.path_id("import_id")})
    return Moved(HERE, notice="undoing")


async def _upload(visit: Visit) -> Upload:
    async with visit.reading() as connection:
        found = await import_uploads.find_upload(connection, visit.path_id("upload_id"))
    if found is None:
        raise NothingHere
    return found


async def _preview(visit: Visit, found: Upload) -> Shown:
    seen, error = None, None
    try:
        seen = await look(visit.services.database, visit.session.organization_id, found)
        error = seen.refusal
    except UNUSABLE as unusable:
        error = str(unusable)
    names = sorted(fields_of(_KINDS[found.kind]).names)
    return Shown(
        "import_preview.html",
        {
            "upload": found,
            "seen": seen,
            "columns": _columns(seen) if seen else [],
            "fields": names,
            "error": error,
            "most_shown": _MOST_SHOWN,
        },
    )


def _columns(seen: Preview) -> list[dict[str, Any]]:
    """The columns of the file with what each is taken for and its first values."""
    guesses = {guess.column: guess for guess in seen.mapping.guesses} if seen.mapping else {}
    ignored = dict(seen.mapping.ignored) if seen.mapping else {}
    return [
        {
            "name": name,
            "guess": guesses.get(name),
            "ignored": ignored.get(name),
            "values": [each[name] for each in seen.rows if each.get(name)][:3],
        }
        for name in seen.columns
    ]


def _options(form: Mapping[str, str]) -> dict[str, Any]:
    """What was chosen: of the columns those alone whose field differs from the guess."""
    columns = {}
    for key, field in form.items():
        n = key.removeprefix("field:")
        if n != key and (field != form.get(f"guess:{n}", "") or form.get(f"kept:{n}")):
            columns[form.get(f"column:{n}", "")] = field
    chosen: dict[str, Any] = {"columns": columns} if columns else {}
    for name in ("sheet", "encoding", "source_system"):
        if text := form.get(name, "").strip()[:_LONGEST]:
            chosen[name] = text
    return chosen


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(_PIECE):
        yield piece
