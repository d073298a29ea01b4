"""Whole sentences of a document's text, with where they stand and what stands around them."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sightline.profile.patterns import words

if TYPE_CHECKING:
    from sightline.profile.evidence import Document

SHORTEST: Final = 35
LONGEST: Final = 480

_SPACE = re.compile(r"\s+")
_END = re.compile(r"[.!?][\"”’“»)\]]{0,2}(?=\s+[\"“„«‘(\[¿¡]?[A-Z0-9À-Þ•])")
_NO_END = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Inc|Corp|Co|Ltd|LLC|No|Nos|vs|etc|approx|e\.g"
    r"|i\.e"
    r"|cf|al|Art|Sec|Fig|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Rev|est|U\.S|U\.K|E\.U|D\.C"
    r"|S\.A|N\.V|B\.V|a\.m|p\.m|Ph\.D"
    r"|z\.\s?B|d\.\s?h|u\.\s?a|bzw|ca|Nr|Str|inkl|ggf|Mio|Mrd|p\.\s?ex|Sra|núm|EE\. ?UU"
    r"|(?:am|zum|vom|bis|dem|den|des|der|im) \d{1,2})\.)$"
)
_LONGEST_END: Final = 40  # more than any abbreviation that ends no sentence
# After these abbreviations a sentence can end when what follows plainly begins one.
_BEGINS = re.compile(
    r"\s+(?:The|We|Our|In|It|This|These|As|For|If|On|At|Its|They|There|While|Although|However|A|An"
    r"|To|With|By|Such|Some|Any|From|During|Under)\s"
)
_CAN_END = re.compile(
    r"(?:Inc|Corp|Co|Ltd|LLC|U\.S|U\.K|E\.U|D\.C|S\.A|N\.V|B\.V|etc|a\.m|p\.m)\.$"
)
_BULLET = re.compile(r"^\s*(?:[•●▪■◦·‣∙*–—-]|\(?(?:[ivx]{1,4}|[a-z]|\d{1,2})[.)])\s+")
_WHOLE = re.compile(
    # neither "(2) …" nor "(GIC) provider …", nor a foot-note
    r"^(?!\(\d|\([A-Z]+\)|(?:Note|Source|Q|A): )[\"“„«‘(¿¡]?\s?[A-Z0-9À-Þ$€£]"
)
_ENDS_WHOLE = re.compile(r"[.!?]\s?[\"”’“»)\]]{0,2}$")
_WORD = re.compile(r"[^\W\d_]{2,}")
# "Larkspur (herein “we” or the “Registrant”)": what it calls itself makes a sentence no formula.
_DEFINED = re.compile(r"\s?\([^()]{0,160}[“\"][^()]{0,160}\)")
_SPEAKER = re.compile(r"^((?:[A-Z][\w.’'-]+ ){1,2}[A-Z][\w’'-]+): ", re.M)
_TURNS: Final = 3  # of one speaker, from which a text is what was said on a call

_BOILERPLATE = words(
    r"forward[- ]looking|\b(?:see|refer to|read together with"
    r"|conjunction with)\b[^.]{0,40}\b(?:item|items"
    r"|note|notes|part|section|exhibit|page|schedule|the section|our consolidated|risk factors?|“)"
    r"|\b(?:in|of|to|under|at) (?:part [iv]+|items? \d|notes? \d)|\bitem \d+[a-c]?\b"
    r"|\bpart i{1,3}\b"
    r"|incorporated (?:herein )?by reference|table of contents|\bherein(?:after)?\b|safe harbor"
    r"|(?:annual|quarterly|current) report on form|\bform (?:10-|8-|20-|s-)|this (?:annual "
    r"|quarterly )?report"
    r"|following (?:table|discussion|chart|graph|section|summary|information|risk)|(?:tables?"
    r"|charts?) (?:below|above)"
    r"|\bset forth (?:below|above|in)|described (?:above|below|elsewhere)|discussed (?:above"
    r"|below|elsewhere)"
    r"|undertakes? no|no obligation to (?:update|revise)|private securities litigation"
    r"|\bexchange act\b"
    r"|securities act of|\bas defined (?:in|by)|non-gaap|should be read|for (?:more|additional"
    r"|further) "
    r"(?:information|details|discussion)|more information (?:about|on|regarding)|\bi\.e\.,? the"
    r"|offer(?:s|ing)? to (?:sell|buy|purchase) (?:\w+ ){0,3}(?:securities|shares)|solicitation of"
    r"|sell (?:any )?(?:securities|shares)\b.{0,40}prospectus|not authorized\b.{0,60}\b(?:anyone|person)"
    r"|public accounting firm|\bPCAOB\b|encourage investors"
    r"|all rights reserved|cookies?\b|privacy (?:policy|notice)|terms (?:of (?:use|service)"
    r"|and conditions)"
    r"|click (?:here|the|on)|sign up|subscribe|newsletter|unsubscribe|javascript|your browser"
    r"|log ?in\b"
    r"|learn more|read more|©|contact us|\bet seq\b|hereby|pursuant to section|the sec(?:’"
    r"|')s? website"
    r"|registrant|trademarks? (?:of|are)|registered trademark|\bfiscal (?:year )?\d{4} refers"
    r"|52- or 53-week"
    r"|equal opportunity employer|without regard to race|reasonable accommodation|veteran status"
    r"|datenschutz(?:erklärung|hinweis)|impressum|alle rechte vorbehalten"
    r"|allgemeinen? geschäftsbedingungen"
    r"|mehr (?:erfahren|lesen)|jetzt (?:anmelden|bewerben|anfragen)|hier klicken|klicken sie"
    r"|tous droits réservés|mentions légales|politique de confidentialité|en savoir plus|cliquez"
    r"|inscrivez-vous|todos los derechos reservados|aviso legal|política de privacidad|haga clic"
    r"|más información|suscríb",
)
# Words that point to a sentence before: fit to follow, not to lead.
_DANGLES = re.compile(
    r"^[\"“(]?(?:this|these|those|such|that|they|their|it|its|however|in addition|additionally"
    r"|moreover"
    r"|furthermore|for example|for instance|as a result|as such|accordingly|therefore|thus|also"
    r"|conversely"
    r"|similarly|likewise|in particular|specifically|further|consequently|nevertheless"
    r"|in contrast|he|she"
    r"|his|her|other|others|finally|second|third|secondly|any of|either|both|each of these|and"
    r"|but|or|then"
    r"|some of|following th(?:is|ese)|as stated|more specifically|management also|references to"
    r"|there|(?:we|our|in|by|with|as|under|during|from|to|for|because of)\b(?: \w+){0,5}"
    r" (?:this|these|those|such)\b(?! (?:year|quarter|report))"
    r"|the (?:above|foregoing|former|latter|increase|decrease|change)|to (?:do so|that end)"
    r"|diese[rsnm]?|dies|dabei|damit|dadurch|zudem|außerdem|darüber hinaus|hierbei|deshalb|daher"
    r"|ce(?:la|tte|s|t)?|de plus|en outre|ainsi|par ailleurs|est[aeo]s?|además|asimismo"
    r"|por ello)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: characters `start` up to `end` of the document's text; `text` has single spaces.

    `line` is where its paragraph begins. `dangles` tells that it needs the sentence before it.
    """

    document: "Document"
    start: int
    end: int
    text: str
    part: str
    section: str | None
    heading: str | None
    line: int
    dangles: bool


