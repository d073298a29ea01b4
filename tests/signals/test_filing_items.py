"""Items of current reports, worded as such reports word them."""

from dataclasses import replace

import pytest

from sightline.domain.happenings import Span, Telling
from sightline.domain.signals import SignalType
from sightline.signals import filing_items, form_d, insiders, news
from tests.signals.build import ACME, document


def read(section: str, text: str) -> list[Telling]:
    made = document(f"Item {section}. Heading.\n\n{text}", section=section)
    found = filing_items.read(made, ACME)
    for telling in found:
        assert telling.start is not None
        assert made.text[telling.start : telling.end] == telling.quote
    return found


@pytest.mark.parametrize(
    ("text", "kind", "title"),
    [
        ("(d) On March 4, 2024, the Board of Directors of the Registrant elected Ann B. Castor as Director,"
         " effective immediately. Ms. Castor is Chief Executive Officer of Borealis, Inc.",
         SignalType.BOARD_CHANGE, "Ann B. Castor joins the board of Acme Widget Corporation"),
        ("(b) On March 4, 2024, Dorian Ellis, Chief Financial Officer of the Company, notified the Company"
         " that he will resign as Chief Financial Officer effective June 30, 2024.",
         SignalType.LEAVES, "Dorian Ellis leaves Acme Widget Corporation (Chief Financial Officer)"),
        ("(b) On March 1, 2024, Fay Grant, 66, notified the Registrant of her intention to retire from the"
         " Registrant’s Board of Directors (the “Board”) at the 2024 annual meeting.",
         SignalType.BOARD_CHANGE, "Fay Grant leaves the board of Acme Widget Corporation"),
        ("(c) The Board of Directors of the Company has appointed Hal I. Jones II to serve as the Company’s"
         " Chief Operating Officer beginning on April 1, 2024.",
         SignalType.HIRES, "Acme Widget Corporation appoints Hal I. Jones II as Chief Operating Officer"),
        ("(b) Kay Lund will retire from her position as General Counsel of Acme Widget Corporation, effective"
         " July 31, 2024.",
         SignalType.RETIRES_FROM, "Kay Lund retires from Acme Widget Corporation (General Counsel)"),
        ("Additionally, on March 4, 2024, Fay M. Grant notified Acme Widget that she would not stand for"
         " reelection at the 2024 annual meeting of stockholders.",
         SignalType.BOARD_CHANGE, "Fay M. Grant leaves the board of Acme Widget Corporation"),
    ],
)  # fmt: skip
def test_people_come_and_go(text: str, kind: SignalType, title: str) -> None:
    found = read("5.02", text)
    assert [(each.type, each.title) for each in found] == [(kind, title)]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("On March 4, 2024, each of Ann B. Castor, Dorian Ellis and Fay M. Grant notified the Board of"
         " Directors of the Company of their intention to resign as a director, effective upon consummation"
         " of the previously announced separation of Acme Bolts, Inc.",
         {"Ann B. Castor leaves the board of Acme Widget Corporation",
          "Dorian Ellis leaves the board of Acme Widget Corporation",
          "Fay M. Grant leaves the board of Acme Widget Corporation"}),
        ("(d) On March 4, 2024, the Board of Directors of the Registrant elected Ann B. Castor and Luc J."
         " deVries as Directors, effective April 1, 2024.",
         {"Ann B. Castor joins the board of Acme Widget Corporation",
          "Luc J. deVries joins the board of Acme Widget Corporation"}),
        ("(c) The Company announced March 4, 2024, that it has appointed Ann B. Castor Senior Vice President"
         " and Chief Financial Officer and has appointed Kay A. Lund General Counsel, each effective April 1,"
         " 2024.",
         {"Acme Widget Corporation appoints Ann B. Castor as Senior Vice President and Chief Financial"
          " Officer",
          "Acme Widget Corporation appoints Kay A. Lund as General Counsel"}),
        ("On March 1, 2024, Fay M. Grant, Corporate Controller of Acme Widget Corporation, informed the"
         " Company that she is resigning to pursue another opportunity.",
         {"Fay M. Grant leaves Acme Widget Corporation (Corporate Controller)"}),
    ],
)  # fmt: skip
def test_several_people_of_one_sentence_move(text: str, titles: set[str]) -> None:
    assert {each.title for each in read("5.02", text)} == titles


def test_debt_is_told_under_its_own_item_too() -> None:
    text = (
        "On March 4, 2024, Acme Bolts (“Bolts”), a subsidiary of the Company, entered into a $2.0 million"
        " credit facility with a commercial bank."
    )
    assert [(each.type, each.title) for each in read("2.03", text)] == [
        (SignalType.RECEIVES_FINANCING, "Acme Widget Corporation signs a credit facility for $2M")
    ]


