"""A scripted verifier: it reads the claims in its prompt and supports the configured ones."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from sightline.llm.models import ModelConfig
from sightline.reading.proof import VERSION
from sightline.store.database import Connection
from sightline.store.model_checks import Checked, Score, write_check
from tests.assistant.provider import Act, Call, Script

Decide = Callable[[dict[str, Any]], bool]


def is_verification(asked: dict[str, Any]) -> bool:
    """Whether a request is one of the verifier's."""
    return "<claims>" in _user(asked)


def claims_of(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The claims of a request: id, claim, quotes."""
    return _block(asked, "claims")


def supporting(asked: dict[str, Any]) -> Call:
    """Support every claim, by a quote of it."""
    return deciding(lambda claim: True)(asked)


def deciding(decide: Decide) -> Callable[[dict[str, Any]], Call]:
    """A verifier that supports the claims that `decide` says."""

    def script(asked: dict[str, Any]) -> Call:
        texts = {each["id"]: each["text"] for each in _block(asked, "passages")}
        return Call({"verdicts": [_verdict(each, texts, decide) for each in claims_of(asked)]})

    return script


def verified(
    script: Script | Sequence[Act], verifier: Script | Sequence[Act] = supporting
) -> Script:
    """A script for a model that writes and verifies; of acts the last serves all that follow."""
    asked_of = {False: 0, True: 0}

    def act(asked: dict[str, Any]) -> Act:
        of_verifier = is_verification(asked)
        chosen = verifier if of_verifier else script
        if callable(chosen):
            return chosen(asked)
        asked_of[of_verifier] += 1
        return chosen[min(asked_of[of_verifier], len(chosen)) - 1]

    return act


async def fail_the_check(connection: Connection, config: ModelConfig) -> None:
    """As if the model had been tried and had believed every falsehood."""
    scores = (Score("paraphrase", 100, 100), Score("roles", 100, 0))
    verifier = config.verifier or config
    made = Checked(verifier.name, verifier.base_url or "", VERSION, scores, 1)
    await write_check(connection, made)


def _verdict(claim: dict[str, Any], texts: dict[str, str], decide: Decide) -> dict[str, Any]:
    if not decide(claim):
        return {"id": claim["id"], "verdict": "not_said", "words": ""}
    first = claim["quotes"][0]
    words = first.get("quote") or texts[first["passage"]]
    return {"id": claim["id"], "verdict": "supported", "words": words}


def _block(asked: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = re.search(rf"<{name}>\n(.*)\n</{name}>", _user(asked), re.S)
    assert found, asked
    return [json.loads(line) for line in found[1].splitlines()]


def _user(asked: dict[str, Any]) -> str:
    return str(next(m["content"] for m in asked["messages"] if m["role"] == "user"))
