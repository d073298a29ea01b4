"""What documents say, by their structure and by the heads: invented companies throughout."""

from datetime import UTC, date, datetime
from uuid import UUID, uuid4

import pytest

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany, SignalParty, Span
from sightline.domain.signals import SignalType
from sightline.reading.named import named_in
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.signals.clustering import Known, find_signal
from sightline.signals.dating import month_of
from sightline.signals.documents import read_document
from sightline.signals.local_reader import LocalReader, is_acted_on
from sightline.signals.making import mention_of, one_announcement
from sightline.signals.names import people_in
from sightline.signals.units import units_of

T = SignalType
DAY = datetime(2024, 3, 6, 12, tzinfo=UTC)
READER = LocalReader(bundled_encoder())


def filing(*parts: tuple[str, str], title: str = "8-K for 2024-03-05") -> EvidenceDocument:
    """A report of items and exhibits: (section, text)."""
    text, spans = "", []
    for section, content in parts:
        start = len(text)
        text += content + "\n\n"
        spans.append(Span(start, len(text) - 2, section, None))
    return EvidenceDocument(
        uuid4(), "https://www.sec.example/d", "sec_edgar", "filing", title, DAY, DAY, 1, text,
        tuple(spans),
    )  # fmt: skip


def news(text: str) -> EvidenceDocument:
    return EvidenceDocument(
        uuid4(), "https://news.example/a", "feeds", "news", None, DAY, DAY, 1, text, ()
    )


def read(
    document: EvidenceDocument, name: str, *, reader: LocalReader = READER
) -> dict[SignalType, Mention]:
    company = NamedCompany(UUID(int=1), name)
    return {each.type: each for each in reversed(read_document(document, company, reader))}


def roles(mention: Mention) -> set[tuple[str, str]]:
    return {(each.role, each.name) for each in mention.parties}


def test_a_cut_of_a_share_of_the_people() -> None:
    found = read(
        filing(
            (
                "2.05",
                "Item 2.05. Costs Associated with Exit or Disposal Activities.\n\nOn March 5, 2024, Orrin"
                " Networks announced a restructuring plan in order to realign the organization and enable"
                " further investment in key priority areas. The plan will"
                " affect approximately 7% of its global workforce. Orrin Networks estimates that it will"
                " recognize pre-tax charges of up to $1 billion, consisting of severance and other"
                " one-time termination benefits.",
            )
        ),
        "Orrin Networks, Inc.",
    )
    assert T.LAYOFFS in found


def test_an_investigation_by_an_authority() -> None:
    found = read(
        news(
            "The aviation regulator said on Monday that it has opened an investigation into Vantor after a"
            " panel came off one of its jets in flight."
        ),
        "Vantor",
    )
    assert T.REGULATORY_ACTION in found
    assert ("company", "Vantor") in roles(found[T.REGULATORY_ACTION])


def test_a_credit_agreement_does_not_hide_a_purchase() -> None:
    found = read(
        filing(
            (
                "1.01",
                "Item 1.01. Entry into a Material Definitive Agreement.\n\nOn March 4, 2024, the Company"
                " entered into a 364-day credit agreement with Granary Bank as administrative agent,"
                " providing for loans of up to $35 billion.",
            ),
            (
                "2.01",
                "Item 2.01. Completion of Acquisition or Disposition of Assets.\n\nOn March 5, 2024, Marlowe"
                " Entertainment completed its previously announced acquisition of Northquay Pictures, Inc.",
            ),
        ),
        "Marlowe Entertainment",
    )
    assert found.keys() >= {T.ACQUIRES}
    assert len(found) == 2
    bought = found[T.ACQUIRES]
    assert ("acquirer", "Marlowe Entertainment") in roles(bought)
    assert bought.realis == "happened"


@pytest.mark.parametrize(
    ("sentence", "acted_on"),
    [
        ("Orrin was acquired by Larkspur Freight, Inc. on May 3, 2024.", True),
        ("The Orrin Group (“Orrin”) was acquired by Larkspur Freight, Inc. on May 3.", True),
        ("Orrin has received an offer for all of its shares from Larkspur Freight, Inc.", True),
        ("Orrin is pleased to announce that it acquired Larkspur Freight, Inc.", False),
        ("Orrin has invested in Larkspur Freight, Inc. since May 2024.", False),
        ("Orrin Corp. was acquired by Larkspur Freight, Inc. on May 3, 2024.", True),
    ],
)
def test_who_is_acted_on_is_not_who_acts(sentence: str, acted_on: bool) -> None:
    assert is_acted_on(sentence, named_in(sentence, ["Orrin"])) is acted_on


