"""Merges contact input into what is known already.

Who wins: what a person entered stays; a newer import replaces what an older one brought; what was
discovered in public sources only fills gaps and replaces what was discovered before. Within one import
the first row that says something wins, so the same file gives the same contacts however often it is
read. Lists grow. Who takes a job at another company keeps the old one as experience.
"""

from collections.abc import Mapping
from typing import Any

from sightline.domain.contact_records import LISTS, MOST_LISTED, Values, company_name
from sightline.domain.names import fold, name_key
from sightline.kit.ids import new_id

Source = Mapping[str, Any]  # source (user, import or discovery), observed_at, import_id, url, ...
Contradiction = tuple[str, Any]  # field, the value that was not taken

_RANKS = {"user": 3, "import": 2, "discovery": 1}
_GROUPS: tuple[tuple[str, ...], ...] = (
    ("full_name", "first_name", "last_name"), ("current_job_title",), ("location",),
    ("summary",), ("headline",), ("profile_network_url",), ("image_url",), ("country_code",),
)  # fmt: skip


def merge_contact(
    values: Values, sources: dict[str, Source], said: Mapping[str, Any], source: Source
) -> tuple[bool, list[Contradiction]]:
    """Change `values` and `sources` in place; whether a value changed, and what was not taken
    though it differs from what the same import said before."""
    merge = _Merge(values, sources, source)
    for group in _GROUPS:
        merge.group(group, said)
    merge.company(said)
    for name in LISTS:
        merge.add(name, said.get(name) or [])
    return merge.changed | settle_current_job(values, source), merge.contradictions


def overwrite_contact(
    values: Values, sources: dict[str, Source], said: Mapping[str, Any], source: Source
) -> bool:
    """Put values in as a person says them: lists as a whole, None to take a value away."""
    changed = False
    for name, value in said.items():
        if values.get(name) != value and not (value in (None, []) and name not in values):
            changed = True
        if value in (None, []):
            values.pop(name, None)
        else:
            values[name] = value
        sources[name] = source
    return changed | settle_current_job(values, source)


def settle_current_job(values: Values, source: Source) -> bool:
    """Make experience agree with title and company; whether anything changed."""
    jobs: list[dict[str, Any]] = [dict(job) for job in values.get("experience", ())]
    for job in jobs:
        job.setdefault("job_id", str(new_id()))
        job.setdefault("created_at", source["observed_at"])
    title, company = values.get("current_job_title"), company_name(values)
    if title or company:
        current = _current_job(jobs, company, title)
        if current is None:
            for job in jobs:
                job["is_current"] = job["is_current"] and not company
            current = {"job_id": str(new_id()), "created_at": source["observed_at"]}
            current |= {"location": None, "end_date": None, "description": None}
            current["is_current"] = True
            jobs.insert(0, current)
        said = {
            "title": title,
            "company": company,
            "company_id": values.get("company_id"),
            "company_profile_network_id": (values.get("company") or {}).get("profile_network_id"),
        }
        current |= {name: value for name, value in said.items() if value}
    if jobs == values.get("experience", []):
        return False
    values["experience"] = jobs[:MOST_LISTED]
    return True


def _current_job(
    jobs: list[dict[str, Any]], company: str, title: str | None
) -> dict[str, Any] | None:
    key = name_key(company) if company else ""
    for job in jobs:
        if not job.get("is_current"):
            continue
        held = str(job.get("company") or "")
        if key and (not held or name_key(held) == key):
            return job
        if not key and (job.get("title") is None or job["title"] == title):
            return job
    return None


class _Merge:
    def __init__(self, values: Values, sources: dict[str, Source], source: Source) -> None:
        self.values, self.sources, self.source = values, sources, source
        self.changed = False
        self.contradictions: list[Contradiction] = []

    def group(self, names: tuple[str, ...], said: Mapping[str, Any]) -> None:
        """Take values that belong together over, all or none."""
        given = {name: said[name] for name in names if name in said}
        if not given or all(self.values.get(name) == value for name, value in given.items()):
            return
        held = [name for name in names if name in self.values or self._is_users(name)]
        if held and not self._may_replace(held[0]):
            self._keep(held, given)
            return
        for name in names:
            self.values.pop(name, None)
            self.sources.pop(name, None)
        self._fill(given)

    def _keep(self, held: list[str], given: Mapping[str, Any]) -> None:
        """Leave what is held; gaps of what no person wrote are filled."""
        if self._is_same_import(held[0]):
            self.contradictions += [(n, v) for n, v in given.items() if n in self.values]
        if not any(map(self._is_users, held)):
            self._fill(given)

    def company(self, said: Mapping[str, Any]) -> None:
        """The employer: another one replaces all of it, the same one gains what was missing."""
        given, held = said.get("company") or {}, self.values.get("company") or {}
        if given and (not held or _is_same_employer(given, held)):
            merged = {**given, **held}
            if merged != held:
                self._set("company", merged)
        elif given and given != held and not self._replace_employer(given):
            return
        self._identify_employer(said.get("company_id"))

    def _identify_employer(self, named: Any) -> None:
        known = self.values.get("company_id")
        # Which company a name stands for may become known, or change when companies merge.
        if named and named != known and (known is None or self._may_replace("company_id")):
            self._set("company_id", named)

    def _replace_employer(self, given: Mapping[str, Any]) -> bool:
        """Put another employer in place of the one that is held, if that may be replaced."""
        if self._may_replace("company"):
            self._set("company", dict(given))
            self.values.pop("company_id", None)
            return True
        if self._is_same_import("company"):
            self.contradictions.append(("company", given.get("name")))
        return False

    def add(self, name: str, more: list[Any]) -> None:
        """Add what a list does not have yet."""
        held = list(self.values.get(name, ()))
        known = {member_key(name, each) for each in held}
        fresh = [each for each in more if member_key(name, each) not in known]
        if not fresh or len(held) >= MOST_LISTED or self._is_users_alone(name):
            return
        self._set(name, [*held, *fresh][:MOST_LISTED])

    def _fill(self, given: Mapping[str, Any]) -> None:
        for name, value in given.items():
            if name not in self.values:
                self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        self.values[name] = value
        self.sources[name] = self.source
        self.changed = True

    def _may_replace(self, name: str) -> bool:
        held = self.sources.get(name)
        if held is None:
            return True
        if self._is_same_import(name):
            return False
        return _RANKS[self.source["source"]] >= _RANKS.get(held["source"], 2)

    def _is_same_import(self, name: str) -> bool:
        own = self.source.get("import_id")
        return own is not None and self.sources.get(name, {}).get("import_id") == own

    def _is_users(self, name: str) -> bool:
        return self.sources.get(name, {}).get("source") == "user"

    def _is_users_alone(self, name: str) -> bool:
        """A list that a person wrote is only added to by a person."""
        return self._is_users(name) and self.source["source"] != "user"


def _is_same_employer(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    names = one.get("name"), other.get("name")
    return all(names) and name_key(str(names[0])) == name_key(str(names[1]))


def member_key(name: str, value: Any) -> Any:
    """What makes two entries of a list the same."""
    if name == "skills":
        return fold(value)
    if name == "experience":
        start = str(value.get("start_date") or "")[:7]
        return (name_key(value.get("company") or "-"), fold(value.get("title") or ""), start)
    if name == "education":
        return tuple(fold(str(value.get(k) or "")) for k in ("school", "degree", "field_of_study"))
    return value
