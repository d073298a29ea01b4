"""Deals in current reports: agreements, mergers, purchases, sales, money raised."""

import re
from typing import Final

from sightline.domain.happenings import Telling
from sightline.domain.names import name_key
from sightline.domain.signals import SignalType
from sightline.signals.contract import about_of, is_subject, mentions, money
from sightline.signals.dates import is_old
from sightline.signals.filing_item import (
    Item,
    amount_in,
    others_in,
    parties,
    priced,
    tell,
    total_in,
)
from sightline.signals.filing_words import (
    agreement_kind,
    buyer_in,
    buyer_is_other,
    has_cue,
    is_vehicle,
    means_registrant,
    means_us,
    parent_of_merger_sub,
    survivor_of_merger,
)


def agreement(item: Item) -> list[Telling]:
    """1.01: the first sentence in which the company signs something with somebody."""
    for span in item.spans:
        sentence = item.sentence(span)
        if not has_cue(sentence, "signs") or is_old(sentence, said=item.said):
            continue
        firms = others_in(item, sentence)
        merger = _merger(item, span, sentence, firms)
        if merger is not None:
            return [merger]
        what = agreement_kind(sentence) or _facility(sentence)
        if what is None and not firms:
            continue
        partner = firms[0] if firms else None
        amends = has_cue(sentence, "amends")
        if _AWARDED.search(sentence):
            return [_award(item, span, partner or _awarder(sentence, item))]
        if what and _LENDS.search(what) and not amends:
            return [_loan(item, span, what, partner)]
        verb = "signs a material agreement"
        if what:
            verb = f"signs a {what}" if what[0].lower() not in "aeiou" else f"signs an {what}"
        if amends:
            verb = f"amends its {what}" if what else "amends a material agreement"
        title = f"{item.subject.name} {verb}" + (f" with {partner}" if partner else "")
        return [
            tell(
                item, span, SignalType.MATERIAL_AGREEMENT, title,
                parties=parties(("company", item.subject.name), ("counterparty", partner)),
                amount=amount_in(sentence), confidence=0.9 if partner else 0.8,
                about=about_of([partner]) if partner else "",
            )
        ]  # fmt: skip
    return []


_FACILITY: Final = re.compile(
    r"\b(?:revolving\s+|term\s+)?(?:credit\s+facility|line\s+of\s+credit|term\s+loan)\b", re.I
)


def _facility(sentence: str) -> str | None:
    """A loan that is not called an agreement."""
    found = _FACILITY.search(sentence)
    return " ".join(found[0].lower().split()) if found else None


_AWARDED: Final = re.compile(r"\bawarded\b[^.;]{0,140}\bcontract\b", re.I)
# The sentences after the one that names a merger agreement say who takes over whom.
_TERMS_REACH: Final = 900
_LENDS: Final = re.compile(r"\b(?:loan|credit|underwriting|note purchase|subscription)\b", re.I)


_AWARDER: Final = re.compile(
    r"\b(?:that|[.;,]|by)\s+(?:the\s+)?(?P<name>[A-Z][\w.&’'-]*(?:\s+(?:(?:of|and|for)\s+(?:the\s+)?)?[A-Z][\w.&’'-]*){0,7})"
    r"(?:\s+\([^()]*\))?\s+(?:has\s+|have\s+)?awarded\b"
)


def _awarder(sentence: str, item: Item) -> str | None:
    """Who awards a contract, where the name has no legal form: "NASA awarded it a contract"."""
    found = _AWARDER.search(sentence)
    return found["name"] if found and not is_subject(found["name"], item.subject) else None


def _award(item: Item, span: tuple[int, int], client: str | None) -> Telling:
    name = item.subject.name
    return tell(
        item, span, SignalType.SIGNS_NEW_CLIENT,
        f"{name} is awarded a contract" + (f" by {client}" if client else ""),
        parties=parties(("vendor", name), ("client", client)),
        amount=amount_in(item.sentence(span)), confidence=0.85 if client else 0.8,
        about=about_of([client]) if client else "",
    )  # fmt: skip


