"""The numbered items of each form, in order, with the words of their titles."""

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

ANNUAL_FORMS: Final = frozenset("10-K 10-K405 10-KSB 10-KT 10-KSB40 20-F 40-F".split())


@dataclass(frozen=True, slots=True)
class ItemKind:
    """An item of a form. `item` is how it is named here: "1A", in quarterly reports "part2item1a", in
    current reports "5.02". `words` are stems of which its title has some, in any order; `alone` is
    the whole title as some filers print it, without a number."""

    item: str
    label: str
    part: int
    title: str
    words: tuple[frozenset[str], ...]
    alone: re.Pattern[str] | None = None


@lru_cache(maxsize=16)
def items_of(family: str) -> tuple[ItemKind, ...]:
    """The items of a form family (`family_of`) in their order; none for a form without items."""
    table = files("sightline.sources.sec_edgar").joinpath("items.tsv").read_text("utf-8")
    kinds = []
    for row in table.splitlines():
        name, item, part, title, words, pattern = row.split("\t")
        if name != family:
            continue
        kinds.append(
            ItemKind(
                item,
                item.partition("item")[2].upper() or item,
                int(part),
                title,
                tuple(frozenset(each.split()) for each in words.split("; ")),
                re.compile(f"(?:{pattern})", re.I) if pattern else None,
            )
        )
    return tuple(kinds)


@lru_cache(maxsize=1)
def _titles() -> re.Pattern[str]:
    kinds = {
        kind.alone.pattern
        for name in ("10-K", "10-Q", "20-F")
        for kind in items_of(name)
        if kind.alone
    }
    return re.compile("|".join(sorted(kinds)), re.I)


def is_item_title(text: str) -> bool:
    """Whether a line is the whole title of an item of a periodic report, without its number."""
    return _titles().fullmatch(text.strip(" .:;–—-")) is not None


_FAMILIES: Final = (
    ("10KSB", "10-KSB"),
    ("10K", "10-K"),
    ("10Q", "10-Q"),
    ("20F", "20-F"),
    ("8K", "8-K"),
)


def family_of(form: str) -> str | None:
    """The family whose items a form has: "10-K405/A" is a 10-K; None for a form without items."""
    spelled = form.upper().replace("-", "")
    return next((family for start, family in _FAMILIES if spelled.startswith(start)), None)
