"""The bundled archive of invented web pages: every host under `.example` answers from here."""

from importlib.resources import files
from pathlib import Path
from typing import Final

# Numbers of registrants that the SEC has given to no one, and boards that only sample companies have: what
# they file and post is in the archive too, whatever the web is.
_REGISTRANTS: Final = range(9_999_901, 9_999_907)
_BOARDS: Final = ("northquayrobotics", "marisolgenomics", "quillmark")
SAMPLE_ADDRESSES: Final = (
    *(f"https://data.sec.gov/submissions/CIK{number:010}" for number in _REGISTRANTS),
    *(f"https://data.sec.gov/api/xbrl/companyfacts/CIK{number:010}" for number in _REGISTRANTS),
    *(f"https://www.sec.gov/Archives/edgar/data/{number}/" for number in _REGISTRANTS),
    *(f"https://boards-api.greenhouse.io/v1/boards/{name}" for name in _BOARDS),
    "https://api.ashbyhq.com/posting-api/job-board/kestrelbyte?",
)


def sample_archive() -> Path:
    """The folder of the archive, laid out as `replay:` wants it."""
    return Path(str(files("sightline.sample"))) / "archive"
