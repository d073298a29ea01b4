"""Files are read in a process that can be killed, and progress is reported with the known size."""

import asyncio
import json
import os
import signal
import time
from contextlib import aclosing
from pathlib import Path

import openpyxl
import pytest

from sightline.domain.callers import OrganizationId
from sightline.imports import spool as spooling
from sightline.imports.reader import open_list
from sightline.imports.rows import FileIsNotReadable
from sightline.imports.run import import_accounts, import_contacts
from sightline.imports.spool import (
    READERS,
    ImportOptions,
    _read_chunk,
    read_in_process,
    spool,
    spool_file,
)
from sightline.kit.ids import new_id
from sightline.store.database import Database
from sightline.store.imports import begin_import, read_import, record_progress
from tests.waiting import until


def spin(_path: Path) -> None:
    """Stands for a reader that never ends."""
    while True:
        time.process_time()


def hoard(_path: Path) -> int:
    """Stands for a reader that wants all memory there is."""
    return len(bytearray(4 * 1024**3))


def die_behind_the_first(target: Path, begin: int, reader: object) -> object:
    """Stands for a row that crashes its reader."""
    if begin:
        os.kill(os.getpid(), signal.SIGSEGV)
    return _read_chunk(target, begin, reader)  # type: ignore[arg-type]


def listed(folder: Path, rows: int = 25) -> Path:
    path = folder / "list.csv"
    path.write_text(
        "Company,Website\n" + "".join(f"Firm {n},firm-{n}.example\n" for n in range(rows))
    )
    return path


@pytest.mark.parametrize(("reader", "why"), [(spin, "processor time"), (hoard, "too much memory")])
def test_a_reader_that_takes_too_much_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: object, why: str
) -> None:
    monkeypatch.setattr(spooling, "_SECONDS", 1.0)
    with pytest.raises(FileIsNotReadable, match=f"list.csv was not read: reading it took .*{why}"):
        read_in_process(reader, listed(tmp_path))  # type: ignore[arg-type]


async def test_the_process_that_imports_opens_no_file(
    database: Database,
    organization: OrganizationId,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the file was read in this process")

    monkeypatch.setattr(spooling, "open_list", never)
    monkeypatch.setattr(openpyxl, "load_workbook", never)
    assert open_list is not never
    summary = await import_accounts(database, organization, listed(tmp_path))
    assert summary.created == 25
    people = tmp_path / "people.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["Name", "Email"])
    book.active.append(["Mira Tanaka", "mira@harbor.example"])
    book.save(people)
    assert (await import_contacts(database, organization, people)).created == 1


async def test_a_cancelled_import_leaves_no_reader(tmp_path: Path) -> None:
    with spool_file() as target:

        async def reads() -> bool:
            return target.stat().st_size > 0

        reading = asyncio.create_task(
            spool(listed(tmp_path, 200_000), target, kind="accounts", options=ImportOptions())
        )
        await until(reads)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    assert READERS.pids == ()


async def test_one_chunk_is_read_while_another_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    run = READERS.run

    async def counted(
        function: object, path: Path, begin: int, *rest: object, **limits: float
    ) -> object:
        begun.append(begin)
        return await run(function, path, begin, *rest, **limits)  # type: ignore[arg-type]

    with spool_file() as target:
        options = ImportOptions(chunk_rows=5)
        read = await spool(listed(tmp_path), target, kind="accounts", options=options)
        monkeypatch.setattr(READERS, "run", counted)
        sizes = []
        async with aclosing(read.chunks()) as chunks:
            async for chunk in chunks:
                await asyncio.sleep(0.05)
                sizes.append(chunk.size)
                assert len(begun) == min(len(sizes) + 1, 5)
    assert sizes == [5] * 5
    assert begun == read.head.begins


async def test_a_reader_that_dies_leaves_the_chunks_before(
    database: Database,
    organization: OrganizationId,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, options = listed(tmp_path), ImportOptions(chunk_rows=10)
    with monkeypatch.context() as patched:
        patched.setattr(spooling, "_read_chunk", die_behind_the_first)
        with pytest.raises(
            FileIsNotReadable, match=r"list.csv was not read beyond row 10: .*crash"
        ):
            await import_accounts(database, organization, path, options=options)
    summary = await import_accounts(database, organization, path, options=options)
    assert (summary.resumed_after, summary.created, summary.rows) == (10, 25, 25)


async def test_progress_has_the_size_from_the_start(
    database: Database, organization: OrganizationId, tmp_path: Path
) -> None:
    reported: list[tuple[int, int]] = []
    await import_accounts(
        database,
        organization,
        listed(tmp_path),
        options=ImportOptions(chunk_rows=10),
        progress=lambda rows, total: reported.append((rows, total)),
    )
    assert reported == [(0, 25), (10, 25), (20, 25), (25, 25)]


async def test_an_import_says_how_much_is_left(
    database: Database, organization: OrganizationId
) -> None:
    async with database.tenant(organization) as connection:
        begun = await begin_import(
            connection,
            kind="accounts",
            file_name="list.csv",
            file_sha256=new_id().bytes,
            options={},
            rows=200,
        )
        fresh = await read_import(connection, begun.import_id)
        await connection.execute(
            "UPDATE imports SET started_at = started_at - interval '30 seconds'"
            " WHERE organization_id = $1 AND import_id = $2",
            organization,
            begun.import_id,
        )
        after = type(begun)(begun.import_id, 50, 50, 0, 0, 0)
        await record_progress(connection, before=begun, after=after)
        running = await read_import(connection, begun.import_id)
    assert fresh is not None
    assert running is not None
    first, later = json.loads(fresh), json.loads(running)
    assert (first["percent"], first["seconds_left"]) == (0, None)
    assert (later["rows"], later["rows_total"], later["percent"]) == (50, 200, 25)
    assert later["seconds_left"] == 90


async def test_money_of_another_currency_says_by_which_rate(
    database: Database, organization: OrganizationId, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_text("Firma,Umsatz (EUR)\nOro GmbH,40 Mio\nUno GmbH,200 Mio\n")
    summary = await import_accounts(database, organization, path)
    assert summary.unrecognised == {}
    (note,) = summary.notes
    assert note.startswith("Bands of 'Umsatz (EUR)' in EUR are by 1 EUR = ")
    assert note.endswith("(European Central Bank).")
