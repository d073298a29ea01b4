"""Every way a fetch can fail, each with a one-sentence message."""

from typing import ClassVar


class FetchFailed(Exception):
    """A fetch that has no answer.

    `outcome` is a stable snake_case word for reports and metrics; `retryable` says whether the same
    fetch may work later; `retry_after` is in seconds, where the other side or the pace named a time.
    `url` never has a query: queries may carry secrets, and errors end in logs.
    """

    outcome: ClassVar[str] = "failed"
    sentence: ClassVar[str] = "The page could not be fetched."
    retryable: ClassVar[bool] = False

    def __init__(self, url: str, detail: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(url, detail)
        self.url = without_query(url)
        self.detail = detail
        self.retry_after = retry_after

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


class UrlIsMalformed(FetchFailed):
    """The text is no http or https URL."""

    outcome = "url_malformed"
    sentence = "The address is not a valid http or https URL."


class AddressIsForbidden(FetchFailed):
    """The URL, or an address its host resolves to, leads where the fetcher never goes."""

    outcome = "address_forbidden"
    sentence = "The address is not allowed."


class HostIsUnknown(FetchFailed):
    """The name does not exist in DNS."""

    outcome = "host_unknown"
    sentence = "The host name does not exist."


class NameLookupFailed(FetchFailed):
    """No name server answered."""

    outcome = "name_lookup_failed"
    sentence = "The host name could not be looked up."
    retryable = True


class HostIsUnreachable(FetchFailed):
    """No connection to any of the host's addresses."""

    outcome = "host_unreachable"
    sentence = "The host does not accept connections."
    retryable = True


class TlsFailed(FetchFailed):
    """No TLS session: certificate not valid, or no common protocol."""

    outcome = "tls_failed"
    sentence = "The host's TLS certificate or handshake is not valid."


class TimedOut(FetchFailed):
    """The time allowed for connecting or for the whole exchange ran out."""

    outcome = "timed_out"
    sentence = "The host did not answer in time."
    retryable = True


class ConnectionBroke(FetchFailed):
    """The connection ended in the middle of the exchange."""

    outcome = "connection_broke"
    sentence = "The connection broke before the response was complete."
    retryable = True


class AnswerIsMalformed(FetchFailed):
    """The answer breaks HTTP, or its body does not decode."""

    outcome = "answer_malformed"
    sentence = "The host's response is not valid HTTP."


class HeadersAreTooLarge(FetchFailed):
    """More or longer headers than allowed."""

    outcome = "headers_too_large"
    sentence = "The response headers are too large."


class BodyIsTooLarge(FetchFailed):
    """More decoded bytes than allowed."""

    outcome = "body_too_large"
    sentence = "The response body is too large."


class CompressionBomb(FetchFailed):
    """The body expands more than any honest one."""

    outcome = "compression_bomb"
    sentence = "The response body expands too much when decompressed."


class EncodingIsUnknown(FetchFailed):
    """A content coding that was not offered."""

    outcome = "encoding_unknown"
    sentence = "The response has an unsupported content encoding."


class TooManyRedirects(FetchFailed):
    """A chain of redirects that is too long or a loop."""

    outcome = "too_many_redirects"
    sentence = "The address redirects too often."


class RobotsForbid(FetchFailed):
    """The host's robots.txt asks robots to stay away."""

    outcome = "robots_forbid"
    sentence = "The site's robots.txt does not allow this page."


class RobotsAreUnavailable(FetchFailed):
    """The host cannot say what it allows, so nothing is allowed for a while."""

    outcome = "robots_unavailable"
    sentence = "The site's robots.txt could not be read, so nothing is fetched from it for now."
    retryable = True


class HostIsResting(FetchFailed):
    """The host's next turn is further away than anybody wants to wait."""

    outcome = "host_resting"
    sentence = "The host asked for a pause; it is not contacted for now."
    retryable = True


class NotInArchive(FetchFailed):
    """The recorded web does not contain this address."""

    outcome = "not_in_archive"
    sentence = "The recorded web does not contain this address."


class ArchiveIsDamaged(Exception):
    """A recorded web that cannot be read; the message names the file, and the line where it has one."""