def test_news_are_quoted_and_take_no_side() -> None:
    text = "In March 2024 a class action was filed against Orrin Networks in the court of Oslo."
    sued = read(news(text), "Orrin Networks")[T.FILES_SUIT_AGAINST]
    assert sued.title == text
    assert roles(sued) == set()


def test_who_selects_wins_no_client() -> None:
    text = "Acme picks Snowcrest for maintenance IT overhaul"
    assert T.SIGNS_NEW_CLIENT not in read(news(text), "Acme")


def test_the_sentence_that_names_the_other_side_speaks_for_its_headline() -> None:
    text = (
        "Orrin sues former supplier over cables\n\nOrrin Networks has filed a lawsuit against Larkspur"
        " Castings in Ohio, claiming that faulty cables cost it $40 million."
    )
    sued = read(news(text), "Orrin Networks")[T.FILES_SUIT_AGAINST]
    assert "Larkspur Castings" in sued.quote
    assert sued.title == sued.quote


def test_results_carry_figures_and_a_quote() -> None:
    found = read(
        filing(
            (
                "2.02",
                "Item 2.02. Results of Operations and Financial Condition.\n\nOn March 5, 2024, Harbor"
                " Analytics issued a press release announcing its results for the quarter ended January"
                " 31, 2024.",
            ),
            (
                "EX-99.1",
                "Revenue was $120.4 million, up 18% from $102.0 million a year ago.\n\nNet income was $12.1"
                " million, or $0.31 per diluted share, compared with $9.0 million.\n\n“We had a strong finish"
                " to the year and our customers keep buying more of what we make,” said Ann Castor, chief"
                " executive officer.",
            ),
        ),
        "Harbor Analytics",
    )
    results = found[T.EARNINGS_RELEASED]
    assert results.title == (
        "Harbor Analytics releases results for the 3 months to January 31, 2024"
    )
    figures = results.details["figures"]
    assert any(120_400_000 in [each["value"] for each in row["sums"]] for row in figures)
    assert any("18%" in row["changes"] for row in figures)
    assert results.details["quote"].startswith("“We had a strong finish")


def test_a_period_to_compare_with_is_not_the_one_of_the_results() -> None:
    found = read(
        filing(
            (
                "2.02",
                "Item 2.02. Results.\n\nOn March 5, 2024, Harbor Analytics released its results.",
            ),
            (
                "EX-99.1",
                "Revenue was $120.4 million, up from $102.0 million in the fourth quarter of 2022.",
            ),
        ),
        "Harbor Analytics",
    )
    assert found[T.EARNINGS_RELEASED].title == "Harbor Analytics releases results"


@pytest.mark.parametrize(("began", "is_one"), [(date(2024, 3, 4), True), (date(2019, 1, 1), False)])
def test_who_came_years_before_is_not_announced(began: date, is_one: bool) -> None:
    text = "Ann Castor leaves as finance chief. She had joined from Polar Gear."
    company = NamedCompany(UUID(int=1), "Acme")
    (unit,) = units_of(news(text), company)
    leaves, hires = (
        mention_of(unit, span, company, type=type, realis="happened", confidence=0.9,
                   parties=[SignalParty("person", "Ann Castor")], day=day, amount=None, location=None,
                   statement=unit.document.text[slice(*span)])
        for span, type, day in zip(unit.spans, (T.LEAVES, T.HIRES), (date(2024, 3, 5), began), strict=True)
    )  # fmt: skip
    told = one_announcement([leaves, hires])  # of one person
    assert (told[0].title == told[1].title) is is_one
    assert told[0].occurred_at.date() == (began if is_one else date(2024, 3, 5))


