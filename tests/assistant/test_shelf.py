"""Texts that were read lately are kept, within bounds."""

from sightline.assistant.shelf import ReadText, Shelf


def test_lines_and_small_letters_of_a_text() -> None:
    read = ReadText.of("Ab\ncd\n")
    assert (read.low, read.starts) == ("ab\ncd\n", (0, 3, 6))


def test_places_stay_where_a_capital_becomes_two_letters() -> None:
    assert len(ReadText.of("İstanbul AG").low) == len("İstanbul AG")


def test_what_was_not_read_for_longest_makes_room() -> None:
    shelf = Shelf(most=10)
    shelf.put("a", "1234")
    shelf.put("b", "1234")
    assert shelf.get("a") is not None
    shelf.put("c", "1234")
    assert shelf.get("b") is None
    assert shelf.get("a") is not None
    assert shelf.get("c") is not None


def test_a_version_that_is_read_anew_takes_the_place_of_the_old_text() -> None:
    shelf = Shelf(most=10)
    shelf.put("a", "12345678")
    shelf.put("a", "12345679")
    shelf.put("b", "12")
    read = shelf.get("a")
    assert read is not None
    assert read.text == "12345679"
