"""Figures of fiscal years and quarters, of the whole and of its parts: read from data, not prose."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from sightline.assistant.contract import Draft, Statement
from sightline.assistant.figures import change, money, share
from sightline.assistant.held import Held, list_words
from sightline.assistant.periods import Period
from sightline.assistant.question import Question, all_covered
from sightline.assistant.readers.sections import read_overview, told_by
from sightline.assistant.words import said_in, terms_of
from sightline.store.facts import Fact

# metric → (words of the question, how it is called); the first that matches is asked for.
METRICS: Final = (
    ("gross_profit", r"\bgross\s+(?:profit|margin)", "Gross profit"),
    ("operating_income", r"\boperating\s+(?:income|profit|loss|margin|result|earnings)", "Operating income"),
    ("research_and_development", r"\br\s?&\s?d\b|research\s+(?:and|&)\s+development", "R&D expense"),
    ("total_assets", r"\bassets\b", "Total assets"),
    ("debt", r"\bdebt\b", "Long-term debt"),
    ("cash", r"\bcash\b", "Cash"),
    (
        "net_income",
        r"\bnet\s+(?:income|loss|profit|earnings|margin)|\bprofit|\bearnings\b"
        r"|\bbottom\s+line\b|\blos(?:e|t|es|ing)\b|\bma[dk]es?\s+(?:any\s+)?(?:money|a\s+(?:profit|loss))"
        r"|\bin\s+the\s+(?:red|black)\b",
        "Net income",
    ),
    ("revenue", r"\brevenue|\bsales\b|\bturnover\b|\btop\s+line\b|\bearn|\bhow\s+(?:big|large)\b", "Revenue"),
)  # fmt: skip
_FILLERS: Final = frozenset(
    terms_of(
        "growth grow grew grown increase increased decrease decreased rise rose fall fell decline"
        " declined change changed compared versus amount total figure generate generated margin rate"
        " percentage spend spent spending cost expense size fast quickly strong high low become made"
        " record post posted achieve come came full quarter develop trend lose lost money billion million"
    )
)
_MOST_PARTS: Final = 6
# Asked of a figure, what no table of figures says.
_NOT_A_FIGURE: Final = (
    r"\bwhy\b|\breasons?\b|\bcaused?\b|\bdriven\s+by\b|\b(?:percentage|proportion|share)\s+of\b"
)


async def read(question: Question, held: Held) -> Draft | None:
    """A figure of the company; None when a part of it is asked for, or something else."""
    wanted = next((m for m in METRICS if question.asks(m[1])), None)
    if wanted is None or question.asks(_NOT_A_FIGURE):
        return None
    metric, _, name = wanted
    rest = [term for term in question.terms("money") if term not in _FILLERS]
    if rest:
        return await _of_part(question, held, metric, rest)
    facts = [f for f in await held.facts("fiscal_period") if f.value["metric"] == metric]
    if not facts:
        return None
    chosen = _chosen(facts, question.period)
    if not chosen:
        period = question.period.label if question.period else "that period"
        return Draft((), "none", f"Nothing held gives {name.lower()} of {held.name} for {period}.")
    if question.period and question.period.compares and chosen[1:]:
        return Draft((_series(held, name, chosen),))
    statements = [_statement(held, name, fact) for fact in chosen]
    if question.asks(r"\bmargin"):
        statements += await _margin(held, name, chosen[0])
    return Draft(tuple(statements))


def _statement(held: Held, name: str, fact: Fact) -> Statement:
    value = fact.value
    loss = value["metric"] in ("net_income", "operating_income") and value["amount"] < 0
    called = name.replace("income", "loss") if loss else name
    amount = money(abs(value["amount"]) if loss else value["amount"], value.get("currency"))
    when = f"{_span(value)} ({_ended(value)})"
    step = "" if loss else change(value.get("change"))
    title = f"{value['tag']} {value['label']}"
    return Statement(
        f"{called} of {held.name} was {amount} in {when}{step}.", (held.proof(fact, title=title),)
    )


def _series(held: Held, name: str, facts: Sequence[Fact]) -> Statement:
    """Several years or quarters in one sentence, the newest first."""
    losses = "income" in name and all(fact.value["amount"] < 0 for fact in facts)
    called = name.replace("income", "loss") if losses else name
    told = [
        f"{money(abs(f.value['amount']) if losses else f.value['amount'], f.value.get('currency'))}"
        f" in {_span(f.value)}"
        for f in facts
    ]
    step = change(facts[0].value.get("change")) if facts[1].value["amount"] > 0 else ""
    if step and _span(facts[1].value) == _year_before(facts[0]):
        told[0] += f" ({step.removeprefix(', ')})"
    text = f"{called} of {held.name} was {list_words(told)}; the periods end {_days_of(facts)}."
    proofs = tuple(held.proof(f, title=f"{f.value['tag']} {f.value['label']}") for f in facts)
    return Statement(text, proofs)


def _days_of(facts: Sequence[Fact]) -> str:
    return list_words([str(fact.value["period_end"]) for fact in facts])


def _year_before(fact: Fact) -> str:
    """The label of the same period a year earlier."""
    head, _, year = str(fact.value["label"]).rpartition("FY")
    return f"{head}FY{int(year) - 1}"


def _span(value: dict[str, Any]) -> str:
    return str(value["label"])


def _ended(value: dict[str, Any]) -> str:
    return f"{'at' if not value.get('period_start') else 'period ended'} {value['period_end']}"


def _chosen(facts: Sequence[Fact], period: Period | None) -> list[Fact]:
    """The facts of a period; without one the last year, and the quarter after it if it is there."""
    newest = sorted(facts, key=lambda f: str(f.value["period_end"]), reverse=True)
    years = [f for f in newest if str(f.value["label"]).startswith("FY")]
    quarters = [f for f in newest if str(f.value["label"]).startswith("Q")]
    if period is None:
        later = [
            q for q in quarters if not years or q.value["period_end"] > years[0].value["period_end"]
        ]
        return [*years[:1], *later[:1]]
    if period.history:
        return years[: period.limit]
    if period.quarters:
        compared = [_quarter(quarters, quarter, year) for quarter, year in period.quarters]
        return [q for q in compared if q is not None] if all(compared) else []
    if period.years:
        return [y for y in years if int(str(y.value["label"])[2:]) in period.years]
    if period.quarter is not None:
        fitting = [
            q
            for q in quarters
            if (not period.quarter or str(q.value["label"]).startswith(f"Q{period.quarter} "))
            and (not period.year or str(q.value["label"]).endswith(f"FY{period.year}"))
        ]
        if period.step and fitting:
            return [q for q in quarters if str(q.value["label"]) == _year_before(fitting[0])]
        return fitting[:1]
    if period.step:
        return years[-period.step : -period.step + 1]
    named = [y for y in years if y.value["label"] == f"FY{period.year}"]
    ended = [y for y in years if str(y.value["period_end"]).startswith(str(period.year))]
    return (named or ended)[:1]


def _quarter(quarters: Sequence[Fact], number: int, year: int | None) -> Fact | None:
    """A fiscal quarter; 0 is the latest, and of the year -1 the same a year earlier."""
    if not number:
        wanted = str(quarters[0].value["label"]) if quarters else ""
        if year and quarters:
            wanted = _year_before(quarters[0])
        return next((q for q in quarters if str(q.value["label"]) == wanted), None)
    end = f"FY{year}" if year else ""
    labels = [(q, str(q.value["label"])) for q in quarters]
    return next(
        (q for q, label in labels if label.startswith(f"Q{number} ") and end in label), None
    )


async def _margin(held: Held, name: str, fact: Fact) -> list[Statement]:
    """The figure as a share of the revenue of the same period."""
    for other in await held.facts("fiscal_period"):
        same = ("period_start", "period_end")
        if other.value["metric"] != "revenue" or any(
            other.value[part] != fact.value[part] for part in same
        ):
            continue
        part = share(fact.value["amount"], other.value["amount"])
        if part is None:
            return []
        sources = (
            held.proof(fact, title=f"{fact.value['tag']} {fact.value['label']}"),
            held.proof(other, title=f"{other.value['tag']} {other.value['label']}"),
        )
        return [Statement(f"{name} was {part} of revenue in {fact.value['label']}.", sources)]
    return []


async def _of_part(
    question: Question, held: Held, metric: str, rest: Sequence[str]
) -> Draft | None:
    """A figure of the divisions, regions or products that the question names."""
    facts = [f for f in await held.facts("segment") if f.value["metric"] == metric]
    groups = [_named(facts, rest)]
    if not groups[0] and len(rest) > 1:  # several that are compared
        groups = [_named(facts, [term]) for term in rest]
    if not all(groups):
        return None
    told: list[Statement] = []
    for year in question.period.years if question.period and question.period.years else (None,):
        period = Period(year) if year else question.period
        told += [_part_statement(held, f) for parts in groups for f in _parts_of(parts, period)[:1]]
    if not told:
        label = question.period.label if question.period else "that period"
        return Draft((), "none", f"Nothing held gives that figure for {label}.")
    return Draft(tuple(dict.fromkeys(told)))


def _named(facts: Sequence[Fact], terms: Sequence[str]) -> list[Fact]:
    """The parts that the terms name; of several the one whose name has the fewest other words."""
    parts = [f for f in facts if all_covered(terms, said_in(f"{f.value['name']}"))]
    shortest = min((len(terms_of(fact.value["name"])) for fact in parts), default=0)
    return [fact for fact in parts if len(terms_of(fact.value["name"])) == shortest]


def _parts_of(facts: Sequence[Fact], period: Period | None) -> list[Fact]:
    """Annual figures of a period, the newest without one; the largest first."""
    whole = [f for f in facts if _days(f) > 300]
    if period is not None and period.year:
        whole = [f for f in whole if str(f.value["period_end"]).startswith(str(period.year))]
    ends = sorted({str(f.value["period_end"]) for f in whole}, reverse=True)
    step = -period.step if period is not None else 0
    if len(ends) <= step:
        return []
    return sorted(
        (f for f in whole if f.value["period_end"] == ends[step]), key=lambda f: -f.value["amount"]
    )


def _days(fact: Fact) -> int:
    start, end = fact.value.get("period_start"), fact.value["period_end"]
    return (date.fromisoformat(end) - date.fromisoformat(start)).days if start else 0


def _part_statement(held: Held, fact: Fact) -> Statement:
    value = fact.value
    called = {"revenue": "Revenue", "operating_income": "Operating income"}.get(
        value["metric"], str(value["metric"]).replace("_", " ").capitalize()
    )
    amount = money(value["amount"], value.get("currency"))
    when = f"the fiscal year ended {value['period_end']}"
    step = change(value.get("change")) if value["amount"] > 0 else ""
    return Statement(
        f"{called} of {value['name']} was {amount} in {when}{step}.",
        (held.proof(fact, title=fact.pointer),),
    )


async def read_parts(question: Question, held: Held) -> Draft | None:
    """The divisions, regions or products with their revenue."""
    ignored = _FILLERS | terms_of("revenue sales operate operates have made business split")
    rest = [term for term in question.terms("segments") if term not in ignored]
    facts = [f for f in await held.facts("segment") if f.value["metric"] == "revenue"]
    axis = "business"
    if question.asks(r"\bgeograph|\bregion|\bcountr"):
        axis = "geography"
    elif question.asks(r"\bproduct"):
        axis = "product"
    named = [f for f in facts if rest and all_covered(rest, terms_of(f.value["name"]))]
    if rest and not named:
        return None
    for one in dict.fromkeys((axis, "business", "product", "geography")):
        chosen = _parts_of(named or [f for f in facts if f.value["axis"] == one], question.period)
        if chosen:
            break
    else:
        return None
    chosen = chosen[:_MOST_PARTS]
    told = [
        f"{f.value['name']} ({money(f.value['amount'], f.value.get('currency'))})" for f in chosen
    ]
    kind = {"geography": "regions", "product": "product groups"}.get(
        chosen[0].value["axis"], "segments"
    )
    text = (
        f"{held.name} reports revenue of these {kind} for the fiscal year ended"
        f" {chosen[0].value['period_end']}: {list_words(told)}."
    )
    return Draft((Statement(text, tuple(held.proof(f, title=f.pointer) for f in chosen)),))


async def read_sources(question: Question, held: Held) -> Draft | None:
    """What the company makes its money with: what it does, and the revenue of its parts."""
    ignored = _FILLERS | terms_of("money revenue income business model monetize make earn")
    if [term for term in question.terms("money_made") if term not in ignored]:
        return None
    does = await read_overview(replace(question, left={"overview": ()}), held)
    parts = await read_parts(replace(question, left={"segments": ()}), held)
    told = [*(does.statements[:1] if does else ()), *(parts.statements if parts else ())]
    for row in (await held.section("how_they_make_money"))[:2]:
        told += [told_by(row)] if row.get("sources") else []
    return Draft(tuple(told)) if told else None
