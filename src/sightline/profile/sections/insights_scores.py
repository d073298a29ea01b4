"""Scores from 0 to 100, each with its formula, inputs and reasons; none without its inputs.

Growth, financial health, hiring momentum, technology change and risk are the company's; the fit is
measured against the organization's ideal profile.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sightline.domain.amounts import up_or_down
from sightline.profile.contract import OrganizationSection, SectionBody, Statement
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.money import day, money, newest_year, percent, periods
from sightline.profile.seller import Seller
from sightline.profile.shapes import Open

_WINDOW: Final = timedelta(days=90)
_FEWEST_JOBS: Final = 5
_MOST_NAMED: Final = 5


def score(
    name: str,
    value: float | None,
    *,
    formula: str,
    inputs: Mapping[str, Any],
    reasons: Sequence[str],
    proofs: Sequence[Quote] = (),
) -> Statement:
    """One score; `value` is limited to 0-100 and None when inputs are missing."""
    shown = None if value is None else int(max(0.0, min(100.0, value)) + 0.5)
    return {
        "name": name,
        "score": shown,
        "formula": formula,
        "inputs": dict(inputs),
        "reasons": list(reasons),
        "description": " ".join(reasons),
        "sources": tuple(proofs),
    }


def growth(evidence: Evidence) -> Statement:
    """50 at no growth; +2 for each percent of yearly growth, and half of that for a later quarter."""
    formula = (
        "50 + 200 × yearly revenue growth, averaged 2:1 with 50 + 200 × growth of the last quarter"
        " after that year; limited to 0-100"
    )
    year = newest_year(evidence, "revenue")
    closed = day(year.value["period_end"]) if year is not None else None
    quarters = {
        k: f
        for k, f in periods(evidence, "revenue").items()
        if k[0].startswith("Q") and (closed is None or k[1] > closed)
    }
    quarter = quarters[max(quarters, key=lambda k: k[1])] if quarters else None
    inputs: dict[str, Any] = {}
    parts, reasons, proofs = [], [], []
    for fact, weight, label in ((year, 2, "yearly"), (quarter, 1, "quarterly")):
        change = fact.value.get("change") if fact is not None else None
        inputs[f"{label}_revenue_change"] = change
        if fact is not None and change is not None:
            parts.append((weight, 50 + 200 * change))
            reasons.append(f"Revenue was {up_or_down(change)} in {fact.value['label']}.")
            proofs.append(fact.proof)
    if not parts:
        return score(
            "growth",
            None,
            formula=formula,
            inputs=inputs,
            reasons=["No two comparable periods of revenue are known."],
        )
    value = sum(w * v for w, v in parts) / sum(w for w, _ in parts)
    return score("growth", value, formula=formula, inputs=inputs, reasons=reasons, proofs=proofs)


def financial_health(evidence: Evidence) -> Statement:
    """Half from the net margin, half from cash against debt."""
    formula = (
        "mean of (50 + 250 × net margin) and (100 × cash ÷ (cash + debt)), each limited to 0-100,"
        " of those that are known"
    )
    revenue, income = newest_year(evidence, "revenue"), newest_year(evidence, "net_income")
    cash, debt = newest_year(evidence, "cash"), newest_year(evidence, "debt")
    inputs: dict[str, Any] = {"net_margin": None, "cash": None, "debt": None}
    values, reasons, proofs, missing = [], [], [], []
    if (
        revenue
        and income
        and revenue.value["label"] == income.value["label"]
        and revenue.value["amount"] > 0
    ):
        margin = income.value["amount"] / revenue.value["amount"]
        inputs["net_margin"] = round(margin, 4)
        values.append(max(0.0, min(100.0, 50 + 250 * margin)))
        reasons.append(f"The net margin was {percent(margin)} in {income.value['label']}.")
        proofs += [revenue.proof, income.proof]
    else:
        missing.append("the net margin")
    if cash and debt and cash.value["label"] == debt.value["label"]:
        inputs |= {"cash": cash.value["amount"], "debt": debt.value["amount"]}
        whole = cash.value["amount"] + debt.value["amount"]
        if whole > 0:
            values.append(100 * cash.value["amount"] / whole)
            held, owed = (_amount(each) for each in (cash, debt))
            reasons.append(f"Cash was {held} and debt {owed} at the end of {cash.value['label']}.")
            proofs += [cash.proof, debt.proof]
    else:
        missing.append("cash against debt")
    reasons += [f"Not known: {' and '.join(missing)}."] if missing else []
    return score(
        "financial_health",
        sum(values) / len(values) if values else None,
        formula=formula,
        inputs=inputs,
        reasons=reasons,
        proofs=proofs,
    )


def _amount(fact: FactSeen) -> str:
    return money(fact.value["amount"], fact.value.get("currency") or "USD")


def _seen(evidence: Evidence) -> tuple[datetime, str | None]:
    """When postings were last seen, and why nothing can be said of them over time, if so.

    What closed before the first look is not known: a board that was seen once looks as if it hired
    ever faster.
    """
    last = max((job.last_seen_at for job in evidence.jobs), default=evidence.now)
    if not evidence.jobs:
        return last, "No postings are known."
    if all(job.closed_at is None for job in evidence.jobs):
        return last, "Postings have not been watched long enough to see any close."
    return last, None


def hiring_momentum(evidence: Evidence) -> Statement:
    """50 when as many postings opened as in the three months before."""
    formula = (
        "50 × (1 + (opened − opened before) ÷ (opened + opened before)), over two windows of 90 days"
        " before the postings were last seen"
    )
    last, fault = _seen(evidence)
    recent = sum(last - job.opened_at <= _WINDOW for job in evidence.jobs)
    before = sum(_WINDOW < last - job.opened_at <= 2 * _WINDOW for job in evidence.jobs)
    active = sum(job.closed_at is None for job in evidence.jobs)
    inputs: dict[str, Any] = {"opened": recent, "opened_before": before, "open_now": active}
    inputs["last_seen"] = last.date().isoformat() if evidence.jobs else None
    oldest = min((job.opened_at for job in evidence.jobs), default=last)
    if fault is None and (recent + before < _FEWEST_JOBS or last - oldest < _WINDOW):
        fault = "Too few postings over too short a time are known."
    value = None if fault else 50 * (1 + (recent - before) / (recent + before))
    said = (
        f"{recent} postings opened in the 90 days up to {last.date().isoformat()}, {before} in the 90 days"
        f" before; {active} are open."
    )
    return score("hiring_momentum", value, formula=formula, inputs=inputs, reasons=[fault or said])


def technology_change(evidence: Evidence) -> Statement:
    """The share of technologies first seen in the last 180 days."""
    formula = (
        "100 × technologies first named in the 180 days before the postings were last seen ÷"
        " technologies named"
    )
    last, fault = _seen(evidence)
    first: dict[str, tuple[datetime, str]] = {}
    for job in evidence.jobs:
        for name in job.technologies:
            seen = (job.opened_at, name)
            first[name.casefold()] = min(first.get(name.casefold(), seen), seen)
    oldest = min((job.opened_at for job in evidence.jobs), default=last)
    if fault is None and (len(first) < _FEWEST_JOBS or last - oldest < 3 * _WINDOW):
        fault = "Technologies are not known over time."
    new = sorted(name for seen, name in first.values() if last - seen <= 2 * _WINDOW)
    inputs: dict[str, Any] = {"technologies": len(first), "new": None if fault else len(new)}
    inputs["last_seen"] = last.date().isoformat() if evidence.jobs else None
    named = f": {', '.join(new[:_MOST_NAMED])}" if new else ""
    said = f"{len(new)} of {len(first)} technologies were first named in the last 180 days{named}."
    return score(
        "technology_change",
        None if fault else 100 * len(new) / len(first),
        formula=formula,
        inputs=inputs,
        reasons=[fault or said],
    )


def risk(evidence: Evidence) -> Statement:
    """Losses, shrinking revenue, debt over cash, and recent risk signals; higher is riskier."""
    formula = (
        "20 + 25 for a net loss + 20 for shrinking revenue + 15 for debt over twice the cash"
        " + 5 a risk signal, at most 20; higher is riskier"
    )
    income, revenue = newest_year(evidence, "net_income"), newest_year(evidence, "revenue")
    cash, debt = newest_year(evidence, "cash"), newest_year(evidence, "debt")
    change = revenue.value.get("change") if revenue is not None else None
    signals = sum(s.family == "risk" for s in evidence.signals)
    inputs = {
        "net_income": income.value["amount"] if income else None,
        "revenue_change": change,
        "cash": cash.value["amount"] if cash else None,
        "debt": debt.value["amount"] if debt else None,
        "risk_signals": signals,
    }
    missing = [
        label
        for label, known in (
            ("net income", income),
            ("growth of revenue", change),
            ("cash against debt", cash and debt),
        )
        if known is None
    ]
    unknown = [f"Not known: {', '.join(missing)}."] if missing else []
    if income is None and change is None and not signals:
        return score("risk", None, formula=formula, inputs=inputs, reasons=unknown)
    value, reasons, proofs = 20.0, [], []
    if income is not None:
        proofs.append(income.proof)
        if income.value["amount"] < 0:
            value += 25
            reasons.append(f"It made a net loss in {income.value['label']}.")
    if revenue is not None and (change or 0) < 0:
        value += 20
        proofs.append(revenue.proof)
        reasons.append(
            f"Revenue was {up_or_down(revenue.value['change'])} in {revenue.value['label']}."
        )
    if cash and debt and debt.value["amount"] > 2 * cash.value["amount"]:
        value += 15
        proofs += [cash.proof, debt.proof]
        reasons.append(f"Debt was more than twice the cash at the end of {debt.value['label']}.")
    value += min(20, 5 * signals)
    if signals:
        noun = "risk signal is" if signals == 1 else "risk signals are"
        reasons.append(f"{signals} {noun} current.")
    quiet = [] if reasons else ["Nothing that is known adds to it."]
    return score(
        "risk",
        value,
        formula=formula,
        inputs=inputs,
        reasons=[*reasons, *quiet, *unknown],
        proofs=proofs,
    )


def fit(evidence: Evidence, seller: Seller) -> Statement:
    """The share of the ideal profile's criteria that the company meets, of those that can be judged."""
    formula = "100 × criteria met ÷ criteria of the ideal profile that can be judged"
    ideal, record = seller.ideal_profile, evidence.record
    criteria = (
        ("industry", ideal.industries, record.get("industry")),
        ("country", ideal.countries, record.get("country_code")),
        ("employee_range", ideal.employee_ranges, record.get("employee_count_range")),
        ("revenue_range", ideal.revenue_ranges, record.get("revenue_range")),
    )
    inputs: dict[str, Any] = {}
    met, judged, reasons = 0.0, 0, []
    for name, wanted, value in criteria:
        if not wanted:
            continue
        inputs[name] = value
        if value is None:
            reasons.append(f"Its {name.replace('_', ' ')} is not known.")
            continue
        fits = str(value).casefold() in {w.casefold() for w in wanted}
        judged, met = judged + 1, met + fits
        reasons.append(
            f"Its {name.replace('_', ' ')}, {value}, is {'' if fits else 'not '}in the ideal profile."
        )
    known = {str(f.value["name"]).casefold() for f in evidence.by_field.get("technology", ())}
    known |= {t.casefold() for job in evidence.jobs for t in job.technologies}
    if ideal.technologies and known:
        shared = sorted(t for t in ideal.technologies if t.casefold() in known)
        inputs["technologies"] = shared
        judged, met = judged + 1, met + len(shared) / len(ideal.technologies)
        named = (
            f"it is known to use {', '.join(shared)}" if shared else "none is known to be in use"
        )
        reasons.append(f"Of {len(ideal.technologies)} wanted technologies {named}.")
    if not judged:
        reason = (
            "The organization has set no ideal profile."
            if not inputs and not reasons
            else "Nothing that the ideal profile asks for is known."
        )
        return score("fit", None, formula=formula, inputs=inputs, reasons=[*reasons, reason])
    return score("fit", 100 * met / judged, formula=formula, inputs=inputs, reasons=reasons)


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    del built
    own = (growth, financial_health, hiring_momentum, technology_change, risk)
    return [*(each(evidence) for each in own), fit(evidence, seller)]


SECTION = OrganizationSection("insights_scores", "Scores", Open, build=build)
