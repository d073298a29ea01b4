"""Proof of an answer: every quote appears verbatim in its document."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from sightline.assistant.contract import Source, Statement
from sightline.reading.stated import normalized
from sightline.store.assistant import plain_texts, words_stand
from sightline.store.database import Connection


async def prove(connection: Connection, statements: Sequence[Statement]) -> list[Statement]:
    """The statements whose every quote stands in its document, white space normalized.

    A quote of a source that also has a place in data is dropped for the place where the document does
    not have it; a statement with a quote that is nowhere is not said.
    """
    quoted = [
        (source.document_id, source.quote)
        for statement in statements
        for source in statement.sources
        if source.quote is not None and source.document_id is not None
    ]
    found = await _standing(connection, list(dict.fromkeys(quoted)))
    proven = []
    for statement in statements:
        sources = [_proven(source, found) for source in statement.sources]
        kept = tuple(source for source in sources if source is not None)
        if kept and len(kept) == len(sources):
            proven.append(replace(statement, sources=kept))
    return proven


async def _standing(
    connection: Connection, quoted: Sequence[tuple[UUID, str]]
) -> set[tuple[UUID, str]]:
    """Those of some quotes that stand in their documents."""
    exact = await words_stand(connection, quoted)
    found = {key for key, stands in zip(quoted, exact, strict=True) if stands}
    rest = [key for key in quoted if key not in found]
    texts = await plain_texts(connection, {one for one, _ in rest}) if rest else {}
    plain = {one: normalized(text) for one, text in texts.items()}
    return found | {key for key in rest if normalized(key[1]) in plain.get(key[0], "")}


def _proven(source: Source, found: set[tuple[UUID, str]]) -> Source | None:
    if source.quote is None:
        return source if source.pointer else None
    if source.document_id is not None and (source.document_id, source.quote) in found:
        return replace(source, quote=normalized(source.quote))
    return replace(source, quote=None, title=source.pointer) if source.pointer else None
