"""Words of a question and of evidence in one form, so that they can be compared.

Only ever used on the event loop's thread: the analyser is not made for two.
"""

from collections.abc import Sequence
from functools import cache

from sightline.search.analysis import Analyser
from sightline.search.synonyms import thesaurus
from sightline.search.vocabulary import FRAME_WORDS

# Words that a question about any company has, beside those of every question.
_FRAMING = frozenset(
    [
        *FRAME_WORDS,
        *"""company companies business firm corporation organization organisation group enterprise
        please currently current latest recent recently now today name names named called list many
        much main major key big biggest large largest top important total overall say says said
        state states stated report reports reported reporting year years fiscal annual annually quarter
        quarterly ago last past since exactly approximately roughly kind kinds sort anything everything
        any some one ones also ever still according tell share summary summarise summarize brief
        briefly hello hi thanks thank question answer wonder like would could long take place happen
        happened plan plans approach regard regards respect term terms think thing new specific
        specifically currently there""".split(),
    ]
)


@cache
def _analyser() -> Analyser:
    return Analyser()


def terms_of(text: str) -> set[str]:
    """The stems of all content words."""
    return {token.term for token in _analyser().tokens(text) if not token.function}


def term_of(word: str) -> str:
    """The stem of a word."""
    return _analyser().term(word)


@cache
def framing() -> frozenset[str]:
    """Stems of words that frame a question and name no subject."""
    return frozenset(_analyser().term(word) for word in _FRAMING)


def asked_terms(text: str) -> list[str]:
    """The stems of a question that name a subject, each once, in order."""
    found = [
        token.term for token in _analyser().tokens(text) if not (token.function or token.extra)
    ]
    return [term for term in dict.fromkeys(found) if term not in framing() and len(term) > 1]


@cache
def other_words(term: str) -> tuple[tuple[str, ...], ...]:
    """What else says the same as a stem: each some stems that must stand side by side."""
    return tuple(sorted(thesaurus(_analyser()).get((term,), ())))


def covers(term: str, held: set[str]) -> bool:
    """Whether a text of these stems speaks of the term, in this or another word for it."""
    return term in held or any(
        phrase[0] in held if len(phrase) == 1 else _joined(phrase) in held
        for phrase in other_words(term)
    )


def said_in(text: str) -> set[str]:
    """The stems of a text, and its runs of two to four of them, so that phrases can be found."""
    stems = [
        token.term for token in _analyser().tokens(text) if not (token.function or token.extra)
    ]
    runs = {
        _joined(stems[at : at + size]) for size in (2, 3, 4) for at in range(len(stems) - size + 1)
    }
    return terms_of(text) | runs


def _joined(stems: Sequence[str]) -> str:
    return " ".join(stems)
