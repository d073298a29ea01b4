"""Technologies and skills named in a job description, each with the words that name it.

Precise first: a name that is an ordinary word as well ("Go", "R", "Spring", "Excel", "Outreach") counts
only in its own letters and only where the text speaks of technology. What a text says the employer's
customers, rivals or investments use is kept apart from what it uses itself.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from sightline.domain.names import name_key
from sightline.domain.tables import toml_table
from sightline.domain.technologies import products

CRAFT = "craft"
"""The category of what people do and no one buys."""
_CONTEXT = "technology_context.toml"
_MAX_TEXT = 100_000
_MAX_QUOTE = 240
_MAX_SENTENCE = 400
"""Characters of a sentence that are heeded on either side of a name."""
_NEAR = 60
"""Most characters between two names of one list."""
_CROWD = 3
"""Ordinary words with capitals in one list that vouch for each other."""

_BEFORE = 240
"""Characters before a name in which a sentence may say that someone else uses it."""
_AFTER = 60

_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,80}\.[\w.-]{1,80}", re.IGNORECASE
)
_WORD = re.compile(r"(?<![\w@])\.?[^\W_]+")
_SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)\s+(?=[A-ZÀ-Þ0-9•-])")
_PLACED = re.compile(r"\b(?:in|into|with|via|through|using|on|from|to)\s$")
_JOINED = re.compile(
    r"[\s,/|•·&+()-]*(?:(?:and/or|and|or|und|oder|sowie|et|ou|y|e|o)\s+)?[\s(]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SkillMention:
    """A technology or skill: canonical name, category, and where the text names it.

    `quote` is the sentence around it, at most 240 characters, verbatim. `used` is false where every
    mention is of others' use; otherwise this is the first mention that is not.
    """

    name: str
    category: str
    quote: str
    start: int
    end: int
    used: bool


class _Form(NamedTuple):
    text: str
    name: str
    category: str
    exact: bool  # in these letters only
    ordinary: bool  # an ordinary word too
    makers: frozenset[str]  # whose own product it is: keys of names


class _Hit(NamedTuple):
    form: _Form
    start: int
    end: int


def skills_in(text: str, *, own_names: Collection[str] = ()) -> tuple[SkillMention, ...]:
    """The technologies and skills of a text, each once, in the order of their first mention.

    `own_names` are names of the employer: its own products are no technology that it uses.
    """
    text = text[:_MAX_TEXT]
    searched = _ADDRESS.sub(lambda found: " " * len(found[0]), text)
    own = {name_key(name) for name in own_names}
    found: dict[str, SkillMention] = {}
    for form, start, end in _meant(searched, list(_hits(searched))):
        held = found.get(form.name)
        if (held is not None and held.used) or (own and _is_own(form, own)):
            continue
        left, right = _sentence(text, start, end)
        used = _is_used(text[left:start], text[end:right])
        if held is None or used:
            quote = _quote(text, start, end)
            found[form.name] = SkillMention(form.name, form.category, quote, start, end, used)
    return tuple(found.values())


def quote_of(name: str, text: str) -> str | None:
    """The sentence of a text that shows that the employer uses a technology; None where none does.

    As `skills_in` says it, at the cost of the lines alone that may name it: nothing that it heeds lies
    beyond a line.
    """
    product = products().get(name)
    if product is None:
        return None
    words = [form.rstrip("!?").lower() for form in product.forms]
    for line in text[:_MAX_TEXT].split("\n"):
        lower = line.lower()
        if any(word in lower for word in words):
            quote = _quotes_in(line).get(name)
            if quote is not None:
                return quote
    return None


@lru_cache(maxsize=256)
def _quotes_in(line: str) -> dict[str, str]:
    """What a line shows in use, and the sentence of each: several products of a page stand in one line."""
    return {mention.name: mention.quote for mention in skills_in(line) if mention.used}


def _is_own(form: _Form, own: Collection[str]) -> bool:
    return name_key(form.text) in own or any(maker in own for maker in form.makers)


def _hits(text: str) -> Iterator[_Hit]:
    """Every form that stands as a word of its own; of several at one place the longest."""
    forms, lower = _forms(), _lowered(text)
    at_least = 0
    for word in _WORD.finditer(lower):
        start = word.start()
        for form in forms.get(word[0], ()) if start >= at_least else ():
            said = text if form.exact else lower
            end = start + len(form.text)
            if said.startswith(form.text, start) and _ends(text, end):
                at_least = end
                yield _Hit(form, start, end)
                break


def _lowered(text: str) -> str:
    """Text in lower case, letter for letter: "İ" alone would become two."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _ends(text: str, end: int) -> bool:
    after = text[end : end + 2]
    if not after:
        return True
    if after[0].isalnum() or after[0] in "_#@" or after[:2] == "++":
        return False
    # "React.memo" and "node.exe" go on; a full stop at the end of a sentence does not.
    return not (after[0] == "." and len(after) > 1 and after[1].isalnum())


