"""What a company sells, from its structured data.

Menus and walls of logos are not read: on the recorded sites no product that links named was one, and no
customer that pictures named.
"""

from collections.abc import Iterator
from itertools import islice

from sightline.sources.json_ld import address_of, inner_nodes, text_of, types_of
from sightline.sources.website.document import Node
from sightline.sources.website.findings import Findings

_PRODUCT_TYPES = frozenset(
    "Product SoftwareApplication WebApplication MobileApplication ProductModel ProductGroup Vehicle"
    " FinancialProduct".split()
)
_OFFERED = ("makesOffer", "hasOfferCatalog", "owns")
_MAX_PRODUCTS = 40
_LONGEST_NAME = 150


def find_products(found: Findings) -> None:
    """Products and services by name."""
    for node in islice(_products(found), _MAX_PRODUCTS):
        name = (text_of(node.data.get("name")) or "").strip(" ,;:")
        if not 0 < len(name) <= _LONGEST_NAME:
            continue
        value = {
            "name": name,
            "description": (text_of(node.data.get("description")) or "")[:500] or None,
            "url": found.page.absolute(address_of(node.data.get("url"))),
        }
        found.add("product", value, method=node.method, confidence=0.85, pointer=node.pointer)


def _products(found: Findings) -> Iterator[Node]:
    for node in found.page.structured.nodes:
        kinds = types_of(node.data)
        if kinds & _PRODUCT_TYPES:
            yield node
        elif "ItemList" in kinds and found.role == "products":
            yield from _inside(node, "itemListElement", _PRODUCT_TYPES)
    if found.own is not None:
        for key in _OFFERED:
            yield from _inside(found.own, key, _PRODUCT_TYPES | {"Service"})


def _inside(node: Node, key: str, kinds: frozenset[str]) -> Iterator[Node]:
    for inner in inner_nodes(node.data.get(key)):
        if types_of(inner) & kinds:
            yield Node(inner, node.method, f"{node.pointer}/{key}")
