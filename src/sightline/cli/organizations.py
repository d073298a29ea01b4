"""`org create`, `org list`, `org set`, and `user create`, `password`, `reset-codes` and `link`."""

import re
import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sightline.cli.context import (
    DataDir,
    Organization,
    administer,
    administer_organization,
    read_settings,
    record,
)
from sightline.cli.exits import USAGE, CommandFailed, one_line_errors
from sightline.cli.output import AsJson, print_result, print_rows

if TYPE_CHECKING:
    from sightline.store.database import Database, Tenant

organizations = typer.Typer(help="Create and list organizations.", no_args_is_help=True)
users = typer.Typer(help="Create users and give them console access.", no_args_is_help=True)

# Spelled out, not taken from below: the parser needs them before anything is imported.
Plan = Literal["free", "team", "enterprise"]
Role = Literal["owner", "admin", "member"]
UserEmail = Annotated[
    str | None, typer.Option("--email", help="The user's email; default: the first owner.")
]

SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_SLUG = 40
EMAIL = re.compile(r"[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+")
LONGEST_EMAIL = 254
SHORTEST_PASSWORD = 12


@organizations.command("create")
def create(
    slug: Annotated[str, typer.Argument(help="Short name, used with --org: acme-emea.")],
    name: Annotated[
        str | None, typer.Option("--name", help="Display name; default: the slug.")
    ] = None,
    plan: Annotated[
        Plan, typer.Option("--plan", help="Plan; determines the rate limit of its keys.")
    ] = "team",
    owner: Annotated[
        str, typer.Option("--owner", help="Email of its first user.")
    ] = "owner@localhost",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create an organization and its owner."""
    with one_line_errors():
        _check_slug(slug)
        _check_email(owner)
    credits = read_settings(data_dir).initial_credits

    async def work(owner_database: "Database", app: "Database") -> dict[str, Any]:
        from sightline.store.bootstrap import ensure_organization
        from sightline.store.organizations import create_organization

        # Refuses a slug that is taken; the owner is then added as to one that lacks it.
        await create_organization(owner_database, slug, name=name or slug, plan=plan)
        organization_id, user_id = await ensure_organization(
            owner_database, app, slug=slug, name=name or slug, email=owner, credits=credits
        )
        return {
            "id": organization_id,
            "slug": slug,
            "name": name or slug,
            "plan": plan,
            "owner": {"id": user_id, "email": owner},
        }

    result = administer(work, data_dir=data_dir)
    said = f"Created the organization {slug} with the owner {owner}."
    print_result(result, said, as_json=as_json)


@organizations.command("list")
def list_all(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all organizations."""

    async def work(owner: "Database", app: "Database") -> list[dict[str, Any]]:
        from sightline.store.organizations import list_organizations

        del app
        return await list_organizations(owner)

    found = administer(work, data_dir=data_dir)
    columns = {
        "Slug": "slug", "Name": "name", "Plan": "plan", "Created": "created_at", "Id": "id",
    }  # fmt: skip
    print_rows(found, columns, as_json=as_json)


@organizations.command("set")
def set_terms(
    org: Organization = "default",
    plan: Annotated[
        Plan | None, typer.Option("--plan", help="Plan; determines the rate limit of its keys.")
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option("--cost", help="OPERATION=CREDITS, overrides the default; may be repeated."),
    ] = None,
    default_costs: Annotated[
        bool, typer.Option("--default-costs", help="Reset all custom costs first.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Set an organization's plan and what operations cost it; only the operator can."""
    with one_line_errors():
        amounts = dict(_cost(text) for text in cost or [])
        if plan is None and not amounts and not default_costs:
            raise CommandFailed("Specify --plan, --cost or --default-costs.", code=USAGE)

    async def work(tenant: "Tenant") -> dict[str, Any]:
        from sightline.store import administration
        from sightline.store import organizations as store

        own = {} if default_costs else await store.read_costs(tenant)
        costs = own | amounts
        await administration.set_terms(tenant, plan=plan, costs=costs)
        await record(tenant, "set_terms", "organization", plan=plan, costs=costs)
        found = await store.read_organization(tenant)
        return {"slug": found["slug"], "plan": found["plan"], "costs": costs}

    result = administer_organization(org, work, data_dir=data_dir)
    said = f"The organization {org} has the plan {result['plan']}; own costs: {result['costs']}."
    print_result(result, said, as_json=as_json)


@users.command("create")
def create_user(
    email: Annotated[str, typer.Option("--email", help="The user's email.")],
    org: Organization = "default",
    role: Annotated[Role, typer.Option("--role", help="What the user may do.")] = "member",
    password_stdin: Annotated[
        bool,
        typer.Option("--password-stdin", help="Read a console password from standard input."),
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a user of an organization."""
    with one_line_errors():
        _check_email(email)
        password_hash = _hash(_read_password()) if password_stdin else None

    async def work(tenant: "Tenant") -> dict[str, Any]:
        from sightline.store import organizations as store

        user_id = await store.create_user(
            tenant, email=email, role=role, password_hash=password_hash
        )
        subject = f"user:{email}"
        await record(tenant, "create", subject, role=role, has_password=password_stdin)
        return {"id": user_id, "email": email, "role": role, "organization": org}

    result = administer_organization(org, work, data_dir=data_dir)
    print_result(result, f"Created the user {email} ({role}) in {org}.", as_json=as_json)


@users.command("password")
def set_password(
    email: UserEmail = None, org: Organization = "default", data_dir: DataDir = None
) -> None:
    """Set a user's password for the console, read from the input; ends the user's sessions."""
    with one_line_errors():
        password_hash = _hash(_read_password())

    async def work(tenant: "Tenant") -> None:
        from sightline.store import organizations as store
        from sightline.store.console_sessions import set_password

        user_id = await store.find_user(tenant, email=email)
        await set_password(tenant, user_id, password_hash)
        await record(tenant, "set_password", f"user:{user_id}")

    administer_organization(org, work, data_dir=data_dir)
    print(f"The password of {email or 'the owner'} in {org} is set.")


@users.command("reset-codes")
def reset_codes(
    email: UserEmail = None, org: Organization = "default", data_dir: DataDir = None
) -> None:
    """Remove a user's authenticator app and recovery codes, and end the user's sessions."""

    async def work(tenant: "Tenant") -> bool:
        from sightline.store import organizations as store
        from sightline.store.console_sessions import end_sessions
        from sightline.store.second_factors import remove_factor

        user_id = await store.find_user(tenant, email=email)
        removed = await remove_factor(tenant, user_id)
        await end_sessions(tenant, user_id)
        await record(tenant, "reset_second_factor", f"user:{user_id}")
        return removed

    who = email or "the owner"
    if administer_organization(org, work, data_dir=data_dir):
        print(f"The password of {who} in {org} no longer needs a code.")
    else:
        print(f"The password of {who} in {org} needed no code.")


@users.command("link")
def sign_in_link(
    email: UserEmail = None, org: Organization = "default", data_dir: DataDir = None
) -> None:
    """Print a link that signs a user in to the console once, within a day."""

    async def work(tenant: "Tenant") -> str:
        from sightline.cli.welcome import sign_in_path
        from sightline.store import organizations as store

        user_id = await store.find_user(tenant, email=email)
        await record(tenant, "make_link", f"user:{user_id}")
        return await sign_in_path(tenant, user_id)

    from sightline.cli.address import reachable_url, running_url

    path = administer_organization(org, work, data_dir=data_dir)
    settings = read_settings(data_dir)
    print((running_url(settings) or reachable_url(settings)) + path)


def _cost(text: str) -> tuple[str, int]:
    from sightline.domain.credits import DEFAULT_PRICES, MOST_COST

    operation, _, amount = text.partition("=")
    if operation not in DEFAULT_PRICES:
        raise CommandFailed(
            f"{operation!r} is not a priced operation; these are: {', '.join(DEFAULT_PRICES)}.",
            code=USAGE,
        )
    if not (amount.isascii() and amount.isdigit() and int(amount[:18]) <= MOST_COST):
        raise CommandFailed(f"{text!r}: an amount is 0 to {MOST_COST} credits.", code=USAGE)
    return operation, int(amount)


def _check_slug(slug: str) -> None:
    if len(slug) > LONGEST_SLUG or not SLUG.fullmatch(slug):
        raise CommandFailed(
            f"{slug!r} is not a slug: lowercase letters a to z, digits and single hyphens between them, "
            f"a letter first, at most {LONGEST_SLUG}.",
            code=USAGE,
        )


def _check_email(email: str) -> None:
    if len(email) > LONGEST_EMAIL or not EMAIL.fullmatch(email):
        raise CommandFailed(f"{email!r} is not an email address.", code=USAGE)


def _read_password() -> str:
    """The password from standard input: asked for on a terminal, else the first line of it."""
    if sys.stdin.isatty():
        password: str = typer.prompt(
            "Password", hide_input=True, confirmation_prompt=True, err=True
        )
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    if len(password) < SHORTEST_PASSWORD:
        raise CommandFailed(
            f"The password is too short; use at least {SHORTEST_PASSWORD} characters.", code=USAGE
        )
    return password


def _hash(password: str) -> str:
    from argon2 import PasswordHasher  # argon2id, with the parameters of RFC 9106

    return PasswordHasher().hash(password)
