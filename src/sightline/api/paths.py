"""The handlers of each path: a tree of segments, so that a lookup costs the same for any number of paths."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import ASGIApp

# Reads a request and answers what sends the response.
Answer = Callable[[Request], Awaitable[ASGIApp]]


class Found(NamedTuple):
    """The handlers of a path by method, and the values of its parameters."""

    answers: dict[str, Answer]
    parameters: dict[str, str]


@dataclass
class Paths:
    """The paths below one segment. A literal segment goes before a parameter: no parameter takes its name."""

    answers: dict[str, Answer] = field(default_factory=dict)
    literals: dict[str, "Paths"] = field(default_factory=dict)
    parameter: tuple[str, "Paths"] | None = None  # its name, and what is below it

    def add(self, path: str, method: str, answer: Answer) -> None:
        """Let `answer` have a path such as `/companies/{company_id}`."""
        node = self
        for segment in path.split("/")[1:]:
            node = node._below(segment)
        node.answers[method] = answer

    def find(self, path: str) -> Found | None:
        """Who answers a path; None when no one does."""
        return self._find(path.split("/"), 1)

    def _below(self, segment: str) -> "Paths":
        if not segment.startswith("{"):
            return self.literals.setdefault(segment, Paths())
        if self.parameter is None:
            self.parameter = (segment.strip("{}"), Paths())
        if self.parameter[0] != segment.strip("{}"):
            raise ValueError(f"{segment} stands where {{{self.parameter[0]}}} does.")
        return self.parameter[1]

    def _find(self, segments: list[str], at: int) -> Found | None:
        if at == len(segments):
            return Found(self.answers, {}) if self.answers else None
        segment = segments[at]
        literal = self.literals.get(segment)
        if literal is not None and (found := literal._find(segments, at + 1)):
            return found
        if self.parameter is None or not segment:
            return None
        name, below = self.parameter
        if found := below._find(segments, at + 1):
            found.parameters[name] = segment
        return found
