"""Forms 3, 4 and 5: the insiders of a company, and what they bought or sold."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from lxml import etree

from sightline.domain.evidence import Observation
from sightline.reading.legal_forms import is_organization_name
from sightline.reading.offices import is_chief_executive, tidy_office
from sightline.sources.sec_edgar.names import insider_name, registrant_name
from sightline.sources.sec_edgar.xml import day_of, number_of, root_of, text_of, truth_of

_NO_TITLE: Final = frozenset(
    {"see remarks", "see remark", "see footnote", "see footnotes", "other", "officer"}
)
_LONGEST_REMARK: Final = 120  # characters of remarks that can be a title
_CODES: Final = {
    "P": "bought", "S": "sold", "A": "was granted", "M": "exercised", "F": "paid tax with",
    "G": "gave away", "D": "returned to the company", "C": "converted", "X": "exercised",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Owner:
    """A reporting owner. `title` is the officer's title, tidy; `name` is first name first."""

    name: str
    director: bool
    officer: bool
    ten_percent_owner: bool
    title: str | None
    is_person: bool


@dataclass(frozen=True, slots=True)
class Transaction:
    """One line of the form. `code` is the SEC's letter (P purchase, S sale, M exercise, A award...);
    shares and prices are in units and in whole dollars a share; `after` counts what is held then."""

    day: date | None
    code: str | None
    security: str
    shares: float | None
    price: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class OwnershipForm:
    """One form. `form` is 3, 4 or 5, with "/A" for amendments; `remarks` may hold a long title."""

    form: str
    issuer_cik: str
    issuer_name: str
    owners: tuple[Owner, ...]
    transactions: tuple[Transaction, ...]
    remarks: str
    planned_10b5_1: bool
    observations: tuple[Observation, ...]


def read_ownership(content: bytes) -> OwnershipForm | None:
    """The form in an XML document or a full submission text; None when there is none."""
    root = root_of(content, "ownershipDocument")
    if root is None or root.find("issuer") is None:
        return None
    remarks = text_of(root, "remarks")
    owners = tuple(_owner(element, remarks) for element in root.findall("reportingOwner"))
    # The box means: subject to Section 16 no longer.
    left = truth_of(root, "notSubjectToSection16")
    return OwnershipForm(
        form=text_of(root, "documentType").upper(),
        issuer_cik=text_of(root, "issuer/issuerCik").zfill(10),
        issuer_name=registrant_name(text_of(root, "issuer/issuerName")),
        owners=owners,
        transactions=tuple(_transactions(root)),
        remarks=remarks,
        planned_10b5_1=truth_of(root, "aff10b5One"),
        observations=() if left else tuple(_observations(owners, _day(root))),
    )


def ownership_lines(form: OwnershipForm) -> Iterator[str]:
    """The form as sentences: a line an owner, a line a transaction."""
    for owner in form.owners:
        roles = [
            word
            for word, holds in (
                ("director", owner.director),
                (owner.title or "officer", owner.officer),
                ("10% owner", owner.ten_percent_owner),
            )
            if holds
        ]
        yield f"{owner.name} ({', '.join(roles) or 'other'}) of {form.issuer_name}, Form {form.form}."
    yield from map(_transaction_line, form.transactions)
    if form.planned_10b5_1:
        yield "The transaction was made under a Rule 10b5-1 plan."
    if form.remarks:
        yield f"Remarks: {form.remarks}"


def _transaction_line(line: Transaction) -> str:
    verb = _CODES.get(line.code or "", "reported")
    amount = f"{line.shares:,.0f} " if line.shares is not None else ""
    price = f" at ${line.price:,.2f}" if line.price else ""
    after = f"; {line.after:,.0f} held afterwards" if line.after is not None else ""
    day = f"{line.day.isoformat()}: " if line.day else ""
    return f"{day}{verb} {amount}{line.security}{price}{after} (code {line.code or 'none'})."


def _day(root: etree._Element) -> date | None:
    """The day of the transaction, else the last signature's."""
    signed = (day_of(each, "signatureDate") for each in root.findall("ownerSignature"))
    return day_of(root, "periodOfReport") or max(filter(None, signed), default=None)


def _owner(element: etree._Element, remarks: str) -> Owner:
    raw = text_of(element, "reportingOwnerId/rptOwnerName")
    relation = "reportingOwnerRelationship"
    officer = truth_of(element, f"{relation}/isOfficer")
    company = is_organization_name(raw)
    title = text_of(element, f"{relation}/officerTitle")
    if title.lower().strip(". ") in _NO_TITLE:
        # "See Remarks": the title did not fit into the box.
        fits = 0 < len(remarks) <= _LONGEST_REMARK and "." not in remarks.rstrip(".")
        title = remarks if officer and "remark" in title.lower() and fits else ""
    return Owner(
        name=registrant_name(raw) if company else insider_name(raw),
        director=truth_of(element, f"{relation}/isDirector"),
        officer=officer,
        ten_percent_owner=truth_of(element, f"{relation}/isTenPercentOwner"),
        title=tidy_office(title) or None,
        is_person=not company,
    )


def _transactions(root: etree._Element) -> Iterator[Transaction]:
    for table in ("nonDerivative", "derivative"):
        for line in root.findall(f"{table}Table/{table}Transaction"):
            after = "postTransactionAmounts/sharesOwnedFollowingTransaction"
            yield Transaction(
                day=day_of(line, "transactionDate"),
                code=text_of(line, "transactionCoding/transactionCode") or None,
                security=text_of(line, "securityTitle"),
                shares=number_of(line, "transactionAmounts/transactionShares"),
                price=number_of(line, "transactionAmounts/transactionPricePerShare"),
                after=number_of(line, after),
            )


def _observations(owners: tuple[Owner, ...], day: date | None) -> Iterator[Observation]:
    for index, owner in enumerate(owners, start=1):
        if not owner.is_person or not (owner.officer or owner.director):
            continue
        pointer = f"/ownershipDocument/reportingOwner[{index}]"
        title = owner.title or (None if owner.officer else "Director")
        role = "officer" if owner.officer else "director"
        value = {"name": owner.name, "title": title, "role": role}
        yield Observation("person", value, "xml", 0.9, pointer=pointer, as_of=day)
        if owner.officer and is_chief_executive(owner.title or ""):
            yield Observation("ceo", owner.name, "xml", 0.85, pointer=pointer, as_of=day)
