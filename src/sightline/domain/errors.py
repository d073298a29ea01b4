"""Every way a request can be refused. The API turns a refusal into a status and a body."""

from typing import Any, ClassVar, Literal

ErrorType = Literal[
    "validation_error",
    "authentication_error",
    "payment_required",
    "permission_error",
    "not_found",
    "method_not_allowed",
    "timeout",
    "conflict",
    "gone",
    "payload_too_large",
    "unprocessable",
    "rate_limited",
    "internal_error",
    "unavailable",
]


class Refusal(Exception):
    """A request that is answered with an error. The first docstring line goes into the reference.

    `details` are part of the answer: never put a secret or another tenant's data there.
    """

    type: ClassVar[ErrorType]
    code: ClassVar[str]
    retry_after: int | None = None

    def __init__(self, message: str | None = None, **details: Any) -> None:
        super().__init__(message or (self.__doc__ or "").partition("\n")[0])
        self.details = details

    @property
    def message(self) -> str:
        return str(self.args[0])


class RequestIsInvalid(Refusal):
    """The request has invalid or missing parameters; `details.fields` names each of them."""

    type = "validation_error"
    code = "invalid_request"
    place: ClassVar[str] = "body"  # what is at fault when nothing more exact is said

    def __init__(
        self, message: str | None = None, *, path: str | None = None, **details: Any
    ) -> None:
        super().__init__(message, **details)
        fault = {"path": path or self.place, "message": self.message, "code": self.code}
        self.details.setdefault("fields", [fault])


class UuidIsInvalid(RequestIsInvalid):
    """An identifier is not a UUID."""

    code = "invalid_uuid"


class IdIsMissing(RequestIsInvalid):
    """The path lacks an id."""

    code = "id_missing"


class ParameterIsUnknown(RequestIsInvalid):
    """A query parameter or body field does not exist; the nearest valid name is given."""

    code = "unknown_parameter"


class JsonIsMalformed(RequestIsInvalid):
    """The body is not valid JSON in UTF-8."""

    code = "invalid_json"


class ContentTypeIsUnsupported(RequestIsInvalid):
    """The body must be sent as application/json."""

    code = "unsupported_content_type"
    place = "Content-Type"


class PaginationConflicts(RequestIsInvalid):
    """Only one of page, offset and cursor may be given."""

    code = "conflicting_pagination"
    place = "page"


class CursorIsInvalid(RequestIsInvalid):
    """The cursor is damaged, or was issued to another key or for other filters."""

    code = "invalid_cursor"
    place = "cursor"


class FilterIsInvalid(RequestIsInvalid):
    """The filter cannot be used; `details.fields` names each place and what is legal there."""

    code = "invalid_filter"
    place = "filter"


class RulesAreCircular(RequestIsInvalid):
    """A saved search leads back to itself through other saved searches."""

    code = "circular_rule"
    place = "filter"


class NameIsTaken(RequestIsInvalid):
    """Another one has this name or id already."""

    code = "name_taken"
    place = "name"


class WebhookAddressIsForbidden(RequestIsInvalid):
    """The address leads where nothing is ever sent: a private network, a port of another service."""

    code = "forbidden_address"
    place = "url"


class NothingToWrite(RequestIsInvalid):
    """The company's profile holds nothing that the content would be made of."""

    code = "insufficient_evidence"
    place = "company_id"


class IdempotencyKeyIsInvalid(RequestIsInvalid):
    """Idempotency-Key must have 1 to 255 printable ASCII characters."""

    code = "invalid_idempotency_key"
    place = "Idempotency-Key"


class KeyIsMissing(Refusal):
    """The x-api-key header is missing."""

    type = "authentication_error"
    code = "missing_api_key"


class KeyIsInvalid(Refusal):
    """The API key is unknown, expired, revoked or not allowed from this address."""

    type = "authentication_error"
    code = "invalid_api_key"


class CreditsAreExhausted(Refusal):
    """The organization has too few credits left for the operation."""

    type = "payment_required"
    code = "insufficient_credits"


class ScopeIsMissing(Refusal):
    """The key lacks the scope that the operation requires."""

    type = "permission_error"
    code = "missing_scope"


class RoleIsMissing(Refusal):
    """The key's user is neither owner nor admin of the organization."""

    type = "permission_error"
    code = "missing_role"


class OperatorDecides(Refusal):
    """Plan, costs, rates and quotas are set by the operator of the installation, not by organizations."""

    type = "permission_error"
    code = "operator_only"


