"""Draws samples of py-spy as a flame graph: a still SVG without scripts.

    py-spy record -p PID -d 10 -r 400 -f raw -o STACKS.txt
    .venv/bin/python -m tests.tools.flame STACKS.txt TITLE > GRAPH.svg

Width is the share of samples, height the depth of calls. Calls below half a percent are left out, and so are
the outermost ones that nearly every sample has.
"""

import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

WIDTH, ROW, LEAST, COMMON = 1000, 16, 0.005, 0.95
COLOURS = {"sightline": "#f2b263", "asyncpg": "#9cc3e6", "starlette": "#b9d7a8", "": "#dddddd"}


@dataclass
class Call:
    """A function with the samples below it."""

    samples: int = 0
    calls: dict[str, "Call"] = field(default_factory=lambda: defaultdict(Call))

    @property
    def depth(self) -> int:
        return 1 + max((call.depth for call in self.calls.values()), default=0)


def read(text: str) -> Call:
    """The calls of stacks, a line each: functions from the outside in, then how many samples."""
    root = Call()
    for line in text.splitlines():
        stack, _, count = line.rpartition(" ")
        call = root
        call.samples += int(count)
        for name in stack.split(";"):
            if name.startswith("process "):  # with its command line
                continue
            call = call.calls[re.sub(r":\d+\)$", ")", name)]
            call.samples += int(count)
    while len(root.calls) >= 1:
        most = max(root.calls.values(), key=lambda call: call.samples)
        if most.samples < COMMON * root.samples or not most.calls:
            break
        root = most
    return root


def draw(root: Call, title: str) -> str:
    """The SVG."""
    boxes: list[str] = []

    def put(call: Call, x: float, row: int) -> None:
        for name, each in sorted(call.calls.items(), key=lambda item: -item[1].samples):
            share = each.samples / root.samples
            if share < LEAST:
                continue
            width, place = share * WIDTH, 30 + row * ROW
            colour = next(shade for part, shade in COLOURS.items() if part in name)
            boxes.append(
                f'<g><title>{escape(name)}: {share:.1%}</title><rect x="{x:.1f}" y="{place}"'
                f' width="{width:.1f}" height="{ROW - 1}" fill="{colour}"/>'
                f'<text x="{x + 2:.1f}" y="{place + 11}">{escape(name[: int(width / 6)])}</text></g>'
            )
            put(each, x, row + 1)
            x += width

    put(root, 0, 0)
    height = 40 + ROW * root.depth
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            ' font-family="monospace" font-size="10">',
            f'<text x="2" y="16" font-size="13">{escape(title)} ({root.samples} samples)</text>',
            *boxes,
            "</svg>\n",
        )
    )


if __name__ == "__main__":
    sys.stdout.write(draw(read(Path(sys.argv[1]).read_text()), sys.argv[2]))
