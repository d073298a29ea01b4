"""`ask`: a question about a company, answered with citations."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from sightline.cli.companies_named import company_named
from sightline.cli.context import DataDir, Organization, administer, read_settings
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, indented, note, print_json

if TYPE_CHECKING:
    from sightline.domain.callers import OrganizationId
    from sightline.llm.models import ModelConfig
    from sightline.store.database import Database

_LONGEST = 4_000


def ask(
    company: Annotated[str, typer.Argument(help="Id, domain or name of a company.")],
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    organization: Organization = "default",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Answer a question about a company from stored evidence. Free; nothing is saved.

    A language model writes the answer if one is configured; every quote is checked either way. The JSON
    is that of the API, without ids because nothing is kept.
    """
    with one_line_errors():
        if not question.strip() or len(question) > _LONGEST:
            raise CommandFailed(f"Enter a question of 1 to {_LONGEST} characters.", code=USAGE)

        from sightline.app import make_encoder, model_config
        from sightline.search.retrieve import retriever

        settings = read_settings(data_dir)
        model = model_config(settings)
        retriever().encoder = make_encoder(settings)

        async def run(owner: "Database", application: "Database") -> dict[str, Any]:
            from sightline.store.organizations import find_organization

            organization_id = await find_organization(owner, organization)
            return await _answer(application, organization_id, company, question, model=model)

        body = administer(run, data_dir=data_dir)
    if as_json:
        print_json(body)
    else:
        _show(body)


def _show(body: dict[str, Any]) -> None:
    """The answer to stdout; its sources and how it was made to stderr, for people."""
    print(body["answer"])
    for citation in (*body["citations"], *body["nearest"]):
        _show_source(citation)
    if not body["citations"]:
        return
    note("")
    if reason := body["usage"].get("degraded"):
        note(f"The model did not write this ({reason}); these are quotes.")
    elif body["model"] != "extractive":
        note(f"Written by {body['model']}; every sentence is checked against its quotes.")
    if body["evidence"] == "partial":
        note("The evidence answers only part of the question.")


def _show_source(citation: dict[str, Any]) -> None:
    day = (citation["published_at"] or "")[:10]
    head = ", ".join(filter(None, (citation["title"], day)))
    note("")
    number = f"[{citation['n']}] " if "n" in citation else ""
    note(f"{number}{head or citation['url'] or citation['document_id']}")
    if citation["quote"]:
        note(indented(f"“{citation['quote']}”", 4))
    if citation["url"] and head:
        note(f"    {citation['url']}")


async def _answer(
    database: "Database",
    organization_id: "OrganizationId",
    company: str,
    question: str,
    *,
    model: "ModelConfig | None",
) -> dict[str, Any]:
    from sightline.assistant.turn import answer_with, open_turn
    from sightline.domain.callers import UserId, everything
    from sightline.reading.model_check import writer

    caller = everything(organization_id, UserId(uuid4()))
    reading = partial(database.tenant, organization_id)
    async with reading() as connection:
        model = await writer(connection, model)
        company_id = await company_named(connection, company)
        turn = await open_turn(
            connection, caller, company_id, message=question, session_id=None, reading=reading
        )
    return (await answer_with(turn, model)).envelope(None, None)
