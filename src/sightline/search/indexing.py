"""Work: keeps a company's search index up to date with its evidence.

What there is to index is compared with what is indexed; only the difference is written, in batches that
each commit by themselves. A killed run is continued by the next, which finds less to do.
"""

import asyncio
import logging
from collections.abc import Mapping
from itertools import islice
from operator import attrgetter
from typing import Final
from uuid import UUID

from sightline.reading.encoder import Encoder, EncoderFailed
from sightline.reading.vectors import pack_vectors
from sightline.search.retrieve import PARTS, vectors_name
from sightline.search.units import units_of
from sightline.store import indexable, passages, work
from sightline.store.database import Database

WORK_KIND = "index_passages"
BATCH = 3_000  # things to index
# Of the newest prose of each kind; 3 to 6 ms a part on one core with VNNI, some 650 parts where there are
# many filings (decision 0052).
MOST_ENCODED: Final[Mapping[str, int]] = {
    "filing": 450, "news": 100, "web": 100, "insight": 100, "job": 60,
}  # fmt: skip
WHOLE: Final = 100  # newest of each kind of which all parts are encoded
LONGEST_ENCODED: Final = 340  # characters of a part, some 64 tokens: the time grows with them
_LONGEST_HEAD: Final = 100  # characters of a part for what stands above the text
_SHORTEST_PART: Final = 40
ENCODED_AT_ONCE = 50
_COMPANIES_AT_ONCE = 1_000
_PRIORITY = 10  # of what no request waits for
log = logging.getLogger(__name__)


async def index_passages(
    database: Database, item: work.Work, *, encoder: Encoder | None = None
) -> None:
    """Bring the index of the company that the work names up to date. While the encoder fails, words alone
    are searched; the clock asks again."""
    company_id = UUID(item.subject)
    while await _add_batch(database, item, company_id):
        pass
    name = vectors_name(encoder)
    async with database.connection() as connection, connection.transaction():
        await work.hold(connection, item)
        await passages.write_state(connection, company_id, name, encoded=encoder is None)
    encoded = True
    if encoder is not None:
        try:
            await _encode(database, item, company_id, encoder)
        except EncoderFailed as error:
            log.warning("passages are not encoded: %s", error)
            encoded = False
    async with database.connection() as connection, connection.transaction():
        await passages.write_state(connection, company_id, name, encoded=encoded)
        await work.finish(connection, item)


async def _add_batch(database: Database, item: work.Work, company_id: UUID) -> bool:
    """Take out what is gone and add one batch of what is new; returns whether there is more to add."""
    async with database.connection() as connection:
        mentions = await indexable.read_mentions(connection, company_id)
        wanted = await indexable.list_indexable(connection, company_id, mentions)
        indexed = await passages.read_keys(connection, company_id)
        known = {key for _, key, version in indexed if wanted.get(key) == version}
        gone = [number for number, key, version in indexed if wanted.get(key) != version]
        missing = set(wanted) - known
        batch = sorted(missing, key=attrgetter("origin", "origin_id", "origin_at"))[:BATCH]
        contents = await indexable.read_contents(connection, company_id, batch)
    units = await asyncio.to_thread(
        lambda: [
            unit
            for each in contents
            for unit in units_of(each, wanted[each.key], mentions.get(each.key.origin_id, ()))
        ]
    )
    if units or gone:
        async with database.connection() as connection, connection.transaction():
            await work.hold(connection, item)
            await passages.delete_passages(connection, company_id, gone)
            await passages.write_passages(connection, company_id, units)
    return len(missing) > len(batch)


async def _encode(database: Database, item: work.Work, company_id: UUID, encoder: Encoder) -> None:
    """Give the newest passages their vectors, some at a time."""
    async with database.connection() as connection:
        waiting = await passages.read_unencoded(connection, company_id, MOST_ENCODED, WHOLE)
    for first in range(0, len(waiting), ENCODED_AT_ONCE):
        some = waiting[first : first + ENCODED_AT_ONCE]
        texts = [encoded_texts(*each, whole=whole) for _, *each, whole in some]
        rows = iter(pack_vectors(await encoder.encode([text for own in texts for text in own])))
        packed = [b"".join(islice(rows, len(own))) for own in texts]
        vectors = [(number, own) for (number, *_), own in zip(some, packed, strict=True)]
        async with database.connection() as connection, connection.transaction():
            await work.hold(connection, item)
            await passages.write_vectors(connection, company_id, vectors)


def encoded_texts(heading: str, context: str, body: str, *, whole: bool) -> list[str]:
    """What an encoder reads of a passage: its beginning, and of a `whole` one what follows, each below what
    the passage is headed by."""
    head = (context or heading)[:_LONGEST_HEAD]
    room = LONGEST_ENCODED - len(head) - bool(head)
    starts = range(0, min(len(body) - _SHORTEST_PART, PARTS * room) if whole else 1, room)
    return ["\n".join(filter(None, (head, body[at : at + room]))) for at in starts or (0,)]


async def index_missing(database: Database, *, encoder: Encoder | None) -> None:
    """Ask for the index of companies that have none, or whose vectors another encoder made."""
    name = vectors_name(encoder)
    async with database.connection() as connection:
        waiting = await passages.companies_to_index(connection, name, limit=_COMPANIES_AT_ONCE)
        for company_id in waiting:
            await work.put(connection, WORK_KIND, str(company_id), priority=_PRIORITY)
