"""Competitors: companies that the text names as such, tied to the catalogue where it knows them."""

import re
from collections.abc import Iterator
from typing import Any, Final

from sightline.domain.names import name_key
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Document, Evidence, Quote
from sightline.profile.sentences import cut, spaced

MOST: Final = 25
_NEAR: Final = 90  # characters between the word of competition and the list
_CUE = re.compile(
    r"\bcompet(?:es?|ing|ed) (?:\w+ ){0,4}?(?:with|against)\b|\bcompetit(?:ors?|ion)\b|\brivals?\b",
    re.I,
)
# Others that compete with others.
_OF_OTHERS = re.compile(
    r"\b(?:that|which|who|they|companies) (?:\w+ )?compete\b|\borganizations like\b", re.I
)
_HEADING = re.compile(r"\bcompetit(?:ion|ors|ive)\b", re.I)
# Where the list of names begins.
_OPENS = re.compile(
    r"\b(?:such as|including(?:,? (?:but not limited to|among others|without limitation))?|includes?|namely"
    r"|(?:e\.g\.|for example|for instance),?|like)[,:]?\s|\b(?:competitors?|rivals?|companies)"
    r" (?:\w+ ){0,6}?(?:are|is|were)[,:]?\s"
    r"|\bcompet(?:es?|ing|ed) (?:\w+ ){0,4}?(?:with|against)\s|\bcompetition (?:\w+ ){0,3}?from\s|:\s",
    re.I,
)
_STOPS = re.compile(
    r"\b(?:among others|as well as|in (?:the|our|each|addition)|and (?:many |several |various "
    r"|numerous |a |other|others|smaller"
    r"|regional|local|private|in-house|internal|new|some|certain|emerging)|or companies|for"
    r" (?:our|the)|all of|each of|both of"
    r"|which|who|that|with (?:respect|their|its|offerings)|to (?:a|the|our)|on (?:the|a)|some"
    r" of|have|has|are|is|offer|provide)\b|such as|including"
    r"|:(?=\s|$)|;(?=\s+(?!(?:and|or)\s+[A-Z])(?![A-Z]))|;$"
    r"|(?<!\b[A-Z])(?<!\bInc)(?<!\bCo)(?<!\bCorp)(?<!\bLtd)\.(?=\s|$)"
    r"|\s[–—]\s",
)
_FORM = re.compile(
    r",\s+(?=(?:Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|LLC|L\.L\.C|L\.P|LP"
    r"|PLC|plc|N\.V|S\.A|SE|AG|GmbH"
    r"|S\.p\.A|B\.V|A/S|AB|KGaA)\b)"
)
_TRAILING = re.compile(r"[;,](?: and| or)?$")
_PIECE = re.compile(r"\s*[,;/]\s*(?:and\s+|or\s+|&\s+)?|\s+(?:and|or)\s+")
_ALIAS = re.compile(r"\s*\([^)]*\)|\s*[“\"][^”\"]*[”\"]")
_NAME = re.compile(
    r"^(?:[A-Z0-9][\w’'.+!&-]*|[a-z]{1,12}[A-Z]\w*)(?:\s(?:[A-Z0-9&][\w’'.+!&-]*|of|de|the|and"
    r"|for|van|von|di|du|la))*$"
)
_LOWER_NAME = re.compile(r"^[a-z][\w.-]+(?: [a-z][\w-]+)?$")
_GENERIC_WORDS: Final = """
internet us u.s. united states europe asia china america north south latin africa chinese
european american japanese asian ai cloud software hardware services products android ios
windows web online digital retail mobile tv pc pcs cpu cpus gpu gpus dpu dpus soc socs api apis
saas crm erp it iot oem oems odm odms esg sec company companies competitors competition other
others some many we our they their these this the such each any all both new several certain
various most item note part fiscal annual report form december january february march april may
june july august september october november arm-based ethernet infiniband risk segment business
customers consumer data center gaming automotive health pharmacy medicare medicaid banks in
while for if as factors federal state government governments congress board management class
common stock group divisions india japan canada mexico korea germany france brazil taiwan russia
ukraine israel uk england middle east pacific emea apac apla amer additionally moreover however
furthermore linux unix internet-based also no own
"""
_GENERIC: Final = frozenset(_GENERIC_WORDS.split())
_NO_NAME = re.compile(
    r"\b(?:segment|division|products?|services?|systems?|solutions|stores?|channel|market"
    r"|industry|platforms?|applications?"
    r"|technolog(?:y|ies)|act|commission|department|agency|administration|court|university"
    r"|chain|business(?:es)?"
    r"|brand|retailers?|providers?|manufacturers?|competitors?|customers?|years?|management|laws?)$",
    re.I,
)


