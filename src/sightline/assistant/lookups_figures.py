"""Look-ups of fiscal figures: a series of years, the newest quarter, and the parts of a total."""

from collections.abc import Iterable, Sequence
from typing import Final

from sightline.assistant.company_evidence import Asked, CompanyEvidence, list_words
from sightline.assistant.contract import Draft, Source, Statement, Sufficiency
from sightline.assistant.tools.figures import end_of, is_of
from sightline.domain.amounts import money, up_or_down
from sightline.reading.periods import years_in
from sightline.store.facts import Fact

_YEARS: Final = 3  # a series shows the years before, too
_MOST_PARTS: Final = 6
_QUARTERS: Final = ("Q1", "Q2", "Q3", "Q4")
_OF_REVENUE: Final = (
    "gross_profit",
    "operating_income",
    "net_income",
)  # what a share of revenue is said of


async def figure(
    asked: Asked, *, metric: str, called: str, evidence_is: Sufficiency = "sufficient"
) -> Draft | None:
    """A figure by fiscal period: the years and quarters that the question names, else the newest ones, or
    the years before those; and what changed between two years."""
    evidence, years = asked.evidence, years_in(asked.question)
    stored = await evidence.facts("fiscal_period")
    facts = sorted((f for f in stored if f.value["metric"] == metric), key=end_of, reverse=True)
    if not facts:
        return None
    chosen = chosen_periods(facts, asked.question)
    if asked.earlier:
        chosen = _before(facts, chosen) or chosen
    if not chosen:
        named = list_words([*map(str, sorted(years)), *_quarters(asked.question)])
        text = f"No stored figure gives the {called.lower()} of {evidence.name} for {named}."
        return Draft((), "none", text)
    said = [
        f"{_amount(f)} in {f.value['label']}"
        f" ({'period ended' if f.value.get('period_start') else 'at'} {end_of(f)}){_step(f)}"
        for f in chosen
    ]
    statements = [
        Statement(f"{called} of {evidence.name}: {'; '.join(said)}.", _proofs(evidence, chosen)),
        *_change(evidence, called, list(filter(_is_annual, chosen)), is_span=len(years) > 1),
    ]
    if metric in _OF_REVENUE:
        statements += _margins(evidence, called, chosen, stored)
    known = {year for f in chosen for year in (_year(f), int(end_of(f)[:4]))}
    is_whole = asked.earlier or years <= known
    return Draft(tuple(statements), evidence_is if is_whole else "partial")


def _before(newest: Sequence[Fact], chosen: Sequence[Fact]) -> list[Fact]:
    """The years before the last one that was chosen."""
    last = max(
        map(end_of, filter(_is_annual, chosen)), default=max(map(end_of, chosen), default="")
    )
    return [f for f in newest if _is_annual(f) and end_of(f) < last][:_YEARS]


def chosen_periods(newest: Sequence[Fact], question: str) -> list[Fact]:
    """The periods that a question names, of facts that stand newest first; else the newest quarter, where
    it is later than the newest year, and the newest years."""
    years = list(filter(_is_annual, newest))
    quarters = [f for f in newest if _label(f)[:2] in _QUARTERS]
    asked, named = years_in(question), _quarters(question)
    if named:
        wanted = [f for f in quarters if _label(f)[:2] in named]
        return [f for f in wanted if not asked or _year(f) in asked][:2]
    found = [f for f in years if {_year(f), int(end_of(f)[:4])} & asked]
    if len(asked) == 1 and found:  # "compared with 2023" asks for the year after it, too
        return [f for f in years if _year(f) == _year(found[0]) + 1] + found
    if asked:
        return found
    last = max(map(end_of, years), default="")
    return [*(f for f in quarters[:1] if end_of(f) > last), *years[:_YEARS]]


def _quarters(question: str) -> list[str]:
    words = {word.strip("?!.,;:'’").upper().removesuffix("’S") for word in question.split()}
    return [quarter for quarter in _QUARTERS if quarter in words]


def _label(fact: Fact) -> str:
    return str(fact.value["label"])


def _is_annual(fact: Fact) -> bool:
    return _label(fact).startswith("FY")


def _year(fact: Fact) -> int:
    return int(_label(fact).rpartition("FY")[2])


def _period(fact: Fact) -> tuple[str | None, str]:
    return fact.value.get("period_start"), end_of(fact)


def _amount(fact: Fact) -> str:
    return money(fact.value["amount"], fact.value.get("currency"))


