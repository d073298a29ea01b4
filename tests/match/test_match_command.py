"""`sightline match` on files."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sightline.cli.commands import app
from sightline.cli.match_rows import run_plain
from sightline.match.model import shipped_weights

RIGHT = "id,name,country,city\nr1,Nordwind Handels GmbH,DE,Bremen\nr2,Halden Mfg Co,US,Dayton\n"
LEFT = "id,name,country,city\nl1,NORDWIND HANDEL,Germany,Bremen\nl2,Westwind Reederei,DE,Emden\n"


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["match", *arguments])
    return result.exit_code, result.output


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    left, right = tmp_path / "left.csv", tmp_path / "right.csv"
    left.write_text(LEFT)
    right.write_text(RIGHT)
    return str(left), str(right)


def test_every_left_row_is_answered_as_json(files: tuple[str, str]) -> None:
    code, output = run(files[0], "--against", files[1], "--json")
    rows = json.loads(output)
    assert code == 0
    assert [(row["left_id"], row["right_id"], row["decision"]) for row in rows] == [
        ("l1", "r1", "matched"),
        ("l2", None, "no_match"),
    ]
    assert all(set(each) == {"name", "value", "weight"} for row in rows for each in row["features"])


def test_csv_and_table(files: tuple[str, str]) -> None:
    code, output = run(files[0], "--against", files[1], "--csv")
    assert code == 0
    assert output.splitlines()[0] == "left_id,right_id,score,decision,features"
    assert output.splitlines()[1].startswith("l1,r1,0.")
    assert "matched" in run(files[0], "--against", files[1])[1]


def test_given_pairs_are_scored_in_order(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "left_name,right_name,left_country\nООО Ромашка,Romashka LLC,RU\nSchool 5,School 7,\n,,\n",
        encoding="utf-8",
    )
    code, output = run("--pairs", str(path), "--json")
    assert code == 0
    assert [row["decision"] for row in json.loads(output)] == ["matched", "no_match", "no_match"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no column"),
        (b"name\nAcme\n", "no column id"),
        (b"\x00\x01\xff\xfe", "Error"),
        (b"id,name\n1,Acme\n2," + b"x" * 1_000_001, "from line 3 on: field larger"),
    ],
)
def test_unusable_files_end_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    code, output = run(str(path), "--against", str(path))
    assert code == 1
    assert said in output
    assert "Traceback" not in output


def test_a_row_in_another_encoding_costs_no_other_row(
    tmp_path: Path, files: tuple[str, str]
) -> None:
    left = tmp_path / "mixed.csv"
    left.write_bytes(
        "id,name,country\nl1,Brücken Handel,DE\n".encode()
        + "l2,Müller Söhne,DE\n".encode("cp1252")
        + b"l3,Nordwind\0 Handels GmbH,DE\n"
    )
    right = tmp_path / "right.csv"
    right.write_text(RIGHT + "r3,Müller Söhne AG,DE,Ulm\nr4,Brücken Handel GmbH,DE,Ulm\n")
    code, output = run(str(left), "--against", str(right), "--json")
    assert code == 0, output
    assert [row["right_id"] for row in json.loads(output)] == ["r4", "r3", "r1"]


def test_a_missing_file_and_wrong_options(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.csv")
    assert run(gone, "--against", gone)[0] == 1
    assert run()[0] == 2
    assert run(gone)[0] == 2
    assert run(gone, "--against", gone, "--pairs", gone)[0] == 2


def test_a_plain_call_answers_what_the_same_call_with_a_threshold_answers(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_plain([files[0], "--against", files[1], "--json"])
    least = str(shipped_weights().threshold)
    code, output = run(files[0], "--against", files[1], "--json", "--threshold", least)
    assert (code, output) == (0, capsys.readouterr().out)


def test_a_plain_call_scores_given_pairs_as_the_command_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        'left_id,left_name,right_name\n"a""é\\",ООО Ромашка,Romashka LLC\nb,School 5,School 7\n'
    )
    assert run_plain(["--pairs", str(path), "--json"])
    code, output = run("--pairs", str(path), "--json")
    assert (code, output) == (0, capsys.readouterr().out)
    assert [row["left_id"] for row in json.loads(output)] == ['a"é\\', "b"]


def test_what_is_no_plain_call_is_left_to_the_command(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    left, right = files
    assert not run_plain(["nothing.csv", "--against", "nothing.csv", "--json"])
    assert not run_plain([left, "--against", right])
    assert not run_plain([left, "--against", right, "--json", "--threshold=0.5"])
    assert not run_plain(["--against", left, right, "--json"])
    assert not run_plain(["--pairs", left, "--json"])
    assert not run_plain(["--pairs", left, "--against", right, "--json"])
    assert capsys.readouterr().out == ""
    code, output = run("nothing.csv", "--against", "nothing.csv", "--json")
    assert code == 1
    assert output.count("\n") <= 1
