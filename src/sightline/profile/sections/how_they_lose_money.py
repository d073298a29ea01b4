"""How they lose money: a loss, divisions that shrink, research, and what reports say under their own
headings about costs, with a sum."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from sightline.domain.amounts import up_or_down
from sightline.profile.changes import figures
from sightline.profile.choosing import statement_of, without_repeats
from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.money import last_year_end, money, newest_year
from sightline.profile.sentences import Sentence, stands_alone
from sightline.profile.written_plans import Plan
from sightline.reading.money import sums_in
from sightline.reading.periods import latest_day

_MOST_SENTENCES: Final = 4
_HEADING: Final = re.compile(
    r"\b(?:costs?|expenses?|restructuring|impairments?|charges|loss(?:es)?|margins?"
    r"|research and development)\b",
    re.I,
)


def _spending(evidence: Evidence) -> Iterator[Statement]:
    spent = newest_year(evidence, "research_and_development")
    if spent is None:
        return
    value = spent.value
    text = f"Research and development cost {money(value['amount'], value['currency'])} in {value['label']}"
    if value.get("change") is not None:
        text += f" ({up_or_down(value['change'])} on the year before)"
    yield {"name": "Research and development", "description": f"{text}.", "sources": (spent.proof,)}


def _fits(sentence: Sentence, since: date) -> bool:
    """Whether a sentence gives a sum for a time that had not ended on a day."""
    last = latest_day(sentence.text)
    return (
        sentence.part in ("review", "release")
        and _HEADING.search(sentence.heading or "") is not None
        and stands_alone(sentence.text)
        and bool(sums_in(sentence.text))
        and last is not None
        and last >= since
    )


def build(evidence: Evidence) -> list[Statement]:
    lost = [c.statement() for c in figures(evidence) if c.kind in ("loss", "decline")]
    since = last_year_end(evidence)
    found = [s for d in evidence.reading for s in d.sentences if _fits(s, since)]
    said = without_repeats(found, lambda s: s.text, most=_MOST_SENTENCES)
    return [*lost, *_spending(evidence), *(statement_of(each) for each in said)]


SECTION = Section(
    "how_they_lose_money",
    "How they lose money",
    plan=Plan("Write where its money goes, or is lost."),
    kinds=("filing", "data"),
    build=build,
)
