"""Proves that a webhook message comes from your Sightline (https://www.standardwebhooks.com)."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, Final

from sightline_client.errors import WebhookIsInvalid

_TOLERANCE: Final = 300  # seconds that the clocks of sender and receiver may differ


def verify(body: bytes, headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """The message: `type`, `timestamp` and `data`.

    `body` is the request's body as it came: what was parsed and printed again has another signature.
    Remember `webhook-id` for some days: a delivery may come twice. Raises WebhookIsInvalid.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, stamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split()
        age = abs(time.time() - int(stamp))
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except KeyError as error:
        raise WebhookIsInvalid(f"The header {error.args[0]} is missing.") from error
    except (ValueError, binascii.Error) as error:
        raise WebhookIsInvalid("The timestamp is no number, or the secret is none.") from error
    if age > _TOLERANCE:
        raise WebhookIsInvalid("The message is too old, or from the future.")
    signed = f"{identifier}.{stamp}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    if not any(hmac.compare_digest(wanted.encode(), each.encode()) for each in signatures):
        raise WebhookIsInvalid("No signature fits the message and the secret.")
    message: dict[str, Any] = json.loads(body)
    return message
