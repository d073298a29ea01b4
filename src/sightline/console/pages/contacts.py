"""The contacts of the organization: searched, a page at a time."""

from functools import partial

from sightline.console.page import Shown, Visit, listed
from sightline.domain import contact_records as records
from sightline.store.contact_query import Atom, Clause, ContactQuery
from sightline.store.contacts import find_contacts

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
            partial(find_contacts, connection, visit.session.organization_id, query=query),
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
