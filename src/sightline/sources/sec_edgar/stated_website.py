"""The company's own website as stated in filings: sentences, press releases and taxonomies."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from sightline.domain.evidence import Observation
from sightline.domain.names import name_key
from sightline.domain.websites import domain_of
from sightline.reading.tokens import dotted_words

_HOST = re.compile(
    r"(?<![a-z0-9])(?:https?://)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}[a-z]{2,12}\b(?:/[\w./~-]*)?",
    re.IGNORECASE,
)
# Words that speak of the registrant's own site, close before or after an address.
_OWN = re.compile(
    r"\b(?:our|the\s+company[’']s|its|corporate|investor\s+relations|company)\s+(?:\w+\s+){0,3}"
    r"(?:web\s?-?site|internet|home\s?page|web\s+page)\b(?!s)|\b(?:internet|web\s?-?site)\s+address\b"
    r"|\b(?:web\s?-?site|home\s?page)s?\s*(?:,|is|at|\()",
    re.IGNORECASE,
)
_NOT_OWN = frozenset(
    {"sec.gov", "sedar.com", "sedarplus.ca", "nyse.com", "nasdaq.com", "xbrl.org", "fasb.org"}
)
_BEFORE, _AFTER = 160, 90
_ENOUGH = 1.0
# What leads to an address at the end of a press release.
_LEADS_THERE = re.compile(
    r"\b(?:visit(?:\s+us)?|web\s?-?site|home\s?page|web|internet|more\s+(?:information|about)|located|found"
    r"|available|learn\s+more|go\s+to)\b[^.]{0,60}$",
    re.IGNORECASE,
)
# The registrant's own elements stand under an address "whose authority is a domain of the filer".
_NAMESPACE = re.compile(
    rb"xmlns:([\w-]{1,40})\s*=\s*[\"'](https?://([\w.-]{4,100})/(?:19|20)\d{6})[\"']"
)
_HEAD = 50_000  # bytes in which a document declares its namespaces


def website_observations(text: str, *, name: str = "") -> tuple[Observation, ...]:
    """`website_domain` from sentences such as "our website at www.plum.example", or nothing.

    An address that looks like the registrant's `name` counts more; the SEC's own never counts.
    """
    points: defaultdict[str, float] = defaultdict(float)
    quotes: dict[str, tuple[float, str]] = {}
    for found in _hosts(text):
        domain = domain_of(found[0])
        if domain is None or domain in _NOT_OWN or text[max(0, found.start() - 1)] == "@":
            continue
        before = text[max(0, found.start() - _BEFORE) : found.start()]
        score = _score(domain, before, text[found.end() : found.end() + _AFTER], name)
        points[domain] += score
        if score > quotes.get(domain, (0.0, ""))[0]:
            line = before.rpartition("\n")[2]
            quotes[domain] = (score, line + found[0])
    best = max(points, key=lambda domain: points[domain], default="")
    if points[best] < _ENOUGH:
        return ()
    sure = round(min(0.55 + 0.4 * points[best] / (sum(points.values()) + 0.5), 0.92), 2)
    return (Observation("website_domain", best, "text", sure, quote=quotes[best][1].strip()),)


def _hosts(text: str) -> Iterator[re.Match[str]]:
    """The addresses in a text; in words without a dot inside the pattern would try every letter."""
    return chain.from_iterable(_HOST.finditer(text, *word) for word in dotted_words(text))


def _score(domain: str, before: str, after: str, name: str) -> float:
    """How much a mention says that the address is the registrant's own; 0 for nothing."""
    own = _OWN.search(before) is not None
    named_after = _OWN.search(after) is not None and "(" not in before[-3:]
    if not (own or named_after):
        return 0.0
    score = (1.0 if own else 0.5) + 1.5 * resembles(domain, name)
    # Sites for shareholders often have a domain that no customer sees.
    investors = "investor" in before[-70:].lower() and score < 1.5
    if investors or "invest" in domain.partition(".")[0]:
        score *= 0.3
    return min(score, 2.5)


def release_website_observations(text: str, *, name: str) -> tuple[Observation, ...]:
    """`website_domain` from a press release that leads to an address like the company's name.

    "For more information, visit www.plum.example": an address unlike the name may be anybody's.
    """
    for found in reversed(list(_hosts(text))):
        domain = domain_of(found[0])
        if domain is None or not resembles(domain, name) or text[found.start() - 1] == "@":
            continue
        before = text[max(0, found.start() - _BEFORE) : found.start()]
        before = before[max(0, before.rfind("\n\n")) :].lstrip()
        label = domain.partition(".")[0]
        if _LEADS_THERE.search(before) and "invest" not in label:
            quote = text[found.start() - len(before) : found.end()].strip()
            return (Observation("website_domain", domain, "text", 0.75, quote=quote),)
    return ()


def namespace_observations(content: bytes, *, name: str) -> tuple[Observation, ...]:
    """`website_domain` from where a tagged filing keeps its own elements, if it is like the name.

    Agents and predecessors file under theirs, so an address unlike the name says nothing.
    """
    for prefix, uri, host in _NAMESPACE.findall(content[:_HEAD]):
        domain = domain_of(host.decode("ascii", "replace"))
        if domain is not None and domain not in _NOT_OWN and resembles(domain, name):
            pointer = f"xmlns:{prefix.decode()} {uri.decode()}"
            return (Observation("website_domain", domain, "xbrl", 0.6, pointer=pointer),)
    return ()


def resembles(domain: str, name: str) -> bool:
    """Whether a domain is made of a company's name: of its words, its first ones or its initials."""
    label = domain.partition(".")[0].replace("-", "")
    words = name_key(name).split()
    key = re.sub(r"\W", "", "".join(words))
    if len(label) < 2 or not key:
        return False
    initials = "".join(word[0] for word in words)
    return (
        label == initials
        or key.startswith(label)
        or (len(label) > 3 and label in key)
        or (len(key) > 3 and (label.startswith(key) or (key[:6] in label and len(key) > 5)))
    )
