"""What is shipped: the wheel has everything that an installation needs, and the files of `deploy` fit it."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

from sightline.settings import Settings

DEPLOY = "deploy"


@pytest.fixture(scope="module")
def root() -> Path:
    return Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_every_file_of_the_package(root: Path, wheel: zipfile.ZipFile) -> None:
    package = root / "src/sightline"
    ours = {
        path.relative_to(root / "src").as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    shipped = {name for name in wheel.namelist() if name.startswith("sightline/")}
    assert ours == shipped
    for needed in (
        "sightline/console/templates/sign_in.html",
        "sightline/console/static/console.css",
        "sightline/monitor/templates/digest.html",
        "sightline/store/migrations/roles.sql",
    ):
        assert needed in shipped
    for folder, ending in (
        ("store/migrations", ".sql"),
        ("sample", ""),
        ("reading", ".onnx"),
    ):
        assert any(n.startswith(f"sightline/{folder}/") and n.endswith(ending) for n in shipped)


def test_the_wheel_is_started_by_its_command_and_carries_its_licence(
    wheel: zipfile.ZipFile,
) -> None:
    names = {name.partition(".dist-info/")[2]: name for name in wheel.namelist()}
    entry = wheel.read(names["entry_points.txt"]).decode()
    assert "sightline = sightline.cli.main:main" in entry
    assert {"licenses/LICENSE", "licenses/NOTICE"} <= set(names)


async def test_the_dashboard_asks_for_metrics_that_exist(
    root: Path, anonymous: httpx.AsyncClient
) -> None:
    await anonymous.get("/health")
    served = (await anonymous.get("/metrics")).text
    known = set(re.findall(r"^# TYPE (\S+)", served, re.MULTILINE))
    known |= {f"{name}_bucket" for name in known}
    dashboard = json.loads((root / DEPLOY / "grafana/sightline.json").read_text("utf-8"))
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\bsightline_\w+", target["expr"])
    }
    assert len(asked) >= 3
    assert asked <= known


def test_settings_and_commands_of_the_files_exist(root: Path) -> None:
    documented = (root / "docs/reference/cli.md").read_text("utf-8")
    commands = set(re.findall(r"^## sightline (\w+)", documented, re.MULTILINE))
    settings = {f"SIGHTLINE_{name.upper()}" for name in Settings.model_fields}
    files = [path for path in (root / DEPLOY).rglob("*") if path.is_file()]
    assert len(files) >= 7
    for path in files:
        text = path.read_text("utf-8")
        assert set(re.findall(r"\bSIGHTLINE_[A-Z_]+", text)) <= settings, path
        run = re.findall(r"bin/sightline (\w+)", text) + re.findall(
            r"(?:command: |CMD )\[\"?(\w+)", text
        )
        assert set(run) - {"valkey", "python"} <= commands, path


def test_images_and_units_do_not_run_as_root(root: Path) -> None:
    image = (root / DEPLOY / "Dockerfile").read_text("utf-8")
    last = image.rpartition("\nFROM ")[2]
    assert re.search(r"^USER 10001$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert image.count("\nFROM ") == 2
    for unit in (root / DEPLOY / "systemd").glob("*.service"):
        text = unit.read_text("utf-8")
        assert "\nUser=sightline\n" in text
        assert "\nNoNewPrivileges=true\n" in text
