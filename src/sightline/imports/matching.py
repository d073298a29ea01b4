"""Matches a row to an account: by domain, external id, ticker, then name and place.

A row is never taken for an account that an identifier speaks against, and never by name alone when
the countries differ. One employer in several cities of a country is one company.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from rapidfuzz import fuzz

from sightline.domain.names import name_key
from sightline.imports.account_row import TICKER_SYSTEM, AccountRow, Reference
from sightline.kit.ids import new_id
from sightline.store.account_writes import AccountState, Wanted
from sightline.store.catalogue import CatalogueCompany

_SEC_NUMBER = "sec_cik"
_ALIKE = 80  # of 100; two spellings of one name share nearly all of their words
_LEADING_WORD = 2  # letters; a shorter first word tells nothing


def wanted_by(rows: Sequence[AccountRow], companies: Iterable[CatalogueCompany] = ()) -> Wanted:
    """Everything the accounts of these rows may be known by."""
    return Wanted(
        domains=sorted(set().union(*(_domains(row) for row in rows))),
        references=sorted(set().union(*(_references(row) for row in rows))),
        name_keys=sorted({row.name_key for row in rows if row.named}),
        company_ids=[company.company_id for company in companies],
    )


class AccountIndex:
    """The accounts a chunk of rows may be about, those made by the chunk itself included."""

    def __init__(
        self, states: Sequence[AccountState], companies: Sequence[CatalogueCompany]
    ) -> None:
        self.states: list[AccountState] = []
        self._companies = companies
        self._by_domain: dict[str, AccountState] = {}
        self._by_reference: dict[tuple[str, str], AccountState] = {}
        self._by_name: defaultdict[str, list[AccountState]] = defaultdict(list)
        self._by_company: dict[UUID, AccountState] = {}
        for state in states:
            self._add(state)

    def account_of(self, row: AccountRow) -> AccountState:
        """The account of a row; a new one, of a catalogue company where one fits, when none does."""
        state = self._known(row)
        if state is not None:
            return state
        company = self._company_of(row)
        if company is not None and (state := self._by_company.get(company.company_id)):
            if not _contradicts(state, row):
                return state
            company = None
        state = AccountState(
            account_id=new_id(),
            company_id=company.company_id if company else new_id(),
            name_key=row.name_key,
            own={},
            own_sources={},
            catalogue=company.record if company else {},
            domains=set(),
            references=set(),
            is_new=True,
        )
        self._add(state)
        return state

    def free_domains(self, row: AccountRow, state: AccountState) -> set[str]:
        """The row's domains that lead to this account or to none."""
        return {d for d in _domains(row) if self._by_domain.get(d, state) is state}

    def free_references(self, row: AccountRow, state: AccountState) -> set[Reference]:
        """The row's ids and ticker that lead to this account or to none."""
        return {r for r in _references(row) if self._by_reference.get(r, state) is state}

    def learn(self, state: AccountState) -> None:
        """Let later rows find the account by what a row has added to it."""
        for domain in state.domains:
            self._by_domain.setdefault(domain, state)
        for reference in state.references:
            self._by_reference.setdefault(reference, state)
        same_name = self._by_name[state.name_key]
        if all(other is not state for other in same_name):
            same_name.append(state)

    def _add(self, state: AccountState) -> None:
        self.states.append(state)
        self._by_company[state.company_id] = state
        self.learn(state)

    def _known(self, row: AccountRow) -> AccountState | None:
        by_domain = self._by_domain.get(row.domain) if row.domain else None
        if by_domain is not None and _may_share_domain(by_domain, row):
            return by_domain
        for reference in row.references:
            if reference in self._by_reference:
                return self._by_reference[reference]
        if row.ticker:
            state = self._by_reference.get((TICKER_SYSTEM, row.ticker))
            if state and _may_share_ticker(state, row):
                return state
        return self._by_name_and_place(row) if row.named else None

    def _by_name_and_place(self, row: AccountRow) -> AccountState | None:
        fitting = [
            state
            for state in self._by_name.get(row.name_key, ())
            if not _contradicts(state, row) and not _differ(state.own, row.values, "country_code")
        ]
        if not fitting:
            return None
        return min(fitting, key=lambda state: (-_nearness(state.own, row), state.account_id))

    def _company_of(self, row: AccountRow) -> CatalogueCompany | None:
        if row.domain:
            by_site = [c for c in self._companies if row.domain in (c.domain, *c.domains)]
            return min(by_site, key=lambda company: company.domain != row.domain, default=None)
        if by_ticker := self._company_of_ticker(row):
            return by_ticker
        if not row.named or row.country_code is None:
            return None
        key = (row.name_key, row.country_code)
        same_name = [c for c in self._companies if (c.name_key, c.country_code) == key]
        in_city = [c for c in same_name if c.city and c.city == row.values.get("hq_city")]
        fitting = in_city or same_name
        return fitting[0] if len(fitting) == 1 else None

    def _company_of_ticker(self, row: AccountRow) -> CatalogueCompany | None:
        of_ticker = (c for c in self._companies if row.ticker and c.ticker == row.ticker)
        return next((c for c in of_ticker if _names_agree(c.name_key, row.name_key)), None)


