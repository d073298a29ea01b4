"""JSON text as it is stored and served."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.records import as_json

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
)


@given(_VALUES)
def test_it_is_what_the_library_writes(value: object) -> None:
    assert as_json(value) == json.dumps(value, ensure_ascii=False)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        as_json({"at": object()})
