"""The names in a text: trade names, former names, abbreviations, other spellings."""

import re

from sightline.domain.names import fold, split_dba
from sightline.match.names import MAX_CHARS, read_name
from sightline.match.romanise import key, romanise
from sightline.match.vocabulary import vocabulary

_ASIDE = re.compile(r"\(([^()]*)\)|（([^（）]*)）|\[([^\[\]]*)\]")
_FORMERLY = re.compile(
    r"\b(?:formerly(?: known as)?|f/?k/?a|previously|also known as|a/?k/?a|nee|ehemals|anciennement)\b[:\s]*",
    re.IGNORECASE,
)
# An abbreviation after the name: "Petroleo Brasileiro - PETROBRAS".
_ABBREVIATED = re.compile(r"\s+[-–—]\s+([^\W\d_]{3,10})$")
# "Wal-Mart Stores" is what others write Walmart Stores.
_HYPHEN = re.compile(r"(?<=[^\W\d_][^\W\d_])-(?=[^\W\d_]{2})")


def variants(name: str) -> list[str]:
    """The names a text holds: "X (Y)" holds X and Y, "X formerly Y" and "X d/b/a Y" too.

    "X-Y Z" is also XY Z, and "X - what X does" is also X.
    What stands aside is a name of its own only if it is more than a place, a kind or a form: "X
    (India)" is one name. The first is the one the text begins with.
    """
    name = name[:MAX_CHARS]
    legal, trade = split_dba(name)
    found: list[str] = []
    for each in [legal, trade] if trade else [name]:
        now, *before = _FORMERLY.split(each)
        if before:
            # What follows the bracket belongs to the name it is now.
            last, _, rest = before[-1].partition(")")
            found.append(f"{now.rstrip(' (,;')} {rest}".strip())
            found.extend(old.strip(" (),;") for old in (*before[:-1], last))
        else:
            found.extend(_beside(each))
    if _HYPHEN.search(found[0]):
        found.append(_HYPHEN.sub("", found[0]))
    return [each for each in dict.fromkeys(found) if each.strip()] or [name]


def _beside(name: str) -> list[str]:
    """A name with what stands in brackets or after a stroke."""
    aside = _ASIDE.search(name)
    if aside:
        inner = next(group for group in aside.groups() if group is not None).strip()
        outer = _ASIDE.sub(" ", name).strip()
        return [outer, inner] if outer and _is_own(inner) else [name]
    return _behind_stroke(name) or [name]


def _behind_stroke(name: str) -> list[str] | None:
    """The names before and after a stroke or dash; None for one name."""
    one, _, other = name.partition(" / ")
    if _is_own(other) and _is_own(one):
        return [one.strip(), other.strip()]
    brand, _, what = name.partition(" - ")
    if len(brand) > 2 and " " in what.strip() and " " not in brand and _is_own(brand):
        return [name, brand]
    short = _ABBREVIATED.search(name)
    # "Clear - Field" is two words of one name.
    if short is None or short[1].istitle() or not _is_own(short[1]):
        return None
    return [name[: short.start()], short[1]]


def _is_own(text: str) -> bool:
    """Whether a text names something of its own, and is not a place, a kind of business or a form."""
    tables = vocabulary()
    keys = [key(romanise(word) or "?") for word in fold(text).split()]
    if not keys or all(each in tables.edge_forms or each in tables.forms for each in keys):
        return False
    return any(word.kind == "word" and len(word.key) > 2 for word in read_name(text).words)
