"""How current reports word things: cues, and the firms that a sentence names."""

import re
from typing import Final

from sightline.domain.happenings import Subject
from sightline.domain.names import fold
from sightline.signals.contract import own_keys

_CUES: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "signs": r"\b(?:enter(?:ed|s|ing)\s+into|execut(?:ed|es)|signed|amended\s+and\s+restated"
        r"|amended|agreed\s+to"
        r"|awarded|closed\s+on|is\s+party\s+to)\b",
        "amends": r"\b(?:amended\s+(?:and\s+restated\s+)?(?:its|the)\b|amendment\s+(?:no\.|to)"
        r"|first\s+amendment"
        r"|second\s+amendment)",
        "merger": r"\b(?:agreement\s+and\s+plan\s+of\s+(?:merger|reorganization)|merger\s+agreement"
        r"|plan\s+of\s+merger)\b",
        "bankruptcy": r"\b(?:chapter\s+(?:7|11)|bankruptcy|receiver(?:ship)?|liquidat|insolven"
        r"|administrat(?:ion|or)s?\b"
        r"|securities\s+investor\s+protection|trustee)\b",
        "separates": r"\b(?:complet\w+|effect\w+)\b[^.]{0,80}\b(?:separation|spin-?off|distribution)\b"
        r"|\b(?:separation|spin-?off)\b[^.]{0,120}\bcompleted\b",
        "buys": r"\b(?:acquir(?:ed|es|e|ing)|acquisition\s+of|purchas(?:ed|es|e)"
        r"|merger\b[^.]{0,60}\bcomplet\w+"
        r"|complet\w+[^.]{0,60}\b(?:merger|acquisition|purchase)|merged)\b",
        "sells": r"\b(?:sold|sells?|sale\s+of|dispos(?:ed|ition)\s+of|divest(?:ed|iture)"
        r"|transferred)\b",
        "results": r"\b(?:results|earnings|financial\s+(?:information|statements|condition)"
        r"|revenues?)\b",
        "layoffs": r"\b(?:workforce|headcount|employees|positions|layoffs?|severance"
        r"|reduction\s+in\s+force)\b",
        "restructures": r"\b(?:restructur|exit|clos(?:e|ure|ing)|dispos|realign|consolidat"
        r"|charges?|plan)\w*\b",
        "engages": r"\b(?:engaged|appointed|selected|retained|approved\s+the\s+(?:engagement"
        r"|appointment))\b",
        "dismisses": r"\b(?:dismiss(?:ed|al)|resign(?:ed|ing|ation)|declined\s+to\s+stand|terminated"
        r"|replaced)\b",
        "restates": r"\b(?:no\s+longer\s+be\s+relied|should\s+not\s+be\s+relied|restate(?:d|ment)?)\b",
        "impairs": r"\bimpairment\b",
        "delists": r"\b(?:delist|listing\s+(?:rule|standard|requirement)|continued\s+listing"
        r"|minimum\s+bid|notice"
        r"|notif)\w*\b",
        "breach": r"\b(?:cyber\w*|unauthorized|ransomware|incident|threat\s+actor|intrusion)\b",
        "ends": r"\b(?:terminat(?:ed|ing|ion)|repaid|redeemed|prepaid|cancel+ed|expired)\b",
        "issues": r"\b(?:sold|issued|issue[sd]?|closed|completed|received|purchased)\b",
    }.items()
}


def has_cue(sentence: str, name: str) -> bool:
    """Whether a sentence has one of the wordings called `name`."""
    return _CUES[name].search(sentence) is not None


