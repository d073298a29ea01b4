"""Who comes and who goes, out of Item 5.02 of a current report."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.domain.signals import SignalType
from sightline.signals.contract import person_key
from sightline.signals.dates import days_in, is_ahead, is_old
from sightline.signals.sentences import word_set

_WORD: Final = r"(?:d[aei])?[A-Z][A-Za-zÀ-ÿ'’-]*[a-zà-ÿ]"
# "James A. Rasulo", "Maria Elena Lagomasino", "V. James Vena", "Guy M. Erwin II"
_NAME: Final = re.compile(
    rf"(?:(?:Mr|Ms|Mrs|Dr)\.\s+)?(?:(?:{_WORD}|[A-Z]\.(?:\s?[A-Z]\.)?|[A-Z]{{2}}(?=\s))\s+)"
    rf"(?:(?:[A-Z]\.|{_WORD}|[“\"(][A-Z][a-z]+[”\")]|de|da|von|van|der|la|del|bin)\s+){{0,3}}"
    rf"{_WORD}(?:,?\s+(?:Jr\.?|Sr\.?|II|III|IV))?"
    rf"|(?:Mr|Ms|Mrs|Dr)\.\s+{_WORD}"
)
# Capitalised words that no person is called.
_NO_PERSON: Final = word_set(
    """
    board directors director company registrant corporation committee chief executive officer
    president vice senior chairman chairwoman chair secretary treasurer general counsel financial
    operating accounting agreement plan employment annual meeting report form item exchange
    commission act compensation nominating governance audit inc corp group holdings llc bank trust
    stock common award stockholders shareholders principal independent lead managing partner
    fiscal effective election appointment departure retirement resignation amendment january
    february march april may june july august september october november december united states
    new york delaware marketing technology human resources global operations strategy division
    international development business information services section rule securities performance
    incentive program university college school letter offer separation transition upon mr ms mrs
    dr each said both following after since while when pursuant effective also finally
    additionally accordingly expiration date term closing extension steel certain compensatory
    arrangements officers press release exhibit executive former interim acting co the following
    also under prior corporate controller
    """
)
_OFFICE_WORDS: Final = word_set(
    "senior executive vice president chief chair general counsel treasurer"
)
_ROLE: Final = re.compile(
    r"(?:Co-)?(?:(?:Interim|Acting|Deputy|Corporate|Global|Group|Senior|Executive|Regional|Associate|Non-?Executive"
    r"|Lead|Independent|Principal)\s+)*"
    r"(?:Chief\s+(?:[A-Z][a-z]+,?\s+(?:and\s+|&\s+)?){0,4}Officer"
    r"|Chief\s+of\s+Staff|Vice\s+Chair(?:man|woman)?|Vice\s+President(?:,\s+(?!Chief)[A-Z][a-z]+(?:\s+(?:and|&)\s+[A-Z][a-z]+)?)?"
    r"|President|Chair(?:man|woman|person)?(?:\s+of\s+the\s+Board)?|General\s+Counsel|Treasurer|Controller"
    r"|(?:Corporate\s+)?Secretary|(?:Principal\s+)?(?:Accounting|Financial|Executive)\s+Officer"
    r"|Managing\s+Director|Lead\s+(?:Independent\s+)?Director|C[EFTIOPM]O)s?\b",
)
_DIRECTOR: Final = re.compile(
    r"\b(?:as|as\s+an?|as\s+an?\s+(?:independent|new|non-employee|additional))\s+(?:member(?!\s+of\s+the\s+[\w\s]{0,40}committee)|director)\b"
    r"|(?<!\bof\s)\bdirectors?\b|\bto\s+(?:the|its|our)\s+[^.;]{0,40}?board\b|\bfrom\s+(?:the|its|our)\s+[^.;]{0,60}?board\b"
    r"|board\s+of\s+directors\s+as\s+a\b|re-?election|member\s+of\s+the\s+board",
    re.IGNORECASE,
)
_OFFICES: Final = re.compile(
    r"\b(?:officer|president|counsel|treasurer|controller|secretary|chief|CFO|CEO|COO|CTO|executive\s+chair\w*)\b",
    re.I,
)
_COMES: Final = re.compile(
    r"\b(?P<verb>appoint(?:ed|s|ing)?|elect(?:ed|s)?|nam(?:ed|es)|promot(?:ed|es)|hir(?:ed|es)|designated"
    r"|will\s+(?:become|assume|succeed|serve\s+as|join)|agreed\s+to\s+(?:serve\s+as|join|become)"
    r"|assum(?:ed|es)|succe(?:eds|eded)|join(?:ed|s)|became|to\s+serve\s+as|appointment|election)\b",
    re.IGNORECASE,
)
_GOES: Final = re.compile(
    r"\b(?P<verb>resign(?:ed|s|ing|ation)?|retir(?:e|ed|es|ing|ement)|step(?:ped|ping|s)?\s+down|depart(?:ed|s|ing|ure)?"
    r"|leav(?:e|es|ing)|left|ceas(?:e|ed|es)\s+to\s+(?:serve|be)|not\s+(?:to\s+|be\s+)?stand(?:ing)?\s+for\s+re-?election"
    r"|not\s+(?:to\s+|be\s+)?seek(?:ing)?\s+re-?election|terminat(?:ed|ion\s+of)|passed\s+away|died|removed|separat(?:ed|ion)\s+from)\b",
    re.IGNORECASE,
)
# Conditions of contracts, votes, and what was told before are no moves.
_NO_MOVE: Final = re.compile(
    r"^\W*(?:under|pursuant\s+to)\s+(?:the|her|his)\s+[^,.]{0,60}\bagreement\b[^;]{0,40}\bwill\s+serve\b"
    r"|\b(?:if|in\s+the\s+event|would(?!\s+(?:not\s+(?:be\s+)?(?:stand|seek)|be\s+(?:leav|resign|retir|step)|leave|resign|retire|step\s+down))|without\s+[“\"]?cause|for\s+[“\"]?(?:cause|good\s+reason)|severance|vest(?:s|ed|ing)?"
    r"|salary|disagreement|indemnif|entitled|elect\s+to|may\s+(?:resign|terminate)|annual\s+meeting[^.]{0,80}\belected\s+each"
    r"|votes?\s+for|nominees|defer\b|right\s+to|amend(?:s|ed|ment)\b|continu(?:e|es|ing)\s+(?:to\s+)?(?:serve|as)|extend(?:s|ed|ing)?\s+the\s+(?:term|period)|remain\s+on\s+the|expected\s+to\s+be|previously\s+served\s+as|prior\s+to\s+joining)\b",
    re.IGNORECASE,
)


# What was told before is told again only when it comes to pass.
_TOLD_BEFORE: Final = re.compile(
    r"\bas\s+(?:previously\s+)?(?:disclosed|reported|announced)\b|\bpreviously\s+announced\b"
    r"(?!\s+(?:(?:plan\w*|proposed)\s+)?(?:separation|spin|merger|acquisition|transaction|sale|split|offering))",
    re.I,
)
_CAME_TO_PASS: Final = re.compile(r"\bbecame\b", re.I)


@dataclass(frozen=True, slots=True)
class Move:
    """One person's coming or going: the office as written, and whether it lies ahead."""

    type: SignalType
    going: bool
    person: str
    office: str | None
    planned: bool
    start: int
    end: int
    effective: date | None


