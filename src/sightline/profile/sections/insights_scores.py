"""Scores from 0 to 100, each with its formula, inputs and reasons; none without its inputs.

Growth, financial health, hiring momentum, technology change and risk are the company's; the fit is
measured against the organization's ideal profile.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Final

from sightline.domain.amounts import percent, up_or_down
from sightline.profile.contract import OrganizationSection, SectionBody, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.seller import Seller
from sightline.profile.shapes import Open
from sightline.profile.years import newest_quarter, newest_year

_WINDOW: Final = timedelta(days=90)
_FEWEST_JOBS: Final = 5
_MOST_NAMED: Final = 5


_FORMULAS: Final = {
    "growth": "50 + 200 × yearly revenue growth, averaged 2:1 with 50 + 200 × growth of the last quarter"
    " after that year; limited to 0-100",
    "financial_health": "mean of (50 + 250 × net margin) and (100 × cash ÷ (cash + debt)), each limited to"
    " 0-100, of those that are known",
    "hiring_momentum": "50 × (1 + (opened − opened before) ÷ (opened + opened before)), over two windows of"
    " 90 days before the postings were last seen",
    "technology_change": "100 × technologies first named in the 180 days before the postings were last seen"
    " ÷ technologies named",
    "risk": "20 + 25 for a net loss + 20 for shrinking revenue + 15 for debt over twice the cash"
    " + 5 a risk signal, at most 20; higher is riskier",
    "fit": "100 × criteria met ÷ criteria of the ideal profile that can be judged",
}


def score(
    name: str,
    value: float | None,
    inputs: Mapping[str, Any],
    *reasons: str,
    proofs: Sequence[Quote] = (),
) -> Statement:
    """One score; `value` is limited to 0-100 and None when inputs are missing."""
    return {
        "name": name,
        "score": None if value is None else int(_limited(value) + 0.5),
        "formula": _FORMULAS[name],
        "inputs": dict(inputs),
        "reasons": list(reasons),
        "description": " ".join(reasons),
        "sources": tuple(proofs),
    }


def _limited(value: float) -> float:
    return max(0.0, min(100.0, value))


def growth(evidence: Evidence) -> Statement:
    """50 at no growth; +2 for each percent of yearly growth, and half of that for a later quarter."""
    known = {
        "yearly": (newest_year(evidence, "revenue"), 2),
        "quarterly": (newest_quarter(evidence), 1),
    }
    inputs = {f"{name}_revenue_change": fact and fact.change for name, (fact, _) in known.items()}
    moved = [
        (fact, weight, fact.change)
        for fact, weight in known.values()
        if fact is not None and fact.change is not None
    ]
    if not moved:
        return score("growth", None, inputs, "No two comparable periods of revenue found.")
    value = sum(weight * (50 + 200 * change) for _, weight, change in moved)
    reasons = [f"Revenue was {up_or_down(c)} in {fact.label}." for fact, _, c in moved]
    proofs = [fact.proof for fact, _, _ in moved]
    weights = sum(weight for _, weight, _ in moved)
    return score("growth", value / weights, inputs, *reasons, proofs=proofs)


def _of_one_year(evidence: Evidence, *metrics: str) -> list[FactSeen] | None:
    """The newest yearly figures of metrics, where all are known and of the same year."""
    found = [fact for metric in metrics if (fact := newest_year(evidence, metric)) is not None]
    labels = {fact.label for fact in found}
    return found if len(found) == len(metrics) and len(labels) == 1 else None


def financial_health(evidence: Evidence) -> Statement:
    """Half from the net margin, half from cash against debt."""
    inputs: dict[str, Any] = {"net_margin": None, "cash": None, "debt": None}
    values, reasons = [], []
    earned = _of_one_year(evidence, "revenue", "net_income") or []
    held = _of_one_year(evidence, "cash", "debt") or []
    if earned and earned[0].amount > 0:
        margin = earned[1].amount / earned[0].amount
        inputs["net_margin"] = round(margin, 4)
        values.append(_limited(50 + 250 * margin))
        reasons.append(f"The net margin was {percent(margin)} in {earned[1].label}.")
    if held:
        cash, debt = held
        inputs |= {"cash": cash.value["amount"], "debt": debt.value["amount"]}
        if cash.amount + debt.amount > 0:
            values.append(100 * cash.amount / (cash.amount + debt.amount))
            reasons.append(f"Cash was {cash.size} and debt {debt.size} at the end of {cash.label}.")
    known = {"the net margin": inputs["net_margin"], "cash against debt": inputs["cash"]}
    reasons += _unknown(known)
    value = sum(values) / len(values) if values else None
    proofs = [fact.proof for fact in (*earned, *held)] if values else []
    return score("financial_health", value, inputs, *reasons, proofs=proofs)


def _seen(evidence: Evidence) -> tuple[datetime, datetime, str | None]:
    """When postings were last seen, when the first opened, and why nothing can be said of them over time,
    if so.

    What closed before the first look is not known: a board that was seen once looks as if it hired
    ever faster.
    """
    last = max((job.last_seen_at for job in evidence.jobs), default=evidence.now)
    first = min((job.opened_at for job in evidence.jobs), default=last)
    if not evidence.jobs:
        return last, first, "No postings found."
    if all(job.closed_at is None for job in evidence.jobs):
        return last, first, "Postings have not been watched long enough to see any close."
    return last, first, None


def hiring_momentum(evidence: Evidence) -> Statement:
    """50 when as many postings opened as in the three months before."""
    last, oldest, fault = _seen(evidence)
    recent = sum(last - job.opened_at <= _WINDOW for job in evidence.jobs)
    before = sum(_WINDOW < last - job.opened_at <= 2 * _WINDOW for job in evidence.jobs)
    active = len(evidence.open_jobs)
    inputs: dict[str, Any] = {"opened": recent, "opened_before": before, "open_now": active}
    inputs["last_seen"] = last.date().isoformat() if evidence.jobs else None
    if fault is None and (recent + before < _FEWEST_JOBS or last - oldest < _WINDOW):
        fault = "Too few postings over too short a time."
    said = (
        f"{recent} postings opened in the 90 days up to {last.date().isoformat()}, {before} in the 90 days"
        f" before; {active} are open."
    )
    value = None if fault else 50 * (1 + (recent - before) / (recent + before))
    return score("hiring_momentum", value, inputs, fault or said)


def technology_change(evidence: Evidence) -> Statement:
    """The share of technologies first seen in the last 180 days."""
    last, oldest, fault = _seen(evidence)
    first: dict[str, tuple[datetime, str]] = {}
    for job in evidence.jobs:
        for name in job.technologies:
            seen = (job.opened_at, name)
            first[name.casefold()] = min(first.get(name.casefold(), seen), seen)
    if fault is None and (len(first) < _FEWEST_JOBS or last - oldest < 3 * _WINDOW):
        fault = "Technologies are not known over time."
    new = sorted(name for seen, name in first.values() if last - seen <= 2 * _WINDOW)
    inputs: dict[str, Any] = {"technologies": len(first), "new": None if fault else len(new)}
    inputs["last_seen"] = last.date().isoformat() if evidence.jobs else None
    named = f": {', '.join(new[:_MOST_NAMED])}" if new else ""
    said = f"{len(new)} of {len(first)} technologies were first named in the last 180 days{named}."
    value = None if fault else 100 * len(new) / len(first)
    return score("technology_change", value, inputs, fault or said)


def risk(evidence: Evidence) -> Statement:
    """Losses, shrinking revenue, debt over cash, and recent risk signals; higher is riskier."""
    metrics = ("net_income", "revenue", "cash", "debt")
    year = {metric: newest_year(evidence, metric) for metric in metrics}
    income, revenue = year["net_income"], year["revenue"]
    change = revenue.change if revenue is not None else None
    signals = sum(s.family == "risk" for s in evidence.signals)
    stated = {
        metric: (fact := year[metric]) and fact.value["amount"]
        for metric in ("net_income", "cash", "debt")
    }
    inputs = stated | {"revenue_change": change, "risk_signals": signals}
    owed = year["cash"] and year["debt"]
    known = {"net income": income, "cash against debt": owed, "growth of revenue": change}
    unknown = _unknown(known)
    if income is None and change is None and not signals:
        return score("risk", None, inputs, *unknown)
    found = list(_adds_to_risk(year, change, signals))
    points, reasons, proving = zip((20.0, "", (income,)), *found, strict=True)
    said = reasons[1:] or ("No risk factor found.",)
    proofs = [fact.proof for fact in filter(None, chain.from_iterable(proving))]
    return score("risk", sum(points), inputs, *said, *unknown, proofs=proofs)


def _unknown(known: Mapping[str, object]) -> list[str]:
    missing = [label for label, value in known.items() if value is None]
    return [f"Not known: {', '.join(missing)}."] if missing else []


def _adds_to_risk(
    year: Mapping[str, FactSeen | None], change: float | None, signals: int
) -> Iterator[tuple[float, str, tuple[FactSeen, ...]]]:
    """Points, the reason, and the facts that prove it."""
    income, revenue, cash, debt = (year[m] for m in ("net_income", "revenue", "cash", "debt"))
    if income is not None and income.amount < 0:
        yield 25, f"It made a net loss in {income.label}.", ()
    if revenue is not None and change is not None and change < 0:
        yield 20, f"Revenue was {up_or_down(change)} in {revenue.label}.", (revenue,)
    if cash and debt and debt.amount > 2 * cash.amount:
        yield 15, f"Debt was more than twice the cash at the end of {debt.label}.", (cash, debt)
    if signals:
        noun = "risk signal is" if signals == 1 else "risk signals are"
        yield min(20, 5 * signals), f"{signals} {noun} current.", ()


def fit(evidence: Evidence, seller: Seller) -> Statement:
    """The share of the ideal profile's criteria that the company meets, of those that can be judged."""
    ideal, record = seller.ideal_profile, evidence.record
    criteria = {
        "industry": (ideal.industries, record.get("industry")),
        "country": (ideal.countries, record.get("country_code")),
        "employee_range": (ideal.employee_ranges, record.get("employee_count_range")),
        "revenue_range": (ideal.revenue_ranges, record.get("revenue_range")),
    }
    asked = {name: pair for name, pair in criteria.items() if pair[0]}
    judged = [_meets(name, wanted, value) for name, (wanted, value) in asked.items()]
    inputs: dict[str, Any] = {name: value for name, (_, value) in asked.items()}
    if ideal.technologies and (known := _technologies(evidence)):
        shared = sorted(t for t in ideal.technologies if t.casefold() in known)
        inputs["technologies"] = shared
        used = f"it is known to use {', '.join(shared)}" if shared else "none is known to be in use"
        reason = f"Of {len(ideal.technologies)} wanted technologies {used}."
        judged.append((len(shared) / len(ideal.technologies), reason))
    reasons = [reason for _, reason in judged]
    met = [share for share, _ in judged if share is not None]
    if met:
        return score("fit", 100 * sum(met) / len(met), inputs, *reasons)
    why = "Nothing that the ideal profile asks for is known."
    return score(
        "fit", None, inputs, *reasons,
        why if inputs else "No ideal customer is described in the settings.",
    )  # fmt: skip


def _technologies(evidence: Evidence) -> set[str]:
    seen = {str(fact.value["name"]).casefold() for fact in evidence.by_field.get("technology", ())}
    return seen | {name.casefold() for job in evidence.jobs for name in job.technologies}


def _meets(name: str, wanted: Sequence[str], value: Any) -> tuple[float | None, str]:
    """1 or 0, None where it cannot be judged, and the reason."""
    label = name.replace("_", " ")
    if value is None:
        return None, f"Its {label} is not known."
    fits = str(value).casefold() in {each.casefold() for each in wanted}
    return float(fits), f"Its {label}, {value}, is {'' if fits else 'not '}in the ideal profile."


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    del built
    own = (growth, financial_health, hiring_momentum, technology_change, risk)
    return [*(each(evidence) for each in own), fit(evidence, seller)]


SECTION = OrganizationSection("insights_scores", "Scores", Open, build=build)