def _meant(text: str, hits: list[_Hit]) -> list[_Hit]:
    """The hits without ordinary words that nothing vouches for: neither the words around them nor another
    of their list, nor a technology of their sentence."""
    meant: list[_Hit] = []
    doubted: list[_Hit] = []
    for listed in _lists(text, hits):
        likely = [hit for hit in listed if not hit.form.ordinary or not _refuses(text, hit)]
        crowd = sum(len(hit.form.text) > 2 for hit in likely) >= _CROWD
        sure = crowd or any(not hit.form.ordinary or _is_told(text, hit) for hit in likely)
        (meant if sure else doubted).extend(likely)
    starts = [hit.start for hit in meant]
    meant += [hit for hit in doubted if _is_placed(text, hit, starts)]
    return sorted(meant, key=lambda hit: hit.start)


def _is_placed(text: str, hit: _Hit, starts: list[int]) -> bool:
    """Whether an ordinary word stands as technologies do, in a sentence in which one of them starts: "plan
    in Anaplan and hire in Greenhouse"."""
    before = text[max(0, hit.start - 12) : hit.start]
    if hit.form.text in _also_names() or not _PLACED.search(before):
        return False
    left, right = _sentence(text, hit.start, hit.end)
    return bisect_left(starts, left) < bisect_left(starts, right)


def _lists(text: str, hits: list[_Hit]) -> list[list[_Hit]]:
    """Hits that a line names one after another ("Java, Go and Spring") together."""
    lists: list[list[_Hit]] = []
    for hit in hits:
        between = text[lists[-1][-1].end : hit.start] if lists else "\n"
        if len(between) <= _NEAR and "\n" not in between and _JOINED.fullmatch(between):
            lists[-1].append(hit)
        else:
            lists.append([hit])
    return lists


def _refuses(text: str, hit: _Hit) -> bool:
    """Whether what stands right beside an ordinary word shows that it is no technology."""
    after, before = text[hit.end : hit.end + 40], text[max(0, hit.start - 20) : hit.start]
    no_tail, no_lead = _context("no_tail", "(?:%s)"), _context("no_lead", "(?:%s)$")
    return no_tail.match(after) is not None or no_lead.search(before) is not None


def _is_told(text: str, hit: _Hit) -> bool:
    """Whether the words around an ordinary word say that it is the technology."""
    form, start, end = hit
    line_start, line_end = _line(text, start, end)
    before = text[max(line_start, start - 80) : start]
    after = text[end : min(line_end, end + 40)]
    if _context("lead", "(?:%s)$").search(before):
        return True
    if _context("tail", r"\s+(?:%s)\b").match(after) and before.strip():
        return True
    left, right = _sentence(text, start, end)
    inside = text[left:start].strip(" -•*·–\t\"'(") or text[line_start:left].rstrip().endswith(";")
    # A capital at the beginning of a sentence tells nothing; one behind a semicolon does.
    vouching = _vouching(form.text) if inside else None
    return vouching is not None and bool(vouching.search(f"{text[left:start]} . {text[end:right]}"))


