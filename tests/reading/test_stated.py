"""What a model may say of a quote: its figures, dates and names, and nothing beside them."""

import pytest

from sightline.reading.stated import fault

GREW = "Revenue increased 12% to $230 million in 2025, driven by new grocery contracts in Norway."
DATA = (
    "fiscal_period/FY2025/net_income {'amount': 215938000000, 'change': 0.6521, 'currency': 'USD'}"
)


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("Revenue grew 12% to $230 million in 2025.", GREW),
        ("Revenue reached $0.23 billion, up 12 percent.", GREW),
        ("Larkspur's revenue was $230M.", GREW),
        ("Growing grocery business in Norway", GREW),
        ("Increasing revenue: grocery contracts", GREW),
        ("Net income was $215.9 billion, up 65%.", DATA),
        ("Two stores opened.", "We opened 2 stores."),
        ("It has two depots, Lund and Ystad.", "Our depots are Lund and Ystad."),
        ("It names three reasons.", "Sales fell due to weather, strikes and prices."),
        ("It spends on AI.", "We invest in artificial intelligence."),
        ("In Q3 2025 sales rose.", "Sales rose in Q3 2025."),
        ("Sales rose in March 2025.", "period_end 2025-03-31: sales rose"),
        ("It may open stores.", "We may open stores."),
        ("A Norway-based grocer", "A grocer of Norway"),
        ("Its 10-K says that it opened stores.", "Form 10-K: we opened stores."),
        ("In its 10-Q and 8-K it grew.", "10-Q | 8-K | it grew"),
        ("About half of sales are in Norway.", "Sales in Norway were 48% of the whole."),
        ("Sales rose in the second half of 2025.", "In H2 2025 sales rose."),
        ("Sales rose in the third quarter.", "Sales rose in Q3."),
        ("P&G and AT&T buy.", "Pike & Gale and AT & T buy."),
        ("Its R&D and M&A grew.", "Research and development, mergers and acquisitions grew."),
        ("It filed on 26 February 2025.", "filed 2025-02-26"),
        ("It filed in September.", "filed 3 Sept. 2025"),
        ("It raised SEK 40 million.", "It raised 40 million kronor."),
        ("The European market grew.", "Sales in Europe grew."),
        ("Sales in Germany grew.", "The German market grew."),
        ("Its Osprey vans sell.", "The Osprey van sells."),
        ("The Nordics' growth is Larkspurs' own.", "The Nordic countries grow."),
        ("It sells in the United States.", "It sells in the U.S. and Norway."),
        ("It sells in the U.S.", "It sells in the United States of America."),
        ("A U.S.-based grocer", "A grocer of the United States"),
        ("It invests in Artificial Intelligence.", "We invest in AI."),
        ("It lost before the U.S. Supreme Court.", "The Supreme Court decided against it."),
        ("Then Ms. Quell joined.", "Marta Quell joined in May."),
        ("It opens European depots.", "It opens depots in Lisbon, Oslo and Rotterdam."),
        ("It sells in African countries.", "It sells in Kenya and Ghana."),
        ("Its Asian sales grew.", "Sales in Japan grew."),
        ("It took six months.", "after a six-months period"),
        ("It expects between $2.5 and $2.7 billion.", "$2.5 billion to $2.7 billion are expected"),
        ("It expects $2.5 billion or more.", "It expects $2.5 to $2.7 billion."),
        ("It expects 5% to 7% of growth.", "It expects growth of 5-7 percent."),
        ("It rose 4% in 2024 and 5% in 2025.", "It rose 5% in 2025 and 4% in 2024."),
        ("It fell by 3.2%.", "Change | (3.2)%"),
        ("It lost $12 million.", "Operating loss of $(12) million"),
        ("A loss of $1,234.", "Net loss | $ (1,234)"),
        ("Its French and Swiss sales grew.", "Sales in France and Switzerland grew."),
        ("Its American and British sales grew.", "Sales in the U.S. and the UK grew."),
        ("Its sales in France grew.", "French sales grew."),
    ],
)
def test_what_the_quote_carries_is_said(text: str, proof: str) -> None:
    assert fault(text, proof, known="Larkspur Freight") is None


