"""Existing profiles given to a model to write: what that takes at most, and the work put on the queue."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sightline.profile.registry import PLANS
from sightline.profile.written import MOST_TOKENS
from sightline.store import profiles, work, written_sections
from sightline.store.database import Connection

_CHARACTERS_A_TOKEN: Final = 3.5
_INSTRUCTIONS: Final = 2_500  # characters, about
_OF_STATEMENT: Final = 800  # characters of a passage that a statement brings
_OF_LEADS: Final = 12_000  # characters of passages besides


@dataclass(frozen=True, slots=True)
class WritingCost:
    """The sections that a model has yet to write, and the most tokens that they take, verifying included."""

    companies: int
    sections: int
    tokens: int


async def cost_of(
    connection: Connection, company_ids: Sequence[UUID], *, model: str
) -> WritingCost:
    """What writing the profiles of companies takes at most. Sections that the model wrote cost nothing."""
    found = await written_sections.unwritten(
        connection, company_ids, sections=list(PLANS), model=model
    )
    tokens = 0
    for _, _, statements in found:
        shown = _INSTRUCTIONS + _OF_LEADS + _OF_STATEMENT * statements
        tokens += 2 * (int(shown / _CHARACTERS_A_TOKEN) + MOST_TOKENS)
    return WritingCost(len({row[0] for row in found}), len(found), tokens)


async def ask_for_writing(connection: Connection, company_ids: Sequence[UUID]) -> None:
    """Put the writing of profiles on the queue, what waits for a budget too. In a transaction."""
    for company_id in sorted(company_ids):
        await work.put(connection, profiles.REFRESH, str(company_id))
        await written_sections.put_writing(connection, company_id, None)
