"""Read a megabyte of each hostile shape with every reader; print what takes more than linear time.

Run: python -m tests.bench.hostile_readers [--size N] [part of a reader's name ...]
"""

import sys

from sightline.kit.sandbox.pool import ChildDied, Sandbox
from tests.sources.hostile_readers import readers, slow_shapes


def main(arguments: list[str]) -> None:
    """The long run: prints what is slow, and fails for it."""
    size = int(arguments[1]) if arguments[:1] == ["--size"] else 1_000_000
    words = arguments[2:] if arguments[:1] == ["--size"] else arguments
    failed = 0
    with_limit = Sandbox(size=1, modules=("tests.sources.hostile_readers",))
    for reader in readers():
        if words and not any(word in reader for word in words):
            continue
        print(f"{reader} …", file=sys.stderr, flush=True)
        try:
            slow = with_limit.call(slow_shapes, reader, size, cpu_seconds=60 + size / 1000)
        except ChildDied as died:
            print(f"{reader}: ended by {died.reason}", flush=True)
            failed += 1
            continue
        for each in slow:
            print(
                f"{each.reader}: {each.shape}: {each.seconds:.2f} s, x{each.times:.0f}", flush=True
            )
        failed += bool(slow)
    with_limit.close()
    sys.exit(bool(failed))


if __name__ == "__main__":
    main(sys.argv[1:])
