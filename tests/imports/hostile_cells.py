"""Readers of the cells and files that strangers write, and how much longer they read more of a shape."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sightline.domain import bands, casing, contacts, countries, industries, names, numbers, places
from sightline.domain.contact_input import read_contact
from sightline.domain.websites import domain_of, read_website
from sightline.imports import columns, headers, markets, shapes
from sightline.imports.contacts_row import ContactReader
from sightline.imports.fields import ColumnMapping, Guess, fields_of
from sightline.imports.normalise import Normaliser
from sightline.imports.reader import open_list
from sightline.imports.rows import FileIsNotReadable, Row, clean_cell
from tests.sources.hostile_readers import Slow, compare
from tests.sources.hostile_shapes import SHAPES

TIMES = 4

CALLS: dict[str, Callable[[str], object]] = {
    "clean_text": casing.clean_text,
    "tidy_name": casing.tidy_name,
    "title_words": casing.title_words,
    "read_name": contacts.read_name,
    "bare_name": contacts.bare_name,
    "read_email": contacts.read_email,
    "read_phone": lambda text: contacts.read_phone(text, "US"),
    "read_profile_url": contacts.read_profile_url,
    "read_company_page": contacts.read_company_page,
    "without_degrees": contacts.without_degrees,
    "without_title": contacts.without_title,
    "person_key": lambda text: contacts.person_key(text, text),
    "name_key": names.name_key,
    "split_dba": names.split_dba,
    "country_from_text": countries.country_from_text,
    "split_place": places.split_place,
    "state_from_text": lambda text: places.state_from_text(text, None),
    "industry_from_text": industries.industry_from_text,
    "sector_from_text": industries.sector_from_text,
    "parse_count": numbers.parse_count,
    "parse_money": numbers.parse_money,
    "unit_from_header": numbers.unit_from_header,
    "employee_band_from_text": bands.employee_band_from_text,
    "revenue_band_from_text": bands.revenue_band_from_text,
    "domain_of": domain_of,
    "read_website": read_website,
    "read_ticker": markets.read_ticker,
    "read_exchange": markets.read_exchange,
    "header_meanings": headers.header_meanings,
    "clean_cell": clean_cell,
    "looks_like_data": shapes.looks_like_data,
    "is_token": shapes.is_token,
    "is_ticker": shapes.is_ticker,
    "is_employee_words": shapes.is_employee_words,
    "is_network_page": shapes.is_network_page,
    "account_row": lambda text: _accounts()(Row(1, dict.fromkeys(_names("accounts"), text))),
    "contact_row": lambda text: _people()(Row(1, dict.fromkeys(_names("contacts"), text))),
    "contact_said": lambda text: read_contact(_said(text)),
    "account_columns": lambda text: columns.guess_mapping(
        ("Company", text[:100]), [Row(1, {"Company": "Oro", text[:100]: text})]
    ),
    "contact_columns": lambda text: columns.guess_mapping(
        ("Email", text[:100]),
        [Row(1, {"Email": "a@b.example", text[:100]: text})],
        kind="contacts",
    ),
    "csv": lambda text: _file(f"Company,Website\n{text}\n"),
    "quoted": lambda text: _file(f'Company,Website\n"{text}",b\nc,d\n'),
    "json": lambda text: _file(f'[{{"Company": "Oro"}}, {text}]'),
    "json lines": lambda text: _file(f'{{"Company": "Oro"}}\n{{"Company": "Uno"}}\n{text}\n'),
}


def _names(kind: Any) -> tuple[str, ...]:
    return fields_of(kind).names


@cache
def _mapping(kind: Any) -> ColumnMapping:
    return ColumnMapping(tuple(Guess(name, name, 1.0, "", ()) for name in _names(kind)), ())


@cache
def _accounts() -> Normaliser:
    return Normaliser(_mapping("accounts"), [])


@cache
def _people() -> ContactReader:
    return ContactReader(_mapping("contacts"))


def _said(text: str) -> dict[str, Any]:
    return {
        **dict.fromkeys(_names("contacts"), text),
        "company": {"name": text, "domain": text, "profile_network_id": text},
        "experience": [{"company": text, "title": text, "start_date": text}],
        "education": [{"school": text, "degree": text}],
        "skills": [text], "emails": [text], "phones": [text],
    }  # fmt: skip


def _file(text: str) -> int:
    with tempfile.NamedTemporaryFile("w", suffix=".list", errors="surrogateescape") as file:
        file.write(text)
        file.flush()
        with suppress(FileIsNotReadable):
            return sum(1 for _ in open_list(Path(file.name), judge=columns.judge).rows())
    return 0


def slow_cells(name: str, size: int) -> list[Slow]:
    """Shapes of `size` characters that a reader takes more than linear time for."""

    def call(text: str) -> object:
        with suppress(FileIsNotReadable):
            return CALLS[name](text)
        return None

    return [
        Slow(name, shape, size, *slow)
        for shape, make in SHAPES.items()
        if (slow := compare(call, make(size // TIMES), make(size))) is not None
    ]


def main() -> Iterator[Slow]:
    """The long run: `python -m tests.imports.hostile_cells`."""
    for name in CALLS:
        yield from slow_cells(name, 1_000_000)


if __name__ == "__main__":
    for each in main():
        print(each, flush=True)
