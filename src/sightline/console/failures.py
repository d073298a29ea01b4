"""Error pages that say what to do."""

import structlog
from starlette.exceptions import HTTPException
from starlette.responses import Response

from sightline.console.page import FileIsTooLarge, FormIsInvalid, NothingHere
from sightline.console.responses import problem
from sightline.domain.errors import Refusal
from sightline.store.database import DatabaseIsBusy

log = structlog.get_logger()


def failure_page(error: Exception) -> Response:
    """The page of a failure; an unforeseen one is logged."""
    match error:
        case NothingHere():
            return problem(
                404,
                "Page not found",
                "It may have been removed, or belong to someone else.",
            )
        case HTTPException(status_code=405):
            return problem(
                405, "This action is not available here", "Go back and use the buttons on the page."
            )
        case FormIsInvalid():
            return problem(
                403,
                "This form is no longer valid",
                "Nothing was changed. Go back, reload the page and try again.",
            )
        case FileIsTooLarge():
            return problem(
                413, "The file is too large", "The limit is 100 MB. Split the file or gzip it."
            )
        case DatabaseIsBusy():
            return problem(503, "Busy right now", "Try again in a few seconds.")
        case Refusal(type="not_found"):
            return problem(404, "Page not found", error.message)
        case Refusal():
            return problem(400, "That did not work", error.message)
    log.error("console_failed", exc_info=error)
    return problem(500, "Something went wrong", "The error was logged. Try again.")
