"""What current reports, releases and news tell by their structure and by several sentences together."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany, Span
from sightline.domain.signals import SignalType
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.signals.documents import read_document
from sightline.signals.local_reader import LocalReader

T = SignalType
DAY = datetime(2026, 8, 3, 12, tzinfo=UTC)
READER = LocalReader(bundled_encoder())


def read(company: str, text: str, *sections: tuple[str, str]) -> list[Mention]:
    """What a report of items says, or with none a piece of news."""
    spans = []
    for section, content in sections:
        start = len(text)
        text += content + "\n\n"
        spans.append(Span(start, len(text) - 2, section, None))
    kind, title = ("filing", "8-K for 2026-08-01") if sections else ("news", None)
    source = "sec_edgar" if sections else "feeds"
    document = EvidenceDocument(
        uuid4(), "https://press.example/a", source, kind, title, DAY, DAY, 1, text, tuple(spans)
    )
    return read_document(document, NamedCompany(UUID(int=1), company), READER)


def test_an_item_that_only_refers_to_another_says_what_that_one_is() -> None:
    (found,) = read(
        "Tessell Foods Corporation",
        "",
        (
            "1.01",
            "Item 1.01 Entry into a Material Definitive Agreement.\n\nOn July 30, 2026, Tessell Foods"
            " Corporation (the “Company”) entered into a Securities Purchase Agreement with Novante Growth"
            " Fund II, L.P. (“Novante”), under which the Company agreed to issue and sell to Novante 60,000"
            " preferred shares for an aggregate purchase price of $60 million.",
        ),
        (
            "3.02",
            "Item 3.02 Unregistered Sales of Equity Securities.\n\nThe information set forth under Item"
            " 1.01 is incorporated by reference into this Item 3.02.",
        ),
    )
    assert found.type == T.RECEIVES_FINANCING
    assert found.title.startswith("On July 30, 2026, Tessell Foods Corporation entered into")
    assert ("investor", "Novante Growth Fund II, L.P.") in [
        (each.role, each.name) for each in found.parties
    ]


def test_an_agreement_to_buy_is_planned_and_has_its_price() -> None:
    (found,) = read(
        "Halden Marine Holdings, Inc.",
        "",
        (
            "1.01",
            "Item 1.01 Entry into a Material Definitive Agreement.\n\nOn July 30, 2026, Halden Marine"
            " Holdings, Inc. (the “Company”) and Corvane Dredging, Inc., a Louisiana corporation"
            " (“Corvane”), entered into an Agreement and Plan of Merger.\n\nUpon the terms of the agreement"
            " Corvane will become a wholly owned subsidiary of the Company.\n\nThe aggregate consideration"
            " payable is $212 million in cash.",
        ),
    )
    assert found.realis == "planned"
    assert "Corvane Dredging, Inc." in found.title
    assert found.amount is not None
    assert found.amount.value == 212e6


def test_a_sale_that_is_completed_is_no_purchase() -> None:
    (found,) = read(
        "Kestrel Aerostructures, Inc.",
        "",
        (
            "2.01",
            "Item 2.01 Completion of Acquisition or Disposition of Assets.\n\nOn July 31, 2026, Kestrel"
            " Aerostructures, Inc. (the “Company”) completed the previously announced sale of its Castings"
            " business to Dunmore Industrial Partners LP (“Buyer”) pursuant to the Asset Purchase Agreement"
            " of May 17, 2026. At closing the Company received $87.5 million in cash.",
        ),
    )
    assert found.type in (T.DIVESTS, T.SELLS_ASSETS_TO)


def test_a_notice_of_the_exchange_is_no_offering() -> None:
    (found,) = read(
        "Gantry Logistics Inc.",
        "",
        (
            "3.01",
            "Item 3.01 Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard;"
            " Transfer of Listing.\n\nOn July 30, 2026, Gantry Logistics Inc. received a written notice from"
            " The Nasdaq Stock Market LLC stating that its bid price had closed below $1.00 for 30 days.",
        ),
    )
    assert (found.type, found.counterparty) == (T.REGULATORY_ACTION, "nasdaq stock market")


@pytest.mark.parametrize(
    ("section", "text"),
    [
        (
            "5.07",
            "On July 29, 2026, the shareholders elected each of the nine director nominees.",
        ),
        (
            "5.02",
            "On July 27, 2026, the Company and Ms. Vale entered into an amended employment agreement.",
        ),
    ],
)
def test_votes_and_contracts_of_officers_are_no_deals(section: str, text: str) -> None:
    found = read("Pinewell Bancorp", "", (section, f"Item {section} Heading.\n\n{text}"))
    assert not {each.type for each in found} & {T.BOARD_CHANGE, T.MATERIAL_AGREEMENT}


@pytest.mark.parametrize(
    "text",
    [
        "Grocer Ferncastle denies it is in talks to buy rival Oakmarket\n\nFerncastle said on Monday that it"
        " is not in talks to acquire Oakmarket, denying a report by a trade paper.",
        "Ferncastle weighs sale of its truck unit, sources say\n\nFerncastle is exploring a sale of its"
        " commercial truck division that could fetch as much as $3 billion, people familiar with it said.",
        "Ferncastle has no plan to file for bankruptcy\n\nFerncastle said on Monday that it has no plans to"
        " file for Chapter 11 protection.",
    ],
)
def test_free_text_that_is_denied_or_only_possible_is_not_told(text: str) -> None:
    assert read("Ferncastle", text) == []


def test_the_mark_of_an_exchange_and_a_state_are_no_party() -> None:
    (found,) = read(
        "Halden Marine Holdings",
        "",
        (
            "2.01",
            "Item 2.01 Completion of Acquisition or Disposition of Assets.\n\nOn August 1, 2026, Halden"
            " Marine Holdings (NYSE: HMHL) completed the acquisition of Corvane Dredging, Inc. of Louisiana.",
        ),
    )
    assert found.counterparty == "corvane dredging"


def test_the_new_auditor_is_not_the_one_whose_letter_is_filed() -> None:
    (found,) = read(
        "Dunwell Bancorp",
        "",
        (
            "4.01",
            "Item 4.01 Changes in Registrant's Certifying Accountant.\n\nOn July 26, 2026, the audit"
            " committee of Dunwell Bancorp (the “Company”) dismissed Hark & Pell LLP as its independent"
            " registered public accounting firm.\n\nOn the same date the committee approved the engagement of"
            " Lind & Voss LLP as independent auditor for 2026.",
        ),
        ("9.01", "Item 9.01 Exhibits.\n\n16.1 Letter of Hark & Pell LLP, dated July 28, 2026"),
    )
    assert found.title.endswith(
        "dismissed Hark & Pell LLP as its independent registered public accounting firm."
    )
    assert ("auditor", "Lind & Voss LLP") in [(each.role, each.name) for each in found.parties]


def test_a_release_is_quoted_and_takes_no_side() -> None:
    text = (
        "Hollis Dental Enters Into Agreement to Be Acquired by Calder Partners for $31 Per Share\n\nHollis"
        " Dental announced that funds managed by Calder Partners will acquire all of its shares."
    )
    bought = next(each for each in read("Hollis Dental", text) if each.type == T.ACQUIRES)
    assert bought.title in text
    assert bought.parties == ()


def test_the_date_of_a_call_is_no_result() -> None:
    text = (
        "Wexley Utilities Sets Date for Second Quarter Earnings Call\n\nWexley Utilities will release its"
        " financial results for the quarter ended June 30, 2026 before the market opens on August 30, 2026."
    )
    assert read("Wexley Utilities", text) == []


def test_what_a_release_always_says_is_not_read() -> None:
    text = (
        "Wexley Brands opens a plant in Ohio\n\nWexley Brands today opened its plant in Ohio.\n\nAbout Wexley"
        " Brands\n\nWexley Brands has acquired Coastline Kids, Inc. and reported revenue of $40 million."
    )
    assert {each.type for each in read("Wexley Brands", text)} == {T.OPENS_NEW_LOCATION}


def test_what_is_bought_of_the_company_is_sold() -> None:
    (found,) = read(
        "Kestrel Group, Inc.",
        "",
        (
            "2.01",
            "Item 2.01 Completion of Acquisition or Disposition of Assets.\n\nOn July 31, 2026, Kestrel"
            " Group, Inc. (“Kestrel”) entered into a purchase agreement with Dunmore, Inc. (“Dunmore”),"
            " pursuant to which Dunmore purchased all of the stock of Kite Services, Inc., formerly a"
            " subsidiary of Kestrel.",
        ),
    )
    assert (found.type, found.parties[0].role) == (T.SELLS_ASSETS_TO, "seller")


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (
            "On July 31, 2026, Kestrel Corp. (the “Company”) completed its acquisition of Dunmore, Inc.",
            {"Kestrel Corp.": "acquirer", "Dunmore, Inc.": "target"},
        ),
        (
            "On July 31, 2026, Kestrel Corp. (the “Company”) completed the sale of its Castings business to"
            " Dunmore Holdings LLC for $87.5 million in cash.",
            {"Kestrel Corp.": "seller", "Dunmore Holdings LLC": "buyer"},
        ),
        (
            "On July 31, 2026, Kestrel Corp. was acquired by Dunmore, Inc. for $2.15 per share.",
            {"Kestrel Corp.": "target", "Dunmore, Inc.": "acquirer"},
        ),
        (
            "On July 31, 2026, Dunmore, Inc. sold to Kestrel Corp. all shares of its Castings unit.",
            {},
        ),
        ("On July 31, 2026, the acquisition of Dunmore, Inc. by Kestrel Corp. was completed.", {}),
        (
            "As previously disclosed, on May 9, 2026 Kestrel Corp. (the “Registrant”) entered into an Equity"
            " Purchase Agreement with Vantor Technologies Ltd. (“Buyer”).\n\nOn July 31, 2026, the closing"
            " occurred and Buyer acquired the Registrant’s payments business for $96 million.",
            {},
        ),
    ],
)
def test_the_sides_of_a_deal_are_right_or_left_out(text: str, roles: dict[str, str]) -> None:
    heading = "Item 2.01 Completion of Acquisition or Disposition of Assets."
    (found,) = read("Kestrel Corp.", "", ("2.01", f"{heading}\n\n{text}"))
    assert {each.name: each.role for each in found.parties} == roles


def test_a_change_in_control_is_of_the_company() -> None:
    text = (
        "Item 5.01 Changes in Control of Registrant.\n\nOn July 31, 2026, Dunmore, Inc. acquired most of"
        " the outstanding shares of Kestrel Corp. (the “Company”)."
    )
    (found,) = read("Kestrel Corp.", "", ("5.01", text))
    assert [(each.role, each.name) for each in found.parties] == [
        ("acquirer", "Dunmore, Inc."), ("target", "Kestrel Corp."),
    ]  # fmt: skip


def test_who_comes_and_who_goes_in_one_sentence_are_in_its_words_alone() -> None:
    text = (
        "Item 5.02 Departure of Directors.\n\nOn July 31, 2026, the Board of Kestrel Corp. named Maria Stone"
        " as Chief Financial Officer, succeeding Daniel Frey, who will retire on August 30, 2026."
    )
    (found,) = read("Kestrel Corp.", "", ("5.02", text))
    assert "Maria Stone" in found.title
    assert "Daniel Frey" in found.title
    assert [each.role for each in found.parties] == ["employer"]


def test_an_agreement_is_told_by_its_first_sentence_and_without_definitions() -> None:
    (found,) = read(
        "Marlow Foods, Inc.",
        "",
        (
            "1.01",
            "Item 1.01 Entry into a Material Definitive Agreement.\n\n(a) On July 30, 2026, Marlow Foods,"
            " Inc. (the “Company”) entered into an underwriting agreement with Maxwell Group LLC, relating to"
            " the Company's public offering of 1,650,000 shares.\n\nA final prospectus relating to the"
            " offering was filed with the SEC on August 1, 2026.\n\nOn August 2, 2026, the offering closed"
            " for gross proceeds of $3,795,000.",
        ),
    )
    assert found.title.startswith(
        "On July 30, 2026, Marlow Foods, Inc. entered into an underwriting"
    )
    assert found.amount is not None
    assert found.amount.value == 3_795_000


def test_an_item_for_other_events_tells_of_something() -> None:
    (found,) = read(
        "Marlow Foods, Inc.",
        "",
        (
            "8.01",
            "Item 8.01 Other Events.\n\nOn August 1, 2026, the Registrant entered into a new $2.25 billion"
            " Five-Year Credit Agreement with a syndicate of lenders to support commercial paper borrowings"
            " and for other general corporate purposes.",
        ),
    )
    assert found.type == T.RECEIVES_FINANCING


def test_beside_a_release_no_other_exhibit_is_read() -> None:
    found = read(
        "Marlow Foods, Inc.",
        "",
        (
            "EX-99.1",
            "AGREEMENT\n\nMarlow Foods, Inc. files for bankruptcy under Chapter 11 of the Code.",
        ),
        (
            "EX-99.2",
            "Marlow Foods Names a Chief Executive\n\nDAYTON, Ohio, August 3, 2026 -- Marlow Foods, Inc. today"
            " announced that it has appointed Ann Lee as Chief Executive Officer.",
        ),
    )
    assert {each.type for each in found} == {T.HIRES}


COVER = "FORM 8-K\n\nDate of Report (Date of earliest event reported): August 1, 2026\n\n"
DISMISSED = (
    "4.01",
    "Item 4.01 Changes in Registrant’s Certifying Accountant.\n\nThe audit committee of Tessell Foods"
    " Corporation dismissed Brandt & Lowe LLP as its independent registered public accounting firm.",
)


def test_the_day_of_an_event_stays_open_where_the_words_give_none() -> None:
    (found,) = read("Tessell Foods Corporation", "FORM 8-K\n\n", DISMISSED)
    assert (found.occurred_at, found.published_at) == (None, DAY)
    assert found.at == DAY


def test_the_cover_of_a_report_with_one_item_gives_its_day() -> None:
    (found,) = read("Tessell Foods Corporation", COVER, DISMISSED)
    assert found.occurred_at == datetime(2026, 8, 1, 12, tzinfo=UTC)
    other = (
        "8.01",
        "Item 8.01 Other Events.\n\nThe plant in Springfield was quiet for the summer.",
    )
    found = next(
        each
        for each in read("Tessell Foods Corporation", COVER, DISMISSED, other)
        if each.type == T.ACCOUNTANT_CHANGE
    )
    assert found.occurred_at is None


def test_a_dateline_says_when_an_event_was_reported_and_not_when_it_happened() -> None:
    text = (
        "Tessell Foods acquires Polar Gear\n\nSPRINGFIELD, Ill., July 31, 2026 -- Tessell Foods Corporation"
        " today announced that it has acquired Polar Gear Inc. for $40 million in cash."
    )
    found = read("Tessell Foods Corporation", text)
    assert {each.type for each in found} == {T.ACQUIRES}
    assert {each.occurred_at for each in found} == {None}
    assert {each.published_at for each in found} == {datetime(2026, 7, 31, 12, tzinfo=UTC)}
    dated = text.replace("has acquired", "on July 29, 2026 acquired")
    assert {each.occurred_at for each in read("Tessell Foods Corporation", dated)} == {
        datetime(2026, 7, 29, 12, tzinfo=UTC)
    }
