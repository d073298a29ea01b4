"""Files that are small until they are read: refused at once, with the reason."""

import time
import zipfile
from pathlib import Path

import openpyxl
import pytest

from sightline.imports.delimited import open_delimited
from sightline.imports.excel import open_excel
from sightline.imports.rows import FileIsNotReadable


def test_a_workbook_of_texts_that_unpack_to_hundreds_of_megabytes(tmp_path: Path) -> None:
    path, bomb = tmp_path / "list.xlsx", tmp_path / "bomb.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["Company", "Website"])
    book.active.append(["Harbor Analytics", "harbor.example"])
    book.save(path)
    assert open_excel(path, None).columns == ("Company", "Website")
    with zipfile.ZipFile(path) as plain, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        for part in plain.infolist():
            packed.writestr(part, plain.read(part))
        packed.writestr("xl/sharedStrings.xml", b"<si><t>a</t></si>" * 6_000_000)
    assert bomb.stat().st_size < 1_000_000
    began = time.process_time()
    with pytest.raises(FileIsNotReadable, match="MB are texts; this is too large"):
        open_excel(bomb, None)
    assert time.process_time() - began < 1.0


def test_a_list_of_a_hundred_thousand_columns(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join("a" for _ in range(100_000)) + "\n" + "," * 99_999 + "\n")
    began = time.process_time()
    with pytest.raises(FileIsNotReadable, match="100,000 columns; at most 2,000"):
        open_delimited(path, path.read_text(), "utf-8")
    assert time.process_time() - began < 5.0
