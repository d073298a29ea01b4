"""Loads the data tables: published vocabularies and word lists."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def toml_table(name: str) -> dict[str, Any]:
    """A file of ``domain/data`` as nested dictionaries; read once per process, never changed."""
    return tomllib.loads(read_table(name))


@cache
def word_set(table: str, key: str) -> frozenset[str]:
    """The blank-separated words kept under one key of a TOML table."""
    return frozenset(str(toml_table(table)[key]).split())


def read_table(name: str) -> str:
    """The text of a file of ``domain/data``."""
    return files("sightline.domain").joinpath("data", name).read_text(encoding="utf-8")


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of a tab-separated file of ``domain/data``, by the names in its first line."""
    head, *rows = read_table(name).splitlines()
    names = head.split("\t")
    return [dict(zip(names, row.split("\t"), strict=True)) for row in rows]
