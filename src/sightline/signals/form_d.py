"""Form D: money raised without registration."""

import re
from datetime import date, timedelta
from typing import Final

from sightline.domain.mentions import (
    EvidenceDocument,
    Mention,
    NamedCompany,
    SignalAmount,
    SignalParty,
)
from sightline.domain.signals import SignalType
from sightline.signals.contract import money, noon, source_of

FORMS: Final = ("D", "D/A")
_SOLD: Final = re.compile(r"Total amount sold: \$([\d,]+)\.")
_OFFERED: Final = re.compile(r"Total offering amount: \$([\d,]+)\.")
_LATEST: Final = timedelta(days=180)
_FIRST_SALE: Final = re.compile(r"Date of first sale: (\d{4}-\d\d-\d\d)\.")


def read(document: EvidenceDocument, company: NamedCompany) -> list[Mention]:
    """The offering that a notice tells of; an offering of which nothing is sold yet is planned."""
    if document.kind != "filing" or (document.title or "").split(" ")[0] not in FORMS:
        return []
    sold, offered = _SOLD.search(document.text), _OFFERED.search(document.text)
    done = sold if sold and _whole(sold[1]) > 0 else None
    proof = done or offered
    if proof is None or _whole(proof[1]) == 0:
        return []
    amount = SignalAmount(float(_whole(proof[1])), "USD")
    first = _FIRST_SALE.search(document.text)
    verb = "raises" if done else "offers securities for"
    day = noon(date.fromisoformat(first[1])) if first else None
    if day and document.published_at and document.published_at - day > _LATEST:
        day = None  # it is sold for years: what is new are the totals
    return [
        Mention(
            type=SignalType.RECEIVES_FINANCING,
            title=f"{company.name} {verb} {money(amount)}",
            summary=f"{company.name} {verb} {money(amount)} in an exempt offering (Form D).",
            quote=proof[0],
            source_kind="filing",
            source=source_of(document),
            document_id=document.document_id,
            start=proof.start(),
            end=proof.end(),
            published_at=document.published_at,
            occurred_at=day or document.published_at,
            realis="happened" if done else "planned",
            confidence=0.95 if done else 0.8,
            parties=(SignalParty("recipient", company.name),),
            amount=amount,
        )
    ]


def _whole(text: str) -> int:
    return int(text.replace(",", ""))
