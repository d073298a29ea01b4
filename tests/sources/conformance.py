"""What every source keeps to, of the tree or of an installed package."""

import inspect

from sightline.domain.fields import FIELDS
from sightline.sources.contract import Source

CATEGORIES = {"register", "filings", "website", "jobs", "news"}


def faults(source: Source, *, name: str) -> list[str]:
    """What is wrong with a source that is listed under a name."""
    manifest = source.manifest
    checks = {
        "its manifest has the name of its entry": manifest.name == name,
        "its category is known": manifest.category in CATEGORIES,
        "its fields are those of facts": set(manifest.fields) <= set(FIELDS),
        "it says its terms": bool(manifest.summary and manifest.terms),
        "it asks no host more than ten times a second": all(
            0 < rate <= 10 for rate in manifest.hosts.values()
        ),
        "it is asked again some day": manifest.refresh_days > 0,
        "its floors can be reached": all(0 <= each <= 1 for each in manifest.floors.values()),
        "it collects without blocking": inspect.iscoroutinefunction(source.collect),
        "it finds without blocking": source.find is None
        or inspect.iscoroutinefunction(source.find),
    }
    return [said for said, holds in checks.items() if not holds]
