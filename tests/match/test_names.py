"""Reading names: legal forms, scripts, kinds of words, other names inside a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.match.names import read_name
from sightline.match.romanise import key, romanise
from sightline.match.variants import variants
from sightline.match.vocabulary import vocabulary


def keys(name: str) -> set[str]:
    return {word.key for word in read_name(name).words}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ООО «Ромашка»", "Romashka LLC"),
        ("Obshchestvo s ogranichennoi otvetstvennostyu Romashka", "ООО Ромашка"),
        ("Obschestvo s ogranichennoy otvetstvennostju Romaschka", "ООО Ромашка"),
        ("Nordwind Aktiengesellschaft", "Nordwind AG"),
        ("Nordwind Gesellschaft mit beschränkter Haftung", "Nordwind GmbH"),
        ("中国银行股份有限公司", "Bank of China Limited"),
        ("日本銀行", "Bank of Japan"),
        ("بنك مصر", "Banque Misr"),
        ("Εθνική Τράπεζα της Ελλάδος", "National Bank of Greece"),
        ("신한은행", "Shinhan Bank"),
        ("Торговый дом Ветла", "Trading House Vetla"),
        ("Halden Mfg. Co.", "Halden Manufacturing Company"),
        ("Univ. of Quillen", "The University of Quillen"),
        ("Quillen Intl Inc", "Quillen International"),
        ("شركة دمشق للتأمين", "Sharikat Insurance Damascus"),
        ("中华人民共和国商务部", "Republic of China Ministry of Commerce"),
        ("天津港集团", "Tianjin Port Group"),
        ("조선무역은행", "Korea Trade Bank"),
        ("Shenzhen Haiou Yinhang Youxian Gongsi", "深圳市海鸥银行有限公司"),
        ("Universitätsklinikum Quillen", "University Hospital Quillen"),
        ("Томский техникум", "Tomsk College"),
    ],
)
def test_spellings_of_one_name_have_the_same_words(left: str, right: str) -> None:
    assert keys(left) == keys(right)


@pytest.mark.parametrize("name", ["The Company", "ООО", "Inc.", "S.A.", "&", "株式会社", "🙂", "-"])
def test_a_name_of_nothing_but_a_form_keeps_a_word(name: str) -> None:
    assert len(read_name(name).words) >= 1


def test_numbers_are_numbers_in_any_writing() -> None:
    for name in ("School No. 5", "Школа № 5", "Escuela nº 5", "School V 5", "Schule Nr. 5"):
        numbers = [word.key for word in read_name(name).words if word.kind == "number"]
        assert "5" in numbers, name


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Quillen Fund II LP", "2"),
        ("Quillen Fund III LP", "3"),
        ("Quillen Fund VIII", "8"),
        ("Quillen XXI", "21"),
    ],
)
def test_roman_numbers_are_told_apart(name: str, number: str) -> None:
    assert [word.key for word in read_name(name).words if word.kind == "number"] == [number]


def test_abbreviations_keep_their_letters() -> None:
    assert len({key(word) for word in ("dji", "kkr", "kk", "tjx", "aa")}) == 5
    assert keys("WH Quillen plc") == {"vh", *keys("Quillen")}
    assert key("vtb") == key(romanise("втб"))


@pytest.mark.parametrize(
    "name",
    [
        "QUILLEN AB-B SHS",
        "Quillen AG-REG",
        "Quillen AG - BR",
        "Quillen - PRFD",
        "Quillen PLC-SP ADR",
        "Quillen SA -W/I",
    ],
)
def test_the_kind_of_a_share_is_no_part_of_the_name(name: str) -> None:
    assert keys(name) == keys("Quillen")
    assert keys("Time Shares Ltd") != keys("Time Ltd")


def test_a_name_inside_a_name_is_another_name() -> None:
    assert "IBX" in variants("Interbank Exchange (IBX)")
    assert variants("Acme Widgets, Inc. d/b/a WidgetCo") == ["Acme Widgets, Inc.", "WidgetCo"]
    assert "Oldco" in variants("Newco (formerly Oldco)")


def test_a_place_or_form_in_brackets_is_no_name() -> None:
    assert variants("Halden Mills (India), Ltd") == ["Halden Mills (India), Ltd"]
    assert variants("Halden Mills (Pty) Ltd") == ["Halden Mills (Pty) Ltd"]
    assert variants("Quillen Halden Works - QHW") == ["Quillen Halden Works", "QHW"]


def test_a_place_inside_another_word_is_not_found() -> None:
    assert "tailand" not in keys("タイセイ")
    assert "ural" not in keys("Уралхим")
    assert "ural" in keys("Уральский завод")


def test_families_name_concepts_of_the_table() -> None:
    tables = vocabulary()
    known = {concept.name for concept in tables.concepts.values()}
    assert set(tables.families) <= known


def test_transliteration_schemes_meet_in_one_key() -> None:
    assert len({key(word) for word in ("khrushchev", "hrushchev", "khruschev")}) == 1
    assert key(romanise("газпром")) == key("gazprom")
    assert key("yukos") == key("jukos") == key(romanise("юкос"))


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    name = read_name(text)
    assert name.words
    assert all(word.key for word in name.words)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("QUILLEN INC /DE/", "Quillen"),
        ("Quillen Corp/RI", "Quillen"),
        ("Quillen Inc. Class A", "Quillen (Class A)"),
    ],
)
def test_what_registers_of_shares_add_is_no_part_of_a_name(left: str, right: str) -> None:
    assert read_name(left).written == read_name(right).written == "quillen"


def test_a_name_that_only_sounds_like_a_small_word_stays() -> None:
    assert keys("Dell Technologies") - keys("Technologies")
    assert read_name("Snap-On Inc.").written != read_name("Snap Inc.").written


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Quillen Orchard Works Corporation", "qow"),
        ("Quillen Orchard Works Corporation", "qowc"),
        ("Bank of Quillen and Tulsa, Ltd.", "bqt"),
    ],
)
def test_initials_are_those_with_and_without_the_legal_form(name: str, initials: str) -> None:
    assert initials in read_name(name).initials


def test_hyphens_and_what_follows_a_stroke_may_be_left_out() -> None:
    assert "QuilMart Stores" in variants("Quil-Mart Stores")
    assert "Quillen" in variants("Quillen - Redes de Energia SA")
