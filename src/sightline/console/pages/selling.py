"""What the organization sells: its seller context, and the questions it asks about every company."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit, listed
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.countries import closest_countries, country_from_text
from sightline.domain.errors import NameIsTaken
from sightline.domain.industries import closest_industries, industries
from sightline.domain.sellers import (
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    LONGEST_QUESTION,
    MOST_ENTRIES,
)
from sightline.store.seller_context import (
    add_question,
    change_context,
    delete_question,
    questions_page,
    read_context,
)

HERE: Final = "/console/settings/selling"
LINES: Final = ("value_propositions", "personas", "competitors")
"""Parts of the context that are written one entry a line."""
IDEAL_LINES: Final = ("industries", "countries", "technologies", "keywords")
IDEAL_CHOICES: Final = (("employee_ranges", EMPLOYEE_BANDS), ("revenue_ranges", REVENUE_BANDS))


class _Unreadable(ValueError):
    """What was written cannot be kept; the message says what to change."""


async def change(visit: Visit) -> Shown | Moved:
    """Keep the seller context as the form has it, or take in or drop a question."""
    action = visit.form.get("action", "context")
    work = {"context": _keep_context, "ask": _keep_question, "drop": _drop_question}.get(action)
    if work is None:
        raise FormIsInvalid
    try:
        await work(visit)
    except _Unreadable as error:
        return await show(visit, error=str(error))
    except NameIsTaken as error:
        return await show(visit, error=error.message)
    return Moved(HERE, notice="selling_changed")


async def _keep_context(visit: Visit) -> None:
    async with visit.writing() as connection:
        stored, _ = await read_context(connection)
        given = _context(visit.form, stored)
        await change_context(connection, given)


async def _keep_question(visit: Visit) -> None:
    values = {
        "name": _one_line(visit.form, "name", LONGEST_NAME),
        "question": _one_line(visit.form, "question", LONGEST_QUESTION),
        "keywords": _entries(
            visit.form.get("question_keywords", "").replace(",", "\n"), "keywords"
        ),
    }
    if not values["name"] or not values["question"]:
        raise _Unreadable("Enter a short name and the question.")
    async with visit.writing() as connection:
        await add_question(connection, values)


async def _drop_question(visit: Visit) -> None:
    async with visit.writing() as connection:
        if not await delete_question(connection, visit.form_id("question_id")):
            raise NothingHere


def _context(form: Mapping[str, str], stored: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of the context that the form has. Raises _Unreadable.

    What the API alone can say of an offering stays with the offering of the same name.
    """
    known = {row["name"]: row for row in stored.get("offerings") or ()}
    offerings = []
    for line in _entries(form.get("offerings", ""), "offerings", LONGEST_DESCRIPTION):
        name, _, description = (part.strip() for part in line.partition(":"))
        if not name or len(name) > LONGEST_NAME:
            raise _Unreadable(
                f"Each offering begins with a name of at most {LONGEST_NAME} characters: {line[:60]}…"
            )
        offerings.append({**known.get(name, {}), "name": name, "description": description})
    ideal = {part: _entries(form.get(part, ""), part) for part in IDEAL_LINES}
    names = {each.name.casefold(): each.name for each in industries()}
    ideal["industries"] = _known(
        ideal["industries"], "industry", lambda text: names.get(text.casefold()), closest_industries
    )
    ideal["countries"] = _known(ideal["countries"], "country", _country, closest_countries)
    for part, bands in IDEAL_CHOICES:
        ideal[part] = [band for band in bands if form.get(f"{part}:{band}")]
    return {
        "company_name": _one_line(form, "company_name", LONGEST_NAME),
        "offerings": offerings,
        **{part: _entries(form.get(part, ""), part) for part in LINES},
        "ideal_profile": ideal,
    }


def _entries(text: str, part: str, longest: int = LONGEST_NAME) -> list[str]:
    """The lines of a field that say something, each once. Raises _Unreadable."""
    lines = list(dict.fromkeys(" ".join(line.split()) for line in text.splitlines()))
    lines = [line for line in lines if line]
    label = part.replace("_", " ")
    if len(lines) > MOST_ENTRIES:
        raise _Unreadable(f"At most {MOST_ENTRIES} {label} can be kept; there are {len(lines)}.")
    if long := next((line for line in lines if len(line) > longest), None):
        raise _Unreadable(f"One of the {label} is longer than {longest} characters: {long[:60]}…")
    return lines


def _one_line(form: Mapping[str, str], name: str, longest: int) -> str:
    text = " ".join(form.get(name, "").split())
    if len(text) > longest:
        raise _Unreadable(f"The {name.replace('_', ' ')} is longer than {longest} characters.")
    return text


def _known(
    given: Sequence[str],
    what: str,
    read: Callable[[str], str | None],
    closest: Callable[[str], list[str]],
) -> list[str]:
    """The vocabulary's own words for what was written. Raises _Unreadable."""
    found = []
    for text in given:
        value = read(text)
        if value is None:
            near = ", ".join(closest(text)) or "none"
            raise _Unreadable(f"There is no {what} “{text[:60]}”; the closest: {near}.")
        found.append(value)
    return list(dict.fromkeys(found))


def _country(text: str) -> str | None:
    found = country_from_text(text)
    return found.alpha2 if found else None


async def show(visit: Visit, *, error: str | None = None) -> Shown:
    async with visit.reading() as connection:
        context, _ = await read_context(connection)
        questions, pager = await listed(visit, partial(questions_page, connection))
    written = visit.form if error else _written(context)
    return Shown(
        "selling.html",
        {
            "written": written,
            "questions": questions,
            "pager": pager,
            "lines": LINES,
            "ideal_lines": IDEAL_LINES,
            "ideal_choices": IDEAL_CHOICES,
            "error": error,
        },
    )


def _written(context: Mapping[str, Any]) -> dict[str, str]:
    """The stored context as the fields of the form."""
    ideal = context.get("ideal_profile") or {}
    fields = {"company_name": context.get("company_name") or ""}
    fields["offerings"] = "\n".join(
        ": ".join(filter(None, (row["name"], row.get("description"))))
        for row in context.get("offerings") or ()
    )
    fields |= {part: "\n".join(context.get(part) or ()) for part in LINES}
    fields |= {part: "\n".join(ideal.get(part) or ()) for part in IDEAL_LINES}
    for part, bands in IDEAL_CHOICES:
        fields |= {f"{part}:{band}": "on" for band in bands if band in (ideal.get(part) or ())}
    return fields
