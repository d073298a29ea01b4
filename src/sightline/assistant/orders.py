"""Words in evidence that speak to a machine that reads them. They are evidence of nothing.

A second line of defence: what a tool may do and what may be said is bounded without it.
"""

import re
import unicodedata
from typing import Final

# Over text in lower case without accents: English, German, French, Spanish, Italian, Portuguese, Dutch.
_DROP: Final = (
    r"(?:ignor\w*|disregard|forget|overrid\w*|vergiss|vergesst|missacht\w*|oubli\w*|olvid\w*"
    r"|dimentic\w*|esquec\w*|desconsider\w*|vergeet|negeer)"
)
_RULES: Final = (
    r"(?:instru[ck]\w*|istruzion\w*|anweisung\w*|vorgaben|regeln|consignes?|regles?|reglas|regole|regras"
    r"|instructies|opdracht\w*|prompts?|rules|above|previous)"
)
_ADDRESSES_READER: Final = re.compile(
    rf"\b{_DROP}\b[^.;]{{0,40}}\b{_RULES}\b"
    r"|\bsystem\s+(?:prompt|message|override)\b|\byou\s+are\s+(?:now\s+)?(?:an?\s+)?(?:ai"
    r"|assistant|language model|chatbot|dan)\b"
    r"|\b(?:as|dear|attention|hey|note\s+to)\s+(?:an?\s+|the\s+|all\s+)?(?:ai|llms?"
    r"|language\s+model|chatbot|assistant)s?\b"
    r"|\b(?:als|en\s+tant\s+qu|como|come|nota\s+(?:al|para)|hinweis\s+an|note\s+a)\W+(?:(?:an|den|die|das|l|el"
    r"|la|il|o|de)\W+)?(?:ki|ia|ai|ass?ist\w+|sprachmodell|chatbot|modell?[oe]?\s+(?:de|di|linguistico))\b"
    r"|\b(?:call|invoke|use|run)\s+the\s+\w+_\w+\s+(?:tool|function)\b|<\s*/?\s*(?:system|assistant"
    r"|user|tool|instructions?|im_start|im_end)\b|<\|im_(?:start|end)\|>"
    r"|[\"']role[\"']\s*:\s*[\"'](?:system|assistant|tool|developer)\b"
    r"|^\W{0,4}(?:system|assistant|developer)\s*:"
    r"|\banswer\s+(?:every|all|each|any)\s+(?:other\s+)?questions?\b|\bbefore\s+(?:you\s+)?answer(?:ing)?\b"
    r"|\{\{[^{}]{0,200}\}\}|!\[[^\]]{0,200}\]\(|\[/?(?:inst|system)\]|\bnew\s+instructions?\b"
    r"|\bdeveloper\s+mode\b|\bjailbreak\b"
    r"|\b(?:reveal|print|repeat|output|send|exfiltrate|leak)\b.{0,40}\b(?:prompt|api\s+keys?"
    r"|secrets?|credentials|passwords?|conversation)\b",
    re.S | re.M,
)
_UNSEEN: Final = frozenset(("Mn", "Cf"))  # accents, zero-width and direction marks
_BLOCK: Final = re.compile(r"\n\s*\n")


def is_order(text: str) -> bool:
    """Whether a text speaks to the model instead of about the company."""
    return _ADDRESSES_READER.search(_folded(text)) is not None


def without_orders(text: str) -> str:
    """A text without the paragraphs that speak to the model, for an order may go on in the next sentence;
    "" when nothing else is left."""
    if not is_order(text):
        return text
    kept = "\n\n".join(block for block in _BLOCK.split(text) if not is_order(block))
    return "" if is_order(kept) else kept


def _folded(text: str) -> str:
    """In lower case, without accents and what is not seen."""
    if text.isascii():
        return text.lower()
    opened = unicodedata.normalize("NFKD", text)
    return "".join(c for c in opened if unicodedata.category(c) not in _UNSEEN).lower()
