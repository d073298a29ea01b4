"""What the monitoring timeline tells: signals by type and family, and changes of data."""

from typing import Final

from sightline.domain.signals import KINDS

# Events that are no signals.
DATA_EVENTS: Final = ("field_changed", "profile_section_refreshed", "entered_list", "left_list")
FAMILIES: Final = tuple(dict.fromkeys(str(kind.family) for kind in KINDS.values()))
TYPES: Final = (*(str(name) for name in KINDS), *DATA_EVENTS)
# Kinds of source that an event may come from; `insight` is the product itself.
SOURCE_KINDS: Final = ("insight", "filing", "news", "web", "job", "technology")
