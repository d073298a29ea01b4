"""Evidence that a website belongs to the register entry of a company with its name.

A site says of itself what it likes, so its name alone is no proof that it is the site of a register's
company. What a register states of the site is proof, and is looked for elsewhere; where it states none,
the domain or the city have to fit as well.
"""

from collections.abc import Iterable, Iterator

from sightline.domain.names import fold, name_key

_MOST_WORDS = 12  # of a name


def fits_name(domain: str, names: Iterable[str]) -> bool:
    """Whether a domain is called like a company: by successive words of a name or by its initials."""
    label = domain.partition(".")[0].replace("-", "")
    return any(label in _labels(name) for name in names)


def fits(
    domains: Iterable[str], names: Iterable[str], cities: tuple[str | None, str | None]
) -> bool:
    """Whether a site of one of the domains may be that of a register's company of the names. `cities`
    are what each of the two says of its seat."""
    here, there = (fold(city or "") for city in cities)
    if here and here == there:
        return True
    called = tuple(names)
    return any(fits_name(domain, called) for domain in domains)


def _labels(name: str) -> Iterator[str]:
    """Runs of a name's words, and initials of all of them, with and without "and" and its legal form."""
    for folded in (fold(name), name_key(name)):
        every = folded.split()[:_MOST_WORDS]
        for words in (every, [word for word in every if word != "and"]):
            for start in range(len(words)):
                for end in range(start + 1, len(words) + 1):
                    yield "".join(words[start:end])
            if len(words) > 1:
                yield "".join(word[0] for word in words)
