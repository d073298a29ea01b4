"""What can happen to a company: signal types, their families, verb forms and parties."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal


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


class SignalType(StrEnum):
    """What happened, as a verb between two parties where there are two."""

    RECEIVES_FINANCING = "receives_financing"
    GOES_PUBLIC = "goes_public"
    INVESTS_INTO = "invests_into"
    EARNINGS_RELEASED = "earnings_released"
    ACQUIRES = "acquires"
    MERGES_WITH = "merges_with"
    SELLS_ASSETS_TO = "sells_assets_to"
    SPINS_OFF = "spins_off"
    DIVESTS = "divests"
    REBRANDS = "rebrands"
    MATERIAL_AGREEMENT = "material_agreement"
    BANKRUPTCY = "bankruptcy"
    ACCOUNTANT_CHANGE = "accountant_change"
    RESTATES = "restates"
    HIRES = "hires"
    PROMOTES = "promotes"
    LEAVES = "leaves"
    RETIRES_FROM = "retires_from"
    BOARD_CHANGE = "board_change"
    LAUNCHES = "launches"
    IS_DEVELOPING = "is_developing"
    INTEGRATES_WITH = "integrates_with"
    RECEIVES_AWARD = "receives_award"
    RECOGNIZED_AS = "recognized_as"
    HIRING_SURGE = "hiring_surge"
    HIRING_SLOWDOWN = "hiring_slowdown"
    SENIOR_ROLE_OPENED = "senior_role_opened"
    HEADCOUNT_INCREASE = "headcount_increase"
    HEADCOUNT_DECREASE = "headcount_decrease"
    LAYOFFS = "layoffs"
    TECHNOLOGY_ADDED = "technology_added"
    TECHNOLOGY_REMOVED = "technology_removed"
    TECHNOLOGY_MENTIONED_IN_JOB = "technology_mentioned_in_job"
    PARTNERS_WITH = "partners_with"
    SIGNS_NEW_CLIENT = "signs_new_client"
    EXPANDS_TO = "expands_to"
    OPENS_NEW_LOCATION = "opens_new_location"
    CLOSES_OFFICES_IN = "closes_offices_in"
    COST_CUTTING = "cost_cutting"
    STRATEGIC_PRIORITY_STATED = "strategic_priority_stated"
    FILES_SUIT_AGAINST = "files_suit_against"
    HAS_ISSUES_WITH = "has_issues_with"
    SECURITY_INCIDENT = "security_incident"
    REGULATORY_ACTION = "regulatory_action"
    NEW_RISK_FACTOR = "new_risk_factor"


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


_M = SignalFamily.MATERIAL_CHANGES
_L = SignalFamily.LEADERSHIP_MOVES
_F = SignalFamily.FUNDING
_P = SignalFamily.PRODUCT_LAUNCHES
_H = SignalFamily.HIRING_TRENDS
_T = SignalFamily.TECHNOLOGY_MENTIONS
_S = SignalFamily.STRATEGIC_SHIFTS
_R = SignalFamily.RISK

KINDS: Final[dict[SignalType, SignalKind]] = {
    SignalType.RECEIVES_FINANCING: SignalKind(
        _F,
        "receives financing from",
        "recipient",
        "investor",
        alone="receives financing",
        passive="provides financing",
        unsure="takes part in a financing",
    ),
    SignalType.GOES_PUBLIC: SignalKind(_F, "goes public", "issuer"),
    SignalType.INVESTS_INTO: SignalKind(
        _F,
        "invests into",
        "investor",
        "recipient",
        alone="makes an investment",
        passive="receives an investment",
        unsure="takes part in an investment",
    ),
    SignalType.EARNINGS_RELEASED: SignalKind(_F, "releases earnings", "company"),
    SignalType.ACQUIRES: SignalKind(
        _M,
        "acquires",
        "acquirer",
        "target",
        alone="makes an acquisition",
        passive="is acquired",
        unsure="takes part in an acquisition",
    ),
    SignalType.MERGES_WITH: SignalKind(
        _M, "merges with", "partner", "partner", mutual=True, alone="enters into a merger"
    ),
    SignalType.SELLS_ASSETS_TO: SignalKind(
        _M,
        "sells assets to",
        "seller",
        "buyer",
        alone="sells assets",
        passive="buys assets",
        unsure="takes part in a sale of assets",
    ),
    SignalType.SPINS_OFF: SignalKind(
        _M, "spins off", "company", "business", alone="spins off a business"
    ),
    SignalType.DIVESTS: SignalKind(_M, "divests", "seller", "business", alone="divests a business"),
    SignalType.REBRANDS: SignalKind(_M, "rebrands", "company"),
    SignalType.MATERIAL_AGREEMENT: SignalKind(
        _M,
        "enters into a material agreement with",
        "company",
        "counterparty",
        mutual=True,
        alone="enters into a material agreement",
    ),
    SignalType.BANKRUPTCY: SignalKind(_M, "files for bankruptcy", "company"),
    SignalType.ACCOUNTANT_CHANGE: SignalKind(
        _M, "changes its accountant to", "company", "auditor", alone="changes its accountant"
    ),
    SignalType.RESTATES: SignalKind(_M, "restates its accounts", "company"),
    SignalType.HIRES: SignalKind(_L, "hires", "employer", "person", alone="makes a hire"),
    SignalType.PROMOTES: SignalKind(
        _L, "promotes", "employer", "person", alone="makes a promotion"
    ),
    SignalType.LEAVES: SignalKind(_L, "leaves", "person", "employer", passive="loses an executive"),
    SignalType.RETIRES_FROM: SignalKind(
        _L, "retires from", "person", "employer", passive="has an executive retire"
    ),
    SignalType.BOARD_CHANGE: SignalKind(
        _L, "changes its board:", "company", "person", alone="changes its board"
    ),
    SignalType.LAUNCHES: SignalKind(
        _P, "launches", "company", "product", alone="launches a product"
    ),
    SignalType.IS_DEVELOPING: SignalKind(
        _P, "is developing", "developer", "product", alone="is developing a product"
    ),
    SignalType.INTEGRATES_WITH: SignalKind(
        _P, "integrates with", "company", "partner", mutual=True, alone="adds an integration"
    ),
    SignalType.RECEIVES_AWARD: SignalKind(
        _P, "receives an award from", "recipient", "awarder", alone="receives an award"
    ),
    SignalType.RECOGNIZED_AS: SignalKind(
        _P, "is recognized by", "recipient", "awarder", alone="is recognized"
    ),
    SignalType.HIRING_SURGE: SignalKind(_H, "hires many more", "employer"),
    SignalType.HIRING_SLOWDOWN: SignalKind(_H, "hires fewer", "employer"),
    SignalType.SENIOR_ROLE_OPENED: SignalKind(_H, "opens a senior role", "employer"),
    SignalType.HEADCOUNT_INCREASE: SignalKind(_H, "increases headcount", "employer"),
    SignalType.HEADCOUNT_DECREASE: SignalKind(_H, "decreases headcount", "employer"),
    SignalType.LAYOFFS: SignalKind(_H, "lays off staff", "employer"),
    SignalType.TECHNOLOGY_ADDED: SignalKind(
        _T, "starts to use", "company", "technology", alone="starts to use a technology"
    ),
    SignalType.TECHNOLOGY_REMOVED: SignalKind(
        _T, "stops using", "company", "technology", alone="stops using a technology"
    ),
    SignalType.TECHNOLOGY_MENTIONED_IN_JOB: SignalKind(
        _T, "names in a posting", "company", "technology", alone="names a technology in a posting"
    ),
    SignalType.PARTNERS_WITH: SignalKind(
        _S, "partners with", "partner", "partner", mutual=True, alone="enters into a partnership"
    ),
    SignalType.SIGNS_NEW_CLIENT: SignalKind(
        _S,
        "signs new client",
        "vendor",
        "client",
        alone="signs a new client",
        passive="signs with a vendor",
        unsure="takes part in a client contract",
    ),
    SignalType.EXPANDS_TO: SignalKind(_S, "expands to", "company", "place", alone="expands"),
    SignalType.OPENS_NEW_LOCATION: SignalKind(
        _S, "opens a location in", "company", "place", alone="opens a location"
    ),
    SignalType.CLOSES_OFFICES_IN: SignalKind(
        _S, "closes offices in", "company", "place", alone="closes a location"
    ),
    SignalType.COST_CUTTING: SignalKind(_S, "cuts costs", "company"),
    SignalType.STRATEGIC_PRIORITY_STATED: SignalKind(_S, "states a priority", "company"),
    SignalType.FILES_SUIT_AGAINST: SignalKind(
        _R,
        "files suit against",
        "plaintiff",
        "defendant",
        alone="files suit",
        passive="is sued",
        unsure="is party to a lawsuit",
    ),
    SignalType.HAS_ISSUES_WITH: SignalKind(
        _R, "has issues with", "company", "issue", alone="has issues"
    ),
    SignalType.SECURITY_INCIDENT: SignalKind(
        _R,
        "suffers a security incident",
        "company",
        "attacker",
        alone="suffers a security incident",
    ),
    SignalType.REGULATORY_ACTION: SignalKind(
        _R, "faces action by", "company", "authority", alone="faces regulatory action"
    ),
    SignalType.NEW_RISK_FACTOR: SignalKind(_R, "states a new risk", "company"),
}
"""THE TABLE of signal types; holds every `SignalType`."""


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
