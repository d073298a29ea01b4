"""Who a document says that it speaks of: parties that it defines, and terms that are no one."""

from uuid import UUID

import pytest

from sightline.domain.mentions import NamedCompany
from sightline.signals.definitions import Definitions, definitions_of

LARKSPUR = NamedCompany(UUID(int=1), "Larkspur Freight Co", (), ())
DEAL = (
    "On March 3, 2026, The Larkspur Freight Company (“Larkspur”), LF Merger Sub, LLC, a Delaware limited"
    " liability company and wholly owned subsidiary of Larkspur (“Merger Sub”), and Osprey Cargo, Inc., an"
    " Ohio corporation (“Osprey”), entered into an Agreement and Plan of Merger (the “Merger Agreement”)."
)


@pytest.fixture
def defined() -> Definitions:
    return definitions_of(DEAL, LARKSPUR)


def test_a_party_is_called_by_its_full_name(defined: Definitions) -> None:
    assert defined.resolve("Osprey") == "Osprey Cargo, Inc."
    assert defined.only == "Osprey Cargo, Inc."


@pytest.mark.parametrize("term", ["Larkspur", "Merger Sub", "the Merger Agreement", "Inc."])
def test_the_company_its_subsidiaries_and_agreements_are_no_parties(
    defined: Definitions, term: str
) -> None:
    assert defined.resolve(term) is None


def test_a_borrower_that_the_company_owns_is_no_party() -> None:
    text = (
        "Larkspur Depots LLC (the “Borrower”), a wholly owned subsidiary of Larkspur Freight Co (the"
        " “Company”), entered into a credit agreement with First Harbor Bank, N.A. (the “Lender”)."
    )
    found = definitions_of(text, LARKSPUR)
    assert found.resolve("Borrower") is None
    assert found.resolve("Larkspur Depots LLC") is None
    assert found.only == "First Harbor Bank, N.A."


def test_what_is_not_defined_is_what_it_is_called(defined: Definitions) -> None:
    assert defined.resolve("Fernhill Logistics") == "Fernhill Logistics"
    assert not defined.knows("Fernhill Logistics")


def test_a_legal_form_alone_is_no_party() -> None:
    deal = "Larkspur Freight Co sold depots to 2700 harbour, LLC (“Harbour”) in May."
    assert not definitions_of(deal, LARKSPUR).parties


def test_a_former_name_of_the_registrant_is_the_company() -> None:
    text = "Larch Lines, Inc. (the “Registrant”) sold its depots to Tundra Lines AG (“Tundra”)."
    found = definitions_of(text, LARKSPUR)
    assert found.resolve("Larch Lines, Inc.") is None
    assert found.only == "Tundra Lines AG"