def _loan(item: Item, span: tuple[int, int], what: str, lender: str | None) -> Telling:
    """Money borrowed, or raised through underwriters."""
    name = item.subject.name
    title = f"{name} signs {'an' if what[0] in 'aeiou' else 'a'} {what}"
    amount = amount_in(item.sentence(span))
    return tell(
        item, span, SignalType.RECEIVES_FINANCING,
        priced(title + (f" with {lender}" if lender else ""), amount),
        parties=parties(("recipient", name), ("investor", lender)), amount=amount,
        confidence=0.9 if lender else 0.8, about=about_of([lender]) if lender else "",
    )  # fmt: skip


def _merger(item: Item, span: tuple[int, int], sentence: str, firms: list[str]) -> Telling | None:
    if not has_cue(sentence, "merger") or not firms:
        return None
    name = item.subject.name
    amount = amount_in(sentence)
    after = item.document.text[span[0] : span[1] + _TERMS_REACH]
    parent = parent_of_merger_sub(sentence) or survivor_of_merger(after)
    target = next(
        (firm for firm in firms if not is_vehicle(firm, sentence) and not _is_ours(firm, item)),
        None,
    )
    if target is None:
        return None
    if parent and not _is_ours(parent, item):
        return tell(
            item, span, SignalType.ACQUIRES, f"{parent} agrees to acquire {name}",
            parties=parties(("acquirer", parent), ("target", name)), planned=True, amount=amount,
            confidence=0.75, about=about_of([parent]),
        )  # fmt: skip
    kind = SignalType.ACQUIRES if parent else SignalType.MERGES_WITH
    verb = "agrees to acquire" if parent else "agrees to merge with"
    both = (
        parties(("acquirer", name), ("target", target))
        if parent
        else parties(("partner", name), ("partner", target))
    )
    return tell(
        item, span, kind, f"{name} {verb} {target}", parties=both, planned=True, amount=amount,
        confidence=0.8 if parent else 0.7, about=about_of([target]),
    )  # fmt: skip


def _is_ours(name: str, item: Item) -> bool:
    """Whether a name in a merger is the company's, also a short one that its own words make."""
    words = set(name_key(name).split()) - {"new"}  # the vehicle that takes the name over
    ours = set(name_key(item.subject.name).split())
    return is_subject(name, item.subject) or means_registrant(name) or words <= ours


# "The merger was completed on March 3": the sentence before says with whom.
_COMPLETED: Final = re.compile(
    r"\bthe\s+(?:merger|acquisition)\s+(?:was\s+)?(?:completed|consummated|closed)\b", re.I
)


def completion(item: Item) -> list[Telling]:
    """2.01: bought or sold - the words of the sentence decide."""
    name = item.subject.name
    before: list[str] = []
    for span in item.spans:
        sentence = item.sentence(span)
        if is_old(sentence, said=item.said):
            continue
        firms = others_in(item, sentence)
        if not firms and _COMPLETED.search(sentence):
            firms = before
        before = firms
        amount = amount_in(sentence)
        if has_cue(sentence, "separates"):
            parted = _PARTED.search(sentence)
            business = parted["name"].rstrip(".") if parted else firms[0] if firms else None
            return [tell(item, span, SignalType.SPINS_OFF,
                             f"{name} completes the separation of {business or 'a business'}",
                             parties=parties(("company", name), ("business", business)),
                             amount=amount, confidence=0.9,
                             about=about_of([business]) if business else "")]  # fmt: skip
        buys = has_cue(sentence, "buys")
        sells = has_cue(sentence, "sells") or buyer_is_other(sentence)
        if not buys and not sells:
            continue
        if sells and (not buys or buyer_is_other(sentence)):
            buyer = buyer_in(sentence, firms)
            title = f"{name} sells assets" + (f" to {buyer}" if buyer else "")
            return [tell(item, span, SignalType.SELLS_ASSETS_TO, priced(title, amount),
                         parties=parties(("seller", name), ("buyer", buyer)), amount=amount,
                         confidence=0.8 if buyer else 0.7,
                         about=about_of([buyer]) if buyer else "")]  # fmt: skip
        if firms:
            return [tell(item, span, SignalType.ACQUIRES, priced(f"{name} acquires {firms[0]}", amount),
                             parties=parties(("acquirer", name), ("target", firms[0])), amount=amount,
                             confidence=0.85, about=about_of(firms[:1]))]  # fmt: skip
    return []


