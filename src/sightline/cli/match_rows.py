"""Rows of `match`, and the plain call of it, which needs no command-line library."""

import gc
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def run_plain(arguments: Sequence[str]) -> bool:
    """Run ``LEFT --against RIGHT --json``. False, with nothing printed, for other arguments, at a
    terminal, where progress is shown, and when anything goes wrong: the command itself then tells it."""
    rest = [each for each in arguments if each != "--json"]
    if len(arguments) != len(rest) + 1 or len(rest) != 3 or rest[1] != "--against":
        return False
    if rest[0].startswith("-") or rest[2].startswith("-") or sys.stderr.isatty():
        return False
    try:
        rows = matched_rows(Path(rest[0]), Path(rest[2]), None)
    except Exception:
        return False
    print_rows(rows)
    return True


def matched_rows(left: Path, against: Path, threshold: float | None) -> list[dict[str, Any]]:
    """Two files against each other: a row for each of LEFT. Raises FileIsNoTable."""
    # Millions of small objects without a cycle: collecting would only walk over them again and again.
    gc.disable()
    from sightline.match.lists import match_lists
    from sightline.match.tables import read_records

    return [
        {
            "left_id": row.left_id,
            "right_id": row.right_id,
            "score": row.score,
            "decision": row.decision,
            "features": row.features,
            "candidates": list(row.candidates),
        }
        for row in match_lists(read_records(left), read_records(against), threshold=threshold)
    ]


def print_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """A JSON array with one row a line: long lists stay readable, and are written fast."""
    body = ",\n".join(map(_as_json, rows))
    sys.stdout.write(f"[\n{body}\n]\n" if rows else "[]\n")


_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def _as_json(row: Mapping[str, Any]) -> str:
    """A row as JSON. Its features, most of the text, are names without signs to escape, and numbers."""
    features = ", ".join(
        [
            f'{{"name": "{name}", "value": {value}, "weight": {weight}}}'
            for name, value, weight in row["features"]
        ]
    )
    plain = _ENCODE({name: value for name, value in row.items() if name != "features"})
    return f'{plain[:-1]}, "features": [{features}]}}'
