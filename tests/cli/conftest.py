"""Commands run in this process, on a real database of each test's own."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from typer.testing import CliRunner

from sightline.cli.commands import app


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    def says(self, code: int, *words: str) -> None:
        """It failed with this code and one line of error with these words in it."""
        assert self.code == code, self.err
        assert self.out == ""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("Error: ")
        assert "Traceback" not in self.err
        for word in words:
            assert word in lines[0]


@dataclass(frozen=True)
class Shell:
    """Runs commands against the database at `url`, and looks at what became of it."""

    url: str
    folder: Path
    initial_credits: int = 0  # balances are those that a test grants

    def __call__(self, *words: str, input: str | None = None, url: str | None = None) -> Outcome:
        environment = {
            "SIGHTLINE_DATABASE_URL": url or self.url,
            "SIGHTLINE_DATA_DIR": str(self.folder / "data"),
            "SIGHTLINE_INITIAL_CREDITS": str(self.initial_credits),
        }
        result = CliRunner(env=environment).invoke(app, list(words), input=input)
        return Outcome(result.exit_code, result.stdout, result.stderr)

    def rows(self, sql: str, *values: object, url: str | None = None) -> list[dict[str, Any]]:
        """Rows as the owner sees them, of every organization."""

        async def fetch() -> list[dict[str, Any]]:
            connection = await asyncpg.connect(url or self.url)
            try:
                return [dict(row) for row in await connection.fetch(sql, *values)]
            finally:
                await connection.close()

        return asyncio.run(fetch())

    def acts(self, org: str = "default") -> list[tuple[str, str]]:
        """(action, kind of subject) of an organization's audit log, oldest first."""
        found = self.rows(
            "SELECT action, subject, actor FROM audit_log JOIN organizations USING (organization_id) "
            "WHERE slug = $1 ORDER BY audit_id",
            org,
        )
        assert {row["actor"] for row in found} <= {"cli"}
        return [(row["action"], row["subject"].partition(":")[0]) for row in found]


@pytest.fixture
def sightline(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.delenv("SIGHTLINE_CONFIG", raising=False)
    return Shell(database_url, tmp_path)


@pytest.fixture
def offline(tmp_path: Path) -> Shell:
    """Commands without any database: what they refuse here, they refuse before they open one."""
    return Shell("postgresql://nobody@127.0.0.1:9/none", tmp_path)


MakeKey = Callable[..., dict[str, Any]]


@pytest.fixture
def make_key(sightline: Shell) -> MakeKey:
    def make(*options: str) -> dict[str, Any]:
        made: dict[str, Any] = sightline(
            *("keys", "create", "--name", "test", "--scope", "*", "--json"), *options
        ).json
        return made

    return make
