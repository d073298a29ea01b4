"""Whether account search by the index answers as SQL does: many checks, with writers in between.

.venv/bin/python -m tests.bench.account_index [--checks 1000000] [--seed 1]
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.account_index import columns, index
from sightline.store.database import open_database
from sightline.store.migrate import migrate
from tests.store.account_index_world import IndexMachine

# Examples of one round of the machine, after which the checks are counted.
EXAMPLES = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    index.LEAST_CHANGED = 20
    columns.FEW_VALUES, columns.MANY = 4, 8
    IndexMachine.questions = 25
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as postgres:
        migrate(postgres.url)
        with asyncio.Runner() as runner:
            IndexMachine.runner = runner
            IndexMachine.owner = runner.run(open_database(postgres.url, role="owner", size=1))
            IndexMachine.database = runner.run(
                open_database(postgres.url, size=10, wait_seconds=60, statement_timeout_seconds=120)
            )
            number = asked.seed
            while IndexMachine.checks < asked.checks:
                run_state_machine_as_test(
                    seed(number)(IndexMachine),
                    settings=settings(
                        max_examples=EXAMPLES,
                        stateful_step_count=40,
                        deadline=None,
                        database=None,
                        suppress_health_check=list(HealthCheck),
                    ),
                )
                number += 1
                print(
                    f"{IndexMachine.checks} checks, 0 differences, {IndexMachine.by_sql} by SQL,"
                    f" {time.monotonic() - began:.0f} s",
                    flush=True,
                )
            runner.run(IndexMachine.database.close())
            runner.run(IndexMachine.owner.close())


if __name__ == "__main__":
    main()
