"""An older installation with rows is started with this release, as `docs/howto/containers.md` says."""

import asyncio
import signal
from pathlib import Path

import asyncpg

from sightline.kit.postgres import EmbeddedPostgres
from sightline.store import migrate
from tests.e2e.test_up import Up, data_dir, query, runs
from tests.waiting import free_port

__all__ = ["data_dir", "runs"]  # fixtures
OLDER = "0020"  # half of the migrations are still to come
ID = "01a20f0d-e151-707d-8b3e-7a2156388801"
ROWS = f"""
INSERT INTO organizations (organization_id, slug, name) VALUES ('{ID}', 'default', 'Ours');
INSERT INTO users (organization_id, user_id, email, role)
  VALUES ('{ID}', '{ID}', 'ada@first.example', 'owner');
"""


async def make_older(data_dir: Path) -> None:
    """A database as an older version left it."""
    with EmbeddedPostgres(data_dir) as server:
        await migrate.upgrade(server.url, to=OLDER)
        connection = await asyncpg.connect(server.superuser_url)
        try:
            await connection.execute(ROWS)
        finally:
            await connection.close()


def test_what_an_older_version_left_is_there_after_the_next_start(
    data_dir: Path, runs: list[Up]
) -> None:
    asyncio.run(make_older(data_dir))
    runs.append(up := Up(data_dir, port=free_port()))
    up.wait_for(r"is ready after")
    assert up.is_healthy()
    url = EmbeddedPostgres(data_dir).superuser_url
    assert query(url, "SELECT version_num FROM alembic_version") == migrate.HEAD
    found = query(
        url,
        f"""
        SELECT concat_ws(' ', o.name, u.email, u.role) FROM organizations o JOIN users u
          USING (organization_id) WHERE user_id = '{ID}'
        """,
    )
    assert found == "Ours ada@first.example owner"
    assert up.end(signal.SIGTERM) == 0
