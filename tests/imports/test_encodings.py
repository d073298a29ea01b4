"""Code pages distinguished by language, and files that are not lists."""

from pathlib import Path

import pytest

from sightline.imports.code_pages import code_page_of
from sightline.imports.columns import guess_mapping, judge
from sightline.imports.reader import open_list
from sightline.imports.rows import FileHasNoCompanies, FileIsNotReadable, Row
from tests.growth import grows_linearly

LISTS = {
    "cp1252": (
        "España Años S.A.\nMuñoz y Peña S.L.\nÅngström AB\nFrançais Œuvre SARL",
        "Müller GmbH",
        "L’Oréal",
        "São João Construções Ltda",
        "Ørsted A/S\nFølsom",
        "Città di Castello\nCaffè",
    ),
    "cp1250": (
        "Škoda Plzeň\nŽďár nad Sázavou",
        "Spółka Wrocław\nŁódź",
        "Győri Keksz\nBüki Üdítő Kft",
        "Črnuče\nĐuro Đaković",
    ),
    "mac_roman": ("Café Año\nMüller\nMéxico", "García Martínez\nPeña\nJosé"),
    "cp1254": ("Türkiye Şişe ve Cam\nİstanbul Sanayi\nIşık",),
    "cp1257": ("Šiaulių bankas\nKauno įmonė\nUždaroji akcinė bendrovė",),
    "cp850": ("Müller GmbH\nKöln\nSociété Générale\nBäcker",),
    "iso8859_2": ("Spółka Śląska\nŁódź",),
}


@pytest.mark.parametrize(
    ("page", "text"), [(page, text) for page, texts in LISTS.items() for text in texts]
)
def test_the_code_page_is_told_from_the_letters(page: str, text: str) -> None:
    rows = text.encode(page).split(b"\n")
    found = code_page_of([row for row in rows if not row.isascii()])
    assert b"\n".join(rows).decode(found) == text


def test_one_long_row_takes_linear_time() -> None:
    assert grows_linearly(
        lambda row: code_page_of([row]), lambda size: b"\xf1\xe8 " * size, size=2_000
    )


def names_in(path: Path, encoding: str | None = None) -> list[object]:
    listed = open_list(path, judge=judge, encoding=encoding)
    return [row.cells["Company"] for row in listed.rows() if isinstance(row, Row)]


def test_a_short_list_of_several_languages(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    names = LISTS["cp1252"][0].splitlines()
    path.write_bytes("\n".join(["Company;Country", *(f"{n};ES" for n in names)]).encode("cp1252"))
    assert names_in(path) == names


def test_a_person_may_say_the_encoding(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes("Company;Country\nTřinec;CZ\n".encode("cp1250"))
    assert names_in(path, "windows-1250") == ["Třinec"]
    for wrong in ("windows-9999", "base64", "hex"):
        with pytest.raises(FileIsNotReadable, match="is not an encoding"):
            names_in(path, wrong)


@pytest.mark.parametrize(
    "text",
    [
        "all: build\n\t$(BIN)/ruff check .\n\nVENV := .venv\nBIN := $(VENV)/bin\nPY := $(BIN)/python\n",
        "def main():\n    x = 1\n    return x\n\nprint(main())\nif x == 2:\n    y = {}\n",
        "[server]\nport = 8000\nhost = localhost\n[log]\nlevel = info\n",
        '{"a": 1}\n\nGET /x?y=1 200\nGET /x?z=2 200\nGET /a?b=2 404\n',
    ],
    ids=["makefile", "program", "settings", "log"],
)
def test_what_is_no_list_of_names_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text)
    with pytest.raises(FileIsNotReadable):
        listed = open_list(path, judge=judge)
        rows = [row for row in listed.rows() if isinstance(row, Row)]
        guess_mapping(listed.columns, rows)


def test_names_with_unusual_signs_are_names(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    names = [
        "Yahoo!",
        "Ben & Jerry's",
        "Harbor (UK) Ltd",
        "3M",
        "AT&T",
        "Toys “R” Us",
        "[a]gency",
        "E*Trade",
    ]
    path.write_text("\n".join(names))
    listed = open_list(path, judge=judge)
    rows = [row for row in listed.rows() if isinstance(row, Row)]
    assert guess_mapping(listed.columns, rows).of("company_name")
    with pytest.raises(FileHasNoCompanies):
        guess_mapping(["column 1"], [Row(n, {"column 1": f"x = {n};"}) for n in range(9)])
