"""Ownership forms, Form D, EX-21 and current reports."""

from datetime import date

import pytest

from sightline.sources.sec_edgar.form_d import read_form_d
from sightline.sources.sec_edgar.ownership import ownership_lines, read_ownership
from sightline.sources.sec_edgar.press_release import headline_of
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
    assert (form.form, form.issuer_name) == ("4", "Orchard Quay Inc")
    ada, trust = form.owners
    assert (ada.name, ada.director, ada.officer) == ("Ada M. Quill", True, True)
    assert not trust.is_person
    (sale,) = form.transactions
    assert (sale.code, sale.shares, sale.price, sale.after) == ("S", 1500, 66.9, 37565)
    assert list(ownership_lines(form)) == [
        "Ada M. Quill (director, Pres. & CEO) of Orchard Quay Inc, Form 4.",
        "Quill Trust (10% owner) of Orchard Quay Inc, Form 4.",
        "2024-05-06: sold 1,500 Common Stock at $66.90; 37,565 held afterwards (code S).",
    ]
    assert [(one.field, one.as_of) for one in form.observations] == [
        ("person", date(2024, 5, 6)),
        ("ceo", date(2024, 5, 6)),
    ]


def test_one_who_is_no_insider_any_more_is_not_observed() -> None:
    left = FORM4.replace(b"<issuer>", b"<notSubjectToSection16>1</notSubjectToSection16><issuer>")
    form = read_ownership(left)
    assert form is not None
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
    assert (notice.sold_amount, notice.offering_amount) == (7_500_000, None)
    assert notice.first_sale == date(2024, 2, 1)
    assert {one.as_of for one in notice.observations} == {date(2024, 2, 10)}
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


def test_a_press_release_has_its_headline_above_the_dateline() -> None:
    text = (
        "Exhibit 99.1\n\nFor Immediate Release\n\nContact: Ann Lee (217) 555-0142\n\n"
        "ORCHARD QUAY ANNOUNCES RECORD RESULTS\n\nRevenue up 12 percent\n\n"
        "SPRINGFIELD, Ill., Feb. 6, 2024 /PRNewswire/ -- Orchard Quay, Inc. (Nasdaq: ORQ) today reported"
        " revenue of $12 million for its fourth quarter.\n\nMore.\n"
    )
    assert headline_of(text) == "ORCHARD QUAY ANNOUNCES RECORD RESULTS"
    assert headline_of("") is None


def test_a_headline_may_run_over_two_lines_and_stand_above_no_dateline() -> None:
    body = "Orchard Quay sells fruit and has done so for a long time in each of its shops. " * 3
    text = f"PRESS RELEASE\n\nOrchard Quay Names Ada Quill\nPresident of Its Northern Shops\n\n{body}\n"
    assert headline_of(text) == "Orchard Quay Names Ada Quill President of Its Northern Shops"
