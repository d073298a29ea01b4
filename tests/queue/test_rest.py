"""A worker that has nothing to do gives its memory back."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from sightline import app, worker
from sightline.queue.rest import MOST_BYTES_AT_REST, REST_SECONDS, Rest, resident_bytes
from sightline.settings import Settings

# What only work needs, or a process that comes and goes.
HEAVY = (
    "onnxruntime",
    "tokenizers",
    "trafilatura",
    "pydantic_ai",
    "pyarrow",
    "openai",
    "scipy",
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_rest_is_due_when_nothing_has_run_for_a_while_and_memory_is_held() -> None:
    clock, held = Clock(), MOST_BYTES_AT_REST + 1
    rest = Rest(clock=clock, resident=lambda: held)
    clock.now += REST_SECONDS
    assert not rest.is_due  # it has done nothing yet
    goes_on = asyncio.Event()

    async def handler(_: Any) -> None:
        await goes_on.wait()

    running = asyncio.create_task(rest.seen(handler)(None))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    clock.now += REST_SECONDS
    assert not rest.is_due
    goes_on.set()
    await running
    assert not rest.is_due
    clock.now += REST_SECONDS
    assert rest.is_due
    held = MOST_BYTES_AT_REST
    assert not rest.is_due


async def test_work_that_failed_has_ended_too() -> None:
    clock = Clock()
    rest = Rest(clock=clock, resident=lambda: MOST_BYTES_AT_REST + 1)

    async def handler(_: Any) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await rest.seen(handler)(None)  # type: ignore[arg-type]
    clock.now += REST_SECONDS
    assert rest.is_due


@pytest.mark.parametrize("rests", [True, False])
def test_a_worker_at_rest_becomes_a_new_process(
    rests: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[str]] = []

    async def run_worker(_: Any) -> bool:
        return rests

    monkeypatch.setattr(worker, "run_worker", run_worker)
    monkeypatch.setattr(app, "worker_config", lambda _: None)
    monkeypatch.setattr("sightline.kit.logs.configure_logs", lambda *_: None)
    monkeypatch.setattr(app.os, "execv", lambda _, command: begun.append(command))
    app.work(Settings())
    assert begun == ([[sys.executable, *sys.orig_argv[1:]]] if rests else [])


def test_a_new_worker_holds_no_models_and_little_memory() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, sightline.worker; from sightline.queue.rest import resident_bytes;"
            f" print([m for m in {HEAVY!r} if m in sys.modules], resident_bytes() < {MOST_BYTES_AT_REST})",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout.split("\n")[0] == "[] True"
    assert resident_bytes() > 0
