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
_FIELD: Final = re.compile(
    r"(Total amount sold|Total offering amount|Date of first sale): \$?(\d[\d,-]*)\."
)
_LATEST: Final = timedelta(days=180)


def read(document: EvidenceDocument, company: NamedCompany) -> list[Mention]:
    """The offering that a notice tells of; an offering of which nothing is sold yet is planned."""
    if document.kind != "filing" or (document.title or "").split(" ")[0] not in FORMS:
        return []
    fields = {match[1]: match for match in reversed(list(_FIELD.finditer(document.text)))}
    sold = fields.get("Total amount sold")
    done = sold if sold and _whole(sold[2]) > 0 else None
    proof = done or fields.get("Total offering amount")
    if proof is None or _whole(proof[2]) == 0:
        return []
    amount = SignalAmount(float(_whole(proof[2])), "USD")
    first = fields.get("Date of first sale")
    verb = "raises" if done else "offers securities for"
    day = noon(date.fromisoformat(first[2])) if first else None
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
