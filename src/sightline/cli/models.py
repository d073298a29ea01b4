"""`model`: tests the configured language model on sentences with known answers."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.context import DataDir, administer, read_settings
from sightline.cli.exits import FAILURE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, confirm, note, print_json, print_table, progress

if TYPE_CHECKING:
    from sightline.llm.models import ModelConfig
    from sightline.reading.model_check import Report
    from sightline.reading.pairs import Pair
    from sightline.store.database import Database

app = typer.Typer(help="Test the language model.")
_MOST_SHOWN = 12


@app.callback()
def model() -> None:
    """Test the language model."""


@app.command()
def check(
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, help="Test only this many pairs; the result is not saved."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before spending tokens.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Test the configured model on sentences that follow from their quotes, and on false ones.

    If SIGHTLINE_VERIFIER_MODEL is set, tests that model, because it decides what is shown. The
    model must reject 90% of the false sentences and keep 90% of the true ones. If it fails, the
    command fails, and the model writes nothing from then on: profiles, content and answers consist
    of quotes.
    """
    with one_line_errors():
        from sightline.app import model_config
        from sightline.reading import model_check, pairs

        config = model_config(read_settings(data_dir))
        if config is None:
            raise CommandFailed("No language model is configured; set SIGHTLINE_MODEL.")
        name = (config.verifier or config).name
        tried = pairs.pairs() if sample is None else pairs.sample(sample)
        cost = model_check.cost(tried)
        price = (
            f"{len(tried)} sentences in {cost.requests} requests to {name}, "
            f"at most about {cost.tokens:,} tokens."
        )
        confirm(f"{price} Ask it?", yes=yes)
        note(price)
        began = time.monotonic()
        report = _try(config, tried, requests=cost.requests)
        seconds = round(time.monotonic() - began, 1)
        is_trusted = model_check.is_trusted(report)
        if sample is None:
            _keep(config, report, data_dir)
    if as_json:
        answer = _as_json(name, report, is_whole=sample is None, is_trusted=is_trusted)
        print_json(answer | {"seconds": seconds})
    else:
        _show(name, report, seconds, is_whole=sample is None, is_trusted=is_trusted)
    if sample is None and not is_trusted:
        raise typer.Exit(FAILURE)


def _try(config: "ModelConfig", tried: "tuple[Pair, ...]", *, requests: int) -> "Report":
    import asyncio

    from sightline.llm.asking import ModelDidNotAnswer
    from sightline.reading import model_check

    try:
        with progress("Asking", "requests") as advance:
            return asyncio.run(
                model_check.check(config, tried, progress=lambda done: advance(done, requests))
            )
    except ModelDidNotAnswer as error:
        raise CommandFailed(
            f"The model did not answer ({error}). The check has no result."
        ) from error


def _keep(config: "ModelConfig", report: "Report", data_dir: DataDir) -> None:
    """Store the outcome; where it changes who writes, profiles are made again."""
    from sightline.reading import model_check
    from sightline.store import profiles, work

    async def run(owner: "Database", application: "Database") -> None:
        del application
        async with owner.connection() as connection, connection.transaction():
            before = await model_check.writer(connection, config)
            await model_check.keep(connection, config, report)
            if (before is None) == (await model_check.writer(connection, config) is None):
                return
            for company_id in await profiles.companies_with_profiles(connection):
                await work.put(connection, profiles.REFRESH, str(company_id))

    administer(run, data_dir=data_dir)


def _show(name: str, report: "Report", seconds: float, *, is_whole: bool, is_trusted: bool) -> None:
    from sightline.reading.model_check import in_words
    from sightline.reading.pairs import KINDS

    rows = [
        (each.kind, KINDS.get(each.kind, "honest sentences: kept"), each.right, each.asked)
        for each in report.scores
    ]
    print_table(("kind", "what is wrong", "right", "of"), rows)
    for each in report.missed[:_MOST_SHOWN]:
        note(f"{each.kind}: “{each.claim.text}” under “{each.claim.quotes[0].quote}”")
    if len(report.missed) > _MOST_SHOWN:
        note(f"... and {len(report.missed) - _MOST_SHOWN} more; --json shows all.")
    note(f"{name} {in_words(report)}; {report.tokens:,} tokens, {seconds} s.")
    if not is_whole:
        note("A sample decides nothing: run the check without --sample.")
    elif is_trusted:
        note("It may write profiles, content and answers.")
    else:
        note("It needs 90 % of both. It writes nothing: profiles, content and answers are quotes.")


def _as_json(name: str, report: "Report", *, is_whole: bool, is_trusted: bool) -> dict[str, Any]:
    (refused, falsehoods), (kept, paraphrases) = report.refused, report.kept
    return {
        "model": name,
        "whole": is_whole,
        "may_write": is_trusted if is_whole else None,
        "falsehoods": falsehoods,
        "refused": refused,
        "paraphrases": paraphrases,
        "kept": kept,
        "tokens": report.tokens,
        "kinds": [
            {"kind": each.kind, "asked": each.asked, "right": each.right} for each in report.scores
        ],
        "missed": [
            {"kind": p.kind, "sentence": p.claim.text, "quote": p.claim.quotes[0].quote}
            for p in report.missed
        ],
    }
