"""Spellings of one person's name, and relatives and namesakes that are others. All names invented."""

import pytest

from sightline.domain.same_person import group_people, same_person


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tim Quill", "Timothy D. Quill"),
        ("QUILL TIMOTHY D", "Tim Quill"),
        ("Quill Timothy D", "Timothy Quill"),
        ("Quill, Timothy D.", "Tim Quill"),
        ("QUILL ADA", "Ada Quill"),
        ("Sue Marsh", "Susan L. Marsh"),
        ("Kate Marsh", "Katherine L. Marsh"),
        ("Bob Marsh", "Rob Marsh"),
        ("Srini Tallaprag", "Srinivas Tallaprag"),
        ("JB Orchard", "Jeffrey B. Orchard"),
        ("J. R. Orchard", "James Robert Orchard"),
        ("H.E. Orchard, Jr.", "H. E. Orchard"),
        ("C. Douglas Orchard", "Doug Orchard"),
        ("L. John Orchard", "John Orchard"),
        ("Bill Orchard", "William Clay Orchard Jr."),
        ('Robert "Bud" Orchard', "Bud Orchard"),
        ("Jen (Jenny) Orchard", "Jennifer Orchard"),
        ("Ann-Marie Orchard", "Ann Marie Orchard"),
        ("Mónica Gil", "MONICA GIL"),
        ("Deirdre O’Marsh", "Deirdre O'Marsh"),
        ("John Orchard, M.D.", "Dr. John H. Orchard"),
        ("Michelle Quill Orchard", "Michelle Orchard"),
        ("Ludwig van der Marsh", "VAN DER MARSH, LUDWIG"),
        ("王小明", "王小明"),
    ],
)
def test_one_person(one: str, other: str) -> None:
    assert same_person(one, other)
    assert same_person(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("John H. Quill", "John R. Quill"),
        ("William Quill II", "William Quill III"),
        ("James Quill Jr.", "James Quill Sr."),
        ("J. Quill", "James Quill"),
        ("Paul Quill", "Paula Quill"),
        ("Dan Quill", "Dana Quill"),
        ("Ann Quill", "Anna Quill"),
        ("Carl Quill", "Carlos Quill"),
        ("Mike Quill", "Alex Quill"),
        ("Christopher Quill", "Christine Quill"),
        ("John Quill", "Jonathan Quill"),
        ("James Thomas", "Thomas James"),
        ("Quill", "Tim Quill"),
        ("Ada Quill", "Ada Marsh"),
        ("Ada Quill and Ben Marsh", "Ben Marsh"),
        ("王小明", "王小红"),
        ("", "Tim Quill"),
    ],
)
def test_two_people(one: str, other: str) -> None:
    assert not same_person(one, other)
    assert not same_person(other, one)


def test_people_are_grouped_in_the_order_they_come() -> None:
    names = ["Tim Quill", "Ada Marsh", "Timothy D. Quill", "MARSH ADA L", "Ben Marsh"]
    assert group_people([(name, n) for n, name in enumerate(names)]) == [[0, 2], [1, 3], [4]]


def test_a_name_that_two_answer_to_joins_the_one_of_its_title() -> None:
    names = [("John Quill", 1), ("John H. Quill", 2), ("John R. Quill", 3)]
    assert group_people(names) == [[0], [1], [2]]
    titles = ["Chief Financial Officer", "Chair", "Chief Financial Officer"]
    assert group_people(names, titles=titles) == [[0, 2], [1]]


def test_father_and_son_of_one_document_stay_two() -> None:
    titles = ["Chairman", "President"]
    assert group_people([("John Quill", 1), ("John Quill Jr.", 1)], titles=titles) == [[0], [1]]
    assert group_people([("John Quill", 1), ("John Quill Jr.", 2)], titles=titles) == [[0, 1]]
    same = ["Director", "Director"]
    assert group_people([("John Quill", 1), ("John Quill Jr.", 1)], titles=same) == [[0, 1]]
