"""Lists of people: columns recognized by headers and values, rows merged, nothing twice."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sightline.domain.callers import OrganizationId
from sightline.imports.columns import guess_mapping
from sightline.imports.fields import ColumnDoesNotExist, FieldDoesNotExist, fields_of
from sightline.imports.rows import FileIsNotReadable, Row
from sightline.imports.run import ImportSummary, import_contacts
from sightline.imports.spool import ImportOptions
from sightline.store import imports as import_store
from sightline.store.contact_query import ContactQuery
from sightline.store.contacts import find_contacts
from sightline.store.database import Database
from sightline.store.pages import Slice
from sightline.store.suppressions import suppress

Import = Callable[..., Any]

CRM = """First Name,Last Name,Title,Account Name,Email,Phone,Mobile,Mailing City,Mailing Country,Fax
Mira,Tanaka,VP Sales,Harbor Analytics Inc,mira@harbor.example,(415) 555-0134,+14155550135,Portland,USA,1
John,Okoro,CFO,Quarry Works,john@quarry.example,,,Berlin,Germany,2
MIRA,TANAKA,,Harbor Analytics,,,,,,3
,,,Nameless,,,,,,4
Ada,Lind,Engineer,Quarry Works,not-an-address,12,,,Atlantis,5
"""


@pytest.fixture
def put(database: Database, organization: OrganizationId, tmp_path: Path) -> Import:
    async def put(content: str | Path, name: str = "people.csv", **options: Any) -> Any:
        path = content if isinstance(content, Path) else tmp_path / name
        if isinstance(content, str):
            path.write_text(content)
        return await import_contacts(database, organization, path, options=ImportOptions(**options))

    return put


@pytest.fixture
def held(database: Database, organization: OrganizationId) -> Callable[[], Any]:
    async def held() -> dict[str, dict[str, Any]]:
        async with database.tenant(organization) as connection:
            items, _, _ = await find_contacts(connection, query=ContactQuery(), part=Slice(50))
        return {each.get("full_name", each["emails"]): each for each in json.loads(items)}

    return held


async def test_a_crm_export(put: Import, held: Any) -> None:
    summary: ImportSummary = await put(CRM)
    assert {g.column: g.field for g in summary.mapping.guesses} == {
        "First Name": "first_name", "Last Name": "last_name", "Title": "current_job_title",
        "Account Name": "company_name", "Email": "emails", "Phone": "phones", "Mobile": "phones",
        "Mailing City": "city", "Mailing Country": "country",
    }  # fmt: skip
    assert (summary.rows, summary.created, summary.unchanged, summary.bad) == (5, 3, 1, 1)
    people = await held()
    assert set(people) == {"Mira Tanaka", "John Okoro", "Ada Lind"}
    mira = people["Mira Tanaka"]
    assert mira["phones"] == ["+14155550134", "+14155550135"]
    assert mira["location"] == "Portland, USA"
    assert (mira["seniority"], mira["company"]["name"]) == ("vp", "Harbor Analytics Inc")
    assert people["Ada Lind"]["emails"] == people["Ada Lind"]["phones"] == []
    assert summary.report is not None
    report = summary.report.read_text()
    for word in ("not-an-address", "Atlantis", "neither a name nor an email address"):
        assert word in report
    assert summary.dropped == 3


async def test_a_second_time_changes_nothing(put: Import, held: Any) -> None:
    await put(CRM)
    before = await held()
    again = await put(CRM)
    assert (again.created, again.updated) == (0, 0)
    assert await held() == before


async def test_a_dry_run_writes_nothing(put: Import, held: Any, database: Database) -> None:
    summary = await put(CRM, dry_run=True)
    assert (summary.created, summary.bad) == (3, 1)
    assert await held() == {}
    assert (await put(CRM)).created == 3


async def test_a_newer_list_replaces_what_an_older_one_said(put: Import, held: Any) -> None:
    await put("Name,Email,Title,Company\nMira Tanaka,m@x.example,VP Sales,Harbor\n", "old.csv")
    await put("Name,Email,Title,Company\nMira Tanaka,m@x.example,CEO,Tide Labs\n", "new.csv")
    mira = (await held())["Mira Tanaka"]
    assert (mira["current_job_title"], mira["company"]) == ("CEO", {"name": "Tide Labs"})
    assert [(job["company"], job["is_current"]) for job in mira["experience"]] == [
        ("Tide Labs", True),
        ("Harbor", False),
    ]


async def test_rows_that_contradict_each_other(put: Import, held: Any) -> None:
    rows = "Name,Email,Title\nMira Tanaka,m@x.example,VP Sales\nMira Tanaka,m@x.example,Intern\n"
    summary = await put(rows)
    assert (summary.created, summary.unchanged) == (1, 1)
    assert (await held())["Mira Tanaka"]["current_job_title"] == "VP Sales"
    assert summary.report is not None
    assert "An earlier row of the file has a different value.,Intern" in summary.report.read_text()


async def test_an_address_and_a_page_of_two_people(put: Import, held: Any) -> None:
    rows = (
        "Name,Email,LinkedIn\n"
        "Mira Tanaka,m@x.example,https://www.linkedin.com/in/mira\n"
        "John Okoro,j@x.example,https://www.linkedin.com/in/john\n"
        "Mira Tanaka,m@x.example,https://www.linkedin.com/in/john\n"
    )
    summary = await put(rows)
    assert summary.created == 2
    people = await held()
    assert people["Mira Tanaka"]["profile_network_url"].endswith("/mira")
    assert any("another contact's" in problem.reason for problem in summary.problems)


async def test_suppressed_people_are_left_out(
    put: Import, held: Any, database: Database, organization: OrganizationId
) -> None:
    async with database.tenant(organization) as connection:
        await suppress(connection, ["e:john@quarry.example"], reason="asked")
    summary = await put(CRM)
    assert (summary.suppressed, summary.bad) == (1, 2)
    assert "John Okoro" not in await held()


async def test_cut_off_and_run_again(
    put: Import, held: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "Name,Email\n" + "".join(f"Person N{n},n{n}@x.example\n" for n in range(10))
    real, calls = import_store.record_progress, 0

    async def failing(*arguments: Any, **named: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise ConnectionAbortedError("cut off")
        await real(*arguments, **named)

    monkeypatch.setattr("sightline.imports.run.record_progress", failing)
    with pytest.raises(ConnectionAbortedError):
        await put(rows, chunk_rows=3)
    assert len(await held()) == 6
    summary = await put(rows, chunk_rows=3)
    assert (summary.resumed_after, summary.rows, summary.created) == (6, 10, 10)
    assert len(await held()) == 10


JSON_LINES = [
    {
        "full_name": "Mira Tanaka",
        "emails": ["m@x.example"],
        "company": {"name": "Harbor"},
        "current_job_title": "VP Sales",
        "experience": [{"title": "Old job", "company": "Quarry"}],
        "owner": {"name": "Somebody Else", "email": "owner@crm.example"},
    }
]


async def test_json_lines(put: Import, held: Any) -> None:
    text = "\n".join(json.dumps(each) for each in [*JSON_LINES, *JSON_LINES])
    await put(text, "people.jsonl")
    (mira,) = (await held()).values()
    assert mira["emails"] == ["m@x.example"]
    assert mira["company"] == {"name": "Harbor"}
    assert mira["current_job_title"] == "VP Sales"


HEADERS: list[tuple[str, dict[str, str]]] = [
    ("First Name,Last Name,URL,Email Address,Company,Position,Connected On",
     {"URL": "profile_network_url", "Email Address": "emails", "Company": "company_name",
      "Position": "current_job_title"}),
    ("Given Name,Family Name,E-mail 1 - Value,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title",
     {"Given Name": "first_name", "E-mail 1 - Value": "emails", "Phone 1 - Value": "phones",
      "Organization 1 - Name": "company_name", "Organization 1 - Title": "current_job_title"}),
    ("Vorname,Nachname,Firma,Position,E-Mail-Adresse,Telefon,Stadt,Land",
     {"Vorname": "first_name", "Nachname": "last_name", "Firma": "company_name",
      "E-Mail-Adresse": "emails", "Telefon": "phones", "Stadt": "city", "Land": "country"}),
    ("Prénom,Nom,Société,Fonction,Courriel,Téléphone",
     {"Prénom": "first_name", "Nom": "last_name", "Société": "company_name",
      "Fonction": "current_job_title", "Courriel": "emails", "Téléphone": "phones"}),
    ("Contact Owner,Owner Email,Name,Work Email,Company Phone,Company Linkedin Url,Person Linkedin Url",
     {"Name": "full_name", "Work Email": "emails", "Person Linkedin Url": "profile_network_url",
      "Company Linkedin Url": "company_page"}),
]  # fmt: skip
_SAMPLES = {
    "url": "https://www.linkedin.com/in/mira", "person linkedin url": "linkedin.com/in/mira",
    "company linkedin url": "linkedin.com/company/harbor", "land": "Deutschland",
}  # fmt: skip


def _sample(header: str) -> str:
    plain = header.lower()
    if plain in _SAMPLES:
        return _SAMPLES[plain]
    if "mail" in plain or "courriel" in plain:
        return "mira@harbor.example"
    if "phone" in plain or "tel" in plain or "tél" in plain:
        return "+1 415 555 0134"
    return "Word"


@pytest.mark.parametrize(("header", "expected"), HEADERS, ids=lambda v: str(v)[:40])
def test_headers(header: str, expected: dict[str, str]) -> None:
    names = header.split(",")
    rows = [Row(n, {name: _sample(name) for name in names}) for n in range(1, 4)]
    mapping = guess_mapping(names, rows, kind="contacts")
    found = {guess.column: guess.field for guess in mapping.guesses}
    assert {name: found.get(name) for name in expected} == expected
    assert not {"Contact Owner", "Owner Email", "Connected On", "Company Phone"} & set(found)


def test_columns_given_by_hand() -> None:
    rows = [Row(1, {"a": "Mira Tanaka", "b": "m@x.example", "Phone": "+14155550134"})]
    overrides = fields_of("contacts").overrides(["a=name", "Phone="])
    mapping = guess_mapping(("a", "b", "Phone"), rows, kind="contacts", overrides=overrides)
    assert mapping.names() == {"full_name": ["a"]}
    with pytest.raises(ColumnDoesNotExist):
        guess_mapping(("a",), rows, kind="contacts", overrides={"c": "name"})
    with pytest.raises(FieldDoesNotExist):
        fields_of("contacts").overrides(["a=colour"])
    with pytest.raises(match="No column contains"):
        guess_mapping(("x",), [Row(1, {"x": "1"})], kind="contacts")


async def test_files_without_people(put: Import, tmp_path: Path) -> None:
    for content in ("", "Industry,Revenue\nMining,5\n", "Name,Email\n"):
        with pytest.raises(FileIsNotReadable):
            await put(content)
    with pytest.raises(FileIsNotReadable, match="not a country"):
        await put(CRM, default_country="Atlantis")


async def test_national_numbers_need_a_country(put: Import, held: Any) -> None:
    rows = "Name,Email,Phone\nMira Tanaka,m@x.example,030 901820\n"
    assert (await put(rows)).dropped == 1
    await put(rows, default_country="Germany")
    assert (await held())["Mira Tanaka"]["phones"] == ["+4930901820"]
