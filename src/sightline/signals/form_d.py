"""Form D: capital raised without registration."""

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Final

from sightline.domain.mentions import (
    EvidenceDocument,
    Mention,
    NamedCompany,
    SignalAmount,
    SignalParty,
)
from sightline.domain.signals import SignalType
from sightline.signals.contract import money, noon, proof_in

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
    amounts = {
        name: match
        for name in ("Total amount sold", "Total offering amount")
        if (match := fields.get(name)) and _whole(match[2])
    }
    if not amounts:
        return []
    name, proof = next(iter(amounts.items()))
    done = name == "Total amount sold"
    amount = SignalAmount(float(_whole(proof[2])), "USD")
    verb = "raises" if done else "offers securities for"
    return [
        Mention(
            type=SignalType.RECEIVES_FINANCING,
            title=f"{company.name} {verb} {money(amount)}",
            summary=f"{company.name} {verb} {money(amount)} in an exempt offering (Form D).",
            source_kind="filing",
            **proof_in(document, *proof.span()),
            occurred_at=_first_sale(fields, document) or document.published_at,
            realis="happened" if done else "planned",
            confidence=0.95 if done else 0.8,
            parties=(SignalParty("recipient", company.name),),
            amount=amount,
        )
    ]


def _first_sale(fields: Mapping[str, re.Match[str]], document: EvidenceDocument) -> datetime | None:
    """The day of the first sale; None of what is sold for years, where only the totals are new."""
    first = fields.get("Date of first sale")
    day = noon(date.fromisoformat(first[2])) if first else None
    is_old = day and document.published_at and document.published_at - day > _LATEST
    return None if is_old else day


def _whole(text: str) -> int:
    return int(text.replace(",", ""))
