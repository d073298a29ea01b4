"""Territory scores: how the company scores in each territory of the organization that has it."""

from collections.abc import Mapping, Sequence

from sightline.profile.contract import SectionBody, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.seller import Seller


def build(
    evidence: Evidence, built: Mapping[str, SectionBody], seller: Seller
) -> Sequence[Statement]:
    del evidence, built
    return [
        {
            "territory_id": territory.territory_id,
            "name": territory.name,
            "score": territory.score,
            "why": territory.why,
            "sources": (),
        }
        for territory in seller.territories
    ]
