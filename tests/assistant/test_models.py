"""Models are opened by their settings, of any provider, and ask nothing by being opened."""

from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import httpcore2
import pytest
from pydantic import BaseModel

from sightline.app import model_config, profile_author
from sightline.llm.asking import ModelDidNotAnswer, ask, seat
from sightline.llm.models import ModelConfig, ModelIsUnavailable, open_model
from sightline.settings import Settings
from tests.assistant.provider import Call, Fail, provider


def configured(tmp_path: Path, **settings: object) -> ModelConfig:
    made = model_config(Settings.model_validate({"data_dir": tmp_path, **settings}))
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("openai:gpt-5", "OpenAIChatModel"),
        ("anthropic:claude-sonnet-4-5", "AnthropicModel"),
        ("google:gemini-2.5-pro", "GoogleModel"),
    ],
)
@pytest.mark.parametrize("base_url", [None, "http://127.0.0.1:9/v1"])
def test_a_setting_names_provider_and_model(
    name: str, kind: str, base_url: str | None, tmp_path: Path
) -> None:
    config = configured(tmp_path, model=name, model_base_url=base_url, model_api_key="k-invented")
    assert "k-invented" not in repr(config)
    model = open_model(config)
    assert type(model).__name__ == kind  # imported when it is opened: each takes seconds
    assert model.model_name == name.partition(":")[2]
    if base_url is not None:
        assert "127.0.0.1:9" in str(model.base_url)


def test_a_server_of_one_s_own_needs_no_key(tmp_path: Path) -> None:
    config = configured(tmp_path, model="openai:any", model_base_url="http://127.0.0.1:9/v1")
    assert open_model(config).system == "openai"


def test_a_verifier_is_asked_where_it_is_said_to_be(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9/v1"
    named = {"model": "openai:big", "model_base_url": url, "model_api_key": "k-one"}
    assert configured(tmp_path, **named).verifier is None
    near = configured(tmp_path, **named, verifier_model="openai:small").verifier
    assert near == ModelConfig("openai:small", url, "k-one")
    far = configured(tmp_path, **named, verifier_model="anthropic:small").verifier
    assert far == ModelConfig("anthropic:small")
    # A key goes to no other server than the one that it is for.
    other = {"verifier_model": "openai:small", "verifier_base_url": "http://127.0.0.1:8/v1"}
    assert configured(tmp_path, **named, **other).verifier == ModelConfig(
        "openai:small", "http://127.0.0.1:8/v1"
    )
    keyed = configured(tmp_path, **named, **other, verifier_api_key="k-two").verifier
    assert keyed is not None
    assert keyed.api_key == "k-two"


@pytest.mark.parametrize(
    "name", ["unknown:any", "openai:", "openai", "anthropic:any", "google:any"]
)
def test_what_cannot_be_opened_is_unavailable(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ModelIsUnavailable):
        open_model(ModelConfig(name))


def test_profiles_are_written_only_with_something_to_spend(tmp_path: Path) -> None:
    named = {"data_dir": tmp_path, "model": "openai:any"}
    assert profile_author(Settings.model_validate(named)) is not None
    assert profile_author(Settings.model_validate(named | {"model_requests_per_day": 0})) is None
    assert profile_author(Settings.model_validate({"data_dir": tmp_path})) is None


class Colour(BaseModel):
    name: str


async def test_an_answer_has_its_type_and_its_price() -> None:
    with provider([Call({"name": "green"})]) as model:
        said = await ask(
            model.config(), Colour, instructions="Answer.", prompt="Which?", most_tokens=50
        )
    assert (said.output, said.input_tokens, said.output_tokens) == (Colour(name="green"), 100, 20)
    sent = model.requests[0]
    assert 50 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))


@pytest.mark.parametrize("name", ["openai:any", "anthropic:any"])
async def test_connecting_may_take_the_time_of_the_answer(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that has just started the loop may not come to a connection for longer than the 5 seconds
    that clients give it by default; three tries later the answer had no model."""
    patience = []

    async def connect(*address: object, **options: object) -> None:
        patience.append(options["timeout"])
        raise httpcore2.ConnectError("not now")

    monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", connect)
    config = ModelConfig(name, "http://127.0.0.1:9/v1", "invented", seconds=90)
    with pytest.raises(ModelDidNotAnswer):
        await ask(config, Colour, instructions="", prompt="Which?", most_tokens=50)
    assert set(patience) == {90}


async def test_a_provider_that_wants_a_pause_is_heard() -> None:
    with (
        provider([Fail(429, {"retry-after": "0"})]) as model,
        pytest.raises(ModelDidNotAnswer) as failed,
    ):
        await ask(model.config(), Colour, instructions="", prompt="Which?", most_tokens=50)
    assert (failed.value.reason, failed.value.retry_after) == ("rate_limited", 0.0)


async def test_what_a_provider_says_of_a_failure_is_not_repeated() -> None:
    refusal = Fail(401, body='{"error": {"message": "key k-invented is bad"}}')
    with provider([refusal]) as model, pytest.raises(ModelDidNotAnswer) as failed:
        await ask(model.config(), Colour, instructions="", prompt="Which?", most_tokens=50)
    assert failed.value.reason == "failed"
    assert "k-invented" not in str(failed.value)


def test_one_organization_never_takes_all_seats() -> None:
    one, other = uuid4(), uuid4()
    with ExitStack() as taken:
        for _ in range(8):
            taken.enter_context(seat(one))
        with pytest.raises(ModelDidNotAnswer) as refused:
            taken.enter_context(seat(one))
        assert refused.value.reason == "busy"
        taken.enter_context(seat(other))
    with seat(one):
        pass
