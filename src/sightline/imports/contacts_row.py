"""A row of a list of people as one contact, or the reason why it is none. No I/O."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.domain.contact_input import ReadContact, read_contact
from sightline.domain.countries import country_from_text
from sightline.imports import shapes
from sightline.imports.cells import listed
from sightline.imports.fields import ColumnMapping, fields_of
from sightline.imports.rows import FileIsNotReadable, Row, RowProblem

_LIST_MARKS = re.compile(r"[;|\n]|,\s")
# A spreadsheet's guard against formulas, as our own exports write it.
_FORMULA_STARTS = ("'=", "'+", "'-", "'@")


@dataclass(frozen=True, slots=True)
class ContactRow:
    """A row that can be used: its line, and what it says."""

    line: int
    said: ReadContact


@dataclass(frozen=True)
class ContactReader:
    """Reads rows under one mapping. `default_country` is for phone numbers without a country."""

    mapping: ColumnMapping
    default_country: str | None = None

    def __call__(self, row: Row) -> tuple[ContactRow | None, list[RowProblem]]:
        """The contact of a row, None when the row is bad, and everything that was wrong with it."""
        columns = self.mapping.names()
        raw = self._raw(row, columns)
        said = read_contact(raw, default_country=self.default_country)
        problems = [
            RowProblem(
                row.line,
                ", ".join(columns.get(_COLUMN_OF.get(fault.field, "full_name"), ())),
                fault.message,
                fault.value,
                "value dropped",
            )
            for fault in said.faults
        ]
        if not said.says_who:
            reason = problems[0].reason if problems else "neither a name nor an e-mail address"
            value = problems[0].value if problems else ""
            return None, [RowProblem(row.line, "", reason, value)]
        return ContactRow(row.line, said), problems

    def _raw(self, row: Row, columns: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        text = {field: self._text(row, columns.get(field, ())) for field in columns}
        lists = {
            field: self._list(row, field, columns.get(field, ()))
            for field in fields_of("contacts").collected
        }
        place = [text[part] for part in ("city", "state", "country") if text.get(part)]
        return {
            **{str(name): text.get(name) for name in _PLAIN},
            "location": text.get("location") or (", ".join(place) if text.get("city") else ""),
            **{str(name): values for name, values in lists.items()},
            "company": {
                "name": text.get("company_name"),
                "domain": text.get("company_domain"),
                "profile_network_id": text.get("company_page"),
            },
        }

    def _text(self, row: Row, columns: Sequence[str]) -> str:
        for column in columns:
            cell = row.cells.get(column) or ""
            text = cell if isinstance(cell, str) else ", ".join(cell)
            text = _unguarded(text)
            if text and not shapes.says_nothing(text):
                return text
        return ""

    def _list(self, row: Row, field: str, columns: Sequence[str]) -> list[str]:
        found: dict[str, None] = {}
        for column in columns:
            cell = row.cells.get(column) or []
            if isinstance(cell, str):
                emails = field == "emails"
                cell = listed(cell, by_comma=True) if emails else _LIST_MARKS.split(cell)
            for part in cell:
                text = _unguarded(part)
                if text and not shapes.says_nothing(text):
                    found[text] = None
        return list(found)


def _unguarded(text: str) -> str:
    bare = text.strip()
    return bare[1:] if bare.startswith(_FORMULA_STARTS) else bare


_PLAIN = (
    "full_name", "first_name", "last_name", "current_job_title", "profile_network_url", "image_url",
    "country", "headline", "summary",
)  # fmt: skip
_COLUMN_OF = {
    "full_name": "full_name", "country": "country", "emails": "emails", "phones": "phones",
    "profile_network_url": "profile_network_url", "image_url": "image_url",
    "company.domain": "company_domain",
}  # fmt: skip


def default_country(text: str | None) -> str | None:
    """The alpha-2 code of a country named by a person. Raises FileIsNotReadable."""
    if not text:
        return None
    found = country_from_text(text)
    if found is None:
        raise FileIsNotReadable(f"{text!r} is not a country.")
    return found.alpha2
