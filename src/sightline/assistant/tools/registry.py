"""The tools that a model gets, in this order."""

from collections.abc import Awaitable, Callable
from typing import Final

from sightline.assistant.tools.accounts import find_accounts, list_people
from sightline.assistant.tools.activity import list_postings, list_signals
from sightline.assistant.tools.calculate import calculate
from sightline.assistant.tools.documents import list_documents, read_document
from sightline.assistant.tools.figures import financial_series, read_facts
from sightline.assistant.tools.search import search

TOOLS: Final[tuple[Callable[..., Awaitable[str]], ...]] = (
    search,
    list_documents,
    read_document,
    financial_series,
    read_facts,
    list_signals,
    list_postings,
    list_people,
    find_accounts,
    calculate,
)
