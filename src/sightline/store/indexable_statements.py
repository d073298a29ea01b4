"""Profile statements that relevance can find, each by the words that prove it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sightline.kit.ids import id_within
from sightline.store.database import Connection

# What these sections say is counted from postings and technologies, which are found by themselves.
_COUNTED: Final = ("employee_groups", "favourite_technologies_count")
_NAMES: Final = ("name", "title", "event_title", "division_name", "label")


@dataclass(frozen=True, slots=True)
class ProfileStatement:
    """A quote of a document under the name that the profile gives it."""

    section: str
    name: str
    quote: str
    document_id: UUID
    url: str | None
    published_at: datetime | None

    @property
    def statement_id(self) -> UUID:
        """The same for the same words of the same document, whatever section has them."""
        return id_within(self.document_id, self.quote)


async def read_statements(connection: Connection, company_id: UUID) -> dict[UUID, ProfileStatement]:
    """Proven statements by id. Words that several sections quote are there once."""
    rows = await connection.fetch(
        """
        SELECT section, statement FROM profile_sections, jsonb_path_query(body::jsonb,
          'strict $.** ? (@.type() == "object" && exists(@.sources[0].quote))') AS statement
        WHERE company_id = $1 AND state = 'ready' AND section <> ALL($2::text[])
        ORDER BY section
        """,
        company_id,
        list(_COUNTED),
    )
    found: dict[UUID, ProfileStatement] = {}
    for row in rows:
        name = _name(row["section"], row["statement"])
        for source in row["statement"]["sources"]:
            if source.get("quote") and not source.get("pointer"):
                statement = _of(row["section"], name, source)
                found.setdefault(statement.statement_id, statement)
    return found


async def read_starts(
    connection: Connection, statements: Collection[ProfileStatement]
) -> dict[UUID, int]:
    """By statement, where its words begin in the text of its document; without those whose words stand
    there in other white space."""
    documents = list({statement.document_id for statement in statements})
    texts: dict[UUID, str] = {
        row["document_id"]: row["body_text"] or ""
        for row in await connection.fetch(
            "SELECT document_id, body_text FROM documents WHERE document_id = ANY($1::uuid[])",
            documents,
        )
    }
    found = {
        each.statement_id: texts.get(each.document_id, "").find(each.quote) for each in statements
    }
    return {statement_id: start for statement_id, start in found.items() if start >= 0}


def _name(section: str, statement: Mapping[str, Any]) -> str:
    named = (statement.get(key) for key in _NAMES)
    readable = section.replace("_", " ").capitalize()
    return next((name for name in named if isinstance(name, str) and name), readable)


def _of(section: str, name: str, source: Mapping[str, Any]) -> ProfileStatement:
    published = source.get("published_at")
    return ProfileStatement(
        section,
        name,
        source["quote"],
        UUID(source["document_id"]),
        source.get("url"),
        datetime.fromisoformat(published) if published else None,
    )
