"""THE LIST of contact providers."""

from typing import Final

from sightline.enrich.contact_providers.contract import Provider
from sightline.enrich.contact_providers.hunter import HUNTER
from sightline.enrich.contact_providers.people_data_labs import PEOPLE_DATA_LABS

CONTACT_PROVIDERS: Final[dict[str, Provider]] = {
    each.name: each for each in (PEOPLE_DATA_LABS, HUNTER)
}
