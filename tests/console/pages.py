"""What the tests of the console read out of its pages."""

import re

PASSWORD = "correct horse battery"


def form_token(page: str) -> str:
    """The token that the page's forms send back."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found, page
    return found[1]
