"""Works on credit ledgers from several processes at once, kills some, and looks for lost credits.

    .venv/bin/python -m tests.bench.ledger --operations 200000 [--seed 7]

Processes grant, reserve, settle, release, charge, reserve in bulk and give back what was abandoned:
first spread over many organizations, then in one hot organization alone, then in both under SIGKILL.
They share the names of operations, so that each is tried by several at the same time, and write down
every answer. While they work every organization is audited again and again: the balance is the sum of
the ledger and not negative, and lines that were there stay as they were. Afterwards every answer is
found in the ledger exactly once, and nothing is in it that no one asked for. Prints one line of JSON;
exits 1 on any anomaly. A small run is among the tests.
"""

import argparse
import asyncio
import itertools
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sightline.domain.callers import OrganizationId
from sightline.domain.credits import CREDITS
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.organizations import create_organization
from tests.bench import ledger_process
from tests.bench.ledger_process import Share, amount_of

PROCESSES = 3
ORGANIZATIONS = 40
FIRST_GRANT = 300
HOT_SHARE = 0.3  # of the calls when the hot organization is one among all
# The parts of a run: (name, share of the operations, whether processes are killed).
PARTS = (("spread", 0.3, False), ("hot", 0.3, False), ("killed", 0.4, True))


@dataclass
class Report:
    """What a run did. Operations are calls of the ledger that were answered."""

    seed: int
    operations: int = 0
    kills: int = 0
    audits: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    lines: int = 0
    operations_per_second: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    anomalies: list[str] = field(default_factory=list)


Key = tuple[str, str, str]  # organization, credit, operation


@dataclass(frozen=True)
class Line:
    """`outcome` is "will" before a call, and afterwards how it was answered."""

    outcome: str
    who: str
    what: str
    keys: tuple[Key, ...]


class Journal:
    """What the processes wrote down, read as it grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0
        self.answered = 0
        path.touch()

    def catch_up(self) -> int:
        """How many calls were answered by now."""
        with self.path.open("rb") as file:
            file.seek(self._read)
            content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        self._read += len(whole)
        lines = whole.count(b"\n")
        self.answered += lines - sum(line.startswith(b"will") for line in whole.splitlines())
        return self.answered

    def lines(self) -> Iterator[Line]:
        """Everything, in the order in which it was written."""
        for text in self.path.read_text().splitlines():
            outcome, who, what, organization, credit, names = text.split("\t")
            keys = tuple((organization, credit, name) for name in names.split(",") if name)
            yield Line(outcome, who, what, keys)


class Auditor:
    """Reads ledgers while they are written to."""

    def __init__(self, app: Database, organizations: list[OrganizationId], report: Report) -> None:
        self._app, self._organizations, self._report = app, organizations, report
        self._seen: dict[tuple[OrganizationId, str], tuple[int, str]] = {}

    async def run(self) -> None:
        """Audit one organization after the other, without end."""
        for organization_id in itertools.cycle(self._organizations):
            await self.audit(organization_id)
            await asyncio.sleep(0.25)

    async def audit(self, organization_id: OrganizationId) -> None:
        """Compare balances with ledgers, in one snapshot, and old lines with what they were."""
        async with self._app.tenant(organization_id, repeatable=True) as connection:
            rows = await connection.fetch(AUDIT)
            for row in rows:
                key = (organization_id, row["credit"])
                count, digest = self._seen.get(key, (0, ""))
                if count and digest != await connection.fetchval(DIGEST, row["credit"], count):
                    self._report.anomalies.append(f"old lines of {key} have changed")
                new = await connection.fetchval(DIGEST, row["credit"], row["lines"])
                self._seen[key] = (row["lines"], new)
        for row in rows:
            if not row["agrees"]:
                self._report.anomalies.append(f"{organization_id}: {dict(row)}")
        self._report.audits += 1


# The balance is what the ledger sums up to, what its newest line says, and what was granted less what
# is reserved or settled.
AUDIT = """
SELECT b.credit, b.balance, l.amount, l.lines, r.held,
  b.balance >= 0 AND b.balance = l.amount AND b.balance = n.balance_after
    AND b.balance = l.granted - coalesce(r.held, 0) AND l.least >= 0 AS agrees
FROM credit_balances b
LEFT JOIN (SELECT credit, sum(amount) AS amount, count(*) AS lines, min(balance_after) AS least,
  sum(amount) FILTER (WHERE kind = 'grant') AS granted FROM credit_ledger GROUP BY 1) l USING (credit)
