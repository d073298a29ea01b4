"""Whether the name on a site or board is that of the company in question."""

from collections.abc import Iterable

from sightline.domain.names import name_key


def is_same_name(stated: str, names: Iterable[str], *, domain: str | None = None) -> bool:
    """Whether a stated name is one of the names, legal forms and spaces aside.

    A shorter form counts when it has two words or more ("Harbor Analytics" of "Harbor Analytics
    Research"), or when it is what the company calls its domain; one shared word is no proof.
    """
    key = name_key(stated)
    if not key:
        return False
    closed = key.replace(" ", "")
    label = (domain or "").partition(".")[0].replace("-", "")
    for name in names:
        other = name_key(name)
        if not other:
            continue
        if closed == other.replace(" ", ""):
            return True
        shorter, longer = sorted((key.split(), other.split()), key=len)
        if longer[: len(shorter)] == shorter and (len(shorter) > 1 or "".join(shorter) == label):
            return True
    return bool(label) and closed == label