def spaced(text: str) -> str:
    """White space as single spaces: how quotes are compared."""
    return _SPACE.sub(" ", text).strip()


def cut(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of one paragraph."""
    spans, start = [], 0
    for found in _END.finditer(text):
        before = text[max(start, found.end() - _LONGEST_END) : found.end()].rstrip('"”’)]')
        if _NO_END.search(before) and not (
            _CAN_END.search(before) and _BEGINS.match(text, found.end())
        ):
            continue
        spans.append((start, found.end()))
        start = found.end()
        while start < len(text) and text[start].isspace():
            start += 1
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def sentences_of(
    text: str,
    start: int,
    end: int,
    *,
    document: "Document",
    part: str,
    section: str | None,
    heading: str | None,
) -> list[Sentence]:
    """The sentences between two offsets that can be shown: whole, in prose, no boilerplate."""
    found: list[Sentence] = []
    place = start
    for raw in text[start:end].split("\n"):
        line, place = place, place + len(raw) + 1
        if " | " in raw or len(raw) < SHORTEST:
            continue
        bullet = _BULLET.match(raw)
        offset = bullet.end() if bullet else 0
        for first, last in cut(raw[offset:]):
            words = spaced(raw[offset + first : offset + last])
            if is_statement(words):
                found.append(
                    Sentence(
                        document,
                        line + offset + first,
                        line + offset + last,
                        words,
                        part,
                        section,
                        heading,
                        line,
                        bool(_DANGLES.match(words)),
                    )
                )
    return found


def speakers_of(text: str) -> tuple[str, ...]:
    """Who speaks in the transcript of a call, as lines begin: "Ada Vale: "."""
    turns = Counter(_SPEAKER.findall(text))
    return tuple(f"{name}: " for name, count in turns.items() if count >= _TURNS)


def is_statement(text: str) -> bool:
    """Whether a sentence is whole, in words, of readable length, and says something of its own."""
    if not SHORTEST <= len(text) <= LONGEST:
        return False
    if not _WHOLE.match(text) or not _ENDS_WHOLE.search(text):
        return False
    words = _WORD.findall(text)
    if len(words) < 6 or sum(map(len, words)) < 0.6 * len(text.replace(" ", "")):
        return False
    if sum(word.isupper() for word in words) > len(words) / 2:
        return False
    return not _BOILERPLATE.search(_DEFINED.sub("", text) if "(" in text else text)


def is_boilerplate(text: str) -> bool:
    """Whether words are page furniture, a cross-reference or a lawyer's formula."""
    return _BOILERPLATE.search(text) is not None
