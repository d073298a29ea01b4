"""How much of real public lists the vocabularies read. Floors are what was seen, less a little."""

import csv
import gzip
import io
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from sightline.domain.bands import employee_band_from_text, revenue_band_from_text
from sightline.domain.industries import industry_from_text, sector_from_naics, sector_from_text
from sightline.domain.names import fold, name_key, search_text, tidy_name
from sightline.domain.places import split_place, state_from_text
from sightline.domain.websites import domain_of


@pytest.fixture(scope="session")
def lists(shared: Path) -> Path:
    return shared / "lists"


def share(values: Iterable[str], read: Callable[[str], object]) -> float:
    """The part of the values, fillers apart, that are read."""
    said = [value for value in values if value not in {"", "null", "none", None}]
    assert len(said) > 50
    return sum(read(value) is not None for value in said) / len(said)


def column(path: Path, name: str) -> list[str]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    return [row[name] for row in csv.DictReader(io.StringIO(text))]


def test_sp500(lists: Path) -> None:
    path = lists / "sp500_constituents.csv"
    assert share(column(path, "GICS Sub-Industry"), industry_from_text) == 1.0
    places = column(path, "Headquarters Location")
    assert share(places, lambda text: split_place(text).country_code) > 0.995
    assert share(places, lambda text: split_place(text).city) > 0.995


def test_y_combinator(lists: Path) -> None:
    companies = [
        company
        for path in sorted((lists / "yc" / "batches").glob("*.json"))
        for company in json.loads(path.read_text(encoding="utf-8"))
    ]
    paths = [company["subindustry"] for company in companies if "->" in company["subindustry"]]
    assert share(paths, industry_from_text) == 1.0
    assert share([c["website"] for c in companies], domain_of) > 0.99
    placed = [c["all_locations"] for c in companies if c["all_locations"] != "Remote"]
    assert share(placed, lambda text: split_place(text).country_code) > 0.995


def test_glassdoor_style(lists: Path) -> None:
    path = lists / "ats_companies" / "Use_Greenhouse_As_ATS_companies_Info.csv"
    assert share(column(path, "Industry Category"), industry_from_text) > 0.98
    assert share(column(path, "Industry"), sector_from_text) == 1.0
    sizes = [size for size in column(path, "Size") if size != "Unknown"]
    assert share(sizes, employee_band_from_text) == 1.0
    revenues = [text for text in column(path, "Revenue") if not text.startswith("Unknown")]
    assert share(revenues, revenue_band_from_text) == 1.0
    assert share(column(path, "Website"), domain_of) > 0.99


def test_fortune_500(lists: Path) -> None:
    with gzip.open(lists / "fortune500" / "2018-0.json.gz", "rt", encoding="utf-8") as file:
        items = json.load(file)["list-items"]
    assert share([item["meta"]["industry"] for item in items], industry_from_text) > 0.97
    assert share([item["meta"]["sector"] for item in items], sector_from_text) == 1.0


def test_employers_in_capitals(lists: Path) -> None:
    path = lists / "h1b" / "h1b_datahubexport-2023.csv.gz"
    names = [name for name in column(path, "Employer") if name]
    assert share(column(path, "NAICS"), sector_from_naics) > 0.99
    assert share(column(path, "State"), lambda text: state_from_text(text, "US")) > 0.999
    tidied = {name: tidy_name(name, all_caps_column=True) for name in names}
    assert all(tidied.values())
    # Runs of initials such as "D D S A PROFESSIONAL" are parted differently once put into case.
    strayed = [name for name, tidy in tidied.items() if name_key(tidy) != name_key(name)]
    assert len(strayed) <= len(tidied) // 5000


def test_names_are_read_fast_enough_for_large_imports(lists: Path) -> None:
    names = column(lists / "h1b" / "h1b_datahubexport-2023.csv.gz", "Employer")[:5000]
    for read, floor in ((fold, 50_000), (lambda name: search_text([name]), 20_000)):
        best = min(_seconds(read, names) for _ in range(3))
        # A part of what is asked of an idle core: the machine that runs tests may be busy and slow.
        assert len(names) / best > floor / 50


def _seconds(read: Callable[[str], object], names: list[str]) -> float:
    start = time.thread_time()
    for name in names:
        read(name)
    return time.thread_time() - start
