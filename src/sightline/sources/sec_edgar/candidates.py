"""Lines that may be an item's heading, scored by their evidence."""

import re
from dataclasses import dataclass, field
from typing import Final

from sightline.sources.sec_edgar.forms import ItemKind
from sightline.sources.sec_edgar.text import CELL, EMPHASIS, DocumentText, Line

_NUMBER = (
    r"(?:(?P<code>\d{1,2}\.\d{2}|\d\s?\.\s?0\d)"
    r"|(?P<number>\d{1,2})(?:\s?[-–.]?\(?(?P<letter>[A-K])\)?(?=[\s.:)(,–—-]|$)"
    r"|\s(?P<apart>[A-K])(?=[.:]))?)(?![\w%])"
)
_ITEM = re.compile(
    r"^[^\w]{0,4}(?:part\s+(?P<part>IV|I{1,3}|[1-4])\b[\s.,:;–—-]*)?"
    r"items?\s*(?:no\.?\s*|number\s*)?[.:#]?\s*" + _NUMBER + r"(?:\s*\(T\))?",
    re.I,
)
_BARE = re.compile(r"^(?P<number>\d{1,2})(?P<letter>[A-K])?\s?[.)]?\s+(?=[A-Z])")
_MORE = re.compile(
    r"\s*(?P<join>[.,]?\s*(?:and|&)|,|/|through|thru|to|[-–—](?=\s?\d))\s*(?:items?\s*)?"
    r"(?:(?P<code>\d\.\d{2})|(?P<number>\d{1,2})(?P<letter>[A-K])?)(?![\w%]|\.\d)",
    re.I,
)
_JOINED = re.compile(r"item|and|[&/]", re.I)
_TITLE_BEGINS = re.compile(r"^[\s.:;|)\]–—-]*")
_PAGES = re.compile(
    r"(?:[\s|.…]*\b(?:pages?|pp?\.)?\s*(?:[A-Z]-)?\d{1,3}(?:\s*(?:[-–—,&]|and|to)\s*(?:[A-Z]-)?\d{1,3})*"
    r"\s*(?:\([a-z]\))?|\s*\|\s*(?:n/?a|\*+|[-–—]|[ivx]+|\([a-z0-9]\)))$",
    re.I,
)
_NO_PAGE = re.compile(
    r"(?:\s\|?)\s*(?:none|not applicable|n/a|omitted|\(?[a-z]\)|\*+)\s*(?:\(\w\))?\.?$", re.I
)
"""What an index has instead of a page."""
NOWHERE = re.compile(r"none|not applicable|n/?a|omitted|reserved", re.I)
PART = re.compile(
    r"^\W{0,3}part\s+(?P<part>IV|I{1,3}|[1-4])\b(?P<rest>[\s.,:;|–—-]*[^.;]{0,60})[.\s]*$", re.I
)
_LETTERS: Final = "ABCDEFGHIJK"
_MOST: Final = 10_000  # of a real filing there are some hundreds
_TITLE_LOOKAHEAD: Final = 3
_ALONE_LENGTH: Final = 160


@dataclass(slots=True)
class Candidate:
    """A line that may head the items `ranks` (their places in the form). `weight` is how much speaks
    for it; `title` what stands behind the number; `pages` what follows the title in a contents table."""

    line: int
    ranks: tuple[int, ...]
    weight: float
    title: str = ""
    pages: str = ""
    numbered: bool = True
    contents: bool = False
    targets: tuple[str, ...] = field(default=())

    @property
    def names_page(self) -> bool:
        """Whether a page stands behind the title, and not "None" alone."""
        return bool(self.pages) and not NOWHERE.fullmatch(self.pages.strip(" |."))


def heading_text(line: Line) -> str:
    """The line without cell borders."""
    return line.text.replace(CELL, " ")


def find_candidates(document: DocumentText, kinds: tuple[ItemKind, ...]) -> list[Candidate]:
    """Every line that begins like an item heading, or is the title of one alone, in order."""
    found: list[Candidate] = []
    part = 0
    by_label = _ranks_by_label(kinds)
    several = len(by_label) < len(kinds)
    titles = _titles(kinds)
    for index, line in enumerate(document.lines):
        first = line.text[:40].lower()
        if "item" in first:
            found += _numbered(document, index, kinds, by_label=by_label, part=part)
        if several and "part" in first:
            named, is_heading = _part_named(line.text)
            part = named or part
            if is_heading:
                continue
        if len(line.text) <= _ALONE_LENGTH and "item" not in first[:8] and titles.match(line.text):
            found += _alone(line, index, kinds, part=part)
    return found[:_MOST]


