"""THE TABLE: every operation of the API. Router, gate, OpenAPI and contract tests are made from it."""

from sightline.api.endpoint import Endpoint, PublicEndpoint
from sightline.api.resources import (
    accounts,
    administration,
    agent_sessions,
    companies,
    credits,
    enrichment,
    health,
    jobs,
    lists,
    operations,
    profile,
    relevance,
    seller_context,
    technologies,
    territories,
)

BASE_PATH = "/public-api/v1"
# The reference's chat sample uses this prefix; everything answers under it too.
ALIAS_PATH = "/v1"

PUBLIC_ENDPOINTS: tuple[PublicEndpoint, ...] = health.ENDPOINTS

ENDPOINTS: tuple[Endpoint, ...] = (
    *accounts.ENDPOINTS,
    *companies.ENDPOINTS,
    *profile.ENDPOINTS,
    *relevance.ENDPOINTS,
    *seller_context.ENDPOINTS,
    *jobs.ENDPOINTS,
    *technologies.ENDPOINTS,
    *enrichment.ENDPOINTS,
    *operations.ENDPOINTS,
    *credits.ENDPOINTS,
    *administration.ENDPOINTS,
    *lists.ENDPOINTS,
    *territories.ENDPOINTS,
    *agent_sessions.ENDPOINTS,
)
