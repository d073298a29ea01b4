"""The health of a source: its counts against the floors in its manifest, so that silence is noticed.

A site that changes its pages goes on answering 200; what tells is that its documents give no more
facts. Floors of a manifest: `answered`, the least share of requests that have an answer (a missing
document is one); `facts_per_document`, the least number of new values per newly read document.
"""

from dataclasses import dataclass
from typing import Final, Literal

from sightline.sources.contract import Manifest
from sightline.store.source_states import SourceState

Status = Literal["connected", "error"]
DAYS: Final = 7
"""Counts of this many days are judged."""
_FEW_REQUESTS: Final = 20
_FEW_DOCUMENTS: Final = 10
_ANSWERED: Final = 0.5  # where a manifest names no floor


@dataclass(frozen=True, slots=True)
class Health:
    """`reason` is a sentence where something is wrong, else empty."""

    status: Status
    reason: str = ""


def judge(state: SourceState, manifest: Manifest) -> Health:
    """Judge counts of the last days, too few of which prove nothing."""
    answered = state.fetched + state.unchanged + state.missing
    requests = answered + state.failed + state.unreachable
    floor = manifest.floors.get("answered", _ANSWERED)
    if requests >= _FEW_REQUESTS and answered < floor * requests:
        return Health(
            "error",
            f"{answered} of {requests} requests succeeded; at least {floor:.0%} are expected to."
            + _last_error(state),
        )
    if requests and not answered and state.sync_status == "failed":
        return Health("error", f"No request succeeded.{_last_error(state)}")
    if state.not_recorded and not requests:
        return Health(
            "error",
            f"The recorded web (SIGHTLINE_WEB) has none of the {state.not_recorded} addresses requested.",
        )
    per_document = manifest.floors.get("facts_per_document", 0.0)
    if state.fetched >= _FEW_DOCUMENTS and state.facts < per_document * state.fetched:
        return Health(
            "error",
            f"{state.fetched} documents gave {state.facts} facts; at least"
            f" {per_document:g} each are expected. Their form may have changed.",
        )
    return Health("connected")


def _last_error(state: SourceState) -> str:
    return f" Last error: {state.last_error}" if state.last_error else ""
