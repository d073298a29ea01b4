"""Which Sightline a command means: its folder and its address."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sightline.cli.address import forget_address, leave_address, reachable_url, running_url
from sightline.cli.commands import app
from sightline.settings import Settings
from tests.cli.conftest import Shell


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/health" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Healthy)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_link_leads_to_the_port_that_is_served(
    sightline: Shell, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = sightline.folder / "data"
    folder.mkdir()
    settings = Settings(data_dir=folder, port=port, host="0.0.0.0")
    leave_address(settings)
    assert sightline("user", "link").out.startswith(f"http://127.0.0.1:{port}/console/link/")
    assert f"Sightline answers at http://127.0.0.1:{port}" in sightline("doctor").out
    forget_address(settings)
    assert sightline("user", "link").out.startswith("http://127.0.0.1:8000/console/link/")


def test_word_of_a_server_that_is_gone_is_not_believed(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, port=9, host="::1")
    assert running_url(settings) is None
    leave_address(settings)
    assert reachable_url(settings) == "http://[::1]:9"
    assert running_url(settings) is None
    (tmp_path / "address").write_bytes(b"\xff\xfe nonsense")
    assert running_url(settings) is None


@pytest.mark.parametrize("words", [("keys", "list"), ("org", "list"), ("backup", "x.backup")])
def test_a_mistyped_folder_begins_no_database(words: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "mistyped"
    result = CliRunner(env={"SIGHTLINE_DATA_DIR": str(folder)}).invoke(app, list(words))
    assert result.exit_code == 4
    assert f"There is no database in {folder}" in result.stderr
    assert not folder.exists()
