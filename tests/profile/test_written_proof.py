"""What a model may say of a quote: its figures, dates and names, and nothing beside them."""

import pytest

from sightline.profile.written_proof import fault

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
        ("It spends on AI.", "We invest in artificial intelligence."),
        ("In Q3 2025 sales rose.", "Sales rose in Q3 2025."),
        ("Sales rose in March 2025.", "period_end 2025-03-31: sales rose"),
        ("It may open stores.", "We may open stores."),
        ("A Norway-based grocer", "A grocer of Norway"),
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
        ("Net income was $216.9 billion.", DATA, "figure"),
        ("In 2024 revenue increased.", GREW, "figure"),
        ("Revenue increased in March 2025.", GREW, "date"),
        ("It rose in the second quarter.", "It rose in the first quarter.", "date"),
        ("It expands in Sweden.", GREW, "name"),
        ("Osprey expands in Norway.", GREW, "name"),
        ("The iPhone sells.", GREW, "name"),
        ("It relies on AWS.", "We rely on one host.", "name"),
        ("It grew. Fernhill fell.", GREW, "name"),
        ("See https://evil.example/.", GREW, "address"),
        ("Write to sales@evil.example.", GREW, "address"),
    ],
)
def test_what_it_does_not_carry_is_found(text: str, proof: str, kind: str) -> None:
    assert kind in (fault(text, proof, known="Larkspur Freight") or "")


def test_a_first_word_of_the_language_is_no_name() -> None:
    assert fault("Lettuce is kept crisp.", "We keep it crisp.") is not None
    words = {"lettuce"}
    assert (
        fault("Lettuce is kept crisp.", "We keep it crisp.", is_ordinary=words.__contains__) is None
    )


@pytest.mark.parametrize(
    ("text", "proof", "kind"),
    [
        ("Revenue decreased 12% to $230 million.", GREW, "turned around"),
        ("Margins rose by 3%.", "Margins fell by 3% in Norway.", "turned around"),
        ("It does not depend on one grocer.", "We depend on one grocer.", "denial"),
        ("New charges will raise its costs.", "New charges could raise our costs.", "certain"),
        ("I am sorry, I cannot help with it.", GREW, "itself"),
        ("The passages do not say how it grows.", "It is not said how it grows.", "itself"),
        ("As an AI model it grows.", "We use an AI model and grow.", "itself"),
    ],
)
def test_what_turns_its_quote_around_is_found(text: str, proof: str, kind: str) -> None:
    assert kind in (fault(text, proof, known="Larkspur Freight") or "")


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("Costs fell 4% as volumes rose.", "Volumes rose, and costs were 4% lower."),
        ("It is free of debt, not indebted.", "We have no debt."),
        ("It will open two depots.", "We plan to open two depots, which could take a year."),
        ("Yes. It sells through resellers.", "We sell through resellers."),
        ("It grows in the context of trade.", "We grow in the context of trade."),
    ],
)
def test_what_keeps_its_quote_s_meaning_is_said(text: str, proof: str) -> None:
    assert fault(text, proof, known="Larkspur Freight") is None