_FORM: Final = (
    r"(?:Inc|Incorporated|Corp|Corporation|Company|Co|LLC|L\.L\.C|LLP|L\.L\.P|L\.P|LP|Ltd|Limited"
    r"|PLC|plc|p\.l\.c|N\.A|N\.V|S\.A"
    r"|AG|GmbH|B\.V|S\.p\.A|SE|AB|ASA|Oyj|Bank|Holdings|Group|Partners|L\.C|L\.L\.C"
    r"|National\s+Association|Pty|KK|K\.K|ULC|Trust)"
)
_PIECE: Final = (
    r"(?:[A-Z0-9][\w’'&.-]*|&|of(?=\s+[A-Z])|and(?=\s+[A-Z][\w’'-]*,?\s+(?:" + _FORM + r")\b))"
)
_FIRM: Final = re.compile(
    rf"(?<![\w’'])(?P<name>[A-Z0-9][\w’'&.-]*(?:\s+{_PIECE}){{0,6}}?,?\s+{_FORM}\b\.?(?:,?\s+(?:{_FORM})\b\.?)?)"
)
# "Kinnard", "21CF": a name that the sentence defines in brackets.
_DEFINED: Final = re.compile(
    r"(?<![\w’'])(?P<name>[A-Z0-9][\w’'.-]*(?:[\s-]+[A-Z][\w’'.-]*){0,4})\s+\((?:the"
    r"\s+)?[“\"][A-Z0-9][\w .&-]{1,30}[”\"]\)"
)
# "Oldname Incorporated (the “Company”)": the registrant, whatever its name was then.
_CALLED_US: Final = re.compile(
    r"[.,]?\s*\([^()]{0,60}[“\"](?:the\s+)?(?:Company|Registrant|Corporation|Issuer|we|us|our)\b[^()]{0,40}\)",
    re.I,
)
_NO_FIRM: Final = re.compile(
    r"^(?:the\s+)?(?:company|registrant|corporation|board|merger\s+sub|parent|agreement|item|form"
    r"|report|plan|lender"
    r"|borrower|buyer|seller|purchaser|administrative\s+agent|current\s+report|securities|nasdaq"
    r"|nyse|new\s+york\s+stock"
    r"|united\s+states|delaware|state|trustee|credit|loan|note|first|second|third|amended|closing"
    r"|effective|on|in|as|this"
    r"|a\s+|an\s+|each|certain|such|notes|offering|underwrit|chief|vice|president|audit"
    r"|compensation)\b",
    re.IGNORECASE,
)
_AGREEMENT_WORD: Final = re.compile(
    r"\b(?:Agreement|Notes?|Plan|Facility|Indenture|Offering|Act|Amendment|Form)\b"
)


def firms_in(sentence: str) -> list[str]:
    """Names of firms in order, each once: with a legal form, or defined in brackets."""
    found: dict[str, str] = {}
    places = [
        (match.start("name"), match["name"])
        for pattern in (_FIRM, _DEFINED)
        for match in pattern.finditer(sentence)
        if not _CALLED_US.match(sentence, match.end("name"))
    ]
    for _, raw in sorted(places):
        name = re.sub(
            r"^(?:On|In|By|With|And|Between|Among|To|From|For|The)\s+(?=[A-Z0-9])", "", raw
        ).strip(" ,")
        name = re.sub(
            r"^(?:January|February|March|April|May|June|July|August|September|October|November"
            r"|December)\s.*?,\s+",
            "",
            name,
        )
        if re.fullmatch(rf"{_FORM}\.?", name) or name.split(" ")[0].rstrip(".,") in {
            "Inc",
            "LLC",
            "Ltd",
            "Corp",
        }:
            continue
        if _NO_FIRM.match(name) or _AGREEMENT_WORD.search(name) or len(name) < 3 or name.isdigit():
            continue
        key = fold(name)
        if not any(
            key == known or known.startswith(f"{key} ") or key.startswith(f"{known} ")
            for known in found
        ):
            found[key] = name
    return list(found.values())


def means_registrant(name: str) -> bool:
    """Whether a name only stands for the company itself."""
    return (
        re.match(r"(?:the\s+)?(?:company|registrant|corporation|issuer|us|we)\b", name, re.I)
        is not None
    )


def means_us(sentence: str) -> bool:
    """Whether a sentence speaks of the company without its name."""
    return (
        re.search(
            r"\b(?:the\s+)?(?:Company|Registrant|Corporation)\b|\b[Ww]e\b|\b[Oo]ur\b", sentence
        )
        is not None
    )


def is_own(firm: str, sentence: str, subject: Subject) -> bool:
    """Whether a firm is part of the company: named after it, or called its subsidiary."""
    key = fold(firm)
    if any(
        len(own) > 3 and key.startswith(f"{own.split()[0]} ") and len(own.split()[0]) > 4
        for own in own_keys(subject)
    ):
        return True
    after = sentence[sentence.find(firm) + len(firm) :][:140]
    return is_vehicle(firm, sentence) or re.match(
        r"[^,;]{0,50},?\s*(?:\([^)]*\)\s*,?\s*)?(?:each\s+)?(?:an?"
        r"|the\s+Company['’]s)\s+(?:[\w-]+\s+){0,6}?(?:subsidiary|affiliate)",
        after, re.IGNORECASE,
    ) is not None  # fmt: skip


