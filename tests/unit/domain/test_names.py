"""Folding, search text, identity keys: what finds what."""

import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sightline.domain import names
from sightline.domain.names import (
    distinct_names,
    fold,
    name_key,
    search_terms,
    search_text,
    sort_key,
    split_dba,
)
from tests.growth import grows_linearly
from tests.name_search import search_matches

TEXT = st.text(max_size=60)
NAMES = st.lists(
    st.text(alphabet="ab&'.- éßÅЖ京٣", min_size=1, max_size=8), min_size=1, max_size=4
).map(" ".join)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("AT&T", "at and t"),
        ("Procter & Gamble", "procter and gamble"),
        ("Procter and Gamble", "procter and gamble"),
        ("J.P. Morgan", "jp morgan"),
        ("O'Reilly", "oreilly"),
        ("O’Reilly", "oreilly"),
        ("L'Oréal", "loreal"),
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("7-Eleven", "7 eleven"),
        ("Yahoo!", "yahoo"),
        ("Straße", "strasse"),
        ("Ærø Łódź", "aero lodz"),
        ("İstanbul", "istanbul"),
        ("Ｓｏｎｙ", "sony"),
        ("Foo™ Bar®", "foo bar"),
        ("Яндекс", "яндекс"),
        ("トヨタ自動車", "トヨタ自動車"),
        ("삼성전자", "삼성전자"),
        ("टाटा", "टाटा"),
        ("שלום", "שלום"),
        ("  a \t b\n", "a b"),
        ("a_b%c", "a b c"),
        ("!!!", ""),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(TEXT)
@example("ΐ")
@example("´ﬃ ﷺ ½")
def test_fold_is_idempotent_and_holds_no_pattern_characters(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert not set(folded) & set("%_\\\n")
    assert "  " not in folded
    assert folded == folded.strip()


@given(st.text(alphabet=st.characters(categories=["Lo", "Ll", "Nd"]), min_size=1))
def test_fold_never_empties_letters(text: str) -> None:
    assume(not all(unicodedata.combining(character) for character in text))
    assert fold(text) or all(unicodedata.normalize("NFKD", c)[0] in "ʼʻˈ" for c in text)


@pytest.mark.parametrize(
    "family",
    [
        ("AT&T", "ATT", "at t", "at and t", "At & T"),
        ("J.P. Morgan", "jp morgan", "jpmorgan", "J. P. Morgan", "JPMorgan"),
        ("Procter & Gamble", "procter and gamble", "procter gamble", "ProcterGamble"),
        ("7-Eleven", "7 eleven", "7eleven", "7 - Eleven"),
        ("L'Oréal", "loreal", "l oreal", "L’Oreal"),
        ("Yahoo!", "yahoo"),
        ("3M", "3m", "3 M"),
        ("Яндекс", "ЯНДЕКС"),
        ("トヨタ自動車", "トヨタ 自動車"),
    ],
)
def test_spellings_find_each_other(family: tuple[str, ...]) -> None:
    for name in family:
        for query in family:
            assert search_matches(search_text([name]), search_terms(query)), (name, query)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("gam", True),
        ("amb", True),
        ("procter an", True),
        ("procter and", True),
        ("p&g", True),
        ("gamble co", True),
        ("gambleco", True),
        ("pg.com", True),
        ("tide", True),
        ("cterand", True),
        ("gamble procter", False),
        ("unilever", False),
    ],
)
def test_search_by_prefix_substring_alternative_name_and_domain(query: str, found: bool) -> None:
    text = search_text(["Procter & Gamble Company", "Tide"], "pg.com")
    assert search_matches(text, search_terms(query)) is found


@given(NAMES)
def test_every_prefix_of_every_word_finds_the_name(name: str) -> None:
    text = search_text([name])
    for word in name.split():
        for end in range(1, len(word) + 1):
            terms = search_terms(word[:end])
            assert terms.empty or search_matches(text, terms), (name, word[:end])


@given(NAMES)
def test_a_name_finds_itself_and_its_squeezed_form(name: str) -> None:
    assume(fold(name))
    text = search_text([name])
    assert search_matches(text, search_terms(name))
    assert search_matches(text, search_terms(name.replace(" ", "")))


@pytest.mark.parametrize("query", ["", "  ", "!!!", "&#", "%"])
def test_queries_without_letters_are_flagged_and_match_nothing(query: str) -> None:
    terms = search_terms(query)
    if query == "&#":
        assert terms.spaced == "and"
        return
    assert terms.empty
    assert not search_matches(search_text(["anything"]), terms)


