"""What waits for a doorbell ends when it is cancelled."""

import asyncio

import pytest

from sightline.queue.doorbell import Doorbell


@pytest.mark.parametrize("turns", range(4))
async def test_a_cancellation_is_not_lost_as_the_bell_rings(turns: int) -> None:
    """At whichever turn of the loop it comes: the wait ends in it, or has ended before."""
    bell = Doorbell(hears=True)
    after: list[str] = []

    async def wait() -> None:
        await bell.wait(1.0)
        after.append("heard")
        await asyncio.Event().wait()

    waiting = asyncio.create_task(wait())
    for _ in range(3):
        await asyncio.sleep(0)
    bell.ring()
    for _ in range(turns):
        await asyncio.sleep(0)
    waiting.cancel()
    done, _ = await asyncio.wait({waiting}, timeout=2)
    assert done, after
    assert waiting.cancelled()
