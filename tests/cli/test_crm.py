"""`crm`: what is chosen is kept, a run is asked for once, and what is wrong is said."""

from tests.cli.conftest import Shell


def test_settings_are_chosen_and_shown(sightline: Shell) -> None:
    shown = sightline("crm", "fields", "--json").json
    assert shown["writes"] is False
    assert {"kind": "accounts", "property": "domain", "field": "website", "direction": "both",
            "rule": "newest"} in shown["mapping"]  # fmt: skip
    sightline("crm", "map", "tier__c", "sector", "--direction", "out", "--rule", "ours")
    sightline("crm", "map", "zip", "")
    words = ("--writes", "--notes", "both", "--every-hours", "6")
    assert sightline("crm", "set", *words, "--accounts", "lifecyclestage eq customer").code == 0
    shown = sightline("crm", "fields", "--json").json
    rows = {row["property"]: row for row in shown["mapping"] if row["kind"] == "accounts"}
    assert (rows["tier__c"]["field"], rows["tier__c"]["direction"]) == ("sector", "out")
    assert "zip" not in rows
    assert (shown["writes"], shown["notes"], shown["every_hours"]) == (
        True,
        ["brief", "signals"],
        6,
    )
    assert shown["filters"]["accounts"] == [
        {"property": "lifecyclestage", "operator": "EQ", "value": "customer"}
    ]
    table = sightline("crm", "fields")
    assert "tier__c" in table.out


def test_what_cannot_be_mapped_is_said(sightline: Shell) -> None:
    sightline("crm", "map", "tier__c", "mood").says(1, "'mood' is not a field of accounts")
    sightline("crm", "map", "tier__c", "sector").says(1, "can only be written")
    sightline("crm", "set", "--contacts", "email").says(1, "PROPERTY OPERATOR VALUE")


def test_runs_are_asked_for_one_at_a_time(sightline: Shell) -> None:
    sightline("crm", "sync").says(1, "Connect it first")
    sightline.rows(
        "INSERT INTO integrations (organization_id, integration_id, enabled, secret)"
        " SELECT organization_id, 'hubspot', true, '\\x00' FROM organizations WHERE slug = 'default'"
    )
    run = sightline("crm", "sync", "--dry-run")
    assert run.code == 0
    sightline("crm", "sync").says(1, "A run is already in progress")
    (row,) = sightline("crm", "runs", "--json").json
    assert (row["id"], row["state"], row["dry_run"]) == (run.out.strip(), "queued", True)
    assert sightline("crm", "log", row["id"], "--json").json == []
    assert sightline("crm", "disconnect").code == 0
    (row,) = sightline("crm", "runs", "--json").json
    assert (row["state"], row["error"]) == ("failed", "It was disconnected.")


def test_oauth_begins_at_hubspot(sightline: Shell) -> None:
    out = sightline("crm", "connect", "--client-id", "our-app").out
    assert "https://app.hubspot.com/oauth/authorize?client_id=our-app" in out


def test_salesforce_is_connected_by_an_app_at_its_own_site(sightline: Shell) -> None:
    words = ("crm", "connect", "--provider", "salesforce")
    refused = sightline(*words, input="a token\n")
    assert refused.code == 1
    assert "through your own app: use --client-id" in refused.err
    out = sightline(*words, "--client-id", "our-app", "--site", "https://test.salesforce.com").out
    assert "https://test.salesforce.com/services/oauth2/authorize?response_type=code" in out
    for site in (
        "https://salesforce.com.evil.example",
        "http://login.salesforce.com",
        "https://a@b",
    ):
        sightline(*words, "--client-id", "our-app", "--site", site).says(1, "not a Salesforce URL")


def test_a_preview_needs_a_connection(sightline: Shell) -> None:
    sightline("crm", "fields", "--preview").says(1, "not connected")