def test_search_text_lines_are_distinct_and_empty_for_no_letters() -> None:
    lines = search_text(["Acme", "ACME", "acme."], "acme.example").splitlines()
    assert lines == ["", "acme", "acmeexample"]
    assert search_text(["!!!"], None) == ""


@pytest.mark.parametrize(
    "family",
    [
        ("The Boeing Company", "BOEING CO", "Boeing, L L C", "boeing inc."),
        ("Ford Motor Co", "Ford Motor Company"),
        ("J.P. Morgan Chase & Co.", "JP MORGAN CHASE AND CO"),
        ("Siemens AG", "SIEMENS A.G.", "Siemens"),
        ("Robert Bosch GmbH & Co. KG", "Robert Bosch"),
        ("Grupo Bimbo, S.A.B. de C.V.", "GRUPO BIMBO"),
        ("Enel S.p.A.", "Enel SpA"),
        ("株式会社トヨタ", "トヨタ"),
        ("Acme LLC DBA Widgets", "Acme"),
        ("PT Telkom", "Telkom Tbk"),
        ("Infosys Private Limited", "Infosys Pvt. Ltd."),
        ("BACKBASE U S A INC", "Backbase USA"),
        ("J. P. Morgan", "JP Morgan"),
        ("Acme Inc C/D/B/A Foo", "Acme"),
    ],
)
def test_one_company_has_one_key(family: tuple[str, ...]) -> None:
    assert len({name_key(name) for name in family}) == 1


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("The Limited", "limited"),
        ("The Company", "company"),
        ("Co", "co"),
        ("Day Spa", "day spa"),
        ("Acme Holdings Inc", "acme holdings"),
        ("S.A.", "sa"),
        ("???", "???"),
        ("", ""),
    ],
)
def test_key_keeps_what_is_the_name(name: str, key: str) -> None:
    assert name_key(name) == key


@given(TEXT)
def test_key_is_empty_only_for_blank_names(name: str) -> None:
    assert bool(name_key(name)) is bool(name.split())


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ACME INC DBA FOO", ("ACME INC", "FOO")),
        ("Acme Inc. d/b/a Foo Bar", ("Acme Inc.", "Foo Bar")),
        ("Acme, D.B.A. Foo", ("Acme", "Foo")),
        ("Acme (dba Foo)", ("Acme", "Foo")),
        ("Acme doing business as Foo", ("Acme", "Foo")),
        ("DBA Foo", ("Foo", None)),
        ("Acme DBA", ("Acme", None)),
        ("DBAAS Inc", ("DBAAS Inc", None)),
        ("Rhodba Ltd", ("Rhodba Ltd", None)),
    ],
)
def test_split_dba(name: str, parts: tuple[str, str | None]) -> None:
    assert split_dba(name) == parts


@pytest.mark.parametrize("form", ["GmbH & Co. ", "ООО ", "L L C ", "株式会社"])
def test_key_of_what_is_longer_than_any_name_takes_no_more_steps(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    tail = names._legal_tail

    def count(words: list[str]) -> int:
        steps.append(len(words))
        return tail(words)

    monkeypatch.setattr(names, "_legal_tail", count)
    taken = []
    for repeats in (2_000, 40_000):
        steps.clear()
        assert name_key(f"Harbor {form * repeats}").startswith("harbor")
        taken.append(sum(steps))
    assert taken[0] == taken[1]


def test_sort_key_orders_as_readers_expect() -> None:
    names = ["Zoo", "'aardvark'", "Émile", "the Gap", "3M", "Acme"]
    assert sorted(names, key=sort_key) == ["3M", "'aardvark'", "Acme", "Émile", "the Gap", "Zoo"]
    assert sort_key(" !!! ") == "!!!"


def test_distinct_names_keeps_the_first_spelling() -> None:
    assert distinct_names(["AT&T", "at & t", " ", "ATT", "AT&amp;T"]) == ["AT&T", "ATT"]


def test_marks_between_names_are_read_once() -> None:
    assert split_dba("," * 2_000) == ("," * 2_000, None)
    assert split_dba("Acme,; (dba Foo)") == ("Acme", "Foo")
    assert grows_linearly(split_dba, lambda size: "," * size, size=20_000), "tried again from each"
