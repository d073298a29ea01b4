"""Asks the questions of a file about the companies of a recorded web and writes every answer down.

Run: python -m tests.eval.ask QUESTIONS.jsonl ANSWERS.jsonl --data FOLDER [--parallel N] [--again] [--sample]

A question is a JSON object: `company` (a name or domain of the recorded web), `question`, and optionally
`id` and `after` (earlier questions of the same conversation, asked first). The database stays in FOLDER:
companies are enriched once, and the next run adds those that are missing. Answers are added as they come;
a run that is started again asks what has no answer yet. With SIGHTLINE_MODEL (and SIGHTLINE_MODEL_BASE_URL,
SIGHTLINE_MODEL_API_KEY; SIGHTLINE_VERIFIER_MODEL and so on, as for the server) a model answers, otherwise
the extractive reader. Of more than 8 questions at once the rest is answered without a model, as by the
server. With --sample the companies are those of the bundled archive; --record keeps the model's replies
(`tests.eval.cassettes`).
"""

import argparse
import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.assistant.turn import answer_with, keep, open_turn
from sightline.domain.callers import Caller
from sightline.kit.postgres import EmbeddedPostgres
from sightline.llm.models import ModelConfig
from sightline.reading.encoder import EncoderConfig, open_encoder
from sightline.search import indexing
from sightline.search.retrieve import retriever
from sightline.store import work
from sightline.store.database import Database, open_database
from sightline.store.migrate import migrate
from sightline.store.organizations import (
    create_organization,
    create_user,
    find_organization,
    find_user,
    list_organizations,
)
from tests.eval.assistant import load, load_sample_accounts, make_caller, read_questions
from tests.eval.cassettes import Cassettes, playing

ROOT = Path(__file__).resolve().parents[2]
SLUG = "eval"
Row = Mapping[str, Any]


class Steps:
    """A listener that keeps the names of the steps, with what was looked for."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    async def step(self, name: str, **details: str) -> None:
        self.steps.append(" ".join((name, *details.values())))

    async def say(self, text: str, citations: Sequence[dict[str, Any]]) -> None:
        del text, citations

    async def withdraw(self) -> None:
        self.steps.append("withdrawn")


class World:
    """A database of enriched companies, and who asks about them."""

    def __init__(
        self,
        application: Database,
        caller: Caller,
        model: ModelConfig | None,
        companies: Mapping[str, UUID],
    ) -> None:
        self.application = application
        self.caller = caller
        self.model = model
        self.companies = companies

    async def ask(self, row: Row) -> dict[str, Any]:
        """The last answer of the question's conversation; `seconds` are of that one alone."""
        company, session = self.companies.get(row["company"] or ""), None
        body: dict[str, Any] = {}
        for question in (*row.get("after", ()), row["question"]):
            steps, started = Steps(), time.monotonic()
            reading = partial(self.application.tenant, self.caller.organization_id)
            async with reading() as connection:
                turn = await open_turn(
                    connection, self.caller, company, message=question, session_id=session,
                    reading=reading, kind=row.get("kind", "chat"),
                )  # fmt: skip
            answer = await answer_with(turn, self.model, listener=steps)
            async with reading() as connection:
                kept = await keep(connection, turn, answer, session)
            assert kept is not None
            session = kept[0]
            body = answer.envelope(*kept)
            body |= {"seconds": round(time.monotonic() - started, 2), "steps": steps.steps}
        return {**row, **body}


def _inputs(names: Sequence[str], shared: Path) -> Iterator[dict[str, str]]:
    """What to enrich for each name: a company of the recorded lists, or else a domain."""
    listed = {
        company["name"]: company
        for company in json.loads((shared / "companies.json").read_text(encoding="utf-8"))
    }
    for name in names:
        company = listed.get(name)
        if company is None:
            yield {"domain": name}
        elif company["group"] != "job board" and company.get("cik"):
            yield {"company_name": name, "external_id": company["cik"], "source_system": "sec_cik"}
        else:
            yield {"company_name": name}


