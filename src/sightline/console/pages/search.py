"""Search over the evidence of all accounts or a list; a model, if configured, also answers."""

from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from starlette.responses import Response

from sightline.console.page import Moved, NothingHere, Shown, Visit, page_number, pager
from sightline.console.pages.ask import answer, conversation_of, is_askable
from sightline.domain.filters import EVERYTHING, Filter, read_filter
from sightline.kit.clock import now
from sightline.search.across import Group, search_companies
from sightline.search.items import read_groups
from sightline.search.ranking import Request
from sightline.store.accounts import AccountFilter, companies_with_evidence
from sightline.store.company_pages import logos_of
from sightline.store.lists import ListIsMissing, list_choices, resolve

_COMPANIES: Final = 10
_PER_COMPANY: Final = 3
_LONGEST: Final = 300


async def show(visit: Visit) -> Shown:
    text, chosen = visit.asked("q")[:_LONGEST], visit.asked("list")
    groups: list[Group] = []
    async with visit.reading() as connection:
        lists = await list_choices(connection)
        if chosen not in {each["id"] for each in lists}:
            chosen = ""
        items = []
        if text:
            wanted: Filter = EVERYTHING
            if chosen:
                member = read_filter({"field": "list", "op": "in", "value": [str(UUID(chosen))]})
                try:
                    wanted = await resolve(connection, member.filter)
                except ListIsMissing:
                    chosen = ""
            companies = await companies_with_evidence(
                connection, AccountFilter(wanted=wanted), company_ids=None
            )
            groups = await search_companies(connection, list(companies), Request(now(), text))
            start = (page_number(visit) - 1) * _COMPANIES
            items = await read_groups(
                connection, groups[start : start + _COMPANIES], companies, per_company=_PER_COMPANY
            )
        logos = await logos_of(connection, [each["company"]["id"] for each in items])
        talk = await conversation_of(visit, connection)
    return Shown(
        "search.html",
        {
            **talk,
            "q": text,
            "list": chosen,
            "lists": lists,
            "items": items,
            "logos": logos,
            "pager": pager(visit, len(groups), per_page=_COMPANIES),
        },
    )


async def ask(visit: Visit) -> Moved | Response:
    """Have the model answer about accounts, in a conversation of the signed-in user. Raises Refusal."""
    question, chosen = visit.form.get("question", "").strip(), visit.form.get("list", "")
    if not is_askable(question):
        raise NothingHere
    session = visit.form.get("conversation")
    if not session:
        title = {"title": question[:_LONGEST], "type": "chat"}
        session = (await visit.run("create_agent_session", body=title))["id"]
    content = question
    if chosen:
        async with visit.reading() as connection:
            lists = await list_choices(connection)
        name = next((each["name"] for each in lists if each["id"] == chosen), None)
        if name is None:
            raise NothingHere
        content = f"{question}\n(Only about the accounts of the list “{name}”.)"
    return await answer(
        visit,
        "create_agent_message",
        path={"session_id": visit.as_id(session)},
        body={"content": content},
        at=f"/console/search?{urlencode({'q': question, 'list': chosen})}&",
    )
