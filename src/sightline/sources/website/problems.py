"""Pages served in place of the requested one: parked domains, walls, default pages, soft errors.

Each rule names its reason. A long page with much to say is none of these, whatever words are in it.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sightline.sources.website.document import Page, read_table

Problem = Literal[
    "parked", "for_sale", "default_server_page", "suspended", "coming_soon", "bot_wall", "access_denied",
    "login_wall", "soft_404", "maintenance", "needs_script", "empty",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageProblem:
    """What is wrong with a page, and the words or mark that showed it."""

    kind: Problem
    reason: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """A row of `problems.toml`. A wall is short: a page of more than `most` characters is none."""

    kind: Problem
    pattern: re.Pattern[str]
    most: int = 0
    name: str = ""


_MARK_LIMIT = 2500
_HEAD = 3000
_WITHOUT_SCRIPT = frozenset({"needs_script", "bot_wall"})


def page_problem(page: Page) -> PageProblem | None:
    """What stands in the place of the page; None for an ordinary page."""
    visible = "\n".join(line.text for line in page.lines)
    size = len(visible)
    return _marked(page, size) or _stated(page, visible) or _without_content(page, size)


@cache
def _rules(table: str, key: str) -> tuple[_Rule, ...]:
    flags = re.IGNORECASE | re.DOTALL
    return tuple(
        _Rule(pattern=re.compile("|".join(row.pop(key)), flags), **row)
        for row in read_table("problems.toml")[table]
    )


def _marked(page: Page, size: int) -> PageProblem | None:
    """A wall or parking service, by what its makers leave in the source of a short page."""
    source = page.html[:300_000] if size <= _MARK_LIMIT else ""
    for rule in _rules("mark", "has"):
        if rule.pattern.search(source):
            return PageProblem(rule.kind, f"The page is {rule.name}.")
    return None


def _stated(page: Page, visible: str) -> PageProblem | None:
    """What title, headline and, of a short page, the words for readers without scripts say."""
    title = " ".join(next((e.text_content() for e in page.tree.iter("title")), "").split())[:300]
    size = len(visible)
    noscript = ""
    if size < 400:
        noscript = "\n".join(e.text_content() for e in list(page.tree.iter("noscript"))[:5])[:1000]
    for rule in _rules("rule", "says"):
        # Title and headline carry the message; further down, only a short page is one.
        texts = (title, visible[:_HEAD], noscript if rule.kind in _WITHOUT_SCRIPT else "")
        for text in texts if size <= rule.most else ():
            found = rule.pattern.search(text)
            if found and _serious(rule.kind, text, title, size):
                return PageProblem(rule.kind, f"It says “{' '.join(found[0].split())[:80]}”.")
    return None


def _without_content(page: Page, size: int) -> PageProblem | None:
    """A page that asks for a password or shows nothing."""
    if size < 600 and page.tree.xpath("boolean(//input[@type='password'])"):
        return PageProblem("login_wall", "It asks for a password and shows little else.")
    if size >= 20 or page.pictures:
        return None
    if len(page.inline_scripts) + len(page.resources) > 2:
        return PageProblem("needs_script", "Nothing is shown without scripts.")
    return PageProblem("empty", "The page shows no text.")


def _serious(kind: Problem, text: str, title: str, size: int) -> bool:
    """Words that ordinary pages hold too count only on pages with little else."""
    if kind in {"coming_soon", "maintenance", "soft_404", "parked", "for_sale"}:
        return text == title or size < 500 or kind in {"parked", "for_sale"}
    return True
