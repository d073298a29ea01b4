"""What was made before, within a number of bytes."""

from sightline.kit.remembered import Remembered


def test_the_least_recently_used_goes_first() -> None:
    held = Remembered(160)
    for n in range(16):
        held.put(n, str(n), size=10)
    assert held.get(0) == "0"
    held.put("new", "value", size=10)
    assert held.get(1) is None
    assert held.get(0) == "0"
    assert held.get("new") == "value"


def test_sizes_are_counted_once() -> None:
    held = Remembered(160)
    for _ in range(100):
        held.put("same", "value", size=10)
    held.put("other", "value", size=10)
    assert held.get("same") == "value"


def test_what_is_too_large_is_not_kept_nor_what_it_replaces() -> None:
    held = Remembered(160)
    held.put("page", "small", size=10)
    held.put("page", "large", size=11)
    assert held.get("page") is None
