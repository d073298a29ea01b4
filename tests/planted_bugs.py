"""Plant known bugs, one at a time, in a copy of the tree, and see that a test catches each.

Run: make planted-bugs, or python -m tests.planted_bugs [word of a name ...]. Takes minutes. Fails for a
bug that no test catches, for a patch that no longer applies, and where the tests fail without a bug.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_COPIED: Final = ("src", "tests", "pyproject.toml")
_LONGEST_SECONDS: Final = 300
_FAILED: Final = 1  # pytest's exit code where tests failed, and not something around them


@dataclass(frozen=True)
class Bug:
    """Text of a file below `src/sightline`, what a careless change makes of it, and who sees that."""

    name: str
    file: str
    text: str
    instead: str
    tests: tuple[str, ...]

    def planted(self, source: str) -> str:
        """The file's text with the bug in it. Raises ValueError unless the place is there once."""
        if source.count(self.text) != 1:
            raise ValueError(
                f"{self.name}: the patch no longer applies to {self.file}; its text is there"
                f" {source.count(self.text)} times."
            )
        return source.replace(self.text, self.instead)


BUGS: Final = (
    Bug(
        "a worker that lost its claim still commits",
        "store/work.py",
        'SELECT true FROM work WHERE work_id = $1 AND fence = $2 FOR UPDATE"',
        'SELECT true FROM work WHERE work_id = $1 AND $2::bigint = $2::bigint FOR UPDATE"',
        ("tests/store/test_work.py::test_a_lost_lease_lets_another_in_and_shuts_the_first_out",),
    ),
    Bug(
        "an index in memory is asked without the tenant",
        "store/account_index/indexes.py",
        "index, now = self._ready.get(organization_id), time.monotonic()",
        "index, now = next(iter(self._ready.values()), None), time.monotonic()",
        ("tests/api/test_account_index.py::test_an_index_is_of_one_organization",),
    ),
    Bug(
        "the tenant of a transaction stays with the connection",
        "store/database.py",
        "SELECT set_config('app.organization', '{UUID(str(organization_id))}', true)",
        "SELECT set_config('app.organization', '{UUID(str(organization_id))}', false)",
        ("tests/store/test_row_security.py::test_the_organization_ends_with_its_transaction",),
    ),
    Bug(
        "the tenant of a single query stays with the connection",
        "store/database.py",
        "set_config('app.organization', ${values + 1}::text, true) AS id",
        "set_config('app.organization', ${values + 1}::text, false) AS id",
        ("tests/store/test_tenant_reads.py::test_nothing_stays_on_the_connection",),
    ),
    Bug(
        "an idempotency key replays the answer to another body",
        "api/idempotency.py",
        "if stored.fingerprint != once.fingerprint:",
        "if False:",
        ("tests/api/test_idempotency.py::test_the_same_key_with_another_body_is_422",),
    ),
    Bug(
        "quotes are not looked up in their documents",
        "profile/checker.py",
        "return None if held or said in text else",
        "return None if held or said or text else",
        ("tests/profile/test_checker.py::test_what_is_not_proven_goes",),
    ),
    Bug(
        "one table of tenants is without row-level security",
        "store/migrations/0005_contacts.sql",
        "'suppressions', 'erasures',",
        "'erasures',",
        ("tests/store/test_row_security.py::test_every_tenant_table_forces_its_policy",),
    ),
    Bug(
        "webhooks are sent with a signature of something else",
        "monitor/webhooks.py",
        'f"{message_id}.{timestamp}.{body}"',
        'f"{message_id}.{timestamp}."',
        ("tests/monitor/test_webhooks.py::test_the_official_library_verifies_what_is_sent",),
    ),
    Bug(
        "inside addresses are fetched",
        "kit/fetch/addresses.py",
        "return next((why for network, why in _INSIDE_V4 if address in network), None)",
        "return None",
        (
            "tests/kit/fetch/test_addresses.py::test_addresses_inside_are_forbidden",
            "tests/kit/fetch/test_inside.py::test_redirects_are_judged_again",
        ),
    ),
    Bug(
        "scopes of keys are not asked for",
        "api/gate.py",
        "if not any(is_granted(scope, caller.scopes) for scope in endpoint.scopes):",
        "if False:",
        ("tests/api/test_gate.py::test_scopes_add_up",),
    ),
    Bug(
        "an operation that is asked for twice is charged twice",
        "store/credits.py",
        "VALUES ($1, $2, $3, $4, 'reserved') ON CONFLICT DO NOTHING RETURNING amount),",
        "VALUES ($1, $2, $3, $4, 'reserved') ON CONFLICT (organization_id, operation, credit)"
        " DO UPDATE SET amount = excluded.amount RETURNING amount),",
        ("tests/store/test_credits.py::test_one_operation_asked_for_at_once_is_charged_once",),
    ),
    Bug(
        "a cursor works for any key",
        "api/paging.py",
        "text = _SORTED([str(caller.key_id), *parts])",
        "text = _SORTED([*parts])",
        ("tests/api/test_isolation.py::test_a_cursor_works_for_its_key_and_list_alone",),
    ),
    Bug(
        "a parser may run for ever",
        "kit/sandbox/pool.py",
        "deadline = time.monotonic() + _WALL_FLOOR + _WALL_FACTOR * cpu_seconds",
        "deadline = time.monotonic() + 3600 + 0 * cpu_seconds",
        ("tests/kit/test_sandbox.py::test_a_call_that_sleeps_is_ended_by_the_clock",),
    ),
    Bug(
        "a backup that restores something else is good",
        "store/backup.py",
        "    if differences:",
        "    if False:",
        ("tests/cli/test_backup.py::test_a_backup_that_restores_something_else_is_refused",),
    ),
    Bug(
        "a claim waits for an answer as long as the work may",
        "queue/runner.py",
        "async with asyncio.timeout(ANSWER_SECONDS):  # a claim",
        "async with asyncio.timeout(None):  # a claim",
        ("tests/store/test_work.py::test_a_claim_on_a_connection_that_swallows_it_is_made_again",),
    ),
    Bug(
        "a migration waits for a table as long as it takes",
        "store/migrate.py",
        'server_settings={"lock_timeout": f"{LOCK_SECONDS}s"}',
        'server_settings={"lock_timeout": f"{LOCK_SECONDS * 0}s"}',
        ("tests/store/test_migrations.py::test_a_migration_lets_those_pass_who_use_the_table",),
    ),
    Bug(
        "an admin acts for the owner",
        "domain/authority.py",
        "return _RANKS[role] >= _RANKS[other]",
        "return True",
        ("tests/api/test_authority.py::test_nobody_acts_on_a_role_above_the_own",),
    ),
)


