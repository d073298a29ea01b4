"""Known products and languages: vendor, category, and the names that texts use."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from sightline.domain.tables import toml_table


@dataclass(frozen=True, slots=True)
class Product:
    """A row of `technologies.toml`. `forms` are as written there, with their marks."""

    name: str
    vendor: str
    category: str
    forms: tuple[str, ...]


@cache
def products() -> dict[str, Product]:
    """Every product by its name."""
    return {product.name: product for product in _read()}


def category_of(name: str) -> str | None:
    """The category of a product; None for what is none."""
    product = products().get(name)
    return None if product is None else product.category


def _read() -> Iterator[Product]:
    for category, entries in toml_table("technologies.toml").items():
        for entry in entries:
            shown, _, vendor = entry.partition(" = ")
            forms = tuple(shown.split("|"))
            name = forms[0].rstrip("!?")
            yield Product(name, vendor or name, category, forms)
