"""A contact search as SQL over bitmaps: `hits`, one row a block of 2,048 contacts that has any.

Everything is met by equality or prefix of a token, which row-level security lets an index answer, and
joined by bit operations; so totals are exact and cost a few milliseconds at a million contacts.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.domain.contact_records import EVERYONE
from sightline.domain.filters import EVERYTHING, Filter
from sightline.store.companies import ids_of
from sightline.store.contact_bits import NO_BITS
from sightline.store.filters import condition_of, needs_record

_LAST_LETTER = "\U0010ffff"
_OF_COMPANY = "JOIN contacts c ON c.organization_id = $1 AND c.company_id = a.company_id"
# People kept under the id of a company before it was merged. These are few, so they are a join of
# their own: one condition for both would leave no index to either.
_OF_MERGED_COMPANY = """
  JOIN companies m ON m.merged_into = a.company_id
  JOIN contacts c ON c.organization_id = $1 AND c.company_id = m.company_id
"""


@dataclass(frozen=True, slots=True)
class Atom:
    """Contacts under any of the tokens, or under any token that begins with one of the prefixes."""

    tokens: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """Contacts for which all atoms of at least one of the alternatives hold; or, negated, of none.

    Who makes a query of a clause without alternatives says `nothing`.
    """

    alternatives: tuple[tuple[Atom, ...], ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ContactQuery:
    """What must hold of a contact: all of it. `nothing` answers no rows."""

    clauses: tuple[Clause, ...] = ()
    company_ids: tuple[UUID, ...] | None = None
    accounts: Filter = EVERYTHING  # of the account that the contact works at
    account_ids: tuple[UUID, ...] | None = None  # the accounts that match it, where they are known
    keys: tuple[str, ...] | None = None
    updated_since: datetime | None = None
    nothing: bool = False


@dataclass
class _Builder:
    """Common table expressions and parameters as they are added; $1 is the organization."""

    values: list[Any]
    parts: list[str]

    def parameter(self, value: Any, kind: str) -> str:
        self.values.append(value)
        return f"${len(self.values)}::{kind}"

    def add(self, body: str) -> str:
        name = f"x{len(self.parts)}"
        self.parts.append(f"{name} AS MATERIALIZED ({body})")
        return name

    def atom(self, atom: Atom) -> str:
        chosen = []
        if atom.tokens:
            chosen.append(f"token = ANY({self.parameter(list(atom.tokens), 'text[]')})")
        for prefix in atom.prefixes:
            low = self.parameter(prefix, "text")
            high = self.parameter(prefix + _LAST_LETTER, "text")
            chosen.append(f'(token >= {low} COLLATE "C" AND token < {high} COLLATE "C")')
        where = " OR ".join(chosen) or "false"
        single = len(atom.tokens) == 1 and not atom.prefixes
        bits, group = ("bits", "") if single else ("bit_or(bits) AS bits", " GROUP BY block")
        return self.add(
            f"SELECT block, {bits} FROM contact_bits WHERE organization_id = $1 AND ({where}){group}"
        )

    def all_of(self, names: list[str]) -> str:
        if len(names) == 1:
            return names[0]
        bits = " & ".join(f"{name}.bits" for name in names)
        joins = "".join(f" JOIN {name} USING (block)" for name in names[1:])
        return self.add(f"SELECT block, {bits} AS bits FROM {names[0]}{joins}")

    def any_of(self, names: list[str]) -> str:
        if len(names) == 1:
            return names[0]
        union = " UNION ALL ".join(f"SELECT block, bits FROM {name}" for name in names)
        return self.add(f"SELECT block, bit_or(bits) AS bits FROM ({union}) u GROUP BY block")

    def clause(self, clause: Clause) -> str:
        return self.any_of(
            [
                self.all_of([self.atom(atom) for atom in alternative])
                for alternative in clause.alternatives
            ]
        )

    def rows(self, source: str) -> str:
        """The contacts of some rows with a `slot`."""
        return self.add(
            f"SELECT slot >> 11 AS block, bit_or(set_bit({NO_BITS}, slot & 2047, 1)) AS bits"
            f" FROM {source} GROUP BY 1"
        )

    def of_accounts(self, query: ContactQuery, own: str) -> str:
        """The contacts of the accounts that a query means."""
        tables = "accounts a"
        if query.account_ids is not None:
            condition = f"a.account_id = ANY({self.parameter(list(query.account_ids), 'uuid[]')})"
        else:
            condition = condition_of(query.accounts, self.values)
            if needs_record(query.accounts):
                tables += " JOIN account_records r"
                tables += " ON r.organization_id = $1 AND r.account_id = a.account_id"
        found_by = " UNION ALL ".join(
            f"SELECT c.slot FROM {each} WHERE a.organization_id = $1 AND {own} AND {condition}"
            for each in (f"{tables} {_OF_COMPANY}", f"{tables} {_OF_MERGED_COMPANY}")
        )
        return self.rows(f"({found_by}) AS of_accounts")


def hits_of(organization_id: OrganizationId, query: ContactQuery) -> tuple[str, list[Any]]:
    """Common table expressions that end in `hits (block, bits)`, and their parameters."""
    build = _Builder([organization_id], [])
    possible = [clause for clause in query.clauses if clause.alternatives]
    required = [build.clause(clause) for clause in possible if not clause.negated]
    excluded = [build.clause(clause) for clause in possible if clause.negated]
    own = "c.organization_id = $1 AND NOT c.hidden"
    if query.company_ids is not None:
        ids = build.parameter(list(query.company_ids), "uuid[]")
        required.append(build.rows(f"contacts c WHERE {own} AND c.company_id = ANY({ids_of(ids)})"))
    if query.accounts != EVERYTHING:
        required.append(build.of_accounts(query, own))
    if query.keys is not None:
        keys = build.parameter(list(query.keys), "text[]")
        required.append(
            build.rows(
                "contact_keys k JOIN contacts c USING (organization_id, contact_id)"
                f" WHERE {own} AND k.organization_id = $1 AND k.key = ANY({keys})"
            )
        )
    if query.updated_since is not None:
        since = build.parameter(query.updated_since, "timestamptz")
        required.append(build.rows(f"contacts c WHERE {own} AND c.updated_at >= {since}"))
    if not required:
        required = [build.atom(Atom((EVERYONE,)))]
    found = build.all_of(required)
    bits, joins = f"{found}.bits", ""
    for name in excluded:
        bits = f"({bits} & ~coalesce({name}.bits, {NO_BITS}))"
        joins += f" LEFT JOIN {name} USING (block)"
    unless = " WHERE false" if query.nothing else ""
    hits = (
        f"hits AS MATERIALIZED (SELECT block, bits, bit_count(bits) AS n FROM"
        f" (SELECT block, {bits} AS bits FROM {found}{joins}{unless}) h WHERE bits <> {NO_BITS})"
    )
    return "WITH " + ", ".join([*build.parts, hits]), build.values
