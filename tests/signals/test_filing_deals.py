"""Credit, notes, contracts and agreements that end, as current reports tell of them; and who moves."""

from datetime import UTC, datetime

import pytest

from sightline.domain.happenings import SignalAmount, Telling
from sightline.domain.signals import SignalType
from sightline.signals import filing_items, form_d
from tests.signals.build import ACME, document


def read(section: str, text: str) -> list[Telling]:
    return filing_items.read(document(f"Item {section}. Heading.\n\n{text}", section=section), ACME)


def test_all_notes_of_an_offering_are_summed() -> None:
    [found] = read(
        "8.01",
        "On March 1, 2024, Acme Widget Corporation entered into a Terms Agreement with Birch Securities LLC"
        " with respect to the offer and sale of $500,000,000 aggregate principal amount of its 4% Notes due"
        " 2029 and $250,000,000 aggregate principal amount of its 5% Notes due 2034.",
    )
    assert found.title == "Acme Widget Corporation sells $750M of notes"
    assert found.amount == SignalAmount(750_000_000, "USD")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("On March 1, 2024 the Registrant entered into a new $1.5 billion 364-Day Credit Agreement with a"
         " syndicate of lenders.",
         "Acme Widget Corporation signs a credit agreement for $1.5B"),
        ("In anticipation of the winter, on March 1, 2024 the Company replaced its existing $6 billion"
         " 364-Day Credit Agreement with a new $2.25 billion 364-Day Credit Agreement.",
         "Acme Widget Corporation replaces its credit agreement for $2.25B"),
        ("On March 1, 2024 the Company replaced its existing $6 billion Credit Agreement.",
         "Acme Widget Corporation replaces its credit agreement"),
    ],
)  # fmt: skip
def test_what_is_lent_is_not_what_was_lent_before(text: str, title: str) -> None:
    [found] = read("8.01", text)
    assert (found.type, found.title) == (SignalType.RECEIVES_FINANCING, title)


def test_an_agreement_that_ends() -> None:
    [found] = read(
        "1.02",
        "On May 2, 2021, Acme Widget Corporation entered into a Supply Agreement with Birch Steel, Inc. The"
        " Supply Agreement may be terminated by either party. On March 1, 2024, the Company terminated the"
        " Supply Agreement.",
    )
    assert (found.type, found.title) == (
        SignalType.MATERIAL_AGREEMENT,
        "Acme Widget Corporation ends its supply agreement with Birch Steel, Inc.",
    )
    assert found.quote.endswith("the Company terminated the Supply Agreement.")


@pytest.mark.parametrize(
    "awarder", ["NASA", "the Office of Widget Safety (Springfield)", "Birch Water Department"]
)
def test_who_awards_a_contract_needs_no_legal_form(awarder: str) -> None:
    [found] = read(
        "1.01",
        f"Acme Widget Corporation announced that {awarder} awarded its Pump unit a new contract for fitting"
        " services worth $9.5 million.",
    )
    name = awarder.removeprefix("the ").partition(" (")[0]
    assert found.title == f"Acme Widget Corporation is awarded a contract by {name}"


def test_a_former_name_of_the_company_is_nobody_else() -> None:
    [found] = read(
        "4.01",
        "On March 1, 2024, OLDNAME Incorporated (the “Company”) dismissed Elm & Oak LLP as the independent"
        " auditor. The Board has approved the appointment of Birch Alder LLP as its new auditor.",
    )
    assert found.title == (
        "Acme Widget Corporation engages Birch Alder LLP as auditor in place of Elm & Oak LLP"
    )


def test_the_business_that_is_parted_is_named() -> None:
    [found] = read(
        "2.01",
        "On March 1, 2024, the Company completed the previously announced Separation of Acme Pumps.",
    )
    assert found.title == "Acme Widget Corporation completes the separation of Acme Pumps"


def test_who_moves_is_told_under_other_events_too() -> None:
    found = read(
        "8.01",
        "On March 4, 2024, Ann Castor tendered her resignation as the president of the Company, effective"
        " immediately. Dorian Ellis, the Company’s Chief Operating Officer, was appointed as the interim"
        " president of the Company.",
    )
    assert [each.title for each in found] == [
        "Ann Castor leaves Acme Widget Corporation (president)",
        "Acme Widget Corporation promotes Dorian Ellis as interim president",
    ]


def test_terms_of_an_agreement_are_no_move() -> None:
    text = (
        "The Company has amended the agreement of Fay Grant. Under the Grant Agreement, Ms. Grant will serve"
        " as the Chief Financial Officer of the Company."
    )
    assert read("5.02", text) == []


@pytest.mark.parametrize(
    ("first", "told"), [("2024-02-20", "2024-02-20"), ("2019-02-20", "2024-03-06")]
)
def test_an_offering_that_lasts_for_years_is_as_new_as_its_totals(first: str, told: str) -> None:
    notice = document(
        f"Acme gives notice.\nTotal amount sold: $5,725,051.\nDate of first sale: {first}.",
        title="D/A", published=datetime(2024, 3, 6, 12, tzinfo=UTC),
    )  # fmt: skip
    [found] = form_d.read(notice, ACME)
    assert found.occurred_at is not None
    assert found.occurred_at.date().isoformat() == told
    assert found.title == "Acme Widget Corporation raises $5.73M"


@pytest.mark.parametrize(
    ("section", "text", "planned"),
    [
        ("7.01", "On March 1, 2024, the Company issued a press release announcing, subject to the listing"
         " requirements, the Company’s uplist to NYSE American, LLC.", True),
        ("3.01", "On March 1, 2024, the Company notified its exchange that it transferred its listing to the"
         " NYSE American from another market.", False),
    ],
)  # fmt: skip
def test_shares_that_move_to_another_exchange(section: str, text: str, planned: bool) -> None:
    [found] = read(section, text)
    assert (found.type, found.planned) == (SignalType.GOES_PUBLIC, planned)
    assert found.title == "Acme Widget Corporation moves its listing to NYSE American"


def test_a_credit_agreement_hides_nothing_else() -> None:
    found = read(
        "8.01",
        "On March 1, 2024 the Company entered into a new $1.5 billion Credit Agreement with a syndicate of"
        " lenders. On March 1, 2024 the Company acquired Larkfield Pumps, Inc. for $20 million.",
    )
    assert [each.type for each in found] == [SignalType.RECEIVES_FINANCING, SignalType.ACQUIRES]
