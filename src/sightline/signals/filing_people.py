"""Who comes and who goes, out of Item 5.02 of a current report."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.domain.signals import SignalType
from sightline.signals.contract import person_key
from sightline.signals.dates import days_in, is_old

_WORD: Final = r"[A-Z][A-Za-zÀ-ÿ'’-]*[a-zà-ÿ]"
# "James A. Rasulo", "Maria Elena Lagomasino", "V. James Vena", "Guy M. Erwin II"
_NAME: Final = re.compile(
    rf"(?:(?:Mr|Ms|Mrs|Dr)\.\s+)?(?:(?:{_WORD}|[A-Z]\.(?:\s?[A-Z]\.)?|[A-Z]{{2}}(?=\s))\s+)"
    rf"(?:(?:[A-Z]\.|{_WORD}|[“\"(][A-Z][a-z]+[”\")]|de|da|von|van|der|la|del|bin)\s+){{0,3}}"
    rf"{_WORD}(?:,?\s+(?:Jr\.?|Sr\.?|II|III|IV))?"
    rf"|(?:Mr|Ms|Mrs|Dr)\.\s+{_WORD}"
)
# Capitalised words that no person is called.
_NO_PERSON: Final = frozenset(
    """board directors director company registrant corporation committee chief executive officer president
    vice senior chairman chairwoman chair secretary treasurer general counsel financial operating accounting
    agreement plan employment annual meeting report form item exchange commission act compensation
    nominating governance audit inc corp group holdings llc bank trust stock common award stockholders
    shareholders principal independent lead managing partner fiscal effective election appointment
    departure retirement resignation amendment january february march april may june july august
    september october november december united states new york delaware marketing technology human
    resources global operations strategy division international development business information
    services section rule securities performance incentive program university college school
    letter offer separation transition certain compensatory arrangements officers press release
    exhibit executive former interim acting co the following also under prior""".split()
)
_ROLE: Final = re.compile(
    r"(?:(?:Interim|Acting|Co-|Deputy|Corporate|Global|Group|Senior|Executive|Regional|Associate|Non-?Executive"
    r"|Lead|Independent|Principal)\s+)*"
    r"(?:Chief\s+(?:[A-Z][a-z]+(?:\s+and\s+[A-Z][a-z]+)?(?:,?\s+[A-Z][a-z]+)?\s+)?Officer"
    r"|Chief\s+of\s+Staff|Vice\s+Chair(?:man|woman)?|Vice\s+President(?:,\s+[A-Z][a-z]+(?:\s+(?:and|&)\s+[A-Z][a-z]+)?)?"
    r"|President|Chair(?:man|woman|person)?(?:\s+of\s+the\s+Board)?|General\s+Counsel|Treasurer|Controller"
    r"|(?:Corporate\s+)?Secretary|(?:Principal\s+)?(?:Accounting|Financial|Executive)\s+Officer"
    r"|Managing\s+Director|C[EFTIOPM]O)\b",
)
_DIRECTOR: Final = re.compile(
    r"\b(?:as|as\s+an?|as\s+an?\s+(?:independent|new|non-employee|additional))\s+(?:member|director)\b"
    r"|\bdirector\b|\bto\s+(?:the|its|our)\s+[^.;]{0,40}?board\b|\bfrom\s+(?:the|its|our)\s+[^.;]{0,60}?board\b"
    r"|board\s+of\s+directors\s+as\s+a\b|re-?election|member\s+of\s+the\s+board",
    re.IGNORECASE,
)
_OFFICES: Final = re.compile(
    r"\b(?:officer|president|counsel|treasurer|controller|secretary|chief|CFO|CEO|COO|CTO)\b", re.I
)
_COMES: Final = re.compile(
    r"\b(?P<verb>appoint(?:ed|s|ing)?|elect(?:ed|s)?|nam(?:ed|es)|promot(?:ed|es)|hir(?:ed|es)|designated"
    r"|will\s+(?:become|assume|succeed|serve\s+as|join)|agreed\s+to\s+(?:serve\s+as|join|become)"
    r"|assum(?:ed|es)|succe(?:eds|eded)|join(?:ed|s)|to\s+serve\s+as|appointment|election)\b",
    re.IGNORECASE,
)
_GOES: Final = re.compile(
    r"\b(?P<verb>resign(?:ed|s|ing|ation)?|retir(?:e|ed|es|ing|ement)|step(?:ped|ping|s)?\s+down|depart(?:ed|s|ing|ure)?"
    r"|leav(?:e|es|ing)|left|ceas(?:e|ed|es)\s+to\s+(?:serve|be)|not\s+(?:to\s+)?stand\s+for\s+re-?election"
    r"|not\s+(?:to\s+)?seek\s+re-?election|terminat(?:ed|ion\s+of)|passed\s+away|died|removed|separat(?:ed|ion))\b",
    re.IGNORECASE,
)
# Conditions of contracts and what follows from a move are no moves.
_NO_MOVE: Final = re.compile(
    r"\b(?:if|in\s+the\s+event|upon|may|would|shall|without\s+cause|for\s+cause|good\s+reason|severance|vest(?:s|ed|ing)?"
    r"|salary|bonus|eligible|pursuant\s+to\s+the\s+terms|disagreement|no\s+family|arrangement\s+or\s+understanding"
    r"|until\s+(?:his|her)|prior\s+to\s+(?:his|her|joining|that)|previously|from\s+(?:19|20)\d\d\s+(?:to|until)"
    r"|since\s+(?:[A-Z][a-z]+\s+)?(?:19|20)\d\d|was\s+entered|indemnif|equity\s+award|restricted\s+stock|base\s+pay"
    r"|employment\s+agreement\s+(?:with|dated)|biograph|press\s+release\s+announcing|committees?\s+of\s+the\s+board\s+on\s+which)\b",
    re.IGNORECASE,
)
_HARD_CONDITION: Final = re.compile(
    r"\b(?:if|in\s+the\s+event|would|without\s+[“\"]?cause|for\s+[“\"]?(?:cause|good\s+reason)|severance|vest(?:s|ed|ing)?"
    r"|salary|disagreement|indemnif|entitled|elect\s+to|may\s+(?:resign|terminate)|annual\s+meeting[^.]{0,80}\belected\s+each"
    r"|votes?\s+for|nominees)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Move:
    """One person's coming or going: the office as written, and whether it lies ahead."""

    type: SignalType
    person: str
    office: str | None
    planned: bool
    start: int
    end: int
    effective: date | None


