"""Made from openapi.json by clients/generate; do not edit."""

from sightline_client import waiting
from sightline_client.generated import async_resources, resources
from sightline_client.transport import AsyncTransport, Transport


class Resources:
    def __init__(self, transport: Transport) -> None:
        self.accounts = resources.Accounts(transport)
        self.agent = resources.Agent(transport)
        self.alerts = resources.Alerts(transport)
        self.audit_log = resources.AuditLog(transport)
        self.companies = resources.Companies(transport)
        self.contacts = resources.Contacts(transport)
        self.content = resources.Content(transport)
        self.custom_questions = resources.CustomQuestions(transport)
        self.events = resources.Events(transport)
        self.evidence = resources.Evidence(transport)
        self.health = resources.Health(transport)
        self.imports = resources.Imports(transport)
        self.integrations = resources.Integrations(transport)
        self.keys = resources.Keys(transport)
        self.lists = resources.Lists(transport)
        self.operations = waiting.Operations(transport)
        self.organization = resources.Organization(transport)
        self.ready = resources.Ready(transport)
        self.seller_context = resources.SellerContext(transport)
        self.suppressions = resources.Suppressions(transport)
        self.territories = resources.Territories(transport)
        self.usage = resources.Usage(transport)
        self.users = resources.Users(transport)
        self.watches = resources.Watches(transport)
        self.webhooks = resources.Webhooks(transport)


class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
        self.accounts = async_resources.AsyncAccounts(transport)
        self.agent = async_resources.AsyncAgent(transport)
        self.alerts = async_resources.AsyncAlerts(transport)
        self.audit_log = async_resources.AsyncAuditLog(transport)
        self.companies = async_resources.AsyncCompanies(transport)
        self.contacts = async_resources.AsyncContacts(transport)
        self.content = async_resources.AsyncContent(transport)
        self.custom_questions = async_resources.AsyncCustomQuestions(transport)
        self.events = async_resources.AsyncEvents(transport)
        self.evidence = async_resources.AsyncEvidence(transport)
        self.health = async_resources.AsyncHealth(transport)
        self.imports = async_resources.AsyncImports(transport)
        self.integrations = async_resources.AsyncIntegrations(transport)
        self.keys = async_resources.AsyncKeys(transport)
        self.lists = async_resources.AsyncLists(transport)
        self.operations = waiting.AsyncOperations(transport)
        self.organization = async_resources.AsyncOrganization(transport)
        self.ready = async_resources.AsyncReady(transport)
        self.seller_context = async_resources.AsyncSellerContext(transport)
        self.suppressions = async_resources.AsyncSuppressions(transport)
        self.territories = async_resources.AsyncTerritories(transport)
        self.usage = async_resources.AsyncUsage(transport)
        self.users = async_resources.AsyncUsers(transport)
        self.watches = async_resources.AsyncWatches(transport)
        self.webhooks = async_resources.AsyncWebhooks(transport)
