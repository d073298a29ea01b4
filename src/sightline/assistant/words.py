"""Words of a question and of evidence in one form, so that they can be compared.

Only ever used on the event loop's thread: the analyser is not made for two.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from sightline.search.analysis import Analyser
from sightline.search.synonyms import thesaurus
from sightline.search.vocabulary import FRAME_WORDS

# Words that a question about any company has, beside those of every question.
_FRAMING = frozenset(
    [
        *FRAME_WORDS,
        *"""company companies business firm corporation organization organisation group enterprise
        please currently current latest recent recently now today name names named called list many
        much main major key big biggest large largest top important total overall say says said
        state states stated report reports reported reporting year years fiscal annual annually quarter
        quarterly ago last past since exactly approximately roughly kind kinds sort anything everything
        any some one ones also ever still according tell share summary summarise summarize brief
        briefly hello hi thanks thank question answer wonder like would could long take place happen
        happened plan plans approach regard regards respect term terms think thing new specific
        specifically currently there still got come came go going gone went run runs running back next
        size long often far away mostly mainly really actually even just versus compared compare
        comparison difference affect affects affected affecting impact depend depends dependent rely
        relies reliant number amount figure end ends ended ending start starts started pay pays paid
        spend spent planned planning expect expected expects bit lot stuff thing guys folks
        percentage proportion fraction split unit units internally sit sits roughly any date dates""".split(),
    ]
)


@cache
def _analyser() -> Analyser:
    return Analyser()


def terms_of(text: str) -> set[str]:
    """The stems of all content words."""
    return {token.term for token in _analyser().tokens(text) if not token.function}


def term_of(word: str) -> str:
    """The stem of a word."""
    return _analyser().term(word)


@cache
def framing() -> frozenset[str]:
    """Stems of words that frame a question and name no subject."""
    return frozenset(_analyser().term(word) for word in _FRAMING)


def asked_terms(text: str) -> list[str]:
    """The stems of a question that name a subject, each once, in order."""
    found = [
        token.term for token in _analyser().tokens(text) if not (token.function or token.extra)
    ]
    return [term for term in dict.fromkeys(found) if term not in framing() and len(term) > 1]


# Words of sellers and analysts → words of filings and web sites, either way. Unlike those of the search
# they hold for questions about a company alone.
_SAME: Final = """
subscriber; member; membership
strike; work stoppage; walkout
unionised; unionized; union; collective bargaining; labor union
loan; credit agreement; credit facility; term loan
shoe; footwear; sneaker
shop; store
salary; base salary; compensation
made; manufactured; produced; factories
auditor; audit; audits; independent registered public accounting firm
shareholder; stockholder; shareowner
shareholder meeting; annual meeting; stockholder meeting
exited; exit; wind down; winding; discontinued; closed
leave; exit; exited; sale; sold
sale; sell; sold; disposition; divestiture
closed; completed; consummated
stake; owned; ownership; equity interest
active; operates; operating; present
arrive; delivered
product; platform; offering
bob; robert
rob; robert
jim; james
tim; timothy
mike; michael
tom; thomas
dave; david
steve; steven; stephen
dan; daniel
chris; christopher
joe; joseph
andy; andrew
ted; edward; theodore
tony; anthony
ken; kenneth
greg; gregory
jeff; jeffrey
matt; matthew
nick; nicholas
problem; issue; challenge; challenging
countries; operations
repurchase; repurchased; buyback
stock; shares; common stock
worker; employee; workforce; staff; associate; team member; people
vehicle; automotive; car; automobile
salaried; salary
office; facility; location; site
plant; facility; factory; mill
running; operating; operate; idled; mothballed
owns; owned; ownership
ads; advertising; advertisement
ad tier; ad supported
money; cash
spend; expenditure; expense; cost
fine; penalty; penalties
sue; sued; lawsuit; complaint; class action
case; lawsuit; litigation; complaint
fab; factory; factories; wafer fabrication
fired; terminated; departure; resigned
client; customer
warehouse; distribution center; fulfillment center
us; united states
europe; emea
latin america; lac
pay; paid; payable; payment
quit; resigned; departed; left
hacked; breach; cybersecurity incident
boss; chief executive officer
cancel; terminate; termination
expire; expiration; mature; maturity; due
interest; interest rate; bear interest
buy; purchase; acquire
big; large; significant
biggest; largest; principal; major
cinema; theater; theatre
deal; agreement; contract
supplier; vendor; manufacturer
doctor; physician
drug; pharmaceutical; prescription
chip; semiconductor; integrated circuit
backlog; unfilled order
patent; intellectual property
lawyer; counsel
rent; lease; leased
land; property; acre
"""
_SHORTEST_ROOT: Final = 5
_LONGEST_ENDING: Final = 4
_SHORTEST_TAIL: Final = 8


@cache
def _groups() -> dict[tuple[str, ...], frozenset[tuple[str, ...]]]:
    table: dict[tuple[str, ...], frozenset[tuple[str, ...]]] = dict(thesaurus(_analyser()))
    for group in _SAME.strip().splitlines():
        phrases = {tuple(_analyser().plain(phrase)) for phrase in group.split(";")} - {()}
        for phrase in phrases:
            table[phrase] = table.get(phrase, frozenset()) | (phrases - {phrase})
    return table


@cache
def other_words(term: str) -> tuple[tuple[str, ...], ...]:
    """What else says the same as a stem: each some stems that must stand side by side."""
    return tuple(sorted(_groups().get((term,), ())))


def covers(term: str, held: set[str]) -> bool:
    """Whether a text of these stems speaks of the term, in this or another word for it."""
    return (
        term in held
        or any(
            phrase[0] in held if len(phrase) == 1 else _joined(phrase) in held
            for phrase in other_words(term)
        )
        or _has_kin(term, held)
    )


def _has_kin(term: str, held: set[str]) -> bool:
    """Whether one of the stems is of the same word: "union" for "unionis"."""
    if len(term) < _SHORTEST_ROOT:
        return False
    cut = range(max(_SHORTEST_ROOT, len(term) - _LONGEST_ENDING), len(term))
    if any(term[:size] in held for size in cut):
        return True
    if len(term) >= _SHORTEST_TAIL and any(stem.endswith(term) for stem in held):
        return True  # of a compound
    longest = len(term) + _LONGEST_ENDING
    return any(stem.startswith(term) and len(stem) <= longest for stem in held)


def said_in(text: str) -> set[str]:
    """The stems of a text, and its runs of two to four of them, so that phrases can be found."""
    tokens = [token for token in _analyser().tokens(text) if not token.function]
    stems = [token.term for token in tokens if not token.extra]
    runs = {
        _joined(stems[at : at + size]) for size in (2, 3, 4) for at in range(len(stems) - size + 1)
    }
    return runs.union(token.term for token in tokens)


def _joined(stems: Sequence[str]) -> str:
    return " ".join(stems)
