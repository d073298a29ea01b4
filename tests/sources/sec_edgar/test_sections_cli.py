"""`sightline inspect filing`: JSON, the text, one item, and one line for what cannot be read."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sightline.cli.inspect import app

FILING = (
    "<html><p>FORM 10-K</p><p><b>Item 1. Business</b></p><p>Lamps for harbors, and their care.</p>"
    "<p><b>Item 1A. Risk Factors</b></p><p><i>Storms break lamps.</i></p><p>They are then replaced "
    "at our cost, which may be large.</p><p><b>Item 2. Properties</b></p><p>None.</p></html>"
)


@pytest.fixture
def filing(tmp_path: Path) -> Path:
    file = tmp_path / "report.htm"
    file.write_text(FILING, encoding="utf-8")
    return file


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["filing", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_the_items_are_offsets_into_the_text_that_is_written(filing: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    code, printed, _ = run(filing, "--text", out, "--headings")
    assert code == 0
    found = json.loads(printed)
    text = out.read_text(encoding="utf-8")
    assert found["form"] == "10-K"
    assert found["text_chars"] == len(text)
    assert [each["item"] for each in found["items"]] == ["1", "1A", "2"]
    for each in found["items"]:
        assert each["chars"] == each["end"] - each["start"]
        assert text[each["start"] : each["end"]].startswith(f"Item {each['item']}. {each['title']}")
    assert [each["omitted"] for each in found["items"]] == [False, False, True]
    (heading,) = found["items"][1]["headings"]
    assert text[heading["start"] : heading["end"]] == heading["text"] == "Storms break lamps."


def test_one_item_is_printed_as_text(filing: Path) -> None:
    assert run(filing, "--item", "1a")[1].startswith("Item 1A. Risk Factors\n\nStorms break lamps.")
    code, _, error = run(filing, "--item", "7")
    assert code == 1
    assert "no item 7. Found: 1, 1A, 2." in error


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02\x03" * 40, b"\x1f\x8b\x08\x00broken"])
def test_what_cannot_be_read_is_one_line(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    code, printed, error = run(file)
    assert (code, printed) == (1, "")
    assert error.startswith("Error: ")
    assert error.count("\n") == 1


def test_a_missing_file_or_folder_is_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        code, _, error = run(path)
        assert code == 1
        assert "cannot be read" in error
