"""`contacts`: people from providers with your own key, and erasure; `suppressions`: the suppression list."""

import os
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

import typer

from sightline.cli.context import (
    DataDir,
    Organization,
    administer,
    administer_organization,
    record,
    secrets_of,
)
from sightline.cli.exits import USAGE, CommandFailed
from sightline.cli.output import AsJson, confirm, print_fields, print_json, print_result, print_rows

if TYPE_CHECKING:
    from sightline.domain.callers import OrganizationId
    from sightline.store.database import Connection, Database

app = typer.Typer(help="Find contacts through a provider; erase people.", no_args_is_help=True)
suppressions = typer.Typer(help="Manage the suppression list.", no_args_is_help=True)

# Spelled out: the parser needs it before anything is imported.
Provider = Literal["people_data_labs", "hunter"]
Email = Annotated[str | None, typer.Option("--email", help="Email address.")]
Phone = Annotated[str | None, typer.Option("--phone", help="Phone number with country code.")]
Profile = Annotated[str | None, typer.Option("--profile", help="URL of a profile page.")]
Name = Annotated[str | None, typer.Option("--name", help="Full name, together with --company.")]
Company = Annotated[str | None, typer.Option("--company", help="Name of the company.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]


@app.callback()
def main() -> None:
    """Find contacts through a provider; erase people."""


@app.command("connect")
def connect(
    provider: Provider,
    forget: Annotated[bool, typer.Option("--forget", help="Delete the stored key.")] = False,
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Store your key for a contact provider, encrypted. Following its terms of use is up to you.

    Prompts for the key, or takes it from SIGHTLINE_CONTACTS_KEY.
    """
    key = "" if forget else os.environ.get("SIGHTLINE_CONTACTS_KEY") or _ask("Key")

    async def work(connection: "Connection", organization_id: "OrganizationId") -> str:
        from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS
        from sightline.store.integrations import forget_secret, save_integration

        if forget:
            await forget_secret(connection, organization_id, provider)
        else:
            await save_integration(
                connection,
                organization_id,
                provider,
                settings=None,
                secret=secrets_of(data_dir).seal(key),
                enabled=True,
            )
        await record(connection, organization_id, "update", f"integration:{provider}")
        return CONTACT_PROVIDERS[provider].manifest.terms

    terms = administer_organization(org, work, data_dir=data_dir)
    print("Key deleted." if forget else f"Key saved. Terms of use: {terms}")


@app.command("find")
def find(
    company: Annotated[UUID, typer.Argument(help="Id of a company with a website.")],
    provider: Annotated[Provider, typer.Option("--provider", help="Provider to ask.")],
    most: Annotated[
        int, typer.Option("--max", min=1, max=100, help="Maximum number of people.")
    ] = 10,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the maximum cost without asking the provider.")
    ] = False,
    org: Organization = "default",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Ask a provider for people at a company and save them as contacts."""

    async def work(owner: "Database", application: "Database") -> dict[str, Any]:
        from sightline.enrich.contact_providers.contract import ProviderRefuses
        from sightline.enrich.contact_providers.find import ContactFinder
        from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS
        from sightline.store.organizations import find_organization

        organization_id = await find_organization(owner, org)
        finder = ContactFinder(application, organization_id, secrets_of(data_dir))
        chosen = CONTACT_PROVIDERS[provider]
        try:
            if dry_run:
                return await finder.price(chosen, company, most)
            return await finder.find(chosen, company, most)
        except ProviderRefuses as error:
            raise CommandFailed(str(error)) from error

    found = administer(work, data_dir=data_dir)
    if as_json:
        print_json(found)
    else:
        print_fields(found)


def _ask(what: str) -> str:
    asked: str = typer.prompt(what, hide_input=True)
    return asked


@app.command("erase")
def erase(
    contact_id: Annotated[UUID | None, typer.Option("--id", help="Id of a contact.")] = None,
    email: Email = None,
    phone: Phone = None,
    profile: Profile = None,
    name: Name = None,
    company: Company = None,
    org: Organization = "default",
    yes: Yes = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Permanently erase a person and print the certificate."""
    keys = _keys(email, phone, profile, name, company)
    if not keys and contact_id is None:
        raise CommandFailed(
            "Specify --id, --email, --phone, --profile, or --name and --company.", code=USAGE
        )
    confirm("Permanently erase this person? This cannot be undone.", yes=yes)

    async def work(connection: "Connection", organization_id: "OrganizationId") -> dict[str, Any]:
        import json

        from sightline.kit.clock import now
        from sightline.store.erasures import erase_person

        erased = await erase_person(
            connection,
            organization_id,
            contact_ids=[contact_id] if contact_id else [],
            keys=keys,
            requested_by="cli",
            now=now(),
        )
        if erased is None:
            raise CommandFailed(f"There is no contact {contact_id}.")
        await record(connection, organization_id, "erase", f"erasure:{erased.erasure_id}")
        certificate: dict[str, Any] = json.loads(erased.certificate)
        return certificate

    certificate = administer_organization(org, work, data_dir=data_dir)
    if as_json:
        print_json(certificate)
    else:
        subject = ", ".join(each["display"] for each in certificate.pop("subject"))
        removed = ", ".join(f"{count} {what}" for what, count in certificate.pop("removed").items())
        print_fields({**certificate, "subject": subject, "removed": removed})


@suppressions.command("add")
def add(
    email: Email = None,
    phone: Phone = None,
    profile: Profile = None,
    name: Name = None,
    company: Company = None,
    reason: Annotated[str, typer.Option("--reason", help="Why.")] = "requested",
    org: Organization = "default",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Add a person to the suppression list and hide their contacts."""
    keys = _keys(email, phone, profile, name, company)
    if not keys:
        raise CommandFailed(
            "Specify --email, --phone, --profile, or --name and --company.", code=USAGE
        )

    async def work(connection: "Connection", organization_id: "OrganizationId") -> dict[str, Any]:
        from sightline.store.suppressions import suppress

        made = await suppress(connection, organization_id, keys, reason=reason)
        await record(connection, organization_id, "suppress", f"suppressions:{made.added}")
        return {"ids": made.suppression_ids, "added": made.added, "contacts_hidden": made.hidden}

    made = administer_organization(org, work, data_dir=data_dir)
    said = f"{made['added']} added, {made['contacts_hidden']} contacts hidden."
    print_result(made, said, as_json=as_json)


@suppressions.command("list")
def show(org: Organization = "default", data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the suppression list, newest first; identifiers are masked."""

    async def work(connection: "Connection", organization_id: "OrganizationId") -> Any:
        import json

        from sightline.store.suppressions import suppressions_page

        items, _, _ = await suppressions_page(
            connection, organization_id, kind=None, before=None, offset=0, limit=100_000
        )
        return json.loads(items)

    entries = administer_organization(org, work, data_dir=data_dir)
    names = ("id", "kind", "display", "reason", "source", "created_at")
    columns = {name: name for name in names}
    print_rows(entries, columns, as_json=as_json, empty="The list is empty.")


@suppressions.command("remove")
def remove(
    suppression_id: Annotated[UUID, typer.Argument(help="Id of the entry.")],
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Remove an entry and show its contacts again. Erasures are permanent."""

    async def work(connection: "Connection", organization_id: "OrganizationId") -> int | None:
        from sightline.store.suppressions import lift_suppression

        restored = await lift_suppression(connection, organization_id, suppression_id)
        if restored is not None:
            await record(connection, organization_id, "unsuppress", f"suppression:{suppression_id}")
        return restored

    restored = administer_organization(org, work, data_dir=data_dir)
    if restored is None:
        raise CommandFailed("There is no such entry, or it is an erasure.")
    print(f"Removed; {restored} contacts are visible again.")


def _keys(
    email: str | None, phone: str | None, profile: str | None, name: str | None, company: str | None
) -> list[str]:
    from sightline.domain.contacts import person_key, read_email, read_phone, read_profile_url

    keys: list[str] = []
    if email is not None:
        address = read_email(email)
        keys.append("e:" + _said(address.address if address else None, "--email", email))
    if phone is not None:
        keys.append("f:" + _said(read_phone(phone), "--phone", phone))
    if profile is not None:
        keys.append("p:" + _said(read_profile_url(profile), "--profile", profile))
    if name is not None or company is not None:
        key = person_key(name or "", company or "")
        keys.append("n:" + _said(key, "--name and --company", f"{name or ''} {company or ''}"))
    return keys


def _said(read: str | None, option: str, given: str) -> str:
    if read is None:
        raise CommandFailed(f"{option} cannot be {given!r}.", code=USAGE)
    return read
