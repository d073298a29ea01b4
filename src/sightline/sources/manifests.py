"""THE LIST of sources by name, and their manifests. What only names or judges sources reads these: the
connectors with their parsers cost half a second to import, and only those who collect need them."""

from functools import cache
from typing import Final

from sightline.sources.contract import Manifest, read_manifest

# In the order in which they are asked: registers first, for what they know leads to the rest. A new
# source is a folder and a name here.
NAMES: Final = ("wikidata", "sec_edgar", "gleif", "website", "job_boards", "feeds")


@cache
def manifests() -> tuple[Manifest, ...]:
    """The manifests of all sources, in their order."""
    return tuple(read_manifest(f"sightline.sources.{name}") for name in NAMES)
