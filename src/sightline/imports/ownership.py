"""Whether a term for ownership or company type means that the shares are traded."""

_PUBLIC = frozenset(
    {
        "public", "publicly traded", "publicly held", "public company", "listed", "true", "yes", "y", "1",
        "company - public", "public limited company", "boersennotiert", "börsennotiert", "cotee", "cotée",
        "traded", "ipo", "x",
    }
)  # fmt: skip
_PRIVATE = frozenset(
    {
        "private", "privately held", "private company", "not listed", "unlisted", "false", "no", "n", "0",
        "company - private", "subsidiary", "nonprofit", "non-profit", "non profit", "government",
        "government agency", "self-owned", "self-employed", "partnership", "sole proprietorship",
        "educational institution", "educational", "acquired", "delisted", "nicht notiert",
    }
)  # fmt: skip


def is_public(text: str) -> bool | None:
    """True for words of listed companies, False for others, None for words that do not say."""
    word = " ".join(text.lower().split())
    if word in _PUBLIC:
        return True
    return False if word in _PRIVATE else None
