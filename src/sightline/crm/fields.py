"""The mapping of CRM fields to our fields, with direction and rule. No I/O."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sightline.crm.conflicts import Direction, Rule
from sightline.crm.provider import Kind, Property
from sightline.imports.fields import ColumnMapping, Guess

ID_COLUMN: Final = "(record id)"
MOST_MAPPED: Final = 100


@dataclass(frozen=True, slots=True)
class Field:
    """How a field of ours is stored. `lead` is compared; `also` go with it. `shown` is what is written to
    the CRM, None where only reading makes sense. Fields that are not `read` are of our own making."""

    lead: str
    also: tuple[str, ...] = ()
    shown: str | None = "lead"
    read: bool = True

    @property
    def stored(self) -> tuple[str, ...]:
        return (self.lead, *self.also)

    def outward(self, values: Mapping[str, Any]) -> Any:
        """Our value as the CRM is given it."""
        if self.shown is None:
            return None
        value = values.get(self.lead if self.shown == "lead" else self.shown)
        return value[0] if isinstance(value, list) and value else value


FIELDS: Final[Mapping[Kind, Mapping[str, Field]]] = {
    "accounts": {
        "company_name": Field("company_name"),
        "website": Field("website_domain", ("website",)),
        "country": Field("country_code", ("hq_country_name", "region"), "hq_country_name"),
        "hq_state": Field("hq_state"),
        "hq_city": Field("hq_city"),
        "hq_address": Field("hq_address"),
        "hq_postcode": Field("hq_postcode"),
        "industry": Field("industry", ("sector",)),
        "full_time_employees": Field("full_time_employees", ("employee_count_range",)),
        "revenue": Field("revenue_usd", ("revenue_range",)),
        "description": Field("description"),
        "stock_ticker": Field("stock_ticker", ("stock_exchange_name", "stock_exchange_symbol")),
        "profile_network_url": Field("profile_network_url"),
        "ceo": Field("ceo"),
        "sector": Field("sector", read=False),
        "region": Field("region", read=False),
        "employee_count_range": Field("employee_count_range", read=False),
        "revenue_range": Field("revenue_range", read=False),
    },
    "contacts": {
        "first_name": Field("first_name", ("full_name",)),
        "last_name": Field("last_name", ("full_name",)),
        "emails": Field("emails"),
        "phones": Field("phones"),
        "current_job_title": Field("current_job_title"),
        "country": Field("country_code", (), "country"),
        "company_name": Field("company", (), None),
        "profile_network_url": Field("profile_network_url"),
        "headline": Field("headline"),
        "summary": Field("summary"),
        "seniority": Field("seniority", read=False),
        "department": Field("department", read=False),
    },
}


class MappingIsWrong(ValueError):
    """A mapping names something that there is not; the message is for a person."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """One property of the CRM and the field of ours that it is."""

    kind: Kind
    property: str
    field: str
    direction: Direction = "both"
    rule: Rule = "newest"

    @builtins.property  # the name stands for another thing here
    def stored(self) -> Field:
        return FIELDS[self.kind][self.field]


def read_mapping(rows: Iterable[Mapping[str, Any]]) -> tuple[Mapped, ...]:
    """The mapping as kept, or as a person gives it. Raises MappingIsWrong."""
    found = tuple(Mapped(**row) for row in rows)
    seen: set[tuple[str, str]] = set()
    for each in found:
        if each.field not in FIELDS[each.kind]:
            known = ", ".join(FIELDS[each.kind])
            raise MappingIsWrong(
                f"{each.field!r} is not a field of {each.kind}; there are {known}."
            )
        if not each.stored.read and each.direction != "out":
            raise MappingIsWrong(f"{each.field} can only be written to the CRM.")
        if each.stored.shown is None and each.direction != "in":
            raise MappingIsWrong(f"{each.field} can only be read from the CRM.")
        for taken in ((each.kind, f"field {each.field}"), (each.kind, f"property {each.property}")):
            if taken in seen:
                raise MappingIsWrong(f"The {taken[1]} is mapped twice.")
            seen.add(taken)
    return found


def as_rows(mapping: Iterable[Mapped]) -> list[dict[str, Any]]:
    """The mapping as it is kept."""
    return [asdict(each) for each in mapping]


def usable(
    mapping: Sequence[Mapped], kind: Kind, properties: Mapping[str, Property]
) -> tuple[list[Mapped], list[str]]:
    """The rows of one kind that the CRM still has, and what is wrong with the others."""
    rows, warnings = [], []
    for each in mapping:
        if each.kind != kind:
            continue
        found = properties.get(each.property)
        if found is None:
            warnings.append(
                f"The property {each.property} of {kind} was deleted or renamed; {each.field} is "
                "left as it is."
            )
        elif each.direction == "out" and found.read_only:
            warnings.append(f"The property {each.property} of {kind} cannot be written to.")
        else:
            rows.append(each)
    return rows, warnings


def columns_of(mapping: Sequence[Mapped], provider: str) -> ColumnMapping:
    """The mapping as that of a list whose columns are the properties."""
    guesses = [
        Guess(each.property, each.field, 1.0, "mapped", ()) for each in mapping if each.stored.read
    ]
    if mapping and mapping[0].kind == "accounts":
        guesses.append(Guess(ID_COLUMN, "external_id", 1.0, "the record's id", ()))
    return ColumnMapping(tuple(guesses), (), provider)


def outward_text(value: Any, described: Property | None) -> str | None:
    """Our value as the CRM's text; None where the property does not have it among its options."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, float) and value.is_integer():
        text = str(int(value))
    else:
        text = str(value)
    if described is None or not described.options:
        return text
    wanted = _squeezed(text)
    for option, label in described.options.items():
        if wanted in (_squeezed(option), _squeezed(label)):
            return option
    return None


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
