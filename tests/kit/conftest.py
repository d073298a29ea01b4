"""A folder a server can live in, and a server for tests that leave it whole."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.kit.postgres import EmbeddedPostgres
from tests.kit.embedded_servers import query


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the server's user may enter, which pytest's own are not when root runs it."""
    path = Path(tempfile.mkdtemp(prefix="sightline-test-")).resolve()
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def data_dir(folder: Path) -> Path:
    return folder / "data dir, with spaces"


@pytest.fixture(scope="session")
def shared_server() -> Iterator[EmbeddedPostgres]:
    """One server for the tests that leave its data directory whole: making one takes a second."""
    path = Path(tempfile.mkdtemp(prefix="sightline-test-")).resolve()
    path.chmod(0o711)
    yield (server := EmbeddedPostgres(path / "data dir, with spaces"))
    server.stop()
    shutil.rmtree(path)


@pytest.fixture
def server(shared_server: EmbeddedPostgres) -> EmbeddedPostgres:
    """A running server without the test table."""
    shared_server.start()
    query(shared_server.url, "DROP TABLE IF EXISTS kept")
    return shared_server
