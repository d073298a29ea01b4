"""The order of relevance and the reasons kept beside it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.signals import SignalFamily
from sightline.search.duplicates import Fingerprint, fingerprint, fold
from sightline.search.evidence import SOURCE_KINDS, SourceKind
from sightline.search.ranking import WEIGHTS, Candidate, Setting, rank
from sightline.search.terms import terms

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ASKED = Setting(NOW, {})
DEFAULT = Setting(NOW)

RELEASE = (
    "Harbour Robotics today opened its second plant in Lisbon, which will build 4,000 warehouse robots "
    "a year and employ 350 people, the company said on Monday."
)


def candidate(
    name: str,
    *,
    kind: SourceKind = "news",
    text: float = 0.5,
    days: int | None = 10,
    source: str | None = None,
    family: SignalFamily | None = None,
    words: str | None = None,
) -> Candidate:
    return Candidate(
        id=name,
        source_kind=kind,
        source=source or name,
        text_score=text,
        family=family,
        published_at=None if days is None else NOW - timedelta(days=days),
        fingerprint=fingerprint(terms(words)) if words else None,
    )


def order(*candidates: Candidate, setting: Setting = ASKED) -> list[str]:
    return [hit.candidate.id for hit in rank(candidates, setting)]


def test_weights_sum_to_one() -> None:
    for column in zip(*WEIGHTS.values(), strict=True):
        assert sum(column) == pytest.approx(1)


def test_words_lead_when_something_is_asked() -> None:
    assert order(candidate("fresh", text=0.3, days=1), candidate("right", text=0.9, days=90)) == [
        "right",
        "fresh",
    ]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (candidate("a", days=1), candidate("b", days=60)),
        (candidate("a", days=60), candidate("b", days=None)),
        (candidate("a", kind="insight"), candidate("b", kind="job")),
        (candidate("a", family=SignalFamily.FUNDING), candidate("b")),
        (
            candidate("a", family=SignalFamily.LEADERSHIP_MOVES),
            candidate("b", family=SignalFamily.TECHNOLOGY_MENTIONS),
        ),
    ],
)
def test_all_else_equal(better: Candidate, worse: Candidate) -> None:
    assert order(worse, better, setting=DEFAULT) == ["a", "b"]
    assert order(worse, better) == ["a", "b"]


def test_a_family_that_is_asked_for_comes_first() -> None:
    setting = Setting(NOW, {SignalFamily.HIRING_TRENDS: 1.0})
    hiring = candidate("b", family=SignalFamily.HIRING_TRENDS)
    assert order(candidate("a", family=SignalFamily.FUNDING), hiring, setting=setting)[0] == "b"


def test_one_story_told_three_times_is_one_hit_with_three_sources() -> None:
    again = RELEASE.replace("today opened", "has opened").replace("on Monday", "in a statement")
    hits = rank(
        [
            candidate("wire", source="wire", words=RELEASE),
            candidate("paper", source="paper", words=again, text=0.45),
            candidate("site", source="site", words=RELEASE, text=0.4, kind="web"),
            candidate(
                "other", words="The board of Harbour Robotics declared a dividend of 12 cents."
            ),
        ],
        ASKED,
    )
    assert [hit.candidate.id for hit in hits] == ["wire", "other"]
    assert hits[0].duplicates == ("paper", "site")
    assert hits[0].factors["corroboration"] == 0.75


def test_copies_of_one_publisher_corroborate_nothing() -> None:
    hits = rank([candidate(name, source="wire", words=RELEASE) for name in ("a", "b", "c")], ASKED)
    assert (len(hits), hits[0].factors["corroboration"]) == (1, 0.0)


def test_one_template_with_other_figures_is_another_story() -> None:
    other = RELEASE.replace("4,000", "9,500").replace("350", "1,200")
    assert fold([fingerprint(terms(RELEASE)), fingerprint(terms(other))]) == [0, 1]


def test_short_texts_are_never_folded() -> None:
    assert fingerprint(terms("Read more here")) is None
    assert fold([None, None]) == [0, 1]


def test_caps_are_per_kind_of_source() -> None:
    many = [candidate(f"n{i}") for i in range(15)] + [candidate(f"j{i}", kind="job") for i in "ab"]
    kinds = [hit.candidate.source_kind for hit in rank(many, ASKED, max_hits_per_source=3)]
    assert (kinds.count("news"), kinds.count("job")) == (3, 2)


def test_a_score_is_explained_by_its_factors() -> None:
    hit = rank([candidate("a", family=SignalFamily.RISK)], ASKED)[0]
    assert hit.factors.keys() == WEIGHTS.keys()
    expected = sum(WEIGHTS[name][0] * value for name, value in hit.factors.items())
    assert hit.score == pytest.approx(expected, abs=1e-6)


candidates = st.builds(
    Candidate,
    id=st.uuids().map(str),
    source_kind=st.sampled_from(SOURCE_KINDS),
    source=st.sampled_from(["0", "1", "2"]),
    text_score=st.floats(0, 1, width=32),
    family=st.none() | st.sampled_from(list(SignalFamily)),
    published_at=st.none()
    | st.integers(0, 30_000_000).map(lambda m: datetime.fromtimestamp(m * 60, UTC)),
    fingerprint=st.none()
    | st.builds(Fingerprint, st.integers(1, 2**64 - 1), st.integers(0, 2**32 - 1)),
)
rows = st.lists(candidates, max_size=20, unique_by=lambda c: c.id)


@given(rows)
def test_the_order_does_not_hang_on_the_order_of_reading(among: list[Candidate]) -> None:
    shuffled = sorted(among, key=lambda c: c.id[::-1])
    one = rank(among, ASKED, max_hits_per_source=50)
    assert one == rank(shuffled, ASKED, max_hits_per_source=50)
    assert all(0 <= value <= 1 for hit in one for value in (hit.score, *hit.factors.values()))
    shown = {hit.candidate.id for hit in one} | {d for hit in one for d in hit.duplicates}
    assert shown == {c.id for c in among}


def test_an_insight_and_the_passage_it_stands_in_are_one() -> None:
    passage = replace(candidate("passage", kind="filing", text=0.6), within="report 40")
    insights = [
        replace(candidate(name, kind="insight", text=text), within="report 40")
        for name, text in (("best", 0.9), ("other", 0.5))
    ]
    hits = rank([passage, *insights], ASKED)
    assert [hit.candidate.id for hit in hits] == ["best", "other"], "two insights tell two things"
    assert hits[0].duplicates == ("passage",)
    hits = rank([replace(passage, text_score=1.0), *insights], ASKED)
    assert [hit.duplicates for hit in hits] == [("best", "other")]
    assert len(order(*insights, replace(passage, within="report 41"))) == 3


def test_what_every_report_says_counts_less_than_what_is_new() -> None:
    always = "In the first quarter, as always, the harbor completed purchases of berths in Oslo and Bergen."
    old = candidate("old", kind="filing", text=0.9, days=400, words=always)
    again = candidate("again", kind="filing", text=0.9, days=30, words=always)
    new = candidate("new", kind="filing", text=0.7, days=30, words=RELEASE)
    assert order(again, new, setting=DEFAULT) == ["again", "new"]
    assert order(old, again, new, setting=DEFAULT)[0] == "new"


def test_the_same_figures_in_other_words_are_one_hit() -> None:
    told = {
        "release": "Harbour Robotics opened its second plant in Lisbon and will hire 350 people there.",
        "paper": "350 jobs come with the new Lisbon factory of Harbour Robotics, its second one.",
        "other": "Harbour Robotics opened its third plant in Porto and will hire 90 people there.",
    }
    near, far = np.array([1.0, 0.0], np.float32), np.array([0.6, 0.8], np.float32)
    vectors = {"release": near, "paper": near, "other": near}
    candidates = [candidate(name, words=words) for name, words in told.items()]
    hits = rank(candidates, DEFAULT, vectors=vectors)
    assert {hit.candidate.id: hit.duplicates for hit in hits} == {
        "paper": ("release",),
        "other": (),
    }
    assert len(rank(candidates, DEFAULT, vectors=vectors | {"paper": far})) == 3


def test_what_has_numbers_and_names_comes_before_what_has_none() -> None:
    specific = replace(candidate("b"), specificity=1.0)
    assert order(candidate("a"), specific, setting=DEFAULT) == ["b", "a"]
