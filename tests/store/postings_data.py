"""Postings for tests that need a company that is hiring."""

from datetime import UTC, datetime
from uuid import UUID

from sightline.domain.postings import ParsedPosting, PostingLocation
from sightline.store.database import Database
from sightline.store.postings import store_pull

TECHNOLOGIES = ("Kubernetes", "Terraform", "Snowflake")


async def add_postings(database: Database, company_id: UUID, *, word: str = "Harbor") -> None:
    """Three open postings of a company, each with a place and a technology of its own."""
    listed = [
        ParsedPosting(
            str(n),
            f"{word} Engineer {n}",
            f"https://{word.lower()}.example/jobs/{n}",
            locations=(PostingLocation(f"{word} {n}", f"{word} {n}"),),
            description=f"You know {technology} and Python.",
        )
        for n, technology in enumerate(TECHNOLOGIES)
    ]
    async with database.connection() as connection, connection.transaction():
        await store_pull(
            connection,
            company_id,
            board=f"greenhouse/{word.lower()}",
            source="job_boards",
            listed=listed,
            complete=True,
            document_id=None,
            pulled_at=datetime.now(UTC),
        )
