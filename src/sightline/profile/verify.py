"""Proves stored sections again against the current evidence."""

from dataclasses import dataclass
from uuid import UUID

from sightline.kit.clock import now
from sightline.profile.checker import checker_of
from sightline.profile.gather import gather
from sightline.profile.printing import quotes_of, read_body
from sightline.store import profile_evidence, profiles
from sightline.store.database import Connection


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found of one company: statements looked at, and section, name and reason of each
    that is not proven."""

    company_id: UUID
    name: str
    checked: int
    failures: tuple[str, ...]


async def verify(connection: Connection, company_id: UUID) -> Verified | None:
    """Check every stored statement of a company; None when the catalogue does not know it."""
    gathered = await gather(connection, company_id, now=now())
    if gathered is None:
        return None
    evidence = gathered.evidence
    stored = await profiles.stored_bodies(connection, evidence.company_id)
    bodies = {name: read_body(text) for name, text in stored.items()}
    cited = {quote.document_id for body in bodies.values() for quote in quotes_of(body)}
    texts = await profile_evidence.document_texts(connection, evidence.company_id, cited)
    check = checker_of(evidence, {key: each.text for key, each in texts.items()}.get)
    checked, failures = 0, []
    for name, body in bodies.items():
        _, verdict = check.prove(body)
        checked += verdict.checked
        failures += [f"{name}: {failure}" for failure in verdict.failures]
    return Verified(evidence.company_id, evidence.name, checked, tuple(failures))
