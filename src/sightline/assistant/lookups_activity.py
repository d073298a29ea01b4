"""Look-ups of current activity: open postings and dated signals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from sightline.assistant.company_evidence import Asked, CompanyEvidence
from sightline.assistant.contract import Draft, Statement
from sightline.assistant.routing import topics
from sightline.assistant.tools.activity import posting_row, when
from sightline.assistant.tools.matching import word_shares
from sightline.assistant.tools.session import day
from sightline.domain.cities import names_of_city
from sightline.domain.countries import country_from_text
from sightline.reading.named import capitalized
from sightline.reading.stated import normalized
from sightline.reading.terms import terms, written_terms

_MOST_SIGNALS: Final = 4
_MOST_POSTINGS: Final = 4
_MOST_GROUPS: Final = 6
_LONGEST_QUOTE: Final = 400  # characters
_COMMON: Final = 3  # examples in which a word stands that every question about postings may have
Row = Mapping[str, Any]
Rows = Sequence[Row]


def chosen(question: str, rows: Rows) -> tuple[list[Row], list[str], list[str]]:
    """The postings that have every word of a question that any has, these words, and its other words."""
    for start, end in reversed(list(capitalized(question))):  # "UK" as the United Kingdom
        country = country_from_text(question[start:end])
        if country and country.alpha2 != question[start:end]:
            question = question[:start] + country.name + question[end:]
    written = dict.fromkeys(
        word for term, word in written_terms(question) if term not in _common() or word.isupper()
    )  # "IT", but not "it"
    texts = list(map(_text, rows))
    every = set(terms("\n".join(texts)))
    known = [word for word in written if every.issuperset(terms(word))]
    shares = word_shares(" ".join(known), texts)
    found = [row for row, share in zip(rows, shares, strict=True) if share == 1.0 or not known]
    return found, known, [word for word in written if word not in known]


async def postings(asked: Asked, *, remote: bool = False) -> Draft | None:
    """How many postings are open, how many of them are what the question names, in which departments and
    places these are, and the newest."""
    evidence = asked.evidence
    stored = await evidence.postings() if evidence.may("jobs:read") else []
    rows = [row for row in stored if row["document_id"]]
    if not rows:
        return None
    named, words, missing = chosen(asked.question, rows)
    named = [row for row in named if row["remote"] or not remote]
    # A place or the like that no posting names is what was asked; of other words none can say that.
    names = [asked.question[start:end] for start, end in capitalized(asked.question)]
    unknown = [name for name in names if {*name.split()} <= {*missing}]
    named, words = [] if unknown else named, ["remote"] * remote + words
    is_whole = bool(unknown) or (not missing and bool(named or not words))
    said = tuple(_counted(evidence, rows, named, words, unknown))
    return Draft(said, "sufficient" if is_whole else "partial")


def _counted(
    evidence: CompanyEvidence, rows: Rows, named: Rows, words: Sequence[str], unknown: Sequence[str]
) -> Iterator[Statement]:
    """How many postings are open, how many have the words, their departments and places, and the newest."""
    text = f"{evidence.name} has {len(rows)} open postings, as last seen on {day(rows[0]['last_seen_at'])}"
    text += f"; {len(named) or 'none'} of them match “{' '.join(words)}”" if words else ""
    text += f"; none names “{'”, “'.join(unknown)}”" if unknown else ""
    _, source = posting_row(evidence, (named or rows)[0])
    yield from (Statement(f"{each}.", source) for each in (text, *_groups(named)))
    shown = map(posting_row, [evidence] * _MOST_POSTINGS, named)
    yield from (Statement(f"{words}.", own) for words, own in shown)


def _groups(rows: Rows) -> Iterable[str]:
    """'Departments: sales (4), it (2)', 'Places: Lund (5)'."""
    departments = [row["department"].replace("_", " ") for row in rows if row["department"]]
    cities = [place for row in rows for place in sorted(_places(row))]
    for called, names in (("Departments", departments), ("Places", cities)):
        if counted := Counter(names).most_common(_MOST_GROUPS):
            yield f"{called}: {', '.join(f'{name} ({n})' for name, n in counted)}"


@cache
def _common() -> frozenset[str]:
    """Terms of several example questions about postings: they say that postings are asked for."""
    examples = [one for topic in topics() if topic.look_up == "postings" for one in topic.phrases]
    counted = Counter(term for one in examples for term in set(terms(one)))
    return frozenset(term for term, times in counted.items() if times >= _COMMON)


def _text(row: Row) -> str:
    """Title, department and places of a posting, these in all their spellings."""
    names = [name for place in _places(row) for name in (place, *names_of_city(place))]
    codes = [place.get("country_code") or "" for place in row["locations"] or ()]
    return "\n".join([str(row["title"]), str(row["department"] or ""), *names, *codes])


def _places(row: Row) -> set[str]:
    """Cities and countries of a posting."""
    places = row["locations"] or ()
    names = {str(place["city"]) for place in places if place.get("city")}
    found = [country_from_text(place.get("country_code")) for place in places]
    return names | {country.name for country in found if country}


async def signals(asked: Asked, *, types: Sequence[str] = ()) -> Draft | None:
    """Signals of some types, or of all, each with its day and quote, a long quote as its title: those that
    share words with the question first, then the newest."""
    every = [row for row in await asked.evidence.signals() if row["document_id"]]
    rows = {normalized(str(r["quote"])): r for r in every if not types or r["type"] in types}
    statements = []
    for row in by_words(asked.question, list(rows.values()))[:_MOST_SIGNALS]:
        quote = normalized(str(row["quote"]))
        text = f"“{quote}”" if len(quote) <= _LONGEST_QUOTE else str(row["title"])
        source = asked.evidence.source(row["document_id"], quote=str(row["quote"]))
        statements.append(Statement(f"{when(row)}: {text}", (source,)))
    return Draft(tuple(statements), "partial") if statements else None


def by_words(question: str, rows: Rows) -> list[Row]:
    """The rows that have most of the question's words first."""
    texts = [f"{when(row)} {row['title']} {row['quote']}" for row in rows]
    ranked = zip(word_shares(question, texts), rows, strict=True)
    return [row for _, row in sorted(ranked, key=lambda each: -round(each[0], 1))]
