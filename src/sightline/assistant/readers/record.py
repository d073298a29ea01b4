"""Single facts of the record: where it is, how many people, how it is listed and numbered."""

import re
from calendar import month_name
from typing import Final

from sightline.assistant.contract import Draft, Statement
from sightline.assistant.figures import country_name, money
from sightline.assistant.held import Held, list_words
from sightline.assistant.question import Question
from sightline.assistant.words import terms_of
from sightline.store.facts import Fact

_FILLERS: Final = frozenset(
    terms_of(
        "head office main city country state town location find located based employ work worldwide total"
        " full time people number code index key use traded trade listed symbol under official registered"
        " legal belong operate established started created size general contact reach call when site"
    )
)
# (words of the question, field, how it is said)
_IDENTITY: Final = (
    (r"\bticker\b|\bsymbol\b", "stock_ticker", "The ticker symbol of {name} is {value}."),
    (r"\bexchange\b|\blisted\b|\btraded?s?\b", "stock_exchange_name", "Its shares are listed on {value}."),
    (r"\bpublic(?:ly)?\b", "public_company", "{name} is {value}."),
    (r"\bcik\b|central\s+index", "cik", "The SEC Central Index Key of {name} is {value}."),
    (r"\blei\b|legal\s+entity\s+id", "lei", "The Legal Entity Identifier of {name} is {value}."),
    (r"\bweb\s?site\b|\bdomain\b", "website_domain", "The web site of {name} is {value}."),
    (r"\bphone\b|\btelephone\b", "phone", "The main telephone number of {name} is {value}."),
    (r"\bfound|\bestablished\b|\bstarted\b", "founded_year", "{name} was founded in {value}."),
    (r"\bindustry\b|\bsector\b", "industry", "The industry of {name} is {value}."),
    (r"\bsic\b", "sic", "The SIC code of {name} is {value}."),
    (r"\bnaics\b", "naics", "The NAICS code of {name} is {value}."),
    (r"\b(?:legal|registered|official)\s+name", "legal_name", "The registered name is {value}."),
    (
        r"fiscal\s+year[- ]end|fiscal\s+year\b.*\bends?\b|\bends?\b.*\bfiscal\s+year",
        "fiscal_year_end",
        "The fiscal year of {name} ends on {value}.",
    ),
    (r"\be-?mail\b", "email", "The general e-mail address of {name} is {value}."),
    (r"\bshares\b", "shares_outstanding", "{name} had {value} shares outstanding."),
    (r"public\s+float", "public_float", "The public float was {value}."),
    (r"market\s+cap", "market_cap", "The market value of its shares was {value}."),
    (r"\bidentifiers?\b", "lei", "The Legal Entity Identifier of {name} is {value}."),
)  # fmt: skip


async def read_identity(question: Question, held: Held) -> Draft | None:
    """Identifiers, listing and other single values."""
    if [term for term in question.terms("identity") if term not in _FILLERS]:
        return None
    statements: list[Statement] = []
    asked = [row for row in _IDENTITY if question.asks(row[0])]
    if question.asks(r"\bidentifiers?\b"):
        asked = [row for row in _IDENTITY if row[1] in ("cik", "lei", "stock_ticker")]
    for _, field, said in asked:
        for fact in (await held.facts(field))[:1]:
            text = said.format(name=held.name, value=_shown(field, fact))
            statements.append(Statement(text + _as_of(field, fact), (held.proof(fact),)))
    if not statements and asked:
        what = list_words(list(dict.fromkeys(row[1].replace("_", " ") for row in asked)))
        return Draft((), "none", f"Nothing held gives the {what} of {held.name}.")
    return Draft(tuple(statements)) if statements else None


def _shown(field: str, fact: Fact) -> str:
    if field == "public_company":
        return "a public company: its shares are listed" if fact.value else "not a public company"
    if field == "fiscal_year_end":
        month, day = (int(part) for part in str(fact.value).split("-"))
        return f"{month_name[month]} {day} ({fact.value})"
    if field in ("public_float", "market_cap"):
        return money(float(fact.value), "USD")
    return f"{fact.value:,}" if field == "shares_outstanding" else str(fact.value)


def _as_of(field: str, fact: Fact) -> str:
    if field in ("shares_outstanding", "public_float", "market_cap") and fact.as_of:
        return f" (As of {fact.as_of.isoformat()}.)"
    return ""


async def read_place(question: Question, held: Held) -> Draft | None:
    """The head office."""
    rest = [term for term in question.terms("place") if term not in _FILLERS]
    parts = {
        name: (await held.facts(name))[:1]
        for name in ("hq_address", "hq_city", "hq_state", "hq_postcode", "country_code")
    }
    told = terms_of(" ".join(str(f.value) for some in parts.values() for f in some))
    if rest and not set(rest) <= told:
        return None
    if not (parts["hq_city"] or parts["hq_address"]):
        return None
    facts = [fact for some in parts.values() for fact in some]
    words = [
        str(fact.value) for name in ("hq_address", "hq_city", "hq_state") for fact in parts[name]
    ]
    for fact in parts["country_code"]:
        words.append(country_name(str(fact.value)) or str(fact.value))
    sources = tuple({(f.document_id, f.quote): held.proof(f) for f in facts}.values())
    text = f"The head office of {held.name} is at {', '.join(dict.fromkeys(words))}."
    if not parts["hq_address"]:
        text = text.replace(" is at ", " is in ")
    return Draft((Statement(text, sources[:2]),))


async def read_employees(question: Question, held: Held) -> Draft | None:
    """How many people it employs."""
    rest = [term for term in question.terms("employees") if term not in _FILLERS]
    facts = await held.facts("employees")
    if rest or not facts:
        return None
    if not question.asks(r"how\s+many|number|head\s?count|size|\bhow\s+big\b|total"):
        return None
    fact = facts[0]
    if question.period is not None and question.period.year:
        year = str(question.period.year)
        if not (fact.as_of and str(fact.as_of.year) == year) and year not in (fact.quote or ""):
            return None
    when = f" as of {fact.as_of.isoformat()}" if fact.as_of else ""
    text = f"{held.name} had {fact.value:,} employees{when}."
    # The source's own words are surer than ours: part-time staff, "approximately", the day.
    if fact.quote and re.search(r"employ|associates|people|team members|workforce", fact.quote):
        text = " ".join(fact.quote.split())
    return Draft((Statement(text, (held.proof(fact),)),))


async def read_family(question: Question, held: Held) -> Draft | None:
    """Parents and subsidiaries."""
    if question.terms("family"):
        return None
    if question.asks(r"\bparent|\bowned\s+by|\bwho\s+owns"):
        facts = await held.facts("parent")
        text = "{name} is owned by {list}."
    else:
        facts = await held.facts("subsidiary")
        text = "Subsidiaries of {name} include {list}."
    if not facts:
        return None
    names = list(dict.fromkeys(str(f.value["name"]) for f in facts))[:8]
    said = text.format(name=held.name, list=list_words(names))
    return Draft((Statement(said, tuple(held.proof(f) for f in facts[:3])),))
