"""Language models by name, through pydantic-ai, which is imported only when a model is opened."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

_CLASSES = {
    "openai": ("OpenAIChatModel", "OpenAIProvider"),
    "anthropic": ("AnthropicModel", "AnthropicProvider"),
    "google": ("GoogleModel", "GoogleProvider"),
}
_TIMED_BY_PHASE = (
    "openai",
    "anthropic",
)  # providers with a setting of how long connecting may take
DEFAULT_SECONDS = 25.0
DEFAULT_REQUESTS = 6
DEFAULT_TOOL_CALLS = 12
DEFAULT_CONTEXT_TOKENS = 32_000


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """`name` is `provider:model`. Without a key the provider's own environment variable is used.

    `seconds` is the longest that one answer may take, its tools and second tries included. `verifier`
    is the model that checks what this one says; None: this one does. `requests` and `tool_calls` bound
    one answer, `context_tokens` what it is shown. `calls_tools` False: it is shown passages instead.
    """

    name: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    seconds: float = DEFAULT_SECONDS
    verifier: "ModelConfig | None" = None
    requests: int = DEFAULT_REQUESTS
    tool_calls: int = DEFAULT_TOOL_CALLS
    context_tokens: int = DEFAULT_CONTEXT_TOKENS
    calls_tools: bool = True


class ModelIsUnavailable(RuntimeError):
    """The model cannot be opened: a package is missing, or its name or key is wrong."""


def open_model(config: ModelConfig) -> "Model":
    """The model, not yet asked for anything. Its connections close with the agent that asks it, so it
    is opened for every answer. Raises ModelIsUnavailable."""
    try:
        return _open(config)
    except ImportError as error:
        raise ModelIsUnavailable("Install the extra `models` to use a language model.") from error
    except Exception as error:  # each provider has errors of its own for a wrong name or key
        raise ModelIsUnavailable(
            f"{config.name} cannot be opened: {type(error).__name__}."
        ) from error


def settings_of(config: ModelConfig, most_tokens: int) -> "ModelSettings":
    """What a request to the model may take. Clients give up connecting after 5 seconds, three times, while a
    machine that has just started may need longer to come to it: it may take the time of the answer."""
    from pydantic_ai.settings import ModelSettings

    provider = config.name.partition(":")[0]
    if provider not in _TIMED_BY_PHASE:
        return ModelSettings(max_tokens=most_tokens)
    # Reading has no limit but that of the answer.
    timeout = import_module(provider).Timeout(config.seconds, read=None)
    return ModelSettings(max_tokens=most_tokens, timeout=timeout)


def _open(config: ModelConfig) -> "Model":
    provider, _, name = config.name.partition(":")
    # A server of one's own asks for no key, but the client insists on one.
    own = "none" if provider == "openai" and config.base_url else None
    key = config.api_key or own
    if provider not in _CLASSES or not name or key is None:
        from pydantic_ai.models import infer_model

        return infer_model(config.name)
    model, client = _CLASSES[provider]
    models = import_module(f"pydantic_ai.models.{provider}")
    providers = import_module(f"pydantic_ai.providers.{provider}")
    opened = getattr(providers, client)(base_url=config.base_url, api_key=key)
    made: Model = getattr(models, model)(name, provider=opened)
    return made
