"""`inspect feed` and `inspect board`: JSON for any file, one line for what cannot be read."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sightline.cli.inspect import app

RUN = CliRunner()
ITEM = "<item><title>A</title><link>/a</link></item>"
FEED = f"<rss version='2.0'><channel><title>N</title>{ITEM}</channel></rss>"


def test_feed(tmp_path: Path) -> None:
    file = tmp_path / "feed.xml"
    file.write_text(FEED)
    done = RUN.invoke(app, ["feed", str(file), "--url", "https://news.example/feed"])
    found = json.loads(done.stdout)
    assert (found["format"], found["title"], found["well_formed"]) == ("RSS 2.0", "N", True)
    assert found["items"][0]["url"] == "https://news.example/a"
    assert found["items"][0]["published_at"] is None


def test_board_kind_is_told_by_the_content(tmp_path: Path) -> None:
    file = tmp_path / "answer"
    job = {
        "id": "1",
        "text": "Clerk",
        "hostedUrl": "https://jobs.lever.co/mill/1",
        "categories": {},
    }
    file.write_text(json.dumps([job, {**job, "id": "2"}]))
    found = json.loads(RUN.invoke(app, ["board", str(file)]).stdout)
    assert (found["kind"], found["complete"], len(found["postings"])) == ("lever", True, 2)
    assert found["postings"][0]["title"] == "Clerk"


@pytest.mark.parametrize("command", ["feed", "board"])
@pytest.mark.parametrize("content", [b"", b"\x00\xfe" * 40, b"<html>404</html>", b'{"error":1}'])
def test_other_files_end_in_an_honest_empty_result(
    tmp_path: Path, command: str, content: bytes
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    done = RUN.invoke(app, [command, str(file)])
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert found.get("items", found.get("postings")) == []
    assert found["notes"]


@pytest.mark.parametrize("command", ["feed", "board"])
def test_files_that_cannot_be_read(tmp_path: Path, command: str) -> None:
    for path in (tmp_path, tmp_path / "absent"):
        done = RUN.invoke(app, [command, str(path)])
        assert done.exit_code == 1
        assert done.stderr.startswith("Error: ")
        assert len(done.stderr.strip().splitlines()) == 1


def test_unknown_kind_names_the_known_ones(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("[]")
    done = RUN.invoke(app, ["board", str(file), "--kind", "fax"])
    assert done.exit_code == 2
    assert "greenhouse" in done.stderr
