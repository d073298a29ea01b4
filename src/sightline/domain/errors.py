"""Every way a request can be refused. The API turns a refusal into a status and a body."""

from typing import Any, ClassVar, Final, Literal, Self

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
    challenge: str = "ApiKey"  # how to prove who one is, where that is what is missing

    def __init_subclass__(
        cls, *, code: str, type: ErrorType | None = None, retry_after: int | None = None
    ) -> None:
        cls.code = code
        cls.type = type or cls.type
        cls.retry_after = retry_after

    def __init__(self, message: str | None = None, **details: Any) -> None:
        super().__init__(message or (self.__doc__ or "").partition("\n")[0])
        self.details = details

    @property
    def message(self) -> str:
        return str(self.args[0])


class RequestIsInvalid(Refusal, type="validation_error", code="invalid_request"):
    """The request has invalid or missing parameters; `details.fields` names each of them."""

    place: ClassVar[str] = "body"  # what is at fault when nothing more exact is said

    def __init_subclass__(cls, *, place: str = "body", **named: Any) -> None:
        super().__init_subclass__(**named)
        cls.place = place

    def __init__(
        self, message: str | None = None, *, path: str | None = None, **details: Any
    ) -> None:
        super().__init__(message, **details)
        self.details.setdefault("fields", [fault(path or self.place, self.message, self.code)])

    @classmethod
    def at(cls, path: str, message: str, code: str = "not_allowed") -> Self:
        """The refusal for one field, which the message names first."""
        return cls(f"{path}: {message}", fields=[fault(path, message, code)])


def fault(path: str, message: str, code: str = "not_allowed") -> dict[str, str]:
    """What is wrong with one field, for `fields`."""
    return {"path": path, "message": message, "code": code}


class UuidIsInvalid(RequestIsInvalid, code="invalid_uuid"):
    """An id is not a valid UUID."""


class IdIsMissing(RequestIsInvalid, code="id_missing"):
    """The path lacks an id."""


class ParameterIsUnknown(RequestIsInvalid, code="unknown_parameter"):
    """A query parameter or body field does not exist; the nearest valid name is given."""


class JsonIsMalformed(RequestIsInvalid, code="invalid_json"):
    """The body is not valid JSON in UTF-8."""


class ContentTypeIsUnsupported(
    RequestIsInvalid, code="unsupported_content_type", place="Content-Type"
):
    """The body must be sent as application/json."""


class PaginationConflicts(RequestIsInvalid, code="conflicting_pagination", place="page"):
    """Only one of page, offset and cursor may be given."""


class CursorIsInvalid(RequestIsInvalid, code="invalid_cursor", place="cursor"):
    """The cursor is damaged, or was issued to another key or for other filters."""


class DomainIsUnusable(RequestIsInvalid, code="invalid_domain", place="domain"):
    """The domain cannot belong to a company: it is an IP address, a shared platform or not a host."""


class IdentifiersAreContradictory(RequestIsInvalid, code="contradictory_identifiers"):
    """The identifiers belong to different companies; `details.companies` names each."""


class PersonIsSuppressed(RequestIsInvalid, code="person_suppressed"):
    """The person is on the suppression list and must not be stored."""


class ContactIsAmbiguous(RequestIsInvalid, code="contradictory_contact"):
    """The identifiers belong to different contacts."""


class FilterIsInvalid(RequestIsInvalid, code="invalid_filter", place="filter"):
    """The filter cannot be used; `details.fields` names each place and what is legal there."""


class RulesAreCircular(RequestIsInvalid, code="circular_rule", place="filter"):
    """A saved search refers to itself through other saved searches."""


class NameIsTaken(RequestIsInvalid, code="name_taken", place="name"):
    """This name or id is already taken."""


class MoreThanConfirmed(RequestIsInvalid, code="more_than_confirmed", place="confirm"):
    """More accounts match than were confirmed; nothing was deleted."""


class ImportCannotBeUndone(RequestIsInvalid, code="import_cannot_be_undone", place="import_id"):
    """The import's changes were not recorded, so it cannot be undone."""


class WebhookAddressIsForbidden(RequestIsInvalid, code="forbidden_address", place="url"):
    """The URL leads to a private network or to a port of another service; nothing is sent there."""


class NothingToWrite(RequestIsInvalid, code="insufficient_evidence", place="company_id"):
    """The company's profile has no evidence for this content."""


class IdempotencyKeyIsInvalid(
    RequestIsInvalid, code="invalid_idempotency_key", place="Idempotency-Key"
):
    """Idempotency-Key must have 1 to 255 printable ASCII characters."""


class HttpIsMalformed(RequestIsInvalid, code="invalid_http", place="request"):
    """The bytes received are not a valid HTTP request."""


class KeyIsMissing(Refusal, type="authentication_error", code="missing_api_key"):
    """The x-api-key header is missing."""


class KeyIsInvalid(Refusal, type="authentication_error", code="invalid_api_key"):
    """The API key is unknown, expired, revoked or not allowed from this address."""


