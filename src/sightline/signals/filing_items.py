"""Current reports: what each item of an 8-K says that happened, with the sentence that proves it."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from sightline.domain.happenings import EvidenceDocument, SignalParty, Subject, Telling
from sightline.domain.names import fold, name_key
from sightline.domain.signals import PartyRole, SignalFamily, SignalType, family_of
from sightline.signals.contract import is_subject, own_keys, person_key
from sightline.signals.dates import is_old
from sightline.signals.filing_deals import (
    agreement,
    borrowed,
    completion,
    ending,
    financing,
    securities_sold,
)
from sightline.signals.filing_item import Item, amount_in, others_in, parties, tell
from sightline.signals.filing_people import Move, moves_in
from sightline.signals.filing_words import has_cue, new_name_in, period_in, refers_only
from sightline.signals.news import read_spans
from sightline.signals.sentences import sentences
from sightline.sources.sec_edgar.eight_k import ITEM_TITLES, OLD_ITEM_TITLES

FORM: Final = re.compile(r"^(?:8-K|6-K)\b", re.IGNORECASE)
# Before August 2004 items had one number.
_NEW_NUMBERS: Final = {
    "1": "5.01", "2": "2.01", "3": "1.03", "4": "4.01", "5": "8.01", "6": "5.02", "9": "7.01", "12": "2.02",
}  # fmt: skip
_OLD_HEADS: Final = frozenset(fold(title) for title in OLD_ITEM_TITLES.values())
_MOST_SENTENCES: Final = 14


def read(document: EvidenceDocument, subject: Subject) -> list[Telling]:
    """What happened according to a current report; nothing for any other document."""
    if document.kind != "filing" or not FORM.match(document.title or ""):
        return []
    found: list[Telling] = []
    for item in _items(document, subject):
        reader = _READERS.get(item.number)
        if reader is None or (item.number == "2.03" and found):
            continue  # the debt of an agreement that 1.01 has told
        moves = any(map(_is_move, found))
        # Who came or went has been told under 5.02: what else is said of it is said less exactly.
        found += [
            each for each in reader(item) if not (moves and item.number > "5.02" and _is_move(each))
        ]
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


def _bankruptcy(item: Item) -> list[Telling]:
    for span in item.spans:
        sentence = item.sentence(span)
        if has_cue(sentence, "bankruptcy") and not is_old(sentence, said=item.said):
            whose = (
                "subsidiary"
                if re.search(r"\bsubsidiar", sentence, re.I)
                and not re.search(
                    r"and\s+(?:certain|its|each)\b[^.]{0,60}subsidiar", sentence, re.I
                )
                else None
            )
            name = item.subject.name
            title = (
                f"A subsidiary of {name} is in bankruptcy proceedings"
                if whose
                else (f"{name} is in bankruptcy proceedings")
            )
            return [tell(item, span, SignalType.BANKRUPTCY, title, parties=parties(("company", name)),
                             confidence=0.75 if whose else 0.9)]  # fmt: skip
    return []


def _earnings(item: Item) -> list[Telling]:
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        if not has_cue(sentence, "results"):
            continue
        period = period_in(sentence)
        return [tell(item, span, SignalType.EARNINGS_RELEASED,
                         f"{name} releases results" + (f" for {_the(period)}" if period else ""),
                         parties=parties(("company", name)),
                         confidence=0.97 if period else 0.85)]  # fmt: skip
    return []


def _the(period: str) -> str:
    return period if re.match(r"fiscal\s+(?:year\s+)?\d", period) else f"the {period}"


def _exit_costs(item: Item) -> list[Telling]:
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        people = has_cue(sentence, "layoffs")
        if not people and not has_cue(sentence, "restructures"):
            continue
        kind = SignalType.LAYOFFS if people else SignalType.COST_CUTTING
        share = re.search(
            r"\b(?:approximately\s+)?(\d[\d,]*(?:\.\d+)?\s?(?:%|percent|employees|positions))",
            sentence,
        )
        title = f"{name} cuts jobs" if people else f"{name} restructures to cut costs"
        if people and share:
            title += f" ({share[1]})"
        role: PartyRole = "employer" if people else "company"
        return [tell(item, span, kind, title, parties=parties((role, name)), amount=amount_in(sentence),
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
        firms = others_in(item, sentence, auditors=True)
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
    both = parties(("company", name), ("auditor", come), ("auditor", gone))
    return [tell(item, proof, SignalType.ACCOUNTANT_CHANGE, title, parties=both, confidence=0.95)]


def _restatement(item: Item) -> list[Telling]:
    return _single(
        item, SignalType.RESTATES, "restates", "{} withdraws reliance on earlier accounts", 0.93
    )


def _impairment(item: Item) -> list[Telling]:
    return _single(
        item, SignalType.HAS_ISSUES_WITH, "impairs", "{} records a material impairment", 0.85
    )


def _delisting(item: Item) -> list[Telling]:
    found = _single(
        item,
        SignalType.REGULATORY_ACTION,
        "delists",
        "{} gets a notice about its stock exchange listing",
        0.85,
    )
    return _listed(item) or found


_LISTED: Final = re.compile(
    r"\b(?:uplist(?:ing|ed)?|(?:transfer|mov|switch)\w*\s+(?:of\s+)?(?:the|its)\s+(?:stock\s+exchange\s+)?(?:listing"
    r"|common\s+stock|shares)|approved\s+for\s+listing)\b[^;]{0,200}?\b(?:to|on)\s+(?:the\s+)?"
    r"(?P<where>(?:NYSE|New\s+York\s+Stock\s+Exchange|Nasdaq)[\w ]{0,30}?)"
    r"(?=[,.;“”(]|\s+(?:and|under|from|with|effective|exchange|in|for)\b|$)",
    re.IGNORECASE,
)
_AHEAD: Final = re.compile(r"\b(?:will|intends?|expects?|subject\s+to|intention)\b", re.I)


def _listed(item: Item) -> list[Telling]:
    """Shares that move to another stock exchange."""
    for span in item.spans:
        sentence = item.sentence(span)
        found = _LISTED.search(sentence)
        if found is not None and not is_old(sentence, said=item.said):
            where = " ".join(found["where"].split())
            return [tell(item, span, SignalType.GOES_PUBLIC,
                             f"{item.subject.name} moves its listing to {where}",
                             parties=parties(("issuer", item.subject.name)), confidence=0.85,
                             planned=_AHEAD.search(sentence) is not None)]  # fmt: skip
    return []


def _breach(item: Item) -> list[Telling]:
    return _single(
        item, SignalType.SECURITY_INCIDENT, "breach", "{} reports a cybersecurity incident", 0.95
    )


def _renamed(item: Item) -> list[Telling]:
    for span in item.spans:
        sentence = item.sentence(span)
        new = new_name_in(sentence)
        if new is not None and not is_old(sentence, said=item.said):
            name = item.subject.name
            same = name_key(new) == name_key(name)
            title = (
                f"The company takes the name {new}" if same else f"{name} changes its name to {new}"
            )
            return [tell(item, span, SignalType.REBRANDS, title, parties=parties(("company", name)),
                         confidence=0.93)]  # fmt: skip
    return []


def _people(item: Item) -> list[Telling]:
    found = []
    for move in moves_in(
        item.document.text,
        list(item.spans),
        said=item.said,
        whole=(item.start, item.end),
        own=lambda name: is_subject(name, item.subject),
    ):
        found.append(_move(item, move))
    return found


def _move(item: Item, move: Move) -> Telling:
    name, office = item.subject.name, _office_here(move.office, item.subject)
    person = SignalParty("person", move.person, office)
    company, employer = SignalParty("company", name), SignalParty("employer", name)
    match move.type:
        case SignalType.BOARD_CHANGE:
            lead = (
                office if (office and "Director" in office) or "Chair" in (office or "") else None
            )
            title = f"{move.person} {'leaves' if move.going else 'joins'} the board of {name}"
            if lead and not move.going:
                title = f"{move.person} becomes {lead} of {name}"
            roles = (company, person)
        case SignalType.LEAVES | SignalType.RETIRES_FROM:
            verb = "retires from" if move.type == SignalType.RETIRES_FROM else "leaves"
            title = f"{move.person} {verb} {name}" + (f" ({office})" if office else "")
            roles = (person, employer)
        case _:
            verb = "promotes" if move.type == SignalType.PROMOTES else "appoints"
            title = f"{name} {verb} {move.person}" + (f" as {office}" if office else "")
            roles = (employer, person)
    return tell(
        item, (move.start, move.end), move.type, title, parties=roles, planned=move.planned,
        confidence=0.9 if office or move.type == SignalType.BOARD_CHANGE else 0.8,
        about=person_key(move.person),
    )  # fmt: skip


def _office_here(office: str | None, subject: Subject) -> str | None:
    """An office without the name of the company that it is in; that of a part of it stays."""
    here, of, firm = (office or "").rpartition(" of ")
    return here if of and name_key(firm) in own_keys(subject) else office


def _other_events(item: Item) -> list[Telling]:
    """7.01 and 8.01 say anything: the text detector reads their first sentences."""
    spans = [
        span
        for span in item.spans[:6]
        if not refers_only(item.sentence(span)) and not is_old(item.sentence(span), said=item.said)
    ]
    if any(_PETITION.search(item.sentence(span)) for span in spans):
        return _bankruptcy(item)
    listed, told = _listed(item), _renamed(item) or securities_sold(item, spans)
    if told:
        return listed + told  # what else is said are its terms
    exact = listed + borrowed(item, spans)
    # Each sentence is read once, and what has been told exactly is not told again.
    types, read_already = {each.type for each in exact}, {each.start for each in exact}
    rest = [span for span in spans if span[0] not in read_already]
    return exact + [each for each in _moves_and_more(item, rest) if each.type not in types]


def _moves_and_more(item: Item, spans: list[tuple[int, int]]) -> list[Telling]:
    """Who comes and goes, told as under 5.02, and whatever else sentences tell."""
    moves = _people(item) if item.number == "8.01" else []
    told = read_spans(item.document, item.subject, spans, own=True, least=0.7)
    return moves + [each for each in told if not (moves and _is_move(each))]


def _is_move(telling: Telling) -> bool:
    return family_of(telling.type) == SignalFamily.LEADERSHIP_MOVES


_PETITION: Final = re.compile(
    r"\bvoluntary\s+petitions?\b|\bpetitions?\s+for\s+[^.]{0,40}chapter\s+11\b", re.I
)


def _single(item: Item, kind: SignalType, cue: str, title: str, confidence: float) -> list[Telling]:
    name = item.subject.name
    for span in item.spans:
        sentence = item.sentence(span)
        if has_cue(sentence, cue) and not is_old(sentence, said=item.said):
            return [tell(item, span, kind, title.format(name), parties=parties(("company", name)),
                             amount=amount_in(sentence), confidence=confidence)]  # fmt: skip
    return []


_READERS: Final[dict[str, Callable[[Item], list[Telling]]]] = {
    "1.01": agreement,
    "1.02": ending,
    "1.03": _bankruptcy,
    "1.05": _breach,
    "2.01": completion,
    "2.02": _earnings,
    "2.03": agreement,
    "2.05": _exit_costs,
    "2.06": _impairment,
    "3.01": _delisting,
    "3.02": financing,
    "4.01": _auditor,
    "4.02": _restatement,
    "5.02": _people,
    "5.03": _renamed,
    "7.01": _other_events,
    "8.01": _other_events,
}
