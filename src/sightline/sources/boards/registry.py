"""The job boards in `domain/data/job_boards.toml`, each with the row of its file."""

from importlib import import_module
from typing import Final

from sightline.domain.tables import toml_table
from sightline.sources.boards.board import Board

KINDS: Final = tuple(toml_table("job_boards.toml")["hosts"])


def _board(kind: str) -> Board:
    row: Board = import_module(f"sightline.sources.boards.{kind}").BOARD
    return row


BOARDS: Final[dict[str, Board]] = {kind: _board(kind) for kind in KINDS}
HOSTS: Final = frozenset(host for board in BOARDS.values() for host in board.hosts)
"""Domains of the systems: an address there says nothing of an employer's own site."""
