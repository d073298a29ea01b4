"""The accounts of a bulk action: the selected rows, or all that match the page's filter."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sightline.console.page import NothingHere, Visit
from sightline.console.view import FilterTextIsWrong, View, read_view
from sightline.domain.errors import Refusal, RequestIsInvalid
from sightline.domain.filters import FilterIsWrong, read_filter
from sightline.store.account_search import AccountSearcher
from sightline.store.accounts import AccountFilter
from sightline.store.lists import ListIsMissing, list_choices, resolve
from sightline.store.territory_pages import territory_choices

MOST_AT_ONCE: Final = 10_000
"""As many as the API enriches or puts into a list in one request."""
FAULTS: Final[tuple[type[Exception], ...]] = (Refusal, FilterIsWrong, FilterTextIsWrong)
"""What may be wrong with a selection, or with what is done to it."""


@dataclass(frozen=True)
class Selection:
    """The ticked accounts, or everything that `view` finds."""

    view: View
    everything: bool
    ids: tuple[str, ...]

    async def account_ids(self, visit: Visit) -> list[str]:
        """The ids of the accounts, at most MOST_AT_ONCE. Raises FAULTS."""
        if not self.everything:
            if not self.ids:
                raise RequestIsInvalid("Select at least one account.")
            return list(self.ids)
        organization_id = visit.session.organization_id
        async with visit.reading() as connection:
            try:
                wanted = await resolve(connection, read_filter(self.view.filter()).filter)
            except ListIsMissing as error:
                raise NothingHere from error
        searcher = AccountSearcher(visit.services.indexes)
        async with visit.services.database.reads(organization_id) as reads:
            where = AccountFilter(wanted=wanted)
            found, total = await searcher.ids(reads, where, limit=MOST_AT_ONCE)
        if not found:
            raise RequestIsInvalid("No accounts match.")
        if total > MOST_AT_ONCE:
            raise RequestIsInvalid(
                f"{total:,} accounts match, but one action takes at most {MOST_AT_ONCE:,}."
                " Narrow the filter."
            )
        return [str(each) for each in found]


def selection_of(visit: Visit) -> Selection:
    """The selection of a form. Raises NothingHere for what is not an id."""
    try:
        ids = tuple(str(UUID(each)) for each in dict.fromkeys(visit.form.getlist("id")))
    except ValueError as error:
        raise NothingHere from error
    view = read_view(visit.request.query_params.multi_items())
    return Selection(view, visit.form.get("scope") == "all", ids)


def reason(error: Exception) -> str:
    """What was wrong, as a sentence for the page."""
    return error.message if isinstance(error, Refusal) else str(error)


async def names_in_filters(visit: Visit) -> dict[str, str]:
    """The names of the lists and territories that a filter may mean, by id."""
    async with visit.reading() as connection:
        lists = await list_choices(connection)
        territories = await territory_choices(connection)
    return {each["id"]: each["name"] for each in (*lists, *territories)}
