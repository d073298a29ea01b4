"""A contact without the values from one import.

What every import said is kept in its own words, so that two replays, with and without the one, tell what
it brought. Of that, what no one changed since is taken back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.domain.contact_merging import Source, member_key, merge_contact, settle_current_job
from sightline.domain.contact_records import LISTS, Values, identifying_keys
from sightline.domain.names import name_key
from sightline.store.contact_import_changes import ContactChange, Sources


@dataclass(frozen=True)
class Undone:
    """What is left of a contact, and how many values of the import stay because they were changed."""

    values: Values
    sources: Sources
    values_stayed: int


def _named_by(sources: Mapping[str, Source], key: str, value: str) -> set[str]:
    return {name for name, source in sources.items() if source.get(key) == value}


def without_import(
    values: Mapping[str, Any],
    sources: Mapping[str, Source],
    changes: Sequence[ContactChange],
    *,
    import_id: UUID,
) -> Undone:
    """The contact as it would be had the import never come. `changes` are those of all imports that came
    to it, oldest first."""
    whole, whole_sources = _replayed(changes)
    rest, rest_sources = _replayed(
        [each for each in changes if each.import_id != import_id], changes[0]
    )
    left, left_sources, own = dict(values), dict(sources), str(import_id)
    written, came = _named_by(sources, "import_id", own), _named_by(whole_sources, "import_id", own)
    for name in written - set(LISTS):
        _put(left, left_sources, name, rest, rest_sources)
    stayed = sum(whole.get(name) != rest.get(name) for name in came - written - set(LISTS))
    users = _named_by(sources, "source", "user")
    for name in (each for each in LISTS if each not in users):  # what a person wrote stays whole
        left.pop(name, None)
        if entries := _list_without(name, values, whole, rest):
            left[name] = entries
        if name in written:
            left_sources.pop(name, None)
            if entries and name in rest_sources:
                left_sources[name] = rest_sources[name]
    if not left.get("full_name") and not identifying_keys(left):
        return Undone(dict(values), dict(sources), stayed)  # no one would be left
    settle_current_job(left, {"observed_at": changes[0].said[0]["source"]["observed_at"]})
    return Undone(left, left_sources, stayed)


def _list_without(
    name: str, values: Mapping[str, Any], whole: Mapping[str, Any], rest: Mapping[str, Any]
) -> list[Any]:
    """The list without what the import alone brought to it."""
    brought = {member_key(name, each) for each in whole.get(name, ())}
    others = {member_key(name, each): each for each in rest.get(name, ())}
    left = []
    for each in values.get(name, ()):
        key = member_key(name, each)
        if key in brought and key not in others:
            each = _as_it_was(each, others.values()) if name == "experience" else None
        elif name == "experience" and key in others:
            each = each | {"is_current": others[key].get("is_current")}
        if each is not None:
            left.append(each)
    return left


def _as_it_was(
    job: Mapping[str, Any], others: Iterable[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """The job at that company as it would be, under its id; None when no one else knows of it."""
    employer = name_key(str(job.get("company") or ""))
    for other in others:
        if name_key(str(other.get("company") or "")) == employer:
            return {**other, "job_id": job.get("job_id"), "created_at": job.get("created_at")}
    return None


def _replayed(
    changes: Sequence[ContactChange], first: ContactChange | None = None
) -> tuple[Values, Sources]:
    """What imports make of a contact, from how the first of all found it."""
    base = first or changes[0]
    values, sources = dict(base.before), dict(base.before_sources)
    for change in changes:
        for name, source in change.before_sources.items():
            if source.get("source") == "discovery":
                _put(values, sources, name, change.before, change.before_sources)
        for said in change.said:
            merge_contact(values, sources, said["values"], said["source"])
    return values, sources


def _put(
    values: Values,
    sources: Sources,
    name: str,
    given: Mapping[str, Any],
    noted: Mapping[str, Source],
) -> None:
    """Have a field as it is given, or not at all."""
    values.pop(name, None)
    sources.pop(name, None)
    if name in given:
        values[name] = given[name]
    if name in noted:
        sources[name] = noted[name]
