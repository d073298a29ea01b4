"""The documentation builds as a site, strictly, and asks no one for anything."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.waiting import LONGEST_SECONDS

LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]*\"")


def test_the_site_builds_and_loads_nothing_from_elsewhere(root: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path)],
        cwd=root,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        timeout=LONGEST_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    for folder in ("howto", "reference", "decisions"):
        for page in (root / "docs" / folder).glob("*.md"):
            name = "index" if page.stem == "README" else page.stem
            assert f"{folder}/{name}.html" in pages
    assert {"index.html", "quickstart.html", "ARCHITECTURE.html", "CHANGELOG.html"} <= pages
    loaded = {
        found for page in pages for found in LOADED.findall((tmp_path / page).read_text("utf-8"))
    }
    assert not loaded
