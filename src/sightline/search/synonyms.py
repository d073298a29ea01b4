"""Different words of business for one thing, for requests about a company.

Only groups that hold for any company: a filing says "severance" and "role eliminations" where a seller
asks for layoffs. They are off for other corpora, where "acquisition" may be of data.
"""

from functools import lru_cache
from typing import Final

from sightline.search.analysis import Analyser

Phrase = tuple[str, ...]

GROUPS: Final[tuple[str, ...]] = (
    "layoff; laid off; workforce reduction; reduction of workforce; reduction in force; job cuts; "
    "headcount reduction; severance; role eliminations; redundancies; restructuring",
    "acquire; acquisition; merger; takeover; buyout; purchase of business",
    "divest; divestiture; spin off; separation; sale of business; carve out",
    "ceo; chief executive officer; chief executive",
    "cfo; chief financial officer; finance chief",
    "coo; chief operating officer",
    "cto; chief technology officer",
    "cio; chief information officer",
    "cmo; chief marketing officer",
    "ciso; chief information security officer",
    "leadership change; management change; executive change; resignation; appointed chief; named chief",
    "resign; step down; depart; retire; leave company; departure; resignation; retirement",
    "appoint; elect; named; promote; appointment; election",
    "earnings; results of operations; quarterly results; financial results; earnings release",
    "lawsuit; litigation; legal proceedings; complaint; class action; suit",
    "investigation; probe; inquiry; subpoena",
    "fine; penalty; civil penalty; sanction",
    "data breach; security incident; cybersecurity incident; unauthorized access; ransomware; "
    "cyberattack; cyber attack; hack",
    "buyback; share repurchase; stock repurchase; repurchase program",
    "capex; capital expenditures; capital investment",
    "r&d; research and development",
    "ipo; initial public offering",
    "headcount; number of employees; workforce; full time employees",
    "supplier; vendor; contract manufacturer",
    "partnership; collaboration; alliance; joint venture; partner",
    "ai; artificial intelligence; machine learning",
    "tariff; import duties; trade restrictions; export controls",
    "factory; plant; manufacturing facility; production facility",
    "backlog; remaining performance obligations",
    "ecommerce; online sales; digital sales",
    "funding; financing; raised capital; investment round",
    "cost cutting; cost reduction; cost savings; reduce costs; expense reduction; streamline; "
    "restructuring",
    "price increase; raise prices; higher prices; pricing actions",
    "closure; close; shut down; cease operations",
    "strike; work stoppage; labor dispute; collective bargaining; union",
    "shortage; supply constraint; supply disruption",
    "inflation; commodity costs; input costs; raw material costs",
    "largest customers; major customers; significant customers; customer concentration",
    "government; public sector; federal agency",
    "recurring revenue; subscription revenue; annual recurring revenue; arr",
    "remodel; renovation; refurbishment",
    "warehouse; distribution center; fulfillment center",
    "spending; expenditure",
    "launch; introduce; unveil; rollout",
    "salespeople; sales representative; account executive; sales manager",
    "developer; programmer; software engineer",
    "recruiter; talent acquisition",
    "lawyer; attorney; counsel",
    "churn; retention; renewal rate",
    "debt; borrowings; indebtedness",
    "guidance; outlook; forecast",
    "sustainability; net zero; carbon neutral; greenhouse gas emissions",
    "remote work; hybrid work; return to office",
)


@lru_cache(maxsize=8)
def thesaurus(analyser: Analyser) -> dict[Phrase, frozenset[Phrase]]:
    """For each phrase, as terms, the others of its group."""
    table: dict[Phrase, frozenset[Phrase]] = {}
    for group in GROUPS:
        phrases = {plain_terms(phrase, analyser) for phrase in group.split(";")} - {()}
        for phrase in phrases:
            table[phrase] = table.get(phrase, frozenset()) | (phrases - {phrase})
    return table


def plain_terms(text: str, analyser: Analyser) -> Phrase:
    """The terms of a phrase, function words and second readings left out."""
    return tuple(analyser.plain(text))
