"""Scores, decisions and lists."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from sightline.match import records
from sightline.match.decide import decide
from sightline.match.index import Index
from sightline.match.lists import Row, match_lists
from sightline.match.names import MAX_CHARS, read_name
from sightline.match.records import Candidate
from sightline.match.scoring import Scored, score_pairs


def score_pair(left: Candidate, right: Candidate) -> Scored:
    return score_pairs([(left, right)])[0]


def company(number: str, name: str, **fields: str) -> Candidate:
    return Candidate(number, name, **fields)  # type: ignore[arg-type]


CANDIDATES = [
    company("a", "Nordwind Handels GmbH", country="DE", city="Bremen", domain="nordwind.example"),
    company("b", "Nordwind Energie GmbH", country="DE", city="Hannover"),
    company("c", "Südwind Handels GmbH", country="DE", city="Bremen"),
    company("d", "Halden Manufacturing Company", country="US", city="Dayton", ticker="HLDN"),
    company("e", "Завод «Вектор» № 12", country="RU", city="Томск"),
    company("f", "First Quillen Bank", country="US", city="Omaha"),
    company("g", "First Quillen Bank", country="US", city="Tulsa"),
    company("h", "Interocean Brokerage Exchange", country="US", lei="5493001KJTIIGC8Y1R12"),
]


WORDS = ["Ambrel", "Cordun", "Feltow", "Gravik", "Hostem", "Jandril", "Kelmont", "Lubrax"]


def test_a_query_finds_the_company_and_says_why() -> None:
    found = Index(CANDIDATES).query(
        company("x", "NORDWIND HANDEL", country="Germany", city="Bremen")
    )
    decision = decide(found)
    assert decision.outcome == "matched"
    assert decision.best is not None
    assert decision.best.id == "a"
    names = {feature.name for feature in decision.best.features}
    assert {"name_at_place", "city_same"} <= names


def test_a_company_that_is_not_there_is_no_match() -> None:
    index = Index(CANDIDATES)
    for name in ("Westwind Logistik GmbH", "Nordwind Versicherung AG", "Вектор № 13", "Zzyzx"):
        assert decide(index.query(company("x", name))).outcome == "no_match", name


def test_two_companies_of_one_name_are_ambiguous_until_a_city_tells() -> None:
    index = Index(CANDIDATES)
    decision = decide(index.query(company("x", "First Quillen Bank", country="US")))
    assert decision.outcome == "ambiguous"
    assert {one.id for one in decision.rivals} == {"f", "g"}
    reported = decide(index.query(company("x", "First Quillen Bank", country="US", city="Tulsa")))
    assert (reported.outcome, reported.best.id if reported.best else None) == ("matched", "g")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"domain": "https://www.nordwind.example/contact"}, "a"),
        ({"lei": "5493001kjtiigc8y1r12"}, "h"),
        ({"ticker": "hldn"}, "d"),
    ],
)
def test_identifiers_find_a_company_of_another_name(fields: dict[str, str], expected: str) -> None:
    found = Index(CANDIDATES).query(company("x", "Wholly Renamed", **fields))
    assert found[0].id == expected


def test_other_scripts_and_other_names_find_the_company() -> None:
    index = Index([*CANDIDATES, Candidate("z", "Oldname Works", other_names=("Brandnew Works",))])
    assert index.query(company("x", "Vektor Plant 12", country="RU"))[0].id == "e"
    assert index.query(company("x", "Brandnew Works"))[0].id == "z"
    assert index.query(company("x", "IBE"))[0].id == "h"


def test_an_empty_index_and_empty_names_answer_nothing() -> None:
    assert Index([]).query(company("x", "Nordwind")) == []
    assert decide([]).outcome == "no_match"
    assert decide(Index(CANDIDATES).query(company("x", ""))).outcome == "no_match"
    assert match_lists([], CANDIDATES) == []
    assert [row.decision for row in match_lists(CANDIDATES, [])] == ["no_match"] * len(CANDIDATES)


def test_the_better_of_two_claims_wins() -> None:
    left = [
        company("1", "Nordwind Handels GmbH", city="Bremen"),
        company("2", "Nordwind Handel & Energie"),
    ]
    rows = {row.left_id: row for row in match_lists(left, CANDIDATES[:1])}
    assert rows["1"].right_id == "a"
    assert rows["2"].right_id is None


def test_duplicates_on_the_left_both_match() -> None:
    left = [company("1", "Nordwind Handels GmbH"), company("2", "NORDWIND HANDELS G.m.b.H.")]
    assert [row.right_id for row in match_lists(left, CANDIDATES)] == ["a", "a"]


def test_scores_are_probabilities_and_numbers_tell_companies_apart() -> None:
    same = score_pair(company("1", "School No. 5"), company("2", "Школа № 5"))
    other = score_pair(company("1", "School No. 5"), company("2", "Школа № 7"))
    assert 0 <= other.score < 0.5 < same.score <= 1
    assert "number_differs" in {feature.name for feature in other.features}


def test_a_number_more_is_no_letter_too_many() -> None:
    one = company("1", "Foxlinde Kovarno Publishing House")
    assert score_pair(one, company("2", "Foxlinde Kovar No Publishing House")).score > 0.5
    assert score_pair(one, company("2", "Foxlinde Kovarno Publishing House 6")).score < 0.5


def test_another_city_tells_more_where_lists_hold_namesakes() -> None:
    away = company("q", "Quillmark Supplies", country="US", city="Macon")
    alone = [company(f"{n}", f"{name} Works", city="Utica") for n, name in enumerate(WORDS)]
    twice = [
        company(f"{n}{city}", f"{name} Works", city=city)
        for n, name in enumerate(WORDS)
        for city in ("Utica", "Fargo")
    ]
    asked = [company("x", "Quillmark Supplies", country="US", city="Boise")]
    asked += [company(f"x{n}", f"{name} Works", city="Waco") for n, name in enumerate(WORDS)]

    def effect(candidates: list[Candidate]) -> float:
        best = Index([*candidates, away]).query_many(asked)[0][0]
        assert best.id == "q"
        return sum(one.weight for one in best.features if one.name.startswith("city_differs"))

    assert effect(twice) < effect(alone) < 0


def test_the_effects_of_the_features_and_the_bias_are_the_score() -> None:
    one, other = (
        score_pairs([(CANDIDATES[0], right)])[0] for right in (CANDIDATES[1], CANDIDATES[2])
    )
    bias = one.log_odds - sum(feature.weight for feature in one.features)
    again = other.log_odds - sum(feature.weight for feature in other.features)
    assert bias == pytest.approx(again, abs=0.15)


def test_queries_one_at_a_time_and_together_agree() -> None:
    index = Index(CANDIDATES)
    together = index.query_many(CANDIDATES)
    assert [found[0].id for found in together] == [index.query(one)[0].id for one in CANDIDATES]


def test_very_many_candidates_are_found_by_the_same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    random_ = random.Random(1)
    names = ["".join(random_.choices("abdegiklmnorstu", k=9)).title() for _ in range(300)]
    records = [company(str(number), f"{name} Ltd") for number, name in enumerate(names)]
    few = [found[0].id for found in Index(records).query_many(records)]
    monkeypatch.setattr("sightline.match.index.MANY", 10)
    many = [found[0].id for found in Index(records).query_many(records)]
    assert few == many == [record.id for record in records]


def test_a_seat_in_the_area_of_the_head_office_speaks_for_a_company() -> None:
    index = Index([company("a", "Nordwind Reederei", country="FR", city="Courbevoie")])
    near, far = (
        index.query(company("x", "Nordwind Reederei", country="FR", city=city))[0]
        for city in ("Paris", "Brest")
    )
    assert "city_around" in {feature.name for feature in near.features}
    assert near.score > far.score


def test_initials_with_the_legal_form_find_a_company() -> None:
    index = Index([company("a", "Quillen Orchard Machine Corporation", country="US", city="Omaha")])
    for name in ("QOM", "QOMC"):
        found = index.query(company("x", name, country="US", city="Omaha"))
        assert decide(found).outcome == "matched", name


@pytest.mark.parametrize(
    ("one", "same", "another"),
    [
        ("第十四研究所", "14th Institute", "38th Institute"),
        ("제2공장", "Plant No. 2", "Plant No. 3"),
        ("No. 3 Brick Works", "Third Brick Works", "Fourth Brick Works"),
        ("ООО «Кордун-М»", "Cordun M LLC", "OOO Kordun-K"),
        ("ООО «Кордун-Юг»", "Kordun-Yug LLC", "Kordun Sever LLC"),
        ("ФГУП НИИ «Фелтов»", "Research Institute Feltov", "FGUP NII Gravik"),
        ("Gravik Gıda Sanayi ve Ticaret A.Ş.", "Gravik Gida San. ve Tic. AS", "Gravik Tekstil AS"),
        ("Hostem & Sons", "Hostem and Sons Ltd", "Hostem Brothers"),
        ("Hostem Mills LLC doing business as Lubrax", "Lubrax", "Feltow"),
        ("Hostem Power Company Ltd (The)", "The Hostem Power Company", "Hostem Water Company"),
    ],
)
def test_marks_and_short_forms_are_read(one: str, same: str, another: str) -> None:
    near, far = score_pairs([(company("", one), company("", name)) for name in (same, another)])
    assert near.score > 0.5 > far.score


def test_letters_as_they_are_written_tell_names_apart_that_sound_alike() -> None:
    index = Index([company("a", "Aron", country="US"), company("b", "Aaron Inc.", country="US")])
    assert index.query(company("x", "AARON", country="US"))[0].id == "b"
    assert index.query(company("x", "Aron Inc.", country="US"))[0].id == "a"


def test_likeness_by_chance_is_measured_on_the_lists_themselves() -> None:
    """A row that is not quite its partner counts for more where nothing else is like anything."""

    def here(number: str, name: str) -> Candidate:
        return company(number, name, country="DE", city="Bremen")

    names = [f"{word}{end}" for word in WORDS for end in ("aro", "ile", "umbo")]
    asked = [here(f"l{at}", name) for at, name in enumerate(names)]
    partners = [here(f"r{at}", f"{name} GmbH") for at, name in enumerate(names)]
    sisters = [
        here(f"s{at}", f"{name} {kind}")
        for at, name in enumerate(names)
        for kind in ("Handel", "Verlag")
    ]
    asked.append(here("x", "Zoltrak"))
    partners.append(here("y", "Zoltrak Logistik GmbH"))

    def chance(right: list[Candidate]) -> tuple[float, float]:
        row = match_lists(asked, right)[-1]
        return row.score, {each.name: each.value for each in row.features}["chance_likeness"]

    alone, crowded = chance(partners), chance([*partners, *sisters])
    assert alone[1] < crowded[1]
    assert alone[0] > crowded[0]


def listed(side: str, names: list[str], form: str = "") -> list[Candidate]:
    return [
        company(f"{side}{at}", f"{name} {form}".strip(), country="DE", city="Bremen")
        for at, name in enumerate(names)
    ]


def told_chance(rows: list[Row]) -> set[float]:
    return {
        feature.value
        for row in rows
        for feature in row.features
        if feature.name == "chance_likeness"
    }


NAMES = [f"{word}{end}" for word in WORDS for end in ("aro", "ile", "umbo", "enti", "osk")]


@pytest.mark.parametrize("size", [1, 3, 10])
def test_a_few_rows_are_decided_as_many_are(size: int) -> None:
    right = listed("r", NAMES, "GmbH")
    rows = match_lists(listed("l", NAMES)[:size], right)
    assert [row.right_id for row in rows] == [f"r{at}" for at in range(size)]
    (chance,) = told_chance(rows)
    assert 0.4 <= chance <= 1.5  # a few rows say little about the lists


def test_rows_that_all_have_a_partner_get_it_and_no_other_row_does() -> None:
    rows = match_lists(listed("l", NAMES), listed("r", NAMES, "GmbH"))
    assert [row.right_id for row in rows] == [f"r{at}" for at in range(len(NAMES))]
    half = len(NAMES) // 2
    rows = match_lists(listed("l", NAMES[:half]), listed("r", NAMES[half:], "GmbH"))
    assert {row.decision for row in rows} == {"no_match"}


def test_rows_said_twice_are_matched_twice() -> None:
    once = listed("l", NAMES)
    again = [replace(each, id=f"again-{each.id}") for each in once]
    rows = match_lists([*once, *again], listed("r", NAMES, "GmbH"))
    wanted = [f"r{at}" for at in range(len(NAMES))]
    assert [row.right_id for row in rows] == wanted * 2


def test_a_list_of_another_trade_in_which_nothing_is_meant_matches_nothing() -> None:
    asked = listed("l", [f"{name} Dental Practice" for name in NAMES])
    right = listed("r", [f"{name[::-1].title()} Shipping" for name in NAMES], "GmbH")
    rows = match_lists(asked, right)
    assert {row.decision for row in rows} == {"no_match"}
    assert all(0.05 <= chance <= 2 for chance in told_chance(rows))


def test_no_cell_is_read_beyond_the_length_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever takes a cell apart gets no more of it than of a name."""
    lengths: list[int] = []
    fold, country_from_text, domain_of = records.fold, records.country_from_text, records.domain_of
    for name, read in (
        ("fold", fold), ("country_from_text", country_from_text), ("domain_of", domain_of),
    ):  # fmt: skip

        def note(text: str, read: Callable[[str], object] = read) -> object:
            lengths.append(len(text))
            return read(text)

        monkeypatch.setattr(records, name, note)
    long = "Zyxby 17 " * 20_000
    one = Candidate("1", "Acme", long, long, long, long, long, long)
    score_pairs([(one, one)])
    assert lengths
    assert max(lengths) <= MAX_CHARS


