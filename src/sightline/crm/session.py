"""State of one run: what its steps share, and one page of a step."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sightline.crm.connection import CrmSettings
from sightline.crm.fields import Mapped, usable
from sightline.crm.provider import Crm, Kind, Property
from sightline.domain.callers import OrganizationId
from sightline.store.crm_runs import CrmRun, Entry
from sightline.store.database import Database, Tenant


@dataclass(frozen=True)
class PageDone:
    """A page of a step: `apply` writes what came of it, in one transaction with how far the run is."""

    apply: Callable[[Tenant], Awaitable[Sequence[Entry]]]
    after: str | None  # None: the step is over


@dataclass
class Session:
    """`run` is as committed."""

    database: Database
    organization_id: OrganizationId
    crm: Crm
    settings: CrmSettings
    run: CrmRun
    before: Callable[[Tenant], Awaitable[None]]  # raises where the work is no longer ours
    _properties: dict[Kind, Mapping[str, Property]] = field(default_factory=dict)

    @property
    def provider(self) -> str:
        return self.run.provider

    async def properties(self, kind: Kind) -> Mapping[str, Property]:
        """The CRM's fields, asked for once."""
        if kind not in self._properties:
            self._properties[kind] = await self.crm.properties(kind)
        return self._properties[kind]

    async def mapping(self, kind: Kind) -> list[Mapped]:
        """The part of the mapping that the CRM still has; the rest becomes warnings of the run."""
        found, warnings = usable(self.settings.mapping, kind, await self.properties(kind))
        fresh = [each for each in warnings if each not in self.run.warnings]
        if fresh:
            self.run = replace(self.run, warnings=[*self.run.warnings, *fresh])
        return found


Step = Callable[[Session], Awaitable[PageDone]]


async def nothing(connection: Tenant) -> Sequence[Entry]:
    """For a page with no effect."""
    del connection
    return ()
