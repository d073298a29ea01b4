"""Composition root: settings become databases, services and running servers.

No one but the entry points imports this.
"""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from sightline.kit.tracing import begin_tracing
from sightline.settings import Settings
from sightline.store.database import Database, open_database
from sightline.store.inspection import warn_of_mighty_login
from sightline.store.migrate import migrate

if TYPE_CHECKING:
    from pydantic import SecretStr

    from sightline.api.endpoint import Services
    from sightline.kit.fetch.client import FetcherConfig
    from sightline.kit.secrets import SecretBox
    from sightline.llm.models import ModelConfig
    from sightline.profile.author import Author
    from sightline.reading.encoder import Encoder
    from sightline.worker import WorkerConfig


# Of the time that a server has to stop, for requests that were cut off.
GIVING_BACK_SECONDS = 2.0


class DatabaseIsNotNamed(RuntimeError):
    """No database address: the embedded server was not started first."""


def database_url(settings: Settings) -> str:
    """The address of the database; entry points fill it in when the embedded server is used."""
    if settings.database_url is None:
        raise DatabaseIsNotNamed("No database is configured; start with `sightline up`.")
    return settings.database_url


def prepare(settings: Settings) -> None:
    """Migrate, and make sure that the organization `default` exists."""
    migrate(database_url(settings))
    asyncio.run(_ensure_default(settings))


@asynccontextmanager
async def databases(settings: Settings) -> AsyncIterator[tuple[Database, Database]]:
    """The owner's and the application's connections, for administration."""
    url = database_url(settings)
    owner = await open_database(url, role="owner", size=2, wait_seconds=30)
    try:
        app = await open_database(
            url, role="sightline_app", size=2, wait_seconds=30, statement_timeout_seconds=600
        )
        try:
            yield owner, app
        finally:
            await app.close()
    finally:
        await owner.close()


async def _ensure_default(settings: Settings) -> None:
    from sightline.store.bootstrap import ensure_default_organization

    async with databases(settings) as (owner, app):
        await ensure_default_organization(owner, app, credits=settings.initial_credits)


@contextmanager
def _loading() -> Iterator[None]:
    """For a server's imports: none become garbage, and looking for it costs a seventh of a start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class LazyServer:
    """The API and the console of one process. It opens its database at start-up, inside the server's
    event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server: Any = None
        self._database: Database | None = None
        self._replica: Database | None = None
        self._usage: Any = None
        self._indexes: Any = None
        self._requests: set[asyncio.Task[Any]] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        task = asyncio.current_task()
        assert task is not None
        self._requests.add(task)
        try:
            await self._server(scope, receive, send)
        finally:
            self._requests.discard(task)

    async def _lifespan(self, receive: Any, send: Any) -> None:
        await receive()
        try:
            await self.start()
        except Exception as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def start(self) -> None:
        """Open the database and build the routes."""
        settings = self._settings
        opened = partial(
            open_database,
            size=settings.pool_size,
            wait_seconds=settings.pool_wait_seconds,
            statement_timeout_seconds=settings.statement_timeout_seconds,
        )
        self._database = await opened(database_url(settings))
        if settings.replica_url is not None:
            self._replica = await opened(settings.replica_url, connects=False)
        await warn_of_mighty_login(self._database)
        with _loading():
            self._build(self._database)

    def _build(self, database: Database) -> None:
        from sightline.site import create_site
        from sightline.store.account_index.indexes import AccountIndexes as Indexes
        from sightline.store.replica import Replica

        made = services(self._settings, database)
        indexes = Indexes(database, self._settings.account_index_mb << 20)
        self._usage, self._indexes = made.usage, indexes
        replica = Replica(database, self._replica) if self._replica else None
        self._server = create_site(replace(made, indexes=indexes, replica=replica))

    async def stop(self) -> None:
        """Close the connections, when requests that were cut off have given back what they hold."""
        if self._requests:
            await asyncio.wait(self._requests, timeout=GIVING_BACK_SECONDS)
        if self._usage is not None:
            await self._indexes.close()
            await self._usage.flush()
        for each in (self._replica, self._database):
            if each is not None:
                await each.close()


def services(settings: Settings, database: Database) -> "Services":
    """What the operations of the API stand on."""
    from sightline.api.endpoint import Services
    from sightline.api.limits import RateLimiter
    from sightline.api.usage import UsageCounter
    from sightline.monitor.mail import send
    from sightline.search.retrieve import retriever

    encoder = retriever().encoder = make_encoder(settings)
    networks = settings.inside_networks
    return Services(
        database=database,
        limiter=RateLimiter(redis_url=settings.redis_url, processes=settings.api_processes),
        usage=UsageCounter(database),
        secrets=secret_box(settings),
        max_body_bytes=settings.max_body_bytes,
        trust_proxy=settings.trust_proxy,
        version=version("sightline"),
        live_refresh_seconds=settings.live_refresh_seconds,
        model=model_config(settings),
        model_name=settings.model,
        mail=partial(send, allow=networks),
        allowed_networks=networks,
        identity_provider=settings.identity_provider,
        most_webhooks=settings.most_webhooks,
        encoder=encoder,
    )


