"""`migrate` and `doctor`, and the embedded server that commands start for themselves."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.migrate import HEAD
from tests.cli.conftest import Shell
from tests.waiting import LONGEST_SECONDS


def run(url: str, statement: str) -> None:
    async def execute() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(statement)
        await connection.close()

    asyncio.run(execute())


def checks_of(outcome: Any) -> dict[str, dict[str, str]]:
    report = json.loads(outcome.out)
    assert report["ok"] is (outcome.code == 0)
    return {check["name"]: check for check in report["checks"]}


def test_migrate_fills_an_empty_database_and_then_rests(sightline: Shell) -> None:
    name = urlsplit(sightline.url).path[1:] + "_empty"
    run(sightline.url, f"CREATE DATABASE {name}")
    url = urlsplit(sightline.url)._replace(path=f"/{name}").geturl()
    try:
        doctor = checks_of(sightline("doctor", "--json", url=url))
        assert doctor["migrations"]["status"] == "warn"
        first = sightline("migrate", "--json", url=url).json
        assert first == {"from": None, "to": HEAD, "changed": True}
        assert sightline("migrate", "--json", url=url).json["changed"] is False
        assert sightline("migrate", url=url).out == f"The database is at {HEAD} already.\n"
        slugs = sightline.rows("SELECT slug FROM organizations", url=url)
        assert slugs == [{"slug": "default"}]
    finally:
        run(sightline.url, f"DROP DATABASE {name} WITH (FORCE)")


def test_a_newer_database_is_refused(sightline: Shell) -> None:
    run(sightline.url, "UPDATE alembic_version SET version_num = '9999'")
    sightline("migrate").says(4, "newer than this release")
    sightline("org", "list").says(4, "newer than this release")
    outcome = sightline("doctor", "--json")
    assert outcome.code == 1
    assert checks_of(outcome)["migrations"]["status"] == "fail"


def test_a_healthy_installation(sightline: Shell) -> None:
    outcome = sightline("doctor", "--json")
    found = checks_of(outcome)
    assert outcome.code == 0
    assert {name for name, check in found.items() if check["status"] == "fail"} == set()
    assert {
        *("python", "settings", "database", "clock", "migrations", "roles"),
        *("row-level security", "queue", "language model", "encoder", "answers", "redis", "port"),
    } == set(found)
    assert found["encoder"]["status"] == "ok"
    assert "384 dimensions" in found["encoder"]["found"]
    text = sightline("doctor")
    assert text.code == 0
    assert "forced on all" in text.out


def test_doctor_says_that_the_encoder_is_away(
    sightline: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, status in ((f"onnx:{tmp_path}", "warn"), ("openai:x", "warn"), ("none", "ok")):
        monkeypatch.setenv("SIGHTLINE_ENCODER", name)
        monkeypatch.setenv("SIGHTLINE_ENCODER_BASE_URL", "http://127.0.0.1:9/v1")
        check = checks_of(sightline("doctor", "--json"))["encoder"]
        assert check["status"] == status
        assert "words only" in check["advice"] + check["found"]


# What breaks a database, what mends it, the check that notices, a word of what it says.
FAULTS = [
    (
        "ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE accounts FORCE ROW LEVEL SECURITY",
        *("row-level security", "accounts"),
    ),
    (
        "ALTER TABLE users DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE users ENABLE ROW LEVEL SECURITY",
        *("row-level security", "users"),
    ),
    (
        "CREATE TABLE leaky (organization_id uuid)",
        "DROP TABLE leaky",
        *("row-level security", "leaky"),
    ),
    (
        "ALTER TABLE clock RENAME TO gone",
        "ALTER TABLE gone RENAME TO clock",
        *("queue", "clock"),
    ),
    (
        "UPDATE alembic_version SET version_num = '0001'",
        f"UPDATE alembic_version SET version_num = '{HEAD}'",
        *("migrations", "0001"),
    ),
    (
        "ALTER TABLE companies OWNER TO sightline_app",
        "ALTER TABLE companies OWNER TO CURRENT_USER",
        *("roles", "sightline_app"),
    ),
    ("DROP POLICY tenant ON api_keys", "SELECT 1", *("row-level security", "api_keys")),
]


def test_doctor_names_sources_that_fail_and_documents_that_are_not_read(sightline: Shell) -> None:
    why = "Wikidata: the name www.wikidata.org cannot be found from this machine."
    run(
        sightline.url,
        "INSERT INTO source_states (source, sync_status, last_sync_at, last_error)"
        f" VALUES ('wikidata', 'failed', now(), '{why}')",
    )
    run(
        sightline.url,
        "INSERT INTO parser_deaths (url, sha256, parser, source, deaths, reason)"
        " VALUES ('https://tarn.example/', 'x', 1, 'website', 2, 'time')",
    )
    outcome = sightline("doctor", "--json")
    assert outcome.code == 0, "warnings alone"
    found = checks_of(outcome)
    assert why in found["source"]["found"]
    assert "sources" in found["source"]["advice"]
    assert found["quarantine"]["found"].startswith("1 document")
    assert "sources retry" in found["quarantine"]["advice"]


def test_doctor_finds_what_is_wrong(sightline: Shell) -> None:
    run(sightline.url, "GRANT CREATE ON SCHEMA public TO sightline_app")
    for fault, remedy, name, word in FAULTS:
        run(sightline.url, fault)
        outcome = sightline("doctor", "--json")
        assert outcome.code == 1, fault
        found = checks_of(outcome)
        assert {each for each, check in found.items() if check["status"] == "fail"} == {name}
        assert word in found[name]["found"]
        assert found[name]["advice"]
        run(sightline.url, remedy)


def test_doctor_says_that_no_database_answers(sightline: Shell) -> None:
    outcome = sightline("doctor", "--json", url="postgresql://u:hidden@127.0.0.1:9/d")
    assert outcome.code == 1
    found = checks_of(outcome)
    assert found["database"]["status"] == "fail"
    assert "hidden" not in outcome.out
    sightline("migrate", url="postgresql://u:hidden@127.0.0.1:9/d").says(
        4, "127.0.0.1:9 cannot be reached"
    )


def test_doctor_reads_wrong_settings(sightline: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGHTLINE_PORT", "zero")
    monkeypatch.setenv("SIGHTLINE_POOL_SIZE", "1")
    outcome = sightline("doctor", "--json")
    assert outcome.code == 1
    found = checks_of(outcome)["settings"]["found"]
    assert "port: it must be a whole number" in found
    assert "pool_size: it must be at least" in found
    assert "Input" not in found, "the words of a library"
    sightline("org", "list").says(3, "port:", "pool_size:")
    sightline("restore", "x", "--replace").says(3, "port:", "pool_size:")


def sightline_of(data_dir: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")
    }
    return subprocess.run(
        [sys.executable, "-m", "sightline", *words, "--data-dir", str(data_dir)],
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
        env=environment,
    )


def test_commands_bring_their_own_server_or_join_the_one_that_runs(tmp_path: Path) -> None:
    data_dir = tmp_path / "a folder"
    fresh = sightline_of(data_dir, "doctor", "--json")
    assert fresh.returncode == 0, fresh.stderr
    assert not data_dir.exists()

    assert sightline_of(data_dir, "migrate").returncode == 0
    made = sightline_of(data_dir, "keys", "create", "--name", "n", "--scope", "*", "--json")
    assert made.returncode == 0, made.stderr
    server = EmbeddedPostgres(data_dir)
    assert server.was_stopped_cleanly()
    assert not (server.layout.cluster / "postmaster.pid").exists()
    with server:
        listed = sightline_of(data_dir, "keys", "list", "--json")
        assert listed.returncode == 0, listed.stderr
        assert server.is_running()
    assert [row["id"] for row in json.loads(listed.stdout)] == [json.loads(made.stdout)["id"]]
