"""Sites and registers as they are on a bad day: every step says what it met, and nothing is charged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from sightline.domain.callers import OrganizationId
from sightline.store.credits import grant
from sightline.store.database import Database
from tests.e2e.enriching import Enricher
from tests.enrich.conftest import RecordedWeb

V1 = "/public-api/v1"
HOME = "https://tarn.example/"
TICKERS = "https://www.sec.gov/files/company_tickers_exchange.json"
AUTOMATED = """<!DOCTYPE html><html><head><title>SEC.gov | Your Request Originates from an Undeclared
Automated Tool</title></head><body><h1>Your Request Originates from an Undeclared Automated Tool</h1>
<p>To allow for equitable access to all users, SEC reserves the right to limit requests originating
from undeclared automated tools.</p></body></html>"""
PAGE = (
    "<title>Tarn Instruments</title><h1>Tarn Instruments GmbH</h1><p>We measure höchst genau.</p>"
)


@pytest.fixture
async def enricher(
    client: httpx.AsyncClient,
    database: Database,
    worker_database: Database,
    organization: OrganizationId,
) -> Enricher:
    """All real sources over the test's own recorded web."""
    async with database.tenant(organization) as connection:
        await grant(connection, credit="company", amount=20, reason="test")
    return Enricher(client, worker_database)


@pytest.fixture
def empty_web(tmp_path: Path) -> RecordedWeb:
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / "index.jsonl").write_text("")
    return RecordedWeb(folder)


def site(body: str | bytes, *, status: int = 200, media_type: str = "text/html") -> Any:
    """Writes the home page of tarn.example."""

    def write(web: RecordedWeb) -> None:
        web.answer(HOME, body, status=status, media_type=media_type)

    return write


def register(web: RecordedWeb, *names: str) -> None:
    """A register of listed companies of these names."""
    rows = [[90_009 + n, name, f"TAR{n}", "NYSE"] for n, name in enumerate(names)]
    listed = {"fields": ["cik", "name", "ticker", "exchange"], "data": rows}
    web.answer(TICKERS, json.dumps(listed))


def closed_to_robots(web: RecordedWeb) -> None:
    web.answer(f"{HOME}robots.txt", "User-agent: *\nDisallow: /\n", media_type="text/plain")
    site(PAGE)(web)


def in_circles(web: RecordedWeb) -> None:
    web.redirect(HOME, f"{HOME}a")
    web.redirect(f"{HOME}a", HOME)


def led_inside(web: RecordedWeb) -> None:
    web.redirect(HOME, "http://169.254.169.254/latest/")


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (lambda web: None, "No page answers at tarn.example."),
        (site("<h1>tarn.example</h1><p>This domain is for sale.</p>"), "For sale."),
        (closed_to_robots, "robots.txt does not allow"),
        (in_circles, "redirects too often"),
        (led_inside, "is not allowed"),
        (site("No.", status=403), "tarn.example answered 403."),
        (site("Slow down.", status=429), "tarn.example answered 429."),
        (site("Oops", status=500), "tarn.example answered 500."),
        (site("Busy", status=503), "tarn.example answered 503."),
        (site("<p>far too much</p>" * 400_000), "body is too large"),
        (site(b"\x89PNG\r\n\x1a\n" + bytes(5_000)), "This is a PNG image, not a page."),
        (site(b"%PDF-1.7\n" + bytes(range(256)) * 50), "This is a PDF document, not a page."),
        (site(""), "The answer is empty."),
        (site("<html><bo"), "The page shows no text."),
        (site('{"error": "no such tenant"}', media_type="application/json"), "not a page."),
    ],
    ids=("dead parked robots loop inside 403 429 500 503 gigantic png pdf empty cut json").split(),
)
async def test_a_site_that_cannot_be_read_is_said_and_free(
    enricher: Enricher, empty_web: RecordedWeb, write: Callable[[RecordedWeb], None], said: str
) -> None:
    write(empty_web)
    done = await enricher.run(empty_web.folder, domain="tarn.example")
    assert done["status"] == "failed"
    assert done["error"]["code"] == "company_not_found"
    assert said in done["error"]["message"]
    assert done["cost"]["state"] == "released"
    assert done["company_id"] is None


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (AUTOMATED, 403, "set SIGHTLINE_CONTACT"),
        (AUTOMATED, 200, "set SIGHTLINE_CONTACT"),
        ("<html>maintenance</html>", 200, "company_tickers_exchange.json is not what it should be"),
        ('{"fields": ["cik", "na', 200, "The body is not JSON."),
        ("", 200, "The body is not JSON."),
        ("[1, 2]", 200, "The body is not a JSON object."),
    ],
    ids=["refusal", "refusal-200", "mislabelled", "cut", "empty", "other-shape"],
)
async def test_a_register_that_cannot_be_read_is_said_and_free(
    enricher: Enricher, empty_web: RecordedWeb, body: str, status: int, said: str
) -> None:
    empty_web.answer(TICKERS, body, status=status)
    done = await enricher.run(empty_web.folder, company_name="Tarn Instruments")
    assert done["status"] == "failed"
    assert done["error"]["code"] == "company_not_found"
    assert any(said in note for note in done["steps"][0]["notes"])
    assert done["cost"]["state"] == "released"