def in_hamburg(number: str, name: str) -> Candidate:
    return Candidate(number, name, "DE", "Hamburg")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KestrelAG", "Kestrel AG"),
        ("KestrelGmbH", "Kestrel GmbH"),
        ("Three Rivers Brewing", "3 Rivers Brewing"),
        ("Forty-Four Partners", "44 Partners"),
        ("First Harbour Bank", "1st Harbour Bank"),
        ("Kesterl GmbH", "Kestrel GmbH"),
    ],
)
def test_glued_forms_numbers_in_words_and_slips_are_one_name(one: str, other: str) -> None:
    score = score_pair(in_hamburg("1", one), in_hamburg("2", other)).score
    assert score >= 0.69


def test_tree_is_no_number() -> None:
    assert [word.kind for word in read_name("Willow Tree").words] == ["word", "word"]


def test_two_stated_forms_are_two_companies_and_an_english_one_may_translate_either() -> None:
    def score(one: str, other: str) -> float:
        return score_pair(Candidate("1", one), Candidate("2", other)).score

    assert score("Hansen Maschinenbau AG", "Hansen Maschinenbau GmbH") < 0.5
    assert score("Hansen Maschinenbau AG", "Hansen Maschinenbau Ltd") > 0.9
    assert score("Hansen Maschinenbau AG", "Hansen Maschinenbau") > 0.9