def create_api() -> LazyServer:
    """The factory that uvicorn calls in each of its processes; settings come from the environment."""
    from sightline.kit.logs import configure_logs

    settings = Settings()
    configure_logs(settings.log_level, settings.log_format)
    begin_tracing(settings.traces_to, "sightline-api")
    return LazyServer(settings)


def serve(settings: Settings) -> None:
    """Run the API until a signal stops it. The environment must hold the same settings."""
    import uvicorn

    from sightline.kit.processes import STOP_SECONDS

    uvicorn.run(
        "sightline.app:create_api",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.api_processes if settings.api_processes > 1 else None,
        loop="uvloop",
        http="sightline.api.protocol:ApiProtocol",
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=True,
        timeout_keep_alive=30,
        # Requests that take longer are cut off, in time before we are killed.
        timeout_graceful_shutdown=round(STOP_SECONDS - GIVING_BACK_SECONDS),
        h11_max_incomplete_event_size=64 * 1024,
        proxy_headers=False,
    )


def model_config(settings: Settings) -> "ModelConfig | None":
    """The language model of the settings, with the one that verifies; None when none is named."""
    from sightline.llm.models import ModelConfig

    def secret(key: "SecretStr | None") -> str | None:
        return key.get_secret_value() if key else None

    name, verifier = settings.model, settings.verifier_model
    if name is None:
        return None
    url, key, seconds = settings.model_base_url, settings.model_api_key, settings.model_seconds
    model = ModelConfig(
        name,
        url,
        secret(key),
        seconds,
        requests=settings.model_requests_per_answer,
        tool_calls=settings.model_look_ups_per_answer,
        context_tokens=settings.model_context_tokens,
        calls_tools=settings.model_calls_tools,
    )
    if verifier is None:
        return model
    own_url, own_key = settings.verifier_base_url, settings.verifier_api_key
    if verifier.partition(":")[0] == name.partition(":")[0]:
        # A key goes only to the server that it was given for.
        own_key = own_key or (key if own_url in (None, url) else None)
        own_url = own_url or url
    return replace(model, verifier=ModelConfig(verifier, own_url, secret(own_key), seconds))


def profile_author(settings: Settings) -> "Author | None":
    """Who writes sections of profiles; None without a model, or with nothing to spend."""
    from sightline.profile.author import Author, Budget

    model = model_config(settings)
    if model is None or not settings.model_requests_per_day:
        return None
    budget = Budget(
        settings.model_requests_per_company,
        settings.model_tokens_per_company,
        settings.model_requests_per_day,
        settings.model_tokens_per_day,
    )
    return Author(model, budget)


def make_encoder(settings: Settings) -> "Encoder | None":
    """The encoder of the settings, not yet loaded; None for `none`."""
    from sightline.reading.encoder import EncoderConfig, open_encoder

    key = settings.encoder_api_key
    return open_encoder(
        EncoderConfig(
            settings.encoder,
            settings.encoder_base_url,
            key.get_secret_value() if key else None,
        )
    )


def secret_box(settings: Settings) -> "SecretBox":
    """What encrypts secrets at rest: with the key of the settings, or the one of the data folder."""
    from sightline.kit.secrets import SecretBox, key_file, read_key

    if settings.secret_key is not None:
        return SecretBox(read_key(settings.secret_key.get_secret_value()))
    return SecretBox(key_file(settings.data_dir / "secrets" / "secret.key"))


def fetcher_config(settings: Settings) -> "FetcherConfig":
    """How the web is asked, live or recorded."""
    from sightline.kit.fetch.client import FetcherConfig
    from sightline.sample.web import SAMPLE_ADDRESSES, sample_archive

    return FetcherConfig(
        web=settings.web,
        sample_dir=sample_archive(),
        sample_addresses=SAMPLE_ADDRESSES,
        product=f"Sightline/{version('sightline')}",
        contact=settings.contact,
    )


def worker_config(settings: Settings) -> "WorkerConfig":
    """What a worker is made of."""
    from sightline.worker import WorkerConfig

    return WorkerConfig(
        url=database_url(settings),
        pool_size=settings.pool_size,
        wait_seconds=settings.pool_wait_seconds,
        fetcher=fetcher_config(settings),
        secrets=secret_box(settings),
        slots=settings.worker_slots,
        organization_slots=settings.organization_slots,
        evidence_days=settings.evidence_days,
        export_to=settings.export_to,
        export_hours=settings.export_hours,
        allowed_networks=settings.inside_networks,
        encoder=make_encoder(settings),
        author=profile_author(settings),
    )


def work(settings: Settings) -> None:
    """Run the worker until a signal stops it. One that rests becomes a new process with the same command,
    number and parent."""
    from sightline.kit.logs import configure_logs

    with _loading():
        from sightline.worker import run_worker

    configure_logs(settings.log_level, settings.log_format)
    begin_tracing(settings.traces_to, "sightline-worker")
    if asyncio.run(run_worker(worker_config(settings))):
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - our own command
