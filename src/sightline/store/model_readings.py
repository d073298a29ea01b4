"""What models read in sentences, by the hash of everything that the result depends on."""

from collections.abc import Mapping, Sequence
from typing import Any

from sightline.store.database import Connection


async def read(connection: Connection, keys: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The events of the sentences that were read before."""
    rows = await connection.fetch(
        "SELECT key, answer FROM model_readings WHERE key = ANY($1::text[])", list(keys)
    )
    return {row["key"]: row["answer"] for row in rows}


async def write(connection: Connection, answers: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Keep what was read; an answer that is there already stays."""
    await connection.executemany(
        "INSERT INTO model_readings (key, answer) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [(key, [dict(each) for each in events]) for key, events in answers.items()],
    )