def _domains(row: AccountRow) -> set[str]:
    extra = row.values.get("alternative_domains")
    domains = set(extra) if isinstance(extra, list) else set()
    return domains | {row.domain} if row.domain else domains


def _references(row: AccountRow) -> set[Reference]:
    ticker = {(TICKER_SYSTEM, row.ticker)} if row.ticker else set()
    return ticker | set(row.references)


def _contradicts(state: AccountState, row: AccountRow) -> bool:
    """Whether an identifier says that the row is about another company."""
    if row.domain and state.domains and row.domain not in state.domains:
        return True
    return _ids_differ(state, row)


def _ids_differ(state: AccountState, row: AccountRow, *, but: str | None = None) -> bool:
    for system, external_id in row.references:
        if system == but:
            continue
        held = {each for known, each in state.references if known == system}
        if held and external_id not in held:
            return True
    return False


def _may_share_domain(state: AccountState, row: AccountRow) -> bool:
    """One domain is one company, unless the list has two records of it under two quite different
    names: then the website of one of them has been taken over by the other."""
    return not _ids_differ(state, row) or _may_be_named(state, row)


def _may_share_ticker(state: AccountState, row: AccountRow) -> bool:
    """Tickers are given to others after years, so the names must agree. A company that goes on under a new
    holding keeps name and ticker and gets another number at the SEC."""
    if _contradicts(state, row) and (
        state.name_key != row.name_key or _ids_differ(state, row, but=_SEC_NUMBER)
    ):
        return False
    return _may_be_named(state, row)


def _may_be_named(state: AccountState, row: AccountRow) -> bool:
    """Whether the row's name goes with the account's present name or one of its others."""
    others = state.own.get("alternative_names", ())
    keys = (state.name_key, *map(name_key, others))
    return any(_names_agree(key, row.name_key) for key in keys)


def _names_agree(one: str, other: str) -> bool:
    """Whether two name keys may be of one company, given that a ticker or a domain says so."""
    first, second = one.split(), other.split()
    if one == other or "".join(first) == "".join(second):
        return True
    if first and second and first[0] == second[0] and len(first[0]) >= _LEADING_WORD:
        return True
    if "".join(w[0] for w in first) == "".join(second) or "".join(w[0] for w in second) == "".join(
        first
    ):
        return True
    return fuzz.token_set_ratio(one, other) >= _ALIKE


def _differ(own: Mapping[str, Any], values: Mapping[str, Any], name: str) -> bool:
    return name in own and name in values and own[name] != values[name]


def _nearness(own: Mapping[str, Any], row: AccountRow) -> int:
    """How much of the place is the same: 0 to 3."""
    return sum(
        name in own and own[name] == row.values.get(name)
        for name in ("country_code", "hq_state", "hq_city")
    )