def is_vehicle(firm: str, sentence: str) -> bool:
    """Whether a firm was made for a merger: "Acme Merger Sub, Inc."."""
    if re.search(
        r"\b(?:Merger|Acquisition|Holdco|Newco|Sub|Enterprises\s+\d|MergerCo|Bidco)\b", firm
    ):
        return True
    after = sentence[sentence.find(firm) + len(firm) :][:160]
    return (
        re.search(r"^[^;.]{0,110}wholly[- ]owned\s+subsidiary\s+of", after) is not None
        and "Merger Sub" in after
    )


_OWNER: Final = r"(?P<parent>(?:the\s+)?[A-Z][\w&.’'-]*(?:\s+[A-Z][\w&.’'-]*){0,4})"
_PARENT: Final = re.compile(
    rf"(?:wholly[- ]owned|indirect|direct)[^.;()]{{0,60}}subsidiary\s+of\s+{_OWNER}"
)
# Who owns a partner of a merger after it, or whose shares its holders get.
_SURVIVOR: Final = (
    re.compile(rf"\b(?:becom\w+|surviv\w+)\b[^.;]{{0,80}}\bsubsidiary\s+of\s+{_OWNER}", re.DOTALL),
    re.compile(
        r"\b(?:convert|exchang)\w+\b[^;]{0,100}?\bshares?\s+of\s+"
        rf"(?:(?:[Cc]lass|[Cc]ommon|[Vv]oting)\b[^.;]{{0,40}}?\b(?:stock|shares?)\s+of\s+)?"
        rf"(?!Class|Common|Voting){_OWNER}",
    ),
)


def survivor_of_merger(text: str) -> str | None:
    """Who acquires in a merger, by what becomes of the other's company or shares."""
    for pattern in _SURVIVOR:
        if found := pattern.search(text):
            return re.sub(r"[’']s$", "", found["parent"].rstrip(".,"))
    return None


def parent_of_merger_sub(sentence: str) -> str | None:
    """Who owns the vehicle of a merger, and so acquires; None when no vehicle is named."""
    if not re.search(
        r"\bMerger\s+Sub|\bMerger\s+(?:Enterprises|LLC|Corp)|\bAcquisition\s+(?:Corp|Sub|Co)",
        sentence,
    ):
        return None
    found = _PARENT.search(sentence)
    return found["parent"].rstrip(".,") if found else None


def buyer_is_other(sentence: str) -> bool:
    """Whether a sale goes from the company to the firm named after it."""
    return (
        re.search(
            r"\b(?:sold|sells?|transferred)\b[^.]{0,400}?\bto\s+[A-Z]"
            r"|pursuant\s+to\s+which\s+(?!the\s+Company)[A-Z][\w ]{1,40}\s+purchased",
            sentence,
        )
        is not None
    )


def buyer_in(sentence: str, firms: list[str]) -> str | None:
    """Which of the firms a sentence sells to; the last one where the wording does not say."""
    for firm in firms:
        if re.search(
            rf"\bto\s+{re.escape(firm)}|\bwhich\s+{re.escape(firm.split(',')[0])}\s+(?:purchased|acquired)",
            sentence,
        ):
            return firm
    return firms[-1] if firms else None


_AGREEMENTS: Final = re.compile(
    r"\b(?:(?:Amended|and|Restated|First|Second|Third|Fourth|Fifth|Senior|Secured|Unsecured"
    r"|Revolving|Term|Five-Year|364-Day)\s+)*"
    r"(?P<what>(?:[A-Z][a-z]+(?:-[A-Z][a-z]+)?\s+){1,3}Agreement|Lease|Indenture)\b"
)


_NO_KIND: Final = frozenset(
    {"definitive", "material", "restated", "amended", "and", "second", "third"}
)


