"""New labels join those that are kept, also those of the same sentence."""

import json
from pathlib import Path

import numpy as np
import pytest
from training import labelled


def texts(*rows: tuple[int, str]) -> labelled.Texts:
    found = labelled.Texts()
    for start, event in rows:
        source = {"url": "u", "sha256": "d", "start": start, "end": start + 9}
        found.add("Some words.", None, True, {"event": event}, "g", source)
    return found


def test_labels_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled, "KEPT", tmp_path)
    monkeypatch.setattr(
        labelled, "encoded", lambda of: np.full((len(of.texts), 4), len(of.texts), np.float32)
    )
    labelled.keep("train", texts((0, "none"), (10, "acquires")))
    labelled.keep("train", texts((10, "launches"), (20, "none"), (30, "hires")))
    rows = [json.loads(line) for line in (tmp_path / "train.jsonl").read_text().splitlines()]
    assert [(row["start"], row["event"]) for row in rows] == [
        (0, "none"), (10, "launches"), (20, "none"), (30, "hires"),
    ]  # fmt: skip
    kept = labelled.kept("train")
    assert kept.vectors[:, 0].round().tolist() == [2, 3, 3, 3]
    assert kept.labels["section"] == [""] * 4
