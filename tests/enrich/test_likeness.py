"""Which of several companies is meant."""

from dataclasses import replace
from itertools import permutations
from uuid import UUID, uuid4

import pytest

from sightline.enrich.likeness import decide, likeness
from sightline.sources.contract import Candidate, Query


def register(name: str, cik: str, **more: str) -> Candidate:
    return Candidate("sec_edgar", cik, name, identifiers={"cik": cik}, **more)  # type: ignore[arg-type]


def test_an_identifier_settles_it_between_namesakes() -> None:
    old, new = (
        register("Plum Harbour Inc", "0000000001"),
        register("Plum Harbour Inc", "0000000002"),
    )
    query = Query(name="Plum Harbour Inc", identifiers={"cik": "0000000001"})
    chosen = decide(query, likeness(query, [new, old])).chosen
    assert chosen is not None
    assert chosen.identifiers["cik"] == "0000000001"
    unsaid = Query(name="Plum Harbour Inc")
    verdict = decide(unsaid, likeness(unsaid, [new, old]))
    assert (verdict.chosen, verdict.ambiguous) == (None, True)


def test_the_domain_settles_it_between_namesakes() -> None:
    ours = register("Plum Harbour", "0000000001", domain="plum.example")
    theirs = register("Plum Harbour", "0000000002", domain="harbour.example")
    query = Query(name="Plum Harbour", domain="plum.example")
    chosen = decide(query, likeness(query, [theirs, ours])).chosen
    assert chosen is not None
    assert chosen.domain == "plum.example"


def test_two_at_one_domain_stay_two() -> None:
    pair = [register("Plum", f"000000000{n}", domain="plum.example") for n in (1, 2)]
    query = Query(domain="plum.example")
    verdict = decide(query, likeness(query, pair))
    assert (verdict.chosen, verdict.ambiguous) == (None, True)


def candidate(source: str, key: str, domain: str | None = None, lei: str = "") -> Candidate:
    return Candidate(
        source, key, "Plum Harbour", domain=domain, identifiers={"lei": lei} if lei else {}
    )


def test_a_namesake_elsewhere_is_not_drawn_in_by_a_register_that_knows_no_sites() -> None:
    """The one who calls a site of his own by the company's name must not become one with it."""
    said = candidate("register", "L1", lei="L1")
    ours = candidate("catalogue", str(uuid4()), "plum.example", lei="L1")
    theirs = candidate("catalogue", str(uuid4()), "imitator.example")
    query = Query(name="Plum Harbour")
    for order in permutations([said, ours, theirs]):
        ranked = likeness(query, order)
        assert {each.domains for each in ranked} == {("plum.example",), ("imitator.example",)}
        assert decide(query, ranked).ambiguous
        [registered] = [each for each in ranked if "register" in each.sources]
        assert registered.company_id == UUID(ours.key)


@pytest.mark.parametrize(
    ("domain", "city", "is_one"),
    [
        ("plum-harbour.example", None, True),
        ("plum.example", None, True),
        ("phg.example", None, True),
        ("outsider.example", None, False),
        ("plumharbourfans.example", None, False),
        ("outsider.example", "Reno", True),
        ("outsider.example", "Salem", False),
    ],
)
def test_a_site_is_taken_for_a_register_s_company_by_more_than_the_name_it_gives_itself(
    domain: str, city: str | None, is_one: bool
) -> None:
    entry = register("Plum Harbour Group Inc", "0000000001", city="Reno")
    site = Candidate("website", domain, "Plum Harbour Group", domain=domain, city=city)
    for order in permutations([entry, site]):
        ranked = likeness(Query(name="Plum Harbour Group", domain=domain), order)
        assert (len(ranked) == 1) is is_one
        chosen = decide(Query(domain=domain), ranked).chosen
        assert chosen is not None
        assert chosen.domain == domain
        assert ("cik" in chosen.identifiers) is is_one


def test_a_site_that_two_entries_name_joins_one_of_them_and_not_both_to_one() -> None:
    one, other = (candidate("register", lei, "plum.example", lei=lei) for lei in ("L1", "L2"))
    site = candidate("site", "plum.example", "plum.example")
    for order in permutations([one, other, site]):
        ranked = likeness(Query(domain="plum.example"), order)
        assert {each.identifiers["lei"] for each in ranked} == {"L1", "L2"}


def test_a_site_that_leads_to_another_ties_the_companies_of_both() -> None:
    old, new = (
        candidate("catalogue", str(uuid4()), each) for each in ("old.example", "new.example")
    )
    moved = replace(candidate("site", "old.example", "old.example"), domains=("new.example",))
    for order in permutations([old, new, moved]):
        [ranked] = likeness(Query(domain="old.example"), order)
        assert set(ranked.domains) == {"old.example", "new.example"}


def test_a_company_that_two_sources_know_is_no_rival_of_itself() -> None:
    said = register("Plum Harbour Corp", "0000000001", country_code="US", city="Reno")
    held = Candidate(
        "catalogue",
        str(uuid4()),
        "Plum Harbour",
        country_code="US",
        domain="plum.example",
        identifiers={"cik": "0000000001"},
    )
    query = Query(name="PLUM HARBOUR CORP")
    [alone] = likeness(query, [said])
    ranked = likeness(query, [said, held])
    assert [each.sources for each in ranked] == [("sec_edgar", "catalogue")]
    assert ranked[0].score >= alone.score
    assert decide(query, ranked).chosen == ranked[0]


def test_namesakes_in_the_query_s_own_country_are_ambiguous_and_not_unknown() -> None:
    reno, salem = (
        register("Plum Harbour Corp", f"000000000{n}", country_code="US", city=city)
        for n, city in enumerate(("Reno", "Salem"), 1)
    )
    query = Query(name="Plum Harbour")
    verdict = decide(query, likeness(query, [reno, salem]))
    assert (verdict.chosen, verdict.ambiguous) == (None, True)
    reported = replace(query, city="Salem", country_code="US")
    chosen = decide(reported, likeness(reported, [reno, salem])).chosen
    assert chosen is not None
    assert chosen.city == "Salem"