def moves_in(
    text: str, spans: list[tuple[int, int]], *, said: date, whole: tuple[int, int]
) -> list[Move]:
    """Moves told by sentences of an item, each person once for coming and once for going."""
    names = _full_names(text[whole[0] : whole[1]])
    found: dict[tuple[str, bool], Move] = {}
    for start, end in spans:
        for move in _of_sentence(text, start, end, said=said, names=names):
            going = move.type in (SignalType.LEAVES, SignalType.RETIRES_FROM)
            found.setdefault((person_key(move.person), going), move)
    return list(found.values())


def _of_sentence(
    text: str, start: int, end: int, *, said: date, names: dict[str, str]
) -> list[Move]:
    sentence = text[start:end]
    if _HARD_CONDITION.search(sentence) or is_old(sentence, said=said):
        return []
    comes, goes = _COMES.search(sentence), _GOES.search(sentence)
    if comes is None and goes is None:
        return []
    moves = []
    for verb, going in ((goes, True), (comes, False)):
        if verb is None or (verb["verb"].lower().endswith(("ment", "election")) and not going):
            continue
        people = _people_of(sentence, verb, going=going, names=names)
        for person, place in people:
            kind = _kind(sentence, verb, going=going)
            office = _office(sentence, verb, place, going=going)
            if kind != SignalType.BOARD_CHANGE and office is None and not going:
                continue
            ahead = _ahead(sentence, verb, said)
            effective = next((day for day in days_in(sentence[verb.start() :])), None)
            moves.append(Move(kind, person, office, ahead, start, end, effective))
        if going and people and not (comes and comes.start() > verb.end()):
            break
    return moves


def _kind(sentence: str, verb: re.Match[str], *, going: bool) -> SignalType:
    after = sentence[verb.start() :] if not going else sentence
    director = _DIRECTOR.search(after)
    office = _OFFICES.search(sentence[verb.start() :])
    if going:
        if "board" in sentence[verb.end() : verb.end() + 80].lower() and not office:
            return SignalType.BOARD_CHANGE
        if director and not _OFFICES.search(sentence):
            return SignalType.BOARD_CHANGE
        return (
            SignalType.RETIRES_FROM
            if verb["verb"].lower().startswith("retir")
            else SignalType.LEAVES
        )
    if director and (office is None or director.start() + verb.start() < office.start() + verb.start()):
        return SignalType.BOARD_CHANGE
    return (
        SignalType.PROMOTES if verb["verb"].lower().startswith("promot") else SignalType.HIRES
    )


