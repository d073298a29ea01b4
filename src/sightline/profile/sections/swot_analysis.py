"""SWOT: figures and what happened first, then the company's own sentences."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

from sightline.profile.changes import SETBACKS, figures, fresh_signals, of_signal
from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import SIGNALS, Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.figures import PERCENT, standing
from sightline.profile.plans import Plan
from sightline.profile.segments import divisions, revenue_lines, yearly
from sightline.profile.sentences import Judged
from sightline.profile.shapes import SwotEntry
from sightline.profile.years import newest_year
from sightline.reading.dates import without_days
from sightline.reading.money import sums_in
from sightline.reading.periods import latest_day
from sightline.reading.stated import has_number

Side = Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]
PER_SIDE: Final = 6
_MOST_SIGNALS: Final = 3
# How probable a side is at least; below these, weaknesses are what got better half of the time. Then how
# probable a sentence with a number is at least that comes so much nearer to good news, or to bad.
_PROBABLE: Final = {"strength": 0.65, "weakness": 0.82, "opportunity": 0.65, "threat": 0.65}
_WITH_TURN: Final = {"strength": (0.5, 0.05), "weakness": (0.75, 0.06)}
_SPECIFIC: Final = 0.8
_SLIGHT: Final = 2  # percent
_FELL: Final = 0.06  # how much nearer a sentence is to costs that fell than to costs that rose
_TURNED: Final = 0.08  # how much nearer a sentence is to good news, or to bad
_HARDLY: Final = 0.03  # how much nearer to bad news what is of use may be
_USEFUL: Final = 0.5
# Types of signals that open something; hiring and moves of people are shown elsewhere.
_OPENINGS: Final = (
    "receives_financing", "goes_public", "invests_into", "acquires", "merges_with", "spins_off", "launches",
    "material_agreement", "is_developing", "integrates_with", "receives_approval", "partners_with",
    "signs_new_client", "expands_to", "opens_new_location",
)  # fmt: skip


def _rows(evidence: Evidence) -> Iterator[tuple[Side, Statement]]:
    """Everything that may stand, each side in the order in which it is shown; what other sections tell of the
    same figures is not repeated."""
    for speaks_for, row in standing(evidence):
        yield ("STRENGTH" if speaks_for else "WEAKNESS"), row
    parts = (*divisions(evidence).values(), *revenue_lines(evidence).values())
    whole = newest_year(evidence, "revenue")
    keys = {rows[0].key for rows in parts} | ({whole.key} if whole is not None else set())
    regions = {rows[0].key for rows in yearly(evidence, "geography").values()}
    moved = set[
        str
    ]()  # of regions, which have a section of their own, one that grew and one that shrank
    for each in figures(evidence):
        is_further = each.key in regions and each.kind in moved
        if each.key is not None and each.key not in keys and not is_further:
            moved |= {each.kind} if each.key in regions else set()
            yield ("STRENGTH" if each.kind == "growth" else "WEAKNESS"), each.statement()
    yield from _happened(evidence)
    for judged in evidence.chosen.get("swot_analysis", ()):
        yield _SIDES[judged.label], statement_of(judged.sentence, evidence)


def _happened(evidence: Evidence) -> Iterator[tuple[Side, Statement]]:
    """The newest signals that open something, set the company back or threaten it."""
    count: Counter[Side] = Counter()
    for signal in fresh_signals(evidence):
        change = of_signal(signal)
        side: Side | None = "OPPORTUNITY" if signal.type in _OPENINGS else None
        if change.kind == "threat":
            side = "WEAKNESS" if signal.type in SETBACKS else "THREAT"
        if side is not None and count[side] < _MOST_SIGNALS:
            count[side] += 1
            yield side, change.statement()


_SIDES: Final[dict[str, Side]] = {
    "strength": "STRENGTH", "weakness": "WEAKNESS", "opportunity": "OPPORTUNITY", "threat": "THREAT",
}  # fmt: skip


def _is_of_side(judged: Judged) -> bool:
    """Whether a sentence most probably is of its side, and neither good news said against the company nor
    bad news said for it."""
    label, better = judged.label, judged.near.better
    least = -_HARDLY if judged.useful >= _USEFUL else 0.0
    if label == "strength" and (better < least or _is_slight(judged.sentence.text)):
        return False
    turn = better if label in ("strength", "opportunity") else -better
    if turn <= -_TURNED:
        return False
    lower, turned = _WITH_TURN.get(label, (1.0, 1.0))
    is_turned = turn >= turned and has_number(without_days(judged.sentence.text))
    return judged.probability >= (min(lower, _PROBABLE[label]) if is_turned else _PROBABLE[label])


def _is_slight(text: str) -> bool:
    """Whether it only says that something changed by a percent or two."""
    shares = [] if sums_in(text) else [float(each) for each in PERCENT.findall(text)]
    return bool(shares) and max(shares) <= _SLIGHT


def _fits(judged: Judged, evidence: Evidence) -> float:
    """What most probably is of a side, is true of this company alone and of its newest year."""
    sentence = judged.sentence
    if judged.label not in _SIDES or judged.specific < _SPECIFIC or not _is_of_side(judged):
        return 0.0
    if sentence.part == "risks" and judged.label in ("strength", "opportunity"):
        return 0.0  # a risk factor says what is good only to say how it may end
    # Below "2024 compared with 2023" losses fall as well as sales: only what is good is dated by its heading.
    is_dated = judged.label == "strength" or latest_day(sentence.text) is not None
    is_report = sentence.document.form is not None
    if is_report and not (is_dated and evidence.is_of_newest_year(sentence)):
        return 0.0
    return 0.0 if _may_be_none(judged) or evidence.is_past_year(sentence) else judged.probability


def _may_be_none(judged: Judged) -> bool:
    """Whether two sums leave open which way a sentence goes: "sales were $12.1 billion, compared to $12.4
    billion" is no strength, "losses were $1.6 million, compared to $4.4 million" perhaps no weakness."""
    sums = [each.amount for each in sums_in(judged.sentence.text)]
    if len(sums) < 2:
        return False
    is_cost = judged.label == "weakness" and judged.near.lower >= _FELL
    return is_cost or (judged.label == "strength" and sums[0] < sums[1])


def _said(row: Statement) -> str:
    """What tells a row from others: of figures, whose sentences are alike, the name."""
    is_quoted = any(quote.text for quote in row["sources"])
    return str(row["description"] if is_quoted else row["name"])


def build(evidence: Evidence) -> list[Statement]:
    rows = list(_rows(evidence))
    elsewhere = [
        each.sentence.text
        for section, chosen in evidence.chosen.items()
        if section != "swot_analysis"
        for each in chosen
    ]
    found: list[Statement] = []
    for side in ("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"):
        own = [row for of, row in rows if of == side]
        chosen = without_repeats(
            own,
            _said,
            most=PER_SIDE,
            beside=[*elsewhere, *(_said(row) for row in found)],
        )
        found += [row | {"type": side} for row in chosen]
    return found


SECTION = Section(
    "swot_analysis",
    "SWOT",
    SwotEntry,
    Plan(
        "What has lately gone well or badly, opens something to it or threatens it, at most three of each"
        " kind: a figure that moved, a launch, deal, approval, case, loss. A threat comes from outside, a"
        " weakness is its own.",
        most=12,
        kinds=("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"),
        row=lambda kind, name: {"name": name, "type": kind},
    ),
    kinds=("filing", "data", "page", "posting", "feed_item", "news", SIGNALS),
    build=build,
    fits=_fits,
)
