"""Current reports: what each item of an 8-K says that happened, with the sentence that proves it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.domain.happenings import (
    EvidenceDocument,
    SignalAmount,
    SignalParty,
    Subject,
    Telling,
)
from sightline.domain.names import fold
from sightline.domain.numbers import parse_money
from sightline.domain.signals import PartyRole, SignalType
from sightline.signals.contract import (
    about_of,
    is_subject,
    mentions,
    money,
    noon,
    person_key,
    source_of,
)
from sightline.signals.dates import day_of, is_old
from sightline.signals.filing_people import Move, moves_in
from sightline.signals.filing_words import (
    agreement_kind,
    buyer_is_other,
    firms_in,
    has_cue,
    is_own,
    is_vehicle,
    means_registrant,
    means_us,
    new_name_in,
    parent_of_merger_sub,
    period_in,
    refers_only,
)
from sightline.signals.news import read_spans
from sightline.signals.sentences import plain, sentences
from sightline.sources.sec_edgar.eight_k import ITEM_TITLES, OLD_ITEM_TITLES

FORM: Final = re.compile(r"^(?:8-K|6-K)\b", re.IGNORECASE)
# Before August 2004 items had one number.
_NEW_NUMBERS: Final = {
    "1": "5.01", "2": "2.01", "3": "1.03", "4": "4.01", "5": "8.01", "6": "5.02", "9": "7.01", "12": "2.02",
}  # fmt: skip
_OLD_HEADS: Final = frozenset(fold(title) for title in OLD_ITEM_TITLES.values())
_MOST_SENTENCES: Final = 14
Roles = list[tuple[PartyRole, str]]


@dataclass(frozen=True, slots=True)
class Item:
    """An item of one report with its sentences as spans of the document's text."""

    number: str
    document: EvidenceDocument
    subject: Subject
    spans: tuple[tuple[int, int], ...]
    start: int
    end: int

    @property
    def said(self) -> date:
        return self.document.said_at.date()

    def sentence(self, span: tuple[int, int]) -> str:
        return self.document.text[span[0] : span[1]]


def read(document: EvidenceDocument, subject: Subject) -> list[Telling]:
    """What happened according to a current report; nothing for any other document."""
    if document.kind != "filing" or not FORM.match(document.title or ""):
        return []
    found: list[Telling] = []
    for item in _items(document, subject):
        reader = _READERS.get(item.number)
        if reader is not None:
            found += reader(item)
    return found


def _items(document: EvidenceDocument, subject: Subject) -> Iterator[Item]:
    by_number: dict[str, list[tuple[int, int, str | None]]] = {}
    for span in document.spans:
        number = _NEW_NUMBERS.get(span.section or "", span.section or "")
        if re.fullmatch(r"\d\.\d\d", number):
            by_number.setdefault(number, []).append((span.start, span.end, span.heading))
    for number, pieces in by_number.items():
        start, end = pieces[0][0], pieces[-1][1]
        heads = {fold(ITEM_TITLES.get(number, "")), fold(pieces[0][2] or "")}
        spans = [
            span
            for span in sentences(document.text, start, end)
            if not _is_boilerplate(document.text[span[0] : span[1]], heads)
        ]
        yield Item(number, document, subject, tuple(spans[:_MOST_SENTENCES]), start, end)


_BOILERPLATE: Final = re.compile(
    r"forward-looking|incorporated\s+(?:herein\s+)?by\s+reference\s+(?:in|into)\s+this|shall\s+not\s+be\s+deemed"
    r"|qualified\s+in\s+(?:its|their)\s+entirety|^\W*item\s+\d+(?:\.\d+)?\W*[^.]{0,160}$|safe\s+harbor",
    re.IGNORECASE,
)


def _is_boilerplate(sentence: str, heads: set[str]) -> bool:
    folded = re.sub(r"^item \d+(?: ?\d\d)? ", "", fold(sentence))
    return (
        len(sentence) < 30
        or folded in heads
        or folded in _OLD_HEADS
        or _BOILERPLATE.search(sentence) is not None
    )


# --- one function per item ---------------------------------------------------------------------


def _agreement(item: Item) -> list[Telling]:
    """1.01: the first sentence in which the company signs something with somebody."""
    for span in item.spans:
        sentence = item.sentence(span)
        if not has_cue(sentence, "signs") or is_old(sentence, said=item.said):
            continue
        firms = _others(item, sentence)
        merger = _merger(item, span, sentence, firms)
        if merger is not None:
            return [merger]
        kind = SignalType.MATERIAL_AGREEMENT
        if agreement_kind(sentence) is None and not firms:
            continue
        verb = "signs a material agreement"
        what = agreement_kind(sentence)
        if what:
            verb = f"signs a {what}" if what[0].lower() not in "aeiou" else f"signs an {what}"
        if has_cue(sentence, "amends"):
            verb = f"amends its {what}" if what else "amends a material agreement"
        partner = firms[0] if firms else None
        title = f"{item.subject.name} {verb}" + (f" with {partner}" if partner else "")
        return [
            _telling(
                item, span, kind, title,
                parties=[("company", item.subject.name)] + ([("counterparty", partner)] if partner else []),
                amount=amount_in(sentence), confidence=0.9 if partner else 0.8,
                about=about_of([partner]) if partner else "",
            )
        ]  # fmt: skip
    return []


