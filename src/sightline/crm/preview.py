"""Preview of a mapping: values of the first CRM records, and how we read them."""

from dataclasses import dataclass
from typing import Final

from sightline.crm.connection import CrmSettings, names_of
from sightline.crm.fields import usable
from sightline.crm.provider import KINDS, Crm, Kind
from sightline.crm.reading import RecordReader

_SHOWN: Final = 5


@dataclass(frozen=True)
class Previewed:
    """One row of the mapping, over the first records."""

    kind: Kind
    property: str
    field: str
    label: str | None
    theirs: list[str]
    read_as: list[str | None]


@dataclass(frozen=True)
class Mappable:
    """A property of the CRM that a field of ours can be mapped to."""

    kind: Kind
    name: str
    label: str
    read_only: bool


async def preview(
    crm: Crm, settings: CrmSettings, provider: str
) -> tuple[list[Previewed], list[Mappable]]:
    """Each row of the mapping, and what else could be mapped. Raises CrmIsBusy and CrmRefuses."""
    found: list[Previewed] = []
    offered: list[Mappable] = []
    for kind in KINDS:
        properties = await crm.properties(kind)
        offered += [
            Mappable(kind, each.name, each.label, each.read_only) for each in properties.values()
        ]
        mapping, _ = usable(settings.mapping, kind, properties)
        filters = settings.filters.get(kind, ())
        asked = names_of(mapping, kind)
        page = await crm.changed(kind, asked, filters=filters, since=None, after=None)
        reader = RecordReader(kind, mapping, properties, provider)
        said = [reader(line, record) for line, record in enumerate(page.records[:_SHOWN])]
        for each in settings.mapping:
            if each.kind != kind:
                continue
            described = properties.get(each.property)
            read = [row.values.get(each.stored.lead) for row in said]
            found.append(
                Previewed(
                    kind,
                    each.property,
                    each.field,
                    described.label if described else None,
                    [row.record.values.get(each.property, "") for row in said],
                    [None if value is None else _said(value) for value in read],
                )
            )
    return found, offered


def _said(value: object) -> str:
    """A value that was read, several after each other."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
