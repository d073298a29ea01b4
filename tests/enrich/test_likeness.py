"""Which of several companies is meant."""

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
