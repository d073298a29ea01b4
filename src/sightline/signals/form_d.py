"""Form D: capital raised without registration."""

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Final

from sightline.domain.amounts import money
from sightline.domain.mentions import (
    EvidenceDocument,
    Mention,
    NamedCompany,
    SignalAmount,
    SignalParty,
)
from sightline.domain.signals import Realis, SignalType
from sightline.signals.contract import noon, proof_in

FORMS: Final = ("D", "D/A")
_FIELD: Final = re.compile(
    r"(Total amount sold|Total offering amount|Date of first sale): \$?(\d[\d,-]*)\."
)
_STAGES: Final[tuple[tuple[str, Realis, str], ...]] = (
    ("Total amount sold", "happened", "raises"),
    ("Total offering amount", "planned", "offers securities for"),
)
_LATEST: Final = timedelta(days=180)


def read(document: EvidenceDocument, company: NamedCompany) -> list[Mention]:
    """The offering that a notice tells of; an offering of which nothing is sold yet is planned."""
    if document.kind != "filing" or (document.title or "").split(" ")[0] not in FORMS:
        return []
    fields = {match[1]: match for match in reversed(list(_FIELD.finditer(document.text)))}
    for name, realis, verb in _STAGES:
        proof = fields.get(name)
        value = float(proof[2].replace(",", "")) if proof else 0
        if proof and value:
            said = f"{company.name} {verb} {money(value, 'USD')}"
            mention = Mention(
                SignalType.RECEIVES_FINANCING, said, f"{said} in an exempt offering (Form D).",
                **proof_in(document, *proof.span()), source_kind="filing", realis=realis,
                occurred_at=_first_sale(fields, document), amount=SignalAmount(value, "USD"),
                confidence=0.95 if realis == "happened" else 0.8,
                parties=(SignalParty("recipient", company.name),),
            )  # fmt: skip
            return [mention]
    return []


def _first_sale(fields: Mapping[str, re.Match[str]], document: EvidenceDocument) -> datetime | None:
    """The day of the first sale; None of what is sold for years, where only the totals are new."""
    first = fields.get("Date of first sale")
    day = noon(date.fromisoformat(first[2])) if first else None
    is_old = day and document.published_at and document.published_at - day > _LATEST
    return None if is_old else day
