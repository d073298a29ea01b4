"""A registrant's name as its own text writes it, because EDGAR and cover pages often use capitals."""

import re
from collections import Counter

from sightline.domain.evidence import Observation
from sightline.domain.names import name_key

_ENOUGH = 3
_LONGEST = 80
_BETWEEN = r"[\s,.’'\-‑–]*(?:(?:and|&)[\s]+)?"


def written_name_observations(text: str, registered: str) -> tuple[Observation, ...]:
    """`company_name` in the spelling that the text has most often, legal form left out.

    Nothing when the text hardly names the company, or only in capitals of which it is unclear
    whether they are its own.
    """
    words = [word for word in name_key(registered).split() if word != "and"]
    if not words or len(registered) > _LONGEST:
        return ()
    spelled = _BETWEEN.join("['’]?".join(map(re.escape, word)) for word in words)
    pattern = re.compile(rf"(?<![\w.@/-]){spelled}(?![\w@/]|\.\w|-\w)", re.IGNORECASE)
    written = (found[0] for found in pattern.finditer(text) if "\n" not in found[0])
    counts = Counter(" ".join(each.split()) for each in written if not each[0].islower())
    best, count = next(iter(counts.most_common(1)), ("", 0))
    if count < _ENOUGH:
        return ()
    # A name in capitals is its own only where the text is otherwise written in small letters.
    if best.isupper() and counts.total() - count > count:
        return ()
    name = best.replace("’", "'")
    return (Observation("company_name", name, "text", 0.95, quote=best),)
