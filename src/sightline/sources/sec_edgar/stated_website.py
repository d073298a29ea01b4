"""The company's own web site, as its annual report states it."""

import re
from collections import defaultdict

from sightline.domain.evidence import Observation
from sightline.domain.names import fold
from sightline.domain.websites import domain_of

_HOST = re.compile(
    r"(?:https?://)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}[a-z]{2,12}\b(?:/[\w./~-]*)?",
    re.IGNORECASE,
)
# Words that speak of the registrant's own site, close before or after an address.
_OWN = re.compile(
    r"\b(?:our|the\s+company[’']s|its|corporate|investor\s+relations|company)\s+(?:\w+\s+){0,3}"
    r"(?:web\s?-?site|internet|home\s?page|web\s+page)\b(?!s)|\b(?:internet|web\s?-?site)\s+address\b"
    r"|\b(?:web\s?-?site|home\s?page)s?\s*(?:,|is|at|\()",
    re.IGNORECASE,
)
# "Our websites such as": products have sites too.
_SEVERAL = re.compile(r"\b(?:our|its)\s+(?:\w+\s+){0,3}web\s?-?sites\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:SEC|Commission|Securities\s+and\s+Exchange|SEDAR|FDIC|NYSE|Nasdaq)\b[^.]{0,60}$",
    re.IGNORECASE,
)
_NOT_OWN = frozenset(
    {"sec.gov", "sedar.com", "sedarplus.ca", "nyse.com", "nasdaq.com", "xbrl.org", "fasb.org"}
)
# Sites for shareholders often have a domain that nobody else is told.
_INVESTORS = re.compile(r"\binvestors?\b[^.]{0,60}$", re.IGNORECASE)
_BEFORE, _AFTER = 160, 90
_ENOUGH = 1.0


def website_observations(text: str, *, name: str = "") -> tuple[Observation, ...]:
    """`website_domain` from sentences such as "our website at www.plum.example", or nothing.

    An address that looks like the registrant's `name` counts more; the SEC's own never counts.
    """
    points: defaultdict[str, float] = defaultdict(float)
    quotes: dict[str, tuple[float, str]] = {}
    key = re.sub(r"\W", "", fold(name))
    for found in _HOST.finditer(text):
        domain = domain_of(found[0])
        if domain is None or domain in _NOT_OWN or text[max(0, found.start() - 1)] == "@":
            continue
        before = text[max(0, found.start() - _BEFORE) : found.start()]
        after = text[found.end() : found.end() + _AFTER]
        own = _OWN.search(before) is not None
        named_after = _OWN.search(after) and "(" not in before[-3:]
        if not own and not named_after and not _SEVERAL.search(before):
            continue
        if _OTHERS.search(before):
            continue
        score = 1.0 if own else 0.5
        label = domain.partition(".")[0].replace("-", "")
        if key and (key.startswith(label) or label in key or key[:6] in label):
            score += 1.5
        if "invest" in label or (_INVESTORS.search(before) and score < 1.5):
            score *= 0.3
        points[domain] += min(score, 2.5)
        if score > quotes.get(domain, (0.0, ""))[0]:
            start = max(0, found.start() - _BEFORE)
            line = before.rpartition("\n")[2]
            quotes[domain] = (score, text[max(start, found.start() - len(line)) : found.end()])
    if not points:
        return ()
    best = max(points, key=lambda domain: points[domain])
    if points[best] < _ENOUGH:
        return ()
    rest = sum(points.values()) - points[best]
    sure = 0.55 + 0.4 * (points[best] / (points[best] + rest + 0.5))
    return (
        Observation(
            "website_domain", best, "text", round(min(sure, 0.92), 2), quote=quotes[best][1].strip()
        ),
    )
