"""The changes to an account from a row of a list.

Who wins: a value that a person set always stays. A newer import replaces what an older one brought,
whole groups at a time (an address, a size). Within one import the first row that says something wins,
so the same file gives the same account however often it is read. Lists of names, domains and tags
only ever grow.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sightline.domain.names import distinct_names, name_key, sort_key
from sightline.imports.account_row import AccountRow, Reference, Value
from sightline.store.account_writes import FIELD_GROUPS, AccountState

_LISTS = ("alternative_names", "alternative_domains", "tags")
_LONGEST_LIST = 100
_GROUPED = frozenset(name for group in FIELD_GROUPS for name in group)
# A group whose first field says more than the others: without it a row does not replace one with it.
_LED_GROUPS = frozenset({("industry", "sector")})


@dataclass(frozen=True)
class ImportStamp:
    """Where the values of this import come from, as kept beside each of them."""

    import_id: str
    observed_at: str  # RFC 3339

    @cached_property
    def source(self) -> dict[str, Any]:
        """The entry of `own_sources`; one object for all fields, which no one changes."""
        return {"source": "import", "import_id": self.import_id, "observed_at": self.observed_at}


def merge_row(
    state: AccountState,
    row: AccountRow,
    stamp: ImportStamp,
    *,
    domains: Set[str],
    references: Set[Reference],
) -> None:
    """Put a row into an account; `is_changed` and `is_confirmed` of the state tell what it did.

    `domains` and `references` are those of the row that no other account has.
    """
    merge = _Merge(state, stamp)
    if state.is_new and not state.own:
        _fill(state, row, stamp)
        merge.known_as(row, domains, references)
        return
    merge.name(row)
    for group in FIELD_GROUPS:
        merge.group(group, row.values)
    for name, value in row.values.items():
        if name not in _GROUPED and name not in _LISTS and name != "company_name":
            merge.group((name,), {name: value})
    merge.known_as(row, domains, references)
    for name in _LISTS:
        merge.add_to_list(name, row.values.get(name))


def _fill(state: AccountState, row: AccountRow, stamp: ImportStamp) -> None:
    """The first row of a new account: all of it is news."""
    state.own = dict(row.values)
    state.own_sources = dict.fromkeys(row.values, stamp.source)
    state.name_key = row.name_key


@dataclass
class _Merge:
    state: AccountState
    stamp: ImportStamp

    def name(self, row: AccountRow) -> None:
        """A new name replaces one of an older import; the old name stays as an alternative."""
        held = self.state.own.get("company_name")
        if held is None:
            self._set("company_name", row.name)
        elif row.named and not self._is_kept("company_name"):
            same = name_key(held) == row.name_key
            if same and (row.shouted or held == row.name):
                self._confirm("company_name")
            else:
                self._set("company_name", row.name)
                self.add_to_list("alternative_names", None if same else [held])
        elif row.named and name_key(held) != row.name_key:
            self.add_to_list("alternative_names", [row.name])
        self.state.name_key = name_key(self.state.own["company_name"])

    def group(self, names: tuple[str, ...], values: Mapping[str, Value]) -> None:
        """Take the row's values of a group over, fill gaps with them, or leave the group alone."""
        given = {name: values[name] for name in names if name in values}
        own = self.state.own
        if all(name not in own or own[name] == value for name, value in given.items()):
            for name, value in given.items():
                if name in own or self._is_users(name):
                    self._confirm(name)
                else:
                    self._set(name, value)
        elif self._may_replace(names, given):
            self._replace(names, given)

    def _replace(self, names: tuple[str, ...], given: Mapping[str, Value]) -> None:
        own = self.state.own
        if names[0] == "website_domain" and own.get("website_domain"):
            self.add_to_list("alternative_domains", [own["website_domain"]])
        for name in names:
            if name in given:
                self._set(name, given[name])
            elif name in own and not self._is_users(name):
                self._remove(name)

    def _may_replace(self, names: tuple[str, ...], given: Mapping[str, Value]) -> bool:
        own = self.state.own
        poorer = names in _LED_GROUPS and names[0] in own and names[0] not in given
        return not poorer and not any(self._is_kept(name) for name in names if name in own)

    def add_to_list(self, name: str, added: Value | None) -> None:
        """Add what a list does not hold yet; the present name and domain are no alternatives."""
        own = self.state.own
        held: list[str] = own.get(name, [])
        if self._is_users(name):
            return
        every = [*held, *(added if isinstance(added, list) else ())]
        if name == "alternative_names":
            current = sort_key(own["company_name"])
            kept = [each for each in distinct_names(every) if sort_key(each) != current]
        elif name == "alternative_domains":
            kept = [d for d in dict.fromkeys(every) if d != own.get("website_domain")]
        else:
            kept = list(dict.fromkeys(every))
        kept = kept[:_LONGEST_LIST]
        if kept == held:
            if added and held:
                self._confirm(name)
        elif kept:
            self._set(name, kept)
        else:
            self._remove(name)

    def known_as(self, row: AccountRow, domains: Set[str], references: Set[Reference]) -> None:
        """Domains and references that lead to the account from now on."""
        new_domains, new_references = (
            domains - self.state.domains,
            references - self.state.references,
        )
        if new_domains or new_references:
            self.state.domains |= new_domains
            self.state.added_domains |= new_domains
            self.state.references |= new_references
            self.state.added_references |= new_references
            self.state.is_changed = True
        if row.domain and self.state.own.get("website_domain") not in (None, row.domain):
            self.add_to_list("alternative_domains", [row.domain])

    def _set(self, name: str, value: Value) -> None:
        if self.state.own.get(name) != value:
            self.state.own[name] = value
            self.state.is_changed = True
        self._confirm(name)

    def _remove(self, name: str) -> None:
        self.state.own.pop(name, None)
        self.state.own_sources.pop(name, None)
        self.state.is_changed = True

    def _confirm(self, name: str) -> None:
        source = self.state.own_sources.get(name)
        if source is None or (
            source.get("source") != "user" and source.get("import_id") != self.stamp.import_id
        ):
            self.state.own_sources[name] = self.stamp.source
            self.state.is_confirmed = True

    def _is_users(self, name: str) -> bool:
        return self.state.own_sources.get(name, {}).get("source") == "user"

    def _is_kept(self, name: str) -> bool:
        """Set by a person, or by an earlier row of this very import."""
        source = self.state.own_sources.get(name, {})
        return source.get("source") == "user" or source.get("import_id") == self.stamp.import_id