def _step(fact: Fact) -> str:
    """', up 12.3% from the prior year'; "" when it is unknown or says nothing, as of a loss."""
    change = fact.value.get("change")
    known = change is not None and fact.value["amount"] > 0
    return f", {up_or_down(change)} from the prior year" if known else ""


def _proofs(evidence: CompanyEvidence, facts: Iterable[Fact]) -> tuple[Source, ...]:
    return tuple(evidence.proof(f, title=f"{f.value['tag']} {f.value['label']}") for f in facts)


def _change(
    evidence: CompanyEvidence, called: str, years: Sequence[Fact], *, is_span: bool
) -> list[Statement]:
    """'Revenue rose by $30 million (up 50%) from FY2024 ($60 million) to FY2025 ($90 million).': between the
    two newest of some years, or over the whole span."""
    if len(years) < 2:
        return []
    before, after = years[-1 if is_span else 1], years[0]
    first, last = before.value["amount"], after.value["amount"]
    by = f" by {money(abs(last - first), after.value.get('currency'))}" if last != first else ""
    share = f" ({up_or_down(round((last - first) / first, 4))})" if by and first > 0 else ""
    text = (
        f"{called} {_turn(last - first)}{by}{share} from {before.value['label']} ({_amount(before)})"
        f" to {after.value['label']} ({_amount(after)})."
    )
    return [Statement(text, _proofs(evidence, (before, after)))]


def _turn(step: float) -> str:
    return "rose" if step > 0 else "fell" if step < 0 else "did not change"


def _margins(
    evidence: CompanyEvidence, called: str, facts: Sequence[Fact], stored: Sequence[Fact]
) -> list[Statement]:
    """The figures as shares of the revenue of the same periods, with the change in percentage points
    between the two newest years."""
    revenue = {
        _period(f): f for f in stored if f.value["metric"] == "revenue" and f.value["amount"] > 0
    }
    pairs = [(f, revenue[_period(f)]) for f in facts if _period(f) in revenue]
    if not pairs:
        return []
    shares = [round(f.value["amount"] / whole.value["amount"] * 100, 1) for f, whole in pairs]
    words = [f"{share}% in {f.value['label']}" for share, (f, _) in zip(shares, pairs, strict=True)]
    text = f"{called} was {list_words(words)} of revenue"
    years = [share for share, (f, _) in zip(shares, pairs, strict=True) if _is_annual(f)]
    if len(years) > 1:
        step = round(years[0] - years[1], 1)
        by = f" by {abs(step)} percentage points" if step else ""
        text += f"; between the two newest years the share {_turn(step)}{by}"
    return [Statement(f"{text}.", _proofs(evidence, (each for pair in pairs for each in pair)))]


async def parts(asked: Asked, *, axis: str) -> Draft | None:
    """Revenue and operating income of divisions, regions or products; of one that the question names,
    the years of that one."""
    evidence, low = asked.evidence, asked.question.lower()
    stored = [f for f in await evidence.facts("segment") if is_of(f.value, "annual")]
    named = [f for f in stored if str(f.value["name"]).lower() in low]
    if named:
        newest = sorted(named, key=end_of, reverse=True)[:_MOST_PARTS]
        return Draft(tuple(_part(evidence, fact) for fact in newest))
    for one in dict.fromkeys((axis, "business", "product", "geography")):
        table = [f for f in stored if (f.value["axis"], f.value["metric"]) == (one, "revenue")]
        last = max(map(end_of, table), default="")
        rows = sorted((f for f in table if end_of(f) == last), key=lambda f: -f.value["amount"])
        if len(rows) > 1:  # one row is no split
            rows = rows[:_MOST_PARTS]
            said = "; ".join(f"{f.value['name']} {_amount(f)}{_step(f)}" for f in rows)
            text = f"Revenue of {evidence.name} in the fiscal year ended {last}: {said}."
            sources = tuple(evidence.proof(f, title=f.pointer) for f in rows)
            return Draft((Statement(text, sources),), "sufficient" if one == axis else "partial")
    return None


def _part(evidence: CompanyEvidence, fact: Fact) -> Statement:
    called = str(fact.value["metric"]).replace("_", " ").capitalize()
    text = (
        f"{called} of {fact.value['name']}: {_amount(fact)} in the fiscal year ended {end_of(fact)}"
    )
    return Statement(f"{text}{_step(fact)}.", (evidence.proof(fact, title=fact.pointer),))