def test_a_merger_is_completed_with_the_firm_of_the_sentence_before() -> None:
    text = (
        "On January 6, 2024, the registrant announced that it had entered into a definitive merger"
        " agreement with Borealis Holdings, Inc. The merger was completed on March 4, 2024."
    )
    found = read("2.01", text)
    assert [each.type for each in found] == [SignalType.ACQUIRES]
    assert "Borealis Holdings" in found[0].title


def test_an_auditor_gives_up() -> None:
    text = (
        "On March 4, 2024, the Company was informed by its independent accountants, Pine & Reed LLP, that"
        " Pine & Reed was resigning as independent accountants of the Company."
    )
    found = read("4.01", text)
    assert [each.type for each in found] == [SignalType.ACCOUNTANT_CHANGE]
    assert "Pine & Reed LLP leaves" in found[0].title


def test_conditions_of_a_plan_are_no_change_in_the_board() -> None:
    text = (
        "Completion of the planned separation is subject to, among other things, general market conditions"
        " and final approval by the Company’s board of directors."
    )
    assert read("7.01", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "(e) On March 4, 2024, the Company amended its employment agreement with Ann Castor to extend the"
        " period during which Ms. Castor would serve as Chief Executive Officer to June 30, 2027.",
        "If Mr. Ellis resigns without good reason, he will not be entitled to severance.",
        "Ms. Castor, 52, was appointed Treasurer of the Company in January 2011.",
        "There is no arrangement or understanding between Mr. Jones and any other person.",
        "Following the termination of his employment, Mr. Ellis will be available to consult.",
    ],
)
def test_contracts_and_careers_are_no_moves(text: str) -> None:
    assert read("5.02", text) == []


def test_several_people_leave_in_one_sentence() -> None:
    found = read(
        "5.02",
        "On March 4, 2024, each of Ann B. Castor, Dorian Ellis and Fay Grant notified the Board of"
        " Directors of the Company of their intention to resign as a director of the Company.",
    )
    assert {each.parties[1].name for each in found} == {
        "Ann B. Castor",
        "Dorian Ellis",
        "Fay Grant",
    }
    assert {each.type for each in found} == {SignalType.BOARD_CHANGE}


def test_an_agreement_names_its_other_party_and_amount() -> None:
    [found] = read(
        "1.01",
        "On March 4, 2024, Acme Widget Corporation (the “Company”) entered into a $10.0 million Loan"
        " Agreement (the “Loan Agreement”), with Borealis Bank, N.A. (the “Lender”).",
    )
    assert found.type == SignalType.RECEIVES_FINANCING
    assert found.title == (
        "Acme Widget Corporation signs a loan agreement with Borealis Bank, N.A. for $10M"
    )
    assert found.amount is not None
    assert (found.amount.value, found.amount.currency) == (10_000_000, "USD")
    assert found.occurred_at is not None
    assert found.occurred_at.date().isoformat() == "2024-03-04"


def test_a_contract_that_is_awarded_to_the_company_is_a_client() -> None:
    [found] = read(
        "1.01",
        "On March 4, 2024, the Company entered into an agreement after the Borealis Space Agency, Inc."
        " awarded its services unit a new contract for launch services.",
    )
    assert found.type == SignalType.SIGNS_NEW_CLIENT
    assert found.title.startswith("Acme Widget Corporation is awarded a contract")


def test_two_who_have_offices_already_are_promoted_together() -> None:
    found = read(
        "5.02",
        "On March 4, 2024, Acme Widget Corporation announced that Ann Castor, 61, and Bo Ferrand, 56,"
        " Co-CEOs of the Tools Division, have been elected Co-Presidents of the Company.",
    )
    assert {each.type for each in found} == {SignalType.PROMOTES}
    assert {party.name for each in found for party in each.parties if party.role == "person"} == {
        "Ann Castor", "Bo Ferrand",
    }  # fmt: skip


def test_what_was_told_before_is_told_when_it_comes_to_pass() -> None:
    before = (
        "As previously reported, Ann Castor will succeed Bo Ferrand as Chief Financial Officer."
    )
    assert read("5.02", before) == []
    after = "As previously reported, on March 4, 2024, Ann Castor became Chief Financial Officer."
    [found] = read("5.02", after)
    assert found.type == SignalType.HIRES


def test_old_debt_in_new_clothes_is_no_financing() -> None:
    assert not [
        each
        for each in read(
            "8.01",
            "Acme Widget Corporation intends to recapitalize by restructuring its $100 million of"
            " convertible debentures due 2003 into common equity.",
        )
        if each.type == SignalType.RECEIVES_FINANCING
    ]


