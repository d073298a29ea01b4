"""Questions that facts answer: staff, seat, founding, who leads it, its year, figures, technologies."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from sightline.domain.job_reading import technology_categories
from sightline.profile.asking import stem, stems
from sightline.profile.evidence import Evidence, FactSeen, Quote
from sightline.profile.money import money, newest_year, signed_percent
from sightline.profile.select import Candidate

_SCORE: Final = 10.0  # before any sentence
_LONGEST_QUOTE: Final = 300  # characters
_MOST_NAMED: Final = 8
_FEWEST_INITIALS: Final = 3
_MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)


def fact_answer(evidence: Evidence, question: str) -> Candidate | None:
    """The answer of a fact; None when no fact answers all that is asked."""
    name = frozenset(stems(evidence.name))
    words = frozenset(stems(question)) - name
    for pattern, about, answer in _ANSWERS:
        if pattern.search(question) and words <= about:
            return answer(evidence)
    return technologies_named(evidence, question)


def made(text: str, proofs: Iterable[Quote]) -> Candidate:
    """A sentence of ours as an answer, with its proofs."""
    return Candidate("", text, tuple(proofs), _SCORE, group=text)


def won(evidence: Evidence, field: str) -> FactSeen | None:
    """The fact of a field that makes the record."""
    return next((fact for fact in evidence.by_field.get(field, ()) if fact.wins), None)


def _employees(evidence: Evidence) -> Candidate | None:
    fact = won(evidence, "employees")
    if fact is None:
        return None
    quote = " ".join((fact.quote or "").split())
    if quote.endswith(".") and len(quote) <= _LONGEST_QUOTE:
        return made(quote, [fact.proof])
    number = f"{fact.value:,}" if isinstance(fact.value, int) else str(fact.value)
    return made(f"{evidence.name} has {number} employees.", [fact.proof])


def _seat(evidence: Evidence) -> Candidate | None:
    parts = [won(evidence, field) for field in ("hq_city", "hq_state")]
    known = [fact for fact in parts if fact is not None]
    if parts[0] is None:
        return None
    place = ", ".join(str(fact.value) for fact in known)
    return made(f"{evidence.name} is based in {place}.", [fact.proof for fact in known])


def _founded(evidence: Evidence) -> Candidate | None:
    fact = won(evidence, "founded_year")
    text = f"{evidence.name} was founded in {fact.value}." if fact is not None else ""
    return made(text, [fact.proof]) if fact is not None else None


def _leader(evidence: Evidence) -> Candidate | None:
    fact = won(evidence, "ceo")
    text = f"{fact.value} is the chief executive of {evidence.name}." if fact is not None else ""
    return made(text, [fact.proof]) if fact is not None else None


def _year_end(evidence: Evidence) -> Candidate | None:
    fact = won(evidence, "fiscal_year_end")
    found = re.fullmatch(r"(\d\d)-(\d\d)", str(fact.value)) if fact is not None else None
    if fact is None or found is None:
        return None
    month, day = _MONTHS[int(found[1]) - 1], int(found[2])
    return made(f"The fiscal year of {evidence.name} ends on {day} {month}.", [fact.proof])


def _figure(metric: str, said: str) -> Callable[[Evidence], Candidate | None]:
    def answer(evidence: Evidence) -> Candidate | None:
        fact = newest_year(evidence, metric)
        if fact is None:
            return None
        value: dict[str, Any] = fact.value
        amount = money(value["amount"], value.get("currency") or "USD")
        change = value.get("change")
        moved = f", {signed_percent(change)} on the year before" if change is not None else ""
        return made(f"{said} {amount} in {value['label']}{moved}.", [fact.proof])

    return answer


def technologies_named(evidence: Evidence, question: str) -> Candidate | None:
    """The technologies that a question names, or those of the category that it names."""
    if not _OF_TECHNOLOGIES.search(question):
        return None
    asked = frozenset(map(stem, _WORD.findall(question.casefold())))
    kinds = technology_categories()
    seen = [
        (str(f.value["name"]), f.value.get("category"), f.proof)
        for f in evidence.by_field.get("technology", ())
    ]
    seen += [
        (name, kinds.get(name), proof)
        for job in evidence.jobs
        if (proof := job.proof) is not None
        for name in job.technologies
    ]
    found: dict[str, list[Quote]] = {}
    for name, category, proof in seen:
        wanted = any(
            words and words <= asked
            for each in (name, initials(name), category or "")
            for words in [frozenset(map(stem, _WORD.findall(each.casefold())))]
        )
        if wanted:
            found.setdefault(name, []).append(proof)
    if not found:
        return None
    named = sorted(found, key=lambda name: (-len(found[name]), name))[:_MOST_NAMED]
    text = f"Pages and postings of {evidence.name} name {', '.join(named)}."
    return made(text, [found[name][0] for name in named])


def initials(name: str) -> str:
    """ "AWS" of "Amazon Web Services"; "" of a name of fewer than three words."""
    words = _WORD.findall(name)
    return "".join(word[0] for word in words) if len(words) >= _FEWEST_INITIALS else ""


def _about(words: str) -> frozenset[str]:
    return frozenset(stems(words))


_WORD = re.compile(r"\w+")
_OF_TECHNOLOGIES = re.compile(
    r"\b(?:which|what)\b.*\b(?:use[sd]?|using|run(?:s|ning)?|have|has|rely|built)\b"
    r"|^\W*(?:do|does|are|is) (?:\w+ ){1,4}?(?:us(?:e|ing)|run(?:ning)?)\b",
    re.I,
)
# How it is asked, all that such a question may speak of, and what answers it.
_ANSWERS: Final = (
    (
        re.compile(r"\bhow (?:many|big|large)\b|\bheadcount\b|\bnumber of\b", re.I),
        _about("employees people staff number workforce headcount work total worldwide large team"),
        _employees,
    ),
    (
        re.compile(r"\bwhere\b|\bwhich (?:city|country)\b", re.I),
        _about("headquarters headquartered head office seat based located main city country"),
        _seat,
    ),
    (
        re.compile(r"\bwhen\b|\bwhat year\b", re.I),
        _about("founded established start started begin year"),
        _founded,
    ),
    (
        re.compile(r"\bwho\b", re.I),
        _about("ceo chief executive officer lead leads run runs managing director heads"),
        _leader,
    ),
    (
        re.compile(r"\bwhen\b|\bwhat\b", re.I),
        _about("fiscal financial business year end ends close closes date"),
        _year_end,
    ),
    (
        re.compile(r"\bhow (?:much|high|large|big)\b|\bwhat\b", re.I),
        _about("research and development R&D spend spending cost expenses invest budget year last"),
        _figure("research_and_development", "Research and development cost"),
    ),
    (
        re.compile(r"\bhow (?:much|high|large|big)\b|\bwhat\b", re.I),
        _about("revenue sales turnover annual make generate earn year last total"),
        _figure("revenue", "Revenue was"),
    ),
    (
        re.compile(r"\bhow (?:much|high|large|big)\b|\bwhat\b|\b(?:is|are)\b", re.I),
        _about("net income profit earnings profitable annual make earn year last"),
        _figure("net_income", "Net income was"),
    ),
    (
        re.compile(r"\bhow (?:much|high|large|big)\b|\bwhat\b", re.I),
        _about("debt borrowings owe level total"),
        _figure("debt", "Debt was"),
    ),
    (
        re.compile(r"\bhow (?:much|high|large|big)\b|\bwhat\b", re.I),
        _about("cash reserves position hand hold level"),
        _figure("cash", "Cash and cash equivalents were"),
    ),
)
