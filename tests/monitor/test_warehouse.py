"""The export for a warehouse, read back by DuckDB: what changed, once and whole; no one suppressed."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import httpx
import pytest
from obstore.store import MemoryStore, from_url

from sightline.api.endpoints import BASE_PATH
from sightline.domain.callers import OrganizationId
from sightline.kit.fetch.client import FetcherConfig
from sightline.kit.secrets import SecretBox
from sightline.monitor import warehouse
from sightline.monitor.warehouse import (
    Bucket,
    Folder,
    Place,
    export_all,
    export_changes,
    open_place,
)
from sightline.store.database import Database
from sightline.store.organizations import slug_of
from sightline.worker import WorkerConfig, schedules
from tests.api.accounts_data import RECORDS, add_accounts
from tests.conftest import Tenant
from tests.monitor.conftest import add_signal
from tests.waiting import eventually, free_port

NO_LAG = timedelta(0)


def read(folder: Path, table: str, columns: str = "*") -> list[tuple[Any, ...]]:
    return duckdb.sql(f"SELECT {columns} FROM '{folder}/{table}/*.parquet'").fetchall()


@pytest.fixture
async def companies(database: Database, tenant: Tenant) -> list[UUID]:
    added = await add_accounts(database, tenant.organization_id, RECORDS)
    return [each.company_id for each in added]


async def export(database: Database, tenant: Tenant, place: Place) -> dict[str, int]:
    return await export_changes(database, tenant.organization_id, place, lag=NO_LAG)


async def add_contact(client: httpx.AsyncClient, company_id: UUID, name: str) -> str:
    body = {"full_name": name, "company_id": str(company_id), "emails": [f"{name}@first.example"]}
    made = await client.post(f"{BASE_PATH}/contacts", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def test_duckdb_reads_what_changed(
    client: httpx.AsyncClient, database: Database, worker: Database, tenant: Tenant,
    companies: list[UUID], tmp_path: Path,
) -> None:  # fmt: skip
    await add_signal(worker, companies[0])
    await add_contact(client, companies[0], "ida")
    place = Folder(tmp_path)
    first = await export(database, tenant, place)
    assert first == {"accounts": len(RECORDS), "contacts": 1, "signals": 1, "postings": 0}
    names = {row[0] for row in read(tmp_path, "accounts", "company_name")}
    assert names == {record["company_name"] for record in RECORDS}
    assert await export(database, tenant, place) == dict.fromkeys(first, 0)
    async with database.tenant(tenant.organization_id) as connection:
        await connection.execute(
            "UPDATE accounts SET company_name = 'Renamed', updated_at = clock_timestamp()"
            " WHERE company_id = $1",
            companies[0],
        )
    assert (await export(database, tenant, place))["accounts"] == 1
    latest = duckdb.sql(
        f"SELECT company_name FROM '{tmp_path}/accounts/*.parquet'"
        " QUALIFY row_number() OVER (PARTITION BY id ORDER BY changed_at DESC) = 1"
    ).fetchall()
    assert len(latest) == len(RECORDS)
    assert ("Renamed",) in latest
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert len(manifest["tables"]["accounts"]["files"]) == 2
    assert manifest["tables"]["signals"]["columns"]["occurred_at"].startswith("timestamp")


async def test_who_is_suppressed_is_not_exported(
    client: httpx.AsyncClient, database: Database, tenant: Tenant, companies: list[UUID],
    tmp_path: Path,
) -> None:  # fmt: skip
    early = await add_contact(client, companies[0], "ida")
    place = Folder(tmp_path)
    await export(database, tenant, place)
    late = await add_contact(client, companies[0], "olga")
    listed = await client.post(
        f"{BASE_PATH}/suppressions",
        json={"items": [{"email": "ida@first.example"}, {"email": "olga@first.example"}]},
    )
    assert listed.status_code < 300, listed.text
    assert (await export(database, tenant, place))["contacts"] == 0
    assert late not in {row[0] for row in read(tmp_path, "contacts", "id")}
    hidden = duckdb.sql(f"SELECT id FROM '{tmp_path}/suppressed_contacts.parquet'").fetchall()
    assert {row[0] for row in hidden} == {early, late}
    assert b"olga" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.parquet"))


async def test_an_export_that_is_killed_is_run_again(
    database: Database, worker: Database, tenant: Tenant, companies: list[UUID], tmp_path: Path
) -> None:
    class Dies(Folder):
        """Ends after the first file, with half of the next one written."""

        def put(self, name: str, file: Path) -> None:
            if not name.startswith("accounts/"):
                (tmp_path / "signals").mkdir()
                (tmp_path / "signals/.x.parquet.partial").write_bytes(b"PAR1")
                raise OSError("killed")
            super().put(name, file)

    await add_signal(worker, companies[0])
    with pytest.raises(OSError, match="killed"):
        await export(database, tenant, Dies(tmp_path))
    again = await export(database, tenant, Folder(tmp_path))
    assert again == {"accounts": 0, "contacts": 0, "signals": 1, "postings": 0}
    assert len(read(tmp_path, "accounts", "id")) == len(RECORDS)
    assert len(read(tmp_path, "signals", "id")) == 1


async def test_a_bucket_holds_the_same(
    database: Database, tenant: Tenant, companies: list[UUID]
) -> None:
    store = MemoryStore()
    place = Bucket(store)
    assert (await export(database, tenant, place))["accounts"] == len(RECORDS)
    assert (await export(database, tenant, place))["accounts"] == 0
    paths = {item["path"] for page in store.list() for item in page}
    assert {"manifest.json", "suppressed_contacts.parquet"} < paths
    assert len(place.names("accounts")) == 1


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of a server that speaks S3 (`pip install "moto[server]"` puts its command on the path)."""
    command = shutil.which("moto_server")
    if command is None:
        pytest.skip("NOT RUN: moto_server is not on the path, so no S3 was tried.")
    address = f"http://127.0.0.1:{(port := free_port())}"
    server = subprocess.Popen(
        [command, "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def is_made() -> bool:
        try:
            return httpx.put(f"{address}/warehouse").status_code == 200
        except httpx.HTTPError:
            return False

    try:
        assert eventually(is_made)
        for name, value in (
            ("AWS_ENDPOINT", address),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_ACCESS_KEY_ID", "any"),
            ("AWS_SECRET_ACCESS_KEY", "any"),
            ("AWS_REGION", "us-east-1"),
        ):
            monkeypatch.setenv(name, value)
        yield "s3://warehouse/here"
    finally:
        server.terminate()
        server.wait()


async def test_a_bucket_of_s3_holds_the_same(
    database: Database, tenant: Tenant, companies: list[UUID], s3: str, tmp_path: Path
) -> None:
    place = await asyncio.to_thread(open_place, s3)
    assert (await export(database, tenant, place))["accounts"] == len(RECORDS)
    again = await asyncio.to_thread(open_place, s3)
    assert (await export(database, tenant, again))["accounts"] == 0
    (name,) = again.names("accounts")
    copied = tmp_path / "accounts" / name
    copied.parent.mkdir()
    copied.write_bytes(from_url(s3).get(f"accounts/{name}").bytes())
    assert len(read(tmp_path, "accounts", "id")) == len(RECORDS)


async def test_rows_of_another_organization_stay_out(
    database: Database, make_tenant: Any, tenant: Tenant, companies: list[UUID], tmp_path: Path
) -> None:
    other: OrganizationId = (await make_tenant("second")).organization_id
    counts = await export_changes(database, other, Folder(tmp_path), lag=NO_LAG)
    assert set(counts.values()) == {0}


async def test_the_worker_writes_every_organization_into_its_own_folder(
    worker: Database, database: Database, make_tenant: Any, tenant: Tenant, companies: list[UUID],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    second: OrganizationId = (await make_tenant("second")).organization_id
    await add_accounts(database, second, RECORDS[:1])
    async with database.tenant(tenant.organization_id) as connection:
        first = await slug_of(connection)
    real = warehouse.open_place

    def away(where: str) -> Place:
        if where.endswith(f"/{first}"):
            raise OSError("The disk is gone.")
        return real(where)

    monkeypatch.setattr(warehouse, "open_place", away)
    await export_all(worker, f"{tmp_path}/", lag=NO_LAG)
    assert not (tmp_path / first).exists()
    assert len(read(tmp_path / "second", "accounts", "id")) == 1
    monkeypatch.undo()
    for _ in range(2):
        await export_all(worker, str(tmp_path), lag=NO_LAG)
    assert len(read(tmp_path / first, "accounts", "id")) == len(RECORDS)
    assert len(read(tmp_path / "second", "accounts", "id")) == 1
    async with database.tenant(tenant.organization_id) as connection:
        acts = await connection.fetch("SELECT actor FROM audit_log WHERE subject = 'changes'")
    assert [row["actor"] for row in acts] == ["worker"]


async def test_it_is_on_the_clock_where_the_operator_names_a_place(tmp_path: Path) -> None:
    fetcher = FetcherConfig()
    config = WorkerConfig("", 1, 1.0, fetcher, SecretBox(bytes(32)), 1, 1, 30)
    assert "export_changes" not in schedules(config)
    chosen = replace(config, export_to=str(tmp_path), export_hours=6)
    assert schedules(chosen)["export_changes"].minutes == 6 * 60


async def test_what_may_still_be_written_waits(
    database: Database, tenant: Tenant, companies: list[UUID], tmp_path: Path
) -> None:
    counts = await export_changes(database, tenant.organization_id, Folder(tmp_path))
    assert counts["accounts"] == 0
    assert timedelta(minutes=5) < warehouse.LAG
