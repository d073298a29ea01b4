"""Ownership forms, Form D, EX-21 and current reports."""

from datetime import date

import pytest

from sightline.sources.sec_edgar.eight_k import event_date, read_items, read_press_release
from sightline.sources.sec_edgar.form_d import read_form_d
from sightline.sources.sec_edgar.ownership import read_ownership
from sightline.sources.sec_edgar.subsidiaries import read_subsidiaries, subsidiary_observations

FORM4 = b"""<?xml version="1.0"?>
<ownershipDocument>
 <documentType>4</documentType><periodOfReport>2024-05-06</periodOfReport>
 <issuer><issuerCik>90001</issuerCik><issuerName>ORCHARD QUAY INC</issuerName>
  <issuerTradingSymbol>orq</issuerTradingSymbol></issuer>
 <reportingOwner>
  <reportingOwnerId><rptOwnerCik>1</rptOwnerCik><rptOwnerName>QUILL ADA M</rptOwnerName></reportingOwnerId>
  <reportingOwnerRelationship><isDirector>true</isDirector><isOfficer>1</isOfficer>
   <officerTitle>Pres. &amp; CEO</officerTitle></reportingOwnerRelationship>
 </reportingOwner>
 <reportingOwner>
  <reportingOwnerId><rptOwnerCik>2</rptOwnerCik><rptOwnerName>QUILL TRUST</rptOwnerName></reportingOwnerId>
  <reportingOwnerRelationship><isTenPercentOwner>1</isTenPercentOwner></reportingOwnerRelationship>
 </reportingOwner>
 <nonDerivativeTable>
  <nonDerivativeTransaction>
   <securityTitle><value>Common Stock</value></securityTitle>
   <transactionDate><value>2024-05-06</value></transactionDate>
   <transactionCoding><transactionCode>S</transactionCode></transactionCoding>
   <transactionAmounts><transactionShares><value>1,500</value></transactionShares>
    <transactionPricePerShare><value>66.9</value></transactionPricePerShare>
    <transactionAcquiredDisposedCode><value>D</value></transactionAcquiredDisposedCode></transactionAmounts>
   <postTransactionAmounts><sharesOwnedFollowingTransaction><value>37565</value>
    </sharesOwnedFollowingTransaction></postTransactionAmounts>
   <ownershipNature><directOrIndirectOwnership><value>I</value></directOrIndirectOwnership></ownershipNature>
  </nonDerivativeTransaction>
 </nonDerivativeTable>
 <derivativeTable><derivativeHolding><securityTitle><value>Option</value></securityTitle>
 </derivativeHolding></derivativeTable>
 <ownerSignature><signatureDate>2024-05-07</signatureDate></ownerSignature>
</ownershipDocument>"""


@pytest.mark.parametrize("before", [b"", b"<SEC-DOCUMENT>\n<TEXT>\n<XML>\n"])
def test_an_ownership_form_gives_its_people_and_trades(before: bytes) -> None:
    form = read_ownership(before + FORM4 + b"\n</XML>")
    assert form is not None
    assert (form.form, form.issuer_name, form.issuer_ticker) == ("4", "Orchard Quay Inc", "ORQ")
    ada, trust = form.owners
    assert (ada.name, ada.director, ada.officer) == ("Ada M. Quill", True, True)
    assert not trust.is_person
    (sale,) = form.transactions
    assert (sale.code, sale.shares, sale.price, sale.after) == ("S", 1500, 66.9, 37565)
    assert (sale.acquired, sale.derivative, sale.direct) == (False, False, False)
    assert len(form.holdings) == 1
    assert [(one.field, one.as_of) for one in form.observations] == [
        ("person", date(2024, 5, 6)),
        ("ceo", date(2024, 5, 6)),
    ]


def test_one_who_is_no_insider_any_more_is_not_observed() -> None:
    left = FORM4.replace(b"<issuer>", b"<notSubjectToSection16>1</notSubjectToSection16><issuer>")
    form = read_ownership(left)
    assert form is not None
    assert form.no_longer_insider
    assert form.observations == ()


@pytest.mark.parametrize("body", [b"", b"<html/>", b"<ownershipDocument", b"\x00" * 40])
def test_what_is_no_form_gives_none(body: bytes) -> None:
    assert read_ownership(body) is None
    assert read_form_d(body) is None


FORM_D = b"""<?xml version="1.0"?><edgarSubmission><submissionType>D</submissionType>
<primaryIssuer><cik>90002</cik><entityName>PLUMWORKS ROBOTICS INC</entityName>
 <issuerAddress><street1>1 MILL LANE</street1><city>BOSTON</city><stateOrCountry>MA</stateOrCountry>
 <zipCode>02110</zipCode></issuerAddress><jurisdictionOfInc>DELAWARE</jurisdictionOfInc>
 <issuerPreviousNameList><previousName>None</previousName></issuerPreviousNameList>
 <entityType>Corporation</entityType><yearOfInc><withinFiveYears>true</withinFiveYears><value>2022</value></yearOfInc>
</primaryIssuer>
<relatedPersonsList>
 <relatedPersonInfo><relatedPersonName><firstName>ADA</firstName><lastName>QUILL</lastName>
 </relatedPersonName>
  <relatedPersonRelationshipList><relationship>Executive Officer</relationship>
  </relatedPersonRelationshipList>
  <relationshipClarification>Chief Executive Officer</relationshipClarification></relatedPersonInfo>
 <relatedPersonInfo><relatedPersonName><firstName>-</firstName><lastName>Plum Partners LLC</lastName>
  </relatedPersonName>
  <relatedPersonRelationshipList><relationship>Director</relationship>
  </relatedPersonRelationshipList></relatedPersonInfo>
</relatedPersonsList>
<offeringData><industryGroup><industryGroupType>Other Technology</industryGroupType></industryGroup>
 <issuerSize><revenueRange>Decline to Disclose</revenueRange></issuerSize>
 <typeOfFiling><dateOfFirstSale><value>2024-02-01</value></dateOfFirstSale></typeOfFiling>
 <typesOfSecuritiesOffered><isEquityType>true</isEquityType></typesOfSecuritiesOffered>
 <offeringSalesAmounts><totalOfferingAmount>Indefinite</totalOfferingAmount>
  <totalAmountSold>7500000</totalAmountSold></offeringSalesAmounts>
 <investors><totalNumberAlreadyInvested>9</totalNumberAlreadyInvested></investors>
 <signatureBlock><signature><signatureDate>2024-02-10</signatureDate></signature></signatureBlock>
</offeringData></edgarSubmission>"""


