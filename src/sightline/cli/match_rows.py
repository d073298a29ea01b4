"""Output rows of `match`, and its simplest calls, which need no command-line library."""

import gc
import sys
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any


def run_plain(arguments: Sequence[str]) -> bool:
    """Run ``LEFT --against RIGHT --json`` or ``--pairs FILE --json``. False, with nothing printed, for
    other arguments, at a terminal, where progress is shown, and when anything goes wrong: the command
    itself then tells it.
    """
    if "--json" not in arguments or sys.stderr.isatty():
        return False
    rest = list(arguments)
    rest.remove("--json")
    match rest:
        case ["--pairs", pairs] if pairs[:1] != "-":
            left, against = pairs, None
        case [left, "--against", against] if left[:1] != "-" != against[:1]:
            pass
        case _:
            return False
    try:
        rows = (
            matched_rows(Path(left), Path(against), None)
            if against is not None
            else scored_rows(Path(left), None)
        )
    except Exception:
        return False
    print_rows(rows)
    return True


def matched_rows(left: Path, against: Path, threshold: float | None) -> list[dict[str, Any]]:
    """Two files against each other: a row for each of LEFT. Raises FileIsNoTable."""
    # Millions of small objects without a cycle: collecting would only walk over them again and again.
    gc.disable()
    from sightline.cli.match_tables import read_records
    from sightline.match.lists import match_lists

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


def scored_rows(path: Path, threshold: float | None) -> list[dict[str, Any]]:
    """A row for each given pair of a file. Raises FileIsNoTable."""
    gc.disable()
    from sightline.cli.match_tables import read_pairs
    from sightline.match.model import shipped_weights
    from sightline.match.scoring import score_pairs

    given = read_pairs(path)
    least = shipped_weights().pairs_threshold if threshold is None else threshold
    rows = []
    for (left, right), one in zip(given, score_pairs(given), strict=True):
        same = one.score >= least
        rows.append(
            {
                "left_id": left.id,
                "right_id": right.id if same else None,
                "score": one.score,
                "decision": "matched" if same else "no_match",
                "features": one.features,
            }
        )
    return rows


def print_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """A JSON array with one row a line: long lists stay readable, and are written fast."""
    texts = _Texts()
    body = ",\n".join([_as_json(row, texts) for row in rows])
    sys.stdout.write(f"[\n{body}\n]\n" if rows else "[]\n")


class _Texts(dict[float, str]):
    """Numbers as text, each made once: most of the output is a few numbers again and again."""

    def __missing__(self, number: float) -> str:
        text = self[number] = repr(number)
        return text


def _as_json(row: Mapping[str, Any], texts: _Texts) -> str:
    """A row as JSON. Only its ids have signs to escape."""
    right = "null" if row["right_id"] is None else encode_basestring(row["right_id"])
    near = ", ".join(map(encode_basestring, row.get("candidates", ())))
    candidates = f'"candidates": [{near}], ' if "candidates" in row else ""
    features = ", ".join(
        [
            f'{{"name": "{name}", "value": {texts[value]}, "weight": {texts[weight]}}}'
            for name, value, weight in row["features"]
        ]
    )
    return (
        f'{{"left_id": {encode_basestring(row["left_id"])}, "right_id": {right}, '
        f'"score": {row["score"]}, "decision": "{row["decision"]}", {candidates}"features": [{features}]}}'
    )
