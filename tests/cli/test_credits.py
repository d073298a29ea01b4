import pytest
from tests.cli.conftest import Shell

GRANT = ("credits", "grant", "--org", "default", "--credit", "company")


def test_grants_add_up_and_are_explained(sightline: Shell) -> None:
    first = sightline(*GRANT, "--amount", "100", "--reason", "trial", "--json").json
    assert first == {
        "organization": "default",
        "credit": "company",
        "granted": 100,
        "balance": 100,
    }
    assert sightline(*GRANT, "--amount", "5").out == (
        "Granted 5 company credits to default; the balance is 105.\n"
    )
    shown = sightline("credits", "show", "--org", "default", "--json").json
    assert shown["credits"] == {"company": 105, "content": 0, "territory": 0, "contact": 0}
    assert sightline("credits", "show").out.splitlines()[0].split() == ["company", "105"]
    ledger = sightline.rows("SELECT kind, amount, reason FROM credit_ledger ORDER BY entry_id")
    assert ledger == [
        {"kind": "grant", "amount": 100, "reason": "trial"},
        {"kind": "grant", "amount": 5, "reason": "granted on the command line"},
    ]
    assert sightline.acts()[-2:] == [("grant", "credit"), ("grant", "credit")]


@pytest.mark.parametrize(
    ("options", "code", "word"),
    [
        (("--amount", "0"), 2, "--amount"),
        (("--amount", "-5"), 2, "--amount"),
        (("--amount", "many"), 2, "--amount"),
        (("--amount", "1", "--credit", "gold"), 2, "--credit"),
        (("--amount", "1", "--org", "none"), 1, "no organization 'none'"),
        (("--amount", str(10**13)), 1, "A grant must be 1 to"),
        ((), 2, "--amount"),
    ],
)
def test_what_grants_nothing(
    sightline: Shell, options: tuple[str, ...], code: int, word: str
) -> None:
    sightline(*GRANT, *options).says(code, word)
    assert sightline.rows("SELECT 1 FROM credit_ledger") == []
    assert ("grant", "credit") not in sightline.acts()


def test_balances_of_nobody(sightline: Shell) -> None:
    sightline("credits", "show", "--org", "none").says(1, "no organization 'none'")
