"""Selects which of a registrant's many filings are read."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from sightline.domain.evidence import Link
from sightline.reading.dates import iso_day
from sightline.sources.sec_edgar.forms import ANNUAL_FORMS
from sightline.sources.sec_edgar.submissions import FilingRow

Group = Literal["annual", "amended", "quarterly", "current", "proxy", "insiders", "offering"]

_FORMS: Final[dict[str, Group]] = {
    **dict.fromkeys(sorted(ANNUAL_FORMS), "annual"),
    **dict.fromkeys([f"{form}/A" for form in sorted(ANNUAL_FORMS)], "amended"),
    **dict.fromkeys(["10-Q", "10-QSB", "10-QT"], "quarterly"),
    "8-K": "current",
    "DEF 14A": "proxy",
    **dict.fromkeys(["3", "4", "5", "3/A", "4/A", "5/A"], "insiders"),
    **dict.fromkeys(["D", "D/A"], "offering"),
}
# How many of a group are kept in the plan, and how many of those are read: an archive that lacks the
# newest report may well have the one before.
PLANNED: Final[dict[Group, int]] = {
    "annual": 6, "amended": 1, "quarterly": 4, "current": 400, "proxy": 3, "insiders": 20,
    "offering": 2,
}  # fmt: skip
READ: Final[dict[Group, int]] = {**PLANNED, "annual": 2, "quarterly": 1, "proxy": 1}
_CURRENT_SPAN: Final = timedelta(days=731)


@dataclass(frozen=True, slots=True)
class Planned:
    """A filing to read. `url` is its primary document, or the full text where none is named."""

    group: Group
    form: str
    filed: date | None
    report_date: date | None
    cik: str
    accession: str
    items: tuple[str, ...]
    url: str

    @property
    def row(self) -> FilingRow:
        """As the list of filings has it."""
        return FilingRow(self.cik, self.accession, self.form, self.filed, self.report_date)

    @property
    def title(self) -> str:
        """Such as "10-K for 2025-09-27"."""
        day = self.report_date or self.filed
        return f"{self.form} for {day.isoformat()}" if day else self.form


def plan(filings: Sequence[FilingRow]) -> tuple[Planned, ...]:
    """The filings worth reading, newest first within each group.

    Current reports are all of the two years before the newest filing, amendments those of the newest
    annual report.
    """
    ordered = sorted(filings, key=lambda row: row.filed or date.min, reverse=True)
    newest = next((row.filed for row in ordered if row.filed), date.min)
    annual = next((row.filed for row in ordered if _FORMS.get(row.form) == "annual"), None)
    since = {
        "current": newest - _CURRENT_SPAN if newest > date.min else date.min,
        "amended": annual or date.max,
    }
    count: dict[Group, int] = {}
    out: list[Planned] = []
    for row in ordered:
        group = _FORMS.get(row.form)
        if group is None or count.get(group, 0) >= PLANNED[group]:
            continue
        undated = date.max if group == "current" else date.min
        if (row.filed or undated) < since.get(group, date.min):
            continue
        count[group] = count.get(group, 0) + 1
        out.append(
            Planned(
                group, row.form, row.filed, row.report_date, row.cik, row.accession, row.items,
                row.document_url,
            )
        )  # fmt: skip
    return tuple(out)


def as_links(planned: Iterable[Planned]) -> tuple[Link, ...]:
    """The plan as it is kept with the list of filings, so that an unchanged list is not read again."""
    return tuple(Link(each.url, "filing", "\t".join(_fields(each))) for each in planned)


def _fields(each: Planned) -> Iterator[str]:
    days = (str(day or "") for day in (each.filed, each.report_date))
    yield from (each.group, each.form, *days, each.cik, each.accession, ",".join(each.items))


def from_links(links: Iterable[Link]) -> tuple[Planned, ...]:
    """The plan out of the links of a stored list of filings."""
    found = []
    for link in links:
        parts = link.text.split("\t")
        if link.role != "filing" or len(parts) != 7:
            continue
        _, form, filed, report_date, cik, accession, items = parts
        group = _FORMS.get(form)
        if group is not None:
            found.append(
                Planned(
                    group, form, iso_day(filed), iso_day(report_date), cik, accession,
                    tuple(filter(None, items.split(","))), link.url,
                )
            )  # fmt: skip
    return tuple(found)
