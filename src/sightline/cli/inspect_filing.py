"""`inspect filing`: the form, items and plain text of one filing."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sightline.cli.exits import CommandFailed, one_line_errors
from sightline.cli.output import print_json


def filing(
    file: Annotated[
        Path, typer.Argument(help="A filing document or full submission; HTML or text, also gzip.")
    ],
    text: Annotated[
        Path | None, typer.Option("--text", metavar="OUT", help="Write the plain text there.")
    ] = None,
    item: Annotated[
        str | None, typer.Option("--item", metavar="ITEM", help="Print this item's text instead.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--form", help="The form, where the file does not say it.")
    ] = None,
    headings: Annotated[
        bool, typer.Option("--headings", help="Add the sub-headings of each item.")
    ] = False,
) -> None:
    """Find the items of any filing: 10-K, 10-Q, 20-F, 8-K and older kinds.

    Prints the form, the items with offsets into the plain text, that text's length, and notes on what
    was unusual. Items of a 10-Q are named part1item1 to part2item6, those of an 8-K 1.01 to 9.01.
    """
    with one_line_errors():
        # Parsers are loaded when they are needed: `sightline --help` should not wait for them.
        from sightline.sources.sec_edgar.filing import NotAFiling, read_filing
        from sightline.sources.sec_edgar.headings import find_headings

        try:
            read = read_filing(file.read_bytes(), name=file.name, form=form)
        except NotAFiling as error:
            raise CommandFailed(f"{file}: {error}") from error
        except OSError as error:
            raise CommandFailed(f"{file} cannot be read: {error.strerror or error}") from error
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
        items: list[dict[str, Any]] = []
        for each in read.items:
            entry: dict[str, Any] = {
                "item": each.item,
                "title": each.title,
                "start": each.start,
                "end": each.end,
                "chars": each.end - each.start,
                "incorporated_by_reference": each.incorporated_by_reference,
                "omitted": each.omitted,
            }
            if each.with_items:
                entry["with_items"] = list(each.with_items)
            if each.also:
                entry["also"] = [{"start": start, "end": end} for start, end in each.also]
            if headings:
                inside = find_headings(read.document, each.start, each.end)
                entry["headings"] = [
                    {"level": one.level, "text": one.text, "start": one.start, "end": one.end}
                    for one in inside
                ]
            items.append(entry)
        print_json(
            {
                "form": read.form,
                "items": items,
                "text_chars": len(read.text),
                "documents": [
                    {"type": one.type, "filename": one.filename, "bytes": len(one.content)}
                    for one in read.documents
                ],
                "notes": list(read.notes),
            }
        )
