"""THE TABLE: every operation of the API. Router, gate, OpenAPI and contract tests are made from it."""

from sightline.api.endpoint import Endpoint, PublicEndpoint
from sightline.api.resources import (
    account_notes,
    account_records,
    accounts,
    administration,
    agent_sessions,
    alerts,
    api_keys,
    assistant,
    brief,
    companies,
    contact_intake,
    contacts,
    content,
    credits,
    enrichment,
    events,
    evidence,
    exports,
    health,
    imports,
    integrations,
    jobs,
    lists,
    matching,
    operations,
    profile,
    relevance,
    seller_context,
    session_messages,
    suppressions,
    technologies,
    territories,
    watches,
    webhooks,
)

BASE_PATH = "/public-api/v1"
# The reference's chat sample uses this prefix; everything answers under it too.
ALIAS_PATH = "/v1"

PUBLIC_ENDPOINTS: tuple[PublicEndpoint, ...] = health.ENDPOINTS

ENDPOINTS: tuple[Endpoint, ...] = (
    *accounts.ENDPOINTS,
    *matching.ENDPOINTS,  # before the paths that take any id in its place
    *companies.ENDPOINTS,
    *brief.ENDPOINTS,
    *profile.ENDPOINTS,
    *relevance.ENDPOINTS,
    *evidence.ENDPOINTS,
    *seller_context.ENDPOINTS,
    *jobs.ENDPOINTS,
    *technologies.ENDPOINTS,
    *enrichment.ENDPOINTS,
    *operations.ENDPOINTS,
    *credits.ENDPOINTS,
    *administration.ENDPOINTS,
    *api_keys.ENDPOINTS,
    *lists.ENDPOINTS,
    *territories.ENDPOINTS,
    *agent_sessions.ENDPOINTS,
    *session_messages.ENDPOINTS,
    *assistant.ENDPOINTS,
    *events.ENDPOINTS,
    *content.ENDPOINTS,
    *integrations.ENDPOINTS,
    *watches.ENDPOINTS,
    *alerts.ENDPOINTS,
    *webhooks.ENDPOINTS,
    # Before the paths that an id could stand in.
    *exports.ENDPOINTS,
    *account_notes.ENDPOINTS,
    *account_records.ENDPOINTS,
    *imports.ENDPOINTS,
    *suppressions.ENDPOINTS,
    *contact_intake.ENDPOINTS,
    *contacts.ENDPOINTS,
)
