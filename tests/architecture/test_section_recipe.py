"""The recipe of CONTRIBUTING, followed in a copy: a section is one file and its lines in the registry, and
API, OpenAPI, console and contract rows have it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

NEW = '''"""Certificates: what the company says that it is certified for."""

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence


def build(evidence: Evidence) -> list[Statement]:
    return []


SECTION = Section("certificates", "Certificates", kinds=("page",), build=build)
'''
LOOK = """
import json
from sightline.api.openapi import openapi_document
from sightline.api.resources import profile
from sightline.console.pages import company
from tests.contract import rows
print(json.dumps({
  "api": "certificates" in profile.SECTIONS,
  "answer": "certificates" in profile.CompanyProfile.model_fields,
  "openapi": "certificates" in openapi_document("1")["components"]["schemas"]["CompanyProfile"]["properties"],
  "console": company.TITLES.get("certificates") == "Certificates" and "certificates" in company.STATEMENTS,
  "contract": any(field.name == "certificates" for field in rows.PROFILE.fields),
}))
"""


def changed(before: Path, after: Path) -> set[str]:
    """Files that are in one tree alone, or differ."""
    trees = [
        {
            str(file.relative_to(tree)): file.read_bytes()
            for file in tree.rglob("*.py")
            if "__pycache__" not in file.parts
        }
        for tree in (before, after)
    ]
    return {
        name
        for name in trees[0].keys() | trees[1].keys()
        if trees[0].get(name) != trees[1].get(name)
    }


def test_a_section_is_a_file_and_its_lines_in_the_registry(root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "sightline"
    copytree(root / "src/sightline", copy, copy_function=os.symlink)
    (copy / "profile/sections/certificates.py").write_text(NEW)
    registry = copy / "profile/registry.py"
    text = registry.read_text()
    registry.unlink()  # the copy's own from here on
    text = text.replace("    competitors,\n", "    certificates,\n    competitors,\n", 1)
    text = text.replace(
        "    competitors.SECTION,\n", "    competitors.SECTION,\n    certificates.SECTION,\n", 1
    )
    registry.write_text(text)
    assert changed(root / "src/sightline", copy) == {
        "profile/sections/certificates.py",
        "profile/registry.py",
    }
    found = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=root,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{root}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    reported = json.loads(found.stdout.splitlines()[-1])
    assert all(reported.values()), reported
