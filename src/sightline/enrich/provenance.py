"""The source of each field in a company record, as an organization sees the record."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sightline.domain.names import name_key
from sightline.domain.records import COMPANY_FIELDS
from sightline.enrich.survivorship import MADE_FROM, Standing, survive
from sightline.kit.clock import rfc3339
from sightline.store.account_writes import FIELD_GROUPS
from sightline.store.facts import Fact

_MOST_ALTERNATIVES = 10
# Two descriptions of a company, or two addresses of a page, differ without contradicting each other. An
# exchange has many names ("NYSE", "New York Stock Exchange"); its symbol is what is compared.
_WORDED = frozenset(
    {"description", "logo_url", "profile_network_url", "stock_exchange_name", "website"}
)


def provenance(
    facts: Sequence[Fact],
    own: Mapping[str, Any],
    own_sources: Mapping[str, Mapping[str, Any]],
    *,
    now: datetime,
) -> dict[str, Any]:
    """field -> value, source, url, observed_at, confidence, alternatives; own values come first.

    Fields made from others (a band from a count) show the fact that they are made from. An imported value
    has ``contradicted_by`` where the documents say otherwise: the list may be older than they are.
    """
    verdict = survive(facts, now=now)
    standings: defaultdict[str, Sequence[Standing]] = defaultdict(tuple, verdict.standings)
    shown: dict[str, Any] = {}
    for field in COMPANY_FIELDS:
        ordered = standings[MADE_FROM.get(field, field)]
        described = [_described(standing) for standing in ordered if standing.facts]
        if field in own:
            entry = _own_entry(own[field], own_sources.get(field, {}))
            shown[field] = entry | {"alternatives": described[:_MOST_ALTERNATIVES]}
            proven = verdict.record.get(field)
            comparable = entry["source"] == "import" and described and field not in _WORDED
            if comparable and _contradicts(proven, own[field]):
                shown[field]["contradicted_by"] = described[0] | {"value": proven}
        elif field in verdict.record and described and not _is_hidden(field, own, verdict.record):
            shown[field] = _proven_entry(verdict.record[field], described)
    return shown


def _proven_entry(value: Any, described: list[dict[str, Any]]) -> dict[str, Any]:
    """The entry of a value of the record; `described` are its standings, the best first."""
    if not isinstance(value, list):
        return described[0] | {
            "value": value,
            "alternatives": described[1 : _MOST_ALTERNATIVES + 1],
        }
    members = {"members": described} if len(described) > 1 else {}
    return described[0] | {"value": value, "alternatives": []} | members


def _is_hidden(field: str, own: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    """Whether an own value of the same group, which disagrees, keeps the catalogue's value out."""
    return any(
        field in group
        and any(name in own and name in record and own[name] != record[name] for name in group)
        for group in FIELD_GROUPS
    )


def _contradicts(proven: Any, imported: Any) -> bool:
    """Whether two single values differ; "Harbor Analytics Inc" and "Harbor Analytics" do not."""
    if proven is None or isinstance(imported, list) or proven == imported:
        return False
    texts = isinstance(proven, str) and isinstance(imported, str)
    return not (texts and name_key(proven) == name_key(imported))


def _own_entry(value: Any, source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "value": value,
        "source": source.get("source", "import"),
        "url": None,
        "document_id": None,
        "quote": None,
        "pointer": f"import {source['import_id']}" if source.get("import_id") else None,
        "method": "entered",
        "observed_at": source.get("observed_at"),
        "confidence": 1.0,
        "support": 1.0,
    }


def _described(standing: Standing) -> dict[str, Any]:
    best = standing.facts[0]
    return {
        "value": standing.value,
        "source": best.source,
        "url": best.url,
        "document_id": str(best.document_id),
        "quote": best.quote,
        "pointer": best.pointer,
        "method": best.method,
        "observed_at": rfc3339(best.observed_at),
        "confidence": round(best.confidence, 3),
        "support": standing.support,
        "agreeing_sources": sorted({fact.source for fact in standing.facts}),
    }