def moves_in(
    text: str,
    spans: list[tuple[int, int]],
    *,
    said: date,
    whole: tuple[int, int],
    own: Callable[[str], bool],
) -> list[Move]:
    """Moves told by sentences of an item, each person once for coming and once for going.

    `own` tells whether a name is the company's: a seat in another one is no move here.
    """
    names = _full_names(text[whole[0] : whole[1]])
    found: dict[tuple[str, bool], Move] = {}
    for start, end in spans:
        for move in _of_sentence(text, start, end, said=said, names=names, own=own):
            if not move.going and _elsewhere(text[start:end], own):
                continue
            found.setdefault((person_key(move.person), move.going), move)
    return list(found.values())


_AT: Final = re.compile(
    r"\b(?:director|officer|president|controller|position\s+with|board\s+of\s+directors)s?\s+of\s+(?:the\s+board\s+of\s+(?:directors\s+of\s+)?)?"
    r"(?P<firm>[A-Z][\w&’'-]*(?:\s+[A-Z&][\w&’'-]*){0,4})",
)
_SELF: Final = re.compile(r"(?:the\s+)?(?:Company|Registrant|Corporation|Board|Issuer|Firm|Bank)\b")


def _elsewhere(sentence: str, own: Callable[[str], bool]) -> bool:
    """Whether the offices that a sentence names are all in other firms."""
    firms = [match["firm"] for match in _AT.finditer(sentence)]
    return bool(firms) and not any(own(firm) or _SELF.match(firm) for firm in firms)


