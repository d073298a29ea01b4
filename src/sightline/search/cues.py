"""Words that speak of a material change: the default request of relevance, read when a passage is indexed.

A cue is a phrase of one to three words; any inflection and spelling of it counts. Its weight is how
surely the phrase alone means that something happened. Reading the cues while indexing spares the
default request its hundred terms.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from sightline.domain.signals import SignalFamily
from sightline.search.analysis import Analyser
from sightline.search.vocabulary import FUNCTION_WORDS

_ARTICLES = frozenset(("a", "an", "the"))

_Family = SignalFamily
CUES: Final[Mapping[SignalFamily, Mapping[float, str]]] = {
    _Family.MATERIAL_CHANGES: {
        1.0: "acquire; acquisition; merger; merge with; divest; divestiture; spin off; bankruptcy; "
        "chapter 11; insolvency; restatement; takeover; buyout; tender offer; rebrand; delist; "
        "material weakness; going concern; carve out; joint venture",
        0.6: "definitive agreement; material agreement; entered into agreement; purchase price; "
        "completed purchase; agreed buy; agreed sell; agreement sell; agreement acquire; sell business; "
        "sell operations; goodwill impairment; impairment charge; "
        "change of control; dismissed auditor; sale of business; stake in; all cash; wind down",
    },
    _Family.LEADERSHIP_MOVES: {
        1.0: "appointed chief; named chief; appoint ceo; new ceo; resign; resignation; step down; "
        "stepping down; succeed as; successor; elected board; joined board; appointed director; "
        "named president; appointed president; appointment; promoted president; promoted chief; "
        "promoted ceo; interim ceo; left company",
        0.6: "chief executive; chief financial; chief operating; chief technology; ceo; cfo; coo; cto; "
        "cmo; cio; retire as; retire from; will retire; plans to retire; retirement of; "
        "leadership transition; executive transition; ceo transition; "
        "will succeed; succeeded by; vice president; departure; general counsel; "
        "accounting officer; chief product; chief revenue; chief people; chief commercial",
    },
    _Family.FUNDING: {
        1.0: "raised million; raise capital; raise guidance; raise outlook; series b; series c; series d; "
        "seed round; funding round; "
        "venture capital; initial public offering; ipo; goes public; valuation; private placement; "
        "credit facility; senior notes; convertible notes; share repurchase; stock buyback; "
        "record revenue; net income; earnings per share",
        0.6: "funding; financing; investor; invest; dividend; public offering; debt offering; "
        "notes offering; stock offering; revenue increase; "
        "revenue decrease; operating income; guidance; quarterly results; net sales; year over year; "
        "gross margin; refinance; term loan; outlook",
    },
    _Family.PRODUCT_LAUNCHES: {
        1.0: "launch; unveil; introduce; general availability; new product; rollout; "
        "debut; new release; patent granted; fda approval",
        0.3: "announce",
        0.6: "release; award; beta; preview; pilot; integrate; integration; platform; "
        "new features; recognized as; pipeline; prototype; innovation",
    },
    _Family.HIRING_TRENDS: {
        1.0: "layoff; lay off; laid off; workforce reduction; reduction in force; hiring freeze; "
        "headcount; job cuts; severance; hiring spree; "
        "new jobs; now hiring",
        0.6: "hire; hiring; recruit; employees; workforce; talent; staffing; open position; "
        "join our team; attrition",
    },
    _Family.TECHNOLOGY_MENTIONS: {
        1.0: "migrate to; cloud migration; tech stack; artificial intelligence; machine learning; "
        "generative ai; kubernetes; digital transformation; erp implementation",
        0.6: "cloud; data platform; automation; software; infrastructure; api; analytics; "
        "cybersecurity; saas; open source",
    },
    _Family.STRATEGIC_SHIFTS: {
        1.0: "restructure; restructuring; strategic partnership; partner with; collaboration with; "
        "expand into; expansion; new market; open office; open new; opening of; new headquarters; "
        "new plant; "
        "new factory; close plant; closure; cost reduction; cost savings; exit business; "
        "strategic review; realign; reorganize; streamline organization; multi year agreement",
        0.6: "strategy; strategic; priority; transformation; partnership; partner; relocate; expand; "
        "consolidate operations; consolidate facilities; "
        "capacity; enter market; discontinue; shift to; signed contract; selected by; facility",
    },
    _Family.RISK: {
        1.0: "lawsuit; class action; data breach; ransomware; unauthorized access; recall; "
        "investigation; subpoena; settlement; fine; antitrust; injunction; default; covenant breach; "
        "cybersecurity incident; indictment; sanction; wells notice",
        0.6: "litigation; complaint; plaintiff; allege; regulator; penalty; violation; tariff; shortage; "
        "outage; disruption; downgrade; export control; dispute",
    },
}  # fmt: skip


def read_weights(text: str, analyser: Analyser) -> dict[SignalFamily, float]:
    """The weight of the cues of each family in a text; each cue counts once, however often it is said."""
    return _weights(text, analyser)


def asked_families(text: str, analyser: Analyser) -> dict[SignalFamily, float]:
    """Which families a request speaks of, the strongest 1; empty when it speaks of none."""
    weights = _weights(text, analyser)
    top = max(weights.values(), default=0.0)
    return {family: weight / top for family, weight in weights.items() if weight >= 0.5 * top}


def _weights(text: str, analyser: Analyser) -> dict[SignalFamily, float]:
    loose, exact = _compiled(analyser)
    spoken = [term for term in analyser.spoken(text) if term not in _ARTICLES]
    plain = [term for term in spoken if term not in FUNCTION_WORDS]
    heard: dict[tuple[SignalFamily, tuple[str, ...]], float] = {}
    for terms, by_first in ((plain, loose), (spoken, exact)):
        for at, term in enumerate(terms):
            for phrase, family, weight in by_first.get(term, ()):
                if tuple(terms[at : at + len(phrase)]) == phrase:
                    heard[family, phrase] = weight
    weights: dict[SignalFamily, float] = {}
    for (family, _), weight in heard.items():
        weights[family] = weights.get(family, 0.0) + weight
    return weights


_Compiled = dict[str, list[tuple[tuple[str, ...], SignalFamily, float]]]
_ORDER = {family: place for place, family in enumerate(SignalFamily)}


@lru_cache(maxsize=8)
def _compiled(analyser: Analyser) -> tuple[_Compiled, _Compiled]:
    """Phrases by their first term: those of content words alone, which function words may part in a text
    ("appointed as chief"), and those that mean it with their function words only ("step down")."""
    loose: _Compiled = {}
    exact: _Compiled = {}
    for family, by_weight in CUES.items():
        for weight, phrases in by_weight.items():
            for phrase in phrases.split(";"):
                terms = tuple(analyser.spoken(phrase))
                compiled = loose if FUNCTION_WORDS.isdisjoint(terms) else exact
                compiled.setdefault(terms[0], []).append((terms, family, weight))
    return loose, exact
