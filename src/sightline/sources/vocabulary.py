"""Words that the readers of job boards know, from `vocabulary.toml`."""

import tomllib
from functools import cache
from importlib import resources


@cache
def vocabulary(name: str) -> frozenset[str]:
    """One list of the file as a set. Raises KeyError for a list that it lacks."""
    with resources.files(__package__).joinpath("vocabulary.toml").open("rb") as file:
        return frozenset(tomllib.load(file)[name])
