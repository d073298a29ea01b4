"""Look-ups of what a company does now: open postings and dated signals."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sightline.assistant.company_evidence import CompanyEvidence, list_words
from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.routing import topics
from sightline.domain.cities import home_of_city, names_of_city
from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.titles import department_named
from sightline.reading.terms import terms, written_terms
from sightline.search.quotes import lexical_share
from sightline.search.retrieve import find_passages

_MOST_SIGNALS: Final = 4
_MOST_TITLES: Final = 6
_MOST_GROUPS: Final = 6
_LONGEST_QUOTE: Final = 400  # characters
_LONGEST_PLACE: Final = 3  # words
_COMMON: Final = 3  # examples in which a word stands that every question about postings may have
_A_PLACE: Final = "Chicago"  # one that the examples of topics.toml name often
_LONG_ENOUGH: Final = 6  # letters of a word that a longer one is made of
_CODES: Final = ("US", "USA", "UK", "UAE")  # of countries, as people write them in a sentence
_LEAVING: Final = ("leaves", "retires_from", "board_change")
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The places and the words of a job that a question names; `unknown` are places without a posting,
    `rest` other words."""

    places: frozenset[str]
    unknown: tuple[str, ...]
    words: Mapping[str, str]  # term -> as it is written
    rest: tuple[str, ...]

    def among(self, rows: Rows) -> list[Mapping[str, Any]]:
        """The postings that are of every word of the job."""
        return [row for row in rows if all(_is_of(row, *word) for word in self.words.items())]


async def postings(
    evidence: CompanyEvidence, question: str, *, remote: bool = False
) -> Draft | None:
    """How many postings are open, how many of them in the places and of the kind that the question names,
    and their titles."""
    if not evidence.may("jobs:read"):
        return None
    rows: Rows = [row for row in await evidence.postings() if row["document_id"]]
    if not rows:
        return None
    wanted = _wanted(question, rows)
    here = [row for row in rows if not wanted.places or _places(row) & wanted.places]
    here = [row for row in here if not remote or row["remote"]]
    named = wanted.among(here)
    by_search = [] if named and wanted.words else await _nearest(evidence, question, here)
    shown = named or (by_search if wanted.words else [])
    statements = [_count(evidence, rows, wanted, shown=shown, here=here, remote=remote)]
    if shown and not wanted.unknown:
        statements += _groups(evidence, shown)
        statements.append(_titles(evidence, [row for row in by_search if row in shown] or shown))
    matched = any(_is_of(row, *word) for row in shown for word in wanted.words.items())
    is_whole = not wanted.rest and (not wanted.words or matched)
    return Draft(tuple(statements), "sufficient" if is_whole else "partial")


def _groups(evidence: CompanyEvidence, shown: Rows) -> list[Statement]:
    """'Departments: sales (4) and it (2).', 'Places: Lund (5).'"""
    source = _source(evidence, shown[0])
    groups = (("Departments", _departments(shown)), ("Places", _cities(shown)))
    most = ((called, counted.most_common(_MOST_GROUPS)) for called, counted in groups)
    said = ((called, list_words([f"{name} ({n})" for name, n in each])) for called, each in most)
    return [Statement(f"{called}: {words}.", (source,)) for called, words in said if words]


def _count(
    evidence: CompanyEvidence, rows: Rows, wanted: _Wanted, *, shown: Rows, here: Rows, remote: bool
) -> Statement:
    """'X has 55 open postings, as last seen on 2026-08-20; 41 of them are in Berlin.'"""
    seen = rows[0]["last_seen_at"].date().isoformat()
    text = f"{evidence.name} has {len(rows)} open postings, as last seen on {seen}"
    source = _source(evidence, (shown or here or rows)[0])
    if wanted.unknown:
        return Statement(f"{text}; none of them names {list_words(wanted.unknown)}.", (source,))
    of = f" of “{' '.join(wanted.words.values())}”" if wanted.words else ""
    where = f" in {list_words(sorted(wanted.places))}" if wanted.places else ""
    where += " remote" if remote else ""
    matches = wanted.among(here)
    if where:
        text += f"; {len(here)} of them are{where}"
    if of:
        text += f"; {len(matches)}{where} are{of}" if matches else f"; no title{where} says{of[3:]}"
    return Statement(f"{text}.", (source,))


def _titles(evidence: CompanyEvidence, rows: Rows) -> Statement:
    distinct = list({str(row["title"]): row for row in reversed(rows)}.values())[::-1][
        :_MOST_TITLES
    ]
    titles = list_words([str(row["title"]) for row in distinct])
    sources = tuple(_source(evidence, row) for row in distinct)
    return Statement(f"Among them: {titles}.", sources)


def _wanted(question: str, rows: Rows) -> _Wanted:
    places, unknown, left = _named_places(question, rows)
    asked = {term: word for term, word in written_terms(left) if term not in _common()}
    titled = {term for row in rows for term in terms(str(row["title"]))}
    departments = {row["department"] for row in rows} - {None}
    job = {
        term: word
        for term, word in asked.items()
        if any(_is_form(term, own) for own in titled) or department_named(word) in departments
    }
    rest = tuple(word for term, word in asked.items() if term not in job)
    return _Wanted(places, unknown, job, rest)


