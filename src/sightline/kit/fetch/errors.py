"""Every way a fetch can fail; the docstring of each is its message."""

from typing import ClassVar


class FetchFailed(Exception):
    """A fetch that has no answer.

    `outcome` is a stable snake_case word for reports and metrics; `retryable` says whether the same
    fetch may work later; `retry_after` is in seconds, where the other side or the pace named a time.
    `url` never has a query: queries may carry secrets, and errors end in logs.
    """

    outcome: ClassVar[str] = "failed"
    retryable: ClassVar[bool] = False

    def __init_subclass__(cls, *, outcome: str, retryable: bool = False) -> None:
        cls.outcome = outcome
        cls.retryable = retryable

    def __init__(self, url: str, detail: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(url, detail)
        self.url = without_query(url)
        self.detail = detail
        self.retry_after = retry_after

    @property
    def sentence(self) -> str:
        return self.__doc__ or ""

    def __str__(self) -> str:
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.sentence}{detail} [{self.url}]"

    def again(self) -> "FetchFailed":
        """The same failure as a new exception, so that a remembered one gathers no tracebacks."""
        return type(self)(self.url, self.detail, retry_after=self.retry_after)


def without_query(url: str) -> str:
    """`url` up to its query, credentials hidden, at most 300 characters of it."""
    bare = url.partition("#")[0].partition("?")[0]
    scheme, separator, rest = bare.partition("://")
    authority, slash, path = rest.partition("/")
    if "@" in authority:
        authority = "…@" + authority.rpartition("@")[2]
    shown = f"{scheme}{separator}{authority}{slash}{path}" if separator else bare
    return "".join(c if c.isprintable() else "�" for c in shown[:300])


class UrlIsMalformed(FetchFailed, outcome="url_malformed"):
    """The address is not a valid http or https URL."""


class AddressIsForbidden(FetchFailed, outcome="address_forbidden"):
    """The address is not allowed."""


class HostIsUnknown(FetchFailed, outcome="host_unknown"):
    """The host name does not exist."""


class NameLookupFailed(FetchFailed, outcome="name_lookup_failed", retryable=True):
    """The host name could not be looked up."""


class HostIsUnreachable(FetchFailed, outcome="host_unreachable", retryable=True):
    """The host does not accept connections."""


class TlsFailed(FetchFailed, outcome="tls_failed"):
    """The host's TLS certificate or handshake is not valid."""


class TimedOut(FetchFailed, outcome="timed_out", retryable=True):
    """The host did not answer in time."""


class ConnectionBroke(FetchFailed, outcome="connection_broke", retryable=True):
    """The connection broke before the response was complete."""


class AnswerIsMalformed(FetchFailed, outcome="answer_malformed"):
    """The host's response is not valid HTTP."""


class HeadersAreTooLarge(FetchFailed, outcome="headers_too_large"):
    """The response headers are too large."""


class BodyIsTooLarge(FetchFailed, outcome="body_too_large"):
    """The response body is too large."""


class CompressionBomb(FetchFailed, outcome="compression_bomb"):
    """The response body expands too much when decompressed."""


class EncodingIsUnknown(FetchFailed, outcome="encoding_unknown"):
    """The response has an unsupported content encoding."""


class TooManyRedirects(FetchFailed, outcome="too_many_redirects"):
    """The address redirects too often."""


class RobotsForbid(FetchFailed, outcome="robots_forbid"):
    """The site's robots.txt does not allow this page."""


class RobotsAreUnavailable(FetchFailed, outcome="robots_unavailable", retryable=True):
    """The site's robots.txt could not be read, so nothing is fetched from it for now."""


class HostIsResting(FetchFailed, outcome="host_resting", retryable=True):
    """The host asked for a pause; it is not contacted for now."""


class NotInArchive(FetchFailed, outcome="not_in_archive"):
    """The recorded web does not contain this address."""


class ArchiveIsDamaged(Exception):
    """A recorded web that cannot be read; the message names the file, and the line where it has one."""
