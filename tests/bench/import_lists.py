"""Import every recorded list into a fresh organization, twice; print time, memory and counts.

Run: .venv/bin/python tests/bench/import_lists.py [word of a path …] [--rows N for a made-up list as well]
Needs the recorded public data (SIGHTLINE_SHARED, or ../shared beside the project).
"""

import argparse
import asyncio
import csv
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def lists(shared: Path, words: list[str]) -> dict[str, list[Path]]:
    """Title -> files; the yearly and per-batch files of one publisher are one title."""
    found: dict[str, list[Path]] = {}
    for path in sorted(p for p in (shared / "data" / "lists").rglob("*") if p.is_file()):
        folder = path.parent.name
        many = {"batches": "yc/batches", "sp500_history": "sp500_history"}
        title = many.get(folder, str(path.relative_to(shared / "data" / "lists")))
        if folder == "fortune500" and path.suffix == ".csv":
            title = "fortune500/*.csv"
        if not words or any(word in str(path) for word in words):
            found.setdefault(title, []).append(path)
    return found


def made_up(rows: int, folder: Path) -> Path:
    """A list of invented companies, all different."""
    path = folder / f"made-up-{rows}.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            ["Id", "Company", "Website", "City", "State", "Country", "Industry", "Employees"]
        )
        for n in range(rows):
            writer.writerow(
                [f"A{n:08}", f"Invented Company {n} Inc.", f"https://www.invented-{n}.com", "Austin", "TX",
                 "USA", "Software", n % 5000 + 1]
            )  # fmt: skip
    return path


def run(url: str, slug: str, files: list[Path], sender: Connection) -> None:
    """In a process of its own, so that its peak of memory is that of these files."""
    sender.send(asyncio.run(measure(url, slug, files)))


async def measure(url: str, slug: str, files: list[Path]) -> list[dict[str, Any]]:
    """A row for the first and one for the second import of the files, or one for a refusal."""
    from sightline.imports.rows import FileIsNotReadable
    from sightline.imports.run import import_accounts
    from sightline.imports.spool import ImportOptions
    from sightline.store.database import open_database
    from sightline.store.organizations import create_organization

    owner = await open_database(url, role="owner", size=1, wait_seconds=30)
    organization_id = await create_organization(owner, slug, name=slug)
    database = await open_database(url, size=2, wait_seconds=30, statement_timeout_seconds=600)
    measured = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for turn in ("first", "again"):
        counts = dict.fromkeys(("rows", "created", "updated", "unchanged", "bad", "dropped"), 0)
        started = time.monotonic()
        refusal = ""
        for path in files:
            options = ImportOptions(report=Path(os.devnull))
            try:
                summary = await import_accounts(database, organization_id, path, options=options)
            except FileIsNotReadable as error:
                refusal = f"refused: {str(error)[:60]}…"
                continue
            for name in counts:
                counts[name] += getattr(summary, name)
        measured.append(
            {
                "turn": turn,
                "seconds": time.monotonic() - started,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "start": before / 1024,
                "refusal": refusal,
            }
            | counts
        )
        if refusal and not counts["rows"]:
            break
    await database.close()
    await owner.close()
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rows", type=int, default=0)
    given = parser.parse_args()
    shared = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared"))
    if not shared.is_dir() and not given.rows:
        print(f"NOT RUN: the recorded public data is absent ({shared}).", file=sys.stderr)
        return 1

    from sightline.kit.postgres import EmbeddedPostgres
    from sightline.store.migrate import migrate

    print(f"{'list':46} {'':5} {'rows':>8} {'s':>7} {'rows/s':>7} {'peak MB':>7} {'created':>8} "
          f"{'updated':>8} {'unchanged':>9} {'bad':>5} {'dropped':>7}")  # fmt: skip
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "data") as server:
        migrate(server.url)
        titled = lists(shared, given.words) if shared.is_dir() else {}
        if given.rows:
            titled[f"made up, {given.rows:,} rows"] = [made_up(given.rows, Path(folder))]
        for number, (title, files) in enumerate(titled.items()):
            receiver, sender = spawn.Pipe(duplex=False)
            child = spawn.Process(target=run, args=(server.url, f"bench-{number}", files, sender))
            child.start()
            sender.close()
            try:
                measured = receiver.recv()
            except EOFError:
                print(f"{title:46} FAILED")
                measured = []
            child.join()
            for row in measured:
                speed = row["rows"] / row["seconds"] if row["seconds"] else 0
                print(f"{title[-46:]:46} {row['turn']:5} {row['rows']:8,} {row['seconds']:7.2f} "
                      f"{speed:7,.0f} {row['peak']:7.0f} {row['created']:8,} {row['updated']:8,} "
                      f"{row['unchanged']:9,} {row['bad']:5,} {row['dropped']:7,} {row['refusal']}",
                      flush=True)  # fmt: skip
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
