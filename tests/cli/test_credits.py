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
    ("options", "word"),
    [
        (("--amount", "0"), "--amount"),
        (("--amount", "-5"), "--amount"),
        (("--amount", "many"), "--amount"),
        (("--amount", "1", "--credit", "gold"), "--credit"),
        ((), "--amount"),
    ],
)
def test_a_wrong_option_is_refused_at_once(
    offline: Shell, options: tuple[str, ...], word: str
) -> None:
    offline(*GRANT, *options).says(2, word)


def test_what_grants_nothing(sightline: Shell) -> None:
    sightline(*GRANT, "--amount", "1", "--org", "none").says(1, "no organization 'none'")
    sightline(*GRANT, "--amount", str(10**13)).says(1, "A grant must be 1 to")
    sightline("credits", "show", "--org", "none").says(1, "no organization 'none'")
    assert sightline.rows("SELECT 1 FROM credit_ledger") == []
    assert ("grant", "credit") not in sightline.acts()