def _titles(kinds: tuple[ItemKind, ...]) -> re.Pattern[str]:
    """What a line begins with that is an item's whole title, with its number or without."""
    whole = "|".join(kind.alone.pattern for kind in kinds if kind.alone)
    return re.compile(rf"^\W*(?:\d{{1,2}}[A-K]?\W+)?(?:{whole})", re.I)


def _part_named(text: str) -> tuple[int, bool]:
    """The part that a line names (0: none), and whether it is the part's own heading."""
    heading, opening = PART.match(text), _ITEM.match(text)
    found = heading or opening
    return _part_number(found["part"] if found else None), heading is not None


def _ranks_by_label(kinds: tuple[ItemKind, ...]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for rank, kind in enumerate(kinds):
        found.setdefault(kind.label, []).append(rank)
    return found


def _numbered(
    document: DocumentText,
    index: int,
    kinds: tuple[ItemKind, ...],
    *,
    by_label: dict[str, list[int]],
    part: int,
) -> list[Candidate]:
    line = document.lines[index]
    text = heading_text(line)
    match = _ITEM.match(text)
    if match is None:
        return []
    labels, end = _labels(match, text, by_label)
    if not labels:
        return []
    rest = text[end:]
    rest = _TITLE_BEGINS.sub("", rest, count=1)
    again = _ITEM.match(rest)  # a numbered list of headings that have their numbers too
    if again is not None and _labels(again, rest, by_label)[0] == labels:
        rest = _TITLE_BEGINS.sub("", rest[again.end() :], count=1)
    rest, pages = _without_pages(rest, line)
    stated = _part_number(match["part"])
    looks = _style_weight(line, end, text)
    candidates = []
    for ranks in _rank_choices(labels, by_label, kinds):
        kind = kinds[ranks[0]]
        if stated and len(by_label[labels[0]]) > 1 and kind.part != stated:
            continue
        weight, title = _weigh(document, index, rest, kinds=[kinds[rank] for rank in ranks])
        weight += looks + _part_weight(kind, stated or part)
        candidates.append(Candidate(index, ranks, weight, title, pages, targets=line.targets))
    return candidates


def _part_weight(kind: ItemKind, part: int) -> float:
    """What the part that a heading stands in says for it; 0 where there are none."""
    return (0.8 if kind.part == part else -0.8) if part else 0.0


def _labels(
    match: re.Match[str], text: str, by_label: dict[str, list[int]]
) -> tuple[list[str], int]:
    """The item labels that a heading names ("1", "1A", "1.01"), and where the title may begin."""
    end = match.end()
    if code := (match["code"] or "").replace(" ", ""):
        # "Item 1.10" is not of this form; "Item 7.01" in one that has Item 7 is not either.
        labels = [code] if code in by_label else []
        while labels and (more := _MORE.match(text, end)) and more["code"] in by_label:
            labels.append(more["code"])
            end = more.end()
        return labels, end
    letter = (match["letter"] or match["apart"] or "").upper()
    label = str(int(match["number"])) + letter
    if label not in by_label:
        return [], end
    plural = text[: match.start("number")].lower().rstrip(" .:#").endswith("items")
    return _further_labels(text, end, label, by_label, plural=plural)


def _further_labels(
    text: str, end: int, first: str, by_label: dict[str, list[int]], *, plural: bool
) -> tuple[list[str], int]:
    """The labels of "Items 1, 2 and 3" or "Items 1 through 3" behind the first one."""
    labels = [first]
    while (more := _MORE.match(text, end)) and more["number"]:
        label = str(int(more["number"])) + (more["letter"] or "").upper()
        if label not in by_label or not (plural or _JOINED.search(more[0])):
            break
        if more["join"].strip(" .,").lower() in ("through", "thru", "to", "-", "–", "—"):
            between = map(str, range(int(labels[-1].rstrip(_LETTERS)) + 1, int(more["number"])))
            labels.extend(each for each in between if each in by_label)
        if label in labels:
            break
        labels.append(label)
        end = more.end()
    return labels, end


def _rank_choices(
    labels: list[str], by_label: dict[str, list[int]], kinds: tuple[ItemKind, ...]
) -> list[tuple[int, ...]]:
    """The ranks that the labels can mean: "Item 1" of a quarterly report is of Part I or II."""
    choices = []
    for rank in by_label[labels[0]]:
        part = kinds[rank].part
        ranks = [rank]
        for label in labels[1:]:
            same = [each for each in by_label[label] if kinds[each].part == part]
            ranks.extend(same or by_label[label][:1])
        choices.append(tuple(sorted(set(ranks))))
    return choices


def _weigh(
    document: DocumentText, index: int, rest: str, *, kinds: list[ItemKind]
) -> tuple[float, str]:
    """Weight and title, from the text after the number or, where none is, from the lines below."""
    if rest:
        if has_title_words(rest[:160], kinds):
            return 3.0, rest
        if rest[:1].islower():
            return -3.0, rest
        return (0.1 if len(rest) < 120 else -1.0), rest
    lines = document.lines
    for below in lines[index + 1 : index + 1 + _TITLE_LOOKAHEAD]:
        text = heading_text(below)
        if _ITEM.match(text):
            break
        if len(text) < 200 and has_title_words(text, kinds):
            return 2.8, text
        if len(text) > 60:
            break
    return 0.6, ""


def has_title_words(text: str, kinds: list[ItemKind]) -> bool:
    """Whether the text has all words of one of the titles' word sets."""
    words = re.findall(r"[a-z0-9-]+(?:['’]s)?", text.lower())
    bag = set(words) | {word.removesuffix("s") for word in words} | {word[:-2] for word in words}
    joined = "".join(words)
    return any(
        all(word in bag or (len(word) > 7 and word in joined) for word in wanted)
        for kind in kinds
        for wanted in kind.words
    )


def _style_weight(line: Line, end: int, text: str) -> float:
    weight = 0.0
    if line.style & EMPHASIS or line.lead >= min(end, 5):
        weight += 1.0
    if text.isupper():
        weight += 0.8
    elif text[:4].isupper():
        weight += 0.4
    return weight


def _alone(line: Line, index: int, kinds: tuple[ItemKind, ...], *, part: int) -> list[Candidate]:
    """A heading that is an item's whole title, with a bare number ("1A. Risk Factors") or none."""
    text = heading_text(line).strip(" .:;–—-")
    bare = _BARE.match(text)
    title = text[bare.end() :] if bare else text
    title, pages = _without_pages(title, line)
    heading = bool(line.style) or title.isupper() or (not line.row and line.lead == len(text))
    if len(title) < 8 or not (heading or bare or pages):
        return []
    numbered = bare is not None
    weight = 0.5 + 0.7 * heading + 0.6 * numbered + 0.2 * title.isupper()
    return [
        Candidate(index, (rank,), weight + _part_weight(kind, part), title, pages, numbered,
                  targets=line.targets)
        for rank, kind in enumerate(kinds)
        if _is_whole_title(title, kind, bare)
    ]  # fmt: skip


def _is_whole_title(title: str, kind: ItemKind, number: re.Match[str] | None) -> bool:
    if number is not None and number["number"] + (number["letter"] or "") != kind.label:
        return False
    if kind.alone is not None and kind.alone.fullmatch(title):
        return True
    return number is not None and has_title_words(title, [kind])


def _without_pages(title: str, line: Line) -> tuple[str, str]:
    """Title and page numbers apart; figures in running text are left alone."""
    if len(title) > 260:
        return title, ""
    if line.row and (found := _NO_PAGE.search(title)):
        before, more = _without_pages(title[: found.start()], line)
        return before, f"{more} {found[0].strip(' |')}".strip()
    found = _PAGES.search(title)
    if found is None:
        return title, ""
    pages = found[0].strip(" |.…")
    if not (line.row or ".." in found[0] or line.targets):
        before = title[: -len(pages)].rstrip()
        if before.lower().endswith(("form 10", "form", "section", "note", "part", "item")):
            return title, ""
    return title[: -len(pages)].rstrip(" .…|"), pages


def _part_number(numeral: str | None) -> int:
    if not numeral:
        return 0
    return {"I": 1, "II": 2, "III": 3, "IV": 4}.get(numeral.upper(), 0) or int(
        numeral if numeral.isdecimal() else 0
    )
