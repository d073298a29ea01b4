"""Discovery questions: no two of them ask the same."""

from datetime import date

from sightline.profile.changes import Change
from sightline.profile.sections.discovery_questions import _of_changes
from sightline.profile.seller import Seller


def test_changes_of_one_kind_are_asked_about_in_other_words() -> None:
    names = (
        "Revenue grew 26% in FY2025",
        "Canada grew 27% in FY2025",
        "Germany grew 37% in FY2025",
    )
    found = [Change("growth", name, f"{name}.", date(2026, 2, 26), ()) for name in names]
    asked = [row["name"].partition(". ") for row in _of_changes(Seller(), found)]
    assert [name for name, _, _ in asked] == list(names[:2])
    assert len({question for _, _, question in asked}) == 2
