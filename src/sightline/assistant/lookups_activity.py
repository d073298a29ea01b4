"""Look-ups of current activity: open postings and dated signals."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sightline.assistant.asked_names import phrases, place_named
from sightline.assistant.company_evidence import Asked, CompanyEvidence, list_words
from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.routing import topics
from sightline.assistant.tools.activity import when
from sightline.assistant.tools.matching import word_shares
from sightline.domain.cities import names_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.titles import department_named
from sightline.reading.stated import normalized
from sightline.reading.terms import terms, written_terms

_MOST_SIGNALS: Final = 4
_MOST_TITLES: Final = 6
_MOST_GROUPS: Final = 6
_LONGEST_QUOTE: Final = 400  # characters
_COMMON: Final = 3  # examples in which a word stands that every question about postings may have
_LONG_ENOUGH: Final = 6  # letters of a word that a longer one is made of
_LEAVING: Final = ("leaves", "retires_from", "board_change")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The places and the words of a job that a question names; `unknown` are places without a posting,
    `rest` other words."""

    places: frozenset[str]
    unknown: tuple[str, ...]
    words: tuple[str, ...]
    rest: tuple[str, ...]

    @classmethod
    def of(cls, question: str, rows: Sequence[Row]) -> "Wanted":
        here = set[str]().union(*map(_places, rows))
        spelled = {each: name for name in here for each in names_of_city(name)}
        words, places, unknown = question.split(), set(), []
        for phrase, run in phrases(words):
            is_common = fold(phrase) in _common()
            name = (None if is_common else spelled.get(fold(phrase))) or place_named(phrase)
            if name in here:
                places.add(name)
            elif name and run.start:  # a first word has its capital anyway ("Are", a town)
                unknown.append(phrase)
            else:
                continue
            words[run] = [""] * (run.stop - run.start)
        written = dict(written_terms(" ".join(words)))
        asked = dict.fromkeys(written[term] for term in written if term not in _common())
        job = [word for word in asked if any(_is_of(row, word) for row in rows)]
        rest = tuple(asked.keys() - set(job))
        return cls(frozenset(places), tuple(unknown), tuple(job), rest)

    def named(self, rows: Iterable[Row]) -> list[Row]:
        """The postings that are of every word of the job."""
        return [row for row in rows if all(_is_of(row, word) for word in self.words)]


async def postings(asked: Asked, *, remote: bool = False) -> Draft | None:
    """How many postings are open, how many of them in the places and of the kind that the question names,
    where and in which departments these are, and their titles."""
    evidence = asked.evidence
    stored = await evidence.postings() if evidence.may("jobs:read") else []
    rows = [row for row in stored if row["document_id"]]
    if not rows:
        return None
    wanted = Wanted.of(asked.question, rows)
    here = [row for row in rows if not wanted.places or _places(row) & wanted.places]
    here = [row for row in here if row["remote"] or not remote]
    named = wanted.named(here)
    seen = rows[0]["last_seen_at"].date().isoformat()
    text = f"{evidence.name} has {len(rows)} open postings, as last seen on {seen}"
    text += _chosen(wanted, len(here), len(named), remote=remote)
    source = _source(evidence, (named or here or rows)[0])
    more = [] if wanted.unknown else _details(evidence, named, source)
    statements = (Statement(f"{text}.", (source,)), *more)
    is_whole = not wanted.rest and bool(named or wanted.unknown or not wanted.words)
    return Draft(statements, "sufficient" if is_whole else "partial")


def _chosen(wanted: Wanted, here: int, named: int, *, remote: bool) -> str:
    """'; 41 of them are in Berlin; 4 in Berlin are of “sales”'."""
    if wanted.unknown:
        return f"; none of them names {list_words(wanted.unknown)}"
    where = f" in {list_words(sorted(wanted.places))}" if wanted.places else ""
    where += " remote" if remote else ""
    text = f"; {here} of them are{where}" if where else ""
    if wanted.words:
        kind = f"“{' '.join(wanted.words)}”"
        text += f"; {named}{where} are of {kind}" if named else f"; no title{where} says {kind}"
    return text


