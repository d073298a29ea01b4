"""New risk factors: captions in an annual report's Item 1A that the previous report did not have."""

from typing import Final

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany, SignalParty
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.reading.named import Span
from sightline.reading.repeats import changes_of, factor, is_caption
from sightline.signals.contract import place_of, plain, proof_in

_MOST: Final = 8
# An item of another extent was cut otherwise, and says nothing about what is new.
_LEAST_CAPTIONS: Final = 8


def read(newer: EvidenceDocument, older: EvidenceDocument, company: NamedCompany) -> list[Mention]:
    """Risk factors that are new in `newer`, the longest ones first, eight at most."""
    fresh, known = _captions(newer), _captions(older)
    if len(fresh) < _LEAST_CAPTIONS or len(known) < _LEAST_CAPTIONS:
        return []
    own, before = (
        [factor(text, f"{text} {body}") for text, (_, body) in some.items()]
        for some in (fresh, known)
    )
    changes = changes_of(own, before)
    found = [each for each, change in zip(fresh.items(), changes, strict=True) if change == "new"]
    if len(found) > max(_MOST, len(fresh) // 3):
        # So much is new that the whole item was written or cut again: nothing stands out.
        return []
    found.sort(key=lambda each: -len(each[1][1]))
    return [
        Mention(
            SignalType.NEW_RISK_FACTOR,
            f"{company.name} states a new risk: {plain(text, longest=160)}",
            plain(text),
            **proof_in(newer, *place),
            source_kind="filing",
            occurred_at=newer.published_at,
            confidence=0.8,
            parties=(SignalParty("company", company.name),),
            counterparty=fold(text)[:100],
        )
        for text, (place, _) in found[:_MOST]
    ]


def _captions(document: EvidenceDocument) -> dict[str, tuple[Span, str]]:
    """Place and text of each risk factor of Item 1A by its caption. Passages of one factor share its caption,
    which the first has."""
    found: dict[str, tuple[Span, str]] = {}
    known: dict[str, str] = {}
    for span in document.spans:
        heading = " ".join((span.heading or "").split())
        if (span.section or "").upper() != "1A" or not is_caption(heading):
            continue
        caption = known.setdefault(fold(heading), heading)
        text = document.text[span.start : span.end]
        if caption in found:
            found[caption] = (found[caption][0], f"{found[caption][1]}\n{text}")
        elif place := place_of(heading, document.text, span.start, span.end):
            found[caption] = (place, text[place[1] - span.start :])
    return found
