"""Technologies and skills that a job description names, each with the words that name it.

Precise first: a name that is an ordinary word as well ("Go", "R", "Spring", "Excel", "Outreach") counts
only in its own letters and only where the text speaks of technology.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from sightline.domain.names import fold
from sightline.domain.tables import toml_table

_MAX_TEXT = 100_000
_MAX_QUOTE = 240
_NEAR = 60
"""Characters on either side in which another technology vouches for an ordinary word."""

_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,80}\.[\w.-]{1,80}", re.IGNORECASE
)
_WORD_START = re.compile(r"(?<![\w@])[\w.]", re.UNICODE)
_FIRST_RUN = re.compile(r"\.?\w+")
_LINE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)\s+(?=[A-ZÀ-Þ0-9•-])")
_LEAD = re.compile(
    r"(?:\b(?:experience|experienced|expertise|proficien(?:t|cy)|skilled|skills|fluen(?:t|cy)|knowledge"
    r"|familiar(?:ity)?|background|certified|certification|competen(?:t|ce|cy)|understanding|command"
    r"|working|hands-on|strong|advanced)\s+(?:\w+\s+){0,2}?(?:in|with|of|using|on|at)\s+(?:the\s+)?"
    r"|\b(?:programming|coding|coded|written|developed|built|scripting|development|implemented|services"
    r"|microservices|applications|apps|software|code)\s+(?:in|with|on|using)\s+"
    r"|\b(?:use|uses|using|utili[sz]\w+|leverag\w+)\s+"
    r"|\b(?:languages?|tools?|stack|technologies|frameworks?|software|systems?|platforms?|CRM|databases?|applications?)"
    r"\s*(?:\(|:|such as|like|including|e\.g\.,?|i\.e\.,?)\s*(?:\w+\s+){0,1})$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:developer|development|programming|programmer|engineer|code|codebase|language|framework|library"
    r"|administrator|admin|certification|certified|API|SDK|cluster|microservices|backend|scripts?|pipelines?"
    r"|spreadsheets?|formulas|macros|pivot tables?|modell?ing)\b",
    re.IGNORECASE,
)
# What follows or precedes an ordinary word where it is no technology.
_NO_TAIL = re.compile(
    r"(?:-\w|['’]s\b|&\w|\s+(?:to|at|beyond|above|the|live|for it|out|ahead|level|suite|&|20\d\d|semester"
    r"|break|intern|internship|term|season|class|round|team|teams|cofounder))",
    re.IGNORECASE,
)
_NO_LEAD = re.compile(
    r"(?:\b(?:series|class|grade|vitamin|plan|tier|level|hepatitis|summer|fall|title)\s+|&|-)$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"^[\s,/|•·&+()-]*(?:(?:and|or|und|et)\s*)?[\s(]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SkillMention:
    """A technology or skill: canonical name, category, and where the text names it.

    `quote` is the sentence around it, at most 240 characters, word for word.
    """

    name: str
    category: str
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Form:
    text: str
    name: str
    category: str
    exact: bool  # in these letters only
    ordinary: bool  # an ordinary word too


_Hit = tuple[_Form, int, int]


def skills_in(text: str, *, own_names: Collection[str] = ()) -> tuple[SkillMention, ...]:
    """The technologies and skills of a text, each once, in the order of their first mention.

    `own_names` are names of the employer: its own products are no technology that it uses.
    """
    text = text[:_MAX_TEXT]
    searched = _ADDRESS.sub(lambda found: " " * len(found[0]), text)
    own = {fold(name) for name in own_names}
    found: dict[str, SkillMention] = {}
    for form, start, end in _meant(searched, list(_hits(searched))):
        if form.name not in found and fold(form.name) not in own and fold(form.text) not in own:
            quote = _quote(text, start, end)
            found[form.name] = SkillMention(form.name, form.category, quote, start, end)
    return tuple(found.values())


def _meant(text: str, hits: list[_Hit]) -> list[_Hit]:
    """The hits without ordinary words that nothing vouches for; a word that counts vouches in turn."""
    meant = [not form.ordinary for form, _, _ in hits]
    for _ in range(3):
        vouching = [hit for hit, counts in zip(hits, meant, strict=True) if counts]
        again = [
            counts or _is_meant(text, start, end, vouching)
            for (_, start, end), counts in zip(hits, meant, strict=True)
        ]
        if again == meant:
            break
        meant = again
    return [hit for hit, counts in zip(hits, meant, strict=True) if counts]


def skill_categories() -> tuple[str, ...]:
    """The categories, in the order of the list."""
    return tuple(toml_table("skills.toml"))


def _hits(text: str) -> Iterator[_Hit]:
    """Every form that stands as a word of its own; of several at one place the longest."""
    forms, lower = _forms(), text.lower()
    at_least = 0
    for begin in _WORD_START.finditer(text):
        start = begin.start()
        if start < at_least or (run := _FIRST_RUN.match(lower, start)) is None:
            continue
        for form in forms.get(_key(run[0]), ()):
            end = start + len(form.text)
            if _matches(form, text, lower, start) and _ends(text, end):
                at_least = end
                yield form, start, end
                break


def _matches(form: _Form, text: str, lower: str, start: int) -> bool:
    if form.exact:
        return text.startswith(form.text, start)
    return lower.startswith(form.text.lower(), start)


def _ends(text: str, end: int) -> bool:
    after = text[end : end + 2]
    if not after:
        return True
    if after[0].isalnum() or after[0] in "_#@" or after[:2] == "++":
        return False
    # "React.memo" and "node.exe" go on; a full stop at the end of a sentence does not.
    return not (after[0] == "." and len(after) > 1 and after[1].isalnum())


def _is_meant(text: str, start: int, end: int, others: list[_Hit]) -> bool:
    """Whether an ordinary word is the technology: said so, or listed beside another one."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    before = text[max(line_start, start - 80) : start]
    after = text[end : end + 40 if line_end < 0 else min(line_end, end + 40)]
    if _NO_TAIL.match(after) or _NO_LEAD.search(before):
        return False
    if _LEAD.search(before) or (_TAIL.match(after) and before.strip()):
        return True
    # The nearest few: `others` stand in the text's order.
    place = bisect_left(others, start, key=itemgetter(1))
    for _, other_start, other_end in others[max(0, place - 2) : place + 3]:
        if line_start <= other_start and other_end <= start <= other_end + _NEAR:
            between = text[other_end:start]
        elif end <= other_start <= end + _NEAR:
            between = text[end:other_start]
        else:
            continue
        if _JOINED.match(between):
            return True
    return False