def _merger(
    item: Item, span: tuple[int, int], sentence: str, firms: list[str]
) -> Telling | None:
    if not has_cue(sentence, "merger") or not firms:
        return None
    name = item.subject.name
    amount = amount_in(sentence)
    parent = parent_of_merger_sub(sentence)
    target = next((firm for firm in firms if not is_vehicle(firm, sentence)), None)
    if target is None:
        return None
    if parent and not is_subject(parent, item.subject) and not means_registrant(parent):
        return _telling(
            item, span, SignalType.ACQUIRES, f"{parent} agrees to acquire {name}",
            parties=[("acquirer", parent), ("target", name)], planned=True, amount=amount,
            confidence=0.75, about=about_of([parent]),
        )  # fmt: skip
    kind = SignalType.ACQUIRES if parent else SignalType.MERGES_WITH
    verb = "agrees to acquire" if parent else "agrees to merge with"
    roles = [("acquirer", name), ("target", target)] if parent else [("partner", name), ("partner", target)]
    return _telling(
        item, span, kind, f"{name} {verb} {target}", parties=roles, planned=True, amount=amount,
        confidence=0.8 if parent else 0.7, about=about_of([target]),
    )  # fmt: skip


def _bankruptcy(item: Item) -> list[Telling]:
    for span in item.spans:
        sentence = item.sentence(span)
        if has_cue(sentence, "bankruptcy") and not is_old(sentence, said=item.said):
            whose = "subsidiary" if re.search(r"\bsubsidiar", sentence, re.I) and not re.search(
                r"and\s+(?:certain|its|each)\b[^.]{0,60}subsidiar", sentence, re.I
            ) else None
            name = item.subject.name
            title = f"A subsidiary of {name} is in bankruptcy proceedings" if whose else (
                f"{name} is in bankruptcy proceedings")
            return [_telling(item, span, SignalType.BANKRUPTCY, title, parties=[("company", name)],
                             confidence=0.75 if whose else 0.9)]  # fmt: skip
    return []


def _completion(item: Item) -> list[Telling]:
    """2.01: bought or sold - the words of the sentence decide."""
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        if is_old(sentence, said=item.said):
            continue
        firms = _others(item, sentence)
        amount = amount_in(sentence)
        if has_cue(sentence, "separates"):
            return [_telling(item, span, SignalType.SPINS_OFF,
                             f"{name} completes the separation of {firms[0] if firms else 'a business'}",
                             parties=[("company", name), *([("business", firms[0])] if firms else [])],
                             amount=amount, confidence=0.9, about=about_of(firms[:1]))]  # fmt: skip
        buys = has_cue(sentence, "buys")
        sells = has_cue(sentence, "sells") or buyer_is_other(sentence)
        if not buys and not sells:
            continue
        if sells and (not buys or buyer_is_other(sentence)):
            title = f"{name} sells assets" + (f" to {firms[-1]}" if firms else "")
            return [_telling(item, span, SignalType.SELLS_ASSETS_TO, _for(title, amount),
                             parties=[("seller", name), *([("buyer", firms[-1])] if firms else [])],
                             amount=amount, confidence=0.8 if firms else 0.7,
                             about=about_of(firms[-1:]))]  # fmt: skip
        if firms:
            return [_telling(item, span, SignalType.ACQUIRES, _for(f"{name} acquires {firms[0]}", amount),
                             parties=[("acquirer", name), ("target", firms[0])], amount=amount,
                             confidence=0.85, about=about_of(firms[:1]))]  # fmt: skip
    return []


def _earnings(item: Item) -> list[Telling]:
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        if not has_cue(sentence, "results"):
            continue
        period = period_in(sentence)
        return [_telling(item, span, SignalType.EARNINGS_RELEASED,
                         f"{name} releases results" + (f" for the {period}" if period else ""),
                         parties=[("company", name)], confidence=0.97 if period else 0.85)]  # fmt: skip
    return []


def _exit_costs(item: Item) -> list[Telling]:
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        people = has_cue(sentence, "layoffs")
        if not people and not has_cue(sentence, "restructures"):
            continue
        kind = SignalType.LAYOFFS if people else SignalType.COST_CUTTING
        share = re.search(r"\b(?:approximately\s+)?(\d[\d,]*(?:\.\d+)?\s?(?:%|percent|employees|positions))", sentence)
        title = f"{name} cuts jobs" if people else f"{name} restructures to cut costs"
        if people and share:
            title += f" ({share[1]})"
        role = "employer" if people else "company"
        return [_telling(item, span, kind, title, parties=[(role, name)], amount=amount_in(sentence),
                         confidence=0.9)]  # fmt: skip
    return []


