"""Who is asking."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType, Protocol
from uuid import UUID

from sightline.domain.plans import RATE_LIMITS, Plan

OrganizationId = NewType("OrganizationId", UUID)
KeyId = NewType("KeyId", UUID)
UserId = NewType("UserId", UUID)


@dataclass(frozen=True)
class Caller:
    """A valid key and whom it acts for."""

    organization_id: OrganizationId
    key_id: KeyId
    user_id: UserId
    scopes: tuple[str, ...]
    plan: Plan
    rate_limit: int  # requests per window
    allowed_networks: tuple[str, ...]  # CIDR; empty allows any
    flat_errors: bool
    costs: dict[str, Any]  # operation -> credits, over the default prices
    expires_at: datetime | None
    is_person: bool = False  # signed in to the console; acts without a key
    is_operator: bool = False  # at the command line of the server; acts without a key

    @property
    def actor(self) -> str:
        """As the audit log names the caller."""
        if self.is_operator:
            return "cli"
        return f"user:{self.user_id}" if self.is_person else f"key:{self.key_id}"

    @property
    def used_key(self) -> KeyId | None:
        """The key that operations and ledger lines note; None of who acts without one."""
        return None if self.is_person or self.is_operator else self.key_id


def everything(organization_id: OrganizationId, user_id: UserId) -> Caller:
    """The caller that may open the database may do all of it."""
    plan: Plan = "enterprise"
    return Caller(
        organization_id=organization_id,
        key_id=KeyId(user_id),
        user_id=user_id,
        scopes=("*",),
        plan=plan,
        rate_limit=RATE_LIMITS[plan],
        allowed_networks=(),
        flat_errors=False,
        costs={},
        expires_at=None,
        is_operator=True,
    )


def person(
    organization_id: OrganizationId, user_id: UserId, *, plan: Plan, costs: dict[str, Any]
) -> Caller:
    """A user who is signed in; what a user may do, the user's role says."""
    return Caller(
        organization_id=organization_id,
        key_id=KeyId(user_id),
        user_id=user_id,
        scopes=("*",),
        plan=plan,
        # A person pages and types faster than a small plan lets a program ask.
        rate_limit=max(RATE_LIMITS.values()),
        allowed_networks=(),
        flat_errors=False,
        costs=costs,
        expires_at=None,
        is_person=True,
    )


class RunOperation(Protocol):
    """Runs an operation of the API in process: its name in the endpoint table, path, query and body.

    Answers its JSON; raises the Refusal that a request would get.
    """

    async def __call__(
        self,
        name: str,
        caller: Caller,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any: ...
