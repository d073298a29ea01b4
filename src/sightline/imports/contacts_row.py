"""A row of a list of people as a contact, or the reason why it is not one. No I/O."""

from typing import Any, NamedTuple

from sightline.domain.contact_input import ReadContact, read_contact
from sightline.domain.countries import country_from_text
from sightline.imports.cells import CellReader, RowCells, listed
from sightline.imports.fields import ColumnMapping, fields_of
from sightline.imports.rows import FileIsNotReadable, Row, RowProblem
from sightline.imports.shapes import says_nothing


class ContactRow(NamedTuple):
    """A row that can be used: its line, and what it says."""

    line: int
    said: ReadContact


class ContactReader(CellReader):
    """Reads rows under one mapping. `default_country` is for phone numbers without a country."""

    def __init__(self, mapping: ColumnMapping, default_country: str | None = None) -> None:
        super().__init__(mapping)
        self._default_country = default_country

    def __call__(self, row: Row) -> tuple[ContactRow | None, list[RowProblem]]:
        """The contact of a row, None when the row is bad, and everything that was wrong with it."""
        cells = RowCells(self, row)
        said = read_contact(_raw(cells), default_country=self._default_country)
        for fault in said.faults:
            columns = self.columns.get(fault.field.replace(".", "_"), ())
            cells.drop(", ".join(columns), fault.message, fault.value)
        if said.says_who:
            return ContactRow(row.line, said), cells.problems
        for problem in cells.problems:
            return None, cells.refused("", problem.reason, problem.value)
        return None, cells.refused("", "neither a name nor an email address", "")


def _raw(cells: RowCells) -> dict[str, Any]:
    """The row by the fields of the Contact object."""
    fields = fields_of("contacts")
    raw: dict[str, Any] = {
        name: _list(cells, name) if name in fields.collected else cells.text(name)
        for name in fields.names
    }
    if raw["city"] and not raw["location"]:
        raw["location"] = ", ".join(filter(None, (raw[p] for p in ("city", "state", "country"))))
    raw["company"] = {
        "name": raw["company_name"],
        "domain": raw["company_domain"],
        "profile_network_id": raw["company_page"],
    }
    return raw


def _list(cells: RowCells, name: str) -> list[str]:
    """All values of a field; an email address holds no comma, other values may hold one inside."""
    mark = "," if name == "emails" else ", "
    parts = (
        part.strip()
        for _, text in cells.texts(name)
        for part in listed(text.replace(mark, "\n"), by_comma=False)
    )
    return list(dict.fromkeys(part for part in parts if part and not says_nothing(part)))


def default_country(text: str | None) -> str | None:
    """The alpha-2 code of a country named by a person. Raises FileIsNotReadable."""
    if not text:
        return None
    found = country_from_text(text)
    if found is None:
        raise FileIsNotReadable(f"{text!r} is not a country.")
    return found.alpha2
