"""A client of the Sightline API."""

from sightline_client.client import AsyncSightline, Sightline
from sightline_client.errors import ApiError, NoAnswer, SightlineError, WebhookIsInvalid
from sightline_client.generated.version import __version__
from sightline_client.waiting import OperationIsRunning

__all__ = [
    "ApiError",
    "AsyncSightline",
    "NoAnswer",
    "OperationIsRunning",
    "Sightline",
    "SightlineError",
    "WebhookIsInvalid",
    "__version__",
]
