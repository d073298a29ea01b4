"""What may be said: every quote stands word for word in its document."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from sightline.assistant.contract import Source, Statement
from sightline.profile.sentences import spaced
from sightline.store.assistant import words_held
from sightline.store.database import Connection
from sightline.store.profile_evidence import document_texts


async def prove(
    connection: Connection, company_id: UUID, statements: Sequence[Statement]
) -> list[Statement]:
    """The statements whose every quote is held, white space normalised.

    A quote of a fact that also has a place in data is dropped for the place; a statement with a quote
    that is nowhere is not said.
    """
    quoted = [
        (source.document_id, source.quote)
        for statement in statements
        for source in statement.sources
        if source.quote is not None
    ]
    quoted = list(dict.fromkeys(quoted))
    exact = await words_held(connection, [(one, words) for one, words in quoted])
    held = {key for key, is_held in zip(quoted, exact, strict=True) if is_held}
    rest = [key for key in quoted if key not in held]
    if rest:
        texts = await document_texts(connection, company_id, {one for one, _ in rest})
        plain = {one: spaced(text.text) for one, text in texts.items()}
        held |= {key for key in rest if spaced(key[1] or "") in plain.get(key[0], "")}
    proven = []
    for statement in statements:
        sources = [_proven(source, held) for source in statement.sources]
        kept = tuple(source for source in sources if source is not None)
        if kept and len(kept) == len(sources):
            proven.append(replace(statement, sources=kept))
    return proven


def _proven(source: Source, held: set[tuple[UUID, str]]) -> Source | None:
    if source.quote is None:
        return source if source.pointer else None
    if (source.document_id, source.quote) in held:
        return replace(source, quote=spaced(source.quote))
    return replace(source, quote=None, title=source.pointer) if source.pointer else None
