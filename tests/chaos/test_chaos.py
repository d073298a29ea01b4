"""A short run of `python -m tests.chaos`, and that its checks see what they are there for."""

import asyncio
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import pytest

from sightline.monitor.webhooks import new_secret, sign
from tests.bench.idempotent_kinds import KINDS, Request, World
from tests.bench.idempotent_world import Asked, wrong
from tests.chaos.checks import broken_ledger, broken_messages, unknown_messages
from tests.chaos.clock import Clock, make_library
from tests.chaos.proxy import Proxy
from tests.chaos.sink import Message, Sink

ROOT = Path(__file__).parents[2]
KILLS = 6


def test_an_installation_survives() -> None:
    command = [sys.executable, "-m", "tests.chaos", "--kills", str(KILLS), "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}
    assert done.returncode == 0, report.get("anomalies") or done.stderr[-3000:]
    assert report["kills"] == KILLS
    assert report["rows"]["operations"] >= 32, "every company for every organization"
    assert report["rows"]["events"] >= 10
    assert report["replayed"] >= 10


@pytest.fixture
def secret() -> str:
    return new_secret()


def sent(secret: str, body: str, *, answer: int | None = 200) -> Message:
    signature = sign(secret, message_id=f"msg_{ID.hex}", timestamp=1, body=body)
    headers = {"webhook-id": f"msg_{ID.hex}", "webhook-timestamp": "1"}
    return Message(headers | {"webhook-signature": f"v1,other {signature}"}, body, answer)


ID = UUID(int=7)
DELIVERY = {"delivery_id": ID, "status": "delivered", "body": "{}", "attempts": []}


def reported(sink: Sink, secret: str, **changed: str) -> list[str]:
    return [each.partition(":")[0] for each in broken_messages([DELIVERY | changed], secret, sink)]


def test_messages_are_compared_with_what_arrived(secret: str) -> None:
    sink = Sink(random.Random(1))
    assert reported(sink, secret) == ["a message that never arrived"]
    assert reported(sink, secret, status="pending") == []
    assert reported(sink, secret, status="failed") == ["a message that was given up"]
    sink.messages[f"msg_{ID.hex}"].append(sent(secret, "{}", answer=None))
    assert reported(sink, secret) == ["a message that never arrived"]
    sink.messages[f"msg_{ID.hex}"].append(sent(secret, "{}"))
    assert reported(sink, secret) == []
    assert set(reported(sink, new_secret())) == {"a message with a wrong signature"}
    sink.messages[f"msg_{ID.hex}"] = [sent(secret, "{ }")]
    assert reported(sink, secret) == ["a message that is not as it was written"]
    assert unknown_messages({f"msg_{ID.hex}"}, sink) == []
    assert len(unknown_messages(set(), sink)) == 1


def line(amount: int, after: int) -> dict[str, object]:
    return {"credit": "company", "amount": amount, "balance_after": after}


def test_a_ledger_is_one_chain_in_whatever_order_its_clock_puts_it() -> None:
    whole = [line(10, 10), line(-1, 9), line(0, 9), line(-1, 8)]
    assert broken_ledger(whole[::-1]) == []
    assert broken_ledger([*whole, line(-1, 8)]) != [], "two lines that begin at the same place"
    assert broken_ledger([line(10, 10), line(-1, 8)]) != []


def test_what_is_answered_twice_in_two_ways_is_seen() -> None:
    request = Request(KINDS[0].name, "/", {}, "word")
    asked = Asked(request, World(ID), fresh=[(201, b"a"), (201, b"b")])
    assert wrong(asked) == ["was carried out 2 times"]


def test_a_clock_jumps_for_others_and_measures_as_before(tmp_path: Path) -> None:
    library = make_library(tmp_path)
    if library is None:
        pytest.skip("NOT RUN: no C compiler on this machine")
    clock = Clock(tmp_path / "clock", library)
    clock.set_ahead(-7200)
    script = "import time; print(time.time(), time.monotonic())"
    said = subprocess.run(
        [sys.executable, "-c", script],
        env=clock.environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    day, measured = map(float, said.split())
    assert 7200 <= time.time() - day < 7400
    assert 0 <= time.monotonic() - measured < 200


async def test_the_network_cuts_and_swallows(tmp_path: Path) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    path = tmp_path / "s"
    server = await asyncio.start_unix_server(echo, path)
    proxy = Proxy(path, random.Random(1))
    await proxy.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"one")
    assert await reader.readexactly(3) == b"one"
    while not proxy.freeze():
        continue
    writer.write(b"two")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await reader.read(1)
    while not proxy.reset():
        continue
    with pytest.raises(ConnectionResetError):
        await reader.readexactly(1)
    writer.close()
    await proxy.close()
    server.close()