def test_candidates_of_nearly_one_score_are_ambiguous() -> None:
    asked = [Candidate("asked", "Meridian Foods", "US", None)]
    twice = [
        Candidate("one", "Meridian Foods Inc", "US", "Boise"),
        Candidate("other", "Meridian Foods Inc.", "US", "Toledo"),
    ]
    (row,) = match_lists(asked, [*twice, *CANDIDATES])
    assert row.decision == "ambiguous"
    assert set(row.candidates) == {"one", "other"}


def decisions(left: list[Candidate], right: list[Candidate]) -> dict[str, str]:
    return {row.left_id: row.decision for row in match_lists(left, right)}


def of_one_city(names: list[str], mark: str) -> list[Candidate]:
    return [Candidate(f"{mark}{n}", name, "DE", "Hamburg") for n, name in enumerate(names)]


def test_strangers_of_one_city_do_not_match() -> None:
    left = of_one_city(
        ["Kaminski Stahl", "Bäckerei Ulmer", "Tortuga Logistik", "Velora Optik"], "L"
    )
    right = of_one_city(["Komatsu Werke", "Brauerei Ulrich", "Toledo Reisen", "Veritas Bau"], "R")
    assert set(decisions(left, right).values()) == {"no_match"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Velora AG", "Velora GmbH"),
        ("Ostrava Steel a.s.", "Ostrava Steel s.r.o."),
    ],
)
def test_another_legal_form_is_another_company(one: str, other: str) -> None:
    left, right = of_one_city([one], "L"), of_one_city([other], "R")
    assert decisions(left, right) == {"L0": "no_match"}
    assert score_pairs([(left[0], right[0])])[0].score < 0.5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kestrel Systems", "Kestral Systems"),
        ("Tortuga Logistics", "Tortuga Logistcs"),
        ("Veridium Labs", "Veridum Labs"),
        ("Greenfield Solar", "Greenfeild Solar"),
        ("QuarzwerkAG", "Quarzwerk AG"),
        ("Three Rivers Capital", "3 Rivers Capital"),
        ("Forty-Four Capital", "44 Capital"),
        ("Studio54 Media", "Studio 54 Media"),
        ("First Harbor Bank", "1st Harbor Bank"),
    ],
)
def test_slips_glued_forms_and_numbers_as_words(one: str, other: str) -> None:
    assert score_pair(company("1", one), company("2", other)).score >= 0.7


def test_two_candidates_of_nearly_one_score_are_ambiguous() -> None:
    left = [Candidate("L", "Harbor Analytics", "US")]
    right = [
        Candidate("R1", "Harbor Analytics Inc", "US", "Portland"),
        Candidate("R2", "Harbor Analytics Inc", "US", "Salem"),
        Candidate("R3", "Quarry Works", "US", "Boise"),
    ]
    (row,) = match_lists(left, right)
    assert (row.decision, row.right_id) == ("ambiguous", None)
    assert set(row.candidates) == {"R1", "R2"}
