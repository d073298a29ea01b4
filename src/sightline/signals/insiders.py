"""Form 4: insiders who put their own money in.

The vocabulary has a type for money that goes into a company (`invests_into`) and none for insiders who
sell, so open-market purchases alone are told; sales are mostly diversification and plans.
"""

import re
from datetime import date
from typing import Final

from sightline.domain.happenings import (
    EvidenceDocument,
    SignalAmount,
    SignalParty,
    Subject,
    Telling,
)
from sightline.domain.signals import SignalType
from sightline.signals.contract import money, noon, person_key, source_of

FORM: Final = re.compile(r"^4(?:/A)?\b")
# Smaller purchases are reinvested dividends and tokens of goodwill.
LEAST_USD: Final = 100_000
_PURCHASE: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d): bought (?P<shares>[\d,]+) (?P<security>[^\n]{1,80}?) at"
    r" \$(?P<price>[\d,]+(?:\.\d+)?)[^\n]*\(code P\)\."
)
_OWNER: Final = re.compile(r"^(?P<name>[^\n(]{2,80}) \((?P<roles>[^)\n]+)\) of ", re.MULTILINE)


def read(document: EvidenceDocument, subject: Subject) -> list[Telling]:
    """Open-market purchases by an officer or director worth at least `LEAST_USD` together."""
    if document.kind != "filing" or not FORM.match(document.title or ""):
        return []
    owner = _OWNER.search(document.text)
    if owner is None or not re.search(r"officer|director|chief|president", owner["roles"], re.I):
        return []
    bought = list(_PURCHASE.finditer(document.text))
    worth = sum(_number(each["shares"]) * _number(each["price"]) for each in bought)
    if worth < LEAST_USD:
        return []
    name = " ".join(owner["name"].split())
    largest = max(bought, key=lambda each: _number(each["shares"]) * _number(each["price"]))
    shares = sum(_number(each["shares"]) for each in bought)
    amount = SignalAmount(round(worth), "USD")
    return [
        Telling(
            type=SignalType.INVESTS_INTO,
            title=f"{name} buys {money(amount)} of {subject.name} shares",
            summary=f"{name} ({owner['roles']}) bought {shares:,.0f} shares of {subject.name} for"
            f" {money(amount)}.",
            quote=largest[0],
            source_kind="filing",
            source=source_of(document),
            document_id=document.document_id,
            start=largest.start(),
            end=largest.end(),
            published_at=document.published_at,
            occurred_at=noon(date.fromisoformat(largest["day"])),
            confidence=0.95,
            parties=(
                SignalParty("investor", name, owner["roles"]),
                SignalParty("recipient", subject.name),
            ),
            amount=amount,
            about=person_key(name),
        )
    ]


def _number(text: str) -> float:
    return float(text.replace(",", ""))
