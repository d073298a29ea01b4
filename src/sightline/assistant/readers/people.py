"""Who leads the company, from officers and directors that documents name."""

import re
from collections.abc import Sequence
from typing import Final

from sightline.assistant.contract import Draft, Statement
from sightline.assistant.held import Held, list_words
from sightline.assistant.question import Question, all_covered
from sightline.assistant.words import terms_of
from sightline.store.facts import Fact

# What is asked for → what the title of such a person says.
ROLES: Final = (
    (r"\bcfos?\b|chief\s+financ|head\s+of\s+finance", r"chief\s+financial|\bcfo\b"),
    (r"\bcoos?\b|chief\s+operat", r"chief\s+operating|\bcoo\b"),
    (r"\bctos?\b|chief\s+techn", r"chief\s+technology|chief\s+technical|\bcto\b"),
    (r"\bcios?\b|chief\s+information\s+off", r"chief\s+information\s+officer|\bcio\b"),
    (r"\bcisos?\b|information\s+security\s+off", r"information\s+security|\bciso\b"),
    (r"\bcmos?\b|chief\s+market", r"chief\s+marketing|\bcmo\b"),
    (r"\bcros?\b|chief\s+revenue", r"chief\s+revenue|\bcro\b"),
    (r"\bcpos?\b|chief\s+product|chief\s+people", r"chief\s+(?:product|people)|\bcpo\b"),
    (r"general\s+counsel|chief\s+legal", r"general\s+counsel|chief\s+legal"),
    (r"\bco-?founders?\b|\bfounders?\b|\bfounded\b|\bstarted\b", r"founder"),
    (r"\bchair(?:man|woman|person)?\b", r"\bchair(?:man|woman|person)?\b"),
    (r"\btreasurer\b", r"treasurer"),
    (r"\bcontroller\b|chief\s+accounting|principal\s+accounting", r"controller"
        r"|chief\s+accounting|principal\s+accounting"),
    (r"\bsecretary\b", r"\bsecretary\b"),
    (r"\bceos?\b|chief\s+executive|\bboss\b|\bwho\s+(?:leads|runs|heads|is\s+in\s+charge)"
        r"|(?:led|run|headed)\s+by", r"chief\s+executive|\bceo\b"),
    (r"\bpresidents?\b(?!\s+of\s+the\s+u)", r"(?<!vice )\bpresident\b"),
)  # fmt: skip
_HEAD = r"\bhead\s+of\b"
_EVERY = r"\bexecutives?\b|\bleadership\b|\bmanagement\s+team\b|\bofficers\b"
_BOARD = r"\bdirectors\b|\bboard\b"
_FILLERS: Final = frozenset(
    terms_of(
        "serve serves sit sits member members team person position role who hold holds lead c-suite"
        " become became join joined"
    )
)
_MOST: Final = 8


async def read(question: Question, held: Held) -> Draft | None:
    """The holder of a role, or the leaders; None when the question is about somewhere else."""
    if question.period is not None or question.asks(
        r"\b(?:paid|salary|compensation|pay|own[s]?|say|said|committee|insur|liab|indemn|why|how)\b"
    ):
        return None
    people = await held.facts("person")
    rest = [term for term in question.terms("role") if term not in _FILLERS]
    wanted = next((title for asked, title in ROLES if question.asks(asked)), None)
    chief = re.search(r"\bchief\s+(\w+(?:\s+\w+)?)\s+officer", question.text, re.I)
    if wanted is None and chief:
        wanted = r"chief\s+" + re.escape(chief[1]).replace(r"\ ", r"\s+")
    if wanted is None and rest and question.asks(_HEAD):
        wanted = r"\b(?:head|chief|president|director|lead)\b"
    if wanted is not None:
        return _holders(
            held, people, wanted, rest, ceo=await held.facts("ceo"), when=question.asks(r"\bwhen\b")
        )
    if rest:
        return None
    if question.asks(_BOARD):
        return _team(held, [p for p in people if _is_director(p)], "directors")
    if question.asks(_EVERY):
        return _team(held, [p for p in people if p.value.get("role") == "officer"], "executives")
    return None


def _holders(
    held: Held,
    people: Sequence[Fact],
    wanted: str,
    rest: Sequence[str],
    *,
    ceo: Sequence[Fact],
    when: bool,
) -> Draft | None:
    """Those whose title has the role; of several, the one of the whole company."""
    title = re.compile(wanted, re.I)
    found = [p for p in people if title.search(str(p.value.get("title") or ""))]
    if rest:
        found = [
            p for p in found if all_covered(rest, terms_of(f"{p.value['title']} {p.value['name']}"))
        ]
    elif "chief" in wanted and "executive" in wanted:
        named = {name for fact in ceo for name in str(fact.value).split(" and ")}
        found = [p for p in found if p.value["name"] in named] or [
            p for p in found if _is_whole(str(p.value["title"]), title)
        ]
        if not found and ceo and not when:
            fact = ceo[0]
            return Draft(
                (
                    Statement(
                        f"The chief executive officer of {held.name} is {fact.value}.",
                        (held.proof(fact),),
                    ),
                )
            )
    else:
        found = [p for p in found if _is_whole(str(p.value["title"]), title)] or found
    found = [p for p in found if not p.value.get("until")] or found
    if when:
        found = [p for p in found if p.value.get("since")]
    if not found:
        return None
    return Draft(tuple(_about(held, p) for p in found[:2]))


def _is_whole(title: str, role: re.Pattern[str]) -> bool:
    """Whether a title holds the role for the company, not for a part named after it."""
    hit = role.search(title)
    after = title[hit.end() :] if hit else ""
    return not re.match(
        r"\s*(?:officer)?\s*(?:,|of|for|-|–)\s*(?!and|chair|president|director)\w", after, re.I
    )


def _about(held: Held, fact: Fact) -> Statement:
    value = fact.value
    since = f", since {value['since']}" if value.get("since") else ""
    return Statement(
        f"{value['name']} is {value.get('title') or value.get('role')} of {held.name}{since}.",
        (held.proof(fact),),
    )


def _is_director(fact: Fact) -> bool:
    return (
        fact.value.get("role") == "director" or "director" in str(fact.value.get("title")).lower()
    )


def _team(held: Held, people: Sequence[Fact], called: str) -> Draft | None:
    if not people:
        return None
    first = sorted(people, key=lambda p: (_rank(str(p.value.get("title"))), p.value["name"]))[
        :_MOST
    ]
    titled = [
        f"{p.value['name']} ({p.value['title']})"
        if called == "executives" and p.value.get("title")
        else str(p.value["name"])
        for p in first
    ]
    more = f" and {len(people) - len(first)} more" if len(people) > len(first) else ""
    text = f"Documents name these {called} of {held.name}: {list_words(titled)}{more}."
    return Draft((Statement(text, tuple(held.proof(p) for p in first)),))


def _rank(title: str) -> int:
    low = title.lower()
    if "chief executive" in low:
        return 0
    return 1 if "chief" in low else 2 if "president" in low and "vice" not in low else 3


async def read_person(question: Question, held: Held) -> Draft | None:
    """What a named person does; None when no document of the company names them so."""
    asked = set(question.terms("person"))
    if not asked:
        return None
    for fact in await held.facts("person"):
        name = terms_of(str(fact.value["name"]))
        if asked <= name or (len(asked & name) >= 2 and asked - name <= _FILLERS):
            return Draft((_about(held, fact),))
    return None
