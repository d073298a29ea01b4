"""Sources of the tree and of installed packages keep to one contract."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.sources.registry import SOURCES
from tests.sources.conformance import faults

MANIFEST = """
name = "mill_register"
title = "Register of mills"
category = "register"
summary = "Mills and where they stand."
terms = "Open."
fields = ["legal_name"]
refresh_days = 30
"""
CONNECTOR = """
from sightline.sources.contract import Context, Source, Target, read_manifest

async def collect(context: Context, target: Target) -> None:
    context.note("No mill.")

SOURCE = Source(read_manifest("mills.register"), collect)
"""
ASKED = """
import json
from sightline.sources.manifests import manifests
from sightline.sources.registry import SOURCES
from tests.sources.conformance import faults
last = SOURCES[-1]
print(json.dumps([[m.name for m in manifests()], last.name, faults(last, name="mill_register")]))
"""


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_source_of_the_tree_keeps_to_the_contract(source) -> None:  # type: ignore[no-untyped-def]
    assert faults(source, name=source.name) == []


def installed(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """What an installation with a package of that source's name says."""
    package = folder / "mills" / "register"
    package.mkdir(parents=True)
    (folder / "mills" / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "source.toml").write_text(MANIFEST)
    (package / "connector.py").write_text(CONNECTOR)
    info = folder / "mills-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mills\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[sightline.sources]\n{name} = mills.register.connector:SOURCE\n"
    )
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-c", ASKED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), root])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_an_installed_package_brings_a_source(tmp_path: Path) -> None:
    done = installed(tmp_path, "mill_register")
    assert done.returncode == 0, done.stderr
    names, last, wrong = json.loads(done.stdout)
    assert names == [*(source.name for source in SOURCES), "mill_register"]
    assert (last, wrong) == ("mill_register", [])


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    done = installed(tmp_path, "gleif")
    assert "There are two sources of the name gleif." in done.stderr
