"""What the detector is known to take for something else in company prose."""

import re
from typing import Final

from sightline.domain.signals import SignalType
from sightline.signals.text import Detected

LEAST_MONEY: Final = 10_000
"""Whole units; less is no sum of a deal but a price of one thing."""
_FIGURES: Final = re.compile(r"\b(?:results|earnings|income|revenues?|profit|loss|sales)\b", re.I)
# Old debt in new clothes, and what its holders are asked.
_OLD_DEBT: Final = re.compile(
    r"\bexchange\s+offers?\b|\brecapitali[sz]\w*\b|\bconsents?\s+(?:of|have\s+been)\b|\bsolicit\w*\b|\brestructuring\s+(?:its|the|our)\b[^.]{0,60}"
    r"\b(?:notes|debentures|bonds|debt)\b|\bconvert\w*\s+(?:its|the|this)\b[^.]{0,40}\bdebt\b"
    r"|\bplan\s+(?:is\s+|was\s+)?confirmed\b",
    re.I,
)
# Who gets an office of a subsidiary with a seat in its board: no change in the company's own.
_OFFICE: Final = re.compile(
    r"\bappointed\s+(?:as\s+)?(?:the\s+)?(?:interim\s+|acting\s+)?(?:president|chief)\b", re.I
)
# Whose subsidiary a firm is tells no purchase.
_OWNED: Final = re.compile(r"\bsubsidiary\s+of\b", re.I)
_BUYS: Final = re.compile(
    r"\bacqui[rs]|\bbuy|\bbought\b|\bpurchas|\bmerge|\btake(?:over|n)\b", re.I
)
# "Released a press release" brings out no product.
_RELEASE: Final = re.compile(
    r"\b(?:releas|issu)(?:ed|es|ing)\s+(?:a|the|its|this)\s+(?:press|news)\s+release", re.I
)
# What is bought is often to be "integrated" or "incorporated": that is the purchase, no link of products.
_PURCHASE: Final = re.compile(r"\bacqui(?:re|red|ring|sition)\b", re.I)
# A business that gets its name when it is parted from the company, which keeps its own.
_NAMED_AT_BIRTH: Final = re.compile(
    r"\b(?:spin(?:s|ning)?[- ]?off|spun[- ]off|separat\w+|carve[- ]?out|demerg\w+)\b[^.;]{0,160}"
    r"\b(?:be|becomes?|been)\s+(?:called|known\s+as|named)\b",
    re.IGNORECASE,
)

# Who writes for sellers of studies: "Global Widget Market 2030, Key Players".
_STUDY: Final = re.compile(
    r"\bMarket\s+(?:(?:19|20)\d\d|Report|Size|Outlook|Analysis|Forecast|by\s+(?:Top|Type|Players))\b"
    r"|^\W*Global\b.{0,80}\bMarket\b|\b[Kk]ey\s+[Pp]layers\b"
    r"|^\W*(?:An?|The)\s+(?:(?:new|recent|latest)\s+)?(?:survey|poll|study)\s+(?:by|from)\b"
)
# What is told again, told of as the past of something else, or only of how insiders will trade.
_NO_NEWS: Final = re.compile(
    r"\b10b5-1\b|\bas\s+announced\s+(?:on\s+)?(?:earlier|last|(?!today)[A-Z][a-z]+\s+\d)"
    r"|\b[Ii]n\s+the\s+run[- ]?up\s+to\b"
)
# Readers and clients are asked to join a meeting, not a staff.
_INVITES: Final = re.compile(
    r"\binvit(?:es?|ed|ing)\b|\b(?:webinar|session|meetup|brown\s+bag)\b", re.I
)
_PEOPLE: Final = re.compile(
    r"\b(?:chief|president|chair\w*|directors?|officers?|executives?|heads?|partners?|managers?|founders?|boss"
    r"|C[EFOTMI]O|he|she|his|her|who|staff|team|editor|counsel|colleagues?|treasurer|controller)\b",
    re.I,
)


def is_mistaken(found: Detected, sentence: str) -> bool:
    """Whether a sentence only looks like telling what was found in it."""
    if found.type != SignalType.BANKRUPTCY and _OLD_DEBT.search(sentence):
        return True
    if _STUDY.search(sentence) or _NO_NEWS.search(sentence):
        return True
    match found.type:
        case SignalType.HIRES:
            return _INVITES.search(sentence) is not None
        case SignalType.LEAVES | SignalType.RETIRES_FROM:
            # A product that is retired, and a place that is left.
            person = any(party.role == "person" for party in found.parties)
            return not person and _PEOPLE.search(sentence) is None
        case SignalType.FILES_SUIT_AGAINST:
            return re.search(r"\bsettle", sentence, re.I) is not None
        case SignalType.EARNINGS_RELEASED:
            return _FIGURES.search(sentence) is None
        case SignalType.RECEIVES_FINANCING:
            # Dollars a share, as holders get in a merger.
            return found.amount is not None and (found.amount.value or 0) < LEAST_MONEY
        case SignalType.ACQUIRES:
            return _OWNED.search(sentence) is not None and _BUYS.search(sentence) is None
        case SignalType.LAUNCHES:
            return _RELEASE.search(sentence) is not None
        case SignalType.INTEGRATES_WITH:
            return _PURCHASE.search(sentence) is not None
        case SignalType.BOARD_CHANGE:
            return _OFFICE.search(sentence) is not None
        case SignalType.REBRANDS:
            return _NAMED_AT_BIRTH.search(sentence) is not None
        case _:
            return False
