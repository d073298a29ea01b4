"""Where a text names a company: by its name, by the start of it, or as "we" where the company speaks."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from sightline.domain.names import fold, name_key
from sightline.reading.tokens import Token, tokens

Span = tuple[int, int]

LEAST_ALONE: Final = 4  # letters of one word that stands for a name of several

# Words that so many names begin with that one of them alone names no company.
SHARED_FIRST: Final = frozenset(
    """
    american first united general national international global great western eastern northern
    southern central pacific atlantic royal standard universal advanced applied digital smart open
    blue green black white gold golden silver star world home city state union capital health
    energy data cloud power bank group company alpha beta delta prime best next innovative
    """.split()
)
_FIRST_PERSON: Final = frozenset(["we", "our", "us", "ours", "ourselves"])
ITSELF: Final = frozenset(["company", "registrant", "corporation", "issuer"])


def named_in(text: str, names: Sequence[str], *, speaks: bool = False) -> list[Span]:
    """Spans of a text that mean the company of these names, in order.

    "Acme Widget Holdings Inc." is also called "Acme Widget" and "Acme". `speaks`: the text is the
    company's own, and "we" and "the company" mean it.
    """
    words = [(token, _folded(token)) for token in tokens(text)]
    keys = [key for name in names if (key := tuple(name_key(name).split()))]
    found: list[Span] = []
    place = 0
    while place < len(words):
        size = max((_matches(words, place, key) for key in keys), default=0)
        if not size and speaks and _means_itself(words, place):
            size = 1
        if size:
            found.append((words[place][0].start, words[place + size - 1][0].end))
        place += max(1, size)
    return found


def capitalized(text: str) -> Iterator[Span]:
    """Runs of words with capitals that may be names: "Northquay Robotics", "Bank of Springfield".

    The first word of a text counts only in a run of two, as any word has a capital there.
    """
    run: list[Token] = []
    for before, token in pairwise(
        [Token("", 0, 0), *tokens(text), Token("", len(text), len(text))]
    ):
        gap = text[before.end : token.start]
        joins = bool(run) and gap.strip() in ("", "&", "-", "'", "’", ".", "+")
        is_link = joins and token.text in ("of", "de")
        is_name = token.text[:1].isupper() or (joins and token.text.isdigit())
        if not (joins and (is_name or is_link)):
            yield from _run(run)
            run = []
        if is_name or (is_link and run):
            run.append(token)


def _run(run: list[Token]) -> Iterator[Span]:
    while run and run[-1].text.islower():
        run = run[:-1]
    if run and (len(run) > 1 or run[0].start > 0):
        yield run[0].start, run[-1].end


def _folded(token: Token) -> str:
    return fold(token.text.removesuffix("'s").removesuffix("’s"))


def _matches(words: Sequence[tuple[Token, str]], place: int, key: tuple[str, ...]) -> int:
    """How many words from a place on are the name, or its beginning; 0 for none."""
    size = 0
    while size < len(key) and place + size < len(words) and words[place + size][1] == key[size]:
        size += 1
    begins, is_whole = words[place][0].text, size == len(key)
    if not (begins[0].isupper() or begins[0].isdigit()):
        # Names like "iRobot" and "eBay" are spelled with one later.
        return size if is_whole and not begins.islower() else 0
    if is_whole or (size > 1 and sum(map(len, key[:size])) >= 2 * LEAST_ALONE):
        return size
    return size if _names_alone(words, place, size, key[0]) else 0


def _names_alone(words: Sequence[tuple[Token, str]], place: int, size: int, first: str) -> bool:
    """Whether the beginning of a name names the company without the rest."""
    if (len(first) < LEAST_ALONE and first.isalpha()) or first in SHARED_FIRST:
        return False
    following = words[place + size][0].text if place + size < len(words) else ""
    if not following[:1].isupper():
        return True
    # What follows with nothing but a space belongs to the name: "Acme Foods" is not Acme Widget.
    return words[place + size][0].start - words[place + size - 1][0].end != 1


def _means_itself(words: Sequence[tuple[Token, str]], place: int) -> bool:
    word = words[place][1]
    if word in _FIRST_PERSON and words[place][0].text != "US":
        return True
    return word in ITSELF and place > 0 and words[place - 1][1] == "the"
