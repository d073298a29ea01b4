"""Refusals that no operation makes: of what is no request, and of a server that cannot write."""

from sightline.domain.errors import Refusal, RequestIsInvalid


class HttpIsMalformed(RequestIsInvalid):
    """The bytes received are not a valid HTTP request."""

    code = "invalid_http"
    place = "request"


class RequestIsTooSlow(Refusal):
    """The request was not received within the time limit."""

    type = "timeout"
    code = "request_timeout"


class StorageIsFull(Refusal):
    """The database cannot write: its disk is full or failing. The operator has to free space."""

    type = "unavailable"
    code = "storage_full"
    retry_after = 30
