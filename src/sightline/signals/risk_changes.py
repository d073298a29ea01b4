"""New risk factors: captions of an annual report's Item 1A that the one before did not have."""

import re
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany, SignalParty, Span
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.signals.contract import plain, source_of

# Above this likeness a caption is an older one reworded (0-100, words in any order).
REWORDED: Final = 65
# Above this share of three-word runs found anywhere in the older item, the text was moved, not new.
MOVED: Final = 0.4
_MOST: Final = 8
_LEAST_WORDS: Final = 6
# An item of another extent was cut otherwise, and says nothing about what is new.
_LEAST_CAPTIONS: Final = 8
_CLAIM: Final = re.compile(
    r"\b(?:may|might|could|can|will|would|are|is|have|has|our|we|if|fail\w*|risks?|adverse\w*|harm|depend|subject)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Caption:
    """A risk factor: its caption as `text[start:end]`, and the text below it."""

    text: str
    start: int
    end: int
    body: str


def read(newer: EvidenceDocument, older: EvidenceDocument, company: NamedCompany) -> list[Mention]:
    """Risk factors that are new in `newer`, the longest ones first, eight at most."""
    fresh, known = captions(newer), captions(older)
    if len(fresh) < _LEAST_CAPTIONS or len(known) < _LEAST_CAPTIONS:
        return []
    old_captions = [_topic(each.text) for each in known]
    old_runs = _runs(_item(older))
    found: list[tuple[float, Mention]] = []
    for caption in fresh:
        topic = _topic(caption.text)
        likeness = max(fuzz.token_set_ratio(topic, old) for old in old_captions)
        runs = _runs(f"{caption.text}\n{caption.body}")
        moved = len(runs & old_runs) / max(1, len(runs))
        if likeness > REWORDED or moved > MOVED:
            continue
        found.append((len(caption.body), _mention(newer, company, caption, likeness, moved)))
    if len(found) > max(_MOST, len(fresh) // 3):
        # So much is new that the whole item was written or cut again: nothing stands out.
        return []
    found.sort(key=lambda pair: -pair[0])
    return [mention for _, mention in found[:_MOST]]


def captions(document: EvidenceDocument) -> list[Caption]:
    """The captions of Item 1A that claim something; names of groups ("Legal Risks") are not meant."""
    found: dict[str, Caption] = {}
    spans = [span for span in document.spans if (span.section or "").upper() == "1A"]
    for span in spans:
        heading = " ".join((span.heading or "").split())
        if len(heading.split()) < _LEAST_WORDS or not _CLAIM.search(heading):
            continue
        key = fold(heading)
        if key in found:
            known = found[key]
            found[key] = Caption(
                known.text, known.start, known.end, f"{known.body}\n{_text(document, span)}"
            )
            continue
        place = _place(document.text, span, heading)
        if place is not None:
            found[key] = Caption(heading, *place, _text(document, span)[place[1] - span.start :])
    return list(found.values())


# What every caption says of every risk.
_COMMON: Final = frozenset(
    """
    a an and any are as at be been by can cannot could do does for from had has have if in into is it its may
    might not of on or our such that the their there these this those to us was we were which will with would
    adverse adversely affect affected affecting business company condition effect effects failure financial
    harm harmed harming impact impacts material materially operating operations prospects reputation result
    results risk risks significant significantly subject trouble value
    """.split()
)


def _topic(caption: str) -> str:
    """The words of a caption that tell it from others."""
    words = fold(caption).split()
    return " ".join(word for word in words if word not in _COMMON) or " ".join(words)


def _place(text: str, span: Span, heading: str) -> tuple[int, int] | None:
    """Where a caption stands word for word; passages of one factor share it, the first has it."""
    pattern = r"\s+".join(re.escape(word) for word in heading.split())
    match = re.compile(pattern).search(text, span.start, span.end)
    return (match.start(), match.end()) if match else None


def _item(document: EvidenceDocument) -> str:
    return "\n".join(
        _text(document, span) for span in document.spans if (span.section or "").upper() == "1A"
    )


def _text(document: EvidenceDocument, span: Span) -> str:
    return document.text[span.start : span.end]


def _runs(text: str) -> frozenset[tuple[str, str, str]]:
    words = fold(text).split()
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _mention(
    document: EvidenceDocument,
    company: NamedCompany,
    caption: Caption,
    likeness: float,
    moved: float,
) -> Mention:
    return Mention(
        type=SignalType.NEW_RISK_FACTOR,
        title=f"{company.name} states a new risk: {plain(caption.text, longest=160)}",
        summary=plain(caption.text),
        quote=document.text[caption.start : caption.end],
        source_kind="filing",
        source=source_of(document),
        document_id=document.document_id,
        start=caption.start,
        end=caption.end,
        published_at=document.published_at,
        occurred_at=document.published_at,
        confidence=round(0.95 - max(0.0, likeness - 40) / 100 - moved / 2, 3),
        parties=(SignalParty("company", company.name),),
        counterparty=fold(caption.text)[:100],
    )
