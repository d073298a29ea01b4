"""Technologies and skills named in a job description, each with the words that name it.

Precise first: a name that is an ordinary word as well ("Go", "R", "Spring", "Excel", "Outreach") counts
only in its own letters and only where the text speaks of technology. What a text says the employer's
customers, rivals or investments use is kept apart from what it uses itself.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter

from sightline.domain.names import name_key
from sightline.domain.tables import toml_table
from sightline.domain.technologies import products

_MAX_TEXT = 100_000
_MAX_QUOTE = 240
_MAX_SENTENCE = 400
"""Characters of a sentence that are heeded on either side of a name."""
_NEAR = 60
"""Characters on either side in which another technology vouches for an ordinary word."""
_CHAIN = 12
"""Most ordinary words in a row that one technology at the end of their list vouches for."""
_CROWD = 3
"""Ordinary words with capitals, listed one after another, that vouch for each other."""

_BEFORE = 240
"""Characters before a name in which a sentence may say that someone else uses it."""
_AFTER = 60

_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,80}\.[\w.-]{1,80}", re.IGNORECASE
)
_WORD_START = re.compile(r"(?<![\w@])[\w.]", re.UNICODE)
_FIRST_RUN = re.compile(r"\.?\w+")
_SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)\s+(?=[A-ZÀ-Þ0-9•-])")
_PLACED = re.compile(r"\b(?:in|into|with|via|through|using|on|from|to)\s$")
_JOINED = re.compile(
    r"^[\s,/|•·&+()-]*(?:(?:and/or|and|or|und|oder|sowie|et|ou|y|e|o)\s+)?[\s(]*$", re.IGNORECASE
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


@dataclass(frozen=True, slots=True)
class _Form:
    text: str
    lower: str
    name: str
    category: str
    exact: bool  # in these letters only
    ordinary: bool  # an ordinary word too
    makers: frozenset[str]  # whose own product it is: keys of names


_Hit = tuple[_Form, int, int]


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


def _meant(text: str, hits: list[_Hit]) -> list[_Hit]:
    """The hits without ordinary words that nothing vouches for; a word that counts vouches in turn."""
    meant = [not form.ordinary or _is_told(text, form, start, end) for form, start, end in hits]
    _vouch_in_crowds(text, hits, meant)
    for _ in range(_CHAIN):
        vouching = [hit for hit, counts in zip(hits, meant, strict=True) if counts]
        again = [
            counts or _stands_beside(text, form, start, end, vouching)
            for (form, start, end), counts in zip(hits, meant, strict=True)
        ]
        if again == meant:
            break
        meant = again
    return [hit for hit, counts in zip(hits, meant, strict=True) if counts]


def _vouch_in_crowds(text: str, hits: list[_Hit], meant: list[bool]) -> None:
    """Mark ordinary words that stand listed in a row ("Slack, Notion and Linear"), letters excepted."""
    row: list[int] = []
    for index, (form, start, end) in enumerate(hits):
        between = text[hits[row[-1]][2] : start] if row else ""
        beside = row and "\n" not in between and _JOINED.match(between)
        row = [*row, index] if beside else [index]
        if len(form.text) < 3 or _refuses(text, start, end):
            row = []
        elif len(row) >= _CROWD:
            for each in row:
                meant[each] = True


def _hits(text: str) -> Iterator[_Hit]:
    """Every form that stands as a word of its own; of several at one place the longest."""
    forms, lower = _forms(), _lowered(text)
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


def _lowered(text: str) -> str:
    """Text in lower case, letter for letter: "İ" alone would become two."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _matches(form: _Form, text: str, lower: str, start: int) -> bool:
    return text.startswith(form.text, start) if form.exact else lower.startswith(form.lower, start)


def _ends(text: str, end: int) -> bool:
    after = text[end : end + 2]
    if not after:
        return True
    if after[0].isalnum() or after[0] in "_#@" or after[:2] == "++":
        return False
    # "React.memo" and "node.exe" go on; a full stop at the end of a sentence does not.
    return not (after[0] == "." and len(after) > 1 and after[1].isalnum())


@cache
def _beside(name: str, frame: str) -> re.Pattern[str]:
    """What may stand beside an ordinary word, as `technology_context.toml` has it."""
    alternatives = "|".join(toml_table("technology_context.toml")["beside"][name])
    return re.compile(frame % alternatives, re.IGNORECASE)


def _refuses(text: str, start: int, end: int) -> bool:
    """Whether what stands right beside an ordinary word shows that it is no technology."""
    return bool(
        _beside("no_tail", "(?:%s)").match(text[end : end + 40])
        or _beside("no_lead", "(?:%s)$").search(text[max(0, start - 20) : start])
    )