async def open_companies(
    url: str,
    folder: Path,
    names: Sequence[str],
    shared: Path,
    *,
    again: bool,
    sample: Database | None,
) -> tuple[Caller, dict[str, UUID]]:
    """Who asks, and the companies, enriched and indexed; with `again` all are indexed again."""
    owner = await open_database(url, role="owner", size=2, wait_seconds=60)
    known_file = folder / "companies.json"
    known = json.loads(known_file.read_text()) if known_file.exists() else {}
    if SLUG not in {each["slug"] for each in await list_organizations(owner)}:
        made = await create_organization(owner, SLUG, name="Eval", plan="enterprise")
        async with owner.tenant(made) as connection:
            await create_user(connection, email="eval@example.com", role="owner")
        known = {}
    organization = await find_organization(owner, SLUG)
    async with owner.tenant(organization) as connection:
        caller = replace(make_caller(organization), user_id=await find_user(connection))
    workers = await open_database(
        url, role="sightline_worker", size=6, wait_seconds=60, statement_timeout_seconds=300
    )
    missing = [name for name in names if name not in known]
    if missing and sample is not None:
        found = await load_sample_accounts(sample, workers, organization)
        known = {name: str(one) for name, one in found.items()}
        known_file.write_text(json.dumps(known))
        missing = []
    for at, asked in enumerate(_inputs(missing, shared)):
        print(f"enriching {at + 1} of {len(missing)}: {asked}", file=sys.stderr)
        found = await load(workers, organization, shared / "web", [asked])
        if not found:
            print(f"not found: {asked}", file=sys.stderr)
            continue
        known[missing[at]] = str(next(iter(found.values())))
        known_file.write_text(json.dumps(known))
    if again:
        async with workers.connection() as connection, connection.transaction():
            for company_id in known.values():
                await work.put(connection, indexing.WORK_KIND, company_id)
        await load(workers, organization, shared / "web", [])
    await workers.close()
    await owner.close()
    return caller, {name: UUID(one) for name, one in known.items()}


async def run(
    url: str, options: argparse.Namespace, shared: Path, model: ModelConfig | None
) -> None:
    """Ask what has no answer yet."""
    questions = read_questions(options.questions)
    done = set()
    if options.answers.exists():
        done = {_key(row) for row in read_questions(options.answers)}
    left = [row for row in questions if _key(row) not in done]
    names = list(dict.fromkeys(row["company"] for row in questions if row["company"]))
    application = await open_database(url, size=2 + options.parallel, wait_seconds=60)
    sample = application if options.sample else None
    caller, companies = await open_companies(
        url, options.data, names, shared, again=options.again, sample=sample
    )
    world = World(application, caller, model, companies)
    left = [row for row in left if not row["company"] or row["company"] in companies]
    places = asyncio.Semaphore(options.parallel)
    print(f"{len(left)} of {len(questions)} to ask of {world.model or 'no model'}", file=sys.stderr)
    with options.answers.open("a", encoding="utf-8") as out:

        async def one(row: Row) -> None:
            async with places:
                answered = await world.ask(row)
            out.write(json.dumps(answered, ensure_ascii=False) + "\n")
            out.flush()
            print(f"{answered['evidence']:>10} {answered['seconds']:6.1f} s  {row['question']}")

        await asyncio.gather(*(one(row) for row in left))
    await application.close()


def _key(row: Row) -> str:
    return json.dumps([row["company"], row.get("after", []), row["question"]])


def model_of(seconds: float, *, of: str = "SIGHTLINE_MODEL") -> ModelConfig | None:
    name = os.environ.get(of)
    if not name:
        return None
    prefix = "SIGHTLINE_MODEL" if of == "SIGHTLINE_MODEL" else of.removesuffix("_MODEL")
    url, key = (os.environ.get(f"{prefix}_{part}") for part in ("BASE_URL", "API_KEY"))
    return ModelConfig(name, url, key, seconds)


def main() -> None:
    """Read the arguments, start the database of the folder, run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="where the database stays")
    parser.add_argument("--parallel", type=int, default=1, help="questions asked at once")
    parser.add_argument("--seconds", type=float, default=900, help="longest for one answer")
    parser.add_argument("--sample", action="store_true", help="companies of the bundled archive")
    parser.add_argument("--record", type=Path, help="where the model's replies are kept")
    parser.add_argument("--again", action="store_true", help="index the companies again first")
    options = parser.parse_args()
    shared = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data"
    if not options.sample and not (shared / "companies.json").is_file():
        sys.exit(f"NOT RUN: the recorded public data is absent ({shared}).")
    logging.disable(logging.INFO)
    retriever().encoder = open_encoder(EncoderConfig())
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    options.data.mkdir(parents=True, exist_ok=True)
    model = model_of(options.seconds)
    if model is not None:
        model = replace(model, verifier=model_of(options.seconds, of="SIGHTLINE_VERIFIER_MODEL"))
    with EmbeddedPostgres(options.data) as server:
        migrate(server.url)
        if options.record is None or model is None:
            asyncio.run(run(server.url, options, shared, model))
            return
        with playing(Cassettes.load(options.record), upstream=model.base_url) as url:
            asyncio.run(run(server.url, options, shared, replace(model, base_url=url)))


if __name__ == "__main__":
    main()