def _details(evidence: CompanyEvidence, rows: Sequence[Row], source: Source) -> list[Statement]:
    """'Departments: sales (4) and it (2).', 'Places: Lund (5).', 'Among them: Crane Driver.'"""
    departments = [str(row["department"]).replace("_", " ") for row in rows if row["department"]]
    cities = [place for row in rows for place in sorted(_places(row))]
    statements = []
    for called, names in (("Departments", departments), ("Places", cities)):
        groups = [f"{name} ({n})" for name, n in Counter(names).most_common(_MOST_GROUPS)]
        if groups:
            statements.append(Statement(f"{called}: {list_words(groups)}.", (source,)))
    titled = {str(row["title"]): row for row in reversed(rows)}
    newest = list(titled.items())[: -_MOST_TITLES - 1 : -1]
    if newest:
        sources = tuple(_source(evidence, row) for _, row in newest)
        listed = list_words([title for title, _ in newest])
        statements.append(Statement(f"Among them: {listed}.", sources))
    return statements


@cache
def _common() -> frozenset[str]:
    """Terms of several example questions about postings: they say that postings are asked for."""
    examples = [one for topic in topics() if topic.look_up == "postings" for one in topic.phrases]
    counted = Counter(term for one in examples for term in set(terms(one)))
    return frozenset(term for term, times in counted.items() if times >= _COMMON)


def _is_of(row: Row, word: str) -> bool:
    """Whether a posting's title has a word or the word it is made of ("intern" of "internship"), or its
    department is what the word names."""
    asked = set(terms(word))
    for own in terms(str(row["title"])):
        if any(one == own or (len(own) >= _LONG_ENOUGH and one.startswith(own)) for one in asked):
            return True
    return row["department"] is not None and department_named(word) == row["department"]


def _places(row: Row) -> set[str]:
    """Cities and countries of a posting."""
    places = row["locations"] or ()
    names = {str(place["city"]) for place in places if place.get("city")}
    found = [country_from_text(place.get("country_code")) for place in places]
    return names | {country.name for country in found if country}


def _source(evidence: CompanyEvidence, row: Row) -> Source:
    return evidence.source(row["document_id"], pointer=str(row["title"]))


async def signals(asked: Asked, *, types: Sequence[str] = ()) -> Draft | None:
    """Signals, of some types only where types are given, each with its day and quote: those that share
    words with the question first, then the newest."""
    rows = [row for row in await asked.evidence.signals() if row["document_id"]]
    rows = [row for row in rows if not types or row["type"] in types]
    distinct = list({normalized(str(row["quote"])): row for row in rows}.values())
    return _reported(asked.evidence, by_words(asked.question, distinct)[:_MOST_SIGNALS])


async def departures(evidence: CompanyEvidence, titles: Sequence[str]) -> Draft | None:
    """What was reported of people with one of the titles who left."""
    rows = [r for r in await evidence.signals() if r["document_id"] and r["type"] in _LEAVING]
    named = [row for row in rows if any(one in str(row["quote"]).lower() for one in titles)]
    return _reported(evidence, named[:2])


def by_words(question: str, rows: Sequence[Row]) -> list[Row]:
    """The rows that have most of the question's words first."""
    texts = [f"{when(row)} {row['title']} {row['quote']}" for row in rows]
    shares = word_shares(question, texts)
    order = sorted(range(len(rows)), key=lambda at: -round(shares[at], 1))
    return [rows[at] for at in order]


def _reported(evidence: CompanyEvidence, rows: Sequence[Row]) -> Draft | None:
    """'2025-03-09: “It opened a depot.”' of each signal, a long quote as its title."""
    statements = []
    for row in rows:
        quote = normalized(str(row["quote"]))
        text = f"“{quote}”" if len(quote) <= _LONGEST_QUOTE else str(row["title"])
        source = evidence.source(row["document_id"], quote=str(row["quote"]))
        statements.append(Statement(f"{when(row)}: {text}", (source,)))
    return Draft(tuple(statements), "partial") if statements else None
