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
