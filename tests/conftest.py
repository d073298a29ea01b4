"""Real parts for every test: one embedded PostgreSQL a process, a fresh database a test, the real
application behind a real key. Only the web, models, the clock and mail are ever replaced."""

import asyncio
import os
import shutil
import tempfile
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx
import pytest
import structlog
from hypothesis import HealthCheck, settings

from sightline.api import reserving, usage
from sightline.api.endpoint import Services
from sightline.api.limits import RateLimiter
from sightline.api.server import create_server
from sightline.api.usage import UsageCounter
from sightline.domain.callers import Caller, KeyId, OrganizationId, UserId
from sightline.domain.plans import Plan
from sightline.kit.postgres import EmbeddedPostgres
from sightline.kit.secrets import SecretBox
from sightline.reading.encoder import Encoder, EncoderConfig, open_encoder
from sightline.search import retrieve
from sightline.store.database import Database, open_database
from sightline.store.keys import create_key
from sightline.store.migrate import migrate
from sightline.store.organizations import create_organization, create_user
from tests.affected import SLOWEST
from tests.assistant.provider import Provider, provider

# Counts of usage are written when a test asks for it: a write that begins as a test ends would leave
# its connection behind.
usage.FLUSH_SECONDS = 3_600.0

# However long an example takes, it says nothing about what is tested.
settings.register_profile(
    "sightline", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("sightline")

# What only guards against hanging waits long in tests: a busy machine stops processes for seconds.
PATIENCE_SECONDS = 300.0
reserving._READING_SECONDS = retrieve.LONGEST_ENCODING_SECONDS = PATIENCE_SECONDS
assert open_database.__kwdefaults__ is not None
open_database.__kwdefaults__.update(
    wait_seconds=PATIENCE_SECONDS, statement_timeout_seconds=PATIENCE_SECONDS
)

# What tests log without settings: a failure painted with the values of every frame takes a second.
structlog.get_config()["processors"][-1].exception_formatter = structlog.dev.plain_traceback

# Free bytes in memory from which on the tests' servers keep their data there.
LEAST_MEMORY = 8 << 30

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = "sightline_template"


@pytest.fixture(autouse=True)
def fresh_logs() -> Iterator[None]:
    """Commands that ran inside this process leave no settings of the log to the next test."""
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def covered() -> dict[str, set[str]]:
    """Test -> operations that tests/contract/coverage.toml says it covers alone."""
    found: dict[str, set[str]] = {}
    lines = tomllib.loads((ROOT / "tests/contract/coverage.toml").read_text("utf-8"))["lines"]
    for _, _, operations, tests in lines:
        if len(tests.split()) == 1:
            found.setdefault(tests, set()).update(operations.split())
    return found


@pytest.fixture(autouse=True)
def reaches_what_it_covers(
    request: pytest.FixtureRequest, covered: dict[str, set[str]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A test that is named for operations calls them: the page of coverage says so."""
    path = request.path.relative_to(ROOT / "tests").with_suffix("").as_posix()
    wanted = covered.get(f"{path}::{request.node.originalname}", set()) - {
        "read_health",
        "read_readiness",
    }  # public: no caller is counted
    if not wanted or hasattr(request.node, "callspec"):  # rows are of one operation each
        yield
        return
    count, seen, failed = UsageCounter.count, set(), request.session.testsfailed

    def count_and_remember(
        counter: UsageCounter, caller: Caller, operation: str, status: int
    ) -> None:
        seen.add(operation)
        count(counter, caller, operation, status)

    monkeypatch.setattr(UsageCounter, "count", count_and_remember)
    yield
    if request.session.testsfailed == failed:
        assert wanted <= seen, f"it is named for {wanted - seen}, and does not call it"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first: side by side, one of them at the end would be waited for alone."""

    @cache
    def place(path: Path) -> int:
        name = path.relative_to(ROOT / "tests").as_posix()
        return next(number for number, each in enumerate(SLOWEST) if name.startswith(each))

    items.sort(key=lambda item: place(item.path))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The recorded public data; tests that need it skip where it is absent."""
    path = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data"
    if not path.is_dir():
        pytest.skip(f"NOT RUN: the recorded public data is absent ({path}).")
    return path


@pytest.fixture
def model() -> Iterator[Provider]:
    """A model's provider on this machine that says what a test wants."""
    with provider() as running:
        yield running


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedPostgres]:
    """An embedded PostgreSQL for this test process."""
    # Not below pytest's own folder: root's is closed to the user that the server runs as.
    with (
        tempfile.TemporaryDirectory(prefix="sightline-tests-", dir=_memory()) as folder,
        EmbeddedPostgres(Path(folder)) as running,
    ):
        asyncio.run(_trust_the_power_supply(running))
        yield running


def _memory() -> str | None:
    """A folder held in memory, where a database is copied some 30 times as fast; None without room there."""
    held = Path("/dev/shm")
    if not held.is_dir() or held.stat().st_mode & 0o1777 != 0o1777:
        return None
    return str(held) if shutil.disk_usage(held).free > LEAST_MEMORY else None


async def _trust_the_power_supply(server: EmbeddedPostgres) -> None:
    """Tests make thousands of databases; what a power cut would do to them is tested elsewhere."""
    connection = await asyncpg.connect(server.superuser_url)
    # Only a superuser may send an autovacuum away, and DROP DATABASE … WITH (FORCE) would have to.
    for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
        await connection.execute(f"ALTER SYSTEM SET {setting} = off")
    await connection.execute("SELECT pg_reload_conf()")
    await connection.close()


def sibling(url: str, database: str) -> str:
    """The same server's address with another database."""
    head, _, query = url.partition("?")
    return f"{head.rpartition('/')[0]}/{database}?{query}"


@pytest.fixture(scope="session")
def template(server: EmbeddedPostgres) -> str:
    """The name of a migrated database that tests copy."""

    async def create() -> None:
        connection = await asyncpg.connect(server.url)
        await connection.execute(f"CREATE DATABASE {TEMPLATE}")
        await connection.close()

    asyncio.run(create())
    migrate(sibling(server.url, TEMPLATE))
    return TEMPLATE


@asynccontextmanager
async def fresh_database(server: EmbeddedPostgres, template: str) -> AsyncIterator[str]:
    """The address of a new database, migrated and empty, that is dropped afterwards."""
    name = f"test_{uuid4().hex}"
    connection = await asyncpg.connect(server.url)
    try:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        try:
            yield sibling(server.url, name)
        finally:
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await connection.close()


@pytest.fixture
async def database_url(server: EmbeddedPostgres, template: str) -> AsyncIterator[str]:
    """The address of a database of this test's own, migrated and empty."""
    async with fresh_database(server, template) as url:
        yield url


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[Database]:
    """The owner's connections: organizations are made through these."""
    opened = await open_database(database_url, role="owner", size=2)
    yield opened
    await opened.close()


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The application's connections, under row-level security."""
    opened = await open_database(database_url, size=8)
    yield opened
    await opened.close()


@dataclass(frozen=True)
class Tenant:
    """An organization with its owner and a key that may do everything."""

    organization_id: OrganizationId
    user_id: UserId
    key_id: KeyId
    key: str


MakeTenant = Callable[..., Awaitable[Tenant]]


async def add_tenant(
    owner: Database,
    database: Database,
    slug: str,
    *,
    scopes: list[str] | None = None,
    plan: Plan = "enterprise",
    **key_options: object,
) -> Tenant:
    """Make an organization with its owner and a key."""
    organization_id = await create_organization(owner, slug, name=slug.title(), plan=plan)
    async with database.tenant(organization_id) as connection:
        user_id = await create_user(connection, email=f"owner@{slug}.example", role="owner")
        made = await create_key(
            connection,
            user_id=user_id,
            name="test",
            scopes=scopes or ["*"],
            **key_options,  # type: ignore[arg-type]
        )
    return Tenant(organization_id, user_id, made.key_id, made.key)


@pytest.fixture
def make_tenant(owner: Database, database: Database) -> MakeTenant:
    return partial(add_tenant, owner, database)


@pytest.fixture
async def tenant(make_tenant: MakeTenant) -> Tenant:
    return await make_tenant("first")


@pytest.fixture
async def organization(tenant: Tenant) -> OrganizationId:
    return tenant.organization_id


@cache
def bundled_encoder() -> Encoder:
    """Loaded once a test process."""
    made = open_encoder(EncoderConfig())
    assert made is not None
    return made


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Encoder:
    """The bundled encoder, at work in this process as in a server; without the fixture there is none."""
    made = bundled_encoder()
    monkeypatch.setattr(retrieve.retriever(), "encoder", made)
    return made


@pytest.fixture
def services(database: Database) -> Services:
    return Services(
        database=database,
        limiter=RateLimiter(redis_url=None, processes=1),
        usage=UsageCounter(database),
        secrets=SecretBox(bytes(32)),
        max_body_bytes=1_000_000,
        trust_proxy=False,
        version="0.0.0-test",
        live_refresh_seconds=PATIENCE_SECONDS,
    )


@pytest.fixture
async def anonymous(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the real application, without a key."""
    transport = httpx.ASGITransport(app=create_server(services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://sightline.test") as client:
        yield client


@pytest.fixture
async def client(anonymous: httpx.AsyncClient, tenant: Tenant) -> httpx.AsyncClient:
    """The same client with the tenant's key."""
    anonymous.headers["x-api-key"] = tenant.key
    return anonymous
