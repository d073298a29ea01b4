"""Single sign-on: an installation's identity provider, and its claims about a user."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from sightline.domain.authority import UserRole, may_act_for

ROLES: Final[tuple[UserRole, ...]] = get_args(UserRole)


@dataclass(frozen=True)
class IdentityProvider:
    """Where users of one workspace sign in instead of with a password.

    `domains` are those whose email addresses are let in, none: all. `roles` says which value of the claim
    `role_claim` gives which role; without a claim new users are members, and roles are kept here. `audience`
    is what access tokens of agents must be made for; none: agents have API keys alone.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    workspace: str
    title: str
    domains: frozenset[str] = frozenset()
    role_claim: str = ""
    audience: str = ""
    roles: Mapping[str, UserRole] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.audience and self.audience == self.client_id:
            # Its ID tokens, which many see, would open everything.
            raise ValueError(
                "The audience of agents' tokens cannot be the client id of the console."
            )


@dataclass(frozen=True)
class Identity:
    """A user as the provider knows them. `role` is None where roles are kept here."""

    issuer: str
    subject: str
    email: str
    role: UserRole | None


class SignOnIsRefused(RuntimeError):
    """The provider let the user in, and we do not; the message says why."""


def read_identity(provider: IdentityProvider, claims: Mapping[str, Any]) -> Identity:
    """The identity in checked claims. Raises SignOnIsRefused."""
    email = claims.get("email")
    if not isinstance(email, str) or email.count("@") != 1 or len(email) > 254:
        raise SignOnIsRefused("The identity provider names no email address for you.")
    domain = email.rpartition("@")[2].lower()
    if provider.domains and domain not in provider.domains:
        raise SignOnIsRefused(f"Addresses of {domain} cannot sign in here.")
    # Who can claim any address at the provider could become anybody here. Some providers do not say;
    # they are believed about the domains that the operator named as the workspace's own.
    verified = claims.get("email_verified")
    if verified not in (True, "true") and not (verified is None and provider.domains):
        raise SignOnIsRefused("The identity provider has not verified your email address.")
    return Identity(provider.issuer, str(claims["sub"]), email, _role(provider, claims))


def read_roles(text: str) -> dict[str, UserRole]:
    """`sales-leads=admin, everybody=member` as a mapping. Raises ValueError."""
    found: dict[str, UserRole] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        value, _, name = (piece.strip() for piece in part.rpartition("="))
        role = next((role for role in ROLES if role == name), None)
        if role is None or not value:
            raise ValueError(f"{part!r}: write VALUE=ROLE, where a role is {', '.join(ROLES)}.")
        found[value] = role
    return found


def _role(provider: IdentityProvider, claims: Mapping[str, Any]) -> UserRole | None:
    if not provider.role_claim:
        return None
    said = claims.get(provider.role_claim)
    values = said if isinstance(said, list) else [said]
    role: UserRole | None = None
    for value in values:
        given = provider.roles.get(value) if isinstance(value, str) else None
        if given is not None and (role is None or may_act_for(given, role)):
            role = given
    if role is None:
        raise SignOnIsRefused("The identity provider gives you no role in this workspace.")
    return role
