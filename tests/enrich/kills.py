"""Kills workers at random moments and looks for anything lost or done twice.

`python -m tests.enrich.kills --kills 1000` is the long run; a short one is among the tests.
"""

import argparse
import asyncio
import json
import multiprocessing
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sightline.domain.callers import OrganizationId
from sightline.enrich.submit import submit
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.credits import grant
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.operations import Asker
from sightline.store.organizations import create_organization
from tests.enrich import worker_process
from tests.enrich.conftest import RecordedWeb

CREDITS = 1_000_000
COMPANIES = 40


@dataclass
class Report:
    """What a run did, and every anomaly it found."""

    kills: int = 0
    operations: int = 0
    seconds: float = 0.0
    longest_recovery_seconds: float = 0.0
    anomalies: list[str] = field(default_factory=list)


def write_web(folder: Path) -> None:
    web = RecordedWeb(folder)
    rows = []
    for n in range(COMPANIES):
        rows.append(
            {"id": f"LEI{n}", "name": f"Company {n:03d} of Test", "domain": f"c{n}.example"}
        )
    web.answer("https://register.example/companies.json", json.dumps(rows))
    kept = web.rows
    for n in range(COMPANIES):
        for url, text in (
            (f"https://register.example/LEI{n}.txt", f'lei: "LEI{n}"\nhq_city: "City {n}"'),
            (
                f"https://c{n}.example/",
                f'company_name: "Company {n:03d} of Test"\nemployees: {100 + n}',
            ),
        ):
            one = RecordedWeb(folder)
            one.answer(url, text, media_type="text/plain")
            kept = kept + one.rows
    (folder / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in kept))


async def run(url: str, *, kills: int, workers: int = 2) -> Report:
    """Run until `kills` workers were killed and every operation has ended."""
    report, began = Report(), time.monotonic()
    owner = await open_database(url, role="owner", size=2, wait_seconds=30)
    app = await open_database(url, size=4, wait_seconds=30, statement_timeout_seconds=60)
    organization_id = await create_organization(owner, "kills", name="Kills", plan="enterprise")
    async with app.tenant(organization_id) as connection:
        await grant(connection, organization_id, credit="company", amount=CREDITS, reason="test")
    with tempfile.TemporaryDirectory(prefix="sightline-kills-") as name:
        folder = Path(name)
        write_web(folder)
        # A fork of a process that has imported everything is at work in milliseconds, so that kills
        # hit the work and not the start.
        spawn = multiprocessing.get_context("forkserver")
        spawn.set_forkserver_preload(["tests.enrich.worker_process"])

        def start() -> Any:
            process = spawn.Process(target=worker_process.main, args=(url, str(folder)))
            process.start()
            return process

        running = [start() for _ in range(workers)]
        try:
            while report.kills < kills:
                await _top_up(app, organization_id, report)
                await asyncio.sleep(random.expovariate(1 / 0.35))
                victim = random.randrange(workers)
                running[victim].kill()
                running[victim].join()
                running[victim] = start()
                report.kills += 1
            killed = time.monotonic()
            while await _open(app, organization_id):
                await asyncio.sleep(0.2)
                if time.monotonic() - killed > 120:
                    report.anomalies.append("operations did not end within 120 s of the last kill")
                    break
            report.longest_recovery_seconds = time.monotonic() - killed
        finally:
            for process in running:
                process.kill()
                process.join()
    report.anomalies += await find_anomalies(app, organization_id)
    report.seconds = time.monotonic() - began
    await app.close()
    await owner.close()
    return report


async def _top_up(app: Database, organization_id: OrganizationId, report: Report) -> None:
    while await _open(app, organization_id) < 400:
        async with app.tenant(organization_id) as connection:
            for _ in range(50):
                n = random.randrange(COMPANIES)
                asked = random.choice(
                    [{"domain": f"c{n}.example"}, {"company_name": f"Company {n:03d} of Test"}]
                )
                await submit(
                    connection, organization_id, asked, costs={}, asker=Asker(None, None, None)
                )
                report.operations += 1


async def _open(app: Database, organization_id: OrganizationId) -> int:
    async with app.tenant(organization_id) as connection:
        count: int = await connection.fetchval(
            "SELECT count(*) FROM operations WHERE finished_at IS NULL"
        )
        return count


CHECKS: dict[str, str] = {
    "an operation that did not succeed": """
        SELECT operation_id::text FROM operations WHERE status <> 'succeeded'""",
    "an operation whose ledger is not one reservation and one end": """
        SELECT o.operation_id::text FROM operations o
        LEFT JOIN credit_ledger l ON l.operation = 'operation:' || o.operation_id
        WHERE o.amount > 0 GROUP BY o.operation_id
        HAVING count(*) FILTER (WHERE l.kind = 'reserve') <> 1
          OR count(*) FILTER (WHERE l.kind IN ('settle', 'release')) <> 1""",
    "an operation that says another charge than the ledger": """
        SELECT o.operation_id::text FROM operations o
        JOIN credit_reservations r ON r.operation = 'operation:' || o.operation_id
        WHERE r.state <> o.charge""",
    "a company charged twice": """
        SELECT company_id::text FROM operations WHERE charge = 'settled'
        GROUP BY company_id HAVING count(*) > 1""",
    "a company that is there twice": """
        SELECT website_domain FROM companies GROUP BY 1 HAVING count(*) > 1
        UNION ALL SELECT company_name FROM companies GROUP BY 1 HAVING count(*) > 1""",
    "an account that is there twice": """
        SELECT company_name FROM accounts GROUP BY 1 HAVING count(*) > 1""",
    "a fact that is there twice": """
        SELECT field FROM facts WHERE withdrawn_at IS NULL
        GROUP BY company_id, field, member, source, value HAVING count(*) > 1""",
    "a company with a field missing": """
        SELECT company_name FROM companies
        WHERE NOT record ?& ARRAY['hq_city', 'full_time_employees', 'website_domain']""",
    "an account that shows an old record": """
        SELECT a.company_name FROM accounts a JOIN account_records r USING (account_id)
        JOIN companies c USING (company_id) WHERE r.document <> c.document""",
    "work left on the queue": "SELECT subject FROM work WHERE kind = 'company_enrichment'",
}


async def find_anomalies(app: Database, organization_id: OrganizationId) -> list[str]:
    """Every rule that something in the database breaks."""
    found = []
    async with app.tenant(organization_id) as connection:
        for what, query in CHECKS.items():
            rows = await connection.fetch(query)
            found += [f"{what}: {row[0]}" for row in rows[:5]]
        balance = await connection.fetchval(
            "SELECT balance FROM credit_balances WHERE credit = 'company'"
        )
        settled = await connection.fetchval(
            "SELECT count(*) FROM credit_reservations WHERE state = 'settled'"
        )
        if balance + settled != CREDITS:
            found.append(f"credits do not add up: {balance} + {settled}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    kills = parser.parse_args().kills
    with (
        tempfile.TemporaryDirectory(prefix="sightline-kills-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        migrate(server.url)
        report = asyncio.run(run(server.url, kills=kills))
    print(json.dumps(report.__dict__, indent=2))
    sys.exit(1 if report.anomalies else 0)


if __name__ == "__main__":
    main()
