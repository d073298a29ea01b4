"""No key lifts anybody above its own authority: every role against every role, every bound of a key."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.domain.authority import Bounds, UserRole, excess, may_act_for
from sightline.domain.callers import UserId
from sightline.domain.plans import RATE_LIMITS
from sightline.store.database import Database
from sightline.store.keys import create_key
from sightline.store.organizations import create_user
from tests.conftest import MakeTenant, Tenant

V1 = "/public-api/v1"
ROLES: tuple[UserRole, ...] = get_args(UserRole)
RANK = {"member": 0, "admin": 1, "owner": 2}
SOON = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)


@dataclass(frozen=True)
class Person:
    """A user with a key that may do everything that the user may."""

    user_id: UserId
    key_id: str
    key: str


async def add_person(
    database: Database, tenant: Tenant, role: UserRole, name: str, **bounds: Any
) -> Person:
    async with database.tenant(tenant.organization_id) as connection:
        user_id = await create_user(connection, email=f"{name}@first.example", role=role)
        made = await create_key(connection, user_id=user_id, name=name, scopes=["*"], **bounds)
    return Person(user_id, str(made.key_id), made.key)


Act = Callable[[httpx.AsyncClient, Person, UserRole], Awaitable[httpx.Response]]


def _act(method: str, path: str, **body: Any) -> Act:
    """An operation on another person; `{user}`, `{key}` and `{role}` stand for what is theirs."""

    async def ask(client: httpx.AsyncClient, other: Person, role: UserRole) -> httpx.Response:
        def fill(text: Any) -> Any:
            if not isinstance(text, str):
                return text
            return text.format(user=other.user_id, key=other.key_id, role=role)

        sent = {name: fill(value) for name, value in body.items()}
        return await client.request(method, V1 + fill(path), json=sent or None)

    return ask


# Everything by which one user's key can touch, or become, what acts with some role.
ACTS: dict[str, Act] = {
    "make a key": _act("POST", "/keys", name="k", scopes=["*"], user_id="{user}"),
    "rotate a key": _act("POST", "/keys/{key}/rotate", overlap_seconds=60),
    "revoke a key": _act("DELETE", "/keys/{key}"),
    "add a user": _act("POST", "/users", email="new@first.example", role="{role}"),
    "disable a user": _act("PATCH", "/users/{user}", disabled=True),
    "demote a user": _act("PATCH", "/users/{user}", role="member"),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("actor", ROLES)
async def test_nobody_acts_on_a_role_above_the_own(
    anonymous: httpx.AsyncClient,
    tenant: Tenant,
    database: Database,
    actor: UserRole,
    role: UserRole,
    act: str,
) -> None:
    one = await add_person(database, tenant, actor, "one")
    other = await add_person(database, tenant, role, "other")
    anonymous.headers["x-api-key"] = one.key
    response = await ACTS[act](anonymous, other, role)
    allowed = actor != "member" and RANK[actor] >= RANK[role]
    assert response.is_success == allowed, response.text
    if not allowed:
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "missing_role"


@pytest.mark.parametrize("wanted", ROLES)
@pytest.mark.parametrize("actor", ROLES)
async def test_nobody_gives_a_role_above_the_own(
    anonymous: httpx.AsyncClient,
    tenant: Tenant,
    database: Database,
    actor: UserRole,
    wanted: UserRole,
) -> None:
    one = await add_person(database, tenant, actor, "one")
    other = await add_person(database, tenant, "member", "other")
    anonymous.headers["x-api-key"] = one.key
    for user_id in (one.user_id, other.user_id):
        response = await anonymous.patch(f"{V1}/users/{user_id}", json={"role": wanted})
        allowed = actor != "member" and RANK[actor] >= RANK[wanted]
        assert response.is_success == allowed, response.text
        if user_id == one.user_id and allowed and wanted != actor:
            return  # the actor gave the own role away


async def test_the_key_of_a_disabled_user_is_worth_nothing(
    anonymous: httpx.AsyncClient, tenant: Tenant, database: Database, owner: Database
) -> None:
    one = await add_person(database, tenant, "admin", "one")
    async with owner.tenant(tenant.organization_id) as connection:
        await connection.execute(
            "UPDATE users SET disabled_at = now() WHERE user_id = $1", one.user_id
        )
    answer = await anonymous.get(f"{V1}/organization", headers={"x-api-key": one.key})
    assert answer.status_code == 401


async def _own_keys(client: httpx.AsyncClient) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in (await client.get(f"{V1}/keys")).json()["items"]}


@pytest.mark.parametrize(
    ("beyond", "path"),
    [
        ({"allowed_networks": ["0.0.0.0/0"]}, "allowed_networks"),
        ({"allowed_networks": ["127.0.0.1", "::1"]}, "allowed_networks"),
        ({"expires_at": (SOON + timedelta(seconds=1)).isoformat()}, "expires_at"),
        ({"rate_limit": 51}, "rate_limit"),
    ],
)
async def test_a_key_gives_no_more_than_it_has(
    anonymous: httpx.AsyncClient,
    tenant: Tenant,
    database: Database,
    beyond: dict[str, Any],
    path: str,
) -> None:
    bounds = {"allowed_networks": ["127.0.0.0/24"], "expires_at": SOON, "rate_limit": 50}
    one = await add_person(database, tenant, "admin", "one", **bounds)
    anonymous.headers["x-api-key"] = one.key
    body = {"name": "child", "scopes": ["*"]}
    refused = await anonymous.post(f"{V1}/keys", json=body | beyond)
    assert refused.status_code == 400, refused.text
    assert refused.json()["error"]["details"]["fields"][0]["path"] == path
    # What is left out is the maker's own.
    made = await anonymous.post(f"{V1}/keys", json=body)
    assert made.status_code == 201, made.text
    child = (await _own_keys(anonymous))[made.json()["id"]]
    assert child["allowed_networks"] == ["127.0.0.0/24"]
    assert datetime.fromisoformat(child["expires_at"]) == SOON
    assert child["rate_limit"] == 50


async def test_rotation_prolongs_and_widens_nothing(
    anonymous: httpx.AsyncClient, tenant: Tenant, database: Database
) -> None:
    bounds = {"allowed_networks": ["127.0.0.0/24"], "expires_at": SOON}
    one = await add_person(database, tenant, "admin", "one", **bounds)
    free = await add_person(database, tenant, "admin", "free")
    anonymous.headers["x-api-key"] = one.key
    refused = await anonymous.post(f"{V1}/keys/{free.key_id}/rotate", json={})
    assert refused.status_code == 403, refused.text
    assert refused.json()["error"]["code"] == "exceeds_authority"
    rotated = await anonymous.post(f"{V1}/keys/{one.key_id}/rotate", json={})
    assert rotated.status_code == 201, rotated.text
    new = (await _own_keys(anonymous))[rotated.json()["id"]]
    assert datetime.fromisoformat(new["expires_at"]) == SOON
    assert new["allowed_networks"] == ["127.0.0.0/24"]


async def test_no_key_makes_more_requests_than_the_plan(
    anonymous: httpx.AsyncClient, make_tenant: MakeTenant
) -> None:
    tenant = await make_tenant("team", plan="team")
    anonymous.headers["x-api-key"] = tenant.key
    for limit, status in ((RATE_LIMITS["team"], 201), (RATE_LIMITS["team"] + 1, 400)):
        body = {"name": "k", "scopes": ["*"], "rate_limit": limit}
        assert (await anonymous.post(f"{V1}/keys", json=body)).status_code == status


_networks = st.lists(
    st.sampled_from(["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "192.0.2.0/24", "2001:db8::/32"]),
    max_size=3,
)
_bounds = st.builds(
    Bounds,
    networks=_networks.map(tuple),
    expires_at=st.none() | st.integers(0, 3).map(lambda days: SOON + timedelta(days=days)),
    rate_limit=st.integers(1, 5),
)
_ADDRESSES = ("10.1.2.3", "10.9.9.9", "192.0.2.7", "2001:db8::5", "203.0.113.1")


def _works(bounds: Bounds, address: str, days: int, rate: int) -> bool:
    """Whether a key of these bounds can be used so."""
    from ipaddress import ip_address, ip_network

    inside = not bounds.networks or any(
        ip_address(address) in ip_network(network) for network in bounds.networks
    )
    alive = bounds.expires_at is None or bounds.expires_at > SOON + timedelta(days=days)
    return inside and alive and rate <= bounds.rate_limit


@given(child=_bounds, maker=_bounds)
def test_a_child_that_is_allowed_works_only_where_its_maker_does(
    child: Bounds, maker: Bounds
) -> None:
    if excess(child, maker) is not None:
        return
    for address in _ADDRESSES:
        for days in range(5):
            for rate in range(1, 6):
                assert not _works(child, address, days, rate) or _works(maker, address, days, rate)


@given(bounds=_bounds)
def test_a_child_may_be_like_its_maker(bounds: Bounds) -> None:
    assert excess(bounds, bounds) is None


def test_roles_are_ordered() -> None:
    for one in ROLES:
        for other in ROLES:
            assert may_act_for(one, other) == (RANK[one] >= RANK[other])
