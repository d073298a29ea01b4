"""Creates a new source: folder, manifest, parser, connector, and a test that proves they fit together.

python -m tests.tools.new_source NAME [--root DIR]

What it writes runs: a register that answers JSON with a name and a website. Its test passes as soon as
it is written, and fails as soon as parser, manifest or connector stop agreeing.
"""

import argparse
import keyword
import re
import sys
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{1,39}")


class SourceCannotBeMade(Exception):
    """The name is not a name for a source, or taken; the message says which."""


def scaffold(name: str, root: Path) -> list[Path]:
    """Write the files of a new source below a project's `root`; returns them.

    Raises SourceCannotBeMade, and then nothing was written.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise SourceCannotBeMade(
            f"{name!r} is no name for a source: use small letters, digits and _, such as"
            " companies_house."
        )
    code = root / "src" / "sightline" / "sources" / name
    tests = root / "tests" / "sources" / name
    for folder in (code, tests):
        if folder.exists():
            raise SourceCannotBeMade(f"{folder} exists already.")
    words = {"NAME": name, "CONSTANT": name.upper(), "TITLE": name.replace("_", " ").title()}
    files = {
        code / "__init__.py": "",
        code / "source.toml": _MANIFEST,
        code / "parse.py": _PARSER,
        code / "connector.py": _CONNECTOR,
        tests / f"test_{name}.py": _TEST,
    }
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = template
        for word, value in words.items():
            text = text.replace(f"@{word}@", value)
        path.write_text(text, encoding="utf-8")
    return list(files)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Begin a new source of facts.")
    parser.add_argument("name")
    parser.add_argument("--root", type=Path, default=Path.cwd())
    options = parser.parse_args()
    try:
        made = scaffold(options.name, options.root)
    except SourceCannotBeMade as error:
        sys.exit(f"Error: {error}")
    for path in made:
        print(path.relative_to(options.root))
    print(
        f'\nNow read its documents in parse.py, and add "{options.name}" to NAMES in'
        " src/sightline/sources/manifests.py."
    )


_MANIFEST: Final = """\
name = "@NAME@"
title = "@TITLE@"
category = "register" # register, filings, website, jobs or news
summary = "One sentence: what companies are in it, and what it says of them."
terms = "https://register.example/terms"
fields = ["company_name", "website_domain"]
refresh_days = 30

# Requests a second that its rules allow; without a line, one.
[hosts]
"api.register.example" = 2.0

# Below these it counts as broken: share of requests answered, new values per document read.
[floors]
answered = 0.8
facts_per_document = 0.5
"""

_PARSER: Final = '''\
"""Records of @TITLE@."""

import json

from sightline.domain.evidence import Body, Observation, Parsed
from sightline.domain.websites import domain_of
from sightline.sources.contract import RecordIsUnusable


def read_record(body: Body) -> Parsed:
    """One company's record, `{"name": ..., "website": ...}`. Raises RecordIsUnusable."""
    try:
        record = json.loads(body.content)
    except ValueError as error:
        raise RecordIsUnusable("The answer is not JSON.") from error
    name = record.get("name") if isinstance(record, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise RecordIsUnusable("The record names no company.")
    seen = [Observation("company_name", name.strip(), "api", 0.9, pointer="/name")]
    if domain := domain_of(str(record.get("website") or "")):
        seen.append(Observation("website_domain", domain, "api", 0.9, pointer="/website"))
    return Parsed(kind="data", text="", title=name.strip(), observations=tuple(seen))
'''

_CONNECTOR: Final = '''\
"""@TITLE@: the record of a company, by its domain."""

from sightline.sources.@NAME@.parse import read_record
from sightline.sources.contract import Context, RecordIsUnusable, Source, Target, read_manifest

VERSION = 1  # of the parser: raise it, and stored answers are read again
_RECORD = "https://api.register.example/companies/{}"


async def collect(context: Context, target: Target) -> None:
    """Read the company's record."""
    try:
        found = await context.document(
            _RECORD.format(target.domain), parse=read_record, version=VERSION
        )
    except RecordIsUnusable as error:
        context.note(str(error))
        return
    if found is None:
        context.note("The register does not have the company.")


@CONSTANT@ = Source(
    read_manifest("sightline.sources.@NAME@"),
    collect,
    applies=lambda target: target.domain is not None,
)
'''

_TEST: Final = '''\
"""@TITLE@: what a record says, what is no record, and that the manifest declares what is given."""

from datetime import UTC, datetime

import pytest

from sightline.domain.evidence import Body
from sightline.domain.fields import FIELDS
from sightline.sources.@NAME@.connector import @CONSTANT@
from sightline.sources.@NAME@.parse import read_record
from sightline.sources.contract import RecordIsUnusable


def body(content: bytes) -> Body:
    return Body(
        url="https://api.register.example/companies/quill.example",
        content=content,
        media_type="application/json",
        charset=None,
        headers={},
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_a_record_gives_declared_fields_with_pointers() -> None:
    read = read_record(body(b\'{"name": "Quill Works", "website": "https://www.quill.example/"}\'))
    values = {each.field: each.value for each in read.observations}
    assert values == {"company_name": "Quill Works", "website_domain": "quill.example"}
    assert values.keys() <= set(@CONSTANT@.manifest.fields)
    assert all(each.pointer or each.quote for each in read.observations)


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"{}", b\'{"name": 7}\'])
def test_what_is_no_record_is_refused(content: bytes) -> None:
    with pytest.raises(RecordIsUnusable):
        read_record(body(content))


def test_the_manifest_names_real_fields() -> None:
    assert set(@CONSTANT@.manifest.fields) <= set(FIELDS)
    assert @CONSTANT@.name == "@NAME@"
'''


if __name__ == "__main__":
    main()
