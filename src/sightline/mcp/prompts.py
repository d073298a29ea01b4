"""Prompts that clients offer their users: step-by-step instructions for the tools."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Prompt:
    """`text` has its arguments in braces; all are required."""

    name: str
    title: str
    description: str
    arguments: tuple[tuple[str, str], ...]  # (name, description)
    text: str


_HONEST: Final = (
    "Say only what the tools returned, with its date and source. Where they return nothing, write that "
    "nothing was found; do not fill the gap from memory."
)

PROMPTS: Final = (
    Prompt(
        "prepare_call",
        "Prepare a call",
        "A one-page preparation for a call with an account.",
        (("company", "Name or domain of the account."),),
        "Prepare me for a call with {company}. Find the account with find_accounts and read get_brief. "
        "Check what changed with list_changes, and read the sections priorities and risks with "
        "get_profile where the brief leaves a question open. Then write one page: who they are, three "
        "dated reasons to talk now, whom to call, five questions to ask. " + _HONEST,
    ),
    Prompt(
        "review_territory",
        "Review a territory",
        "Which accounts of a territory deserve attention this week, and why.",
        (("territory_id", "Id of the territory."),),
        "Review the territory {territory_id}. Find its accounts with find_accounts and the filter "
        '{{"field": "territory", "op": "eq", "value": "{territory_id}"}}, then use list_changes and '
        "search_evidence (with territory_id) for new leadership, funding, cost cutting, expansion and "
        "hiring. Rank at most ten accounts by how recent and specific the evidence is, one line each "
        "with date and source. " + _HONEST,
    ),
)