def _of_sentence(
    text: str,
    start: int,
    end: int,
    *,
    said: date,
    names: dict[str, str],
    own: Callable[[str], bool],
) -> list[Move]:
    sentence = text[start:end]
    if _NO_MOVE.search(sentence) or is_old(sentence, said=said):
        return []
    if _TOLD_BEFORE.search(sentence) and not _CAME_TO_PASS.search(sentence):
        return []
    comes, goes = _COMES.search(sentence), _GOES.search(sentence)
    if comes is None and goes is None:
        return []
    moves = []
    for verb, going in (
        (goes, True),
        (comes, False),
        *((more, False) for more in _also(sentence, comes)),
    ):
        if verb is None or _is_aside(sentence, verb, going=going, said=said):
            continue
        people = _people_of(sentence, verb, going=going, names=names, own=own)
        for person, place in people:
            kind = _kind(sentence, verb, going=going)
            if kind == SignalType.HIRES and _holds_office(sentence, place, person, verb):
                kind = SignalType.PROMOTES
            if not going and kind == SignalType.BOARD_CHANGE and not _DIRECTOR.search(sentence):
                continue  # a seat in a committee
            office = _office(sentence, verb, place, going=going)
            if kind != SignalType.BOARD_CHANGE and office is None and not going:
                continue
            ahead = is_ahead(sentence, verb.span(), said=said)
            effective = next((day for day in days_in(sentence[verb.start() :])), None)
            moves.append(Move(kind, going, person, office, ahead, start, end, effective))
        if going and people and not (comes and comes.start() > verb.end()):
            break
    return moves


# "has appointed Ann Lee Treasurer and has appointed Bo Ray Controller"
_AND_ALSO: Final = re.compile(r"\band\s+(?:(?:has|have|also|further)\s+){0,2}$", re.I)


def _also(sentence: str, comes: re.Match[str] | None) -> list[re.Match[str]]:
    """Further verbs of coming of the same subject."""
    verbs = _COMES.finditer(sentence, comes.end()) if comes else ()
    return [verb for verb in verbs if _AND_ALSO.search(sentence[: verb.start()])]


_BESIDE: Final = re.compile(
    r"\s*,\s*(?:\d\d,\s+)?(?:and\s+[^,]{3,40},\s*(?:\d\d,\s+)?)?(?:(?:currently|age\s+\d\d),?\s+)?"
    r"(?:our|the\s+Company['’]s|its)?\s*(?:current(?:ly)?\s+)?",
)


def _holds_office(sentence: str, place: int, person: str, verb: re.Match[str]) -> bool:
    """Whether one who is appointed has an office of the company already: "Jo Lee, our Treasurer,"."""
    if place > verb.start():
        return False
    beside = _BESIDE.match(
        sentence, sentence.find(person.split()[-1], place) + len(person.split()[-1])
    )
    return beside is not None and _ROLE.match(sentence, beside.end()) is not None


