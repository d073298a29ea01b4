"""`profile`: has the configured language model write existing profiles."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from sightline.cli import reads
from sightline.cli.companies_named import company_named
from sightline.cli.context import DataDir, administer, read_settings
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, confirm, note, print_json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sightline.profile.author import WritingCost
    from sightline.store.database import Connection, Database

app = typer.Typer(no_args_is_help=True, help="Show profiles, or have a language model write them.")
app.command("show")(reads.command("profile show"))


@app.command()
def write(
    companies: Annotated[
        list[str] | None,
        typer.Argument(help="Ids, domains or names of companies.", metavar="COMPANY"),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every company with a profile.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before spending tokens.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Queue profiles for writing by the language model, after showing the maximum cost.

    Sections that the model wrote already cost nothing. A running worker does the writing, within the daily
    budget of the settings.
    """
    with one_line_errors():
        from sightline.app import profile_author

        if bool(companies) == every:
            raise CommandFailed("Give companies or --all.", code=USAGE)
        author = profile_author(read_settings(data_dir))
        if author is None:
            raise CommandFailed("No language model is configured; set SIGHTLINE_MODEL.")
        model, named = author.model, list(companies or ())

        async def price(
            owner: "Database", application: "Database"
        ) -> "tuple[list[UUID], WritingCost]":
            from sightline.profile.author import cost_of
            from sightline.reading.model_check import writer

            del owner
            async with application.connection() as connection:
                if await writer(connection, model) is None:
                    raise CommandFailed(
                        "The model failed `sightline model check`: it writes nothing."
                    )
                ids = await _companies(connection, named)
                return ids, await cost_of(connection, ids, model=model.name)

        ids, cost = administer(price, data_dir=data_dir)
        said = (
            f"{cost.sections} sections of {cost.companies} profiles, at most {cost.tokens:,} tokens"
        )
        if cost.sections:
            confirm(f"{said} of {model.name}. Write them?", yes=yes)
            administer(_asking(ids), data_dir=data_dir)
    if as_json:
        print_json({"companies": cost.companies, "sections": cost.sections, "tokens": cost.tokens})
    else:
        note(f"On the queue: {said}." if cost.sections else "Everything is already written.")


def _asking(ids: list[UUID]) -> "Callable[[Database, Database], Awaitable[None]]":
    async def run(owner: "Database", application: "Database") -> None:
        from sightline.profile.author import ask_for_writing
        from sightline.store.written_sections import wait_again

        del application
        async with owner.connection() as connection, connection.transaction():
            await wait_again(connection, ids)
            await ask_for_writing(connection, ids)

    return run


async def _companies(connection: "Connection", named: list[str]) -> list[UUID]:
    from sightline.store.profiles import companies_with_profiles

    if not named:
        return await companies_with_profiles(connection)
    return [await company_named(connection, each) for each in named]