def _named_places(question: str, rows: Rows) -> tuple[frozenset[str], tuple[str, ...], str]:
    """Places of postings that a question names, places without one, and the words that are left."""
    known: dict[str, str] = {}
    for name in {name for row in rows for name in _places(row)}:
        known |= dict.fromkeys(names_of_city(name), name)
    words = [word.strip("?!.,;:'\"") for word in question.split()]
    places, unknown = set(), []
    for length in range(_LONGEST_PLACE, 0, -1):
        for at in range(len(words) - length + 1):
            phrase = " ".join(words[at : at + length])
            country = country_from_text(phrase) if _is_place(phrase) else None
            if fold(phrase) in known and fold(phrase) not in _common():
                places.add(known[fold(phrase)])
            elif country is not None and country.name in known.values():
                places.add(country.name)
            elif at and _is_place(phrase):  # a first word has its capital anyway ("Are", a town)
                unknown.append(phrase)
            else:
                continue
            words[at : at + length] = [""] * length  # taken
    return frozenset(places), tuple(unknown), " ".join(words)


def with_one_place(text: str) -> str:
    """The text with the name of one place for any that it names, so that questions differ by what they
    ask and not by where."""
    words = text.split()
    for length in (2, 1):
        for at in range(len(words) - length + 1):
            if _is_place(" ".join(words[at : at + length]).strip("?!.,;:'\"")):
                words[at : at + length] = [_A_PLACE, *[""] * (length - 1)]
    return " ".join(word for word in words if word)


def _is_place(text: str) -> bool:
    """Whether a text with capitals names a city or a country, whatever postings there are."""
    if not text[:1].isupper() or (text.isupper() and text not in _CODES):
        return False
    return home_of_city(text) is not None or country_from_text(text) is not None


@cache
def _common() -> frozenset[str]:
    """Terms of several example questions about postings: they say that postings are asked for."""
    examples = [one for topic in topics() if topic.look_up == "postings" for one in topic.phrases]
    counted = Counter(term for one in examples for term in set(terms(one)))
    return frozenset(term for term, times in counted.items() if times >= _COMMON)


def _is_of(row: Mapping[str, Any], term: str, word: str) -> bool:
    """Whether a posting's title has a term or the word it is made of ("intern" of "internship"), or its
    department is what the word names."""
    if any(_is_form(term, own) for own in terms(str(row["title"]))):
        return True
    return row["department"] is not None and department_named(word) == row["department"]


def _is_form(term: str, own: str) -> bool:
    return term == own or (len(own) >= _LONG_ENOUGH and term.startswith(own))


def _places(row: Mapping[str, Any]) -> set[str]:
    """Cities and countries of a posting."""
    names: set[str] = set()
    for place in row["locations"] or ():
        country = country_name(str(place.get("country_code") or ""))
        names |= {str(one) for one in (place.get("city"), country) if one}
    return names


def country_name(code: str | None) -> str | None:
    """The name of a country by its ISO code; None when there is no such code."""
    found = country_from_text(code)
    return found.name if found else None


def _departments(rows: Rows) -> Counter[str]:
    return Counter(str(row["department"]).replace("_", " ") for row in rows if row["department"])


def _cities(rows: Rows) -> Counter[str]:
    return Counter(place for row in rows for place in sorted(_places(row)))


def _source(evidence: CompanyEvidence, row: Mapping[str, Any]) -> Source:
    return evidence.source(row["document_id"], quote=None, pointer=str(row["title"]))


async def signals(
    evidence: CompanyEvidence, question: str, *, types: Sequence[str] = ()
) -> Draft | None:
    """Signals, of some types only where types are given, each with its day and quote: those that share
    words with the question first, then the newest."""
    rows = [row for row in await evidence.signals() if row["document_id"]]
    rows = [row for row in rows if not types or row["type"] in types]
    distinct = list({" ".join(str(row["quote"]).split()): row for row in rows}.values())
    if not distinct:
        return None
    ranked = _by_words(question, distinct)[:_MOST_SIGNALS]
    return Draft(tuple(_signal(evidence, row) for row in ranked), "partial")


async def departures(evidence: CompanyEvidence, titles: Sequence[str]) -> Draft | None:
    """What was reported of people with one of the titles who left."""
    rows = [
        row for row in await evidence.signals() if row["document_id"] and row["type"] in _LEAVING
    ]
    named = [row for row in rows if any(one in str(row["quote"]).lower() for one in titles)]
    return Draft(tuple(_signal(evidence, row) for row in named[:2]), "partial") if named else None


def _by_words(question: str, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that have most of the question's words, each worth more the fewer rows have it."""
    texts = [f"{_day(row)} {row['title']} {row['quote']}" for row in rows]
    counted = Counter(term for text in texts for term in set(terms(text)))
    weights = {term: 1.0 / times for term, times in counted.items()}
    wording: list[Collection[str]] = [frozenset(terms(question)) & counted.keys()]
    shares = {
        id(row): lexical_share(t, wording, weights) for row, t in zip(rows, texts, strict=True)
    }
    return sorted(rows, key=lambda row: -round(shares[id(row)], 1))


def _day(row: Mapping[str, Any]) -> str:
    return str((row["occurred_at"] or row["detected_at"]).date().isoformat())


def _signal(evidence: CompanyEvidence, row: Mapping[str, Any]) -> Statement:
    quote = " ".join(str(row["quote"]).split())
    text = f"“{quote}”" if len(quote) <= _LONGEST_QUOTE else str(row["title"])
    return Statement(
        f"{_day(row)}: {text}", (evidence.source(row["document_id"], quote=str(row["quote"])),)
    )


async def _nearest(evidence: CompanyEvidence, question: str, rows: Rows) -> list[Mapping[str, Any]]:
    """The postings that a search for the question finds, best first."""
    by_document = {row["document_id"]: row for row in rows}
    async with evidence.reading() as connection:
        found = await find_passages(connection, evidence.company_id, [question], kinds=["job"])
    ids = dict.fromkeys(passage.document_id for passage in found.passages)
    return [by_document[one] for one in ids if one in by_document]
