"""Form 4: insiders who put their own money in, or who take much out of their own will.

Purchases are `invests_into`, sales `divests`. Sales under a Rule 10b5-1 plan were decided long before
and are not told. The form says so since April 2023; of older ones it cannot be known.
"""

import re
from collections.abc import Iterable
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
# Smaller sales pay taxes and school fees.
LEAST_SOLD_USD: Final = 1_000_000
_PURCHASE: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d): bought (?P<shares>[\d,]+) (?P<security>[^\n]{1,80}?) at"
    r" \$(?P<price>[\d,]+(?:\.\d+)?)[^\n]*\(code P\)\."
)
_SALE: Final = re.compile(_PURCHASE.pattern.replace("bought", "sold").replace("code P", "code S"))
_PLAN: Final = re.compile(r"Rule 10b5-1 plan")
# From this day on the form has a box for such plans.
PLANS_SINCE: Final = date(2023, 4, 1)
_OWNER: Final = re.compile(r"^(?P<name>[^\n(]{2,80}) \((?P<roles>[^)\n]+)\) of ", re.MULTILINE)


def read(document: EvidenceDocument, subject: Subject) -> list[Telling]:
    """What an officer or director bought or sold on the open market by one form, all lines together."""
    if document.kind != "filing" or not FORM.match(document.title or ""):
        return []
    owner = _OWNER.search(document.text)
    if owner is None or not re.search(r"officer|director|chief|president", owner["roles"], re.I):
        return []
    name = " ".join(owner["name"].split())
    found = []
    bought = list(_PURCHASE.finditer(document.text))
    if _worth(bought) >= LEAST_USD:
        parties = (
            SignalParty("investor", name, owner["roles"]),
            SignalParty("recipient", subject.name),
        )
        kind = SignalType.INVESTS_INTO
        found.append(_telling(document, subject, kind, bought, owner, parties))
    sold = list(_SALE.finditer(document.text))
    at = document.published_at
    told = at is not None and at.date() >= PLANS_SINCE and not _PLAN.search(document.text)
    if told and _worth(sold) >= LEAST_SOLD_USD:
        parties = (
            SignalParty("seller", name, owner["roles"]),
            SignalParty("business", subject.name),
        )
        found.append(_telling(document, subject, SignalType.DIVESTS, sold, owner, parties))
    return found


def _telling(
    document: EvidenceDocument,
    subject: Subject,
    kind: SignalType,
    lines: list[re.Match[str]],
    owner: re.Match[str],
    parties: tuple[SignalParty, ...],
) -> Telling:
    sells = kind == SignalType.DIVESTS
    name = parties[0].name
    largest = max(lines, key=lambda each: _worth([each]))
    shares = sum(_number(each["shares"]) for each in lines)
    amount = SignalAmount(round(_worth(lines)), "USD")
    manner = ", outside a Rule 10b5-1 plan" if sells else ""
    return Telling(
        type=kind,
        title=f"{name} {'sells' if sells else 'buys'} {money(amount)} of {subject.name} shares{manner}",
        summary=f"{name} ({owner['roles']}) {'sold' if sells else 'bought'} {shares:,.0f} shares of"
        f" {subject.name} for {money(amount)}{manner}.",
        quote=largest[0],
        source_kind="filing",
        source=source_of(document),
        document_id=document.document_id,
        start=largest.start(),
        end=largest.end(),
        published_at=document.published_at,
        occurred_at=noon(date.fromisoformat(largest["day"])),
        confidence=0.85 if sells else 0.95,
        parties=parties,
        amount=amount,
        about=person_key(name),
    )


def _worth(lines: Iterable[re.Match[str]]) -> float:
    """Of all lines together, in US dollars."""
    return sum(_number(each["shares"]) * _number(each["price"]) for each in lines)


def _number(text: str) -> float:
    return float(text.replace(",", ""))
