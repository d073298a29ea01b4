"""`inspect filing`: the form, items and plain text of one filing."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli.exits import CommandFailed, one_line_errors
from sightline.cli.output import print_json

if TYPE_CHECKING:
    from sightline.sources.sec_edgar.filing import Filing
    from sightline.sources.sec_edgar.sections import Item


def filing(
    file: Annotated[
        Path, typer.Argument(help="A filing document or full submission; HTML or text, also gzip.")
    ],
    text: Annotated[
        Path | None,
        typer.Option("--text", metavar="OUT", help="Write the plain text to this file."),
    ] = None,
    item: Annotated[
        str | None, typer.Option("--item", metavar="ITEM", help="Print this item's text instead.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--form", help="The form, if the file does not name it.")
    ] = None,
    headings: Annotated[
        bool, typer.Option("--headings", help="Add the sub-headings of each item.")
    ] = False,
) -> None:
    """Find the items of any filing: 10-K, 10-Q, 20-F, 8-K and older kinds.

    Prints the form, the items with offsets into the plain text, that text's length, and notes on
    anything unusual. Items of a 10-Q are named part1item1 to part2item6, those of an 8-K 1.01 to
    9.01.
    """
    with one_line_errors():
        # Parsers are loaded when they are needed: `sightline --help` should not wait for them.
        from sightline.cli.inspect_files import body_of, parsed
        from sightline.sources.sec_edgar.filing import NotAFiling, read_filing

        try:
            content = body_of(file, None).content
            read = parsed(file, partial(read_filing, name=file.name, form=form), content)
        except NotAFiling as error:
            raise CommandFailed(f"{file}: {error}") from error
        if text is not None:
            try:
                text.write_text(read.text, encoding="utf-8")
            except OSError as error:
                raise CommandFailed(f"{text} cannot be written: {error.strerror}") from error
        if item is not None:
            wanted = next((each for each in read.items if each.item.lower() == item.lower()), None)
            if wanted is None:
                found = ", ".join(each.item for each in read.items) or "none"
                raise CommandFailed(f"{file} has no item {item}. Found: {found}.")
            spans = ((wanted.start, wanted.end), *wanted.also)
            print("\n\n".join(read.text[start:end] for start, end in spans))
            return
        print_json(_report(read, headings=headings))


def _report(read: "Filing", *, headings: bool) -> dict[str, Any]:
    return {
        "form": read.form,
        "items": [_entry(read, each, headings=headings) for each in read.items],
        "text_chars": len(read.text),
        "documents": [
            {"type": one.type, "filename": one.filename, "bytes": len(one.content)}
            for one in read.documents
        ],
        "notes": list(read.notes),
    }


def _entry(read: "Filing", item: "Item", *, headings: bool) -> dict[str, Any]:
    from sightline.sources.sec_edgar.headings import find_headings

    entry: dict[str, Any] = {
        "item": item.item,
        "title": item.title,
        "start": item.start,
        "end": item.end,
        "chars": item.end - item.start,
        "incorporated_by_reference": item.incorporated_by_reference,
        "omitted": item.omitted,
    }
    if item.with_items:
        entry["with_items"] = list(item.with_items)
    if item.also:
        entry["also"] = [{"start": start, "end": end} for start, end in item.also]
    if headings:
        inside = find_headings(read.document, item.start, item.end)
        entry["headings"] = [
            {"level": one.level, "text": one.text, "start": one.start, "end": one.end}
            for one in inside
        ]
    return entry
