"""The interface of a contact provider: manifest, price, request and response.

Its key is an organization's own, and what it says stays with that organization: unlike what public sources
say, none of it goes into the shared catalogue.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sightline.kit.fetch.answer import Request
from sightline.sources.contract import Manifest

MOST_LEFT_OUT: Final = 100  # addresses, and as many pages: the least that a question may hold


class ProviderRefuses(Exception):
    """It does not take what was asked, or not now; the message is for a person."""


@dataclass(frozen=True, slots=True)
class Employer:
    """The company whose people are asked for."""

    name: str
    domain: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Suppressed people whom an organization still knows of at the company: how many, their addresses at the
    company's own domain, and their profile pages."""

    people: int = 0
    emails: Sequence[str] = ()
    profiles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Person:
    """A person as a provider knows them: `raw` by the fields of the Contact object. `guessed` are
    addresses that it made from a pattern, which are no facts; `url` is where it saw the person, `key` its
    own id."""

    raw: Mapping[str, Any]
    guessed: Sequence[str] = ()
    url: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Provider:
    """One provider. `price` says in words what it counts; `credits` counts it for so many people. `ask` makes
    the request for an employer and so many people, but not those left out, with a key; `leaves_out`: it
    takes such exclusions. `read` reads the JSON of an answer."""

    manifest: Manifest
    price: str
    credits: Callable[[int], int]
    ask: Callable[[str, Employer, int, LeftOut], tuple[str, Request]]
    read: Callable[[Mapping[str, Any]], Sequence[Person]]
    most: int  # people at once
    leaves_out: bool = False

    @property
    def name(self) -> str:
        return self.manifest.name
