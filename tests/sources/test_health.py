"""When a source counts as broken, and the scaffold of a new one."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

import sightline.sources
from sightline.domain.fields import FIELDS
from sightline.sources.contract import Manifest
from sightline.sources.health import judge
from sightline.sources.registry import SOURCES
from sightline.store.source_states import SourceState
from tests.tools.new_source import SourceCannotBeMade, scaffold

MANIFEST = Manifest(
    name="register",
    title="Register",
    category="register",
    summary="",
    terms="",
    fields=(),
    refresh_days=7,
    floors={"answered": 0.8, "facts_per_document": 0.5},
)


def state(**counts: Any) -> SourceState:
    values: dict[str, Any] = dict.fromkeys(
        (
            "fetched",
            "unchanged",
            "missing",
            "failed",
            "facts",
            "bytes",
            "unreachable",
            "not_recorded",
            "companies",
            "quarantined",
        ),
        0,
    )
    said = {"source": "register", "enabled": True, "sync_status": "succeeded"}
    dates = {"last_sync_at": None, "last_error": None, "last_error_at": None}
    return SourceState(**(said | dates | values | counts))


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ({}, "connected"),
        ({"fetched": 50, "facts": 400}, "connected"),
        ({"fetched": 50, "facts": 3}, "error"),  # pages come, and say nothing any more
        ({"unchanged": 50}, "connected"),
        ({"fetched": 15, "facts": 90, "failed": 85}, "error"),
        ({"fetched": 1, "facts": 9, "failed": 3}, "connected"),  # too few to tell
        ({"missing": 40, "failed": 1}, "connected"),
        ({"unreachable": 2, "sync_status": "failed", "last_error": "No name."}, "error"),
        ({"unreachable": 2, "fetched": 9, "facts": 9}, "connected"),
        ({"not_recorded": 40}, "error"),
        ({"not_recorded": 40, "unchanged": 1}, "connected"),
        ({"failed": 3, "sync_status": "failed", "last_error": "No."}, "error"),
    ],
)
def test_counts_below_their_floors_are_an_error(counts: dict[str, Any], status: str) -> None:
    health = judge(state(**counts), MANIFEST)
    assert health.status == status
    assert bool(health.reason) == (status == "error")


def test_every_manifest_is_honest() -> None:
    for source in SOURCES:
        manifest = source.manifest
        assert set(manifest.fields) <= set(FIELDS), source.name
        assert manifest.terms, source.name
        assert set(manifest.floors) <= {"answered", "facts_per_document"}, source.name
        assert all(rate > 0 for rate in manifest.hosts.values())
    assert len({source.name for source in SOURCES}) == len(SOURCES)


def test_a_scaffolded_source_passes_its_own_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = scaffold("plum_register", tmp_path)
    folder = str(tmp_path / "src" / "sightline" / "sources")
    monkeypatch.setattr(sightline.sources, "__path__", [*sightline.sources.__path__, folder])
    spec = importlib.util.spec_from_file_location("scaffolded_test", files[-1])
    assert spec is not None
    assert spec.loader is not None
    test = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(test)
        test.test_a_record_gives_declared_fields_with_pointers()
        test.test_the_manifest_names_real_fields()
        for content in (b"", b"[]", b"{}"):
            test.test_what_is_no_record_is_refused(content)
    finally:
        for name in [n for n in sys.modules if "plum_register" in n]:
            del sys.modules[name]


@pytest.mark.parametrize(
    "name", ["", "Plum", "plum-register", "../plum", "class", "1plum", "x" * 60]
)
def test_a_bad_name_writes_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceCannotBeMade):
        scaffold(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_source_is_never_overwritten(tmp_path: Path) -> None:
    scaffold("plum", tmp_path)
    with pytest.raises(SourceCannotBeMade, match="exists"):
        scaffold("plum", tmp_path)
