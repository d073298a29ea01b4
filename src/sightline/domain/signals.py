"""Signal types with their families, verb forms and parties."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, Literal, Self


class SignalFamily(StrEnum):
    """The eight groups that watches and relevance speak of."""

    MATERIAL_CHANGES = "material_changes"
    LEADERSHIP_MOVES = "leadership_moves"
    FUNDING = "funding"
    PRODUCT_LAUNCHES = "product_launches"
    HIRING_TRENDS = "hiring_trends"
    TECHNOLOGY_MENTIONS = "technology_mentions"
    STRATEGIC_SHIFTS = "strategic_shifts"
    RISK = "risk"


Realis = Literal["happened", "ongoing", "planned", "possible", "denied"]
"""Whether an event is done, under way, announced, only thinkable, or said not to be."""

Precision = Literal["day", "month", "year", "reported"]
"""What the day of an event is: that day, the first of its month or year, or only when it was reported."""


def dated(day: date, precision: Precision) -> str:
    """What is known of a day: "2025-03-05", "2025-03", "2025", or "reported 2025-03-05"."""
    if precision == "reported":
        return f"reported {day}"
    length = {"day": 10, "month": 7, "year": 4}[precision]
    return day.isoformat()[:length]


PartyRole = Literal[
    "acquirer", "target", "seller", "buyer", "partner", "company", "business", "recipient", "investor",
    "issuer", "employer", "person", "developer", "product", "awarder", "award", "list", "vendor",
    "client", "place", "plaintiff", "defendant", "issue", "authority", "auditor", "technology",
    "counterparty", "attacker",
]  # fmt: skip


_COMPANIES: Final = ("investor", "recipient", "target", "buyer", "client", "defendant")


@dataclass(frozen=True, slots=True)
class SignalKind:
    """One type: its family, the verb put between the parties, and what the parties are.

    `verb` is third person singular ("acquires"). `actor` is who the sentence is about; `other` is the
    second party, None where there is one party only. `mutual` parties may be swapped.
    """

    family: SignalFamily
    verb: str
    actor: PartyRole
    other: PartyRole | None = None
    mutual: bool = False

    @property
    def two_party(self) -> bool:
        """Whether the type speaks of two parties."""
        return self.other is not None

    @property
    def has_sides(self) -> bool:
        """Whether both parties are companies, of which one must not be taken for the other."""
        return self.other in _COMPANIES and not self.mutual


_F = SignalFamily


class SignalType(StrEnum):
    """THE TABLE of signal types: what happened, as a verb between two parties where there are two."""

    kind: SignalKind

    def __new__(cls, name: str, kind: SignalKind | None = None) -> Self:
        assert kind is not None, name
        made = str.__new__(cls, name)
        made._value_ = name
        made.kind = kind
        return made

    # fmt: off
    RECEIVES_FINANCING = "receives_financing", SignalKind(_F.FUNDING, "receives financing from",
        "recipient", "investor")
    GOES_PUBLIC = "goes_public", SignalKind(_F.FUNDING, "goes public", "issuer")
    GOES_PRIVATE = "goes_private", SignalKind(_F.MATERIAL_CHANGES, "leaves the stock exchange", "issuer")
    INVESTS_INTO = "invests_into", SignalKind(_F.FUNDING, "invests into", "investor", "recipient")
    EARNINGS_RELEASED = "earnings_released", SignalKind(_F.FUNDING, "releases earnings", "company")
    PAYS_DIVIDEND = "pays_dividend", SignalKind(_F.FUNDING, "declares a dividend", "company")
    REPAYS_DEBT = "repays_debt", SignalKind(_F.FUNDING, "repays debt", "company")
    ACQUIRES = "acquires", SignalKind(_F.MATERIAL_CHANGES, "acquires", "acquirer", "target")
    MERGES_WITH = "merges_with", SignalKind(_F.MATERIAL_CHANGES, "merges with", "partner", "partner",
        mutual=True)
    SELLS_ASSETS_TO = "sells_assets_to", SignalKind(_F.MATERIAL_CHANGES, "sells assets to", "seller", "buyer")
    SPINS_OFF = "spins_off", SignalKind(_F.MATERIAL_CHANGES, "spins off", "company", "business")
    DIVESTS = "divests", SignalKind(_F.MATERIAL_CHANGES, "divests", "seller", "business")
    REBRANDS = "rebrands", SignalKind(_F.MATERIAL_CHANGES, "rebrands", "company")
    MATERIAL_AGREEMENT = "material_agreement", SignalKind(_F.MATERIAL_CHANGES,
        "enters into a material agreement with", "company", "counterparty", mutual=True)
    ENDS_AGREEMENT = "ends_agreement", SignalKind(_F.MATERIAL_CHANGES, "ends an agreement with", "company",
        "counterparty", mutual=True)
    BANKRUPTCY = "bankruptcy", SignalKind(_F.MATERIAL_CHANGES, "files for bankruptcy", "company")
    ACCOUNTANT_CHANGE = "accountant_change", SignalKind(_F.MATERIAL_CHANGES, "changes its accountant to",
        "company", "auditor")
    RESTATES = "restates", SignalKind(_F.MATERIAL_CHANGES, "restates its accounts", "company")
    WRITES_DOWN = "writes_down", SignalKind(_F.MATERIAL_CHANGES, "writes down the value of assets", "company")
    GUIDANCE_CHANGED = "guidance_changed", SignalKind(_F.MATERIAL_CHANGES, "changes its guidance", "company")
    BUYS_BACK_SHARES = "buys_back_shares", SignalKind(_F.MATERIAL_CHANGES, "authorizes a share buyback",
        "company")
    OTHER_EVENT = "other_event", SignalKind(_F.MATERIAL_CHANGES, "reports another event", "company")
    HIRES = "hires", SignalKind(_F.LEADERSHIP_MOVES, "hires", "employer", "person")
    PROMOTES = "promotes", SignalKind(_F.LEADERSHIP_MOVES, "promotes", "employer", "person")
    LEAVES = "leaves", SignalKind(_F.LEADERSHIP_MOVES, "leaves", "person", "employer")
    RETIRES_FROM = "retires_from", SignalKind(_F.LEADERSHIP_MOVES, "retires from", "person", "employer")
    BOARD_CHANGE = "board_change", SignalKind(_F.LEADERSHIP_MOVES, "changes its board:", "company", "person")
    LAUNCHES = "launches", SignalKind(_F.PRODUCT_LAUNCHES, "launches", "company", "product")
    IS_DEVELOPING = "is_developing", SignalKind(_F.PRODUCT_LAUNCHES, "is developing", "developer", "product")
    INTEGRATES_WITH = "integrates_with", SignalKind(_F.PRODUCT_LAUNCHES, "integrates with", "company",
        "partner", mutual=True)
    RECEIVES_AWARD = "receives_award", SignalKind(_F.PRODUCT_LAUNCHES, "receives an award from",
        "recipient", "awarder")
    RECOGNIZED_AS = "recognized_as", SignalKind(_F.PRODUCT_LAUNCHES, "is recognized by", "recipient",
        "awarder")
    RECEIVES_APPROVAL = "receives_approval", SignalKind(_F.PRODUCT_LAUNCHES, "receives approval from",
        "company", "authority")
    IS_CERTIFIED = "is_certified", SignalKind(_F.PRODUCT_LAUNCHES, "is certified", "company")
    HIRING_SURGE = "hiring_surge", SignalKind(_F.HIRING_TRENDS, "hires many more", "employer")
    HIRING_SLOWDOWN = "hiring_slowdown", SignalKind(_F.HIRING_TRENDS, "hires fewer", "employer")
    SENIOR_ROLE_OPENED = "senior_role_opened", SignalKind(_F.HIRING_TRENDS, "opens a senior role", "employer")
    HEADCOUNT_INCREASE = "headcount_increase", SignalKind(_F.HIRING_TRENDS, "increases headcount", "employer")
    HEADCOUNT_DECREASE = "headcount_decrease", SignalKind(_F.HIRING_TRENDS, "decreases headcount", "employer")
    LAYOFFS = "layoffs", SignalKind(_F.HIRING_TRENDS, "lays off staff", "employer")
    TECHNOLOGY_ADDED = "technology_added", SignalKind(_F.TECHNOLOGY_MENTIONS, "starts to use", "company",
        "technology")
    TECHNOLOGY_REMOVED = "technology_removed", SignalKind(_F.TECHNOLOGY_MENTIONS, "stops using", "company",
        "technology")
    TECHNOLOGY_MENTIONED_IN_JOB = "technology_mentioned_in_job", SignalKind(_F.TECHNOLOGY_MENTIONS,
        "names in a posting", "company", "technology")
    PARTNERS_WITH = "partners_with", SignalKind(_F.STRATEGIC_SHIFTS, "partners with", "partner", "partner",
        mutual=True)
    SIGNS_NEW_CLIENT = "signs_new_client", SignalKind(_F.STRATEGIC_SHIFTS, "signs new client", "vendor",
        "client")
    EXPANDS_TO = "expands_to", SignalKind(_F.STRATEGIC_SHIFTS, "expands to", "company", "place")
    OPENS_NEW_LOCATION = "opens_new_location", SignalKind(_F.STRATEGIC_SHIFTS, "opens a location in",
        "company", "place")
    CLOSES_OFFICES_IN = "closes_offices_in", SignalKind(_F.STRATEGIC_SHIFTS, "closes a location in",
        "company", "place")
    COST_CUTTING = "cost_cutting", SignalKind(_F.STRATEGIC_SHIFTS, "cuts costs", "company")
    DISCONTINUES = "discontinues", SignalKind(_F.STRATEGIC_SHIFTS, "discontinues", "company", "product")
    CHANGES_PRICES = "changes_prices", SignalKind(_F.STRATEGIC_SHIFTS, "changes its prices", "company")
    REVIEWS_ALTERNATIVES = "reviews_alternatives", SignalKind(_F.STRATEGIC_SHIFTS,
        "reviews strategic alternatives", "company")
    STRATEGIC_PRIORITY_STATED = "strategic_priority_stated", SignalKind(_F.STRATEGIC_SHIFTS,
        "states a priority", "company")
    FILES_SUIT_AGAINST = "files_suit_against", SignalKind(_F.RISK, "files suit against", "plaintiff",
        "defendant")
    SETTLES_WITH = "settles_with", SignalKind(_F.RISK, "settles with", "company", "counterparty", mutual=True)
    HAS_ISSUES_WITH = "has_issues_with", SignalKind(_F.RISK, "has issues with", "company", "issue")
    RECALLS = "recalls", SignalKind(_F.RISK, "recalls", "company", "product")
    DEFAULTS = "defaults", SignalKind(_F.RISK, "defaults on its debt", "company")
    CONTROL_WEAKNESS = "control_weakness", SignalKind(_F.RISK, "reports a weakness in its controls",
        "company")
    SECURITY_INCIDENT = "security_incident", SignalKind(_F.RISK, "suffers a security incident", "company",
        "attacker")
    REGULATORY_ACTION = "regulatory_action", SignalKind(_F.RISK, "faces action by", "company", "authority")
    NEW_RISK_FACTOR = "new_risk_factor", SignalKind(_F.RISK, "states a new risk", "company")
    # fmt: on


KINDS: Final = {each: each.kind for each in SignalType}


# What only statistics, registers or two versions of a document can say; no sentence is read as these.
NOT_IN_SENTENCES: Final = frozenset(
    {
        SignalType.HIRING_SURGE,
        SignalType.HIRING_SLOWDOWN,
        SignalType.SENIOR_ROLE_OPENED,
        SignalType.TECHNOLOGY_MENTIONED_IN_JOB,
        SignalType.NEW_RISK_FACTOR,
    }
)


def family_of(type: SignalType) -> SignalFamily:
    """The family that a type belongs to."""
    return KINDS[type].family