@pytest.mark.parametrize(
    ("first", "comes"),
    [
        (T.LEAVES, date(2024, 3, 4)),
        (T.HIRES, date(2024, 3, 4)),
        (T.LEAVES, date(2024, 4, 1)),
        (T.LEAVES, None),
    ],
)
def test_who_comes_and_who_goes_or_has_another_day_is_apart(
    first: SignalType, comes: date | None
) -> None:
    text = "Bo Ray left the company on March 4. Ann Castor is his successor. Cy Fox joins the board on May 1."
    company = NamedCompany(UUID(int=1), "Acme")
    (unit,) = units_of(news(text), company)
    moves = zip(
        unit.spans, (first, T.HIRES, T.BOARD_CHANGE), ("Bo Ray", "Ann Castor", "Cy Fox"),
        (date(2024, 3, 4), comes, date(2024, 5, 1)), strict=True,
    )  # fmt: skip
    told = one_announcement([
        mention_of(unit, span, company, type=type, realis="happened", confidence=0.9,
                   parties=[SignalParty("person", person)], day=day, amount=None, location=None,
                   statement=unit.document.text[slice(*span)])
        for span, type, person, day in moves
    ])  # fmt: skip
    known: list[Known] = []
    for each in told:
        if find_signal(each, known) is None:
            known.append(Known(uuid4(), each.type, each.at, each.counterparty))
            known[-1].documents.add(each.document_id)
    days = {frozenset(party.name for party in each.parties): each.occurred_at for each in told}
    assert [each and each.date() for each in days.values()] == [
        date(2024, 3, 4), *([] if first == T.HIRES else [comes]), date(2024, 5, 1),
    ]  # fmt: skip
    assert len(known) == len(days)


RIVAL = (
    "Polar Gear reported quarterly revenue of $310 million, up 12 percent from a year earlier. Its net income"
    " rose to $41 million."
)
SOLD = (
    "Borealis Tools reported revenue of $80 million and net income of $6 million for fiscal 2023."
)
RELEASE = "SPRINGFIELD, March 5, 2024 -- Acme Widget Corporation"


@pytest.mark.parametrize(
    "release",
    [
        f"{RELEASE} opened a training center in Dayton.\n\n{RIVAL}",
        f"{RELEASE} completed the sale of Borealis Tools to Polar Gear, Inc.\n\n{SOLD}",
    ],
)
def test_results_of_a_competitor_or_of_a_business_that_was_sold_are_not_its_own(
    release: str,
) -> None:
    assert T.EARNINGS_RELEASED not in read(filing(("EX-99.1", release)), "Acme Widget Corporation")
    own = release.replace("Polar Gear reported", "We reported").replace(
        "Borealis Tools reported", "We reported"
    )
    assert T.EARNINGS_RELEASED in read(filing(("EX-99.1", own)), "Acme Widget Corporation")


def test_results_have_no_figures_of_another() -> None:
    found = read(
        filing(
            (
                "2.02",
                "Item 2.02. Results.\n\nAcme Widget Corporation issued a press release on its results.",
            ),
            (
                "EX-99.1",
                f"{RELEASE} reported results. Revenue rose 9% to $200 million. {RIVAL} {SOLD}",
            ),
        ),
        "Acme Widget Corporation",
    )
    figures = found[T.EARNINGS_RELEASED].details["figures"]
    assert [each["text"] for each in figures] == ["Revenue rose 9% to $200 million."]


@pytest.mark.parametrize(
    ("said", "type"),
    [
        ("the Board of Directors of Acme declared a quarterly cash dividend of $0.25 per share, payable on"
         " April 15, 2024 to holders of record on March 31, 2024.", T.PAYS_DIVIDEND),
        ("Acme published an updated investor presentation on its website.", None),
    ],
)  # fmt: skip
def test_an_item_for_other_events_begins_with_one(said: str, type: SignalType | None) -> None:
    told = f"On March 5, 2024, {said}"
    item = filing(("8.01", f"Item 8.01. Other Events.\n\n{told}"))
    assert [(each.type, each.title) for each in read(item, "Acme").values()] == [
        (each, told) for each in [type] if each
    ]
    assert set(read(news(told), "Acme")) == {each for each in [type] if each}


def test_without_the_encoder_open_items_are_silent() -> None:
    silent = LocalReader(None)
    item = filing(("8.01", "Item 8.01 Other Events.\n\nThe Company bought Polar Gear on March 4."))
    assert not read(item, "Acme", reader=silent)
    item = filing(("4.01", "Item 4.01 Heading.\n\nThe Company dismissed its auditor on March 4."))
    assert read(item, "Acme", reader=silent).keys() == {T.ACCOUNTANT_CHANGE}


def test_an_agreement_that_ends_is_not_entered_into() -> None:
    item = filing(
        (
            "1.02",
            "Item 1.02. Termination of a Material Definitive Agreement.\n\nOn March 4, 2024, Acme Inc. and"
            " Polar Gear, Inc., an Ohio corporation (“Polar”), ended their supply agreement.",
        )
    )
    (found,) = read(item, "Acme").values()
    assert found.type == T.ENDS_AGREEMENT
    assert found.title.endswith("ended their supply agreement.")
    assert [each.name for each in found.parties] == ["Acme", "Polar Gear, Inc."]


