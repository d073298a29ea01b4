"""An account's own values: set over imported and public ones, or removed."""

from typing import Any, Final

from sightline.console.page import Moved, NothingHere, Shown, Visit
from sightline.domain.bands import EMPLOYEE_BANDS, REVENUE_BANDS
from sightline.domain.errors import Refusal
from sightline.domain.industries import industries
from sightline.store.accounts import ids_of_account

TEXTS: Final = (
    "company_name", "website", "country", "hq_address", "hq_city", "hq_state", "hq_postcode", "ceo",
)  # fmt: skip
CHOICES: Final = {
    "industry": tuple(sorted(each.name for each in industries())),
    "employee_count_range": EMPLOYEE_BANDS,
    "revenue_range": REVENUE_BANDS,
}
LISTED: Final = ("tags", "alternative_names")


async def show(visit: Visit) -> Shown:
    account_id = await _account_id(visit)
    account = await visit.run("read_account", path={"account_id": account_id})
    return _page(account, _written(account), error=None)


async def save(visit: Visit) -> Shown | Moved:
    """Send what was changed; what was emptied is removed, and the public value shows again."""
    path = {"account_id": await _account_id(visit)}
    account = await visit.run("read_account", path=path)
    before = _written(account)
    given = {name: visit.form.get(name, "").strip() for name in before}
    body = {name: _value(name, text) for name, text in given.items() if text != before[name]}
    try:
        if body:
            await visit.run("update_account", path=path, body=body)
    except Refusal as refusal:
        return _page(account, given, error=refusal.message)
    return Moved(f"/console/companies/{account['company_id']}/record", notice="account_saved")


async def _account_id(visit: Visit) -> str:
    async with visit.reading() as connection:
        found = await ids_of_account(connection, visit.path_id("company_id"))
    if found is None:
        raise NothingHere
    return str(found.account_id)


def _written(account: dict[str, Any]) -> dict[str, str]:
    """The values as the form has them."""
    names = (*TEXTS, *CHOICES, *LISTED, "full_time_employees", "public_company", "description")
    return {name: _text(account.get(name)) for name in names}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value or "")


def _value(name: str, text: str) -> Any:
    if not text:
        return None
    if name in LISTED:
        return [each.strip() for each in text.split(",") if each.strip()]
    if name == "public_company":
        return text == "yes"
    if name == "full_time_employees" and text.replace(",", "").isdecimal():
        return int(text.replace(",", ""))
    return text


def _page(account: dict[str, Any], given: dict[str, str], *, error: str | None) -> Shown:
    values = {"account": account, "given": given, "texts": TEXTS, "choices": CHOICES}
    return Shown(
        "account_edit.html",
        values | {"listed": LISTED, "error": error},
    )
