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
        description="Folder for the embedded database, its logs and secrets.",
    )
    database_url: str | None = Field(
        default=None,
        description="Any PostgreSQL 16+ to use instead of the embedded one: postgresql://user:password@host/name.",
    )
    replica_url: str | None = Field(
        default=None,
        description=(
            "A streaming replica of that database, for reads of single records and lists by the API. A read "
            "goes there only once the replica has everything written before it; while the primary is down, "
            "the replica answers with what it has."
        ),
    )
    host: str = Field(default="127.0.0.1", description="Address the API listens on.")
    port: int = Field(default=8000, ge=1, le=65535, description="Port the API listens on.")
    url: str | None = Field(
        default=None,
        description="Address of a remote Sightline server, used by `sightline mcp` and commands that read.",
    )
    api_key: SecretStr | None = Field(default=None, description="API key for that server.")
    web: str = Field(
        default="live",
        pattern=r"^(live|replay:.+)$",
        description="Where web pages come from: `live`, or `replay:<dir>` for a recorded archive.",
    )
    contact: str = Field(
        default="",
        max_length=200,
        description=(
            "Email address or URL where website owners can reach you, sent in the User-Agent. The SEC "
            "rejects requests without one."
        ),
    )
    account_index_mb: int = Field(
        default=512,
        ge=0,
        le=262_144,
        description=(
            "Memory for account indexes per API process, in megabytes; the least recently used are dropped "
            "first. About 0.4 MB per thousand accounts. 0: PostgreSQL answers every search."
        ),
    )
    worker_slots: int = Field(
        default=4, ge=1, le=64, description="Enrichments that one worker process runs at once."
    )
    organization_slots: int = Field(
        default=3,
        ge=1,
        le=64,
        description="Jobs of one organization that run at once, across all workers.",
    )
    evidence_days: int = Field(
        default=730,
        ge=1,
        le=36_500,
        description=(
            "Days to keep the original files of superseded documents. Their text, facts and hashes are kept."
        ),
    )
    traces_to: str | None = Field(
        default=None,
        description="OpenTelemetry collector, such as http://127.0.0.1:4318/v1/traces (extra `tracing`).",
    )
    export_to: str | None = Field(
        default=None,
        description=(
            "Where a worker exports changes as Parquet: a folder, or s3://bucket/prefix (extra `s3`). Each "
            "organization gets a folder named by its slug. Default: none."
        ),
    )
    export_hours: int = Field(
        default=24, ge=1, le=24 * 7, description="Hours between these exports."
    )
    archive_days: int = Field(
        default=0,
        ge=0,
        le=3_650,
        description=(
            "Days of history that `sightline restore --at` can go back to in the embedded database. Takes a "
            "compressed copy of the database a day, plus its log. Default: 0, no history."
        ),
    )
    archive_dir: Path | None = Field(
        default=None,
        description="Folder for that history, best on another disk. Default: beside the database.",
    )
    allowed_networks: str = Field(
        default="",
        description=(
            "Private networks in which mail servers and webhooks of organizations may be, such as "
            "`127.0.0.1, 10.1.0.0/16`. Default: none; they must be on the internet."
        ),
    )
    initial_credits: int = Field(
        default=1_000_000,
        ge=0,
        le=1_000_000_000,
        description="Credits of each kind that a new organization starts with.",
    )
    most_webhooks: int = Field(
        default=20, ge=0, le=1_000, description="Webhooks that one organization may have."
    )
    secret_key: SecretStr | None = Field(
        default=None,
        description=(
            "Key that encrypts the secrets of webhooks and integrations: 32 bytes in base64, the same on "
            "every node. Default: a file in the data folder, created on first use."
        ),
    )
    model: str | None = Field(
        default=None,
        max_length=200,
        description=(
            "Language model that writes answers, content and sections of profiles, as `provider:model` "
            "(openai, anthropic, google...); needs the extra `models`. Default: none; all text is "
            "extractive."
        ),
    )
    model_base_url: str | None = Field(
        default=None, description="Base URL of a server that speaks the provider's protocol."
    )
    model_api_key: SecretStr | None = Field(
        default=None,
        description="API key of the model's provider. Default: the provider's own environment variable.",
    )
    model_seconds: float = Field(
        default=25.0,
        gt=0,
        le=300,
        description=(
            "Maximum time for the language model to write one answer, including look-ups, or one text; "
            "verification may take as long again, and the draft of a profile four times as long."
        ),
    )
    model_requests_per_answer: int = Field(
        default=6,
        ge=3,
        le=30,
        description="Maximum requests to the language model per answer, excluding verification.",
    )
    model_look_ups_per_answer: int = Field(
        default=12, ge=1, le=100, description="Maximum tool calls per answer."
    )
    model_context_tokens: int = Field(
        default=32_000,
        ge=4_000,
        description="Size of the language model's context, in tokens; prompts stay below it.",
    )
    model_calls_tools: bool = Field(
        default=True,
        description=(
            "Whether the language model can call tools. If not, or if its server rejects tools, it gets the "
            "best passages instead."
        ),
    )
    verifier_model: str | None = Field(
        default=None,
        max_length=200,
        description=(
            "Language model that verifies what `model` writes, as `provider:model`; a cheaper one may do "
            "(test it with `sightline model check`). Default: the same model."
        ),
    )
    verifier_base_url: str | None = Field(
        default=None,
        description=(
            "Base URL of the verifier's server. Default: that of the model, if both use the same provider."
        ),
    )
    verifier_api_key: SecretStr | None = Field(
        default=None,
        description=(
            "API key of the verifier's provider. Default: that of the model, if both use the same provider "
            "and the verifier has no base URL of its own."
        ),
    )
    model_requests_per_company: int = Field(
        default=40,
        ge=0,
        description="Maximum times per day (UTC) that the model writes one company's profile.",
    )
    model_tokens_per_company: int = Field(
        default=300_000,
        ge=0,
        description="Maximum tokens, input and output, for writing one company's profile per day (UTC).",
    )
    model_requests_per_day: int = Field(
        default=5_000,
        ge=0,
        description=(
            "Maximum profiles that the model writes per day (UTC), an organization's sections counted "
            "separately; 0 keeps profiles extractive."
        ),
    )
    model_tokens_per_day: int = Field(
        default=20_000_000,
        ge=0,
        description="Maximum tokens, input and output, for writing all profiles per day (UTC).",
    )
    encoder: str = Field(
        default="bundled",
        max_length=1_000,
        pattern=r"^(bundled|none|(onnx|openai):.+)$",
        description=(
            "Embedding model for search by meaning: `bundled` (all-MiniLM-L6-v2, English, runs here), "
            "`onnx:<folder>` with another `model.onnx` and its `tokenizer.json`, `openai:<model>` on a "
            "server that speaks OpenAI's embeddings protocol and receives passages and questions, or `none` "
            "for search by words only."
        ),
    )
    encoder_base_url: str | None = Field(
        default=None,
        description="Base URL of that server, such as `http://127.0.0.1:8080/v1`. Default: OpenAI's.",
    )
    encoder_api_key: SecretStr | None = Field(
        default=None, description="API key of that server. Default: OPENAI_API_KEY, if set."
    )
    redis_url: str | None = Field(
        default=None,
        description="Redis or Valkey that several API processes share for rate limits.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Minimum severity of log lines."
    )
    log_format: Literal["json", "console"] = Field(
        default="json", description="JSON lines for machines, or colored text for people."
    )
    api_processes: int = Field(
        default=1, ge=1, le=64, description="API server processes that `sightline serve` starts."
    )
    pool_size: int = Field(
        default=10, ge=2, le=200, description="Database connections per process."
    )
    pool_wait_seconds: float = Field(
        default=1.0, gt=0, le=60, description="Maximum wait for a connection before a 503."
    )
    statement_timeout_seconds: float = Field(
        default=5.0, gt=0, le=600, description="Maximum run time of one SQL statement of a request."
    )
    live_refresh_seconds: float = Field(
        default=8.0,
        gt=0,
        le=60,
        description="Maximum time that a request for live job postings waits for them.",
    )
    max_body_bytes: int = Field(
        default=1_000_000, ge=1_000, description="Largest request body; larger ones get 413."
    )
    trust_proxy: bool = Field(
        default=False,
        description="Trust X-Forwarded-For for client addresses; set it only behind your own proxy.",
    )

    sign_on_issuer: str | None = Field(
        default=None,
        pattern=r"^(https://|http://(localhost|127\.0\.0\.1)[:/]).+$",
        description=(
            "Issuer URL of the OpenID Connect provider for console users, such as "
            "`https://login.example.com/realms/acme`. Default: none; passwords only."
        ),
    )
    sign_on_client_id: str = Field(default="", description="Client id at the provider.")
    sign_on_client_secret: SecretStr = Field(default=SecretStr(""), description="Client secret.")
    sign_on_title: str = Field(
        default="single sign-on", max_length=40, description="Provider name shown on the button."
    )
    sign_on_workspace: str = Field(
        default="default", description="Organization whose users sign in through the provider."
    )
    sign_on_domains: str = Field(
        default="",
        description=(
            "Email domains that may sign in, such as `acme.com, acme.de`. Default: every address that the "
            "provider has verified."
        ),
    )
    sign_on_role_claim: str = Field(
        default="",
        description=(
            "Claim of the ID token that determines the role, such as `groups`. Default: new users are "
            "members, and roles are managed in Sightline."
        ),
    )
    sign_on_roles: str = Field(
        default="",
        description=(
            "Role for each value of that claim: `it-admins=owner, sales-leads=admin, sales=member`. The "
            "highest role counts; users without one cannot sign in."
        ),
    )

    sign_on_audience: str = Field(
        default="",
        description=(
            "Audience (`aud`) of access tokens for agents at `/mcp`; with most providers, its URL. Default: "
            "none; agents need an API key."
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