def main(words: Sequence[str]) -> int:
    """Plant the bugs whose names hold the words, all without any; 0 when each is caught."""
    chosen = [bug for bug in BUGS if not words or any(word in bug.name for word in words)]
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        copy = Path(folder)
        for name in _COPIED:
            _copy(ROOT / name, copy / name)
        clean = _run(copy, sorted({test for bug in chosen for test in bug.tests}))
        if clean.returncode:
            print(clean.stdout[-3000:])
            print("The tests fail without any bug; nothing can be said.")
            return 1
        missed = [bug.name for bug in chosen if not _is_caught(copy, bug)]
    print(f"{len(chosen) - len(missed)} of {len(chosen)} planted bugs were caught.")
    return bool(missed)


def _is_caught(copy: Path, bug: Bug) -> bool:
    began = time.monotonic()
    with _planted(copy, bug):
        done = _run(copy, bug.tests)
    is_caught = done.returncode == _FAILED and "FAILED " in done.stdout
    word = "caught" if is_caught else f"NOT CAUGHT (pytest ended with {done.returncode})"
    print(f"{word}: {bug.name} ({time.monotonic() - began:.0f} s)", flush=True)
    return is_caught


@contextmanager
def _planted(copy: Path, bug: Bug) -> Iterator[None]:
    path = copy / "src" / "sightline" / bug.file
    whole = path.read_text()
    path.write_text(bug.planted(whole))
    try:
        yield
    finally:
        path.write_text(whole)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    else:
        shutil.copy(source, target)


def _run(copy: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """The tests on the copy; one that hangs has failed."""
    temporary = copy / "pytest"
    temporary.mkdir(exist_ok=True)
    environment = os.environ | {
        "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}",
        "PYTHONDONTWRITEBYTECODE": "1",  # two patches within one second are two programs
        "PYTEST_DEBUG_TEMPROOT": str(temporary),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-rf", "-p", "no:cacheprovider", *tests]
    try:
        return subprocess.run(
            command,
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, _FAILED, "FAILED by the clock", "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
