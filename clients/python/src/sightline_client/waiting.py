"""Operations, with a way to wait for their end."""

import time
from typing import Final

from sightline_client.generated import async_resources, resources
from sightline_client.generated.types import Operation

_RUNNING: Final = frozenset({"queued", "running"})
_FIRST_WAIT: Final = 1.0
_LONGEST_WAIT: Final = 10.0


class OperationIsRunning(TimeoutError):
    """An operation did not end in the time given; it goes on."""

    def __init__(self, operation: Operation) -> None:
        super().__init__(f"Operation {operation['public_operation_id']} is {operation['status']}.")
        self.operation = operation


class Operations(resources.Operations):
    def wait(self, public_operation_id: str, *, timeout: float = 600.0) -> Operation:
        """The operation when it has ended, whatever came of it: see its `status` and `error`.

        Raises OperationIsRunning after `timeout` seconds.
        """
        ends, pause = time.monotonic() + timeout, _FIRST_WAIT
        while (operation := self.read(public_operation_id))["status"] in _RUNNING:
            if time.monotonic() >= ends:
                raise OperationIsRunning(operation)
            self._transport.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_WAIT)
        return operation


class AsyncOperations(async_resources.AsyncOperations):
    async def wait(self, public_operation_id: str, *, timeout: float = 600.0) -> Operation:  # noqa: ASYNC109
        """The operation when it has ended, whatever came of it: see its `status` and `error`.

        Raises OperationIsRunning after `timeout` seconds.
        """
        ends, pause = time.monotonic() + timeout, _FIRST_WAIT
        while (operation := await self.read(public_operation_id))["status"] in _RUNNING:
            if time.monotonic() >= ends:
                raise OperationIsRunning(operation)
            await self._transport.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_WAIT)
        return operation
