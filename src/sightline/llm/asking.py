"""Requests to a model: one typed answer within a time limit, and a one-word reason for each failure."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

from anyio import CancelScope

from sightline.kit.tracing import span
from sightline.llm.models import ModelConfig, ModelIsUnavailable, open_model, settings_of

T = TypeVar("T")

Reason = Literal["busy", "unavailable", "timeout", "rate_limited", "malformed", "failed"]
_TOO_MANY_REQUESTS = 429
_NO_TOOLS = (400, 404, 405, 422, 500, 501)  # what servers answer that cannot call tools
# Requests of this process that wait for a model at once, and those of one organization: the caller who is one
# too many has an answer at once, without the model.
_MOST_WAITING = 32
_MOST_WAITING_EACH = 8


class ModelDidNotAnswer(RuntimeError):
    """No answer, with the reason. `retry_after`: seconds that the provider asked to wait."""

    def __init__(self, reason: Reason, detail: str, *, retry_after: float | None = None) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: Reason = reason
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What the model answered and the tokens it took."""

    output: T
    input_tokens: int
    output_tokens: int


async def ask(
    config: ModelConfig, output_type: type[T], *, instructions: str, prompt: str, most_tokens: int
) -> Asked[T]:
    """Ask once, without tools; `most_tokens` bounds what it writes. Raises ModelDidNotAnswer.

    A model that cannot call tools is asked for JSON in its text.
    """
    with explained():
        model = await asyncio.to_thread(open_model, config)  # the first time it imports much
        from pydantic_ai import Agent, PromptedOutput

        async def run(form: Any) -> Asked[T]:
            agent: Agent[None, T] = Agent(
                model,
                output_type=form,
                instructions=instructions,
                model_settings=settings_of(config, most_tokens),
            )
            with span("model", model=config.name):
                result = await agent.run(prompt)
            usage = result.usage
            return Asked(result.output, usage.input_tokens or 0, usage.output_tokens or 0)

        async with asyncio.timeout(config.seconds), opened(model):
            if config.calls_tools or output_type is str:
                try:
                    return await run(output_type)
                except Exception as error:
                    if not refuses_tools(error):
                        raise
            return await run(PromptedOutput(output_type))


@asynccontextmanager
async def opened(closes: AbstractAsyncContextManager[object]) -> AsyncIterator[None]:
    """Enter a model or an agent, and close its connections even where its time has ended: what cancels it
    would cancel the closing too."""
    await closes.__aenter__()
    try:
        yield
    finally:
        with CancelScope(shield=True):
            await closes.__aexit__(None, None, None)


def refuses_tools(error: Exception) -> bool:
    """Whether a server answered that its model cannot call tools."""
    from pydantic_ai.exceptions import ModelHTTPError

    return (
        isinstance(error, ModelHTTPError)
        and error.status_code in _NO_TOOLS
        and "tool" in str(error.body).casefold()
    )


_WAITING: Counter[UUID] = Counter()


@contextmanager
def seat(organization_id: UUID) -> Iterator[None]:
    """One of the places of requests that wait for a model. Raises ModelDidNotAnswer: busy."""
    if _WAITING[organization_id] >= _MOST_WAITING_EACH or _WAITING.total() >= _MOST_WAITING:
        raise ModelDidNotAnswer("busy", "Too many requests are already waiting for a model.")
    _WAITING[organization_id] += 1
    try:
        yield
    finally:
        _WAITING[organization_id] -= 1
        if not _WAITING[organization_id]:
            del _WAITING[organization_id]


@contextmanager
def explained() -> Iterator[None]:
    """Turn whatever a model or its provider fails with into ModelDidNotAnswer."""
    try:
        yield
    except ModelDidNotAnswer:
        raise
    except ModelIsUnavailable as error:
        raise ModelDidNotAnswer("unavailable", str(error)) from error
    except TimeoutError as error:
        raise ModelDidNotAnswer("timeout", "It took too long.") from error
    except Exception as error:  # providers fail in ways of their own
        raise _explained(error) from error


def _explained(error: Exception) -> ModelDidNotAnswer:
    from pydantic_ai.exceptions import ModelHTTPError, UnexpectedModelBehavior

    # What a provider says may repeat the prompt or the key: only the kind of failure is said.
    detail = type(error).__name__
    if isinstance(error, ModelHTTPError) and error.status_code == _TOO_MANY_REQUESTS:
        return ModelDidNotAnswer("rate_limited", detail, retry_after=_retry_after(error))
    if isinstance(error, UnexpectedModelBehavior):
        return ModelDidNotAnswer("malformed", detail)
    return ModelDidNotAnswer("failed", detail)


def _retry_after(error: Exception) -> float | None:
    headers = getattr(error, "headers", None) or {}
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None