class AuthorityIsExceeded(Refusal):
    """The key would give another what it may not do itself: other networks, a longer life, more requests."""

    type = "permission_error"
    code = "exceeds_authority"


class PathDoesNotExist(Refusal):
    """There is no such path."""

    type = "not_found"
    code = "path_not_found"


class CompanyDoesNotExist(Refusal):
    """There is no such company."""

    type = "not_found"
    code = "company_not_found"


class OperationDoesNotExist(Refusal):
    """There is no such operation."""

    type = "not_found"
    code = "operation_not_found"


class ListDoesNotExist(Refusal):
    """There is no such list."""

    type = "not_found"
    code = "list_not_found"


class TerritoryDoesNotExist(Refusal):
    """There is no such territory."""

    type = "not_found"
    code = "territory_not_found"


class QuestionDoesNotExist(Refusal):
    """There is no such question."""

    type = "not_found"
    code = "question_not_found"


class SessionDoesNotExist(Refusal):
    """There is no such session of yours."""

    type = "not_found"
    code = "session_not_found"


class UserDoesNotExist(Refusal):
    """There is no such user."""

    type = "not_found"
    code = "user_not_found"


class KeyDoesNotExist(Refusal):
    """There is no such API key."""

    type = "not_found"
    code = "key_not_found"


class ContactDoesNotExist(Refusal):
    """There is no such contact."""

    type = "not_found"
    code = "contact_not_found"


class SuppressionDoesNotExist(Refusal):
    """There is no such entry of the suppression list, or an erasure put it there for good."""

    type = "not_found"
    code = "suppression_not_found"


class ErasureDoesNotExist(Refusal):
    """There is no such erasure."""

    type = "not_found"
    code = "erasure_not_found"


class PersonIsSuppressed(RequestIsInvalid):
    """The person is on the suppression list and must not be held."""

    code = "person_suppressed"


class ContactIsAmbiguous(RequestIsInvalid):
    """What is given belongs to different contacts."""

    code = "contradictory_contact"


class WatchDoesNotExist(Refusal):
    """There is no such watch."""

    type = "not_found"
    code = "watch_not_found"


class AlertDoesNotExist(Refusal):
    """There is no such alert."""

    type = "not_found"
    code = "alert_not_found"


class WebhookDoesNotExist(Refusal):
    """There is no such webhook."""

    type = "not_found"
    code = "webhook_not_found"


class DeliveryDoesNotExist(Refusal):
    """There is no such delivery."""

    type = "not_found"
    code = "delivery_not_found"


class ContentDoesNotExist(Refusal):
    """There is no such content."""

    type = "not_found"
    code = "content_not_found"


class IntegrationDoesNotExist(Refusal):
    """There is no such integration."""

    type = "not_found"
    code = "integration_not_found"


class OperationIsExpired(Refusal):
    """The operation is past the time that operations are kept."""

    type = "gone"
    code = "operation_expired"


class DomainIsUnusable(RequestIsInvalid):
    """The domain is not one that a company can have: an address in numbers, a platform, not a host."""

    code = "invalid_domain"
    place = "domain"


class IdentifiersAreContradictory(RequestIsInvalid):
    """What is given identifies different companies; `details.companies` names each."""

    code = "contradictory_identifiers"


class MethodIsNotAllowed(Refusal):
    """The path exists, but not with this method; the Allow header lists the methods."""

    type = "method_not_allowed"
    code = "method_not_allowed"


class RequestIsStillRunning(Refusal):
    """A request with the same Idempotency-Key is still running."""

    type = "conflict"
    code = "idempotency_in_progress"
    retry_after = 1


class IdempotencyKeyIsReused(Refusal):
    """The Idempotency-Key was used before with another request."""

    type = "unprocessable"
    code = "idempotency_key_reused"


class BodyIsTooLarge(Refusal):
    """The body is larger than the limit."""

    type = "payload_too_large"
    code = "body_too_large"


class RateIsExceeded(Refusal):
    """Too many requests in the current window."""

    type = "rate_limited"
    code = "rate_limit_exceeded"


class SomethingFailed(Refusal):
    """Something failed on our side; the request id leads to the log."""

    type = "internal_error"
    code = "internal_error"


class ServiceIsUnavailable(Refusal):
    """The database is away or busy; try again shortly."""

    type = "unavailable"
    code = "temporarily_unavailable"
    retry_after = 1
