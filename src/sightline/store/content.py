"""An organization's stored content about companies, its templates and its settings."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

import asyncpg

from sightline.domain.callers import UserId
from sightline.domain.errors import NameIsTaken
from sightline.kit.ids import new_id
from sightline.store.companies import ids_of
from sightline.store.database import Tenant
from sightline.store.pages import Pages, Rows, Slice, Where, read_rows, utc

ContentType = Literal["email", "notes", "call_script", "document", "value_pyramid", "three_whys"]

_ITEM = f"""
  json_build_object('content_id', c.content_id, 'company_id', c.company_id,
    'content_type', c.content_type, 'content_setting_id', c.setting_id, 'title', c.title,
    'content', c.body, 'ref_content_template_id', c.template_id,
    'created_at', {utc("c.created_at")},
    'updated_at', {utc("c.updated_at")},
    'method', c.method, 'sources', c.sources)
"""
_CONTENT = Rows("content c", _ITEM, "content_id", "created_at", "timestamptz", descending=True)
read_content = _CONTENT.one
delete_content = _CONTENT.delete
# What templates and settings are made of: table, id column, the columns that are given.
_KINDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "template": ("content_templates", "template_id", ("name", "content_type", "body")),
    "setting": (
        "content_settings",
        "setting_id",
        ("name", "tone", "language", "length", "signature"),
    ),
}
Kind = Literal["template", "setting"]


async def add_content(
    tenant: Tenant,
    *,
    company_id: UUID,
    content_type: ContentType,
    title: str,
    body: str,
    method: str,
    sources: Sequence[Mapping[str, Any]],
    template_id: UUID | None,
    setting_id: UUID | None,
    created_by: UserId,
) -> UUID:
    """Keep a piece of content; returns its id. A template or setting that was deleted while it was
    written is left out, as it is from what was kept before."""
    content_id = new_id()
    await tenant.run(
        """
        INSERT INTO content (organization_id, content_id, company_id, content_type, title, body,
          method, sources, template_id, setting_id, created_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
          (SELECT template_id FROM content_templates
           WHERE organization_id = $1 AND template_id = $9 FOR KEY SHARE),
          (SELECT setting_id FROM content_settings
           WHERE organization_id = $1 AND setting_id = $10 FOR KEY SHARE), $11)
        """,
        content_id,
        company_id,
        content_type,
        title,
        body,
        method,
        [dict(source) for source in sources],
        template_id,
        setting_id,
        created_by,
    )
    return content_id


async def update_content(
    tenant: Tenant, content_id: UUID, *, title: str | None, body: str | None
) -> bool:
    """Change title or text; what a person wrote no longer counts as composed. False: no such one."""
    done = await tenant.run(
        """
        UPDATE content SET title = coalesce($3, title), body = coalesce($4, body),
          method = CASE WHEN $4 IS NULL OR $4 = body THEN method ELSE 'written' END,
          sources = CASE WHEN $4 IS NULL OR $4 = body THEN sources ELSE '[]' END,
          updated_at = clock_timestamp()
        WHERE organization_id = $1 AND content_id = $2
        """,
        content_id,
        title,
        body,
    )
    return done == "UPDATE 1"


async def content_page(
    tenant: Tenant, company_id: UUID, *, content_type: str | None, part: Slice
) -> Pages:
    """Content about a company, newest first."""
    where = Where("organization_id = $1", [tenant.organization_id])
    where.add(f"company_id = ANY({ids_of('ARRAY[{}::uuid]')})", company_id)
    where.add("content_type = {}", content_type)
    return await read_rows(tenant, _CONTENT, where, part=part)


async def save_kept(
    tenant: Tenant, kind: Kind, kept_id: UUID | None, values: Mapping[str, Any]
) -> UUID | None:
    """Make a template or setting (no id), or change what is given; returns its id, None if missing.

    Raises NameIsTaken.
    """
    table, key, columns = _KINDS[kind]
    given = [name for name in columns if name in values]
    try:
        if kept_id is None:
            kept_id = new_id()
            names = ", ".join(given)
            places = ", ".join(f"${n}" for n in range(3, 3 + len(given)))
            await tenant.run(
                f"INSERT INTO {table} (organization_id, {key}, {names}) VALUES ($1, $2, {places})",
                kept_id,
                *(values[name] for name in given),
            )
            return kept_id
        changes = "".join(f", {name} = ${n}" for n, name in enumerate(given, start=3))
        done = await tenant.run(
            f"UPDATE {table} SET updated_at = now(){changes}"
            f" WHERE organization_id = $1 AND {key} = $2",
            kept_id,
            *(values[name] for name in given),
        )
    except asyncpg.UniqueViolationError as error:
        raise NameIsTaken(f"There is a {kind} named {values['name']!r} already.") from error
    return kept_id if done == "UPDATE 1" else None


async def find_kept(tenant: Tenant, kind: Kind, kept_id: UUID) -> dict[str, Any] | None:
    """A template or setting by its columns; None if there is none."""
    table, key, columns = _KINDS[kind]
    row = await tenant.row(
        f"SELECT {', '.join(columns)} FROM {table} WHERE organization_id = $1 AND {key} = $2",
        kept_id,
    )
    return dict(row) if row else None


def kept_object(kind: Kind) -> str:
    """The JSON object of a template or setting, as SQL."""
    _, key, columns = _KINDS[kind]
    fields = "".join(f", '{name}', {name}" for name in columns)
    return f"""
      json_build_object('id', {key}{fields},
        'created_at', {utc("created_at")},
        'updated_at', {utc("updated_at")})
    """


def kept(kind: Kind) -> Rows:
    """Templates or settings by name. Content made with one that is deleted stays."""
    table, key, _ = _KINDS[kind]
    return Rows(table, kept_object(kind), key)
