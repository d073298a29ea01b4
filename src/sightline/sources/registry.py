"""The sources, in the order in which they are asked: registers first, for what they know leads to
the rest. A new source is a folder and a line here."""

from sightline.sources.contract import Source
from sightline.sources.feeds.connector import FEEDS
from sightline.sources.gleif.connector import GLEIF
from sightline.sources.job_boards.connector import JOB_BOARDS
from sightline.sources.sec_edgar.connector import SEC_EDGAR
from sightline.sources.website.connector import WEBSITE
from sightline.sources.wikidata.connector import WIKIDATA

SOURCES: tuple[Source, ...] = (
    WIKIDATA,
    SEC_EDGAR,
    GLEIF,
    WEBSITE,
    JOB_BOARDS,
    FEEDS,
)
