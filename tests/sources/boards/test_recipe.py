"""A job board is added to a copy of the package as CONTRIBUTING says, and works everywhere."""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

import sightline
from sightline.sources.boards.registry import KINDS

BOARD = r'''"""Millboard: a JSON list of openings."""

from typing import Any

from sightline.domain.evidence import Body
from sightline.sources.boards.board import LABEL, Board
from sightline.sources.boards.pages import BoardPage, Listing
from sightline.sources.bodies import read_json
from sightline.sources.posting_build import build
from sightline.sources.values import at, rows, text

KIND = "millboard"


def looks_like(value: Any) -> bool:
    """Whether JSON is an answer of this system."""
    return at(value, "millboard") is not None


def parse(body: Body) -> BoardPage:
    """The openings of an answer."""
    read = read_json(body.content, body.charset)
    return Listing(
        KIND, rows(read.value, "millboard"),
        lambda row: build(text(row, "id"), text(row, "title"), text(row, "url")),
        sound=read.whole, whole_by_contract=True, url=body.url,
    ).page()


BOARD = Board(
    KIND,
    "Millboard",
    parse,
    looks_like,
    addresses=(rf"{LABEL}\.millboard\.example(?:/|$)",),
    ask=("https://{site}/openings.json",),
    page="https://{site}/",
    detail=lambda first, posting: f"{first}/{posting.external_id}",
    is_probed=True,
)
'''
USE = """
from datetime import UTC, datetime
from sightline.domain.evidence import Body
from sightline.domain.websites import domain_of
from sightline.sources.boards.addresses import (
    board_of, board_page_url, board_urls, boards_in, names_board)
from sightline.sources.boards.answers import kind_of, parse_board
from sightline.sources.job_boards.connector import _PROBED
from sightline.sources.job_boards.details import detail_url
from sightline.sources.job_boards.reading import HOSTS

url = "https://tarn.millboard.example/openings.json"
answer = b'{"millboard": [{"id": "7", "title": "Miller", "url": "https://tarn.millboard.example/7"}]}'
body = Body(url, answer, "application/json", None, {}, datetime(2026, 1, 1, tzinfo=UTC))
page = parse_board(body)
assert kind_of(body) == "millboard" and page.complete and page.postings[0].title == "Miller"
assert board_of(url) == ("millboard", "tarn")
assert [each.url for each in board_urls("millboard", "tarn")] == [url]
assert board_page_url("millboard", "tarn") == "https://tarn.millboard.example/"
assert list(boards_in(f'<iframe src="{url}">'))[0][:2] == ("millboard", "tarn")
assert domain_of("tarn.millboard.example/openings") is None
assert names_board([url]) and "millboard" in _PROBED and "millboard.example" in HOSTS
assert detail_url("millboard", "tarn", page.postings[0]) == url + "/7"
print("works")
"""


def test_a_board_is_one_file_and_one_name(tmp_path: Path) -> None:
    source = Path(sightline.__path__[0])
    copy = tmp_path / "sightline"
    shutil.copytree(
        source, copy, ignore=shutil.ignore_patterns("__pycache__", "*.onnx", "heads.npz")
    )
    boards = copy / "sources" / "boards"
    (boards / "millboard.py").write_text(BOARD)
    names = copy / "domain" / "data" / "job_boards.toml"
    line = 'millboard = "millboard.example"\n'
    names.write_text(names.read_text().replace("job_pages = ", f"{line}job_pages = "))
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("works\n"), done.stderr
    touched = [
        str(path.relative_to(copy))
        for path in (*copy.rglob("*.py"), *copy.rglob("*.toml"))
        if not (source / path.relative_to(copy)).exists()
        or not filecmp.cmp(path, source / path.relative_to(copy), shallow=False)
    ]
    assert sorted(touched) == ["domain/data/job_boards.toml", "sources/boards/millboard.py"]


def test_every_board_is_in_the_list() -> None:
    names = {
        path.stem for path in (Path(sightline.__path__[0]) / "sources" / "boards").glob("*.py")
    }
    helpers = {
        "__init__",
        "addresses",
        "answers",
        "board",
        "html",
        "job_posting_ld",
        "pages",
        "paths",
        "registry",
    }
    assert names - helpers == set(KINDS)
