"""What sentences say: type, evidence, planned or done, parties, amounts, and when to keep quiet."""

from datetime import date

import pytest

from sightline.domain.signals import KINDS, SignalType, family_of
from sightline.signals.patterns import patterns
from sightline.signals.text import Detected, detect
from sightline.signals.tokens import stem, tokenize
from sightline.signals.vectors import group_of, meaning_of
from sightline.signals.weights import CLASSES, weights

TODAY = date(2025, 6, 15)


def only(text: str) -> Detected:
    (found,) = detect(text, date=TODAY)
    return found


def roles(found: Detected) -> dict[str, str]:
    return {party.role: party.name for party in found.parties}


def test_every_type_has_a_kind_and_a_class() -> None:
    assert set(KINDS) == set(SignalType)
    assert {*SignalType, "none"} == set(CLASSES)
    assert all(kind.verb and kind.family for kind in KINDS.values())


def test_every_pattern_can_be_chosen_by_a_word() -> None:
    assert len(patterns()) > 1200
    assert all(pattern.anchors for pattern in patterns())


def test_weights_are_about_known_classes() -> None:
    table = weights()
    assert table.matrix.shape == (len(table.rows), len(CLASSES))
    assert sum(table.probabilities({}, meaning_of(tokenize(""))).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "acquirer", "target"),
    [
        ("Brisk Foods bought Palmetto Snacks for $30 million.", "Brisk Foods", "Palmetto Snacks"),
        ("Palmetto Snacks was bought by Brisk Foods.", "Brisk Foods", "Palmetto Snacks"),
        ("Brisk Foods completes acquisition of Palmetto Snacks", "Brisk Foods", "Palmetto Snacks"),
    ],
)
def test_acquirer_and_target_in_active_and_passive(text: str, acquirer: str, target: str) -> None:
    found = only(text)
    assert found.type == SignalType.ACQUIRES
    assert roles(found) == {"acquirer": acquirer, "target": target}


@pytest.mark.parametrize(
    "text",
    [
        "Norvik Bank has chosen Ledgerwise's software to manage its branches.",
        "Ledgerwise was selected by Norvik Bank to provide its core software.",
        "Ledgerwise wins contract from Norvik Bank",
    ],
)
def test_the_client_is_told_from_the_vendor(text: str) -> None:
    found = only(text)
    assert found.type == SignalType.SIGNS_NEW_CLIENT
    assert roles(found) == {"vendor": "Ledgerwise", "client": "Norvik Bank"}


@pytest.mark.parametrize(
    "text",
    [
        "Caldera Labs and Ionix Systems agreed to merge.",
        "The merger between Caldera Labs and Ionix Systems closed on Tuesday.",
        "Caldera Labs will merge with Ionix Systems.",
    ],
)
def test_both_partners_of_a_merger_are_named(text: str) -> None:
    found = only(text)
    assert found.type == SignalType.MERGES_WITH
    assert [party.name for party in found.parties] == ["Caldera Labs", "Ionix Systems"]


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        ("Acme sold its bakery to Bolt Works.", "Acme", "Bolt Works"),
        ("The sale of Acme's plants to Bolt Works closed on Monday.", "Acme", "Bolt Works"),
        ("The bakery was sold to Bolt Works by Acme for $5 million.", "Acme", "Bolt Works"),
    ],
)
def test_the_seller_is_told_from_the_buyer(text: str, seller: str, buyer: str) -> None:
    assert roles(only(text)) == {"seller": seller, "buyer": buyer}


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("Acme signed a definitive agreement to acquire Bolt Works.", True),
        ("Acme has agreed to buy Bolt Works for $2 billion.", True),
        ("Acme has completed its purchase of Bolt Works.", False),
        ("Acme's board has approved the planned spin-off of its health care business.", True),
    ],
)
def test_what_is_only_agreed_lies_ahead(text: str, planned: bool) -> None:
    assert detect(text, date=TODAY)[0].planned is planned


def test_financing_has_investor_and_amount() -> None:
    found = only("Hexel Labs raised $14 million in a Series A round led by Fennel Ventures.")
    assert found.type == SignalType.RECEIVES_FINANCING
    assert found.family == family_of(found.type)
    assert roles(found) == {"recipient": "Hexel Labs", "investor": "Fennel Ventures"}
    assert found.amount is not None
    assert (found.amount.text, found.amount.value, found.amount.currency) == (
        "$14 million",
        14_000_000,
        "USD",
    )


@pytest.mark.parametrize(
    ("amount", "value", "currency"),
    [
        ("90 billion yen", 90e9, "JPY"),
        ("€6.5M", 6.5e6, "EUR"),
        ("£1.2bn", 1.2e9, "GBP"),
        ("25 million Canadian dollars", 25e6, "CAD"),
    ],
)
def test_amounts_in_other_currencies(amount: str, value: float, currency: str) -> None:
    found = only(f"Hexel Labs raised {amount} in new funding.")
    assert found.amount is not None
    assert found.amount.value == pytest.approx(value)
    assert found.amount.currency == currency


