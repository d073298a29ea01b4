"""Python's collector of cyclic garbage, set for programs that make many objects and few cycles."""

import gc
from typing import Final

_NEW_OBJECTS: Final = 20_000


def collect_seldom() -> None:
    """Look for cycles after 20,000 new objects. Python's 700 take a tenth of the time of reading a file and
    a quarter of that of writing an import."""
    gc.set_threshold(_NEW_OBJECTS)
