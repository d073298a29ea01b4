"""A source whose pages say what they do to the process that parses them. A parser process imports it."""

import os
import time
from dataclasses import replace
from pathlib import Path

from sightline.domain.evidence import Body, Parsed
from sightline.sources.contract import Context, Source, Target
from tests.enrich.conftest import SOURCES, manifest, parse_site
from tests.kit.sandbox_functions import crash, eat, kill_itself, spin

_DOES = {"spin": spin, "eat": eat, "crash": crash, "kill": kill_itself}
VERSION = 1


def parse(body: Body) -> Parsed:
    """Reads a site of lines after doing what its last line says."""
    text, _, does = body.content.decode().partition("does: ")
    if does.startswith("/"):
        _wait_to_be_killed(Path(does))
    elif does:
        _DOES[does]()
    return parse_site(replace(body, content=text.encode()))


def _wait_to_be_killed(note: Path) -> None:
    """Write down which process this is and wait, the first time only."""
    if not note.exists():
        note.write_text(str(os.getpid()))
        time.sleep(60)


async def collect(context: Context, target: Target) -> None:
    await context.document(f"https://{target.domain}/about", parse=parse, version=VERSION)


HOSTILE = (
    *SOURCES,
    Source(manifest("pages"), collect, applies=lambda target: target.domain is not None),
)