# "Intel Corporation, or Intel,": a short form in the middle of an enumeration.
_SHORT_FORM = re.compile(r",? or ([A-Z][\w&.-]*)(?=[,;.]|,? and\b|$)")
_LEGAL = re.compile(
    r"[ ,]+(?:Inc|Incorporated|Corp|Co|Ltd|Limited|LLC|L\.L\.C|L\.P|LP|PLC|plc|N\.V|S\.A|SE|AG"
    r"|GmbH|B\.V|A/S|AB"
    r"|KGaA|S\.p\.A)\.?$"
)


def _without_form(name: str) -> str:
    for _ in range(2):
        name = _LEGAL.sub("", name).strip(" ,.")
    return name


def _same(left: str, right: str) -> bool:
    """Whether two keys are one company: one begins the other, or is its initials."""
    shorter, longer = sorted((left, right), key=len)
    words = longer.split()
    initials = "".join(word[0] for word in words)
    return longer.startswith(f"{shorter} ") or (len(words) > 2 and shorter == initials)


def named_in(text: str, *, under: bool = False) -> Iterator[str]:
    """The names of an enumeration after a cue of competition, in their order.

    Text `under` a heading about competition needs no cue of its own.
    """
    text = _FORM.sub(" ", spaced(text))
    at = 0
    while found := _OPENS.search(text, at):
        near = text[max(0, found.start() - _NEAR) : found.end()]
        if not under and not _CUE.search(near):
            at = max(found.end(), at + 1)
            continue
        stop = _STOPS.search(text, found.end())
        span = text[found.end() : stop.start() if stop else len(text)]
        span = _SHORT_FORM.sub(_without_short_form, span)
        pieces = [_ALIAS.sub("", piece).strip(" .,;:“”\"'’") for piece in _PIECE.split(span)]
        names = [p for p in pieces if p]
        proper = [p for p in names if is_name(p)]
        # One lower-case piece among names is a brand ("adidas"); more of them are ordinary words.
        if len(proper) >= 2:
            listed = not found[0].casefold().startswith("compet")
            proper = [p for p in names if is_name(p) or (listed and _is_brand(p, len(proper)))]
        if proper and len(proper) * 2 >= len(names):
            yield from proper
        at = max(found.end(), at + 1)


def _without_short_form(found: re.Match[str]) -> str:
    return "" if _is_short_form(found.string[: found.start()], found[1]) else found[0]


def _is_short_form(before: str, word: str) -> bool:
    """Whether "or X" gives the name before it once more: its first word, or its initials."""
    last = _PIECE.split(before)[-1].split()
    capitals = "".join(w[0] for w in last if w[0].isupper())
    return bool(last) and (
        last[0].strip(".,") == word or (len(word) > 1 and capitals.startswith(word))
    )


def _is_brand(piece: str, named: int) -> bool:
    """A lower-case piece among many names."""
    return named >= 5 and len(piece.split()) < 3 and _LOWER_NAME.match(piece) is not None