@pytest.mark.parametrize(
    ("text", "proof", "kind"),
    [
        ("Revenue grew 12% to $230 billion.", GREW, "figure"),
        ("Revenue grew 13%.", GREW, "figure"),
        ("Revenue was €230 million.", GREW, "figure"),
        ("Revenue was $231 million.", GREW, "figure"),
        ("Revenue was 12 million.", GREW, "figure"),
        ("Revenue grew 230%.", GREW, "figure"),
        ("Revenue doubled.", GREW, "figure"),
        ("It has five markets.", GREW, "figure"),
        ("It has five markets.", "It has twenty-five markets.", "figure"),
        ("It names four reasons.", "Sales fell due to weather, strikes and prices.", "figure"),
        ("It paid two million for Lund and Ystad.", "It paid for Lund and Ystad.", "figure"),
        ("It grew two percent in Lund and Ystad.", "It grew in Lund and Ystad.", "figure"),
        ("Sales doubled in Lund and Ystad.", "Sales rose in Lund and Ystad.", "figure"),
        ("Net income was $216.9 billion.", DATA, "figure"),
        ("In 2024 revenue increased.", GREW, "figure"),
        ("Revenue increased in March 2025.", GREW, "date"),
        ("It rose in the second quarter.", "It rose in the first quarter.", "date"),
        ("It expands in Sweden.", GREW, "name"),
        ("Osprey Freight and Osprey Air expand in Norway.", GREW, "name"),
        ("The iPhone sells.", GREW, "name"),
        ("Its 10-Q says so.", "Form 10-K: we opened stores.", "name"),
        ("H&M buys.", "Pike & Gale buys.", "name"),
        ("It raised SEK 40 million.", "It raised 40 million euros.", "figure"),
        ("It rose in Q2.", "It rose in the first quarter.", "date"),
        ("It relies on AWS.", "We rely on one host.", "name"),
        ("It grew. The Fernhill depot fell.", GREW, "name"),
        ("The United Nations buy.", "Let us buy from Norway.", "name"),
        ("Then Martin Quell bought.", "Then Marta Quell bought.", "name"),
        ("Then the Osprey Group bought.", "The grouping was changed.", "name"),
        ("Then Ms. Brandt joined.", "Marta Quell joined in May.", "name"),
        ("The U.S. segment grew.", "The segment grew.", "name"),
        ("The U.S. Fernhill depot grew.", "The Osprey depot grew.", "name"),
        ("It opens Asian depots.", "It opens depots in Lisbon and Oslo.", "name"),
        ("It opens European depots.", "It opens depots.", "name"),
        ("It expects between $2.4 and $2.7 billion.", "It expects $2.5 to $2.7 billion.", "figure"),
        ("It expects $2.5 billion.", "It expects $2.5 million to $2.7 billion.", "figure"),
        ("It expects $2.5 billion.", "It expects $2.5 a share and has $2.7 billion.", "figure"),
        ("It fell by 3.2%.", "Change | (3.2)", "figure"),
        ("Its Dutch sales grew.", "Sales in Denmark grew.", "name"),
        ("Its Canadian sales grew.", "Sales in CA grew.", "name"),  # which is California, too
        ("Its sales in England grew.", "Sales in Scotland grew.", "name"),
        ("Its sales in France grew.", "Spanish sales grew.", "name"),
        ("See https://evil.example/.", GREW, "address"),
        ("Write to sales@evil.example.", GREW, "address"),
    ],
)
def test_what_it_does_not_carry_is_found(text: str, proof: str, kind: str) -> None:
    assert kind in (fault(text, proof, known="Larkspur Freight") or "")


