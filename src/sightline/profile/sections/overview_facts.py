"""Facts about a company in plain sentences, used if its own texts yield fewer than two."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sightline.domain.amounts import money, up_or_down
from sightline.profile.evidence import Evidence

_PLACE: Final = ("hq_city", "hq_state", "hq_country_name")
_DEPARTMENTS: Final = {"hr": "human resources", "it": "information technology"}


def fact_sentences(evidence: Evidence, facts: Mapping[str, Any], *, summary: str) -> list[str]:
    """Sentences on seat and industry, listing, revenue and hiring; of what is proven alone.

    `facts` are those of the overview: the record's, revenue and postings. `summary` is what the company
    says of itself: a seat that it names is not repeated.
    """
    won = {
        name: value
        for name, value in facts.items()
        if any(fact.wins for fact in evidence.by_field.get(name, ()))
    }
    made: list[str] = []

    def its(thing: str) -> str:
        return f"Its {thing}" if made or summary else f"The {thing} of {evidence.name}"

    place = ", ".join(str(won[part]) for part in _PLACE if part in won)
    if place and str(won.get("hq_city")) not in summary:
        made.append(f"{evidence.name} is based in {place}.")
    if "industry" in won:
        made.append(f"{its('industry')} is {won['industry']}.")
    if {"stock_ticker", "stock_exchange_name"} <= won.keys():
        listed = f"{won['stock_exchange_name']} as {won['stock_ticker']}"
        made.append(f"{its('shares')} trade on {listed}.")
    if revenue := facts.get("revenue"):
        made.append(f"{its('revenue')} was {_moved(revenue)}.")
    if facts.get("open_postings"):
        made.append(
            f"{'It' if made or summary else evidence.name} has {_postings(evidence, facts)}."
        )
    return made


def _moved(revenue: Mapping[str, Any]) -> str:
    """ "$5 million in FY2025, up 4% from the prior year"."""
    change = revenue["change"]
    moved = f", {up_or_down(change)} from the prior year" if change is not None else ""
    return f"{money(revenue['amount'], revenue['currency'])} in {revenue['label']}{moved}"


def _postings(evidence: Evidence, facts: Mapping[str, Any]) -> str:
    number = facts["open_postings"]
    many = f"{number} open posting{'' if number == 1 else 's'}"
    return many + _departments(evidence, facts["hiring_departments"])


def _departments(evidence: Evidence, names: Sequence[str]) -> str:
    """Where they are open: "", ", most of them in sales and finance" or ", many of them in …"."""
    known = [name for name in names if name != "other"]
    named = [_DEPARTMENTS.get(name, name.replace("_", " ")) for name in known]
    if not named:
        return ""
    jobs = [job.department for job in evidence.jobs if job.closed_at is None]
    held = sum(department in known for department in jobs)
    share = (
        "" if held == len(jobs) else "most of them " if 2 * held > len(jobs) else "many of them "
    )
    listed = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]
    return f", {share}in {listed}"
