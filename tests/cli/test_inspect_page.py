"""`inspect page`: JSON for any file, one line for what cannot be read."""

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sightline.cli.inspect import app

RUN = CliRunner()
PAGE = """<html lang=en><head><title>Millworks</title><link rel=canonical href="https://millworks.example/">
<meta name=description content="We build stone mills for bakeries.">
<script type="application/ld+json">{"@type": "Article", "datePublished": "2025-11-30T23:30:00-06:00"}</script>
</head><body><main><h1>Mills</h1><p>Stone mills that grind for a century, and the people who build them.</p>
<a href="/about">About us</a></main></body></html>"""


def test_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    command = ["page", str(file), "--url", "https://millworks.example/", "--text"]
    done = RUN.invoke(
        app, [*command, "--header", "Server: cloudflare", "--header", "Content-Type: text/html"]
    )
    shown = json.loads(done.stdout)
    assert (shown["url"], shown["title"], shown["language"]) == (
        "https://millworks.example/",
        "Millworks",
        "en",
    )
    assert (shown["published_at"], shown["date"]) == ("2025-11-30T23:30:00-06:00", "2025-11-30")
    assert "Stone mills that grind" in shown["text"]
    assert shown["text_chars"] == len(shown["text"])
    assert shown["problem"] is None
    assert {each["field"] for each in shown["observations"]} >= {"description", "company_name"}
    assert [each["name"] for each in shown["technologies"]] == ["Cloudflare"]
    assert shown["links"]["about"] == [
        {"url": "https://millworks.example/about", "text": "About us"}
    ]
    assert shown["structured_data"]["types"] == {"Article": 1}


def test_the_page_names_its_own_address_and_may_be_packed(tmp_path: Path) -> None:
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(PAGE.encode(), mtime=0))
    shown = json.loads(RUN.invoke(app, ["page", str(file)]).stdout)
    assert shown["url"] == "https://millworks.example/"
    assert "text" not in shown
    assert shown["links"]["about"]


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xfe" * 40, b"%PDF-1.4", b'{"a": 1}', b"plain words"]
)
def test_other_files_end_in_an_honest_empty_result(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    done = RUN.invoke(app, ["page", str(file), "--url", "https://millworks.example/"])
    shown = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (shown["observations"], shown["technologies"], shown["text_chars"]) == ([], [], 0)
    assert shown["notes"]


def test_a_page_that_stands_for_another_says_so(tmp_path: Path) -> None:
    file = tmp_path / "wall.html"
    file.write_text(
        "<title>Just a moment...</title><p>Enable JavaScript and cookies to continue</p>"
    )
    shown = json.loads(RUN.invoke(app, ["page", str(file), "--url", "https://m.example/"]).stdout)
    assert shown["problem"]["kind"] == "bot_wall"
    assert shown["observations"] == []


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    good = tmp_path / "page.html"
    good.write_text(PAGE)
    for command in (
        ["page", str(tmp_path)],
        ["page", str(tmp_path / "absent")],
        ["page", str(good), "--header", "no colon"],
    ):
        done = RUN.invoke(app, command)
        assert done.exit_code in {1, 2}
        assert done.stderr.startswith("Error: ")
        assert len(done.stderr.strip().splitlines()) == 1


def test_packed_files_in_parts_or_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "page.html.gz"
    first, second = PAGE[:200].encode(), PAGE[200:].encode()
    file.write_bytes(gzip.compress(first, mtime=0) + gzip.compress(second, mtime=0))
    shown = json.loads(RUN.invoke(app, ["page", str(file), "--text"]).stdout)
    assert "Stone mills that grind" in shown["text"]
    assert shown["notes"] == []
    file.write_bytes(gzip.compress(PAGE.encode(), mtime=0)[:-40])
    shown = json.loads(RUN.invoke(app, ["page", str(file)]).stdout)
    assert shown["notes"][0] == "The compressed body is cut off or too large."
    file.write_bytes(b"\x1f\x8b\x08\x00" + b"no gzip at all")
    shown = json.loads(RUN.invoke(app, ["page", str(file)]).stdout)
    assert shown["notes"][0] == "The body says gzip but cannot be unpacked."
