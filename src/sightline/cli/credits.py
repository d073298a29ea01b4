"""`credits grant` and `credits show`."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sightline.cli.context import DataDir, Organization, administer_organization, record
from sightline.cli.output import AsJson, print_fields, print_json, print_result
from sightline.store.database import Tenant

if TYPE_CHECKING:
    pass

app = typer.Typer(help="Grant credits and show balances.", no_args_is_help=True)

# Spelled out, not taken from the domain: the parser needs it before anything is imported.
Credit = Literal["company", "content", "territory", "contact"]


@app.command("grant")
def grant_credits(
    credit: Annotated[Credit, typer.Option("--credit", help="Kind of credit.")],
    amount: Annotated[int, typer.Option("--amount", min=1, help="How many credits to add.")],
    org: Organization = "default",
    reason: Annotated[
        str, typer.Option("--reason", help="Why, for the ledger.")
    ] = "granted on the command line",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Add credits to an organization's balance."""

    async def work(tenant: "Tenant") -> dict[str, Any]:
        from sightline.store.credits import grant

        balance = await grant(tenant, credit=credit, amount=amount, reason=reason)
        await record(
            tenant, "grant", f"credit:{credit}",
            amount=amount, balance=balance, reason=reason
        )  # fmt: skip
        return {"organization": org, "credit": credit, "granted": amount, "balance": balance}

    result = administer_organization(org, work, data_dir=data_dir)
    said = f"Granted {amount} {credit} credits to {org}; the balance is {result['balance']}."
    print_result(result, said, as_json=as_json)


@app.command("show")
def show_credits(
    org: Organization = "default", data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Show an organization's balances."""

    async def work(tenant: "Tenant") -> dict[str, int]:
        from sightline.domain.credits import CREDITS
        from sightline.store.credits import balances

        left = await balances(tenant)
        return {credit: left.get(credit, 0) for credit in CREDITS}

    result = administer_organization(org, work, data_dir=data_dir)
    if as_json:
        print_json({"organization": org, "credits": result})
    else:
        print_fields(result)