LEFT JOIN (SELECT DISTINCT ON (credit) credit, balance_after FROM credit_ledger
  ORDER BY credit, created_at DESC, entry_id DESC) n USING (credit)
LEFT JOIN (SELECT credit, sum(amount) FILTER (WHERE state <> 'released') AS held
  FROM credit_reservations GROUP BY 1) r USING (credit)
"""
DIGEST = """
SELECT md5(string_agg(entry_id::text || kind || amount || balance_after || operation, ',' ORDER BY n))
FROM (SELECT *, row_number() OVER (ORDER BY created_at, entry_id) AS n
  FROM credit_ledger WHERE credit = $1) l WHERE n <= $2
"""


async def run(
    url: str,
    report: Report,
    *,
    operations: int,
    pause: float = 1.5,
    most_seconds: float = float("inf"),
    least_kills: int = 3,
) -> None:
    """All parts; in the last one a process dies every `pause` seconds on average, `least_kills` of
    them. It ends early when it has taken `most_seconds`, and says how many operations it was."""
    began = time.monotonic()
    owner = await open_database(url, role="owner", size=2, wait_seconds=30)
    app = await open_database(url, size=4, wait_seconds=60, statement_timeout_seconds=120)
    organizations = await _organizations(owner, app)
    auditor = Auditor(app, organizations, report)
    with tempfile.TemporaryDirectory(prefix="sightline-ledger-") as folder:
        journal = Journal(Path(folder) / "journal")
        auditing = asyncio.create_task(auditor.run())
        for part, share, killing in PARTS:
            until = journal.catch_up() + int(operations * share)
            rate = await _run_part(
                url, report, journal, organizations, part=part, until=until,
                pause=pause if killing else None, most_seconds=most_seconds * share,
                least_kills=least_kills if killing else 0,
            )  # fmt: skip
            print(f"{part}: {journal.answered} operations", file=sys.stderr, flush=True)
            report.operations_per_second[part] = round(rate)
        auditing.cancel()
        await asyncio.gather(auditing, return_exceptions=True)
        await _wait_for_orphans(owner)
        for organization_id in organizations:
            await auditor.audit(organization_id)
        report.anomalies += await compare(app, organizations, journal, report)
    report.seconds = round(time.monotonic() - began, 1)
    await app.close()
    await owner.close()


async def _run_part(
    url: str,
    report: Report,
    journal: Journal,
    organizations: list[OrganizationId],
    *,
    part: str,
    until: int,
    pause: float | None,
    most_seconds: float,
    least_kills: int,
) -> float:
    """Answered calls a second, from the first on."""
    chance = random.Random(f"{report.seed}.{part}")
    hot, *others = organizations
    before = journal.answered
    if part == "hot":
        weights = [1] + [0] * len(others)
    elif part == "spread":
        weights = [0] + [1] * len(others)
    else:
        weights = [round(len(others) * HOT_SHARE / (1 - HOT_SHARE))] + [1] * len(others)
    spawn = multiprocessing.get_context("forkserver")
    spawn.set_forkserver_preload(["tests.bench.ledger_process"])
    started = 0

    def start() -> Any:
        nonlocal started
        started += 1
        share = Share(
            organizations=(hot, *others),
            weights=tuple(weights),
            seed=f"{report.seed}.{part}.{started}",
            part=part[0],
            done=journal.answered - before,
            connections=PROCESSES * ledger_process.CONNECTIONS,
        )
        process = spawn.Process(target=ledger_process.main, args=(url, share, journal.path))
        process.start()
        return process

    running = [start() for _ in range(PROCESSES)]
    first = journal.answered
    while journal.catch_up() == first:  # noqa: ASYNC110  other processes write it
        await asyncio.sleep(0.02)
    began, first = time.monotonic(), journal.answered
    try:
        while (
            journal.catch_up() < until or report.kills < least_kills
        ) and time.monotonic() - began < most_seconds:
            await asyncio.sleep(chance.expovariate(1 / pause) if pause else 0.1)
            if pause:
                victim = chance.randrange(PROCESSES)
                _end(running[victim])
                running[victim] = start()
                report.kills += 1
        return (journal.answered - first) / (time.monotonic() - began)
    finally:
        for process in running:
            _end(process)


@dataclass
class Expected:
    """What the ledger must and may hold, from the journal."""

    reserved: set[Key] = field(default_factory=set)  # answered: must be there
    granted: set[Key] = field(default_factory=set)
    closed: set[Key] = field(default_factory=set)
    asked: set[tuple[str, Key]] = field(default_factory=set)  # ("grant" or "reserve", key): may be

    def take(self, line: Line, about_held: dict[str, tuple[Key, ...]]) -> None:
        """Take in a line. `about_held` is whose call closes what had been reserved before it began."""
        kind = "grant" if line.what == "grant" else "reserve"
        if line.outcome == "will":
            if line.what in ("settle", "release"):
                about_held[line.who] = tuple(key for key in line.keys if key in self.reserved)
            elif line.what != "expire":
                self.asked |= {(kind, key) for key in line.keys}
        elif line.outcome == "done":
            match line.what:
                case "grant":
                    self.granted.update(line.keys)
                case "reserve" | "reserve_each":
                    self.reserved.update(line.keys)
                case "charge":
                    self.reserved.update(line.keys)
                    self.closed.update(line.keys)
                case "expire":
                    self.closed.update(line.keys)
                case _:
                    self.closed.update(about_held.get(line.who, ()))

    def differences(self, rows: Iterable[tuple[str, Key, int]]) -> Iterator[str]:
        """Where lines of the ledger (kind, key, amount) say otherwise."""
        there: dict[str, Counter[Key]] = defaultdict(Counter)
        for kind, key, amount in rows:
            family = "close" if kind in ("settle", "release") else kind
            there[family][key] += 1
            if kind == "reserve":
                wanted = 1 if "b" in key[2] else amount_of(key[2])
                if amount != -wanted:
                    yield f"{key} reserved {-amount} instead of {wanted}"
        for family, keys in there.items():
            yield from (f"{family} of {key} {n} times" for key, n in keys.items() if n > 1)
            if family != "close":
                yield from (f"unexpected {family} of {key}" for key in keys
                            if (family, key) not in self.asked)  # fmt: skip
        must = {"grant": self.granted, "reserve": self.reserved, "close": self.closed}
        for family, keys in must.items():
            yield from (f"{family} of {key} is lost" for key in keys - there[family].keys())
        for key in there["close"].keys() - there["reserve"].keys():
            yield f"{key} was closed and never reserved"


async def compare(
    app: Database, organizations: list[OrganizationId], journal: Journal, report: Report
) -> list[str]:
    """What the journal and the ledgers tell differently."""
    expected = Expected()
    about_held: dict[str, tuple[Key, ...]] = {}
    outcomes: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    found: list[str] = []
    for line in journal.lines():
        expected.take(line, about_held)
        if line.outcome != "will":
            outcomes[line.outcome] += 1
            calls[line.what] += 1
    found += [what for what in outcomes if what.startswith("failed")]
    rows: list[tuple[str, Key, int]] = []
    for organization_id in organizations:
        async with app.tenant(organization_id) as connection:
            read = await connection.fetch(
                "SELECT kind, credit, operation, amount FROM credit_ledger WHERE reason <> 'first'"
            )
        name = str(organization_id)
        rows += [(kind, (name, credit, op), amount) for kind, credit, op, amount in read]
    found += list(itertools.islice(expected.differences(rows), 50))
    report.lines, report.operations = len(rows), outcomes.total()
    report.outcomes, report.calls = dict(outcomes), dict(calls)
    return found


async def _organizations(owner: Database, app: Database) -> list[OrganizationId]:
    made = []
    for n in range(ORGANIZATIONS + 1):
        organization_id = await create_organization(owner, f"o{n}", name=str(n), plan="team")
        async with app.tenant(organization_id) as connection:
            for credit in CREDITS[:2]:
                await grant(connection, credit=credit, amount=FIRST_GRANT, reason="first")
        made.append(organization_id)
    return made


async def _wait_for_orphans(owner: Database) -> None:
    """What killed processes had begun ends when the server notices that they are gone."""
    for _ in range(300):
        async with owner.connection() as connection:
            others = await connection.fetchval(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                  AND application_name = 'sightline sightline_app' AND state <> 'idle'
                """
            )
        if not others:
            return
        await asyncio.sleep(0.1)


def _end(process: Any) -> None:
    process.kill()
    process.join()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--operations", type=int, default=200_000)
    parser.add_argument("--seed", type=int, help="of what is done and who dies when")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so long")
    asked = parser.parse_args()
    seed = random.randrange(1_000_000) if asked.seed is None else asked.seed
    print(f"seed {seed}", file=sys.stderr)
    report = Report(seed)
    with (
        tempfile.TemporaryDirectory(prefix="sightline-ledger-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        migrate(server.url)
        asyncio.run(
            run(
                server.url,
                report,
                operations=asked.operations,
                most_seconds=60 * asked.minutes,
            )
        )
    print(json.dumps(asdict(report)))
    sys.exit(1 if report.anomalies else 0)


if __name__ == "__main__":
    main()
