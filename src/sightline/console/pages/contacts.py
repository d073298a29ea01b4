"""The organization's contacts: search, add, change, delete, erase."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from starlette.responses import Response

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit, listed
from sightline.console.pages.bulk import FORMATS
from sightline.domain import contact_records as records
from sightline.domain.errors import Refusal
from sightline.store.contact_query import Atom, Clause, ContactQuery
from sightline.store.contacts import find_contacts

HERE: Final = "/console/contacts"
TEXTS: Final = ("full_name", "current_job_title", "location", "country", "profile_network_url")
LISTED: Final = ("emails", "phones")
_MOST_WORDS = 20


async def show(visit: Visit) -> Shown:
    q = visit.asked("q")
    department = visit.choice("department", records.departments())
    seniority = visit.choice("seniority", records.seniorities())
    reach = visit.choice("reach", ("email", "phone"))
    query = _query(q, department=department, seniority=seniority, reach=reach)
    async with visit.reading() as connection:
        items, pager = await listed(
            visit,
            partial(find_contacts, connection, query=query),
        )
    return Shown(
        "contacts.html",
        {
            "contacts": items,
            "pager": pager,
            "chosen": {"q": q, "department": department, "seniority": seniority, "reach": reach},
            "is_narrowed": query != ContactQuery(),
            "departments": records.departments(),
            "seniorities": records.seniorities(),
        },
    )


async def new(visit: Visit) -> Shown:
    given = {"company_id": visit.asked("company_id"), "company": visit.asked("company")}
    return _form(given, contact_id=None, error=None)


async def create(visit: Visit) -> Shown | Moved:
    """Add a person, or add to the contact that is known already."""
    body = {name: value for name, value in _body(visit).items() if value}
    if visit.form.get("company_id"):
        body["company_id"] = str(visit.form_id("company_id"))
    try:
        made = await visit.run("create_contact", body=body)
    except Refusal as refusal:
        return _form(visit.form, contact_id=None, error=refusal.message)
    return Moved(f"{HERE}/{made['id']}", notice="contact_saved")


async def edit(visit: Visit) -> Shown:
    contact = await _read(visit)
    return _form(_written(contact), contact_id=contact["id"], error=None)


async def change(visit: Visit) -> Shown | Moved:
    """Set values of a contact, delete it, or erase the person."""
    contact = await _read(visit)
    path, action = {"contact_id": contact["id"]}, visit.form.get("action")
    if action in ("delete", "erase"):
        is_erased = action == "erase"
        await visit.run("delete_contact", path=path, query={"erase": is_erased})
        return Moved(HERE, notice="person_erased" if is_erased else "contact_deleted")
    if action != "save":
        raise FormIsInvalid
    before = _written(contact)
    body = {
        name: value or ([] if name in LISTED else None)
        for name, value in _body(visit).items()
        if _shown(name, value) != before.get(name, "")
    }
    try:
        if body:
            await visit.run("change_contact", path=path, body=body)
    except Refusal as refusal:
        return _form(visit.form, contact_id=contact["id"], error=refusal.message)
    return Moved(f"{HERE}/{contact['id']}", notice="contact_saved")


async def export(visit: Visit) -> Response:
    """All contacts as a file."""
    form = visit.form.get("format", "csv")
    query = {
        "format": form if form in FORMATS else "csv",
        "provenance": bool(visit.form.get("provenance")),
    }
    return await visit.respond("export_contacts", query=query)


async def _read(visit: Visit) -> dict[str, Any]:
    contact: dict[str, Any] = await visit.run(
        "read_contact", path={"contact_id": visit.path_id("contact_id")}
    )
    return contact


def _written(contact: Mapping[str, Any]) -> dict[str, str]:
    """The values as the form has them."""
    given = {name: str(contact.get(name) or "") for name in TEXTS}
    given |= {name: ", ".join(contact.get(name) or ()) for name in LISTED}
    return given | {"company": (contact.get("company") or {}).get("name", "")}


def _body(visit: Visit) -> dict[str, Any]:
    """What the form says, as the API takes it."""
    text = {name: visit.form.get(name, "").strip() for name in (*TEXTS, *LISTED)}
    body: dict[str, Any] = {name: text[name] for name in TEXTS}
    for name in LISTED:
        body[name] = [each.strip() for each in text[name].split(",") if each.strip()]
    company = {
        "name": visit.form.get("company", "").strip(),
        "domain": visit.form.get("domain", "").strip(),
    }
    return body | {"company": {name: value for name, value in company.items() if value}}


def _shown(name: str, value: Any) -> str:
    if name == "company":
        return "" if "domain" in value else str(value.get("name", ""))
    return ", ".join(value) if name in LISTED else str(value)


def _form(given: Mapping[str, str], *, contact_id: str | None, error: str | None) -> Shown:
    values = {"given": given, "contact_id": contact_id, "is_new": contact_id is None}
    return Shown("contact_edit.html", values | {"error": error})


def words_query(text: str) -> ContactQuery:
    """Contacts that have every word somewhere in name, title or company."""
    return _query(text, department="", seniority="", reach="")


def _query(text: str, *, department: str, seniority: str, reach: str) -> ContactQuery:
    words = records.words_of(text)[:_MOST_WORDS]
    atoms = [Atom(tuple(field + word for field in records.FREE_TEXT)) for word in words]
    if department:
        atoms.append(Atom((records.DEPARTMENT + department,)))
    if seniority:
        atoms.append(Atom((records.SENIORITY + seniority,)))
    if reach:
        atoms.append(Atom((records.HAS_EMAIL if reach == "email" else records.HAS_PHONE,)))
    if not atoms:
        return ContactQuery(nothing=bool(text))
    return ContactQuery((Clause((tuple(atoms),)),))
