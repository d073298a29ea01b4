"""Limits on an organization's seller context and on its questions about every company."""

from typing import Final

MOST_ENTRIES: Final = 50
"""In each list of the seller context."""
MOST_COUNTRIES: Final = 300
LONGEST_NAME: Final = 200
"""Characters; of the organization, an offering, a question's name."""
LONGEST_DESCRIPTION: Final = 2_000
LONGEST_QUESTION: Final = 500
