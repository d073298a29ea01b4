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
