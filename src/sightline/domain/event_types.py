"""Events of the monitoring timeline: signals by type and family, and data changes."""

from typing import Final

from sightline.domain.signals import KINDS, SignalFamily

# Events that are no signals.
DATA_EVENTS: Final = ("field_changed", "profile_section_refreshed", "entered_list", "left_list")
FAMILIES: Final = tuple(dict.fromkeys(str(kind.family) for kind in KINDS.values()))
TYPES: Final = (*(str(name) for name in KINDS), *DATA_EVENTS)
# Types of events that are about a position, which has a seniority.
POSITION_TYPES: Final = (
    *(str(name) for name, kind in KINDS.items() if kind.family is SignalFamily.LEADERSHIP_MOVES),
    "senior_role_opened",
)
# Kinds of source that an event may come from; `insight` is the product itself.
SOURCE_KINDS: Final = ("insight", "filing", "news", "web", "job", "technology")
