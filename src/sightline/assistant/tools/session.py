"""State shared by the tools of one answer: whose evidence they read, what they have shown, the budget left.

The tools only read. Organization, scopes and company are bound here before the model is asked; no
argument of a tool can name another organization. No tool fetches an address.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import wraps
from typing import Concatenate, Final, ParamSpec
from uuid import UUID

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Listener, Source
from sightline.assistant.shown import Shown, ShownSources
from sightline.reading.orders import without_orders

P = ParamSpec("P")
Row = tuple[str, tuple[Source, ...]]  # words, and what proves them

MOST_COMPANIES: Final = 6  # of one answer, beside the one that the conversation is about
_SHARE: Final = 0.3  # of the characters that are left, for one tool's answer
_LEAST: Final = 1_500  # characters; with less left no tool answers
_LONGEST: Final = 14_000  # characters of one tool's answer
_MOST_ROWS: Final = 40  # of a list
_LONGEST_ROW: Final = 900  # characters
ENOUGH: Final = "Limit reached: no more look-ups. Answer now from what was shown."


class NoAnswer(Exception):
    """A tool has nothing to show; the message says what there is instead."""


@dataclass
class ToolSession:
    """`evidence` is that of the conversation's company, None in one about all accounts."""

    evidence: CompanyEvidence
    listener: Listener
    shown: ShownSources
    calls_left: int
    characters_left: int
    has_company: bool = True
    calls: int = 0
    asked: dict[str, list[str]] = field(default_factory=dict)  # requests -> ids that they showed
    companies: dict[str, CompanyEvidence] = field(default_factory=dict)  # found, by A1…
    _read: dict[UUID, CompanyEvidence] = field(default_factory=dict)  # that tools were asked for

    @property
    def room(self) -> int:
        """Characters that the answer of one tool may have."""
        return min(_LONGEST, max(_LEAST, int(self.characters_left * _SHARE)))

    def of(self, company: str | None) -> CompanyEvidence:
        """The evidence of a company: the conversation's, or an account's by id, name or domain.

        Raises NoAnswer.
        """
        if company is None or company.casefold() == self.evidence.name.casefold():
            if not self.has_company:
                raise NoAnswer("Say which company: find it with find_accounts and pass its id.")
            return self.evidence
        known = {name.casefold(): each for name, each in self.companies.items()}
        known |= {each.name.casefold(): each for each in self.companies.values()}
        found = known.get(company.casefold())
        if found is None:
            raise NoAnswer(f"No account {company!r} was found yet. Use find_accounts first.")
        if found.company_id not in self._read and len(self._read) >= MOST_COMPANIES:
            raise NoAnswer(f"Limit reached: at most {MOST_COMPANIES} other companies an answer.")
        return self._read.setdefault(found.company_id, found)

    def source(self, name: str) -> tuple[CompanyEvidence, Shown]:
        """A source that was shown, and the evidence of its company. Raises NoAnswer."""
        shown = self.shown.by_id.get(name.strip().upper())
        if shown is not None:
            for evidence in (self.evidence, *self._read.values()):
                if self._company(evidence) == shown.company:
                    return evidence, shown
        raise NoAnswer(f"There is no source {name!r}. Use list_documents or search.")

    def put(
        self, evidence: CompanyEvidence, text: str, *sources: Source, kind: str, context: str = ""
    ) -> str:
        """Number a text and its sources, and answer the id: what says the same has the id it had."""
        return self.shown.put(Shown(text, sources, kind, context, self._company(evidence)))

    def listed(
        self,
        evidence: CompanyEvidence,
        rows: Sequence[Row],
        *,
        kind: str | Sequence[str],
        most: int = _MOST_ROWS,
    ) -> list[str]:
        """Rows with what proves them as numbered lines, without orders, and how many more there are. They are
        of one `kind`, or each of its own."""
        lines = []
        kinds = [kind] * len(rows) if isinstance(kind, str) else kind
        for (text, sources), own in zip(rows[:most], kinds, strict=False):
            if text := cut(without_orders(text), _LONGEST_ROW):
                lines.append(f"{self.put(evidence, text, *sources, kind=own)} | {text}")
        if len(rows) > most:
            lines.append(f"… and {len(rows) - most} more; narrow what you ask for.")
        return lines

    def holding(
        self, evidence: CompanyEvidence, text: str, address: str | None = None
    ) -> str | None:
        """The id of a source of the company, or of one address of it, that has the words already."""
        return self.shown.holding(text, self._company(evidence), address)

    def _company(self, evidence: CompanyEvidence) -> str:
        """As sources name it: "" is the company that the conversation is about."""
        return "" if evidence is self.evidence and self.has_company else evidence.name


Function = Callable[Concatenate[ToolSession, P], Awaitable[str]]


def tool(step: str) -> Callable[[Function[P]], Function[P]]:
    """Make a tool of a function: counted, bounded, and in words where there is nothing to show."""

    def made(function: Function[P]) -> Function[P]:
        @wraps(function)
        async def call(session: ToolSession, /, *args: P.args, **kwargs: P.kwargs) -> str:
            session.calls += 1
            session.calls_left -= 1
            if session.calls_left < 0 or session.characters_left < _LEAST:
                return ENOUGH
            given = [value for value in (*args, *kwargs.values()) if value]
            asked = ", ".join("; ".join(map(str, each)) if isinstance(each, list) else str(each)
                              for each in given)  # fmt: skip
            request = f"{step} {args} {sorted(kwargs.items())}".casefold()
            if request in session.asked:
                shown = ", ".join(session.asked[request]) or "nothing"
                return f"You asked exactly this before; it showed {shown}. Ask for something else, or answer."
            await session.listener.step(step, what=asked[:300])
            try:
                answer = await function(session, *args, **kwargs)
            except NoAnswer as nothing:
                answer = str(nothing)
            begun = [line.partition(" | ")[0] for line in answer.splitlines()]
            session.asked[request] = [name for name in begun if name in session.shown.by_id]
            session.characters_left -= len(answer)
            return answer

        return call

    return made


def midnight(value: date | None) -> datetime | None:
    """When a day begins."""
    return datetime.combine(value, time.min, UTC) if value else None


def day(moment: datetime | None) -> str:
    """'2025-01-31'; 'undated'."""
    return moment.date().isoformat() if moment else "undated"


def cut(text: str, most: int) -> str:
    """At most so many characters, ended at a white space."""
    if len(text) <= most:
        return text
    return text[:most].rpartition(" ")[0] + " …"