def _is_told(text: str, form: _Form, start: int, end: int) -> bool:
    """Whether the words around an ordinary word say that it is the technology."""
    line_start, line_end = _line(text, start, end)
    before = text[max(line_start, start - 80) : start]
    after = text[end : min(line_end, end + 40)]
    if _refuses(text, start, end):
        return False
    if _beside("lead", "(?:%s)$").search(before):
        return True
    if _beside("tail", r"\s+(?:%s)\b").match(after) and before.strip():
        return True
    left, right = _sentence(text, start, end)
    inside = text[left:start].strip(" -•*·–\t\"'(") or text[line_start:left].rstrip().endswith(";")
    # A capital at the beginning of a sentence tells nothing; one behind a semicolon does.
    return bool(inside) and _vouches(form.text, f"{text[left:start]} . {text[end:right]}")


def _stands_beside(text: str, form: _Form, start: int, end: int, others: list[_Hit]) -> bool:
    """Whether an ordinary word is listed beside a technology, or placed as one is in its sentence: "plan in
    Anaplan and hire in Greenhouse"."""
    if _refuses(text, start, end):
        return False
    placed = form.text not in _also_names() and _PLACED.search(text[max(0, start - 12) : start])
    left, right = _sentence(text, start, end) if placed else (start, end)
    line_start, line_end = _line(text, start, end)
    # The nearest few: `others` stand in the text's order.
    place = bisect_left(others, start, key=itemgetter(1))
    for _, other_start, other_end in others[max(0, place - 2) : place + 3]:
        if left <= other_start < right and other_start != start:
            return True
        # The earlier of the two ends where the gap begins, the later one begins where it ends.
        gap, after = (other_end, start) if other_start < start else (end, other_start)
        near = line_start <= other_start and 0 <= after - gap <= _NEAR and after < line_end
        if near and _JOINED.match(text[gap:after]):
            return True
    return False


def _vouches(form: str, sentence: str) -> bool:
    """Whether the words that go with an ordinary word's product stand in its sentence."""
    pattern = _vouching().get(form)
    return pattern is not None and pattern.search(sentence) is not None


def _is_used(before: str, after: str) -> bool:
    """Whether nothing around a name says that the company does not use what it names.

    `before` and `after` are the rest of its sentence. Customers, investors, rivals, former employers and
    products that only connect to it are others' use; so are perks, and what is not needed or is retired.
    """
    before, after = before[-_BEFORE:], after[:_AFTER]
    adjacent, others, restart, following = _not_used()
    if following.match(after) or adjacent.search(before):
        return False
    restarts = [found.start() for found in restart.finditer(before)]
    return others.search(before, restarts[-1] if restarts else 0) is None


@cache
def _vouching() -> dict[str, re.Pattern[str]]:
    table = toml_table("technology_context.toml")
    groups: dict[str, str] = table["groups"]
    return {
        form: _any_of(groups.get(word, word) for word in words)
        for form, words in table["words"].items()
    }


@cache
def _not_used() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    rules = toml_table("technology_context.toml")["not_used"]
    return (
        re.compile(rf"\b(?:{'|'.join(rules['adjacent'])})[\s(]*$", re.IGNORECASE),
        _any_of(rules["before"]),
        re.compile(rf"\b{rules['restart']}\b", re.IGNORECASE),
        re.compile(rf"\s*(?:{'|'.join(rules['after'])})(?!\w)", re.IGNORECASE),
    )


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


@cache
def _also_names() -> frozenset[str]:
    return frozenset(toml_table("technology_context.toml")["also_names"]["words"])


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


def _key(run: str) -> str:
    """The letters and digits that a word begins with; forms are found by them."""
    found = re.match(r"\.?[^\W_]+", run)
    return found[0].lower() if found else run


@cache
def _forms() -> dict[str, tuple[_Form, ...]]:
    """Forms by the run of letters that they begin with, longest first."""
    table: dict[str, list[_Form]] = {}
    for name, category, forms, makers in _named():
        for form in forms:
            word = form.rstrip("?!")
            made = _Form(
                word, word.lower(), name, category, form[-1] in "?!", form[-1] == "?", makers
            )
            table.setdefault(_key(word), []).append(made)
    return {
        key: tuple(sorted(forms, key=lambda form: len(form.text), reverse=True))
        for key, forms in table.items()
    }


def _named() -> Iterator[tuple[str, str, tuple[str, ...], frozenset[str]]]:
    """Every product and skill: name, category, forms, whose own product it is."""
    open_to_all = frozenset(toml_table("technology_context.toml")["own_products"]["counted"])
    for product in products().values():
        makers = {name_key(product.name)}
        if product.category not in open_to_all:
            makers.add(name_key(product.vendor))
        yield product.name, product.category, product.forms, frozenset(makers)
    for category, entries in toml_table("skills.toml").items():
        for entry in entries:
            forms = tuple(entry.split("|"))
            yield forms[0].rstrip("?!"), category, forms, frozenset()
