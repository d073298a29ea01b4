"""Forms 3, 4 and 5: who is an insider of which company, and what that person bought or sold."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from lxml import etree

from sightline.domain.evidence import Observation
from sightline.sources.sec_edgar.names import insider_name, is_company_name, registrant_name
from sightline.sources.sec_edgar.titles import is_chief_executive, tidy_title
from sightline.sources.sec_edgar.xml import number_of, root_of, text_of, truth_of

_NOT_A_TITLE = frozenset(
    {"see remarks", "see remark", "see footnote", "see footnotes", "other", "officer"}
)


@dataclass(frozen=True, slots=True)
class Owner:
    """A reporting owner. `title` is the officer's title, tidy; `name` is first name first."""

    cik: str
    name: str
    director: bool
    officer: bool
    ten_percent_owner: bool
    title: str | None
    is_person: bool


@dataclass(frozen=True, slots=True)
class Transaction:
    """One line of the form. `code` is the SEC's letter (P purchase, S sale, M exercise, A award...),
    None for a holding without a transaction; `acquired` is False for disposals. Shares and prices
    are in units and in whole dollars a share; `after` counts what is held afterwards."""

    day: date | None
    code: str | None
    security: str
    derivative: bool
    acquired: bool | None
    shares: float | None
    price: float | None
    after: float | None
    direct: bool
    pointer: str


@dataclass(frozen=True, slots=True)
class OwnershipForm:
    """One form. `form` is 3, 4 or 5, with "/A" for amendments; `remarks` may hold a long title."""

    form: str
    period: date | None
    issuer_cik: str
    issuer_name: str
    issuer_ticker: str | None
    owners: tuple[Owner, ...]
    transactions: tuple[Transaction, ...]
    holdings: tuple[Transaction, ...]
    remarks: str
    signed: date | None
    planned_10b5_1: bool
    no_longer_insider: bool
    observations: tuple[Observation, ...]


def read_ownership(content: bytes) -> OwnershipForm | None:
    """The form in an XML document or a full submission text; None when there is none."""
    root = root_of(content, "ownershipDocument")
    if root is None or root.find("issuer") is None:
        return None
    remarks = text_of(root, "remarks")
    owners = tuple(_owner(element, remarks) for element in root.findall("reportingOwner"))
    period = _day(text_of(root, "periodOfReport"))
    form = OwnershipForm(
        form=text_of(root, "documentType").upper(),
        period=period,
        issuer_cik=text_of(root, "issuer/issuerCik").zfill(10),
        issuer_name=registrant_name(text_of(root, "issuer/issuerName")),
        issuer_ticker=_ticker(text_of(root, "issuer/issuerTradingSymbol")),
        owners=owners,
        transactions=tuple(_lines(root, "Transaction")),
        holdings=tuple(_lines(root, "Holding")),
        remarks=remarks,
        signed=max(
            (d for s in root.findall("ownerSignature") if (d := _day(text_of(s, "signatureDate")))),
            default=None,
        ),
        planned_10b5_1=truth_of(root, "aff10b5One"),
        # The box means: subject to Section 16 no longer.
        no_longer_insider=truth_of(root, "notSubjectToSection16"),
        observations=(),
    )
    object.__setattr__(form, "observations", tuple(_observations(form)))
    return form


def _owner(element: etree._Element, remarks: str) -> Owner:
    raw = text_of(element, "reportingOwnerId/rptOwnerName")
    relation = "reportingOwnerRelationship"
    officer = truth_of(element, f"{relation}/isOfficer")
    title = text_of(element, f"{relation}/officerTitle")
    if officer and title.lower().strip(". ") in _NOT_A_TITLE and "remark" in title.lower():
        # "See Remarks": the title did not fit into the box.
        title = remarks if 0 < len(remarks) <= 120 and "." not in remarks.rstrip(".") else ""
    elif title.lower().strip(". ") in _NOT_A_TITLE:
        title = ""
    company = is_company_name(raw)
    return Owner(
        cik=text_of(element, "reportingOwnerId/rptOwnerCik").zfill(10),
        name=registrant_name(raw) if company else insider_name(raw),
        director=truth_of(element, f"{relation}/isDirector"),
        officer=officer,
        ten_percent_owner=truth_of(element, f"{relation}/isTenPercentOwner"),
        title=tidy_title(title) or None,
        is_person=not company,
    )


def _lines(root: etree._Element, kind: Literal["Transaction", "Holding"]) -> Iterator[Transaction]:
    for table, derivative in (("nonDerivative", False), ("derivative", True)):
        lines = root.findall(f"{table}Table/{table}{kind}")
        for index, line in enumerate(lines, start=1):
            side = text_of(line, "transactionAmounts/transactionAcquiredDisposedCode")
            after = "postTransactionAmounts/sharesOwnedFollowingTransaction"
            yield Transaction(
                day=_day(text_of(line, "transactionDate")),
                code=text_of(line, "transactionCoding/transactionCode") or None,
                security=text_of(line, "securityTitle"),
                derivative=derivative,
                acquired={"A": True, "D": False}.get(side),
                shares=number_of(line, "transactionAmounts/transactionShares"),
                price=number_of(line, "transactionAmounts/transactionPricePerShare"),
                after=number_of(line, after),
                direct=text_of(line, "ownershipNature/directOrIndirectOwnership") != "I",
                pointer=f"/ownershipDocument/{table}Table/{table}{kind}[{index}]",
            )


def _observations(form: OwnershipForm) -> Iterator[Observation]:
    for index, owner in enumerate(form.owners, start=1):
        if not owner.is_person or form.no_longer_insider:
            continue
        if not (owner.officer or owner.director):
            continue
        pointer = f"/ownershipDocument/reportingOwner[{index}]"
        role = "officer" if owner.officer else "director"
        title = owner.title or ("Director" if owner.director and not owner.officer else None)
        value = {"name": owner.name, "title": title, "role": role}
        as_of = form.period or form.signed
        yield Observation("person", value, "xml", 0.9, pointer=pointer, as_of=as_of)
        if owner.officer and is_chief_executive(owner.title or ""):
            yield Observation("ceo", owner.name, "xml", 0.85, pointer=pointer, as_of=as_of)


def _ticker(text: str) -> str | None:
    clean = text.strip().upper().strip('"')
    return None if clean in {"", "NONE", "N/A", "NA"} else clean


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
