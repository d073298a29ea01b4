"""Whose a board is that was found by its token alone."""

import pytest

from sightline.domain.postings import ParsedPosting
from sightline.sources.boards.pages import BoardPage
from sightline.sources.job_boards.reading import is_boards_owner, listing_text

ATS = "https://job-boards.greenhouse.io/tarn/jobs/1"
SAYS = "Tarn Instruments makes level gauges."


def board(*texts: str, url: str = ATS) -> BoardPage:
    found = tuple(
        ParsedPosting(str(n), f"Job {n}", url, description=t) for n, t in enumerate(texts)
    )
    return BoardPage("greenhouse", found)


@pytest.mark.parametrize(
    ("page", "stated", "name", "domain", "is_theirs"),
    [
        (board("", url="https://www.tarn.example/jobs/1"), (), "Tarn Instruments", "tarn.example", True),
        (board(""), ("Tarn Instruments Inc.",), "Tarn Instruments", "tarn.example", True),
        (board(""), ("TARN INSTRUMENTS",), "Tarn Instruments Ltd", None, True),
        # Careers sites of their own have the company's name in them; others are others'.
        (board("", url="https://tarncareers.example/1"), ("Tarn Instruments",), "Tarn Instruments",
         "tarn.example", True),
        (board("", url="https://puck.example/board/tarn/1"), ("Tarn",), "Tarn", "tarn.example", True),
        (board("", url="https://brook.example/1"), ("Tarn",), "Tarn", "tarn.example", False),
        (board("", url="https://tarncatering.example/1"), (), "Tarn Instruments", "tarn.example", False),
        # The short name is taken for the company that owns it with a .com, or that the texts name.
        (board(""), ("Tarn",), "Tarn Instruments", "tarn.com", True),
        (board(""), ("Tarn",), "Tarn Instruments", "tarn.dk", False),
        (board("Write to jobs@tarn.dk."), ("Tarn",), "Tarn Instruments", "tarn.dk", True),
        (board("Write to jobs at tarn.com."), ("Tarn",), "Tarn", "tarn.dk", False),
        # Boards that name no one: their texts must.
        (board(SAYS, SAYS, "Join us."), (), "Tarn Instruments", "tarn.example", True),
        (board(SAYS, "Join us.", "Join us."), (), "Tarn Instruments", "tarn.example", False),
        (board("See tarn.example.", "At tarn.example."), (), "Tarn Instruments", "tarn.example", True),
        (board("Tarn is hiring.", "Tarn grows."), (), "Tarn Instruments", "tarn.com", True),
        (board("Tarn is hiring.", "Tarn grows."), (), "Tarn Instruments", "tarn.dk", False),
        (BoardPage("greenhouse"), ("Tarn Instruments",), "Tarn Instruments", "tarn.example", False),
    ],
)  # fmt: skip
def test_a_board_is_the_companys_only_with_proof(
    page: BoardPage, stated: tuple[str, ...], name: str, domain: str | None, is_theirs: bool
) -> None:
    domains = (domain,) if domain else ()
    assert is_boards_owner(page, stated, names=(name,), domains=domains) is is_theirs


def test_each_posting_is_a_passage_of_the_list() -> None:
    page = board("You weld.", "You count.")
    text, passages = listing_text(page.postings)
    assert [text[p.start : p.end] for p in passages] == [
        "Job 0\n\nYou weld.",
        "Job 1\n\nYou count.",
    ]
    assert [(p.section, p.heading) for p in passages] == [("job", "Job 0"), ("job", "Job 1")]