def _people_of(
    sentence: str, verb: re.Match[str], *, going: bool, names: dict[str, str]
) -> list[tuple[str, int]]:
    """The people who move: before a verb of going; after an active one of coming, else before it."""
    before = _people(sentence[: verb.start()], 0, names)
    if going:
        if verb["verb"].lower().startswith(("terminat", "removed", "departure", "resignation", "retirement", "separation")):
            after = _people(sentence[verb.end() : verb.end() + 90], verb.end(), names)
            if after and re.match(r"(?:\s+of)?\s", sentence[verb.end() :]):
                return after[:1] if not before else before[-1:] if _possessive(sentence, verb) else after[:1]
        return before[-1:] if len(before) != 2 or " and " not in sentence[: verb.start()] else before
    passive = re.search(
        r"\b(?:was|were|been|be|is)\s+(?:also\s+|unanimously\s+|\w+ly\s+)?$", sentence[: verb.start()], re.I
    )
    word = verb["verb"].lower()
    if passive or word.startswith(("will", "agreed", "assum", "succ", "join", "to serve")):
        return before[-1:]
    after = _people(sentence[verb.end() : verb.end() + 160], verb.end(), names)
    return after[:3]


def _possessive(sentence: str, verb: re.Match[str]) -> bool:
    return re.search(r"['’]s?\s+$", sentence[: verb.start()]) is not None


def _people(piece: str, offset: int, names: dict[str, str]) -> list[tuple[str, int]]:
    found = []
    for match in _NAME.finditer(piece):
        raw = " ".join(match[0].split())
        bare = re.sub(r"^(?:Mr|Ms|Mrs|Dr)\.\s+", "", raw)
        words = re.findall(r"[A-Za-zÀ-ÿ'’-]+", bare)
        if any(word.lower() in _NO_PERSON for word in words):
            continue
        if len(words) == 1:
            full = names.get(words[0].lower())
            if full is None:
                continue
            bare = full
        elif re.match(r"\s*,?\s*(?:Inc|Corp|LLC|Ltd|L\.P|Company|Co\.)", piece[match.end() :]):
            continue
        found.append((re.sub(r"\s+[“\"(][A-Z][a-z]+[”\")]", "", bare), offset + match.start()))
    return found


def _full_names(text: str) -> dict[str, str]:
    """Last name → full name, for those who are called "Mr. Name" later in the item."""
    called = {m[1].lower() for m in re.finditer(rf"\b(?:Mr|Ms|Mrs|Dr|General)\.?\s+({_WORD})", text)}
    found: dict[str, str] = {}
    for match in _NAME.finditer(text):
        raw = re.sub(r"^(?:Mr|Ms|Mrs|Dr)\.\s+", "", " ".join(match[0].split()))
        words = re.findall(r"[A-Za-zÀ-ÿ'’-]+", re.sub(r",?\s+(?:Jr|Sr|II|III|IV)\.?$", "", raw))
        if len(words) < 2 or any(word.lower() in _NO_PERSON for word in words):
            continue
        if words[-1].lower() in called:
            found.setdefault(words[-1].lower(), raw)
    return found


def _office(sentence: str, verb: re.Match[str], place: int, *, going: bool) -> str | None:
    """The office nearest after the verb, for those who leave also the one beside their name."""
    after = _ROLE.search(sentence, verb.end())
    if after and after.start() - verb.end() <= 180:
        return _whole_office(sentence, after)
    if going or place < verb.start():
        beside = _ROLE.search(sentence, place)
        if beside and beside.start() < verb.start():
            return _whole_office(sentence, beside)
    return None


def _whole_office(sentence: str, role: re.Match[str]) -> str:
    end = role.end()
    more = re.match(rf"(?:,\s+|\s+and\s+|,\s+and\s+)(?:{_ROLE.pattern})", sentence[end:])
    office = sentence[role.start() : end + (more.end() if more else 0)]
    return " ".join(office.split())


def _ahead(sentence: str, verb: re.Match[str], said: date) -> bool:
    days = days_in(sentence[verb.start() :])
    if days:
        return max(days) > said
    near = sentence[max(0, verb.start() - 40) : verb.end()].lower()
    return re.search(r"\b(?:will|intends?|intention|intent|plans?|to\s+retire)\b", near) is not None