async def test_a_register_that_was_broken_once_is_asked_again(
    enricher: Enricher, empty_web: RecordedWeb
) -> None:
    empty_web.answer(TICKERS, "<html>maintenance</html>")
    await enricher.run(empty_web.folder, company_name="Tarn Instruments")
    register(empty_web, "Tarn Instruments Inc")
    done = await enricher.run(empty_web.folder, company_name="Tarn Instruments")
    assert done["match"]["candidates"][0]["identifiers"] == {"cik": "0000090009"}


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("Zzyzx Nonexistent Holdings", "not_found", "company_not_found"),
        ("Maria Lindqvist", "not_found", "company_not_found"),
        ("Tarn Instruments", "ambiguous", "company_ambiguous"),
    ],
    ids=["unknown", "person", "namesakes"],
)
async def test_a_name_that_means_no_one_company_is_free(
    enricher: Enricher, empty_web: RecordedWeb, name: str, status: str, code: str
) -> None:
    register(empty_web, "Tarn Instruments Inc", "Tarn Instruments Ltd", "Lindqvist Marine Inc")
    done = await enricher.run(empty_web.folder, company_name=name)
    assert (done["status"], done["match"]["status"]) == ("failed", status)
    assert done["error"]["code"] == code
    assert (done["company_id"], done["cost"]["state"]) == (None, "released")
    assert done["steps"][0]["status"] == "nothing_found"


async def test_a_register_whose_entry_is_cut_off_finds_nothing_and_is_free(
    enricher: Enricher, empty_web: RecordedWeb
) -> None:
    register(empty_web, "Tarn Instruments Inc")
    empty_web.answer("https://data.sec.gov/submissions/CIK0000090009.json", '{"cik": "90009", "na')
    done = await enricher.run(empty_web.folder, company_name="Tarn Instruments Inc")
    assert (done["status"], done["error"]["code"]) == ("failed", "nothing_found")
    assert done["cost"]["state"] == "released"
    (filings,) = (s for s in done["steps"] if s["source"] == "sec_edgar")
    assert filings["status"] == "nothing_found"
    assert "CIK0000090009.json: The body is not JSON." in filings["notes"]


async def test_broken_html_json_and_xml_are_read_as_far_as_they_go(
    enricher: Enricher, empty_web: RecordedWeb
) -> None:
    broken = """<html><head><title>Tarn Instruments</title>
    <script type="application/ld+json">{"@type": "Organization", "name": "Tarn</script>
    <link rel=alternate type=application/rss+xml href=/feed.xml></head><body><div>
    <p>Tarn Instruments GmbH measures exactly <b>what matters<table><tr><td>x<p>&#xFFFFFFF;"""
    site(broken)(empty_web)
    feed = "<rss><channel><title>News<item><title>We won</title><link>https://tarn.example/n"
    empty_web.answer(f"{HOME}feed.xml", feed, media_type="application/rss+xml")
    done = await enricher.run(empty_web.folder, domain="tarn.example")
    assert done["status"] == "succeeded"
    states = {s["source"]: s["status"] for s in done["steps"] if s["source"]}
    assert (states["website"], states["feeds"]) == ("succeeded", "succeeded")
    found = (await enricher.client.get(f"{V1}/companies/{done['company_id']}")).json()
    assert found["company_name"] == "Tarn Instruments"


@pytest.mark.parametrize("declared", ["utf-8", "no-such-charset", "shift_jis"])
async def test_a_wrong_charset_is_seen_through(
    enricher: Enricher, empty_web: RecordedWeb, declared: str
) -> None:
    site(PAGE.encode("cp1252"), media_type=f"text/html; charset={declared}")(empty_web)
    done = await enricher.run(empty_web.folder, domain="tarn.example")
    assert done["status"] == "succeeded"
    found = (await enricher.client.get(f"{V1}/companies/{done['company_id']}")).json()
    assert found["company_name"] == "Tarn Instruments"


@pytest.mark.parametrize(
    "domain",
    [
        "10.0.0.1",
        "http://127.0.0.1/",
        "[::1]",
        "2130706433",
        "https://user:secret@tarn.example/",
        "localhost",
        "tarn",
        "file:///etc/passwd",
        "x" * 300 + ".example",
        "ops@tarn.example",
    ],
)
async def test_what_is_no_domain_is_refused_at_once(
    client: httpx.AsyncClient, organization: OrganizationId, domain: str
) -> None:
    answer = await client.post(f"{V1}/companies", json={"domain": domain})
    assert answer.status_code == 400
    assert "secret" not in answer.text