def test_a_purchase_names_the_party_that_the_document_defines() -> None:
    text = (
        "Item 1.01. Entry into a Material Definitive Agreement.\n\nOn March 4, 2024, Acme Inc. (“Acme”), AC"
        " Merger Sub, LLC, a Delaware company and wholly owned subsidiary of Acme (“Merger Sub”), and Polar"
        " Gear, Inc., an Ohio corporation (“Polar”), entered into an Agreement and Plan of Merger (the"
        " “Merger Agreement”).\n\nUpon completion Polar will become a wholly owned subsidiary of Acme, which"
        " will acquire all of its shares."
    )
    found = read(filing(("1.01", text)), "Acme")
    assert {name for each in found.values() for _, name in roles(each)} == {
        "Acme",
        "Polar Gear, Inc.",
    }


def test_every_item_and_exhibit_is_a_unit() -> None:
    document = filing(
        ("1.01", "Item 1.01. Heading.\n\nThe Company entered into an agreement with a supplier."),
        ("9.01", "Item 9.01. Exhibits.\n\nExhibit 99.1 is a press release of March 5, 2024."),
        ("EX-99.1", "Acme announced on March 5 that it entered into an agreement."),
    )
    found = units_of(document, NamedCompany(UUID(int=1), "Acme"))
    assert [(unit.kind, unit.item) for unit in found] == [("item", "1.01"), ("exhibit", None)]
    assert all(unit.speaks for unit in found)


def test_notes_of_reports_that_tell_of_events() -> None:
    text = "On January 5, 2024, we completed the sale of our Leeds plant for $4 million in cash."
    report = EvidenceDocument(
        uuid4(), "https://www.sec.example/k", "sec_edgar", "filing", "10-K for 2023-12-31", DAY, DAY,
        1, text, (Span(0, len(text), "8", "18. Subsequent Events"),),
    )  # fmt: skip
    [unit] = units_of(report, NamedCompany(UUID(int=1), "Acme"))
    assert (unit.kind, unit.texts) == ("note", [text])


def test_risk_factors_tell_of_no_events() -> None:
    text = "We may not realize the benefits of our acquisition of Leeds Foods in January 2024."
    report = EvidenceDocument(
        uuid4(), "https://www.sec.example/k", "sec_edgar", "filing", "10-K for 2023-12-31", DAY, DAY,
        1, text, (Span(0, len(text), "1A", "We may not realize the benefits of acquisitions."),),
    )  # fmt: skip
    assert units_of(report, NamedCompany(UUID(int=1), "Acme")) == []


@pytest.mark.parametrize(
    ("sentence", "people"),
    [
        (
            "The Board appointed Jane Doe as Chief Financial Officer.",
            [("Jane Doe", "Chief Financial Officer")],
        ),
        ("On March 4, Ann B. Castor left Acme Widget Corporation.", [("Ann B. Castor", None)]),
        ("The Company moved from New York to Springfield.", []),
    ],
)
def test_people_and_their_offices(sentence: str, people: list[tuple[str, str | None]]) -> None:
    assert [(each.name, each.office) for each in people_in(sentence)] == people


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("In March 2026 it bought Acme.", (2026, 3)),
        ("It bought Acme in May, a trade paper said.", (2026, 5)),
        ("It bought Acme in December 2019.", None),
        ("It bought Acme in July.", None),
        ("On May 4 it bought a site in Mayfield.", None),
    ],
)
def test_a_month_says_when(text: str, month: tuple[int, int] | None) -> None:
    found = month_of(text, said=date(2026, 7, 9))
    assert (found and (found.year, found.month)) == month


def test_a_piece_of_news_tells_its_event_in_several_sentences() -> None:
    """No sentence alone is sure enough; title and lead together are."""
    text = (
        "Tallow Valley to merge with Flint Hills Savings\n\nBy 312 votes to 40 the members of Tallow Valley"
        " Savings agreed to a merger with Flint Hills Savings of Emporia, Kansas, next May."
    )
    company = NamedCompany(UUID(int=1), "Tallow Valley Savings", (), ("tallow.example",))
    own = EvidenceDocument(
        uuid4(), "https://tallow.example/news/flint-hills-merger", "website", "page", None, DAY, DAY, 1,
        text, (Span(0, len(text), "news", None),),
    )  # fmt: skip
    (unit,) = units_of(own, company)
    chances = READER._heads(unit, company).events.max(axis=1)
    (found,) = read_document(own, company, READER)
    assert (found.type, found.realis, found.location) == (T.MERGES_WITH, "planned", None)
    assert [each.name for each in found.parties] == ["Tallow Valley Savings"]
    assert found.confidence > chances.max()
