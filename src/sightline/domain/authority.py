"""Authority: who may act for whom, and what a key may grant, never more than its maker has."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_network
from typing import Literal

UserRole = Literal["owner", "admin", "member"]
_RANKS: dict[UserRole, int] = {"member": 0, "admin": 1, "owner": 2}


def may_act_for(role: UserRole, other: UserRole) -> bool:
    """Whether a user of the first role may make, change or end what acts with the second."""
    return _RANKS[role] >= _RANKS[other]


@dataclass(frozen=True)
class Bounds:
    """Where, how long and how often a key may be used."""

    networks: tuple[str, ...]  # CIDR; empty: from anywhere
    expires_at: datetime | None  # None: never
    rate_limit: int  # requests a minute


def excess(asked: Bounds, maker: Bounds) -> tuple[str, str] | None:
    """The first bound in which a key would outreach its maker: (field, sentence); None when in none."""
    if not networks_within(asked.networks, maker.networks):
        return "allowed_networks", "Your own key is not allowed from all of these networks."
    end = maker.expires_at
    if end is not None and (asked.expires_at is None or asked.expires_at > end):
        return "expires_at", f"Your own key expires at {end.isoformat()}."
    if asked.rate_limit > maker.rate_limit:
        return "rate_limit", f"At most {maker.rate_limit} requests per minute can be granted."
    return None


def networks_within(inner: Sequence[str], outer: Sequence[str]) -> bool:
    """Whether each of the networks lies in one of the outer ones. None at all is every address."""
    if not outer:
        return True
    if not inner:
        return False
    return all(any(_lies_in(network, other) for other in outer) for network in inner)


def _lies_in(network: str, other: str) -> bool:
    small, large = ip_network(network, strict=False), ip_network(other, strict=False)
    if small.version == 4 and large.version == 4:
        return small.subnet_of(large)
    if small.version == 6 and large.version == 6:
        return small.subnet_of(large)
    return False
