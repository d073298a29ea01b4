"""The sources with their connectors: those of `manifests.NAMES`, whose constant is their folder's name in
capitals, then those of installed packages."""

from importlib import import_module

from sightline.sources.contract import Source
from sightline.sources.manifests import NAMES, outside


def _connector(name: str) -> Source:
    found: Source = getattr(import_module(f"sightline.sources.{name}.connector"), name.upper())
    return found


SOURCES: tuple[Source, ...] = (
    *(_connector(name) for name in NAMES),
    *(each.load() for each in outside()),
)