_PARTED: Final = re.compile(
    r"\b[Ss](?:eparation|pin-?[Oo]ff)\s+of\s+(?:the\s+)?(?P<name>[A-Z][\w&.’'-]*(?:\s+[A-Z][\w&.’'-]*){0,4})"
)
_OFFERING: Final = re.compile(
    r"\b(?:Terms|Underwriting|Purchase|Subscription)\s+Agreement\b.*\b(?:offer(?:ing)?|sale|issu)",
    re.I | re.S,
)


def securities_sold(item: Item, spans: list[tuple[int, int]]) -> list[Telling]:
    """Notes or shares sold through underwriters, all of them together."""
    name = item.subject.name
    for span in spans:
        sentence = item.sentence(span)
        amount = total_in(sentence) or amount_in(sentence)
        if amount is None or not _OFFERING.search(sentence):
            continue
        what = "notes" if re.search(r"\b(?:notes|debentures|bonds)\b", sentence, re.I) else "shares"
        return [tell(item, span, SignalType.RECEIVES_FINANCING, f"{name} sells {money(amount)} of {what}",
                         parties=parties(("recipient", name)), amount=amount, confidence=0.85)]  # fmt: skip
    return []


_BORROWS: Final = re.compile(
    r"\b(?P<verb>entered\s+into|replaced|refinanced|closed(?:\s+on)?)\s[^;]{0,160}?"
    r"\b(?P<what>credit\s+(?:agreement|facilit)|term\s+loan|line\s+of\s+credit|loan\s+agreement)",
    re.I,
)
_WITH_NEW: Final = re.compile(r"\bwith\s+(?:an?\s+)?(?:new|larger|amended)\b", re.I)


def borrowed(item: Item, spans: list[tuple[int, int]]) -> list[Telling]:
    """A credit agreement that is signed, or put in the place of an older one."""
    name = item.subject.name
    for span in spans:
        sentence = item.sentence(span)
        found = _BORROWS.search(sentence)
        if found is None or not (means_us(sentence) or mentions(sentence, item.subject)):
            continue
        signs = found["verb"].lower().startswith("enter")
        new = _WITH_NEW.search(sentence, found.end())
        # What an old agreement was about is not what is lent now.
        amount = amount_in(sentence[new.start() :] if new else sentence if signs else "")
        what = " ".join(found["what"].lower().split()).replace("facilit", "facility")
        title = f"{name} signs a {what}" if signs else f"{name} replaces its {what}"
        return [tell(item, span, SignalType.RECEIVES_FINANCING, priced(title, amount),
                         parties=parties(("recipient", name)), amount=amount, confidence=0.85)]  # fmt: skip
    return []


def ending(item: Item) -> list[Telling]:
    """1.02: an agreement that ends before its time."""
    name = item.subject.name
    what: str | None = None
    partner: str | None = None
    for span in item.spans:
        sentence = item.sentence(span)
        what = what or agreement_kind(sentence)
        partner = partner or next(iter(others_in(item, sentence)), None)
        if not has_cue(sentence, "ends") or _IF.search(sentence):
            continue
        title = f"{name} ends its {what or 'agreement'}" + (f" with {partner}" if partner else "")
        return [tell(item, span, SignalType.MATERIAL_AGREEMENT, title,
                         parties=parties(("company", name), ("counterparty", partner)),
                         confidence=0.8 if partner else 0.7,
                         about=about_of([partner]) if partner else "")]  # fmt: skip
    return []


# What an agreement provided for, not what came to pass.
_IF: Final = re.compile(r"\b(?:if|upon|in\s+the\s+event|may\s+be|would|provided\s+for)\b", re.I)


def financing(item: Item) -> list[Telling]:
    """3.02: shares or notes sold to somebody."""
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        amount = amount_in(sentence)
        if amount is None or not has_cue(sentence, "issues") or is_old(sentence, said=item.said):
            continue
        return [tell(item, span, SignalType.RECEIVES_FINANCING, priced(f"{name} sells securities", amount),
                         parties=parties(("recipient", name)), amount=amount, confidence=0.7)]  # fmt: skip
    return []
