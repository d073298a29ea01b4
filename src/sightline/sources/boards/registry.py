"""THE LIST of job boards: a new one is a file with its row, and its name here."""

from importlib import import_module
from typing import Final

from sightline.sources.boards.board import Board

# In the order in which an unknown answer is compared with them.
KINDS: Final = (
    "greenhouse", "lever", "ashby", "smartrecruiters", "workable", "recruitee", "teamtailor",
    "personio", "bamboohr", "workday", "eightfold", "oracle", "pinpoint", "rippling", "breezy",
    "phenom", "icims", "jobvite", "jazzhr", "paylocity", "hrmdirect", "neogov", "job_pages",
)  # fmt: skip


def _board(kind: str) -> Board:
    row: Board = import_module(f"sightline.sources.boards.{kind}").BOARD
    return row


BOARDS: Final[dict[str, Board]] = {kind: _board(kind) for kind in KINDS}
HOSTS: Final = frozenset(host for board in BOARDS.values() for host in board.hosts)
"""Domains of the systems: an address there says nothing of an employer's own site."""