def _is_used(before: str, after: str) -> bool:
    """Whether nothing around a name says that the company does not use what it names.

    `before` and `after` are the rest of its sentence. Customers, investors, rivals, former employers and
    products that only connect to it are others' use; so are perks, and what is not needed or is retired.
    """
    before, after = before[-_BEFORE:], after[:_AFTER]
    if _context("others_after", r"\s*(?:%s)(?!\w)").match(after):
        return False
    if _context("others_beside", r"\b(?:%s)[\s(]*$").search(before):
        return False
    restarts = [found.start() for found in _context("restart", r"\b(?:%s)\b").finditer(before)]
    others = _context("others_before", r"(?<!\w)(?:%s)(?!\w)")
    return others.search(before, restarts[-1] if restarts else 0) is None


@cache
def _context(name: str, frame: str) -> re.Pattern[str]:
    """The words of one kind in `technology_context.toml`."""
    return re.compile(frame % "|".join(toml_table(_CONTEXT)["context"][name]), re.IGNORECASE)


@cache
def _vouching(form: str) -> re.Pattern[str] | None:
    """The words that go with an ordinary word's product in one sentence."""
    groups: dict[str, str] = toml_table(_CONTEXT)["groups"]
    words: list[str] = toml_table(_CONTEXT)["words"].get(form, [])
    either = "|".join(groups.get(word, word) for word in words)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE) if words else None


@cache
def _also_names() -> frozenset[str]:
    return frozenset(toml_table(_CONTEXT)["also_names"]["words"])


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the lines of a span begin and end."""
    last = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if last < 0 else last


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence of a span begins and ends; never beyond its line nor _MAX_SENTENCE away."""
    line_start, line_end = _line(text, start, end)
    left, right = max(line_start, start - _MAX_SENTENCE), min(line_end, end + _MAX_SENTENCE)
    for cut in _SENTENCE_END.finditer(text, left, right):
        if cut.end() <= start:
            left = cut.end()
        elif cut.end() >= end:
            right = cut.end()
            break
    return left, right


def _quote(text: str, start: int, end: int) -> str:
    """The sentence of a span, or as much of it as fits, cut between words."""
    left, right = _sentence(text, start, end)
    if right - left > _MAX_QUOTE:
        half = (_MAX_QUOTE - (end - start)) // 2
        if start - left > half:
            left = text.find(" ", start - half, start) + 1 or start
        if right - end > half:
            space = text.rfind(" ", end, end + half)
            right = space if space > 0 else end
    return text[left:right].strip()


@cache
def _forms() -> dict[str, list[_Form]]:
    """Forms by the letters and digits that they begin with, longest first."""
    table: dict[str, list[_Form]] = {}
    for made in sorted(_named(), key=lambda form: len(form.text), reverse=True):
        found = _WORD.match(made.text.lower())
        table.setdefault(found[0] if found else made.text, []).append(made)
    return table


def _named() -> Iterator[_Form]:
    """Every form of every product and skill."""
    open_to_all = frozenset(toml_table(_CONTEXT)["own_products"]["counted"])
    for product in products().values():
        makers = {name_key(product.name)}
        if product.category not in open_to_all:
            makers.add(name_key(product.vendor))
        for form in product.forms:
            yield _form(form, product.name, product.category, frozenset(makers))
    for category, entries in toml_table("skills.toml").items():
        for entry in entries:
            name = entry.partition("|")[0].rstrip("?!")
            for form in entry.split("|"):
                yield _form(form, name, category, frozenset())
    for name, forms in toml_table("crafts.toml")["crafts"].items():
        for form in forms:
            yield _form(form, name, CRAFT, frozenset())


def _form(marked: str, name: str, category: str, makers: frozenset[str]) -> _Form:
    exact, word = marked[-1] in "?!", marked.rstrip("?!")
    return _Form(word if exact else word.lower(), name, category, exact, marked[-1] == "?", makers)
