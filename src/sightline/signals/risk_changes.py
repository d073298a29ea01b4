"""New risk factors: captions in an annual report's Item 1A that the previous report did not have."""

from dataclasses import dataclass
from typing import Final

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany, SignalParty, Span
from sightline.domain.names import fold
from sightline.domain.signals import SignalType
from sightline.reading.repeats import changes_of, factor, is_caption
from sightline.signals.contract import place_of, plain, proof_in

_MOST: Final = 8
_CONFIDENCE: Final = 0.8
# An item of another extent was cut otherwise, and says nothing about what is new.
_LEAST_CAPTIONS: Final = 8


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
    own, before = (
        [factor(each.text, f"{each.text} {each.body}") for each in some] for some in (fresh, known)
    )
    changes = changes_of(own, before)
    found = [each for each, change in zip(fresh, changes, strict=True) if change == "new"]
    if len(found) > max(_MOST, len(fresh) // 3):
        # So much is new that the whole item was written or cut again: nothing stands out.
        return []
    found.sort(key=lambda caption: -len(caption.body))
    return [_mention(newer, company, caption) for caption in found[:_MOST]]


def captions(document: EvidenceDocument) -> list[Caption]:
    """The captions of Item 1A, each once."""
    found: dict[str, Caption] = {}
    spans = [span for span in document.spans if (span.section or "").upper() == "1A"]
    for span in spans:
        heading = " ".join((span.heading or "").split())
        if not is_caption(heading):
            continue
        key = fold(heading)
        if key in found:
            known = found[key]
            found[key] = Caption(
                known.text, known.start, known.end, f"{known.body}\n{_text(document, span)}"
            )
            continue
        # Passages of one factor share its caption; the first has it.
        place = place_of(heading, document.text, span.start, span.end)
        if place is not None:
            found[key] = Caption(heading, *place, _text(document, span)[place[1] - span.start :])
    return list(found.values())


def _text(document: EvidenceDocument, span: Span) -> str:
    return document.text[span.start : span.end]


def _mention(document: EvidenceDocument, company: NamedCompany, caption: Caption) -> Mention:
    return Mention(
        type=SignalType.NEW_RISK_FACTOR,
        title=f"{company.name} states a new risk: {plain(caption.text, longest=160)}",
        summary=plain(caption.text),
        source_kind="filing",
        **proof_in(document, caption.start, caption.end),
        occurred_at=document.published_at,
        confidence=_CONFIDENCE,
        parties=(SignalParty("company", company.name),),
        counterparty=fold(caption.text)[:100],
    )