def is_name(piece: str) -> bool:
    """Whether a piece of an enumeration reads as the name of a company."""
    words = piece.split()
    if (
        not 1 <= len(words) <= 7
        or not re.search(r"[^\W\d_]{2}|[A-Z]\.[A-Z]", piece)
        or not _NAME.match(piece)
    ):
        return False
    if all(word.casefold().strip(".") in _GENERIC or word.casefold() in _GENERIC for word in words):
        return False
    if re.fullmatch(r"[A-Z]{2,}s", piece):
        return False
    return not (words[0].casefold() in _GENERIC and len(words) < 3) and not _NO_NAME.search(piece)


def _passages(evidence: Evidence) -> Iterator[tuple[Document, str, bool]]:
    """Lines that speak of competition: (document, sentence, whether under a heading about it)."""
    for document in evidence.reading:
        if document.kind == "posting":
            continue
        for span in document.spans:
            part = document.part(span.section)
            if part in ("notes", "other", "properties", "careers") and document.kind == "filing":
                continue
            under = bool(_HEADING.search(span.heading or "")) and part == "business"
            lead = False
            for line in document.text[span.start : span.end].split("\n"):
                if " | " in line:
                    continue
                shown = line.strip().lstrip("•●▪■◦·*–- ")
                for first, last in cut(shown):
                    sentence = shown[first:last]
                    speaks = bool(_CUE.search(sentence))
                    if speaks or under or lead:
                        yield document, _TRAILING.sub("", spaced(sentence)), under
                    if sentence.strip():
                        lead = (speaks and sentence.rstrip().endswith(":")) or (
                            lead and line.lstrip()[:1] in "•●▪■◦·*–-"
                        )


def candidate_names(evidence: Evidence) -> dict[str, tuple[str, Quote, float]]:
    """Name key → (name, proof, weight) of every company named as a competitor."""
    own = name_key(evidence.name)
    found: dict[str, tuple[str, Quote, float]] = {}
    for document, sentence, under in _passages(evidence):
        if _OF_OTHERS.search(sentence):
            continue
        for name in named_in(sentence, under=under or sentence[:1].islower()):
            key = name_key(name)
            if not key or key == own or own.startswith(key + " ") or key.startswith(own + " "):
                continue
            weight = 2.0 if under else 1.0
            if len(sentence) > 700:
                weight *= 0.9
            name = _without_form(name)
            key = next((other for other in found if other == key or _same(other, key)), key)
            known = found.get(key)
            if known is None:
                found[key] = (name, Quote(document.document_id, sentence), weight)
            else:
                found[key] = (known[0], known[1], known[2] + 0.5)
    return found


def build(evidence: Evidence) -> list[Statement]:
    rows: dict[str, tuple[float, Statement]] = {}
    for key, (name, proof, weight) in candidate_names(evidence).items():
        rows[key] = (weight, {"name": name, "description": proof.text, "sources": (proof,)})
    for fact in evidence.members("competitor"):
        name = str(fact.value.get("name") or "")
        key = name_key(name)
        if not key or key in rows:
            continue
        row: Statement = {
            "name": name,
            "description": fact.quote or f"Named as a competitor: {name}.",
        }
        row["sources"] = (fact.proof,)
        if fact.value.get("website"):
            row["website"] = fact.value["website"]
        rows[key] = (1.5 * fact.confidence, row)
    for key, (_, row) in rows.items():
        _tie(evidence, key, row)
    ranked = sorted(rows.values(), key=lambda entry: -entry[0])
    return [_ordered(row) for _, row in ranked[:MOST]]


def _tie(evidence: Evidence, key: str, row: dict[str, Any]) -> None:
    known = evidence.directory.get(key)
    if known is None:
        return
    row["company_id"] = str(known.company_id)
    if known.domain:
        row["website"] = f"https://{known.domain}"


def _ordered(row: Statement) -> Statement:
    first = {part: row[part] for part in ("name", "website", "description") if part in row}
    return first | row


SECTION = Section("competitors", ("filing", "page", "news"), build)
