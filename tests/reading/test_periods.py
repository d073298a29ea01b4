"""What a text speaks of is over when every day, period and year in it has passed."""

from datetime import date

import pytest

from sightline.reading.periods import fiscal_years_written_out, is_over, latest_day

TODAY = date(2026, 6, 15)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("We aim for 40 depots by 2030.", date(2030, 12, 31)),
        ("Revenue fell in fiscal 2024 and in the third quarter of 2025.", date(2025, 9, 28)),
        ("On January 5, 2026 we set out to be done by 2028.", date(2028, 12, 31)),
        ("On January 5, 2026 the depot was opened.", date(2026, 1, 5)),
        ("We plan to grow our fleet of trucks.", None),
        ("A lorry costs $2,026, which is 2030% of what it did.", None),
    ],
)
def test_the_latest_day(text: str, last: date | None) -> None:
    assert latest_day(text) == last


def test_what_names_no_time_is_never_over() -> None:
    assert is_over("In 2025, we intend to open a depot.", TODAY)
    assert not is_over("In 2026, we intend to open a depot.", TODAY)
    assert not is_over("We intend to open a depot.", TODAY)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("revenue FY24?", "revenue fiscal 2024?"),
        ("FY'19 and fy 2020", "fiscal 2019 and fiscal 2020"),
        ("the FYI of 24", "the FYI of 24"),
    ],
)
def test_fiscal_years_are_written_out(text: str, written: str) -> None:
    assert fiscal_years_written_out(text) == written
