"""Structured data of a page: JSON-LD, microdata and OpenGraph, from the parsed tree.

Microdata items are `{"type", "id", "properties"}`, as extruct gives them; `as_node` turns them into the shape
of JSON-LD, so that readers know one shape.
"""

from typing import Any
from urllib.parse import urljoin

from lxml.html import HtmlElement

from sightline.sources.json_ld import nodes, read_json_ld
from sightline.sources.website.document import Node, Page, Structured, squeeze
from sightline.sources.website.walk import visible_text

_URL_ATTRIBUTES = {
    "a": "href", "area": "href", "link": "href", "audio": "src", "embed": "src", "iframe": "src",
    "img": "src", "source": "src", "track": "src", "video": "src", "object": "data",
}  # fmt: skip
_MAX_ITEMS = 2000
_MAX_DEPTH = 30
_MAX_VALUE = 20_000


def read_structured(page: Page) -> Structured:
    """Fill in all structured data of a page."""
    found = page.structured
    broken = 0
    for index, script in enumerate(page.json_ld):
        source = "".join(script.itertext())
        values = read_json_ld(source)
        broken += bool(source.strip()) and not values
        found.json_ld.extend(values)
        for pointer, node in nodes(values):
            found.nodes.append(Node(node, "json_ld", f"json-ld[{index}]{pointer}"))
    if broken:
        page.notes.append(f"{broken} JSON-LD blocks are unreadable.")
    if "itemscope" in page.html:
        found.microdata = microdata(page.tree, page.base)
    for index, item in enumerate(found.microdata):
        found.nodes.append(Node(as_node(item), "microdata", f"microdata[{index}]"))
    found.opengraph = opengraph(page.tree)
    return found


def microdata(tree: HtmlElement, base: str) -> list[dict[str, Any]]:
    """Top-level microdata items."""
    items = tree.xpath("descendant-or-self::*[@itemscope and not(@itemprop)]")
    reader = _Microdata(tree, base)
    return [reader.item(element, depth=0) for element in items[:_MAX_ITEMS]]


class _Microdata:
    def __init__(self, tree: HtmlElement, base: str) -> None:
        self.base = base
        referred = tree.xpath("//*[@id]") if tree.xpath("boolean(//*[@itemref])") else ()
        self.ids = {element.get("id"): element for element in referred}
        self.seen: set[HtmlElement] = set()

    def item(self, element: HtmlElement, *, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        types = (element.get("itemtype") or "").split()
        if types:
            result["type"] = types[0] if len(types) == 1 else types
            if element.get("itemid"):
                result["id"] = element.get("itemid").strip()
        properties: dict[str, list[Any]] = {}
        for found in self._properties(element):
            value = self._value(found, depth=depth)
            for name in (found.get("itemprop") or "").split():
                properties.setdefault(name, []).append(value)
        shaped = {
            name: values[0] if len(values) == 1 else values for name, values in properties.items()
        }
        if shaped:
            result["properties"] = shaped
        elif text := _text(element):
            result["value"] = text
        return result

    def _properties(self, item: HtmlElement) -> list[HtmlElement]:
        """The property elements of an item, in document order, without those of inner items."""
        referred = (self.ids.get(name) for name in (item.get("itemref") or "").split())
        found = []
        for root in (item, *(each for each in referred if each is not None)):
            whole = root is not item and root.get("itemprop") is not None
            stack = [root] if whole else list(reversed(root))
            while stack:
                element = stack.pop()
                if not isinstance(element.tag, str):
                    continue
                if element.get("itemprop") is not None:
                    found.append(element)
                if element.get("itemscope") is None:
                    stack.extend(reversed(element))
        return found

    def _value(self, element: HtmlElement, *, depth: int) -> Any:
        if element.get("itemscope") is not None:
            if depth >= _MAX_DEPTH or element in self.seen:
                return ""
            self.seen.add(element)
            value = self.item(element, depth=depth + 1)
            self.seen.discard(element)
            return value
        if element.get("content") is not None:
            return element.get("content")
        tag = element.tag
        if tag in _URL_ATTRIBUTES:
            return self._url(element.get(_URL_ATTRIBUTES[tag]))
        if tag == "time":
            return element.get("datetime") or _text(element)
        if tag == "input":
            return {
                "valueRequired": element.get("required") is not None,
                "valueName": element.get("name"),
            }
        if tag in {"data", "meter"}:
            return element.get("value") or ""
        return _text(element)

    def _url(self, address: str | None) -> str:
        if not address:
            return ""
        try:
            return urljoin(self.base, address.strip())
        except ValueError:
            return address.strip()


def _text(element: HtmlElement) -> str:
    return squeeze("".join(visible_text(element)))[:_MAX_VALUE]


def as_node(item: dict[str, Any]) -> dict[str, Any]:
    """A microdata item in the shape of JSON-LD."""
    node: dict[str, Any] = {}
    if "type" in item:
        node["@type"] = item["type"]
    if "id" in item:
        node["@id"] = item["id"]
    for name, value in item.get("properties", {}).items():
        values = value if isinstance(value, list) else [value]
        shaped = [as_node(one) if isinstance(one, dict) else one for one in values]
        node[name] = shaped[0] if len(shaped) == 1 else shaped
    if "value" in item:
        node.setdefault("name", item["value"])
    return node


_OG_NAMES = tuple("og: article: book: profile: music: video: product: place: business:".split())


def opengraph(tree: HtmlElement) -> list[tuple[str, str]]:
    """OpenGraph properties in order, lower-case names; empty values are left out."""
    found = []
    declared = f"{tree.get('prefix') or ''} {' '.join(tree.attrib)}"
    names = (*_OG_NAMES, "fb:") if "fb:" in declared or "xmlns:fb" in declared else _OG_NAMES
    for element in tree.iter("meta"):
        name = (element.get("property") or element.get("name") or "").strip()
        content = element.get("content")
        if content and name.lower().startswith(names):
            found.append((name, content.strip()))
    return found
