"""`enrich` on the recorded sample sites: what it prints, what it costs, how it ends."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Shell

DOMAIN = "hollenberg-praezision.example"


@pytest.fixture
def funded(sightline: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    """An organization with credits. Hosts that are no sample's are an empty archive, not the web."""
    empty = tmp_path / "web"
    empty.mkdir()
    (empty / "index.jsonl").write_text("")
    monkeypatch.setenv("SIGHTLINE_WEB", f"replay:{empty}")
    sightline("credits", "grant", "--credit", "company", "--amount", "5")
    return sightline


def test_a_sample_company_becomes_a_record(funded: Shell) -> None:
    done = funded("enrich", DOMAIN)
    assert done.code == 0, done.err
    row = next(line for line in done.out.splitlines() if DOMAIN in line).split()
    assert row[1] == "succeeded"
    assert int(row[4]) > 5, "fields"
    assert row[-1] == "1", "credits"
    assert done.err == ""
    again = funded("enrich", DOMAIN, "--json").json
    assert [each["status"] for each in again] == ["succeeded"]
    assert again[0]["company_id"] == row[2]
    assert again[0]["cost"]["amount"] == 0, "free within thirty days"
    shown = {each["source"]: each for each in funded("sources", "--json").json}
    assert shown["website"]["companies"] == 1


def test_what_nobody_knows_is_told_and_ends_in_another_code(funded: Shell, tmp_path: Path) -> None:
    unknown = funded("enrich", "Zzyzx Nonexistent Holdings")
    assert unknown.code == 1
    assert "No source knows Zzyzx Nonexistent Holdings." in unknown.err
    rows = tmp_path / "companies.csv"
    rows.write_text(
        f"company_name,domain,external_id,source_system\n,{DOMAIN},7,crm\nZzyzx,,8,crm\n"
    )
    mixed = funded("enrich", "--file", str(rows), "--json")
    assert mixed.code == 5
    assert [each["status"] for each in json.loads(mixed.out)] == ["succeeded", "failed"]
    assert funded.rows("SELECT external_id FROM account_references") == [{"external_id": "7"}]
    every = funded("enrich", "--all-accounts", "--json").json
    assert [each["status"] for each in every] == ["succeeded"]


def test_without_credits_the_way_to_some_is_told(sightline: Shell) -> None:
    sightline("enrich", DOMAIN).says(1, "sightline credits grant --org default --credit company")


@pytest.mark.parametrize(
    ("words", "code"), [((), 2), (("--file", "absent.csv"), 1)], ids=["nothing", "no-file"]
)
def test_a_wrong_call_is_refused_at_once(offline: Shell, words: tuple[str, ...], code: int) -> None:
    offline("enrich", *words).says(code)
