"""Documents for detector tests, all invented."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

from sightline.domain.mentions import EvidenceDocument, NamedCompany, Span

ACME = NamedCompany(
    UUID(int=1), "Acme Widget Corporation", ("Acme Widget",), ("acmewidget.example",)
)


def document(
    text: str,
    *,
    kind: str = "filing",
    title: str = "8-K for 2024-03-05",
    section: str | None = None,
    source: str = "sec_edgar",
    url: str = "https://www.sec.example/doc.htm",
    published: datetime | None = datetime(2024, 3, 6, 12, tzinfo=UTC),
) -> EvidenceDocument:
    """A document with one passage over all of its text."""
    return EvidenceDocument(
        uuid4(), url, source, kind, title, published, datetime(2024, 3, 7, tzinfo=UTC), 1, text,
        (Span(0, len(text), section, None),) if section else (),
    )  # fmt: skip
