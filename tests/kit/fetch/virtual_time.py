"""An event loop whose time passes only while no one has anything to do, and then at once."""

import asyncio
import functools
import selectors
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec

import pytest

from sightline.kit.fetch import politeness

P = ParamSpec("P")


class VirtualLoop(asyncio.SelectorEventLoop):
    """For tests without sockets and threads. It stands for the module `time` too."""

    def __init__(self) -> None:
        self._passed = 0.0
        super().__init__(_Selector(self.skip))

    def skip(self, seconds: float) -> None:
        self._passed += seconds

    def time(self) -> float:
        return self._passed

    monotonic = time


class _Selector(selectors.SelectSelector):
    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> Any:
        """What is ready; instead of waiting for it, so many seconds are passed over."""
        assert timeout is not None, "every task waits and none can wake another"
        self._skip(timeout)
        return super().select(0)


def in_virtual_time(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run a test of turns in virtual time: its times are exact, however late the machine is."""

    @functools.wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        async def whole() -> None:
            await test(*given, **named)

        with (
            asyncio.Runner(loop_factory=VirtualLoop) as runner,
            pytest.MonkeyPatch.context() as patched,
        ):
            patched.setattr(politeness, "time", runner.get_loop())
            runner.run(whole())

    return run