def test_the_owner_of_the_merger_vehicle_acquires() -> None:
    [found] = read(
        "1.01",
        "On March 4, 2024, the Company, Borealis Holdings Inc., and Polar Merger Sub, Inc., a wholly owned"
        " subsidiary of Borealis Holdings Inc., entered into an Agreement and Plan of Merger.",
    )
    assert found.type == SignalType.ACQUIRES
    assert found.planned
    assert [(p.role, p.name) for p in found.parties] == [
        ("acquirer", "Borealis Holdings Inc"), ("target", "Acme Widget Corporation"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("terms", "acquirer", "target"),
    [
        ("As a result of the merger, Borealis Tools will become a wholly-owned subsidiary of Acme Widget"
         " Corporation.", "Acme Widget Corporation", "Borealis Tools, Inc."),
        ("Each share of Borealis Tools stock will be converted into 1.2 shares of Class A common stock of"
         " Acme Widget Corporation.", "Acme Widget Corporation", "Borealis Tools, Inc."),
        ("The Company will survive as a subsidiary of Borealis Tools, Inc.",
         "Borealis Tools", "Acme Widget Corporation"),
        ("The two companies will have 900 employees.", None, None),
    ],
)  # fmt: skip
def test_the_terms_of_a_merger_tell_who_acquires(
    terms: str, acquirer: str | None, target: str | None
) -> None:
    [found] = read(
        "1.01",
        "On March 4, 2024, the Company and Borealis Tools, Inc. entered into an Agreement and Plan of"
        f" Merger. {terms}",
    )
    by_role = {party.role: party.name for party in found.parties}
    assert found.type == (SignalType.ACQUIRES if acquirer else SignalType.MERGES_WITH)
    assert (by_role.get("acquirer"), by_role.get("target")) == (acquirer, target)


@pytest.mark.parametrize(
    ("text", "kind", "other"),
    [
        ("On March 1, 2024, the Company acquired all of the outstanding shares of Borealis Tools, Inc. for"
         " $42 million in cash.", SignalType.ACQUIRES, "Borealis Tools, Inc."),
        ("On March 1, 2024, the Company sold its paint business to Borealis Coatings LLC for $42 million.",
         SignalType.SELLS_ASSETS_TO, "Borealis Coatings LLC"),
    ],
)  # fmt: skip
def test_bought_or_sold_is_told_by_the_words(text: str, kind: SignalType, other: str) -> None:
    [found] = read("2.01", text)
    assert (found.type, found.parties[1].name) == (kind, other)
    assert found.title.endswith("for $42M")


@pytest.mark.parametrize(
    ("section", "text", "kind"),
    [
        ("2.02", "On March 4, 2024, the Company issued a press release relating to its results for the"
         " quarter ended December 31, 2023.", SignalType.EARNINGS_RELEASED),
        ("1.03", "On March 4, 2024, the Company filed a voluntary petition under Chapter 11 of the"
         " Bankruptcy Code.", SignalType.BANKRUPTCY),
        ("2.05", "On March 4, 2024, the Company committed to a plan to reduce its workforce by"
         " approximately 120 employees.", SignalType.LAYOFFS),
        ("2.05", "On March 4, 2024, the Company committed to a plan to close its plant in Springfield.",
         SignalType.COST_CUTTING),
        ("4.02", "The audit committee concluded that the accounts of 2023 should no longer be relied upon.",
         SignalType.RESTATES),
        ("5.03", "On March 4, 2024, the Company changed its name from Acme Widget Corporation to Zenith"
         " Works, Inc.", SignalType.REBRANDS),
        ("1.05", "On March 4, 2024, the Company detected unauthorized access to its network.",
         SignalType.SECURITY_INCIDENT),
        ("8.01", "On March 4, 2024, the Company entered into an Underwriting Agreement with Borealis Capital"
         " LLC with respect to the offer and sale of $500,000,000 principal amount of its Notes.",
         SignalType.RECEIVES_FINANCING),
    ],
)  # fmt: skip
def test_each_item_has_its_type(section: str, text: str, kind: SignalType) -> None:
    assert [each.type for each in read(section, text)] == [kind]


def test_the_new_auditor_and_the_old_one() -> None:
    [found] = read(
        "4.01",
        "(a) On March 4, 2024, the Company dismissed Oldham Ledger LLP as its accountant.\n\n"
        "(b) On March 5, 2024, the Company engaged Newton Sums LLP as its accountant.",
    )
    assert found.title == (
        "Acme Widget Corporation engages Newton Sums LLP as auditor in place of Oldham Ledger LLP"
    )


@pytest.mark.parametrize(
    ("section", "text"),
    [
        (
            "8.01",
            "On March 4, 2024, the Company posted slides on its previously announced separation.",
        ),
        ("9.01", "The exhibits are attached hereto."),
        ("5.03", "On March 4, 2024, the Board amended the By-Laws of the Company."),
        ("2.02", "Heading."),
    ],
)
def test_silent_where_nothing_happened(section: str, text: str) -> None:
    assert read(section, text) == []


def test_a_press_release_is_read_from_its_headline() -> None:
    text = (
        "Contact: press@acmewidget.example\n\nACME WIDGET COMPLETES ACQUISITION OF BOREALIS TOOLS\n\n"
        "SPRINGFIELD, March 4, 2024 -- Acme Widget Corporation today announced that it has completed its"
        " acquisition of Borealis Tools for $42 million.\n\nAbout Acme Widget. Acme Widget makes widgets."
    )
    made = document(text, kind="news", title="Acme Widget completes acquisition")
    found = news.read(made, ACME)
    assert [each.type for each in found] == [SignalType.ACQUIRES]
    assert text[found[0].start : found[0].end] == found[0].quote


def test_further_releases_are_read_and_transcripts_are_not() -> None:
    pieces = {
        "EX-99.1": "FOR IMMEDIATE RELEASE\n\nACME WIDGET REPORTS RECORD SECOND QUARTER RESULTS\n\n",
        "EX-99.2": "Webcast transcript\n\nOperator: We said that Acme Widget acquires Bolt Works Inc.\n\n",
        "EX-99.3": "FOR IMMEDIATE RELEASE\n\nACME WIDGET ANNOUNCES EXPANDED CREDIT FACILITY\n\n",
    }
    spans, text = [], ""
    for section, piece in pieces.items():
        spans.append(Span(len(text), len(text) + len(piece), section, None))
        text += piece.ljust(2_000) + "\n"
    made = replace(document(text), spans=tuple(spans))
    kinds = {each.type for each in news.read(made, ACME)}
    assert kinds == {SignalType.EARNINGS_RELEASED, SignalType.RECEIVES_FINANCING}


def test_news_of_somebody_else_is_not_ours() -> None:
    made = document(
        "Borealis Tools acquires Polar Gear for $42 million.", kind="feed_item", source="feeds",
        url="https://news.example/a", title="News",
    )  # fmt: skip
    assert news.read(made, ACME) == []


def test_each_item_of_a_feed_is_news_of_its_own_day() -> None:
    items = [
        "Acme Widget acquires Borealis Tools\n2024-03-04\nBOSTON. The purchase closed on Monday.",
        "Acme Widget opens a plant in Dayton\n2023-11-20\nDAYTON, Ohio. It will make widgets there.",
        "1999-99-99\nNothing that is a day",
    ]
    text, spans, at = "\n\n".join(items), [], 0
    for item in items:
        spans.append(Span(at, at + len(item), "news"))
        at += len(item) + 2
    made = document(
        text, kind="feed_item", source="feeds", url="https://www.acmewidget.example/feed"
    )
    made = replace(made, spans=tuple(spans))
    found = news.read(made, ACME)
    assert [(each.type, each.quote, str(each.occurred_at)[:10]) for each in found] == [
        (SignalType.ACQUIRES, "Acme Widget acquires Borealis Tools", "2024-03-04"),
        (SignalType.OPENS_NEW_LOCATION, "Acme Widget opens a plant in Dayton", "2023-11-20"),
    ]


def test_form_d_gives_the_amount_sold() -> None:
    text = (
        "Acme Widget gives notice of an exempt offering of securities (Form D).\n"
        "Total offering amount: $5,000,000.\nTotal amount sold: $2,500,000.\n"
        "Date of first sale: 2024-02-28."
    )
    [found] = form_d.read(document(text, title="D for 2024-03-01"), ACME)
    assert found.title == "Acme Widget Corporation raises $2.5M"
    assert found.quote == "Total amount sold: $2,500,000."
    unsold = text.replace("sold: $2,500,000", "sold: $0")
    [planned] = form_d.read(document(unsold, title="D for 2024-03-01"), ACME)
    assert planned.planned


OWNER = "Ann Castor (director, Chief Executive Officer) of Acme Widget, Form 4.\n"


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("2024-03-04: bought 20,000 Common Stock at $12.50; 90,000 held afterwards (code P).", 1),
        ("2024-03-04: bought 20 Common Stock at $12.50; 90,000 held afterwards (code P).", 0),
        ("2024-03-04: sold 20,000 Common Stock at $12.50; 90,000 held afterwards (code S).", 0),
        ("2024-03-04: was granted 20,000 Common Stock at $12.50 (code A).", 0),
    ],
)
def test_only_large_purchases_of_insiders_count(line: str, count: int) -> None:
    found = insiders.read([document(OWNER + line, title="4 for 2024-03-04")], ACME)
    assert len(found) == count
    if found:
        assert found[0].title == "Ann Castor buys $250K of Acme Widget Corporation shares"
