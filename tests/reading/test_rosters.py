"""People that documents list with their offices, in tables, lists and paragraphs."""

from sightline.reading.rosters import listed_people


def read(text: str) -> dict[str, tuple[str, int | None, int | None]]:
    return {one.name: (one.office, one.age, one.since) for one in listed_people(text)}


def test_a_figure_of_pay_or_a_page_is_no_age() -> None:
    text = """Stockholder Engagement | 27
Director Attendance at Meetings | 27

Name and Principal Position | Year | Salary ($) | Other | Total ($)
Ada M. Quill President and CEO | 2023 | 900,000 | 41 | 2,000,000
"""
    assert read(text) == {"Ada M. Quill": ("President and CEO", None, None)}


def test_the_heads_of_columns_say_what_a_row_is() -> None:
    text = """Name | Position
Ada M. Quill | President and CEO, Orchard Care since May 2020

Name | Position | Number of Shares
Jay Lee | Treasurer | 1,000
"""
    assert read(text) == {"Ada M. Quill": ("President and CEO, Orchard Care", None, 2020)}


def test_what_follows_the_next_item_is_not_announced_any_more() -> None:
    person = "Ada M. Quill, 58, is Treasurer of the Company since May 2020. She is new."
    listed = {"Ada M. Quill": ("Treasurer", 58, 2020)}
    assert read(f"Our Executive Officers\n\n{person}\n") == listed
    assert read(f"Our Executive Officers\n\nITEM 2. PROPERTIES\n\n{person}\n") == {}
    assert read(person.replace("58", "age 58")) == listed


def test_people_are_quoted_where_they_stand() -> None:
    text = "Executive Officers\n\nAda M. Quill\n\n58\n\nChief People Officer\n\nMore.\n"
    (one,) = listed_people(text)
    assert text[one.start : one.end] == "Ada M. Quill\n\n58\n\nChief People Officer"
