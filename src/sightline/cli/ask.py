"""`ask`: a question about a company, answered with citations."""

import json
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID, uuid4

import typer

from sightline.cli.context import DataDir, Organization, administer_organization
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, note, print_json

if TYPE_CHECKING:
    from sightline.domain.callers import OrganizationId
    from sightline.store.database import Connection

_LONGEST = 4_000


def ask(
    company: Annotated[str, typer.Argument(help="Id, domain or name of a company.")],
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    organization: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Answer a question about a company from what is held about it; nothing is charged or kept.

    Always extractive: a model is only asked over the API.
    """
    with one_line_errors():
        if not question.strip() or len(question) > _LONGEST:
            raise CommandFailed(f"Ask something of 1 to {_LONGEST} characters.", code=USAGE)

        async def run(
            connection: "Connection", organization_id: "OrganizationId"
        ) -> dict[str, Any]:
            return await _answer(connection, organization_id, company, question)

        body = administer_organization(organization, run, data_dir=data_dir)
    if as_json:
        print_json(body)
        return
    print(body["answer"])
    for citation in body["citations"]:
        note(f"[{citation['n']}] {citation['title'] or ''} {citation['url'] or ''}".rstrip())
        if citation["quote"]:
            note(f"    {json.dumps(citation['quote'], ensure_ascii=False)}")


async def _answer(
    connection: "Connection", organization_id: "OrganizationId", company: str, question: str
) -> dict[str, Any]:
    from sightline.assistant.turn import extract, open_turn
    from sightline.domain.callers import Caller, KeyId, UserId

    # Whoever may open the database may read all of it.
    caller = Caller(
        organization_id, KeyId(uuid4()), UserId(uuid4()), ("*",), "enterprise", 1, (), False, {}, None
    )  # fmt: skip
    company_id = await find(connection, organization_id, company)
    turn = await open_turn(connection, caller, company_id, message=question, session_id=None)
    answer = await extract(turn)
    return {
        "company_id": str(company_id),
        "answer": answer.answer,
        "citations": list(answer.citations),
        "related": list(answer.related),
        "suggestions": list(answer.suggestions),
        "evidence": answer.evidence,
        "model": answer.model,
    }


async def find(connection: "Connection", organization_id: "OrganizationId", company: str) -> UUID:
    """The company of an id, domain or name. Raises CommandFailed."""
    from sightline.store.catalogue import find_companies
    from sightline.store.companies import present_company

    try:
        present = await present_company(connection, organization_id, UUID(company))
        found = [present] if present else []
    except ValueError:
        rows = await find_companies(connection, domains=[company.casefold()], names=[company])
        found = list(dict.fromkeys(row.company_id for row in rows))
    if not found:
        raise CommandFailed(f"The catalogue has no company {company!r}.")
    if len(found) > 1:
        ids = ", ".join(str(each) for each in found[:5])
        raise CommandFailed(f"Several companies are {company!r}: {ids}.")
    return found[0]
