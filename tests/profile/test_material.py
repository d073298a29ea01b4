"""What a model is shown: whole paragraphs, from where they say who and what they are about, each once."""

from uuid import UUID

from sightline.profile.evidence import Quote
from sightline.profile.material import happened, lined, numbered
from tests.profile.test_fact_sections import evidence, member, proven

REPORT, SITE = UUID(int=1), UUID(int=2)
FILED = "In May 2025 Osprey Foods sued Larkspur Freight in Oslo over spoiled fish."
RULED = "In June 2025 the court awarded it $5 million."
OTHER = "In July 2025 a jury in Bergen found for a driver."
TEXT = f"""Depots | Drivers
12 | 340

Legal proceedings
{FILED}  It said that cold stores had failed. {RULED}
Cases of drivers
{OTHER}
"""


def shown(*quotes: tuple[UUID, str], note: str | None = None) -> list[str]:
    rows = [{"sources": (Quote(document, text),), "note": note} for document, text in quotes]
    texts = {REPORT: lined(TEXT), SITE: lined(f"{'Larkspur hauls fish. ' * 300}\n{RULED}")}
    found = numbered({}, rows, texts.get, {})
    assert all(f"E{n}" in found for n in range(1, len(found) + 1))
    return [each.text for each in found.values()]


def test_a_passage_begins_where_its_paragraph_does_below_its_heading() -> None:
    assert shown((REPORT, RULED)) == [
        f"Legal proceedings {FILED} It said that cold stores had failed. {RULED}"
    ]


def test_paragraphs_that_meet_are_one_passage_in_the_order_of_the_text() -> None:
    (text,) = shown((REPORT, OTHER), (REPORT, RULED), (REPORT, FILED))
    assert text.startswith("Legal proceedings In May 2025")
    assert text.endswith(OTHER)
    assert text.count(RULED) == 1


def test_of_a_long_paragraph_whole_sentences_near_the_quote_are_shown() -> None:
    (text,) = shown((SITE, "Larkspur hauls fish."))
    assert len(text) < 1_000
    assert set(text.split(". ")) == {"Larkspur hauls fish", "Larkspur hauls fish."}


def test_the_same_words_of_two_documents_are_shown_once_and_what_is_not_there_never() -> None:
    assert len(shown((REPORT, RULED), (SITE, RULED))) == 1
    assert shown((REPORT, "Nobody said this.")) == []


def test_the_revenue_of_every_division_is_shown_with_its_change() -> None:
    facts = [member("Rail", 80, change=0.04), member("Harbours", 40, change=-0.02)]
    of = evidence([*facts, member("Ferries", 10, change=None)])
    rows = proven(of, happened(of))
    assert [row["description"].partition(" in ")[2] for row in rows] == [
        "FY2025 (down 2% from the prior year).",
        "FY2025 (up 4% from the prior year).",
    ]
