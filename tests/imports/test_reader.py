"""Any list file to rows: kinds, encodings, headers, broken parts."""

import gzip
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sightline.imports.columns import judge
from sightline.imports.reader import open_list
from sightline.imports.rows import FileIsNotReadable, RecordList, Row, RowProblem


def opened(path: Path, sheet: str | None = None) -> RecordList:
    return open_list(path, judge=judge, sheet=sheet)


def written(folder: Path, content: bytes | str, name: str = "list.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def cells(listed: RecordList) -> list[Any]:
    return [item.cells for item in listed.rows() if isinstance(item, Row)]


def problems(listed: RecordList) -> list[tuple[int, str]]:
    return [(item.line, item.reason) for item in listed.rows() if isinstance(item, RowProblem)]


TABLE = [
    {"Company": "Zürich Tools", "Website": "zt.example", "City": "Zürich"},
    {"Company": "Acme; Sons", "Website": "acme.example", "City": "New, York"},
]


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("packed", [False, True])
def test_delimited_text(tmp_path: Path, delimiter: str, encoding: str, packed: bool) -> None:
    rows = [["Company", "Website", "City"], *(list(row.values()) for row in TABLE)]
    text = "".join(delimiter.join(f'"{cell}"' for cell in row) + "\r\n" for row in rows)
    content = text.encode(encoding)
    path = written(tmp_path, gzip.compress(content, mtime=0) if packed else content, "list.dat")
    assert cells(opened(path)) == TABLE


def test_without_a_header_the_first_row_is_data(tmp_path: Path) -> None:
    text = 'Nimbus,www.nimbus.example,"Hull, UK",17\nBorealis,borealis.example,"Turku, FI",3\n'
    listed = opened(written(tmp_path, text))
    assert listed.shape["header"] is False
    assert [row["column 1"] for row in cells(listed)] == ["Nimbus", "Borealis"]


def test_titles_above_the_table_are_skipped(tmp_path: Path) -> None:
    text = "Quarterly list\n\nName,Domain,Country\nNimbus,nimbus.example,UK\nOro,oro.example,FI\n"
    assert cells(opened(written(tmp_path, text)))[0] == {
        "Name": "Nimbus", "Domain": "nimbus.example", "Country": "UK",
    }  # fmt: skip


def test_a_plain_list_of_names_is_one_column_whatever_signs_it_holds(tmp_path: Path) -> None:
    path = written(tmp_path, 'Nimbus, Inc.\nOro\n"Bell" & Sons\nA; B; C\n', "names.txt")
    assert [row["column 1"] for row in cells(opened(path))] == [
        "Nimbus, Inc.", "Oro", '"Bell" & Sons', "A; B; C",
    ]  # fmt: skip


def test_quoted_line_breaks_and_line_numbers(tmp_path: Path) -> None:
    text = 'Name,Website\n"Two\nlines",two.example\nshort\nOro,oro.example,extra\nEnd,e.example,\n'
    listed = opened(written(tmp_path, text + "More,more.example\n" * 4))
    assert [row.line for row in listed.rows() if isinstance(row, Row)] == [2, 6, 7, 8, 9, 10]
    assert cells(listed)[0]["Name"] == "Two\nlines"
    assert problems(listed) == [
        (4, "1 cells where the file has 2 columns"),
        (5, "3 cells where the file has 2 columns"),
    ]


def test_a_quote_that_never_closes_costs_one_row(tmp_path: Path) -> None:
    lines = [f"Company {n},c{n}.example" for n in range(50)]
    lines[20] = 'Bro"ken,"x.example'
    listed = opened(written(tmp_path, "Name,Website\n" + "\n".join(lines) + "\n"))
    assert len(cells(listed)) == 49
    assert [line for line, _ in problems(listed)] == [22]


def test_nul_bytes_doubled_headers_and_stray_bytes(tmp_path: Path) -> None:
    text = "Näme,Website,Website\nOr\0o,oro.example,second.example\n".encode()
    rows = b"".join(b"Caf\xc3\xa9 %d,c%d.example,\n" % (n, n) for n in range(5))
    listed = opened(written(tmp_path, text + rows + b"Caf\xe9,cafe.example,\n"))
    assert listed.columns == ("Näme", "Website", "Website (2)")
    assert cells(listed)[0]["Näme"] == "Oro"
    assert cells(listed)[-1]["Näme"] == "Café"


def test_an_invalid_byte_far_behind_the_sample_is_read_as_windows(tmp_path: Path) -> None:
    rows = "".join(f"Company {n},c{n}.example\n" for n in range(20_000))
    path = written(tmp_path, ("Name,Website\n" + rows).encode() + b"Caf\xe9,cafe.example\n")
    assert cells(opened(path))[-1]["Name"] == "Café"


@pytest.mark.parametrize(
    ("document", "names"),
    [
        ([{"name": "Oro", "website": "oro.example"}], ["Oro"]),
        ({"meta": {"page": 1}, "data": {"hits": [{"name": "Oro", "domain": "oro.example"}]}}, ["Oro"]),
        ({"0": {"name": "Oro", "ticker": "ORO", "cik": 1}, "1": {"name": "Uno", "ticker": "UNO", "cik": 2}},
         ["Oro", "Uno"]),
        ({"articles": [{"title": "News", "text": "x"}] * 3,
          "list": [{"name": "Oro", "website": "oro.example", "city": "Turku"}]}, ["Oro"]),
    ],
)  # fmt: skip
def test_json_lists_wherever_they_stand(tmp_path: Path, document: object, names: list[str]) -> None:
    path = written(tmp_path, json.dumps(document, indent=1), "list.json")
    assert [row["name"] for row in cells(opened(path))] == names


def test_json_is_flattened(tmp_path: Path) -> None:
    record = {
        "name": "Oro", "hq": {"city": "Turku", "geo": {"lat": 1.0}}, "tags": ["a", None, "b"],
        "people": [{"name": "X"}, {"name": "Y"}], "n": 3.0, "yes": True, "none": None,
    }  # fmt: skip
    path = written(tmp_path, json.dumps([record]), "list.json")
    assert cells(opened(path)) == [
        {"name": "Oro", "hq.city": "Turku", "hq.geo.lat": "1", "tags": ["a", "b"],
         "people[].name": ["X", "Y"], "n": "3", "yes": "true"},
    ]  # fmt: skip


def test_strings_and_bar_parted_tokens(tmp_path: Path) -> None:
    assert cells(opened(written(tmp_path, '["oro", "uno"]', "a.json"))) == [
        {"value": "oro"}, {"value": "uno"},
    ]  # fmt: skip
    assert cells(opened(written(tmp_path, '["oro|wd1|jobs"]', "b.json"))) == [
        {"column 1": "oro", "column 2": "wd1", "column 3": "jobs"}
    ]


def test_a_json_array_that_breaks_off_keeps_what_stands_before(tmp_path: Path) -> None:
    good = ",".join(json.dumps({"name": f"Company {n}"}) for n in range(200))
    listed = opened(written(tmp_path, f'[{good}, {{"name": "Cut', "list.json"))
    assert len(cells(listed)) == 200
    assert len(problems(listed)) == 1
    assert "invalid after element 200" in problems(listed)[0][1]


def test_json_lines_with_a_bad_line(tmp_path: Path) -> None:
    text = '{"name": "Oro"}\n{"name": "Uno"}\n{"name": \n\n{"name": "Duo"}\n'
    listed = opened(written(tmp_path, text, "list.jsonl"))
    assert [row["name"] for row in cells(listed)] == ["Oro", "Uno", "Duo"]
    assert [line for line, _ in problems(listed)] == [3]


def workbook(folder: Path, *, packed: bool = False) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    sheet = book.create_sheet("Accounts")
    sheet.append(["Exported on Monday"])
    sheet.append([])
    sheet.append(["Account Name", "Website", "Employees"])
    sheet.append(["Oro", "oro.example", 12.0])
    sheet.append([None, None, None])
    sheet.append(["Uno", None, 7])
    path = folder / "list.bin"
    book.save(path)
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_excel(tmp_path: Path, packed: bool) -> None:
    listed = opened(workbook(tmp_path, packed=packed))
    assert listed.shape["sheet"] == "Accounts"
    assert cells(listed) == [
        {"Account Name": "Oro", "Website": "oro.example", "Employees": "12"},
        {"Account Name": "Uno", "Employees": "7"},
    ]
    assert [row.line for row in listed.rows()] == [4, 6]


def test_a_sheet_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(FileIsNotReadable, match="Notes, Accounts"):
        opened(workbook(tmp_path), sheet="Leads")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n", "is empty"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old binary Office"),
        (b"PK\x03\x04" + b"\0" * 60, "xlsx workbook"),
        (gzip.compress(b"Name\nOro\n" * 5000, mtime=0)[:60], "damaged gzip"),
        (b"<!DOCTYPE html><html>", "web page"),
        (bytes(range(1, 32)) * 40, "binary"),
        (b'{"a": ', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
    ],
)
def test_what_is_no_list_is_refused_in_words(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(FileIsNotReadable, match=words):
        opened(written(tmp_path, content, "list.json"))


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileIsNotReadable, match="is a folder"):
        opened(tmp_path)
    with pytest.raises(FileIsNotReadable, match="cannot be opened"):
        opened(tmp_path / "absent.csv")


