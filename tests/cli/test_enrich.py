"""`enrich` on the recorded sample sites: what it prints, what it costs, how it ends."""

import json
from pathlib import Path

import pytest

from sightline.cli import enrich as enrich_command
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


def fields_of(text: str) -> dict[str, str]:
    """A row that is listed field by field, as it is where its table would be too wide."""
    pairs = [line.partition("  ") for line in text.splitlines() if line]
    return {name: value.strip() for name, _, value in pairs}


def test_a_sample_company_becomes_a_record(funded: Shell) -> None:
    done = funded("enrich", DOMAIN)
    assert done.code == 0, done.err
    assert max(len(line) for line in done.out.splitlines()) <= 80, "no terminal is attached"
    row = fields_of(done.out)
    assert (row["input"], row["status"], row["credits"]) == (DOMAIN, "succeeded", "1")
    assert int(row["fields"]) > 5
    assert done.err == ""
    again = funded("enrich", DOMAIN, "--json").json
    assert [each["status"] for each in again] == ["succeeded"]
    assert again[0]["company_id"] == row["company"]
    assert again[0]["cost"]["amount"] == 0, "free within thirty days"
    shown = {each["source"]: each for each in funded("sources", "--json").json}
    assert shown["website"]["companies"] == 1


@pytest.mark.parametrize(
    ("found", "status", "shown"),
    [({"fields": 10}, "succeeded", 10), ({}, "succeeded", "unchanged"), ({}, "skipped", "")],
)
def test_a_record_that_stands_is_unchanged(
    found: dict[str, int], status: str, shown: int | str
) -> None:
    step = {"name": "decide", "source": None, "status": status, "found": found}
    outcome = {
        "steps": [step],
        "progress": {"done": 1, "total": 1},
        "input": {"domain": DOMAIN},
        "status": "succeeded",
        "company_id": None,
        "cost": {"amount": 1, "state": "settled"},
    }
    assert enrich_command._row(outcome, ["fields"]) == (shown,)


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


def write(path: Path, text: str | bytes) -> str:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def test_each_row_of_a_list_has_an_outcome_of_its_own(funded: Shell, tmp_path: Path) -> None:
    missing = "0198c7a2-5b1e-7d3a-9c55-2f6f0d0b7a11"
    rows = write(
        tmp_path / "companies.csv",
        "company_name,domain,id,external_id\n"
        f",{DOMAIN},,7\n"
        ",10.0.0.1,,8\n"
        ",,,9\n"
        f",,{missing},10\n"
        ",,seven,11\n"
        f"{'Long ' * 70},,,12\n"
        "a row, of, too, many, cells\n",
    )
    done = funded("enrich", "--file", rows, "--json")
    assert done.code == 5, done.err
    outcomes = json.loads(done.out)
    assert [(each["row"], each["status"]) for each in outcomes] == [
        (2, "succeeded"), (3, "failed"), (4, "failed"), (5, "failed"), (6, "failed"), (7, "failed"),
        (8, "failed"),
    ]  # fmt: skip
    assert [each["error"] and each["error"]["code"] for each in outcomes] == [
        None, "invalid_domain", "invalid_request", "company_not_found", "invalid_uuid",
        "invalid_request", "invalid_row",
    ]  # fmt: skip
    assert [each["cost"]["amount"] for each in outcomes] == [1, 0, 0, 0, 0, 0, 0]
    assert outcomes[2]["input"] == {"external_id": "9"}
    reported = funded("enrich", "--file", rows)
    assert reported.code == 5
    assert "row 3, 10.0.0.1: domain: Not a domain" in reported.err
    assert "row 8: 5 cells where the file has 4 columns" in reported.err
    shown = fields_of(reported.out.partition("\n\n")[0])
    assert (shown["row"], shown["input"], shown["status"]) == ("2", DOMAIN, "succeeded")


def test_words_of_the_command_line_are_told_apart_too(funded: Shell) -> None:
    done = funded("enrich", "10.0.0.1.", "...", DOMAIN, "--json")
    assert done.code == 5
    assert [(e["row"], e["status"]) for e in json.loads(done.out)] == [
        (None, "failed"), (None, "failed"), (None, "succeeded"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("people.csv", f"Company;Website;Country\nHollenberg;www.{DOMAIN};DE\n"),
        ("lines.txt", f"{DOMAIN}\n"),
        ("lines.csv", f"Company\nhttps://{DOMAIN}/de\n"),
        ("utf16.csv", f"Company\tWebsite\nHollenberg\t{DOMAIN}\n".encode("utf-16")),
        ("list.jsonl", f'{{"name": "Hollenberg", "website": "{DOMAIN}"}}\n'),
    ],
)
def test_lists_as_people_have_them(
    funded: Shell, tmp_path: Path, name: str, text: str | bytes
) -> None:
    done = funded("enrich", "--file", write(tmp_path / name, text), "--json").json
    assert [(each["status"], each["input"]["domain"]) for each in done] == [("succeeded", DOMAIN)]


@pytest.mark.parametrize(
    ("text", "code"),
    [("", 1), ("\n\n", 1), (b"\x89PNG\r\n\x1a\n\0\0\0", 1), ("domain\n10.0.0.1\n", 1)],
    ids=["empty", "blank", "a-picture", "nothing-good"],
)
def test_a_list_without_one_good_row_needs_no_database(
    offline: Shell, tmp_path: Path, text: str | bytes, code: int
) -> None:
    done = offline("enrich", "--file", write(tmp_path / "list.csv", text), "--json")
    assert (done.code, "Traceback" in done.err) == (code, False)