def _is_aside(sentence: str, verb: re.Match[str], *, going: bool, said: date) -> bool:
    """Whether a word of moving only refers to a move ("upon her retirement"), or to one long past."""
    word = verb["verb"].lower()
    noun = re.search(r"(?:ment|ation|ure|election|ation\s+(?:of|from))$", word) is not None
    if noun and not going:
        return True
    if noun and (
        re.search(
            r"\b(?:upon|following|until|after|with|of|to)\s+[^,;]{0,45}$",
            sentence[: verb.start()],
            re.I,
        )
        and not re.search(
            r"\b(?:notice|intent|intention|decision|announced|notified|informed)\b",
            sentence[: verb.start()],
            re.I,
        )
    ):
        return True
    year = re.search(r"\b((?:19|20)\d\d)\b", sentence[verb.end() : verb.end() + 90])
    return year is not None and int(year[1]) < said.year - 1


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
    committee = re.search(r"\bcommittee\b", after, re.I)
    if committee and not director and not office:
        return SignalType.BOARD_CHANGE
    if director and (office is None or director.start() < office.start()):
        return SignalType.BOARD_CHANGE
    return SignalType.PROMOTES if verb["verb"].lower().startswith("promot") else SignalType.HIRES


def _people_of(
    sentence: str, verb: re.Match[str], *, going: bool, names: dict[str, str],
    own: Callable[[str], bool],
) -> list[tuple[str, int]]:  # fmt: skip
    """The people who move: before a verb of going; after an active one of coming, else before it."""
    before = [each for each in _people(sentence[: verb.start()], 0, names) if not own(each[0])]
    if going:
        if (
            verb["verb"]
            .lower()
            .startswith(
                ("terminat", "removed", "departure", "resignation", "retirement", "separation")
            )
        ):
            after = _people(sentence[verb.end() : verb.end() + 90], verb.end(), names)
            if after and re.match(r"(?:\s+of)?\s", sentence[verb.end() :]):
                return (
                    after[:1]
                    if not before
                    else before[-1:]
                    if _possessive(sentence, verb)
                    else after[:1]
                )
        return _chain(sentence, before)
    passive = re.search(
        r"\b(?:was|were|been|be|is)\s+(?:also\s+|unanimously\s+|\w+ly\s+)?$",
        sentence[: verb.start()],
        re.I,
    )
    word = verb["verb"].lower()
    if passive or word.startswith(
        ("will", "agreed", "assum", "succ", "join", "became", "to serve")
    ):
        return _chain(sentence, before)
    after = _people(sentence[verb.end() : verb.end() + 160], verb.end(), names)
    return list(reversed(_chain(sentence, list(reversed(after)), forward=True)))


def _chain(
    sentence: str, people: list[tuple[str, int]], *, forward: bool = False
) -> list[tuple[str, int]]:
    """The last person with those listed before: "Ann Lee, Bo Ray and Cy Fox". `forward`: the first
    with those listed after, handed over in reverse."""
    kept = people[-1:]
    for person in reversed(people[:-1]):
        first, second = (kept[0], person) if forward else (person, kept[0])
        between = sentence[first[1] + len(first[0]) : second[1]]
        if not re.fullmatch(r"[,\s]*(?:\d\d,?)?\s*(?:and\s+)?(?:(?:Mr|Ms|Mrs|Dr)\.\s*)?", between):
            break
        kept.insert(0, person)
    return kept


def _possessive(sentence: str, verb: re.Match[str]) -> bool:
    return re.search(r"['’]s?\s+$", sentence[: verb.start()]) is not None


