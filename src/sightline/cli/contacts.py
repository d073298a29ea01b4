"""`contacts`: people from providers with your own key, and erasure; `suppressions`: the suppression list."""

import os
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import typer

from sightline.cli.context import DataDir, Organization
from sightline.cli.door import read_pages, run, through
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, confirm, print_fields, print_json, print_result, print_rows

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
_CONNECTION: Final = "/integrations/{integration_id}/connection"
_COLUMNS: Final = ("id", "kind", "display", "reason", "source", "created_at")
_MOST: Final = 100_000


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
    where: dict[str, Any] = {
        "path": {"integration_id": provider}, "org": org, "data_dir": data_dir,
    }  # fmt: skip
    if forget:
        run("disconnect_integration", f"DELETE {_CONNECTION}", **where)
        print("Key deleted.")
        return
    key = os.environ.get("SIGHTLINE_CONTACTS_KEY") or typer.prompt("Key", hide_input=True)
    kept = run("connect_integration", f"POST {_CONNECTION}", body={"secret": key}, **where)
    print(f"Key saved. Terms of use: {kept['terms']}")


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
    found = run(
        "find_contacts",
        "POST /companies/{company_id}/contacts/find",
        path={"company_id": str(company)},
        body={"provider": provider, "max": most, "dry_run": dry_run},
        org=org,
        data_dir=data_dir,
    )
    (print_json if as_json else print_fields)(found)


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
    person = _person(email, phone, profile, name, company)
    if contact_id is not None:
        person["contact_id"] = str(contact_id)
    if not person:
        raise CommandFailed(
            "Specify --id, --email, --phone, --profile, or --name and --company.", code=USAGE
        )
    confirm("Permanently erase this person? This cannot be undone.", yes=yes)
    certificate = run(
        "erase_person", "POST /contacts/erasures", body=person, org=org, data_dir=data_dir
    )
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
    person = _person(email, phone, profile, name, company)
    if not person:
        raise CommandFailed(
            "Specify --email, --phone, --profile, or --name and --company.", code=USAGE
        )
    body = {"items": [person], "reason": reason}
    made = run("add_suppressions", "POST /suppressions", body=body, org=org, data_dir=data_dir)
    made["ids"] = [each["id"] for each in made.pop("items")]
    said = f"{made['added']} added, {made['contacts_hidden']} contacts hidden."
    print_result(made, said, as_json=as_json)


@suppressions.command("list")
def show(org: Organization = "default", data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the suppression list, newest first; identifiers are masked."""
    with one_line_errors():
        entries = through(
            {"list_suppressions": "GET /suppressions"},
            lambda door: read_pages(
                door, "list_suppressions", given={}, in_body=False, limit=_MOST
            ),
            org=org,
            data_dir=data_dir,
        )
    columns = {name: name for name in _COLUMNS}
    print_rows(entries, columns, as_json=as_json, empty="The list is empty.")


@suppressions.command("remove")
def remove(
    suppression_id: Annotated[UUID, typer.Argument(help="Id of the entry.")],
    org: Organization = "default",
    data_dir: DataDir = None,
) -> None:
    """Remove an entry and show its contacts again. Erasures are permanent."""
    route, path = "DELETE /suppressions/{suppression_id}", {"suppression_id": str(suppression_id)}
    lifted = run("lift_suppression", route, path=path, org=org, data_dir=data_dir)
    print(f"Removed; {lifted['contacts_restored']} contacts are visible again.")


def _person(
    email: str | None, phone: str | None, profile: str | None, name: str | None, company: str | None
) -> dict[str, str]:
    """What identifies a person, as the API takes it."""
    given = {
        "email": email, "phone": phone, "profile_network_url": profile, "full_name": name,
        "company_name": company,
    }  # fmt: skip
    person = {field: value for field, value in given.items() if value is not None}
    if (name is None) != (company is None):
        raise CommandFailed("A name needs --company, and a company --name.", code=USAGE)
    return person
