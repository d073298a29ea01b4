"""An organization's seller context, and its questions about companies."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import asyncpg

from sightline.domain.errors import NameIsTaken
from sightline.kit.ids import new_id
from sightline.store.database import Tenant
from sightline.store.pages import Rows, utc

_QUESTION = f"""
  json_build_object('id', q.question_id, 'name', q.name, 'question', q.question,
    'keywords', q.keywords, 'created_at', {utc("q.created_at")},
    'updated_at', {utc("q.updated_at")})
"""
_QUESTIONS = Rows("custom_questions q", _QUESTION, "question_id")
read_question = _QUESTIONS.one
questions_page = _QUESTIONS.page


async def read_context(tenant: Tenant) -> tuple[dict[str, Any], int]:
    """The seller context and its version; empty and 0 when none was ever set."""
    row = await tenant.row(
        "SELECT context, version FROM seller_contexts WHERE organization_id = $1"
    )
    return (dict(row["context"]), row["version"]) if row else ({}, 0)


async def change_context(tenant: Tenant, given: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the given parts of the seller context; answers all of it."""
    context: dict[str, Any] = await tenant.value(
        """
        INSERT INTO seller_contexts AS s (organization_id, context) VALUES ($1, $2)
        ON CONFLICT (organization_id) DO UPDATE SET context = s.context || excluded.context,
          version = s.version + 1, updated_at = now()
        RETURNING context
        """,
        dict(given),
    )
    return context


async def all_questions(tenant: Tenant) -> list[dict[str, Any]]:
    """Every question of the organization, by name."""
    rows = await tenant.rows(
        """
        SELECT question_id, name, question, keywords FROM custom_questions
        WHERE organization_id = $1 ORDER BY lower(name), question_id
        """
    )
    return [dict(row) for row in rows]


async def add_question(tenant: Tenant, values: Mapping[str, Any]) -> UUID:
    """Store a question (name, question, keywords). Raises NameIsTaken."""
    question_id = new_id()
    try:
        await tenant.run(
            """
            INSERT INTO custom_questions (organization_id, question_id, name, question, keywords)
            VALUES ($1, $2, $3, $4, $5)
            """,
            question_id,
            values["name"],
            values["question"],
            list(values["keywords"]),
        )
    except asyncpg.UniqueViolationError as error:
        raise NameIsTaken(f"There is a question {values['name']!r} already.") from error
    await change_context(tenant, {})
    return question_id


async def change_question(tenant: Tenant, question_id: UUID, given: Mapping[str, Any]) -> bool:
    """Replace the given parts of a question; False when there is none. Raises NameIsTaken."""
    try:
        changed = await tenant.value(
            """
            UPDATE custom_questions SET name = coalesce($3, name),
              question = coalesce($4, question), keywords = coalesce($5, keywords),
              updated_at = now()
            WHERE organization_id = $1 AND question_id = $2 RETURNING true
            """,
            question_id,
            given.get("name"),
            given.get("question"),
            given.get("keywords"),
        )
    except asyncpg.UniqueViolationError as error:
        raise NameIsTaken(f"There is a question {given['name']!r} already.") from error
    if changed:
        await change_context(tenant, {})
    return bool(changed)


async def delete_question(tenant: Tenant, question_id: UUID) -> bool:
    """Take a question away; False when there is none."""
    deleted = await tenant.value(
        """
        DELETE FROM custom_questions WHERE organization_id = $1 AND question_id = $2
        RETURNING true
        """,
        question_id,
    )
    if deleted:
        await change_context(tenant, {})
    return bool(deleted)
