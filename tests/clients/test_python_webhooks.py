"""Verifying webhooks with the Python client."""

import json
import time
from typing import Any

import pytest
from standardwebhooks import Webhook

from sightline_client import WebhookIsInvalid
from sightline_client.webhooks import verify

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = json.dumps({"type": "alert", "data": {"title": "New plant – Größe"}}).encode()


def headers(body: bytes = BODY, *, secret: str = SECRET, age: int = 0) -> dict[str, str]:
    """As the server signs: the official library makes the signature."""
    from datetime import UTC, datetime

    stamp = int(time.time()) - age
    moment = datetime.fromtimestamp(stamp, UTC)
    signature = Webhook(secret).sign("msg_1", moment, body.decode())
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(stamp), "webhook-signature": signature}


def test_a_message_that_is_signed_is_read() -> None:
    assert verify(BODY, headers(), SECRET)["data"]["title"] == "New plant – Größe"


def test_one_of_several_signatures_is_enough() -> None:
    rotated = headers()
    rotated["webhook-signature"] = "v1,AAAA " + rotated["webhook-signature"]
    assert verify(BODY, rotated, SECRET)["type"] == "alert"


@pytest.mark.parametrize(
    ("body", "given", "secret"),
    [
        (BODY + b" ", {}, SECRET),
        (BODY, {"secret": "whsec_AAAA"}, SECRET),
        (BODY, {"age": 301}, SECRET),
        (BODY, {"age": -400}, SECRET),
        (BODY, {"webhook-timestamp": "soon"}, SECRET),
        (BODY, {"webhook-signature": "v1,ä"}, SECRET),
        (BODY, {}, "whsec_?"),
    ],
)
def test_anything_else_is_refused(body: bytes, given: dict[str, Any], secret: str) -> None:
    how = {name: given[name] for name in ("secret", "age") if name in given}
    made = headers(**how) | {name: given[name] for name in given.keys() - how.keys()}
    with pytest.raises(WebhookIsInvalid):
        verify(body, made, secret)


def test_a_message_without_a_signature_is_refused() -> None:
    with pytest.raises(WebhookIsInvalid):
        verify(BODY, {}, SECRET)
