"""`sightline inspect signals`: one JSON line a line, bad lines reported, never a traceback."""

import json
from pathlib import Path
from typing import Any

import pytest

from sightline.cli.main import main

RESULTS = (
    "Brisk Foods reported net income of $12.1 million for the quarter, or $0.31 per diluted share, compared"
    " with $9.0 million a year ago."
)


def run(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]], str]:
    with pytest.MonkeyPatch.context() as patched, pytest.raises(SystemExit) as ended:
        patched.setattr("sys.argv", ["sightline", "inspect", "signals", str(path)])
        main()
    printed = capsys.readouterr()
    code = ended.value.code
    assert isinstance(code, int)
    return code, [json.loads(line) for line in printed.out.splitlines()], printed.err


def test_each_line_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.jsonl"
    sentences = [
        {"text": RESULTS, "date": "2025-06-15", "company": "Brisk Foods"},
        {"text": "The weather was cold and wet all over the county.", "company": None},
        {"text": RESULTS, "date": "no day", "company": ["Brisk Foods", "BF"]},
    ]
    path.write_text("\n\n".join(json.dumps(each) for each in sentences), encoding="utf-8")
    code, answers, _ = run(path, capsys)
    assert code == 0
    assert [answer["line"] for answer in answers] == [1, 3, 5]
    assert [answer["type"] for answer in answers] == [
        "earnings_released",
        None,
        "earnings_released",
    ]
    assert answers[0]["family"] == "funding"
    assert answers[0]["evidence"]["quote"] == RESULTS
    assert answers[0]["signals"][0]["parties"][0]["name"] == "Brisk Foods"
    assert answers[1]["signals"] == []
    assert answers[1]["evidence"] is None
    assert "date" in answers[2]["warnings"][0]


def test_bad_lines_are_told_and_stop_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(
        b'nope\n[1]\n{"text": 3}\n\xff\xfe\n'
        + b'{"text": "' + b"x" * 1_100_000 + b'"}\n'
        + json.dumps({"text": RESULTS, "company": "Brisk"}).replace("Foods", "\\ud800").encode() + b"\n"
    )  # fmt: skip
    code, answers, errors = run(path, capsys)
    assert code == 5
    assert ["error" in answer for answer in answers] == [True] * 5 + [False]
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 5, 6]
    assert answers[-1]["type"] == "earnings_released"
    assert "5 of 6 lines" in errors


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\x00\x01\x02", b"PK\x03\x04" * 100])
def test_a_file_without_sentences_fails_in_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(content)
    code, _, errors = run(path, capsys)
    assert code == 1
    assert errors.count("\n") == 1


def test_a_missing_file_fails_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, errors = run(tmp_path / "none.jsonl", capsys)
    assert code == 1
    assert "There is no file" in errors
