"""What happened: signals, newest first."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sightline.assistant.contract import Draft, Statement
from sightline.assistant.held import Held
from sightline.assistant.question import Question, all_covered
from sightline.assistant.words import terms_of

# words of the question → types of signals; those that are not here ask for all.
_TYPES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        r"\bacqui|\bmerge|\bbought\b|\bdivest|\bsold\b|\bspin",
        ("acquires", "merges_with", "sells_assets_to", "spins_off", "divests"),
    ),
    (r"\bresign|\bleft\b|\bleav|\bdepart|\bretire", ("leaves", "retires_from")),
    (
        r"\bappoint|\bleadership|\bhired?\b|\bjoined\b|\bexecutive\s+changes?|\bboard\b",
        ("hires", "promotes", "leaves", "retires_from", "board_change"),
    ),
    (r"\blay-?offs?|\blaid\s+off", ("layoffs", "headcount_decrease", "cost_cutting")),
    (
        r"\bfunding|\bfinanc|\brais|\boffering",
        ("receives_financing", "goes_public", "material_agreement"),
    ),
    (r"\bpartner", ("partners_with", "signs_new_client", "integrates_with")),
    (r"\blaunch", ("launches", "is_developing")),
    (r"\brenam|\brebrand|\bname\s+change|\bchang\w*\b.*\bname\b", ("rebrands",)),
    (
        r"\blawsuit|\bsued?\b|\blitigation",
        ("files_suit_against", "has_issues_with", "regulatory_action"),
    ),
)
_FILLERS: Final = frozenset(
    terms_of(
        "news recent event signal change announce happen acquire acquisition merger partner partnership"
        " layoff launch appoint appointment resign raise funding financing offering latest leadership"
        " management executive board join hire lawsuit company month week development leave left"
    )
)
_MOST: Final = 4


async def read(question: Question, held: Held) -> Draft | None:
    """The newest signals of the kinds asked for that speak of what else is asked."""
    if question.asks(r"\bwhy\b|\breasons?\b"):
        return None
    rows = [row for row in await held.signals() if row["document_id"]]
    wanted = next((kinds for asked, kinds in _TYPES if question.asks(asked)), ())
    if wanted:
        rows = [row for row in rows if row["type"] in wanted]
    rest = [term for term in question.terms("news") if term not in _FILLERS]
    if question.period is not None and question.period.year:
        rows = [row for row in rows if _when(row).startswith(str(question.period.year))]
    fitting = [row for row in rows if all_covered(rest, terms_of(f"{row['title']} {row['quote']}"))]
    if not fitting:
        return None
    return Draft(tuple(_told(held, row) for row in _spread(fitting)[:_MOST]))


def _when(row: Mapping[str, Any]) -> str:
    moment = row["occurred_at"] or row["detected_at"]
    return str(moment.date().isoformat())


def _spread(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with the same quote once."""
    return list({" ".join(str(row["quote"]).split()): row for row in rows}.values())


def _told(held: Held, row: Mapping[str, Any]) -> Statement:
    quote = " ".join(str(row["quote"]).split())
    text = quote if len(quote) <= 400 else str(row["title"]) + "."
    if _when(row)[:4] not in text:
        text = f"{_when(row)}: {text}"
    return Statement(text, (held.source(row["document_id"], quote=str(row["quote"])),))
