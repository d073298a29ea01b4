"""Legal forms as texts write them."""

import pytest

from sightline.reading.legal_forms import LEGAL_FORM


@pytest.mark.parametrize(
    ("name", "form"),
    [("Plum Inc.", "Inc."), ("Plum GmbH & Co. KG", "GmbH & Co. KG"), ("Plum, L.L.C.", "L.L.C."),
     ("Pera S.p.A.", "S.p.A."), ("Śliwka Sp. z o.o.", "Sp. z o.o."), ("梅 株式会社", "株式会社"),
     ("Plum S.A. de C.V.", "S.A. de C.V.")],
)  # fmt: skip
def test_a_form_is_found_whole(name: str, form: str) -> None:
    found = LEGAL_FORM.search(name)
    assert found is not None
    assert found[0] == form


@pytest.mark.parametrize("name", ["Incline Group", "Plum inc.", "Agway", "The Limiteds"])
def test_words_that_hold_the_letters_are_none(name: str) -> None:
    assert LEGAL_FORM.search(name) is None