def test_form_d_gives_the_offering_and_its_people() -> None:
    notice = read_form_d(FORM_D)
    assert notice is not None
    assert (notice.sold_amount, notice.offering_amount, notice.investors) == (7_500_000, None, 9)
    assert (notice.first_sale, notice.signed) == (date(2024, 2, 1), date(2024, 2, 10))
    assert notice.securities == ("equity",)
    values = {one.field: one.value for one in notice.observations}
    assert values["legal_name"] == "Plumworks Robotics Inc"
    assert values["ceo"] == "Ada Quill"
    people = [one.value["name"] for one in notice.observations if one.field == "person"]
    assert people == ["Ada Quill"]
    assert "alternative_name" not in values


SUBSIDIARIES = """EXHIBIT 21

Orchard Quay, Inc.

Subsidiaries of the Registrant

Name of Subsidiary | State or Country of Organization
Orchard Care LLC (1) | 87.5 | Delaware
Quay Handels GmbH | Germany
Pips (Shanghai) Trading | China
Orchard Care LLC | Delaware
Plum Ltd ........ England and Wales
Kern B.V. (Netherlands)

1. Held through a partnership that also holds others.
"""


def test_subsidiaries_have_a_name_and_a_place() -> None:
    found = read_subsidiaries(SUBSIDIARIES)
    assert [(one.name, one.jurisdiction, one.country_code) for one in found] == [
        ("Orchard Care LLC", "Delaware", "US"),
        ("Quay Handels GmbH", "Germany", "DE"),
        ("Pips (Shanghai) Trading", "China", "CN"),
        ("Plum Ltd", "England and Wales", "GB"),
        ("Kern B.V.", "Netherlands", "NL"),
    ]
    for one in subsidiary_observations(SUBSIDIARIES):
        assert one.quote is not None
        assert one.quote in SUBSIDIARIES


EIGHT_K = """FORM 8-K

Date of Report (Date of earliest event reported): May 6, 2024

ORCHARD QUAY, INC.

ITEM 2.02. RESULTS OF OPERATIONS AND FINANCIAL CONDITION.

A copy of the release is furnished. The information in Item 2.02 of this report, and in
Item 9.01 below, is not filed.

Item 5.02 | Departure of Directors or Certain Officers

Ms. Quill retires as described in
Item 8.01 of this Form 8-K.

Section 9 - Financial Statements and Exhibits

Item 9.01 Financial Statements and Exhibits.

99.1 | Press release

SIGNATURES

Pursuant to the requirements of the Securities Exchange Act of 1934
"""


def test_items_are_headings_and_not_mentions() -> None:
    items = read_items(EIGHT_K)
    assert [item.number for item in items] == ["2.02", "5.02", "9.01"]
    first, second, last = (EIGHT_K[item.start : item.end] for item in items)
    assert first.startswith("ITEM 2.02")
    assert "not filed" in first
    assert "Ms. Quill retires" in second
    assert "SIGNATURES" not in last
    assert event_date(EIGHT_K) == date(2024, 5, 6)


def test_the_event_date_may_stand_alone() -> None:
    text = "FORM 8-K\n\nMay 6, 2024\n\nORCHARD QUAY\n\n(Exact name of registrant)\n\nJune 1, 2024\n"
    assert event_date(text) == date(2024, 5, 6)
    assert event_date("FORM 8-K\n\nMay 6, 2024\n") is None


def test_old_reports_have_one_number() -> None:
    text = "Date of Report: June 20, 2000\n\nITEM 4: CHANGE IN ACCOUNTANT\n\nText.\n\nItem 7. Exhibits\n"
    assert [item.number for item in read_items(text)] == ["4", "7"]
    assert read_items("nothing at all") == ()


def test_a_press_release_has_headline_dateline_and_first_paragraph() -> None:
    text = (
        "Exhibit 99.1\n\nFor Immediate Release\n\nContact: Ann Lee (217) 555-0142\n\n"
        "ORCHARD QUAY ANNOUNCES RECORD RESULTS\n\nRevenue up 12 percent\n\n"
        "SPRINGFIELD, Ill., Feb. 6, 2024 /PRNewswire/ -- Orchard Quay, Inc. (Nasdaq: ORQ) today reported"
        " revenue of $12 million for its fourth quarter.\n\nMore.\n"
    )
    release = read_press_release(text)
    assert release.headline == "ORCHARD QUAY ANNOUNCES RECORD RESULTS"
    assert release.place == "SPRINGFIELD, Ill."
    assert release.day == date(2024, 2, 6)
    assert release.first_paragraph is not None
    assert release.first_paragraph.startswith("SPRINGFIELD")
    assert release.first_paragraph in text
    empty = read_press_release("")
    assert (empty.headline, empty.day, empty.first_paragraph) == (None, None, None)
