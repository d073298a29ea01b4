"""The sources with their connectors, in the order of `manifests.NAMES`: the constant of a connector is
its folder's name in capitals."""

from importlib import import_module

from sightline.sources.contract import Source
from sightline.sources.manifests import NAMES


def _connector(name: str) -> Source:
    found: Source = getattr(import_module(f"sightline.sources.{name}.connector"), name.upper())
    return found


SOURCES: tuple[Source, ...] = tuple(_connector(name) for name in NAMES)