def test_a_gzip_file_cut_off_behind_the_sample_is_one_problem(tmp_path: Path) -> None:
    text = "Name,Website\n" + "".join(f"Company {n * 7919},c{n}.example\n" for n in range(60_000))
    path = written(tmp_path, gzip.compress(text.encode(), mtime=0)[:-2000], "list.csv.gz")
    listed = opened(path)
    assert len(cells(listed)) > 40_000
    assert "damaged" in problems(listed)[-1][1]


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    content=st.binary(max_size=400)
    | st.text(max_size=300).map(lambda t: t.encode("utf-8", "replace"))
)
@example(content=b'[{"a": 1}, 2, "x", null, [1], true]')
@example(content=b'{"a": NaN, "b": 1e999, "\\ud800": "\\udfff"}')
@example(content=b'"a","b\n"c"",d\n\x00,\xff')
@example(content=b"\x1f\x8b\x08\x00")
def test_no_bytes_raise_anything_unexpected(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content, "fuzz")
    with suppress(FileIsNotReadable):
        for item in opened(path).rows():
            # What is read can be stored: PostgreSQL takes neither NUL nor half a surrogate pair.
            if isinstance(item, Row):
                said = "".join("".join(cell) for cell in item.cells.values())
                assert "\0" not in said
                json.dumps(item.cells, ensure_ascii=False).encode()


def test_memory_does_not_grow_with_a_json_array(tmp_path: Path) -> None:
    import tracemalloc

    stream = io.StringIO()
    stream.write("[")
    stream.write(
        ",".join(json.dumps({"name": f"Company {n}", "text": "x" * 200}) for n in range(50_000))
    )
    stream.write("]")
    listed = opened(written(tmp_path, stream.getvalue(), "list.json"))
    del stream
    tracemalloc.start()
    count = sum(1 for _ in listed.rows())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 50_000
    assert peak < 3_000_000


def test_a_heading_row_shorter_than_its_rows_costs_no_row(tmp_path: Path) -> None:
    text = "Company,Website\n" + "".join(f"Firm {n},firm-{n}.example,{n}\n" for n in range(9))
    listed = opened(written(tmp_path, text))
    assert listed.columns == ("Company", "Website", "column 3")
    assert cells(listed)[4] == {"Company": "Firm 4", "Website": "firm-4.example", "column 3": "4"}
    assert problems(listed) == []