def test_a_hire_has_person_and_employer() -> None:
    found = only("Northbeam has appointed Maria Lopez as chief revenue officer.")
    assert found.type == SignalType.HIRES
    assert roles(found) == {"employer": "Northbeam", "person": "Maria Lopez"}


def test_done_and_planned_and_rumoured_are_told_apart() -> None:
    done = only("Kirin Robotics has acquired Stackwell Systems.")
    planned = only("Kirin Robotics to acquire Stackwell Systems")
    rumoured = only("Kirin Robotics is in talks to acquire Stackwell Systems, sources said.")
    assert (done.planned, done.rumoured) == (False, False)
    assert (planned.planned, planned.rumoured) == (True, False)
    assert (rumoured.planned, rumoured.rumoured) == (True, True)
    assert rumoured.confidence < planned.confidence


@pytest.mark.parametrize(
    "text",
    [
        "Vantora has no plans to acquire Stackwell, its chief executive said.",
        "Vantora denied that it is buying Stackwell.",
        "Vantora ruled out layoffs at its Leeds plant.",
        "In 2009, Vantora bought Stackwell.",
        "Vantora was acquired by Kirin Robotics in 2011.",
        "Vantora is a leading provider of payroll software for hotels.",
        "Shares of Vantora fell 2% in early trading.",
        "Vantora declined to comment.",
        "What makes a company a great place to work?",
    ],
)
def test_denied_old_and_empty_sentences_are_quiet(text: str) -> None:
    assert detect(text, date=TODAY) == ()


def test_an_old_year_is_news_when_the_text_is_old() -> None:
    assert detect("Vantora was acquired by Kirin Robotics in 2011.", date=date(2011, 3, 1))


def test_evidence_is_the_clause_that_says_it() -> None:
    text = "It rained all day. Meanwhile, Tullow Freight opened a warehouse in Leipzig."
    found = only(text)
    assert found.type == SignalType.OPENS_NEW_LOCATION
    assert text[found.start : found.end] == found.quote
    assert found.quote.startswith("Tullow Freight opened")
    assert found.locations == ("Leipzig",)
    assert roles(found)["place"] == "Leipzig"


def test_two_sentences_tell_two_things() -> None:
    text = "Hexel Labs sued Graphene Works. Hexel Labs also opened an office in Dublin."
    found = {each.type: each for each in detect(text, date=TODAY)}
    assert set(found) == {SignalType.FILES_SUIT_AGAINST, SignalType.OPENS_NEW_LOCATION}
    for each in found.values():
        assert text[each.start : each.end] == each.quote
        assert all(text[party.start : party.end] == party.name for party in each.parties)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "\x00", "?" * 50_000, "a b " * 20_000, "Acme " * 9000]
)
def test_any_text_is_answered(text: str) -> None:
    assert isinstance(detect(text), tuple)


def test_what_usually_happens_to_nobody_in_particular_is_no_news() -> None:
    assert detect("A new chief executive often brings in a new team.") == ()
    assert detect("A new chief executive often joins. Kirin Robotics appointed Ann Lee as CEO.")


def test_words_of_one_meaning_lie_close_together() -> None:
    def likeness(left: str, right: str) -> float:
        return float(meaning_of(tokenize(left)) @ meaning_of(tokenize(right)))

    assert likeness("profit fell", "earnings dropped") > likeness("profit fell", "bread and butter")
    assert not meaning_of(tokenize("")).any()


def test_words_of_one_meaning_share_a_group() -> None:
    assert group_of(stem("lawsuits")) == group_of(stem("litigation")) != group_of(stem("bread"))
    assert group_of("MONEY") == "MONEY"
    assert group_of("qwertzish") is None


@pytest.mark.parametrize(
    "text",
    [
        "For the quarter, analysts expect earnings of 41 cents a share, up from 38 cents a year ago.",
        "Wall Street expects it to report a profit of 22 cents a share on $1.4 billion in revenue.",
        "The FTSE 100 rose 41 points, or 0.5%, to 7,934.",
        "Talk that the chain will file for bankruptcy is unfounded, its owner said.",
    ],
)
def test_estimates_indices_and_denied_rumours_are_no_news(text: str) -> None:
    assert detect(text, date=TODAY) == ()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Net profit fell 31% in the second quarter, and the toolmaker said it will lay off 200 workers.",
         {SignalType.EARNINGS_RELEASED, SignalType.LAYOFFS}),
        ("Finance chief Ann Roe will leave in May and be replaced by Tom Brandt, who comes from Opal Foods.",
         {SignalType.LEAVES, SignalType.HIRES}),
    ],
)  # fmt: skip
def test_two_clauses_may_tell_two_things(text: str, kinds: set[SignalType]) -> None:
    found = detect(text, date=TODAY)
    assert {each.type for each in found} == kinds
    assert all(text[each.start : each.end] == each.quote for each in found)
