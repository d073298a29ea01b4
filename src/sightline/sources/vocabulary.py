"""The vocabulary of the job board readers, from `vocabulary.toml`."""

import tomllib
from functools import cache
from importlib import resources


@cache
def vocabulary(name: str) -> frozenset[str]:
    """One list of the file as a set. Raises KeyError for a list that it lacks."""
    with resources.files(__package__).joinpath("vocabulary.toml").open("rb") as file:
        return frozenset(tomllib.load(file)[name])


def names_one_of(folded: str, name: str) -> bool:
    """Whether a folded text has a phrase of a list, as whole words; "praktik*" stands for its beginnings."""
    padded = f" {folded} "
    return any(
        (f" {phrase[:-1]}" if phrase.endswith("*") else f" {phrase} ") in padded
        for phrase in vocabulary(name)
    )
