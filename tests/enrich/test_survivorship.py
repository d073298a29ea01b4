"""Who wins: sources by field, age, agreement; places stay of one piece; losers stay visible."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.fields import member_key
from sightline.enrich.provenance import provenance
from sightline.enrich.survivorship import rank, survive, weight
from sightline.store.facts import Fact

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def fact(field: str, value: Any, source: str = "website", **more: Any) -> Fact:
    values: dict[str, Any] = {
        "fact_id": uuid4(),
        "field": field,
        "member": member_key(field, value),
        "value": value,
        "source": source,
        "document_id": UUID(int=abs(hash(source))),
        "url": f"https://{source}.example/",
        "quote": "words of the page",
        "pointer": None,
        "method": "json_ld",
        "confidence": 0.9,
        "as_of": None,
        "first_seen_at": NOW - timedelta(days=1),
        "observed_at": NOW,
        "wins": False,
    }
    return Fact(**(values | more))


NAME = fact("company_name", "Harbor Analytics")


def test_the_better_source_of_a_field_wins_and_the_loser_stays() -> None:
    facts = [NAME, fact("employees", 900, "wikidata"), fact("employees", 1_200, "sec_edgar")]
    verdict = survive(facts, now=NOW)
    assert verdict.record["full_time_employees"] == 1_200
    assert verdict.record["employee_count_range"] == "1001-5000"
    assert [s.value for s in verdict.standings["employees"]] == [1_200, 900]


def test_an_industry_that_was_guessed_from_a_site_counts_no_more() -> None:
    named, guessed = fact("company_name", "Tarn"), fact("industry", "Software", method="encoder")
    assert survive([named, guessed]).record.get("industry") is None
    said = fact("industry", "Insurance", "sec_edgar")
    assert survive([named, guessed, said]).record["industry"] == "Insurance"


def test_an_old_value_gives_way_to_a_new_one() -> None:
    old = fact("employees", 5_000, "sec_edgar", as_of=date(2019, 12, 31))
    new = fact("employees", 7_000, "website", as_of=date(2026, 1, 31))
    assert survive([NAME, old, new], now=NOW).record["full_time_employees"] == 7_000


def test_sources_that_agree_outweigh_one_that_does_not() -> None:
    facts = [
        NAME,
        fact("hq_city", "Portland", "website"),
        fact("hq_city", "Portland", "wikidata"),
        fact("hq_city", "Salem", "gleif"),
    ]
    standings = rank("hq_city", facts[1:], now=NOW)
    assert standings[0].value == "Portland"
    alone = rank("hq_city", facts[1:2], now=NOW)[0].support
    assert standings[0].support > alone
    assert {f.source for f in standings[0].facts} == {"website", "wikidata"}


def test_one_source_that_repeats_itself_is_one_voice() -> None:
    many = [fact("hq_city", "Salem", "website", document_id=UUID(int=n)) for n in range(9)]
    assert (
        rank("hq_city", many, now=NOW)[0].support == rank("hq_city", many[:1], now=NOW)[0].support
    )


def test_two_spellings_of_one_name_are_one_value() -> None:
    standings = rank(
        "company_name",
        [fact("company_name", "Harbor Analytics, Inc.", "sec_edgar"), NAME],
        now=NOW,
    )
    assert len(standings) == 1


def test_an_address_is_never_put_together_from_two_documents() -> None:
    facts = [
        NAME,
        fact("hq_city", "Portland", "sec_edgar"),
        fact("hq_state", "Oregon", "sec_edgar"),
        fact("country_code", "US", "sec_edgar"),
        fact("hq_city", "Lyon", "website"),
        fact("hq_postcode", "69002", "website"),
        fact("country_code", "FR", "website"),
    ]
    record = survive(facts, now=NOW).record
    assert (record["hq_city"], record["country_code"]) == ("Portland", "US")
    assert "hq_postcode" not in record
    assert record["hq_country_name"] == "United States"


def test_a_revenue_in_another_currency_makes_no_band_of_dollars() -> None:
    euros = fact("revenue", {"amount": 5e9, "currency": "EUR", "fiscal_year": 2025}, "sec_edgar")
    dollars = fact("revenue", {"amount": 5e9, "currency": "USD", "fiscal_year": 2025}, "sec_edgar")
    assert "revenue_range" not in survive([NAME, euros], now=NOW).record
    assert survive([NAME, dollars], now=NOW).record["revenue_range"] == "1B-10B"


def test_sets_keep_every_member_once() -> None:
    facts = [NAME] + [
        fact("technology", {"name": name, "evidence_kind": kind}, source)
        for name, kind, source in (
            ("Salesforce", "script", "website"),
            ("salesforce", "posting", "job_boards"),
            ("Snowflake", "posting", "job_boards"),
        )
    ]
    members = [s.value["name"] for s in survive(facts, now=NOW).standings["technology"]]
    assert members == ["Salesforce", "Snowflake"]


def test_own_values_come_first_and_show_what_they_hide() -> None:
    facts = [NAME, fact("hq_city", "Portland"), fact("country_code", "US")]
    shown = provenance(
        facts,
        {"hq_city": "Salem"},
        {"hq_city": {"source": "user", "observed_at": "2026-02-01T00:00:00Z"}},
        now=NOW,
    )
    assert shown["hq_city"]["value"] == "Salem"
    assert shown["hq_city"]["source"] == "user"
    assert shown["hq_city"]["alternatives"][0]["value"] == "Portland"
    assert "country_code" not in shown, "of a place that the own value contradicts"
    assert shown["company_name"]["source"] == "website"


def test_an_imported_value_that_documents_contradict_says_so() -> None:
    imported = {"source": "import", "import_id": "1", "observed_at": "2026-02-01T00:00:00Z"}
    own = {
        "company_name": "Harbor Analytics, Inc.", "hq_city": "Salem", "full_time_employees": 900,
        "description": "Measures tides.", "stock_exchange_name": "New York Stock Exchange",
    }  # fmt: skip
    facts = [NAME, fact("hq_city", "Portland"), fact("employees", 1200),
             fact("stock_exchange_name", "NYSE"),
             fact("description", "Harbor Analytics measures tides and wind.")]  # fmt: skip
    shown = provenance(facts, own, dict.fromkeys(own, imported), now=NOW)
    assert "contradicted_by" not in shown["company_name"] | shown["description"]
    assert "contradicted_by" not in shown["stock_exchange_name"]
    assert shown["hq_city"]["value"] == "Salem"
    assert shown["hq_city"]["contradicted_by"]["value"] == "Portland"
    assert shown["full_time_employees"]["contradicted_by"]["value"] == 1200
    by_hand = provenance(facts, own, {name: {"source": "user"} for name in own}, now=NOW)
    assert not any("contradicted_by" in entry for entry in by_hand.values())


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["website", "wikidata", "sec_edgar", "gleif"]),
            st.sampled_from(["Portland", "Salem", "Bend"]),
            st.floats(0, 1),
            st.integers(0, 4_000),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_the_verdict_does_not_depend_on_the_order_of_facts(
    rows: list[tuple[str, str, float, int]],
) -> None:
    facts = [
        fact(
            "hq_city",
            city,
            source,
            confidence=confidence,
            observed_at=NOW - timedelta(days=days),
            fact_id=UUID(int=n),
        )
        for n, (source, city, confidence, days) in enumerate(rows)
    ]
    forwards = survive([NAME, *facts], now=NOW)
    backwards = survive([*reversed(facts), NAME], now=NOW)
    assert forwards.record == backwards.record
    assert forwards.winners == backwards.winners
    assert all(0 <= weight(each, now=NOW) < 1 for each in facts)


def test_who_is_not_listed_any_more_has_left() -> None:
    def person(name: str, said: date, source: str = "sec_edgar") -> Fact:
        value = {"name": name, "title": "Director", "role": "director"}
        return fact("person", value, source, as_of=said)

    left = person("Ada Quill", date(2024, 3, 1))
    stays, new = person("Ben Lee", date(2024, 3, 1)), person("Cleo Marsh", date(2025, 12, 1))
    confirmed = person("Ben Lee", date(2025, 12, 1))
    verdict = survive([NAME, left, stays, new, confirmed], now=NOW)
    assert left.fact_id not in verdict.winners
    assert new.fact_id in verdict.winners
    assert {s.value["name"] for s in verdict.standings["person"]} == {
        "Ada Quill",
        "Ben Lee",
        "Cleo Marsh",
    }
    elsewhere = person("Ada Quill", date(2025, 11, 1), "website")
    assert elsewhere.fact_id in survive([NAME, left, new, elsewhere], now=NOW).winners


def test_the_surest_spelling_of_a_name_is_shown_whatever_its_age() -> None:
    shouted = fact("company_name", "Plumharbour Inc", "sec_edgar", method="api", confidence=0.8)
    written = fact(
        "company_name", "PlumHarbour", "sec_edgar",
        method="text", confidence=0.95, as_of=date(2023, 1, 1),
    )  # fmt: skip
    renamed = fact(
        "company_name", "Plum Sea", "sec_edgar",
        method="text", confidence=0.95, as_of=date(2020, 1, 1),
    )  # fmt: skip
    assert survive([shouted, written, renamed], now=NOW).record["company_name"] == "PlumHarbour"


def test_spellings_of_one_chief_executive_support_each_other() -> None:
    filed = fact("ceo", "Timothy D. Quill", "website", confidence=0.6)
    listed = fact("ceo", "Tim Quill", "wikidata", confidence=0.5)
    other = fact("ceo", "Ada Marsh", "sec_edgar", as_of=date(2025, 8, 1), confidence=0.8)
    verdict = survive([NAME, filed, listed, other], now=NOW)
    assert verdict.record["ceo"] == "Timothy D. Quill"
    assert [len(s.facts) for s in verdict.standings["ceo"]] == [2, 1]
    assert survive([NAME, filed, other], now=NOW).record["ceo"] == "Ada Marsh"
    pair = fact("ceo", "Ada Marsh and Tim Quill", "website")
    assert len(survive([NAME, pair, other, listed], now=NOW).standings["ceo"]) == 3