def _quote(text: str, start: int, end: int) -> str:
    """The sentence of a span, or as much of it as fits, cut between words."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    cuts = [
        line_start,
        *(c.end() for c in _SENTENCE_END.finditer(text, line_start, line_end)),
        line_end,
    ]
    left = max(cut for cut in cuts if cut <= start)
    right = min(cut for cut in cuts if cut >= end)
    if right - left > _MAX_QUOTE:
        half = (_MAX_QUOTE - (end - start)) // 2
        if start - left > half:
            left = text.find(" ", start - half, start) + 1 or start
        if right - end > half:
            space = text.rfind(" ", end, end + half)
            right = space if space > 0 else end
    return text[left:right].strip()


def _key(run: str) -> str:
    """The letters and digits that a word begins with; forms are found by them."""
    found = re.match(r"\.?[^\W_]+", run)
    return found[0].lower() if found else run


@cache
def _forms() -> dict[str, tuple[_Form, ...]]:
    """Forms by the run of letters that they begin with, longest first."""
    table: dict[str, list[_Form]] = {}
    for category, entries in toml_table("skills.toml").items():
        for entry in entries:
            shown = entry.split("|")
            name = shown[0].rstrip("?!")
            for form in shown:
                word = form.rstrip("?!")
                made = _Form(word, name, category, form[-1] in "?!", form[-1] == "?")
                table.setdefault(_key(word), []).append(made)
    return {
        key: tuple(sorted(forms, key=lambda form: len(form.text), reverse=True))
        for key, forms in table.items()
    }
