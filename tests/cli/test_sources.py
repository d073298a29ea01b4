"""`sources`: what each source did, whether that is enough, and switching."""

import pytest

from sightline.sources.registry import SOURCES
from tests.cli.conftest import Shell

EVERY = [source.name for source in SOURCES]


def count(sightline: Shell, source: str, **counts: int) -> None:
    values = dict.fromkeys(("fetched", "unchanged", "missing", "failed", "facts", "bytes"), 0)
    sightline.rows(
        "INSERT INTO source_days (source, day, fetched, unchanged, missing, failed, facts, bytes)"
        " VALUES ($1, current_date, $2, $3, $4, $5, $6, $7)",
        source,
        *(values | counts).values(),
    )
    sightline.rows(
        "INSERT INTO source_states (source, sync_status, last_sync_at)"
        " VALUES ($1, 'succeeded', now())",
        source,
    )


def test_every_source_is_listed_and_a_silent_one_is_an_error(sightline: Shell) -> None:
    count(sightline, "sec_edgar", fetched=40, facts=2_000, bytes=30_000_000)
    count(sightline, "gleif", fetched=40, facts=0)
    shown = {each["source"]: each for each in sightline("sources", "--json").json}
    assert list(shown) == EVERY
    assert (shown["sec_edgar"]["status"], shown["sec_edgar"]["facts"]) == ("connected", 2_000)
    assert shown["gleif"]["status"] == "error"
    assert "facts" in shown["gleif"]["reason"]
    assert shown["wikidata"]["status"] == "never asked"
    table = sightline("sources")
    assert "just now" in table.out
    assert table.err.startswith("gleif: ")


def test_a_source_is_switched_off_and_on(sightline: Shell) -> None:
    assert sightline("sources", "disable", "gleif").out == "gleif is disabled.\n"
    shown = {each["source"]: each for each in sightline("sources", "--json").json}
    assert (shown["gleif"]["status"], shown["sec_edgar"]["status"]) == ("disabled", "never asked")
    assert sightline("sources", "enable", "gleif").out == "gleif is enabled.\n"
    assert sightline.rows("SELECT enabled FROM source_states") == [{"enabled": True}]


@pytest.mark.parametrize("command", ["enable", "disable"])
def test_an_unknown_source_is_named_with_those_there_are(sightline: Shell, command: str) -> None:
    sightline("sources", command, "gold").says(1, "gold", "sec_edgar")


def kill(sightline: Shell, url: str, *, deaths: int = 2, reason: str = "time") -> None:
    """Let a document have ended its parser."""
    sightline.rows(
        "INSERT INTO parser_deaths (url, sha256, parser, source, deaths, reason)"
        " VALUES ($1, $2, 3, 'website', $3, $4)",
        url,
        url.encode(),
        deaths,
        reason,
    )


def test_quarantined_documents_are_listed(sightline: Shell) -> None:
    assert sightline("sources", "quarantined").out == "Nothing is quarantined.\n"
    kill(sightline, "https://tarn.example/slow")
    kill(sightline, "https://tarn.example/once", deaths=1)
    (listed,) = sightline("sources", "quarantined", "--json").json
    assert (listed["source"], listed["url"]) == ("website", "https://tarn.example/slow")
    assert (listed["reason"], listed["deaths"]) == ("time", 2)
    assert listed["sha256"] == b"https://tarn.example/slow".hex()
    table = sightline("sources", "quarantined").out
    assert "https://tarn.example/slow" in table
    assert "just now" in table
    overview = sightline("sources")
    assert "website: 1 document crashed its parser and is not read" in overview.err
    shown = {each["source"]: each for each in sightline("sources", "--json").json}
    assert shown["website"]["quarantined"] == 1


def test_quarantined_documents_are_freed(sightline: Shell) -> None:
    kill(sightline, "https://tarn.example/slow")
    kill(sightline, "https://tarn.example/large", reason="memory")
    kill(sightline, "https://tarn.example/once", deaths=1)
    url = "https://tarn.example/slow"
    assert sightline("sources", "retry", url).out == "1 document released.\n"
    sightline("sources", "retry", url).says(1, url, "not quarantined")
    (left,) = sightline("sources", "quarantined", "--json").json
    assert left["url"] == "https://tarn.example/large"
    kill(sightline, url)
    assert sightline("sources", "retry").out == "2 documents released.\n"
    assert sightline("sources", "quarantined", "--json").json == []
    assert sightline("sources", "retry").out == "0 documents released.\n"


def test_a_source_that_reached_nothing_says_why(sightline: Shell) -> None:
    count(sightline, "wikidata")
    sightline.rows("UPDATE source_days SET unreachable = 3 WHERE source = 'wikidata'")
    why = "Wikidata: the name www.wikidata.org cannot be found from this machine."
    sightline.rows("UPDATE source_states SET sync_status = 'failed', last_error = $1", why)
    count(sightline, "gleif")
    sightline.rows("UPDATE source_days SET not_recorded = 5 WHERE source = 'gleif'")
    shown = {each["source"]: each for each in sightline("sources", "--json").json}
    assert (shown["wikidata"]["status"], shown["wikidata"]["unreachable"]) == ("error", 3)
    assert why in shown["wikidata"]["reason"]
    assert (shown["gleif"]["status"], shown["gleif"]["not_recorded"]) == ("error", 5)
    assert "recorded web" in shown["gleif"]["reason"]
