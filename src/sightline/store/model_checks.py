"""The latest result of `model check` for each language model."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from asyncpg import Record

from sightline.store.database import Connection

_PARAPHRASE: Final = "paraphrase"


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs of one kind, and how many of them were judged rightly."""

    kind: str
    asked: int
    right: int


@dataclass(frozen=True, slots=True)
class Checked:
    """A check of the model `model` at `base_url` ("" for the provider's own) by a version of the prompt."""

    model: str
    base_url: str
    version: int
    scores: tuple[Score, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """The outcome of a check: falsehoods refused and paraphrases kept, each of how many."""

    model: str
    refused: tuple[int, int]
    kept: tuple[int, int]
    checked_at: datetime

    @property
    def counts(self) -> dict[str, int]:
        """All four numbers by name."""
        (refused, falsehoods), (kept, paraphrases) = self.refused, self.kept
        return {
            "falsehoods": falsehoods,
            "refused": refused,
            "paraphrases": paraphrases,
            "kept": kept,
        }


async def write_check(connection: Connection, made: Checked) -> ModelCheck:
    """Keep a check in the place of an earlier one of the same model, address and version."""
    false = [each for each in made.scores if each.kind != _PARAPHRASE]
    true = [each for each in made.scores if each.kind == _PARAPHRASE]
    row = await connection.fetchrow(
        """
        INSERT INTO model_checks (model, base_url, version, refused, falsehoods, kept, paraphrases,
          scores, tokens)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (model, base_url, version) DO UPDATE SET refused = excluded.refused,
          falsehoods = excluded.falsehoods, kept = excluded.kept,
          paraphrases = excluded.paraphrases, scores = excluded.scores, tokens = excluded.tokens,
          checked_at = now()
        RETURNING model, refused, falsehoods, kept, paraphrases, checked_at
        """,
        made.model,
        made.base_url,
        made.version,
        sum(each.right for each in false),
        sum(each.asked for each in false),
        sum(each.right for each in true),
        sum(each.asked for each in true),
        [asdict(each) for each in made.scores],
        made.tokens,
    )
    assert row is not None
    return _check(row)


async def read_check(
    connection: Connection, model: str, base_url: str, version: int
) -> ModelCheck | None:
    """The last check of a model; None when there was none."""
    row = await connection.fetchrow(
        """
        SELECT model, refused, falsehoods, kept, paraphrases, checked_at FROM model_checks
        WHERE model = $1 AND base_url = $2 AND version = $3
        """,
        model,
        base_url,
        version,
    )
    return _check(row) if row else None


def _check(row: Record) -> ModelCheck:
    return ModelCheck(
        row["model"],
        (row["refused"], row["falsehoods"]),
        (row["kept"], row["paraphrases"]),
        row["checked_at"],
    )
