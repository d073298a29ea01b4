"""Signal types with their families, verb forms and parties."""

from dataclasses import dataclass
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

PartyRole = Literal[
    "acquirer", "target", "seller", "buyer", "partner", "company", "business", "recipient", "investor",
    "issuer", "employer", "person", "developer", "product", "awarder", "award", "list", "vendor",
    "client", "place", "plaintiff", "defendant", "issue", "authority", "auditor", "technology",
    "counterparty", "attacker",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SignalKind:
    """One type: its family, the verb put between the parties, and what the parties are.

    `verb` is third person singular ("acquires"). `actor` is who the sentence is about; `other` is the
    second party, None where there is one party only. `mutual` parties may be swapped. Where a side is not
    named, a title says `alone` of the actor, `passive` of the other side, and `unsure` of a company whose
    side is not known.
    """

    family: SignalFamily
    verb: str
    actor: PartyRole
    other: PartyRole | None = None
    mutual: bool = False
    alone: str = ""
    passive: str = ""
    unsure: str = ""

    @property
    def two_party(self) -> bool:
        """Whether the type speaks of two parties."""
        return self.other is not None


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
    RECEIVES_FINANCING = "receives_financing", SignalKind(_F.FUNDING, "receives financing from", "recipient",
        "investor", alone="receives financing", passive="provides financing",
        unsure="takes part in a financing")
    GOES_PUBLIC = "goes_public", SignalKind(_F.FUNDING, "goes public", "issuer")
    GOES_PRIVATE = "goes_private", SignalKind(_F.MATERIAL_CHANGES, "leaves the stock exchange", "issuer")
    INVESTS_INTO = "invests_into", SignalKind(_F.FUNDING, "invests into", "investor", "recipient",
        alone="makes an investment", passive="receives an investment", unsure="takes part in an investment")
    EARNINGS_RELEASED = "earnings_released", SignalKind(_F.FUNDING, "releases earnings", "company")
    REPAYS_DEBT = "repays_debt", SignalKind(_F.FUNDING, "repays debt", "company")
    ACQUIRES = "acquires", SignalKind(_F.MATERIAL_CHANGES, "acquires", "acquirer", "target",
        alone="makes an acquisition", passive="is acquired", unsure="takes part in an acquisition")
    MERGES_WITH = "merges_with", SignalKind(_F.MATERIAL_CHANGES, "merges with", "partner", "partner",
        mutual=True, alone="enters into a merger")
    SELLS_ASSETS_TO = "sells_assets_to", SignalKind(_F.MATERIAL_CHANGES, "sells assets to", "seller", "buyer",
        alone="sells assets", passive="buys assets", unsure="takes part in a sale of assets")
    SPINS_OFF = "spins_off", SignalKind(_F.MATERIAL_CHANGES, "spins off", "company", "business",
        alone="spins off a business")
    DIVESTS = "divests", SignalKind(_F.MATERIAL_CHANGES, "divests", "seller", "business",
        alone="divests a business")
    REBRANDS = "rebrands", SignalKind(_F.MATERIAL_CHANGES, "rebrands", "company")
    MATERIAL_AGREEMENT = "material_agreement", SignalKind(_F.MATERIAL_CHANGES,
        "enters into a material agreement with", "company", "counterparty", mutual=True,
        alone="enters into a material agreement")
    BANKRUPTCY = "bankruptcy", SignalKind(_F.MATERIAL_CHANGES, "files for bankruptcy", "company")
    ACCOUNTANT_CHANGE = "accountant_change", SignalKind(_F.MATERIAL_CHANGES, "changes its accountant to",
        "company", "auditor", alone="changes its accountant")
    RESTATES = "restates", SignalKind(_F.MATERIAL_CHANGES, "restates its accounts", "company")
    GUIDANCE_CHANGED = "guidance_changed", SignalKind(_F.MATERIAL_CHANGES, "changes its guidance", "company")
    BUYS_BACK_SHARES = "buys_back_shares", SignalKind(_F.MATERIAL_CHANGES, "authorizes a share buyback",
        "company")
    HIRES = "hires", SignalKind(_F.LEADERSHIP_MOVES, "hires", "employer", "person", alone="makes a hire")
    PROMOTES = "promotes", SignalKind(_F.LEADERSHIP_MOVES, "promotes", "employer", "person",
        alone="makes a promotion")
    LEAVES = "leaves", SignalKind(_F.LEADERSHIP_MOVES, "leaves", "person", "employer",
        passive="loses an executive")
    RETIRES_FROM = "retires_from", SignalKind(_F.LEADERSHIP_MOVES, "retires from", "person", "employer",
        passive="has an executive retire")
    BOARD_CHANGE = "board_change", SignalKind(_F.LEADERSHIP_MOVES, "changes its board:", "company", "person",
        alone="changes its board")
    LAUNCHES = "launches", SignalKind(_F.PRODUCT_LAUNCHES, "launches", "company", "product",
        alone="launches a product")
    IS_DEVELOPING = "is_developing", SignalKind(_F.PRODUCT_LAUNCHES, "is developing", "developer", "product",
        alone="is developing a product")
    INTEGRATES_WITH = "integrates_with", SignalKind(_F.PRODUCT_LAUNCHES, "integrates with", "company",
        "partner", mutual=True, alone="adds an integration")
    RECEIVES_AWARD = "receives_award", SignalKind(_F.PRODUCT_LAUNCHES, "receives an award from", "recipient",
        "awarder", alone="receives an award")
    RECOGNIZED_AS = "recognized_as", SignalKind(_F.PRODUCT_LAUNCHES, "is recognized by", "recipient",
        "awarder", alone="is recognized")
    RECEIVES_APPROVAL = "receives_approval", SignalKind(_F.PRODUCT_LAUNCHES, "receives approval from",
        "company", "authority", alone="receives a regulatory approval")
    IS_CERTIFIED = "is_certified", SignalKind(_F.PRODUCT_LAUNCHES, "is certified", "company")
    HIRING_SURGE = "hiring_surge", SignalKind(_F.HIRING_TRENDS, "hires many more", "employer")
    HIRING_SLOWDOWN = "hiring_slowdown", SignalKind(_F.HIRING_TRENDS, "hires fewer", "employer")
    SENIOR_ROLE_OPENED = "senior_role_opened", SignalKind(_F.HIRING_TRENDS, "opens a senior role", "employer")
    HEADCOUNT_INCREASE = "headcount_increase", SignalKind(_F.HIRING_TRENDS, "increases headcount", "employer")
    HEADCOUNT_DECREASE = "headcount_decrease", SignalKind(_F.HIRING_TRENDS, "decreases headcount", "employer")
    LAYOFFS = "layoffs", SignalKind(_F.HIRING_TRENDS, "lays off staff", "employer")
    TECHNOLOGY_ADDED = "technology_added", SignalKind(_F.TECHNOLOGY_MENTIONS, "starts to use", "company",
        "technology", alone="starts to use a technology")
    TECHNOLOGY_REMOVED = "technology_removed", SignalKind(_F.TECHNOLOGY_MENTIONS, "stops using", "company",
        "technology", alone="stops using a technology")
    TECHNOLOGY_MENTIONED_IN_JOB = "technology_mentioned_in_job", SignalKind(_F.TECHNOLOGY_MENTIONS,
        "names in a posting", "company", "technology", alone="names a technology in a posting")
    PARTNERS_WITH = "partners_with", SignalKind(_F.STRATEGIC_SHIFTS, "partners with", "partner", "partner",
        mutual=True, alone="enters into a partnership")
    SIGNS_NEW_CLIENT = "signs_new_client", SignalKind(_F.STRATEGIC_SHIFTS, "signs new client", "vendor",
        "client", alone="signs a new client", passive="signs with a vendor",
        unsure="takes part in a client contract")
    EXPANDS_TO = "expands_to", SignalKind(_F.STRATEGIC_SHIFTS, "expands to", "company", "place",
        alone="expands")
    OPENS_NEW_LOCATION = "opens_new_location", SignalKind(_F.STRATEGIC_SHIFTS, "opens a location in",
        "company", "place", alone="opens a location")
    CLOSES_OFFICES_IN = "closes_offices_in", SignalKind(_F.STRATEGIC_SHIFTS, "closes offices in", "company",
        "place", alone="closes a location")
    COST_CUTTING = "cost_cutting", SignalKind(_F.STRATEGIC_SHIFTS, "cuts costs", "company")
    DISCONTINUES = "discontinues", SignalKind(_F.STRATEGIC_SHIFTS, "discontinues", "company", "product",
        alone="discontinues a product")
    REVIEWS_ALTERNATIVES = "reviews_alternatives", SignalKind(_F.STRATEGIC_SHIFTS,
        "reviews strategic alternatives", "company")
    STRATEGIC_PRIORITY_STATED = "strategic_priority_stated", SignalKind(_F.STRATEGIC_SHIFTS,
        "states a priority", "company")
    FILES_SUIT_AGAINST = "files_suit_against", SignalKind(_F.RISK, "files suit against", "plaintiff",
        "defendant", alone="files suit", passive="is sued", unsure="is party to a lawsuit")
    SETTLES_WITH = "settles_with", SignalKind(_F.RISK, "settles with", "company", "counterparty", mutual=True,
        alone="settles a dispute")
    HAS_ISSUES_WITH = "has_issues_with", SignalKind(_F.RISK, "has issues with", "company", "issue",
        alone="has issues")
    SECURITY_INCIDENT = "security_incident", SignalKind(_F.RISK, "suffers a security incident", "company",
        "attacker", alone="suffers a security incident")
    REGULATORY_ACTION = "regulatory_action", SignalKind(_F.RISK, "faces action by", "company", "authority",
        alone="faces regulatory action")
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
