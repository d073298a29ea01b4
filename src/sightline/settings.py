"""Every setting of Sightline, typed. Values are passed down; nothing below imports this module.

Precedence: command line, then environment (`SIGHTLINE_…`), then the TOML file named by
`SIGHTLINE_CONFIG` (default `<data_dir>/sightline.toml`), then the defaults here.
"""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, PostgresDsn, SecretStr, TypeAdapter, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from sightline.domain.sign_on import IdentityProvider, read_roles
from sightline.kit.fetch.addresses import IPNetwork, read_networks


def default_data_dir() -> Path:
    """The user's data folder by the XDG rule: `$XDG_DATA_HOME/sightline`."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "sightline"


class Settings(BaseSettings):
    """One comment (description) each; `docs/reference/settings.md` is generated from here."""

    model_config = SettingsConfigDict(env_prefix="SIGHTLINE_", extra="forbid", frozen=True)

    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Folder of the embedded database, its logs and secrets.",
    )
    database_url: str | None = Field(
        default=None,
        description="Any PostgreSQL 16+ to use instead of the embedded one: postgresql://user:password@host/name.",
    )
    replica_url: str | None = Field(
        default=None,
        description=(
            "A streaming replica of that database, for reads of one thing or one list by API processes. A "
            "read goes there only when the replica has all that was written before; while the primary is "
            "away it answers what it has."
        ),
    )
    host: str = Field(default="127.0.0.1", description="Address the API listens on.")
    port: int = Field(default=8000, ge=1, le=65535, description="Port the API listens on.")
    url: str | None = Field(
        default=None,
        description="Address of a Sightline elsewhere: commands that read, and `sightline mcp`, use it.",
    )
    api_key: SecretStr | None = Field(default=None, description="API key for that server.")
    web: str = Field(
        default="live",
        pattern=r"^(live|replay:.+)$",
        description="Where outside pages come from: `live`, or `replay:<dir>` for a recorded archive.",
    )
    contact: str = Field(
        default="",
        max_length=200,
        description=(
            "Email address or URL that websites may complain to, sent in the User-Agent. The SEC "
            "refuses requests without one."
        ),
    )
    account_index_mb: int = Field(
        default=512,
        ge=0,
        le=262_144,
        description=(
            "Memory of one API process for indexes of accounts, in megabytes; the least recently used go "
            "first. About 0.4 a thousand accounts. 0: PostgreSQL answers every search."
        ),
    )
    worker_slots: int = Field(
        default=4, ge=1, le=64, description="Enrichments that one worker process runs at once."
    )
    organization_slots: int = Field(
        default=3,
        ge=1,
        le=64,
        description="Pieces of one organization's work that run at once, in all workers together.",
    )
    evidence_days: int = Field(
        default=730,
        ge=1,
        le=36_500,
        description=(
            "How long bodies of superseded documents are kept. Their text, facts and hashes stay."
        ),
    )
    traces_to: str | None = Field(
        default=None,
        description=(
            "Collector of OpenTelemetry traces, such as http://127.0.0.1:4318/v1/traces (extra"
            " `tracing`); none without it."
        ),
    )
    export_to: str | None = Field(
        default=None,
        description=(
            "Where a worker writes what changed as Parquet: a folder, or s3://bucket/prefix (extra `s3`)."
            " Each organization has a folder of its slug there; none without it."
        ),
    )
    export_hours: int = Field(
        default=24, ge=1, le=24 * 7, description="How often it does so, in hours."
    )
    archive_days: int = Field(
        default=0,
        ge=0,
        le=3_650,
        description=(
            "Days to any moment of which `sightline restore --at` can bring the embedded database back. "
            "Costs a compressed copy of it a day, and its log. Default: 0, none is kept."
        ),
    )
    archive_dir: Path | None = Field(
        default=None,
        description=(
            "Folder of that history; on another disk it outlives this one. Default: beside the database."
        ),
    )
    allowed_networks: str = Field(
        default="",
        description=(
            "Inside networks that mail servers and webhooks of organizations may stand in, such as "
            "`127.0.0.1, 10.1.0.0/16`. Default: none; whatever an organization names is on the internet."
        ),
    )
    initial_credits: int = Field(
        default=1_000_000,
        ge=0,
        le=1_000_000_000,
        description="Credits of each kind that a new organization begins with.",
    )
    most_webhooks: int = Field(
        default=20, ge=0, le=1_000, description="Webhooks that one organization may have."
    )
    secret_key: SecretStr | None = Field(
        default=None,
        description=(
            "32 bytes in base64 that secrets of webhooks and integrations are encrypted with; every "
            "node needs the same. Default: a file in the data folder, made on first use."
        ),
    )
    model: str | None = Field(
        default=None,
        max_length=200,
        description=(
            "Language model that writes answers, content and sections of profiles, as `provider:model` "
            "(openai, anthropic, google...); needs the extra `models`. Default: none, all is extractive."
        ),
    )
    model_base_url: str | None = Field(
        default=None, description="Address of a server that speaks the provider's protocol."
    )
    model_api_key: SecretStr | None = Field(
        default=None,
        description="Key of the model's provider. Default: the provider's own environment variable.",
    )
    model_seconds: float = Field(
        default=25.0,
        gt=0,
        le=300,
        description=(
            "Longest that the language model may take for one answer, its look-ups included, or for one "
            "piece of writing; verifying it may take as long again."
        ),
    )
    model_requests_per_answer: int = Field(
        default=6,
        ge=3,
        le=30,
        description="Requests to the language model that one answer may take, without the verifier's.",
    )
    model_look_ups_per_answer: int = Field(
        default=12, ge=1, le=100, description="Calls of tools that one answer may take."
    )
    model_context_tokens: int = Field(
        default=32_000,
        ge=4_000,
        description=(
            "Tokens that fit into the language model's context; what it is shown for one answer is kept "
            "below it."
        ),
    )
    model_calls_tools: bool = Field(
        default=True,
        description=(
            "Whether the language model can call tools. Off, it is shown the best passages instead, as "
            "is one whose server refuses tools."
        ),
    )
    verifier_model: str | None = Field(
        default=None,
        max_length=200,
        description=(
            "Language model that verifies what `model` writes, as `provider:model`; a cheaper one may "
            "do (`sightline model check` tells). Default: the same model."
        ),
    )
    verifier_base_url: str | None = Field(
        default=None,
        description=(
            "Address of the verifier's server. Default: that of the model, if both name one provider."
        ),
    )
    verifier_api_key: SecretStr | None = Field(
        default=None,
        description=(
            "Key of the verifier's provider. Default: that of the model, if both name one provider and "
            "no address of its own is set."
        ),
    )
    model_requests_per_company: int = Field(
        default=40,
        ge=0,
        description="Sections of one company's profile that the model may write a day (UTC).",
    )
    model_tokens_per_company: int = Field(
        default=300_000,
        ge=0,
        description="Tokens, in and out, that writing one company's profile may take a day (UTC).",
    )
    model_requests_per_day: int = Field(
        default=5_000,
        ge=0,
        description=(
            "Sections of all profiles that the model may write a day (UTC); 0 leaves profiles extractive."
        ),
    )
    model_tokens_per_day: int = Field(
        default=20_000_000,
        ge=0,
        description="Tokens, in and out, that writing all profiles may take a day (UTC).",
    )
    encoder: str = Field(
        default="bundled",
        max_length=1_000,
        pattern=r"^(bundled|none|(onnx|openai):.+)$",
        description=(
            "Model that finds texts by their meaning: `bundled` (all-MiniLM-L6-v2, English, runs here), "
            "`onnx:<folder>` with another `model.onnx` and its `tokenizer.json`, `openai:<model>` on a "
            "server that speaks OpenAI's embeddings protocol, which is then sent passages and questions, "
            "or `none` for words alone."
        ),
    )
    encoder_base_url: str | None = Field(
        default=None,
        description="Address of that server, such as `http://127.0.0.1:8080/v1`. Default: OpenAI's.",
    )
    encoder_api_key: SecretStr | None = Field(
        default=None, description="Key of that server. Default: OPENAI_API_KEY, if set."
    )
    redis_url: str | None = Field(
        default=None,
        description="Redis or Valkey that several API processes share for rate limits.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least severe log line written."
    )
    log_format: Literal["json", "console"] = Field(
        default="json", description="JSON lines for machines, or coloured text for people."
    )
    api_processes: int = Field(
        default=1, ge=1, le=64, description="API server processes that `sightline serve` starts."
    )
    pool_size: int = Field(
        default=10, ge=2, le=200, description="Database connections per process."
    )
    pool_wait_seconds: float = Field(
        default=1.0, gt=0, le=60, description="Wait for a free connection before answering 503."
    )
    statement_timeout_seconds: float = Field(
        default=5.0, gt=0, le=600, description="Longest a statement of a request may run."
    )
    live_refresh_seconds: float = Field(
        default=8.0,
        gt=0,
        le=60,
        description="Longest that a request for live job postings waits for them.",
    )
    max_body_bytes: int = Field(
        default=1_000_000, ge=1_000, description="Largest request body; larger ones get 413."
    )
    trust_proxy: bool = Field(
        default=False,
        description="Believe X-Forwarded-For for key IP allow-lists; only behind your own proxy.",
    )

    sign_on_issuer: str | None = Field(
        default=None,
        pattern=r"^(https://|http://(localhost|127\.0\.0\.1)[:/]).+$",
        description=(
            "Issuer of an OpenID Connect provider that users of the console sign in at, such as "
            "`https://login.example.com/realms/acme`. Default: none, passwords alone."
        ),
    )
    sign_on_client_id: str = Field(default="", description="Client id that it knows us by.")
    sign_on_client_secret: SecretStr = Field(default=SecretStr(""), description="Its secret.")
    sign_on_title: str = Field(
        default="single sign-on", max_length=40, description="The provider's name on the button."
    )
    sign_on_workspace: str = Field(
        default="default", description="Organization whose users sign in there."
    )
    sign_on_domains: str = Field(
        default="",
        description=(
            "Domains of email addresses that are let in, such as `acme.com, acme.de`. Default: all that "
            "the provider has verified."
        ),
    )
    sign_on_role_claim: str = Field(
        default="",
        description=(
            "Claim of the ID token that says what a user may do, such as `groups`. Default: new users "
            "are members, and roles are kept here."
        ),
    )
    sign_on_roles: str = Field(
        default="",
        description=(
            "Which value of that claim gives which role: `it-admins=owner, sales-leads=admin, "
            "sales=member`. The highest counts; who has none is not let in."
        ),
    )

    sign_on_audience: str = Field(
        default="",
        description=(
            "What access tokens of agents at `/mcp` are made for (`aud`), by most providers its address. "
            "Default: none, agents need an API key."
        ),
    )

    @property
    def inside_networks(self) -> tuple[IPNetwork, ...]:
        """The inside networks that what organizations name may stand in."""
        return read_networks(self.allowed_networks.split(",")) if self.allowed_networks else ()

    @property
    def identity_provider(self) -> IdentityProvider | None:
        """Where users of the console may sign in; None when none is named."""
        if self.sign_on_issuer is None:
            return None
        domains = (domain.strip().lower() for domain in self.sign_on_domains.split(","))
        return IdentityProvider(
            issuer=self.sign_on_issuer,
            client_id=self.sign_on_client_id,
            client_secret=self.sign_on_client_secret.get_secret_value(),
            workspace=self.sign_on_workspace,
            title=self.sign_on_title,
            domains=frozenset(filter(None, domains)),
            role_claim=self.sign_on_role_claim,
            audience=self.sign_on_audience,
            roles=read_roles(self.sign_on_roles),
        )

    @field_validator("sign_on_roles")
    @classmethod
    def _sign_on_roles_are_roles(cls, value: str) -> str:
        read_roles(value)
        return value

    @field_validator("database_url", "replica_url")
    @classmethod
    def _database_url_is_postgresql(cls, value: str | None) -> str | None:
        if value is not None:
            TypeAdapter(PostgresDsn).validate_python(value)
        return value

    @field_validator("allowed_networks")
    @classmethod
    def _allowed_networks_are_networks(cls, value: str) -> str:
        read_networks(value.split(",") if value.strip() else [])
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del dotenv_settings, file_secret_settings
        data_dir = init_settings().get("data_dir") or os.environ.get("SIGHTLINE_DATA_DIR")
        named = os.environ.get("SIGHTLINE_CONFIG")
        path = Path(named) if named else Path(data_dir or default_data_dir()) / "sightline.toml"
        if named and not path.is_file():
            raise FileNotFoundError(f"SIGHTLINE_CONFIG names {path}, which is not a file.")
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=path)
