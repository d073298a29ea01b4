"""Made-up people, straight into the store."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sightline.domain.contact_input import read_contact
from sightline.store.contact_charges import note_charges
from sightline.store.contact_writes import Outcome, put_contacts
from sightline.store.database import Tenant
from sightline.store.erasures import erase_person
from sightline.store.suppressions import suppress

SOURCE = {"source": "import", "import_id": "one", "observed_at": "2026-01-01T00:00:00Z"}


async def put(tenant: Tenant, people: Sequence[Mapping[str, Any]]) -> list[Outcome]:
    """Put people in as an import does."""
    return await put_contacts(
        tenant, [read_contact(person) for person in people], source=SOURCE, now=datetime.now(UTC)
    )


async def fill_contacts(tenant: Tenant) -> UUID:
    """A row in every table of contacts; answers the id of one."""
    (kept, _) = await put(
        tenant,
        [{"full_name": "Ida Kept", "emails": ["ida@x.example"]}, {"emails": ["gone@x.example"]}],
    )
    await suppress(tenant, ["e:else@x.example"], reason="test")
    await erase_person(
        tenant,
        contact_ids=(),
        keys=["e:gone@x.example"],
        requested_by="test",
        now=datetime.now(UTC),
    )
    await note_charges(tenant, [b"digest"])
    assert kept.state is not None
    return kept.state.contact_id
