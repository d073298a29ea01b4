"""The rule of name search, plainly; what the index in memory and SQL find must equal it."""

from sightline.domain.names import SearchTerms


def search_matches(text: str, terms: SearchTerms) -> bool:
    """Whether a ``search_text`` answers a query."""
    if terms.empty:
        return False
    return terms.spaced in text or f"\n{terms.squeezed}" in text
