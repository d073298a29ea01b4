"""The main text of a page, without menus, teasers, forms and other boilerplate.

trafilatura judges article pages well; what is given to it is pruned first of the furniture that it
lets through, and pages that it finds nothing in (lists of products, teams) are read line by line.
"""

import logging
import re
from copy import deepcopy
from functools import lru_cache
from itertools import groupby

from lxml.html import HtmlElement

from sightline.sources.website.document import Page, squeeze, words_pattern

MAX_ELEMENTS = 12_000
"""Larger pages are read line by line: linear, where trafilatura tries several readings in turn."""

MAX_DEPTH = 300
"""Deeper pages are read so too: the library's time grows with the square of the depth."""

_MAX_LINES_CHARS = 400_000
_TOO_LITTLE = 200
_DROPPED_TAGS = tuple("script style svg noscript template iframe form button select".split())
_FURNITURE = re.compile(
    r"(?:^|[\s_-])(?:related(?:-?(?:posts?|articles?|content|stories|news|links|topics|products))?"
    r"|recommend(?:ed|ations?)|newsletter(?:-?\w+)?|subscri(?:be|ption)(?:-?(?:box|form|widget))?"
    r"|sharedaddy|share-?(?:bar|buttons?|links|tools)|social-?(?:share|bar|links|icons|media|follow)"
    r"|cookie-?\w*|consent-?\w*|gdpr|breadcrumbs?|pagination|pager|post-?nav(?:igation)?|comments?-?area"
    r"|comments|comment[_-]?(?:list|text|body|author|info|content|item|thread|wrapper|section|box)"
    r"|comentarios?|kommentare?|commentaires?"
    r"|read-?(?:more|next|also)|more-?(?:stories|articles|from|news)|most-?(?:read|popular)|popular-?posts"
    r"|author-?(?:box|bio|info)|about-?author|tag-?(?:cloud|list)|tags-?links|advert\w*|ad-?(?:slot|unit)"
    r"|sponsored|promo(?:tion)?-?(?:box|banner)?|donat(?:e|ion)-?\w*|teaser-?(?:list|box"
    r"|wrapper|container)?"
    r"|infobox-?author|outbrain|taboola|disqus\w*|see-?also|login-?(?:box|form)|widget-?area"
    r"|toc[_-](?:container|list|wrapper)|table-?of-?contents|lwptoc\w*"
    r"|sidebar(?:-?\w+)?|image-?credit|photo-?credit|copyright|trending(?:-?\w+)?|skip-?links?)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_NAMED_TAGS = ("div", "section", "aside", "ul", "ol", "p", "nav", "span", "a", "article", "main")
_LEAD = re.compile(
    r"(?:^|[\s_-])(?:(?:text-)?lead|lede|intro|standfirst|dek|vorspann|chapo|entradilla|teaser-?text)(?:$|[\s_-])",
    re.IGNORECASE,
)
_SUSPECT = re.compile(
    r"nav|menu|teaser|foot|head|side|widget|banner|modal|popup|hidden", re.IGNORECASE
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

# The library tells its own troubles on its logger; a page without text is no trouble of ours.
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


def main_text(page: Page, *, article_body: str | None = None) -> str:
    """The text of a page, one line a block; "" when nothing but furniture is there.

    `article_body` is what the page's structured data gives as its text: used where the tree holds
    less than half of it, as on pages that a script draws.
    """
    if not page.lines:
        return article_body or ""
    if page.elements > MAX_ELEMENTS or page.depth > MAX_DEPTH:
        page.notes.append("A very large or deep page: its text was read line by line.")
        return lines_text(page)
    text = _extract(_pruned(page.tree))
    if len(text) < _TOO_LITTLE:
        # Too much was pruned, or the text stands in a script: the whole page is tried.
        text = max(text, _extract(deepcopy(page.tree)), key=len)
    text = _with_lead(_without_prompts(text, page), page)
    if article_body and len(article_body) > max(2 * len(text), _TOO_LITTLE):
        page.notes.append("The text is that of the structured data.")
        return article_body
    if len(text) < _TOO_LITTLE:
        by_lines = lines_text(page)
        if len(by_lines) > 2 * len(text):
            return by_lines
    return text


def _extract(tree: HtmlElement) -> str:
    """The library's reading of a tree, which it may change."""
    import trafilatura  # a seventh of a worker's start, and needed by the first page only

    return trafilatura.extract(tree, include_comments=False, include_tables=True) or ""


def lines_text(page: Page) -> str:
    """Every line of the main part of a page; of all parts when there is no main part."""
    main = [line for line in page.lines if line.region == "main"]
    if sum(len(line.text) for line in main) < 40:
        main = [line for line in page.lines if line.region != "nav"]
    text = "\n".join(each for each, _ in groupby(line.text for line in main))
    if len(text) <= _MAX_LINES_CHARS:
        return text
    page.notes.append("The text was cut at 400,000 characters.")
    return text[:_MAX_LINES_CHARS].rpartition("\n")[0] or text[:_MAX_LINES_CHARS]


def _pruned(tree: HtmlElement) -> HtmlElement:
    """A copy without furniture. An element that holds much of the page's text always stays."""
    copy = deepcopy(tree)
    for element in list(copy.iter(*_DROPPED_TAGS)):
        # Some systems wrap the whole page in a form.
        if element.tag != "form" or _weight(element) <= 1000:
            _drop(element)
    total = _weight(copy) or 1
    suspects = [
        (element, weight)
        for element in list(copy.iter(*_NAMED_TAGS))
        if (weight := _suspect_weight(element, total)) is not None
    ]
    # A page whose every section bears such a name means something else by it.
    limit = total if sum(weight for _, weight in suspects) * 2 < total else _TOO_LITTLE
    for element, weight in suspects:
        if weight < limit:
            _drop(element)
    return copy


def _suspect_weight(element: HtmlElement, total: int) -> int | None:
    """The text in an element that its name calls furniture; None for all others. What holds half of the
    page loses such a name, for which the library would leave it out."""
    name = f"{element.get('class', '')} {element.get('id', '')}"
    furniture, is_paragraph = _is_furniture(name), element.tag == "p"
    if is_paragraph and _LEAD.search(name):
        element.attrib.pop("class", None)
        return None
    if not (furniture or is_paragraph or _SUSPECT.search(name)):
        return None
    weight = _weight(element)
    if weight * 2 > total:
        for attribute in ("class", "id"):
            element.attrib.pop(attribute, None)
    if not furniture or weight * 4 >= total:
        return None
    return weight if next(element.iter("h1"), None) is None else None


@lru_cache(maxsize=8192)
def _is_furniture(name: str) -> bool:
    return len(name) <= 300 and _FURNITURE.search(_CAMEL.sub("-", name)) is not None


def _weight(element: HtmlElement) -> int:
    """Characters of running text: short pieces are labels and links."""
    return sum(len(piece) for piece in element.itertext() if len(piece) > 60)


def _drop(element: HtmlElement) -> None:
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def _with_lead(text: str, page: Page) -> str:
    """Put the paragraph under the headline back when it was taken for furniture."""
    if len(text) < _TOO_LITTLE:
        return text
    for line in page.lines:
        if line.element.tag not in {"p", "div"} or not 80 <= len(line.text) <= 1500:
            continue
        around = (line.element, line.element.getparent())
        names = (each.get("class") or "" for each in around if each is not None)
        if any(map(_LEAD.search, names)):
            known = line.text[:60] in squeeze(text[:20_000])
            return text if known else f"{line.text}\n{text}"
    return text


def _without_prompts(text: str, page: Page) -> str:
    """Leave out lines that only ask to read, share or subscribe to something else."""
    prompt = words_pattern("furniture", "prompts")
    starts = words_pattern("furniture", "read_also")
    invitation = words_pattern("furniture", "invitations")
    asking = words_pattern("furniture", "asking")
    links = {squeeze(anchor.text) for anchor in page.anchors if len(anchor.text) > 15}
    kept = []
    for raw in text.splitlines():
        line = " ".join(raw.split())
        bare = line.strip(" -•|*#")
        if len(bare) < 160 and prompt.fullmatch(bare.rstrip(":!.?…> ")):
            continue
        if len(bare) < 200 and invitation.search(bare) and asking.search(bare):
            continue
        found = starts.match(bare) if len(bare) < 300 else None
        if found and (bare[found.end() :].strip(" :-–—>»") in links or bare in links):
            continue
        kept.append(line)
    return "\n".join(kept).strip()
