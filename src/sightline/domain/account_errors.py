"""How requests about accounts and their imports can be refused; see `domain.errors`."""

from sightline.domain.errors import Refusal, RequestIsInvalid


class AccountDoesNotExist(Refusal):
    """There is no such account."""

    type = "not_found"
    code = "account_not_found"


class ImportDoesNotExist(Refusal):
    """There is no such import."""

    type = "not_found"
    code = "import_not_found"


class MoreThanConfirmed(RequestIsInvalid):
    """More accounts match than were confirmed; nothing was deleted."""

    code = "more_than_confirmed"
    place = "confirm"


class ImportCannotBeUndone(RequestIsInvalid):
    """It is not kept what the import changed."""

    code = "import_cannot_be_undone"
    place = "import_id"
