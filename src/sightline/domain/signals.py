"""What can happen to a company: signal types, their families, verb forms and parties."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, get_args

from sightline.domain.tables import rows_of


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


_ROLES: Final[dict[str, PartyRole]] = {role: role for role in get_args(PartyRole)}


def _kinds() -> dict[SignalType, SignalKind]:
    return {
        SignalType(row["type"]): SignalKind(
            SignalFamily(row["family"]),
            row["verb"],
            _ROLES[row["actor"]],
            _ROLES[row["other"]] if row["other"] else None,
            mutual=row["mutual"] == "yes",
            alone=row["alone"],
            passive=row["passive"],
            unsure=row["unsure"],
        )
        for row in rows_of("signal_types.tsv")
    }


KINDS: Final = _kinds()
"""THE TABLE of signal types, `data/signal_types.tsv`; holds every `SignalType`."""


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
