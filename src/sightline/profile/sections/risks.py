"""Risks: the captions of the risk factors, each with the first sentences below it."""

import re
from collections.abc import Iterator
from typing import Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Quote, Span
from sightline.profile.names import is_half, risk_name
from sightline.profile.patterns import words
from sightline.profile.select import Candidate, choose, cues, find, specificity
from sightline.profile.sentences import cut, is_boilerplate, is_statement, spaced

MOST: Final = 15
_HARM = words(
    r"\b(?:adverse|harm|fail|unable|inability|risk|loss|decline|reduce|disrupt|interrupt"
    r"|damage|liabilit|litig"
    r"|compet|depend|uncertain|volatil|subject|expose|breach|regulat|restrict|limit|impair|delay"
    r"|shortage"
    r"|negativ|weaken|downturn|threat|exceed|not be able|cannot|difficult|challeng|concentrat"
    r"|increase)",
)
# Risks of owning the share rather than of the business.
_OF_SHARES = re.compile(
    r"\b(?:stock price|price of our (?:class a )?(?:common )?(?:stock|shares)|our (?:common"
    r" )?stock\b|dividend"
    r"|stockholders?|shareholders?|anti-?takeover|certificate of incorporation|bylaws"
    r"|charter documents"
    r"|dual[- ]class|class [a-c] |delaware|exclusive forum|repurchase|analysts?\b|dilut"
    r"|convertible|notes due"
    r"|emerging growth company|internal controls?|accounting (?:standards|principles)"
    r"|public company)\b",
    re.I,
)
# Of any company: "a wide range of factors could materially affect …".
_OF_ALL = re.compile(
    r"\b(?:wide range|variety|number|many) of (?:\w+ )?(?:factors|risks|uncertaint)"
    r"|\binherent risks"
    r"|\brisks? (?:and|or) uncertaint|\bfactors (?:that )?could|\bestimates?\b|\baccounting\b",
    re.I,
)
_NO_RISK = re.compile(rf"{_OF_ALL.pattern}|\bwe (?:continue to )?(?:monitor|encourage)\b", re.I)
# "Compliance with such requirements", "costs incurred as a result": of what, the name does not say.
_POINTS_BACK = re.compile(
    r"\b(?:these|those|such(?! as)|this|as a result|(?:any|the) (?:above|foregoing|delays?))\b|^\W*\w+$",
    re.I,
)
_FEWEST: Final = 3  # captions, from which a quarterly report tells its risks in full
_GROUPED = re.compile(r"^(?:risks?|other risks?|general risks?|summary|risk factors?)\b", re.I)
_PLAIN = cues(
    (r"\bcould (?:materially |adversely |negatively )*(?:affect|harm|impact)\b", 1.0),
    (r"\b(?:we|our) .{0,80}\b(?:depend|rely)s? (?:heavily |significantly )?on\b", 0.9),
    (r"\bsubject to (?:risks?|litigation|regulation)", 0.8),
)


def captions(document: Document) -> Iterator[tuple[Span, str]]:
    """The first passage under each caption of the risk factors, with the caption."""
    before: str | None = None
    for span, part in zip(document.spans, document.parts, strict=True):
        if part != "risks":
            continue
        heading = span.heading or ""
        if heading != before and is_caption(heading):
            yield span, spaced(heading)
        before = heading


def is_caption(heading: str) -> bool:
    """Whether a heading of the risk factors is a risk and not the name of a group of them."""
    text = spaced(heading)
    return (
        len(text) >= 25
        and len(text.split()) >= 4
        and not _GROUPED.match(text)
        and _HARM.search(text) is not None
        and not is_boilerplate(text)
    )


def risk_candidates(evidence: Evidence) -> list[Candidate]:
    """Every captioned risk of the newest report that has them, else sentences that name one."""
    if "risk_candidates" not in evidence.memo:
        evidence.memo["risk_candidates"] = _captioned(evidence) or _plain(evidence)
    return list(evidence.memo["risk_candidates"])


def _captioned(evidence: Evidence) -> list[Candidate]:
    found: list[Candidate] = []
    quarterly = [d for d in evidence.reading if d.form == "10-Q"]
    told = evidence.annual or next(
        (d for d in quarterly if len(tuple(captions(d))) >= _FEWEST), None
    )
    for place, (span, caption) in enumerate(captions(told) if told else ()):
        name = risk_name(caption)
        if told is None or name is None or is_half(name):
            continue
        body = _opening(told, span, caption)
        proof = [Quote(told.document_id, caption)]
        description = caption if caption.endswith((".", "!", "?")) else ""
        if body:
            proof.append(Quote(told.document_id, body))
            description = f"{description} {body}".strip()
        if not description:
            continue
        # What a company names first matters most to it, share-holder matters least to a seller.
        score = 2.0 / (1 + place * 0.03) * specificity(body or caption)
        if _OF_SHARES.search(caption):
            score *= 0.3
        found.append(Candidate(name, description, tuple(proof), score, group=place))
    return found


def _plain(evidence: Evidence) -> list[Candidate]:
    """Sentences that say what could harm the business, each understood by itself."""
    parts = {"risks": 1.0, "review": 0.6}
    found = find(evidence, _PLAIN, parts=parts, accept=lambda s: not _NO_RISK.search(s.text))
    for each in found:
        each.name = risk_name(each.description) or each.name
    return [each for each in found if not _POINTS_BACK.search(each.name)]


def _opening(document: Document, span: Span, caption: str) -> str:
    """The first one or two whole sentences below the caption, which follow each other."""
    text = document.text[span.start : span.end]
    shown = ""
    for line in text.split("\n"):
        words = spaced(line)
        if caption.startswith(words) and len(words) < len(caption) + 2 and words:
            continue
        if words.startswith(caption):
            words = words[len(caption) :].strip(" .–—")
        if " | " in line or len(words) < 40:
            continue
        for first, last in cut(words):
            sentence = words[first:last]
            if not is_statement(sentence):
                return shown
            if len(shown) + len(sentence) > 420 or (shown and len(shown) > 160):
                return shown
            shown = f"{shown} {sentence}".strip()
        if shown:
            return shown
    return shown


def build(evidence: Evidence) -> list[Statement]:
    return [each.statement() for each in choose(risk_candidates(evidence), most=MOST)]


SECTION = Section("risks", ("filing",), build)
