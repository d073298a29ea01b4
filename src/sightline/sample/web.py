"""The bundled archive of invented web pages: every host under `.example` answers from here."""

from importlib.resources import files
from pathlib import Path


def sample_archive() -> Path:
    """The folder of the archive, laid out as `replay:` wants it."""
    return Path(str(files("sightline.sample"))) / "archive"
