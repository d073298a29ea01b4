"""Floors of what the heads hear in sentences that they were not trained on. The numbers only rise.

The sentences are ours, of invented companies, and deliberately oblique: they say that nothing got worse. What
to expect of other people's sentences is in training/README.md. A type is right or wrong.
"""

from functools import cache
from pathlib import Path

import pytest

from sightline.domain.signals import SignalType
from sightline.reading.heads import head, sentence_vectors
from sightline.reading.named import named_in
from sightline.reading.onnx_encoder import OnnxEncoder, bundled_encoder

DATA = Path(__file__).parent / "data"
# Of what is said the share that is right, and of what there is to say the share that is said rightly.
FLOORS = {
    "signal_press_more.tsv": (0.75, 0.05),
    "signal_papers_more.tsv": (0.8, 0.1),
    "signal_gazette_third_more.tsv": (0.9, 0.35),
    "signal_styles.tsv": (0.9, 0.29),
    "signal_filings.tsv": (0.9, 0.34),
}
MOST_FALSE = 0.05  # of the sentences without news
TRAINED = Path(__file__).parents[2] / "training"


@cache
def encoder() -> OnnxEncoder:
    return bundled_encoder()


def rows(file: Path) -> list[tuple[set[str], str, str]]:
    """(accepted types, company, sentence) of each line."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kinds, company, text = line.split("\t")
            text, *more = text.replace("[[", "").replace("]]", "").split("|")
            accepted = {
                part for kind in kinds.replace("~", "").split("|") for part in kind.split("+")
            }
            found.append((accepted | set(more), company, text))
    return found


def said(texts: list[str], companies: list[str]) -> list[str]:
    """The type that the event head says of each sentence, "none" below its threshold."""
    spans = [
        named_in(text, [company], speaks=True) if company else []
        for text, company in zip(texts, companies, strict=True)
    ]
    trained = head("event")
    chances = trained.probabilities(sentence_vectors(encoder(), texts, spans))
    best = chances.argmax(axis=1)
    return [
        trained.labels[column] if chances[row, column] >= trained.thresholds[column] else "none"
        for row, column in enumerate(best)
    ]


@pytest.mark.parametrize(("name", "floors"), FLOORS.items())
def test_what_is_said_is_right(name: str, floors: tuple[float, float]) -> None:
    wanted = rows(DATA / name)
    answers = said([text for *_, text in wanted], [company for _, company, _ in wanted])
    pairs = list(zip([kinds for kinds, *_ in wanted], answers, strict=True))
    reported = [(kinds, answer) for kinds, answer in pairs if answer != "none"]
    right = sum(answer in kinds for kinds, answer in reported)
    there = sum("none" not in kinds for kinds, _ in pairs)
    assert right / max(1, len(reported)) >= floors[0], (right, len(reported))
    assert right / there >= floors[1], (right, there)
    silent = [answer for kinds, answer in pairs if kinds == {"none"}]
    assert sum(answer != "none" for answer in silent) <= MOST_FALSE * len(silent)


def test_no_type_is_said_that_no_sentence_says() -> None:
    """Nothing here is trained on: a type of statistics stays off."""
    trained = head("event")
    off = (SignalType.HIRING_SURGE, SignalType.SENIOR_ROLE_OPENED, SignalType.NEW_RISK_FACTOR)
    assert all(trained.thresholds[trained.labels.index(str(each))] > 1 for each in off)
    assert not {path.name for path in (TRAINED / "sentences").glob("*")} & set(FLOORS)
