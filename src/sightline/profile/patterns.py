"""Long lists of words as one pattern, searched by RE2: sentences are asked for them by the thousand.

An alternation of a hundred phrases costs Python's own engine a try of each at every character.
"""

import re
from typing import Protocol

import re2

_MEMORY = 16 << 20  # bytes of an automaton


class Words(Protocol):
    """What can be looked for in a text."""

    def search(self, text: str, /) -> object | None:
        """Something when it occurs, else None."""


def words(pattern: str, *, ignore_case: bool = True) -> Words:
    """A pattern without looking ahead or back; `\\b` parts ASCII words."""
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.max_mem = _MEMORY
    made: Words = re2.compile(pattern, options)
    return made


def words_if_plain(pattern: re.Pattern[str]) -> Words:
    """The same pattern in RE2; itself where it looks ahead or back."""
    options = re2.Options()
    options.case_sensitive = not pattern.flags & re.IGNORECASE
    options.max_mem = _MEMORY
    options.log_errors = False
    try:
        made: Words = re2.compile(pattern.pattern, options)
    except re2.error:
        return pattern
    return made
