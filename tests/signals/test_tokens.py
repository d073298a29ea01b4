"""Sentences as tokens: names and amounts become classes, words become stems."""

import pytest

from sightline.signals.tokens import stem, tokenize


@pytest.mark.parametrize(
    ("forms", "key"),
    [
        ("acquire acquires acquired acquiring", "acquir"),
        ("buy buys buying bought", "buy"),
        ("leave leaves left leaving", "leav"),
        ("company companies", "company"),
        ("plan plans planned planning", "plan"),
        ("recognise recognised recognizes recognition", "recogniz"),
        ("sue sues sued suing", "sue"),
    ],
)
def test_all_forms_of_a_word_share_one_stem(forms: str, key: str) -> None:
    assert {stem(form) for form in forms.split()} == {key}


def test_names_roles_and_amounts_become_classes() -> None:
    sentence = tokenize(
        "Acme Robotics hired Maria Lopez as chief financial officer for $2.5 million."
    )
    assert sentence.line == " ORG hir PERSON as ROLE for MONEY . "
    assert sentence.quote(4, 4) == "chief financial officer"
    assert sentence.quote(6, 6) == "$2.5 million"


def test_the_executive_is_a_role_in_any_case() -> None:
    assert " ROLE " in tokenize("Its chief executive quit.").line
    assert " ROLE " in tokenize("Halden names new Chief Executive Officer").line


@pytest.mark.parametrize(
    "amount", ["$5", "€6.5M", "£1.2bn", "90 billion yen", "Rs 200 crore", "500 million euros"]
)
def test_money_is_one_token(amount: str) -> None:
    sentence = tokenize(f"It paid {amount} in cash.")
    (token,) = [token for token in sentence.tokens if token.norm == "MONEY"]
    assert sentence.text[token.start : token.end] == amount


def test_tickers_and_quotation_marks_are_left_out() -> None:
    assert tokenize('Slatebank (NASDAQ: SLTB) "will" close').line == " NAME will clos "


def test_a_headline_in_capitals_keeps_its_verbs() -> None:
    sentence = tokenize("Marlowe Bank Completes Acquisition of Three Rivers Credit Union")
    assert sentence.title_case
    assert " complet acquisition of " in sentence.line


def test_every_token_points_at_its_text() -> None:
    text = (
        "St. Anne's Hospital, founded in 1901, won't sell its Leeds site; talks ended May 3, 2024."
    )
    for token in tokenize(text).tokens:
        assert 0 <= token.start < token.end <= len(text)
        assert text[token.start : token.end].strip()


@pytest.mark.parametrize(
    "text", ["", "   ", "\x00\x01", "…", "?!", "日本の会社が工場を建設する", "a" * 5000]
)
def test_nothing_is_too_odd(text: str) -> None:
    assert tokenize(text).text == text


def test_a_middle_initial_is_part_of_a_name() -> None:
    norms = [token.norm for token in tokenize("Board elects Ann B. Castor as chair.").tokens]
    assert norms.count("PERSON") == 1
    assert "NAME" not in norms
    apart = tokenize("It chose plan B. Sales rose.").line
    assert " . " in apart[:-3]


def test_partners_before_with_is_a_verb() -> None:
    assert " partner with " in tokenize("Monarch Partners With Sedge On Memory Cards").line
    assert " ORG " in tokenize("It sold the unit to Monarch Partners for cash.").line


@pytest.mark.parametrize(
    "text",
    [
        "The Food and Drug Administration cleared its pump in June.",
        "Officials of the Federal Aviation Administration grounded the jets.",
        "The Competition and Markets Authority is looking into the deal.",
        "The Department of Justice wants to block it.",
    ],
)
def test_authorities_are_read_like_regulators(text: str) -> None:
    line = tokenize(text).line
    assert " regulator " in line
    assert not {"NAME", "ORG"} & set(line.split())


def test_those_who_count_the_economy_and_agencies_for_hire_are_no_regulators() -> None:
    assert "regulator" not in tokenize("The Commerce Department said exports rose.").line
    assert "regulator" not in tokenize("Lumen Advertising Agency won a prize.").line
    assert "regulator" not in tokenize("Larkin Department Stores closed a branch.").line


def test_words_that_only_look_alike_stay_apart() -> None:
    assert stem("space") != stem("spac")
    assert stem("shelves") != stem("shelved")
    assert stem("min") != stem("mine")