def _auditor(item: Item) -> list[Telling]:
    name = item.subject.name
    gone = come = None
    proof: tuple[int, int] | None = None
    for span in item.spans:
        sentence = item.sentence(span)
        if is_old(sentence, said=item.said):
            continue
        firms = _others(item, sentence, auditors=True)
        if not firms:
            continue
        if come is None and has_cue(sentence, "engages"):
            come, proof = firms[-1] if has_cue(sentence, "dismisses") else firms[0], span
        if gone is None and has_cue(sentence, "dismisses"):
            gone = firms[0]
            proof = proof or span
    if proof is None:
        return []
    title = f"{name} changes its auditor" if come is None else f"{name} engages {come} as auditor"
    if gone:
        title += f" in place of {gone}" if come else f": {gone} leaves"
    parties: Roles = [("company", name)]
    parties += [("auditor", firm) for firm in (come, gone) if firm]
    return [_telling(item, proof, SignalType.ACCOUNTANT_CHANGE, title, parties=parties, confidence=0.95)]


def _restatement(item: Item) -> list[Telling]:
    return _single(item, SignalType.RESTATES, "restates", "{} withdraws reliance on earlier accounts", 0.93)


def _impairment(item: Item) -> list[Telling]:
    return _single(item, SignalType.HAS_ISSUES_WITH, "impairs", "{} records a material impairment", 0.85)


def _delisting(item: Item) -> list[Telling]:
    found = _single(
        item, SignalType.REGULATORY_ACTION, "delists", "{} gets a notice about its stock exchange listing", 0.85
    )
    return [each for each in found if "transfer" not in each.quote.lower()]


def _breach(item: Item) -> list[Telling]:
    return _single(
        item, SignalType.SECURITY_INCIDENT, "breach", "{} reports a cybersecurity incident", 0.95
    )


def _renamed(item: Item) -> list[Telling]:
    for span in item.spans:
        sentence = item.sentence(span)
        new = new_name_in(sentence)
        if new is not None and not is_old(sentence, said=item.said):
            old = next((n for n in (item.subject.name,) if n.lower() != new.lower()), "The company")
            return [_telling(item, span, SignalType.REBRANDS, f"{old} changes its name to {new}"
                             if old != "The company" else f"The company takes the name {new}",
                             parties=[("company", item.subject.name)], confidence=0.93)]  # fmt: skip
    return []


def _people(item: Item) -> list[Telling]:
    found = []
    for move in moves_in(
        item.document.text, list(item.spans), said=item.said, whole=(item.start, item.end),
        own=lambda name: is_subject(name, item.subject),
    ):
        found.append(_move(item, move))
    return found


def _move(item: Item, move: Move) -> Telling:
    name, office = item.subject.name, move.office
    match move.type:
        case SignalType.BOARD_CHANGE:
            lead = office if office and "Director" in office or "Chair" in (office or "") else None
            title = f"{move.person} {'leaves' if move.going else 'joins'} the board of {name}"
            if lead and not move.going:
                title = f"{move.person} becomes {lead} of {name}"
            roles = [("company", name), ("person", move.person)]
        case SignalType.LEAVES | SignalType.RETIRES_FROM:
            verb = "retires from" if move.type == SignalType.RETIRES_FROM else "leaves"
            title = f"{move.person} {verb} {name}" + (f" ({office})" if office else "")
            roles = [("person", move.person), ("employer", name)]
        case _:
            verb = "promotes" if move.type == SignalType.PROMOTES else "appoints"
            title = f"{name} {verb} {move.person}" + (f" as {office}" if office else "")
            roles = [("employer", name), ("person", move.person)]
    telling = _telling(
        item, (move.start, move.end), move.type, title, parties=roles, planned=move.planned,
        confidence=0.9 if office or move.type == SignalType.BOARD_CHANGE else 0.8,
        about=person_key(move.person), offices={move.person: office},
    )  # fmt: skip
    return telling


def _other_events(item: Item) -> list[Telling]:
    """7.01 and 8.01 say anything: the text detector reads their first sentences."""
    spans = [
        span
        for span in item.spans[:6]
        if not refers_only(item.sentence(span)) and not is_old(item.sentence(span), said=item.said)
    ]
    if any(_PETITION.search(item.sentence(span)) for span in spans):
        return _bankruptcy(item)
    return _renamed(item) or _securities_sold(item, spans) or read_spans(item.document, item.subject, spans, own=True, least=0.7)