def agreement_kind(sentence: str) -> str | None:
    """ "loan agreement", "underwriting agreement": what is signed, in lower case."""
    found = _AGREEMENTS.search(sentence)
    if found is None:
        plain = re.search(
            r"\b((?:lease(?:\s+extension)?|underwriting|credit|loan|purchase|license|supply"
            r"|merger) agreement|contract)\b",
            sentence,
            re.I,
        )
        return plain[1].lower() if plain else None
    words = [
        w
        for w in found["what"].split()
        if w.lower() not in {"the", "certain", "that", "this", "on", "a"}
    ]
    kind = " ".join(words).lower()
    bare = set(kind.removesuffix("agreement").split())
    return None if kind.endswith("agreement") and bare <= _NO_KIND else kind


_PERIOD: Final = re.compile(
    r"\b(?:(?:fiscal\s+)?(?:first|second|third"
    r"|fourth)\s+(?:fiscal\s+)?quarter(?:\s+and\s+(?:full\s+)?(?:fiscal\s+)?year)?"
    r"(?:\s+(?:of|ended))?(?:\s+(?:fiscal\s+)?(?:year\s+)?(?:[A-Z][a-z]+\s+\d{1,2},\s+)?\d{4})?"
    r"|fiscal\s+(?:year\s+)?\d{4}\s+(?:first|second|third|fourth)\s+quarter"
    r"|(?:three|six|nine|twelve)-month\s+period\s+ended\s+[A-Z][a-z]+\s+\d{1,2},\s+\d{4}"
    r"|(?:(?:fiscal\s+)?quarter|three|six|nine|twelve)(?:\s+(?:and\s+(?:fiscal\s+)?(?:year|(?:six"
    r"|nine|twelve)\s+months)|months))?"
    r"(?:\s+period)?\s+ended\s+[A-Z][a-z]+\s+\d{1,2},\s+\d{4}"
    r"|(?:fiscal\s+)?year\s+ended\s+[A-Z][a-z]+\s+\d{1,2},\s+\d{4}"
    r"|fiscal\s+(?:year\s+)?\d{4})",
    re.IGNORECASE,
)


def period_in(sentence: str) -> str | None:
    """The fiscal period that results are released for, as written."""
    found = _PERIOD.search(sentence)
    if found is None:
        return None
    return " ".join(found[0].split())


_RENAMED: Final = re.compile(
    r"\b(?:[Cc]hang(?:e|ed|ing|es)\s+(?:its|the|of)\s+(?:corporate\s+)?[Nn]ame|change\s+of\s+(?:its\s+)?name"
    r"|(?:[Cc]orporate\s+)?[Nn]ame\s+[Cc]hange)\b.{0,160}?\bto\s+[“\"]?"
    r"(?P<new>[A-Z][\w&.’'-]*(?:,?\s+(?:of\s+)?[A-Z][\w&.’'-]*){0,6})",
    re.DOTALL,
)


def new_name_in(sentence: str) -> str | None:
    """The name that the company takes; None when the sentence renames nothing."""
    found = _RENAMED.search(sentence)
    if found is None:
        return None
    name = re.sub(r"[\s,]+(?:The|A|Effective|On)$", "", found["new"]).strip(' ,”"')
    return name if len(name) > 2 and not re.match(r"(?:The|Its|Form|Section)$", name) else None


def refers_only(sentence: str) -> bool:
    """Whether a sentence says only that something is attached or was posted, or what follows from
    what was told before."""
    if re.match(
        r"\W*(?:pursuant\s+to\s+the\s+terms|in\s+connection\s+with\s+the|in\s+anticipation\s+of"
        r"|following\s+the|upon\s+the)\b",
        sentence, re.IGNORECASE,
    ) and not re.search(r"\b(?:replaced|entered\s+into)\b", sentence):  # fmt: skip
        return True
    return re.search(
        r"\b(?:attached|furnished|filed|included)\s+(?:herewith\s+|hereto\s+)?as\s+Exhibit"
        r"|\bcopy\s+of\b|\bwebcast\b|\bwill\s+present\b"
        r"|\bpresentations?\b|\bhost(?:ed|s)?\b[^.]{0,60}\b(?:call|day|event)\b|\bconference\b"
        r"|\bforward-looking\b|\bdividend\b"
        r"|\bstock\s+split\b|\bnon-GAAP\b|\bpreviously\s+announced\b|\bpreviously\s+disclosed\b",
        sentence, re.IGNORECASE,
    ) is not None and not re.search(r"(?<!previously )\bannounc|\bcompleted\b", sentence)  # fmt: skip
