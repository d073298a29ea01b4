"""The bundled archive through the real pipeline: what becomes of the sample companies."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from sightline.sample.web import sample_archive
from tests.e2e.enriching import V1, Enricher, steps_of

MAKER = Path(__file__).parents[1] / "tools" / "sample_archive" / "make.py"


async def company(enricher: Enricher, operation: dict[str, Any]) -> dict[str, Any]:
    url = f"{V1}/companies/{operation['company_id']}?provenance=true"
    found: dict[str, Any] = (await enricher.client.get(url)).json()
    return found


async def postings(enricher: Enricher, operation: dict[str, Any]) -> dict[str, bool]:
    """Title of each posting, and whether it is open."""
    async with enricher.database.connection() as connection:
        rows = await connection.fetch(
            "SELECT title, closed_at IS NULL AS open FROM jobs WHERE company_id = $1",
            UUID(operation["company_id"]),
        )
    return {row["title"]: row["open"] for row in rows}


def test_the_bundled_archive_is_what_its_maker_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(MAKER.parent), *sys.path])
    spec = importlib.util.spec_from_file_location("make_sample_archive", MAKER)
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, maker)
    spec.loader.exec_module(maker)
    maker.write(tmp_path)
    made = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    bundled = sample_archive()
    held = {p.relative_to(bundled): p.read_bytes() for p in bundled.rglob("*") if p.is_file()}
    assert made == held
    assert sum(map(len, held.values())) < 600_000


def test_every_invented_company_lives_where_nobody_is() -> None:
    """Hosts under `.example`; other hosts only for answers of interfaces about invented names."""
    interfaces = {"boards-api.greenhouse.io", "api.ashbyhq.com", "www.sec.gov", "data.sec.gov"}
    for line in (sample_archive() / "index.jsonl").read_text(encoding="utf-8").splitlines():
        host = json.loads(line)["url"].split("/")[2]
        assert host.endswith(".example") or host in interfaces


async def test_a_listed_company_from_five_sources(enricher: Enricher) -> None:
    done = await enricher.run(sample_archive(), domain="northquay-robotics.example")
    steps = steps_of(done)
    assert done["status"] == "succeeded"
    for source in ("sec_edgar", "website", "job_boards", "feeds"):
        assert steps[source]["status"] == "succeeded", source
    found = await company(enricher, done)
    assert found["company_name"] == "Northquay Robotics"
    assert found["full_time_employees"] == 840
    assert found["hq_city"] == "Boston"
    assert found["stock_ticker"] == "NQRB"
    assert found["ceo"] == "Dana Whitcombe"
    assert found["revenue_range"] == "100M-500M"
    assert found["provenance"]["description"]["source"] == "website"
    assert found["provenance"]["stock_ticker"]["source"] == "sec_edgar"
    assert done["cost"]["state"] == "settled"


async def test_companies_with_annual_and_quarterly_report_and_logo(enricher: Enricher) -> None:
    for domain, cik in (
        ("marisolgenomics.example", "0009999906"),
        ("copperline-storage.example", "0009999903"),
        ("bellwether-mill.example", "0009999904"),
        ("pinebrook-payments.example", "0009999905"),
    ):
        done = await enricher.run(
            sample_archive(), domain=domain, external_id=cik, source_system="sec_cik"
        )
        async with enricher.database.connection() as connection:
            titles = await connection.fetch(
                "SELECT d.kind, d.title FROM company_documents c JOIN documents d USING (document_id)"
                " WHERE c.company_id = $1",
                UUID(done["company_id"]),
            )
        forms = {row["title"][:4] for row in titles if row["kind"] == "filing"}
        assert {"10-K", "10-Q"} <= forms, domain
        assert [row["kind"] for row in titles].count("logo") == 1, domain


async def test_postings_open_and_close_between_two_days(enricher: Enricher) -> None:
    archive = sample_archive()
    first = await enricher.run(archive, at="2026-09-02", domain="northquay-robotics.example")
    before = await postings(enricher, first)
    assert len(before) == 5
    assert all(before.values())
    later = await enricher.refresh(archive, first["company_id"], at="2026-10-16")
    after = await postings(enricher, later)
    assert {title for title, open_ in after.items() if not open_} == {
        "Perception Engineer",
        "Field Service Technician",
    }
    assert {"Director of Revenue Operations", "Camera Firmware Engineer (Frostline)"} < {
        title for title, open_ in after.items() if open_
    }


async def test_nothing_is_read_again_when_nothing_changed(enricher: Enricher) -> None:
    archive = sample_archive()
    first = await enricher.run(archive, domain="kestrelbyte.example")
    again = await enricher.refresh(archive, first["company_id"])
    for source in ("website", "job_boards", "feeds"):
        found = steps_of(again)[source]["found"]
        assert found.get("fetched", 0) == 0, source
        assert found.get("facts", 0) == 0, source
    assert again["status"] == "succeeded"


EXPECTED = [
    (
        "energie-generique.example",
        {"company_name": "Énergie Générique", "country_code": "FR", "hq_city": "Nantes",
         "ceo": "Hélène Lefèvre-Körner"},
        {"Technicien de maintenance éolienne", "Cheffe ou chef de projet solaire",
         "Analyste de données énergie"},
    ),
    (
        "hollenberg-praezision.example",
        {"country_code": "DE", "hq_city": "Stuttgart", "hq_postcode": "70565",
         "ceo": "Matthias Hollenberg"},
        {"Softwareentwickler Steuerungstechnik (m/w/d)", "Servicetechniker Außendienst (m/w/d)",
         "Ausbildung Zerspanungsmechaniker 2027 (m/w/d)"},
    ),
    (
        "kestrelbyte.example",
        {"company_name": "Kestrelbyte", "country_code": "GB", "hq_city": "Bristol"},
        {"Staff Engineer, Detection", "Solutions Engineer, DACH", "Site Reliability Engineer"},
    ),
    (
        "marisolgenomics.example",
        {"company_name": "Marisol Genomics", "hq_city": "San Diego"},
        {"Clinical Trial Manager", "Principal Scientist, Protein Engineering"},
    ),
    (
        "akari-shokuhin.example",
        {"company_name": "Akari Foods", "country_code": "JP", "ceo": "Kenji Morishita"},
        {"Food technologist, fermentation", "Plant engineer, Rayong"},
    ),
    (
        "tallgrass-credit.example",
        {"company_name": "Tallgrass Credit Cooperative", "hq_city": "Lincoln"},
        set(),
    ),
    ("banyanfreight.example", {"ceo": "Lim Wei Shan"}, set()),
    ("quillmark.example", {"company_name": "Quillmark", "hq_city": "Toronto"}, set()),
    ("picobakery.example", {"hq_city": "Lisbon", "country_code": "PT"}, set()),
]  # fmt: skip


async def test_the_other_sample_companies(enricher: Enricher) -> None:
    for domain, fields, titles in EXPECTED:
        done = await enricher.run(sample_archive(), domain=domain)
        assert done["status"] == "succeeded", (domain, done)
        found = await company(enricher, done)
        assert {name: found.get(name) for name in fields} == fields, domain
        assert set(await postings(enricher, done)) == titles, domain


async def test_news_is_dated_and_stands_in_passages(enricher: Enricher) -> None:
    done = await enricher.run(sample_archive(), domain="tallgrass-credit.example")
    async with enricher.database.connection() as connection:
        rows = await connection.fetch(
            """
            SELECT d.title, d.published_at::date::text AS day, p.section
            FROM company_documents c JOIN documents d USING (document_id)
              JOIN passages p USING (document_id) WHERE c.company_id = $1 AND d.kind = 'news'
            """,
            UUID(done["company_id"]),
        )
    assert {(row["day"], row["section"]) for row in rows} == {
        ("2026-07-21", "news"),
        ("2026-04-09", "news"),
        ("2025-09-15", "news"),
    }


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"domain": "fernhollow-clinics.example"}, "robots.txt does not allow"),
        ({"domain": "serra-alta.example"}, "answered 403"),
        ({"domain": "serraaltamining.example"}, "answered 403"),
        ({"domain": "kestrelbyte-security.example"}, "Parked"),
        ({"domain": "roundabout.example"}, "redirects too often"),
        ({"domain": "nowhere.example"}, "No page answers"),
        ({"company_name": "Ottoline Farquhar"}, "No source knows Ottoline Farquhar"),
    ],
)
async def test_what_cannot_be_found_is_said_and_free(
    enricher: Enricher, asked: dict[str, str], said: str
) -> None:
    done = await enricher.run(sample_archive(), **asked)
    assert done["status"] == "failed"
    assert done["error"]["code"] == "company_not_found"
    assert said in done["error"]["message"]
    assert done["cost"]["state"] == "released"
    assert done["company_id"] is None


async def test_an_old_domain_leads_to_the_company_and_is_kept(enricher: Enricher) -> None:
    done = await enricher.run(sample_archive(), domain="icehouse-automation.example")
    assert done["status"] == "succeeded"
    found = await company(enricher, done)
    assert found["company_name"] == "Northquay Robotics"
    assert found["website_domain"] == "northquay-robotics.example"
    assert "icehouse-automation.example leads to northquay-robotics.example." in [
        note for step in done["steps"] for note in step["notes"]
    ]