_OFFERING: Final = re.compile(
    r"\b(?:Terms|Underwriting|Purchase|Subscription)\s+Agreement\b.*\b(?:offer(?:ing)?|sale|issu)", re.I | re.S
)


def _securities_sold(item: Item, spans: list[tuple[int, int]]) -> list[Telling]:
    """Notes or shares sold through underwriters."""
    name = item.subject.name
    for span in spans:
        sentence = item.sentence(span)
        amount = amount_in(sentence)
        if amount is None or not _OFFERING.search(sentence):
            continue
        what = "notes" if re.search(r"\b(?:notes|debentures|bonds)\b", sentence, re.I) else "shares"
        return [_telling(item, span, SignalType.RECEIVES_FINANCING, f"{name} sells {money(amount)} of {what}",
                         parties=[("recipient", name)], amount=amount, confidence=0.85)]  # fmt: skip
    return []


_PETITION: Final = re.compile(r"\bvoluntary\s+petitions?\b|\bpetitions?\s+for\s+[^.]{0,40}chapter\s+11\b", re.I)


def _financing(item: Item) -> list[Telling]:
    """3.02: shares or notes sold to somebody."""
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        amount = amount_in(sentence)
        if amount is None or not has_cue(sentence, "issues") or is_old(sentence, said=item.said):
            continue
        return [_telling(item, span, SignalType.RECEIVES_FINANCING, _for(f"{name} sells securities", amount),
                         parties=[("recipient", name)], amount=amount, confidence=0.7)]  # fmt: skip
    return []


_READERS: Final[dict[str, Callable[[Item], list[Telling]]]] = {
    "1.01": _agreement,
    "1.03": _bankruptcy,
    "1.05": _breach,
    "2.01": _completion,
    "2.02": _earnings,
    "2.05": _exit_costs,
    "2.06": _impairment,
    "3.01": _delisting,
    "3.02": _financing,
    "4.01": _auditor,
    "4.02": _restatement,
    "5.02": _people,
    "5.03": _renamed,
    "7.01": _other_events,
    "8.01": _other_events,
}


# --- shared ------------------------------------------------------------------------------------


def _single(
    item: Item, kind: SignalType, cue: str, title: str, confidence: float
) -> list[Telling]:
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        if has_cue(sentence, cue) and not is_old(sentence, said=item.said):
            return [_telling(item, span, kind, title.format(name), parties=[("company", name)],
                             amount=amount_in(sentence), confidence=confidence)]  # fmt: skip
    return []


def _others(item: Item, sentence: str, *, auditors: bool = False) -> list[str]:
    """Firms that a sentence names, the company and its own vehicles left out."""
    return [
        firm
        for firm in firms_in(sentence)
        if not is_subject(firm, item.subject)
        and not means_registrant(firm)
        and not (not auditors and is_own(firm, sentence, item.subject))
    ]


def _for(title: str, amount: SignalAmount | None) -> str:
    return f"{title} for {money(amount)}" if money(amount) else title


_MONEY: Final = re.compile(
    r"(?:US|C|A|HK|S)?[$€£]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:thousand|million|billion|trillion|bn|mn|m|k)\b)?", re.I
)


# How large a party is, not what is paid.
_SIZE: Final = re.compile(r"\b(?:assets|revenues?|sales|capitalization|liabilities)\s+(?:of|under)\b", re.I)


def amount_in(sentence: str) -> SignalAmount | None:
    """The largest amount of money of a sentence above a thousand: prices of a share are not meant."""
    best: SignalAmount | None = None
    for match in _MONEY.finditer(sentence):
        read = parse_money(match[0])
        if read is None or read.amount < 1_000:
            continue
        if _SIZE.search(sentence[max(0, match.start() - 40) : match.start()]):
            continue
        if best is None or read.amount > best.value:
            best = SignalAmount(read.amount, read.currency)
    return best


def _telling(
    item: Item, span: tuple[int, int], kind: SignalType, title: str, *, parties: Roles,
    planned: bool = False, amount: SignalAmount | None = None, confidence: float = 0.8, about: str = "",
    offices: dict[str, str | None] | None = None,
) -> Telling:  # fmt: skip
    document = item.document
    quote = item.sentence(span)
    day = day_of(quote, said=item.said)
    named = mentions(quote, item.subject) or means_us(quote)
    return Telling(
        type=kind,
        title=title[:300],
        summary=plain(quote),
        quote=quote,
        source_kind="filing",
        source=source_of(document),
        document_id=document.document_id,
        start=span[0],
        end=span[1],
        published_at=document.published_at,
        occurred_at=noon(day) or document.published_at,
        planned=planned,
        confidence=round(confidence if named else confidence - 0.1, 3),
        parties=tuple(SignalParty(role, name, (offices or {}).get(name)) for role, name in parties),
        amount=amount,
        about=about,
    )
