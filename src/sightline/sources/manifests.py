"""THE LIST of sources by name, and their manifests. What only names or judges sources reads these: the
connectors with their parsers cost half a second to import, and only those who collect need them."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from sightline.sources.contract import Manifest, read_manifest

# In the order in which they are asked: registers first, for what they know leads to the rest. A new
# source is a folder and a name here.
NAMES: Final = ("wikidata", "sec_edgar", "gleif", "website", "job_boards", "feeds")


OUTSIDE: Final = "sightline.sources"
"""Entry points of installed packages that bring sources of their own: the name of the source, and the
`Source` beside whose module its `source.toml` lies. They are asked after those of the list."""


class SourceIsThereTwice(RuntimeError):
    """An installed package brings a source under a name that is taken."""


@cache
def outside() -> tuple[EntryPoint, ...]:
    """The sources of installed packages by name. Raises SourceIsThereTwice."""
    found = sorted(entry_points(group=OUTSIDE), key=lambda each: each.name)
    names = [*NAMES, *(each.name for each in found)]
    for name in names:
        if names.count(name) > 1:
            raise SourceIsThereTwice(f"There are two sources of the name {name}.")
    return tuple(found)


@cache
def manifests() -> tuple[Manifest, ...]:
    """The manifests of all sources, in their order."""
    packages = [f"sightline.sources.{name}" for name in NAMES]
    packages += [each.module.rpartition(".")[0] for each in outside()]
    return tuple(read_manifest(package) for package in packages)