AROUND = "Marta Quell, our treasurer, and Otto Brandt, our counsel, met Ivo Lund. Ms. Quell left; Lund not."


@pytest.mark.parametrize(
    ("text", "quote", "is_said"),
    [
        ("Then Marta Quell left.", "Ms. Quell left", True),
        ("Then Marta left.", "Ms. Quell left", True),
        ("Then Mr. Otto Brandt left.", "Mr. Brandt left", True),
        ("Then Otto Quell left.", "Ms. Quell left", False),  # the other's given name
        ("Then Marta Brandt left.", "Ms. Quell left", False),  # another surname
        ("Then Otto left.", "Ms. Quell left", False),
        ("Then Marta Overbeek left.", "Ms. Quell left", False),
        ("Then Ivo Lund stayed.", "Lund not.", True),
    ],
)
def test_a_name_may_be_said_as_it_stands_around_the_quote(
    text: str, quote: str, is_said: bool
) -> None:
    assert (fault(text, quote, around=AROUND) is None) is is_said
    assert fault(text, quote) is not None


UNIT = "Acme Robotics Unit opened a cloud at Acme Port Resort. Marta Quell met the board of Borealis Tools."


@pytest.mark.parametrize(
    ("text", "quote", "is_said"),
    [
        ("Then the Acme Robotics Unit grew.", "Acme Robotics grew.", True),
        ("It sold the Acme Cloud platform.", "Acme sold its platform.", True),
        ("It bought Borealis Tools, Inc.", "It bought Borealis Tools.", True),
        ("It bought Borealis Tools GmbH.", "It bought Borealis Tools.", True),
        ("It made her Chief Executive Officer.", "She became chief executive.", True),
        ("Then the U.S. Food and Drug Administration agreed.", "The FDA agreed.", True),
        ("It bought Polar Tools GmbH.", "It bought Borealis Tools.", False),
        ("It bought Borealis Gears.", "It bought Borealis Tools.", False),
        ("It sold the Polar Cloud platform.", "It sold its platform.", False),
        ("It opened Acme Port Resort.", "Port opened.", False),  # what is named like it
        ("Then President Quell left.", "Quell left.", False),
        ("Then the U.S. Fernhill site agreed.", "The FDA agreed.", False),
    ],
)
def test_a_loose_word_makes_no_other_name(text: str, quote: str, is_said: bool) -> None:
    assert (fault(text, quote, around=UNIT) is None) is is_said


def test_a_surname_of_two_people_names_neither() -> None:
    two = "Marta Quell and Ivo Quell own it. Quell left."
    assert fault("Then Marta Quell left.", "Quell left.", around=two) is not None


@pytest.mark.parametrize(
    "text",
    ["Osprey expands in Norway.", "It does not grow.", "Revenue fell 12% to $230 million."],
)
def test_what_a_sentence_means_is_left_to_the_verifier(text: str) -> None:
    assert fault(text, GREW, known="Larkspur Freight") is None


@pytest.mark.parametrize(
    ("text", "results", "is_said"),
    [
        ("Its margin was 16.1%.", [37 / 230], True),
        ("Its margin was 16.1%.", [16.0869], True),
        ("Its margin was 16.2%.", [37 / 230], False),
        ("Together $267 million.", [267_000_000.0], True),
        ("Together $0.27 billion.", [267_000_000.0], True),
        ("Together $268 million.", [267_000_000.0], False),
        ("A decline of $12 million.", [-12_000_000.0], True),
        ("A margin of 16.1%.", [], False),
    ],
)
def test_the_result_of_a_calculation_is_said(
    text: str, results: list[float], is_said: bool
) -> None:
    assert (fault(text, "Two figures.", results=results) is None) is is_said


def test_the_company_is_called_by_the_parts_of_its_name() -> None:
    said = "Q9 Lark's customers rose to 487."
    assert fault(said, "customers rose to 487", known="Q9.lark, Inc.") is None
    assert fault(said, "customers rose to 487", known="Quell, Inc.") is not None
