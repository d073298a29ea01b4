"""Whether a sentence means a technology by an ordinary word, and whether the company itself uses it.

Both follow from `technology_context.toml`; nothing beyond the sentence of a name is looked at.
"""

import re
from collections.abc import Iterable
from functools import cache

from sightline.domain.tables import toml_table

_BEFORE = 240
"""Characters before a name in which a sentence may say that someone else uses it."""
_AFTER = 60


def vouches(form: str, sentence: str) -> bool:
    """Whether the words that go with an ordinary word's product stand in its sentence."""
    pattern = _vouching().get(form)
    return pattern is not None and pattern.search(sentence) is not None


def is_used(before: str, after: str) -> bool:
    """Whether nothing around a name says that the company does not use what it names.

    `before` and `after` are the rest of its sentence. Customers, investors, rivals, former employers and
    products that only connect to it are others' use; so are perks, and what is not needed or is retired.
    """
    before, after = before[-_BEFORE:], after[:_AFTER]
    adjacent, others, restart, following = _rules()
    if following.match(after) or adjacent.search(before):
        return False
    restarts = [found.start() for found in restart.finditer(before)]
    return others.search(before, restarts[-1] if restarts else 0) is None


@cache
def _vouching() -> dict[str, re.Pattern[str]]:
    table = toml_table("technology_context.toml")
    groups: dict[str, str] = table["groups"]
    return {
        form: _words(groups.get(word, word) for word in words)
        for form, words in table["words"].items()
    }


@cache
def _rules() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    rules = toml_table("technology_context.toml")["not_used"]
    return (
        re.compile(rf"\b(?:{'|'.join(rules['adjacent'])})[\s(]*$", re.IGNORECASE),
        _words(rules["before"]),
        re.compile(rf"\b{rules['restart']}\b", re.IGNORECASE),
        re.compile(rf"\s*(?:{'|'.join(rules['after'])})(?!\w)", re.IGNORECASE),
    )


def _words(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)