class CreditsAreExhausted(Refusal, type="payment_required", code="insufficient_credits"):
    """The organization does not have enough credits for the operation."""


class ScopeIsMissing(Refusal, type="permission_error", code="missing_scope"):
    """The key lacks the scope that the operation requires."""


class RoleIsMissing(Refusal, type="permission_error", code="missing_role"):
    """Only an owner or admin of the organization can do this."""


class AuthorityIsExceeded(Refusal, type="permission_error", code="exceeds_authority"):
    """The key cannot grant more than it has: other networks, a later expiry or more requests."""


class OperatorDecides(Refusal, type="permission_error", code="operator_only"):
    """Only the operator of the installation can set plan, costs, rates and quotas."""


class PathDoesNotExist(Refusal, type="not_found", code="path_not_found"):
    """There is no such path."""


class CompanyDoesNotExist(Refusal, type="not_found", code="company_not_found"):
    """There is no such company."""


class AccountDoesNotExist(Refusal, type="not_found", code="account_not_found"):
    """There is no such account."""


class NoteDoesNotExist(Refusal, type="not_found", code="note_not_found"):
    """The account has no such note."""


class ImportDoesNotExist(Refusal, type="not_found", code="import_not_found"):
    """There is no such import."""


class OperationDoesNotExist(Refusal, type="not_found", code="operation_not_found"):
    """There is no such operation."""


class ListDoesNotExist(Refusal, type="not_found", code="list_not_found"):
    """There is no such list."""


class TerritoryDoesNotExist(Refusal, type="not_found", code="territory_not_found"):
    """There is no such territory."""


class QuestionDoesNotExist(Refusal, type="not_found", code="question_not_found"):
    """There is no such question."""


class SessionDoesNotExist(Refusal, type="not_found", code="session_not_found"):
    """You have no such session."""


class UserDoesNotExist(Refusal, type="not_found", code="user_not_found"):
    """There is no such user."""


class KeyDoesNotExist(Refusal, type="not_found", code="key_not_found"):
    """There is no such API key."""


class ContactDoesNotExist(Refusal, type="not_found", code="contact_not_found"):
    """There is no such contact."""


class SuppressionDoesNotExist(Refusal, type="not_found", code="suppression_not_found"):
    """There is no such entry, or it is permanent because of an erasure."""


class ErasureDoesNotExist(Refusal, type="not_found", code="erasure_not_found"):
    """There is no such erasure."""


class WatchDoesNotExist(Refusal, type="not_found", code="watch_not_found"):
    """There is no such watch."""


class AlertDoesNotExist(Refusal, type="not_found", code="alert_not_found"):
    """There is no such alert."""


class WebhookDoesNotExist(Refusal, type="not_found", code="webhook_not_found"):
    """There is no such webhook."""


class DeliveryDoesNotExist(Refusal, type="not_found", code="delivery_not_found"):
    """There is no such delivery."""


class ContentDoesNotExist(Refusal, type="not_found", code="content_not_found"):
    """There is no such content."""


class IntegrationDoesNotExist(Refusal, type="not_found", code="integration_not_found"):
    """There is no such integration."""


class RunDoesNotExist(Refusal, type="not_found", code="run_not_found"):
    """There is no such run."""


class DocumentDoesNotExist(Refusal, type="not_found", code="document_not_found"):
    """The company has no such document."""


class OperationIsExpired(Refusal, type="gone", code="operation_expired"):
    """The operation has expired."""


class MethodIsNotAllowed(Refusal, type="method_not_allowed", code="method_not_allowed"):
    """The path exists, but not with this method; the Allow header lists the methods."""


class RequestIsTooSlow(Refusal, type="timeout", code="request_timeout"):
    """The request was not received in time."""


class RequestIsStillRunning(
    Refusal, type="conflict", code="idempotency_in_progress", retry_after=1
):
    """A request with the same Idempotency-Key is still running."""


class IdempotencyKeyIsReused(Refusal, type="unprocessable", code="idempotency_key_reused"):
    """The Idempotency-Key was used before with another request."""


class BodyIsTooLarge(Refusal, type="payload_too_large", code="body_too_large"):
    """The body is larger than the limit."""


class RateIsExceeded(Refusal, type="rate_limited", code="rate_limit_exceeded"):
    """Too many requests in the current window."""


class SomethingFailed(Refusal, type="internal_error", code="internal_error"):
    """Something failed on our side; find it in the log by the request id."""


class ServiceIsUnavailable(
    Refusal, type="unavailable", code="temporarily_unavailable", retry_after=1
):
    """The database is unavailable or busy; try again shortly."""


class StorageIsFull(Refusal, type="unavailable", code="storage_full", retry_after=30):
    """The database cannot write: its disk is full or failing. The operator must free space."""


REFUSALS: Final = tuple(
    each for each in vars().values() if isinstance(each, type) and issubclass(each, Refusal)
)[1:]
"""THE LIST of refusals, in the order above: the error reference and the API's answers are made from it."""
