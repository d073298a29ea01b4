"""Who did it, to whom, for how much, where and when: read from the tokens around a pattern."""

import re
from dataclasses import dataclass
from typing import Final

from sightline.domain.numbers import parse_money
from sightline.domain.signals import KINDS, PartyRole, SignalType
from sightline.signals.patterns import Hit
from sightline.signals.tokens import NAMES, Sentence, Token, listed

_FROM_OUTSIDE: Final = frozenset({"investor", "awarder", "authority", "attacker"})
_NO_NAME: Final = frozenset({"product", "issue", "award", "list", "technology", "business"})

# The second party does these: "{client} selects {vendor}".
_DONE_BY_OTHER: Final = {
    SignalType.SIGNS_NEW_CLIENT: "done_by_clients",
    SignalType.RECEIVES_FINANCING: "done_by_investors",
    SignalType.RECEIVES_AWARD: "done_by_awarders",
}
_TURNED_BY_PASSIVE: Final = frozenset(
    {
        SignalType.ACQUIRES,
        SignalType.SELLS_ASSETS_TO,
        SignalType.INVESTS_INTO,
        SignalType.FILES_SUIT_AGAINST,
        SignalType.LAUNCHES,
        SignalType.IS_DEVELOPING,
    }
)
_CURRENCY_WORDS: Final = {
    "dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "yuan": "CNY", "rupee": "INR",
    "franc": "CHF", "kronor": "SEK", "krona": "SEK", "kroner": "NOK", "won": "KRW", "peso": "MXN",
    "reais": "BRL", "rand": "ZAR", "dirham": "AED",
}  # fmt: skip
_WORD_OF_CURRENCY: Final = re.compile(
    r"(?:U\.?S\.?|Canadian|Australian|Singapore|Hong Kong)?\s?\b("
    + "|".join(_CURRENCY_WORDS)
    + r")s?\b"
)
_NATION_OF_DOLLAR: Final = {
    "Canadian": "CAD", "Australian": "AUD", "Singapore": "SGD", "Hong Kong": "HKD"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Party:
    """A name as written, `text[start:end]`, and what it is in this signal."""

    role: PartyRole
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount as written and as a number in whole units; `currency` is an ISO 4217 code or None."""

    text: str
    value: float | None
    currency: str | None


def parties_of(sentence: Sentence, hit: Hit) -> tuple[Party, ...]:
    """One or two parties of a signal; none where the sentence names nobody."""
    kind = KINDS[hit.pattern.type]
    roles = (kind.actor, kind.other)
    if "person" in roles:
        return _with_person(sentence, hit, roles)
    left, right = _names_around(sentence, hit)
    actor, other = (left[-1] if left else None), (right[0] if right else None)
    if kind.mutual and len(left) > 1 and _joined(sentence, left[-2], left[-1]):
        actor, other = left[-2], left[-1]
    elif kind.mutual and len(right) > 1 and not left:
        actor, other = right[0], right[1]
    elif _is_passive(sentence, hit) or _done_by_other(sentence, hit):
        actor, other = other, actor
    if hit.pattern.type == SignalType.SELLS_ASSETS_TO:
        actor, other = _seller_and_buyer(sentence, hit, actor, other)
    if kind.other in _FROM_OUTSIDE:
        actor, other = _actor_and_source(sentence, actor, other)
    if kind.other == "place":
        other = _nearest(sentence, hit, {"PLACE"})
    elif kind.other is None or kind.other in _NO_NAME:
        actor, other = actor if actor is not None else other, None
    found = []
    for role, place in ((kind.actor, actor), (kind.other, other)):
        if role is not None and place is not None:
            found.append(_party(sentence, role, place))
    return tuple(found)


def amount_of(sentence: Sentence, hit: Hit) -> Amount | None:
    """The amount of money nearest to a pattern."""
    place = _nearest(sentence, hit, {"MONEY"})
    if place is None:
        return None
    token = sentence.tokens[place]
    text = sentence.text[token.start : token.end]
    currency = None
    word = _WORD_OF_CURRENCY.search(text)
    bare = text
    if word:
        nation = next((code for name, code in _NATION_OF_DOLLAR.items() if name in text), None)
        currency = nation or _CURRENCY_WORDS[word[1]]
        bare = text[: word.start()] + text[word.end() :]
    elif text.startswith("Rs"):
        currency, bare = "INR", re.sub(r"^Rs\.?\s?", "", text)
    read = parse_money(bare.replace("-", " ").strip(), currency=currency)
    if read is None:
        return Amount(text, None, currency)
    return Amount(text, read.amount, currency or read.currency)


def named(sentence: Sentence, classes: frozenset[str]) -> tuple[str, ...]:
    """The texts of all tokens of some classes, each once, in order."""
    texts = (
        sentence.text[token.start : token.end] for token in sentence.tokens if token.norm in classes
    )
    return tuple(dict.fromkeys(texts))


def _with_person(
    sentence: Sentence, hit: Hit, roles: tuple[PartyRole, PartyRole | None]
) -> tuple[Party, ...]:
    tokens = sentence.tokens
    person = _nearest(sentence, hit, {"PERSON"})
    left, right = _names_around(sentence, hit)
    firms = [place for place in (*reversed(left), *right) if tokens[place].norm in {"ORG", "NAME"}]
    if person is None:
        person = _unknown_person(sentence, firms)
    firms = [place for place in firms if place != person]
    found: list[Party] = []
    for role in roles:
        if role == "person" and person is not None:
            found.append(_party(sentence, role, person))
        elif role is not None and role != "person" and firms:
            found.append(_party(sentence, role, firms[0]))
    return tuple(found)


def _unknown_person(sentence: Sentence, firms: list[int]) -> int | None:
    """A name of two words beside a role, where two names are there and none is known as a person's."""
    if len(firms) < 2:
        return None
    roles = [place for place, token in enumerate(sentence.tokens) if token.norm == "ROLE"]
    two_words = [place for place in firms if " " in _text(sentence, sentence.tokens[place])]
    if not roles or not two_words:
        return None
    return min(two_words, key=lambda place: min(abs(place - role) for role in roles))


def _names_around(sentence: Sentence, hit: Hit) -> tuple[list[int], list[int]]:
    """Names before the end of a pattern's verb, and after it; places count only as second party."""
    pivot = _pivot(sentence, hit)
    left = [
        place
        for place, token in enumerate(sentence.tokens[:pivot])
        if token.norm in NAMES - {"PLACE"}
    ]
    right = [
        place
        for place, token in enumerate(sentence.tokens)
        if place > pivot and token.norm in NAMES - {"PLACE"}
    ]
    return left, right


def _pivot(sentence: Sentence, hit: Hit) -> int:
    """The first token of the pattern that is neither a name nor an auxiliary."""
    for place in range(hit.first, hit.last + 1):
        if sentence.tokens[place].norm not in NAMES | {"be", "have", "to", "its", ",", "and"}:
            return place
    return hit.first


def _is_passive(sentence: Sentence, hit: Hit) -> bool:
    """Whether the second party comes first: "{target} was bought by {acquirer}"."""
    if hit.pattern.type not in _TURNED_BY_PASSIVE:
        return False
    norms = [token.norm for token in sentence.tokens]
    pivot = _pivot(sentence, hit)
    if "by" not in norms[pivot : hit.last + 4]:
        return False
    if norms[pivot] in {"acquisition", "takeover", "purchas", "sal"} and "be" not in norms[:pivot]:
        return True
    before = norms[max(0, pivot - 4) : pivot]
    return "be" in before or pivot == hit.first


def _done_by_other(sentence: Sentence, hit: Hit) -> bool:
    key = _DONE_BY_OTHER.get(hit.pattern.type)
    if key is None or sentence.tokens[_pivot(sentence, hit)].norm not in listed(key):
        return False
    # "has been selected by {client}" is turned round already.
    before = [token.norm for token in sentence.tokens[max(0, hit.first - 2) : hit.first + 1]]
    return "be" not in before


def _seller_and_buyer(
    sentence: Sentence, hit: Hit, actor: int | None, other: int | None
) -> tuple[int | None, int | None]:
    """Who buys is introduced by "to"; of a noun, who sells by "of": "the sale of Acme's plants to Bolt"."""
    norms = [token.norm for token in sentence.tokens]
    _, right = _names_around(sentence, hit)
    buyers = [place for place in right if norms[place - 1] == "to"]
    if not buyers:
        return actor, other
    owners = [place for place in right if place < buyers[0] and norms[place - 1] == "of"]
    if actor == buyers[0]:  # "Bolt was sold to Crane by Acme"
        actor = next((place for place in right if norms[place - 1] == "by"), None)
    by_noun = norms[_pivot(sentence, hit)] in {"sal", "transfer", "disposal"}
    return (owners[0] if owners and by_noun else actor), buyers[0]


def _actor_and_source(
    sentence: Sentence, actor: int | None, other: int | None
) -> tuple[int | None, int | None]:
    """An investor, awarder or authority must be introduced by "by" or "from", or be the subject."""
    if other is None:
        return actor, None
    before = [token.norm for token in sentence.tokens[max(0, other - 3) : other]]
    if actor is None:
        return other, None
    if {"by", "from", "with"}.intersection(before) or other < actor:
        return actor, other
    return actor, _introduced(sentence)


def _introduced(sentence: Sentence) -> int | None:
    norms = [token.norm for token in sentence.tokens]
    for place, norm in enumerate(norms):
        if norm in {"by", "from"}:
            for later in range(place + 1, min(place + 4, len(norms))):
                if norms[later] in NAMES - {"PLACE"}:
                    return later
    return None


def _joined(sentence: Sentence, first: int, second: int) -> bool:
    between = [token.norm for token in sentence.tokens[first + 1 : second]]
    return 0 < len(between) <= 2 and set(between) <= {"and", ","}


def _nearest(sentence: Sentence, hit: Hit, classes: set[str]) -> int | None:
    places = [place for place, token in enumerate(sentence.tokens) if token.norm in classes]
    if not places:
        return None

    def distance(place: int) -> tuple[int, int]:
        if hit.first <= place <= hit.last:
            return 0, place
        return (place - hit.last, place) if place > hit.last else (hit.first - place + 1, place)

    return min(places, key=distance)


def _party(sentence: Sentence, role: PartyRole, place: int) -> Party:
    token = sentence.tokens[place]
    return Party(role, _text(sentence, token), token.start, token.end)


def _text(sentence: Sentence, token: Token) -> str:
    return sentence.text[token.start : token.end]
