"""Whether two spellings of a name at one company are the same person.

"Tim Cook", "Timothy D. Cook" and "COOK TIMOTHY D" are. Relatives are not: another generation ("Jr.",
"Sr.") or another middle initial tells a father from his son, another given name brothers and sisters.
Where nothing tells two people apart, an evidence that names both must; see `group_people`.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter

from sightline.domain.casing import is_all_caps
from sightline.domain.contacts import read_name
from sightline.domain.names import fold
from sightline.domain.tables import toml_table

# Endings that make another name of a name: Paul and Paula, Ann and Anne, Carl and Carlos.
_OTHER_NAME = frozenset(
    {"a", "e", "i", "o", "y", "ie", "ia", "os", "us", "ina", "ine", "etta", "ette"}
)
_SHORTEST_START = 3
_ASIDE = re.compile(r"[(\[\"“‘]\s*([^\W\d_][\w.'’-]{1,13})\s*[)\]\"”’]")
_SEVERAL = re.compile(r"\s(?:and|&)\s|[;/]")
_INITIALS = 3  # letters that may stand for as many names: "JB", "J.P.", "JRR"


@dataclass(frozen=True, slots=True)
class _Read:
    """A name taken apart, folded. `aliases` are nicknames that it says itself: Robert "Bob" Quill."""

    given: tuple[str, ...]
    family: str
    generation: str
    aliases: tuple[str, ...] = ()


def same_person(left: str, right: str) -> bool:
    """Whether two names can be one person's and nothing in them speaks against it.

    An initial stands for a name only beside a full name, or beside a second initial: "J. Quill" may
    be James or John, "J. R. Quill" and "James Robert Quill" are one.
    """
    if left == right:
        return True
    return any(_is_same(one, other) for one in _readings(left) for other in _readings(right))


def group_people(
    names: Sequence[tuple[str, Hashable]], *, titles: Sequence[str | None] = ()
) -> list[list[int]]:
    """The places of names in groups of one person each, in order of their first.

    Each name comes with what said it. Two that one document tells apart by a "Jr." and by their titles
    are two; a name that several people answer to joins the one of the same title, or stands for itself.
    """
    known = titles or [None] * len(names)
    named = [
        _Named(name, said, frozenset(fold(title or "").split()))
        for (name, said), title in zip(names, known, strict=True)
    ]
    groups: list[list[int]] = []
    # The fullest names first, so that "John Quill" meets both "John H." and "John R. Quill".
    order = sorted(range(len(names)), key=lambda n: (-_fullness(names[n][0]), n))
    for place in order:
        fits = [group for group in groups if _joins(named[place], group, named)]
        if len(fits) > 1 and (title := known[place]):
            fits = [group for group in fits if title in [known[at] for at in group]] or fits
        if len(fits) == 1:
            fits[0].append(place)
        else:
            groups.append([place])
    return sorted(map(sorted, groups), key=itemgetter(0))


@dataclass(frozen=True, slots=True)
class _Named:
    """A name, what said it, and the words of the title beside it."""

    name: str
    said: Hashable
    title: frozenset[str]


def _joins(one: _Named, group: Sequence[int], named: Sequence[_Named]) -> bool:
    return all(_go_together(one, named[place]) for place in group)


def _go_together(one: _Named, other: _Named) -> bool:
    if not same_person(one.name, other.name):
        return False
    if one.said != other.said or _generation(one.name) == _generation(other.name):
        return True
    return one.title <= other.title or other.title <= one.title


def _fullness(name: str) -> int:
    read = _readings(name)
    if not read:
        return 0
    return len(read[0].given) * 2 + bool(read[0].generation) * 2


def _generation(name: str) -> str:
    return next((read.generation for read in _readings(name)), "")


@lru_cache(maxsize=16_384)
def _readings(name: str) -> tuple[_Read, ...]:
    """The name, and its other order where the last name may stand first; () for what names no one
    or several people."""
    if _SEVERAL.search(name):
        return ()
    aliases = tuple(fold(found[1]) for found in _ASIDE.finditer(name))
    read = read_name(name)
    words = (*_words(read.given), *_words(read.family)) or tuple(_words(read.full))
    if len(words) < 2:
        return tuple(_Read((), word, read.generation, aliases) for word in words)
    family = len(_words(read.family)) or 1
    ordered = _Read(words[:-family], " ".join(words[-family:]), read.generation, aliases)
    turned = _Read(words[1:], words[0], read.generation, aliases)
    if len(words) > 2 and len(words[-1]) == 1:  # no family name is one letter: "QUILL ADA M"
        return (turned,)
    return (ordered, turned) if is_all_caps(name) and "," not in name else (ordered,)


def _words(text: str) -> list[str]:
    """Folded words; initials written together come apart: "J.P.", "JB"."""
    found: list[str] = []
    for word in text.split():
        bare = word.replace(".", "")
        together = word.count(".") > 1 or (bare.isupper() and not _has_vowel(bare))
        if together and 1 < len(bare) <= _INITIALS and bare.isalpha():
            found += [fold(letter) for letter in bare]
        else:
            found += fold(word).split()
    return found


def _has_vowel(word: str) -> bool:
    return any(letter in "AEIOUY" for letter in word)


def _is_same(one: _Read, other: _Read) -> bool:
    if _last(one.family) != _last(other.family):
        return False
    if one.generation and other.generation and one.generation != other.generation:
        return False
    if not one.given or not other.given:
        return one.given == other.given
    short, long = sorted((one, other), key=lambda read: len(read.given))
    return _fits(short.given, long.given) or any(
        _same_given(alias, name)
        for read, against in ((one, other), (other, one))
        for alias in read.aliases
        for name in against.given[:1]
    )


def _last(family: str) -> str:
    return family.rpartition(" ")[2]


def _fits(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether every given name of the shorter is one of the longer, in order; proven by one in full,
    or by two initials."""
    at, full, initials = 0, 0, 0
    for name in short:
        while at < len(long) and not _same_given(name, long[at]):
            at += 1
        if at == len(long):
            return False
        if min(len(name), len(long[at])) > 1:
            full += 1
        else:
            initials += 1
        at += 1
    return full > 0 or (initials > 1 and len(short) == len(long))


@lru_cache(maxsize=65_536)
def _same_given(one: str, other: str) -> bool:
    """Two given names: the same, an initial, a nickname, or the beginning of the other."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) == 1:
        return long[0] == short or any(full[0] == short for full in _formal().get(long, ()))
    mine, its = _formal().get(one, frozenset()), _formal().get(other, frozenset())
    if other in mine or one in its or mine & its:
        return True
    if mine or its or len(short) < _SHORTEST_START:
        # What stands for certain names stands for no other: Dan is no Dana.
        return False
    return long.startswith(short) and long[len(short) :] not in _OTHER_NAME


@cache
def _formal() -> dict[str, frozenset[str]]:
    """Nickname -> the names that it is short for."""
    found: dict[str, set[str]] = {}
    for name, short in toml_table("nicknames.toml")["names"].items():
        for nickname in str(short).split():
            found.setdefault(nickname, set()).add(name)
    return {nickname: frozenset(names) for nickname, names in found.items()}