def _people(piece: str, offset: int, names: dict[str, str]) -> list[tuple[str, int]]:
    found = []
    for match in _NAME.finditer(piece):
        raw = " ".join(match[0].split())
        bare = re.sub(r"^(?:Mr|Ms|Mrs|Dr)\.\s+|['’]s?$", "", raw)
        words = re.findall(r"[A-Za-zÀ-ÿ'’-]+", bare)
        while len(words) > 1 and words[0].lower() in _NO_PERSON:
            # "Upon Mr. Lee", "President Jane Doe"
            words = words[1:]
            bare = bare[bare.index(" ") + 1 :]
            bare = re.sub(r"^(?:Mr|Ms|Mrs|Dr)\.\s+", "", bare)
            words = re.findall(r"[A-Za-zÀ-ÿ'’-]+", bare)
        while len(words) > 2 and words[-1].lower() in _OFFICE_WORDS:
            # "Jane Doe Senior Vice"
            words = words[:-1]
            bare = bare[: bare.rindex(" ")]
        if any(word.lower() in _NO_PERSON for word in words):
            continue
        if len(words) == 1:
            full = names.get(words[0].lower())
            if full is None:
                continue
            bare = full
        elif re.match(
            r"\s*,?\s*(?:Inc|Corp(?:oration)?\b|LLC|Ltd|L\.P|Company|Co\.)", piece[match.end() :]
        ):
            continue
        found.append((bare, offset + match.start() + match[0].rfind(bare.split()[0])))
    return found


def _full_names(text: str) -> dict[str, str]:
    """Last name → full name, for those who are called "Mr. Name" later in the item."""
    called = {
        m[1].lower() for m in re.finditer(rf"\b(?:Mr|Ms|Mrs|Dr|General)\.?\s+({_WORD})", text)
    }
    found: dict[str, str] = {}
    for match in _NAME.finditer(text):
        raw = re.sub(r"^(?:Mr|Ms|Mrs|Dr)\.\s+", "", " ".join(match[0].split()))
        words = re.findall(r"[A-Za-zÀ-ÿ'’-]+", re.sub(r",?\s+(?:Jr|Sr|II|III|IV)\.?$", "", raw))
        if len(words) < 2 or any(word.lower() in _NO_PERSON for word in words):
            continue
        if words[-1].lower() in called:
            found.setdefault(words[-1].lower(), raw)
    return found


# "elected Jane Doe, our Controller, as Treasurer": the office after "as" is the new one.
_NAMED_AS: Final = re.compile(
    r"\bas\s+(?:(?:the|its|our|an?|his|her)\s+)?(?:(?:Company|Registrant|Corporation)['’]s\s+)?"
)
_ANY_ROLE: Final = re.compile(_ROLE.pattern, re.IGNORECASE)
_AND_ROLE: Final = re.compile(rf"(?:,\s+|\s+and\s+|,\s+and\s+)(?:{_ROLE.pattern})")


def _office(sentence: str, verb: re.Match[str], place: int, *, going: bool) -> str | None:
    """The office nearest after the verb, for those who leave also the one beside their name."""
    named = _NAMED_AS.search(sentence, verb.end())
    told = _ANY_ROLE.match(sentence, named.end()) if named else None
    after = told or _ROLE.search(sentence, verb.end())
    between = sentence[verb.end() : after.start()] if after else ""
    if (
        after
        and len(between) <= 180
        and not re.search(r"\breport(?:s|ing)\s+to\b|\badvis", between)
    ):
        return _whole_office(sentence, after)
    if going or place < verb.start():
        beside = _ROLE.search(sentence, place)
        if beside and beside.start() < verb.start():
            return _whole_office(sentence, beside)
    return None


# "President of Acme Pumps", a part of the company.
_OF_WHAT: Final = re.compile(
    rf"\s+of\s+(?!(?:the\s+)?{_SELF.pattern})[A-Z][\w&’'-]*(?:\s+[A-Z&][\w&’'-]*){{0,4}}"
)
# "elected Co-Presidents": each of them is one.
_PLURAL: Final = re.compile(r"\b(President|Officer|Treasurer|Controller|C[EFTIOPM]O)s\b")


def _whole_office(sentence: str, role: re.Match[str]) -> str:
    end = (_AND_ROLE.match(sentence, role.end()) or role).end()
    part = _OF_WHAT.match(sentence, end)
    office = _PLURAL.sub(r"\1", sentence[role.start() : end]) + (part[0] if part else "")
    return " ".join(office.split())
