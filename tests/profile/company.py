"""An invented company with a report, a release, a site and postings, stored as connectors store them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from sightline.domain.evidence import Observation, Parsed, Passage
from sightline.domain.postings import ParsedPosting
from sightline.enrich.finish import write_company
from sightline.store.catalogue import make_company
from sightline.store.database import Connection
from sightline.store.documents import Fetched, store_document, tie_to_company
from sightline.store.facts import store_facts
from sightline.store.postings import store_pull

FILED = datetime(2026, 2, 20, 12, tzinfo=UTC)
REPORT = "https://filings.example/larkspur/10-k.htm"
RELEASE = "https://filings.example/larkspur/ex99.htm"
HOME = "https://larkspur.example/"

_SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "1",
        "Our Company",
        (
            "Larkspur Freight is a provider of refrigerated transport for growers and grocers in"
            " 14 countries. We generate revenue primarily from transport contracts and from"
            " subscriptions to our planning software.",
        ),
    ),
    (
        "1",
        "Growth Strategy",
        (
            "We plan to expand our fleet of electric trucks in Northern Europe over the next"
            " three years.",
            "Our strategy is to automate every cold store with robotics and machine learning.",
        ),
    ),
    (
        "1",
        "Goals",
        ("Our goal is to run 40% of our kilometres without diesel by 2030.",),
    ),
    (
        "1",
        "Competition",
        (
            "The market for refrigerated transport is highly fragmented. We compete with Osprey"
            " Cargo, Inc., Fernhill Logistics, and Tundra Lines AG, among others.",
        ),
    ),
    (
        "1A",
        "We depend on a limited number of grocers for most of our revenue.",
        (
            "Three grocers accounted for 46% of our revenue in 2025. None of them is bound to us"
            " for longer than two years.",
        ),
    ),
    (
        "1A",
        "New emission rules could increase the cost of our fleet.",
        (
            "Several countries in which we operate have announced road charges for diesel trucks."
            " Our competitors with newer fleets would be affected less.",
        ),
    ),
    (
        "7",
        "Results of Operations",
        (
            "Revenue increased 12% to $230 million in 2025, driven by new grocery contracts.",
            "Operating expenses increased 9% due to higher wages for drivers.",
            "Cold Storage revenue decreased 4% as two sites were closed for repairs.",
        ),
    ),
    (
        "7",
        "What Has Happened",
        (
            "Restructuring charges were $14 million in 2025, most of it for two depots in Sweden.",
            "In June 2025 Larkspur Freight bought Nordkyl, which carries frozen fish from Tromsø.",
            "In November 2025 the port of Bergen ended its contract with Larkspur Freight.",
        ),
    ),
)


def report() -> Parsed:
    """The annual report: passages by item and heading, figures as tagged."""
    text, passages = "", []
    for item, heading, paragraphs in _SECTIONS:
        start = len(text)
        text += "\n\n".join((heading, *paragraphs))
        passages.append(Passage(start, len(text), item, heading))
        text += "\n\n"
    return Parsed(
        kind="filing",
        text=text,
        title="10-K for 2025-12-31",
        language="en",
        published_at=FILED,
        observations=tuple(_figures()),
        passages=tuple(passages),
    )


def _figures() -> Sequence[Observation]:
    found = []
    rose = {"revenue": 0.122, "debt": 0.5, "interest_expense": 0.4}
    for year, revenue, income in ((2025, 230_000_000, 18_400_000), (2024, 205_000_000, 15_000_000)):
        debts = (90_000_000, 7_000_000) if year == 2025 else (60_000_000, 5_000_000)
        metrics = ("revenue", "net_income", "debt", "interest_expense")
        for metric, amount in zip(metrics, (revenue, income, *debts), strict=True):
            value = {
                "label": f"FY{year}",
                "period_start": f"{year}-01-01",
                "period_end": f"{year}-12-31",
                "metric": metric,
                "tag": metric,
                "amount": amount,
                "currency": "USD",
                "change": rose.get(metric) if year == 2025 else None,
                "derived": False,
            }
            pointer = f"{metric} {year}"
            found.append(Observation("fiscal_period", value, "xbrl", 0.95, pointer=pointer))
    for axis, name, now, before in (
        ("business", "Transport", 170_000_000, 142_000_000),
        ("business", "Cold Storage", 60_000_000, 63_000_000),
        ("geography", "Norway", 150_000_000, 120_000_000),
        ("geography", "Denmark", 80_000_000, 85_000_000),
    ):
        for year, amount in ((2025, now), (2024, before)):
            value = {
                "axis": axis,
                "name": name,
                "metric": "revenue",
                "amount": amount,
                "currency": "USD",
                "period_start": f"{year}-01-01",
                "period_end": f"{year}-12-31",
                "member": name,
                "change": round(now / before - 1, 4) if year == 2025 else None,
            }
            pointer = f"revenue [{name}] {year}"
            found.append(Observation("segment", value, "xbrl", 0.9, pointer=pointer))
    return found


def release() -> Parsed:
    """The press release on the year."""
    text = (
        "Larkspur Freight Reports Results for Fiscal Year 2025\n\n"
        "Total revenue was $230 million, an increase of 12% on the year before.\n\n"
        "“Our electric trucks have earned their place on the road,” said Ingrid Vale, Chief"
        " Executive Officer of Larkspur Freight.\n\n"
        "In the fourth quarter we launched a digital booking platform for growers in Denmark."
    )
    return Parsed(
        kind="news",
        text=text,
        title="Larkspur Freight Reports Results for Fiscal Year 2025",
        language="en",
        published_at=FILED - timedelta(days=6),
        passages=(Passage(0, len(text), "EX-99.1", None),),
    )


def home() -> Parsed:
    """The first page of the site."""
    text = (
        "Larkspur Freight keeps food cold on its way from the field to the shelf.\n"
        "We built a cloud platform that shows every pallet’s temperature."
    )
    person = {"name": "Ingrid Vale", "title": "Chief Executive Officer", "role": "team"}
    technology = {"name": "Postgres", "vendor": None, "category": "Database"}
    return Parsed(
        kind="page",
        text=f"{text}\nIngrid Vale, Chief Executive Officer",
        title="Larkspur Freight",
        language="en",
        passages=(Passage(0, len(text), "home", None),),
        observations=(
            Observation(
                "person", person, "text", 0.9, quote="Ingrid Vale, Chief Executive Officer"
            ),
            Observation("technology", technology, "header", 0.8, pointer="header x-powered-by"),
        ),
    )


async def store(
    connection: Connection,
    company_id: UUID,
    url: str,
    parsed: Parsed,
    *,
    source: str = "test",
    at: datetime = FILED,
) -> UUID:
    """Store what a document says, as enrichment does."""
    fetched = Fetched(url, url, 200, {}, "text/html", (url + parsed.text).encode(), at)
    document_id = await store_document(connection, fetched, parsed, source=source, parser=1)
    older = await tie_to_company(connection, company_id, document_id, passages=parsed.passages)
    await store_facts(
        connection,
        company_id,
        document_id,
        source=source,
        observations=parsed.observations,
        superseded=older,
        seen_at=at,
    )
    return document_id


async def store_company(
    connection: Connection, *, name: str = "Larkspur Freight", domain: str = "larkspur.example"
) -> UUID:
    """The company with everything; its record is decided and its follow-up work is on the queue."""
    company_id = await make_company(connection, name=name, domain=domain)
    await make_company(connection, name="Osprey Cargo", domain="osprey.example")
    for url, parsed in ((REPORT, report()), (RELEASE, release()), (HOME, home())):
        await store(connection, company_id, url, parsed)
    board = Parsed(kind="data", text="", title="Larkspur board")
    board_id = await store(connection, company_id, "https://jobs.example/larkspur", board)
    postings = [
        ParsedPosting(
            external_id=str(n),
            title=title,
            url=f"https://jobs.example/larkspur/{n}",
            description="You will keep our Python services running on Kubernetes.",
            posted_at=FILED - timedelta(days=10 * n),
        )
        for n, title in enumerate(
            ("Senior Software Engineer", "Software Engineer", "Sales Manager")
        )
    ]
    await store_pull(
        connection,
        company_id,
        board="test/larkspur",
        source="test",
        listed=postings,
        complete=True,
        document_id=board_id,
        pulled_at=FILED,
    )
    await write_company(connection, company_id)
    return company_id


YEAR_END = date(2025, 12, 31)
