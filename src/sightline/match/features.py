"""Similarity features of two companies, for all pairs of a batch at once without a loop over pairs."""

from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel, JaroWinkler

from sightline.match.grams import cosines
from sightline.match.records import Block, Flags, Floats, Ints
from sightline.match.vocabulary import CLASSES
from sightline.match.wording import FILLER, GENERIC, NUMBER, PLACE, WORD, Words, likeness

Matrix = npt.NDArray[np.float32]

_NEARLY: Final = 0.95
_NAMESAKES: Final = 0.3
"""Of equal names in different cities, the share that is two companies, as long as lists do not tell."""
_COMPANIES: Final = (1 << CLASSES.index("limited")) | (1 << CLASSES.index("stock"))
_TIE: Final = 0.02
"""Two records of the asking list that are nearly as near to a candidate may be one company twice."""
_NAMESAKES_SEEN: Final = 5
"""For how many observed names that assumption stands."""

NAME_FEATURES: Final = (
    "same_words", "word_overlap", "word_containment", "overlap_high", "overlap_low",
    "word_replaced", "word_added", "generic_replaced", "generic_added", "place_replaced",
    "place_added", "number_differs", "number_added", "number_same", "first_word", "spelling",
    "consonants", "spelling_high", "squeezed_same", "acronym", "shared_rarity", "legal_form_same",
    "legal_form_differs", "other_script", "other_script_consonants", "one_short_word", "word_coverage",
    "near_words", "near_words_other_script", "anything_replaced", "replaced_other_script",
    "coverage_high", "coverage_middle",
    "filler_replaced", "filler_added", "cosine", "nameless_added", "written_same", "written_spelling",
    "nameless", "nameless_named", "word_added_one_script",
)  # fmt: skip
RECORD_FEATURES: Final = (
    "country_same", "country_differs", "city_same", "city_near", "city_differs", "address_same",
    "address_differs", "domain_same", "domain_differs", "ticker_same", "ticker_differs",
    "lei_same", "lei_differs", "place_is_other_country", "city_differs_names_weak",
    "city_same_names_weak", "place_unknown", "city_differs_one_word", "city_differs_namesakes", "lead",
    "city_around", "name_at_place", "claimed_nearer", "nameless_elsewhere",
)  # fmt: skip
FEATURES: Final = (*NAME_FEATURES, *RECORD_FEATURES)


def name_features(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Matrix:
    """One row for each pair of names (row numbers of names), one column for each NAME_FEATURES."""
    words = Words(left, left_at, right, right_at)
    written = likeness(Indel.normalized_similarity, left.written, left_at, right.written, right_at)
    same_squeezed, spelling, bare = _spellings(left, left_at, right, right_at, words)
    same_squeezed |= written >= 1
    cosine = _cosines(left, left_at, right, right_at)
    # "Face Book" is "Facebook", though no word of them agrees.
    cover_left = np.where(same_squeezed, 1, words.cover_left)
    cover_right = np.where(same_squeezed, 1, words.cover_right)
    overlap = np.where(same_squeezed, 1, words.overlap)
    low, high = np.minimum(cover_left, cover_right), np.maximum(cover_left, cover_right)
    scripts = left.latin[left_at] != right.latin[right_at]
    acronym = _acronyms(left, left_at, right, right_at, words)
    # An acronym shares no word with what it stands for: that is no sign against it.
    loose = ~same_squeezed & (acronym == 0)
    columns = (
        low >= 0.999,
        overlap,
        high,
        (overlap - 0.8).clip(0) * 5,
        loose * (0.5 - overlap).clip(0) * 2,
        loose * words.replaced[WORD],
        loose * words.added[WORD],
        loose * words.replaced[GENERIC],
        loose * words.added[GENERIC],
        loose * words.replaced[PLACE],
        loose * words.added[PLACE],
        words.replaced[NUMBER] > 0,
        loose * (words.added[NUMBER] > 0),
        words.shared_number,
        words.first,
        spelling,
        bare,
        (spelling - 0.85).clip(0) * 6.7,
        same_squeezed,
        acronym,
        words.shared,
        *_forms(left, left_at, right, right_at),
        scripts,
        loose * scripts * bare * (1 - overlap),
        words.short,
        low,
        loose * ~scripts * words.near,
        loose * scripts * words.near,
        loose * ~scripts * words.all_replaced,
        loose * scripts * words.all_replaced,
        (low - 0.8).clip(0) * 5,
        (low - 0.5).clip(0) * 2,
        loose * words.replaced[FILLER],
        loose * words.added[FILLER],
        cosine,
        loose * words.nameless * words.all_added,
        written >= 1,
        (written - 0.5).clip(0) * 2,
        *_own_words(words, loose, scripts),
    )
    found = np.stack([column.astype(np.float32) for column in columns], axis=1)
    _part_nameless(found, left.blank[left_at] | right.blank[right_at])
    return found


def _spellings(
    left: Block, left_at: Ints, right: Block, right_at: Ints, words: Words
) -> tuple[Flags, Floats, Floats]:
    """Whether names are the same but for blanks; how alike their letters and consonants are."""
    alike = Indel.normalized_similarity
    squeezed = likeness(alike, left.squeezed, left_at, right.squeezed, right_at)
    winkler = likeness(JaroWinkler.similarity, left.squeezed, left_at, right.squeezed, right_at)
    bare = likeness(alike, left.consonants, left_at, right.consonants, right_at)
    # Blanks may stand anywhere ("Chong Song"): then nearly equal letters are the same words, unless
    # the letter too many is a number.
    counted = (words.replaced[NUMBER] > 0) | (words.added[NUMBER] > 0)
    parted = (words.sizes[0] != words.sizes[1]) & (squeezed >= _NEARLY) & ~counted
    same: Flags = (squeezed >= 1) | parted | _same_joined(left, left_at, right, right_at)
    spelling: Floats = ((squeezed + winkler) / 2).astype(np.float32)
    return same, spelling, bare


def _own_words(words: Words, loose: Flags, scripts: Flags) -> tuple[Flags, Floats, Floats]:
    """Whether no word in common is anybody's own, and what words of their own one name has more: next
    to such names, and in names of one script.
    """
    added = (loose * words.added[WORD]).astype(np.float32)
    return words.nameless, words.nameless * added, ~scripts * added


def _forms(left: Block, left_at: Ints, right: Block, right_at: Ints) -> tuple[Flags, Flags]:
    """Whether both names state a legal form of one class, and whether one is a stock company and the
    other a limited one, in Latin letters: of other forms and scripts translations differ.
    """
    one, other = left.forms[left_at], right.forms[right_at]
    common: Flags = (one & other) > 0
    latin = left.latin[left_at] & right.latin[right_at]
    return common, latin & ((one | other) == _COMPANIES) & (one > 0) & (other > 0) & ~common


def _same_joined(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Flags:
    """Whether two names are letter for letter the same but for blanks."""
    pairs = zip(left_at.tolist(), right_at.tolist(), strict=True)
    return np.array([left.joined[one] == right.joined[other] for one, other in pairs], np.bool_)


def _cosines(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Floats:
    grams = (*left.grams_of(left_at), *right.grams_of(right_at))
    return cosines(*grams, left.lexicon.gram_rarity)


def set_context(
    features: Matrix, left_at: Ints, right_at: Ints, asked: int, namesakes: float
) -> None:
    """Fill in the columns that need all candidates of a batch of records.

    ``asked`` is the number of records, ``namesakes`` the share of candidates with a namesake elsewhere.
    """
    if len(features):
        near = _nearness(features)
        features[:, FEATURES.index("lead")] = _leads(near, left_at)
        claimed = _leads(near, right_at).clip(-1, 0)
        features[:, FEATURES.index("claimed_nearer")] = claimed * (claimed < -_TIE)
        differs = features[:, FEATURES.index("city_differs")]
        share = _two_companies(features, left_at, asked, namesakes)
        features[:, FEATURES.index("city_differs_namesakes")] = differs * share


def _two_companies(features: Matrix, left_at: Ints, asked: int, namesakes: float) -> float:
    """Of equal names in different cities, the share that must be two companies, 0 to 1.

    Lists with many namesakes have as many of them by chance; what is more are companies that one of
    the lists has elsewhere.
    """
    equal = features[:, FEATURES.index("same_words")] > 0
    agree, differ = np.zeros(asked, np.bool_), np.zeros(asked, np.bool_)
    agree[left_at[equal & (features[:, FEATURES.index("city_same")] > 0)]] = True
    differ[left_at[equal & (features[:, FEATURES.index("city_differs")] > 0)]] = True
    by_chance = namesakes * float((~agree).sum())
    seen = float((differ & ~agree).sum())
    share = (by_chance + _NAMESAKES * _NAMESAKES_SEEN) / (seen + _NAMESAKES_SEEN)
    return min(share, 1.0)


def _nearness(features: Matrix) -> Floats:
    """How near a candidate is at first sight: the likeness of the names, and the place."""
    near = features[:, FEATURES.index("cosine")]
    near = np.maximum(near, 0.95 * features[:, FEATURES.index("squeezed_same")])
    near = np.maximum(near, 0.8 * (features[:, FEATURES.index("acronym")] >= 1))
    begins = (
        features[:, FEATURES.index("first_word")] * features[:, FEATURES.index("word_containment")]
    )
    near = np.maximum(near, 0.6 * begins * (features[:, FEATURES.index("shared_rarity")] > 0.7))
    shares = (
        ("city_same", 0.2),
        ("city_around", 0.15),
        ("country_same", 0.1),
        ("written_same", 0.1),
    )
    for name, share in shares:
        near = near + share * features[:, FEATURES.index(name)]
    found: Floats = near
    return found


def leads_without(features: Matrix, left_at: Ints, gone: Flags) -> Floats:
    """The column "lead" of the rows that are not ``gone``, as if those rows had never been there."""
    return _leads(_nearness(features[~gone]), left_at[~gone])


def _leads(near: Floats, group: Ints) -> Floats:
    """By how much each is nearer than the nearest of the others in its group."""
    order = np.lexsort((-near, group))
    rows, sorted_ = group[order], near[order]
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    sizes = np.diff(np.append(starts, len(rows)))
    best = np.repeat(sorted_[starts], sizes)
    second = np.where(sizes > 1, sorted_[np.minimum(starts + 1, len(rows) - 1)], 0)
    lead = sorted_ - best
    lead[starts] = sorted_[starts] - second
    found: Floats = np.empty_like(near)
    found[order] = lead
    return found


def _part_nameless(found: Matrix, blank: Flags) -> None:
    """Two rows without a name have nothing in common."""
    found[blank] = 0
    found[blank, NAME_FEATURES.index("anything_replaced")] = 3


def record_features(
    left: Block, left_at: Ints, right: Block, right_at: Ints, names: Matrix
) -> Matrix:
    """One row for each pair of records, one column for each of RECORD_FEATURES.

    ``names`` are the pairs' name features: another city says less when the names are equal.
    """
    texts = left.lexicon.text_list
    # Initials share no word with what they stand for.
    initials = names[:, NAME_FEATURES.index("acronym")] >= 1
    overlap = np.where(initials, 1, names[:, NAME_FEATURES.index("word_overlap")])
    country = _compare(left.country[left_at], right.country[right_at])
    domain = _compare(left.domain[left_at], right.domain[right_at])
    ticker = _compare(left.ticker[left_at], right.ticker[right_at])
    lei = _compare(left.lei[left_at], right.lei[right_at])
    city, city_known = _alike(texts, left.city[left_at], right.city[right_at])
    address, address_known = _alike(texts, left.address[left_at], right.address[right_at])
    city_same = city_known & (city >= 0.9)
    around = ~city_same & ~country[1] & same_area(left.areas[left_at], right.areas[right_at])
    city_differs = city_known & (city < 0.75) & ~around
    # Numbered as in the docstring of _relations; 0 where nothing is known about the place.
    place = np.select([country[1], city_same | around, city_differs, country[0]], [4, 1, 2, 3], 0)
    columns = (
        country[0],
        country[1],
        city_same,
        city_known & ~city_same & ~city_differs & ~around,
        city_differs,
        address_known & (address >= 0.8),
        address_known & (address < 0.5),
        *domain,
        *ticker,
        *lei,
        country[1] * (1 - overlap),
        city_differs * (1 - overlap),
        city_same * (1 - overlap),
        ~city_known & ~country[0] & ~country[1],
        city_differs & _one_word(left, left_at, right, right_at),
        city_differs * _NAMESAKES,
        np.zeros(len(left_at)),
        around,
        _relations(names) * 5 + place,
        np.zeros(len(left_at)),
        country[1] * names[:, NAME_FEATURES.index("nameless")],
    )
    return np.stack([column.astype(np.float32) for column in columns], axis=1)


def _relations(names: Matrix) -> Ints:
    """How two names go together, as a number: 0 in no plain way, 1 one has filling words more, 2 generic
    ones, 3 a place, 4 a word of its own, 5 one is the other's initials, 6 only spelling schemes
    differ, 7 the same.
    """
    column = {name: names[:, at] for at, name in enumerate(NAME_FEATURES)}
    contained = (column["anything_replaced"] < 0.05) & (column["word_overlap"] > 0.2)
    contained &= column["nameless_added"] < 0.05
    added = [contained & (column[f"{kind}_added"] > 0.05) for kind in ("word", "place", "generic")]
    found: Ints = np.select(
        [
            column["written_same"] > 0,
            column["same_words"] > 0,
            column["acronym"] > 0,
            *added,
            contained,
        ],
        [7, 6, 5, 4, 3, 2, 1],
        0,
    ).astype(np.int32)
    return found


def same_area(left: Ints, right: Ints) -> Flags:
    """Whether two cities, by their areas, lie around one large city."""
    found: Flags = np.zeros(len(left), np.bool_)
    for one in range(left.shape[1]):
        for other in range(right.shape[1]):
            found |= (left[:, one] > 0) & (left[:, one] == right[:, other])
    return found


def _one_word(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Flags:
    """Whether both records' first names are of one word: such names are soon taken twice."""
    found: Flags = np.ones(len(left_at), np.bool_)
    for block, at in ((left, left_at), (right, right_at)):
        name = block.first[at]
        found &= block.word_start[name + 1] - block.word_start[name] == 1
    return found


def _acronyms(left: Block, left_at: Ints, right: Block, right_at: Ints, words: Words) -> Floats:
    """1 where one name is the initials of the other ("IBM"), 0.7 where it skips some of them.

    Fewer than three initials are none.
    """
    found = np.zeros(len(left_at), np.float32)
    ways = (
        (left, left_at, right, right_at, words.sizes[1]),
        (right, right_at, left, left_at, words.sizes[0]),
    )
    for one, one_at, many, many_at, size in ways:
        for at in np.flatnonzero(one.could_be_acronym[one_at] & (size >= 2)).tolist():
            letters = one.bare[one_at[at]]
            several = many.initials[many_at[at]]
            if letters in several:
                found[at] = 1
            elif any(
                len(each) <= len(letters) + 3 and _in_order(letters, each) for each in several
            ):
                found[at] = max(found[at], 0.7)
    return found


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return letters[0] == text[:1] and all(letter in rest for letter in letters)


def _compare(left: Ints, right: Ints) -> tuple[Flags, Flags]:
    """Whether two numbers are the same, and whether they differ; neither when one is absent."""
    known = (left > 0) & (right > 0)
    return known & (left == right), known & (left != right)


def _alike(texts: list[str], left: Ints, right: Ints) -> tuple[Floats, Flags]:
    """How alike two texts are, from 0 to 1, and whether both are there."""
    known = (left > 0) & (right > 0)
    alike: Floats = (known & (left == right)).astype(np.float32)
    at = np.flatnonzero(known & (left != right))
    if len(at):
        first = [texts[number] for number in left[at]]
        second = [texts[number] for number in right[at]]
        sets = process.cpdist(first, second, scorer=fuzz.token_set_ratio, dtype=np.float32) / 100
        near = process.cpdist(first, second, scorer=JaroWinkler.similarity, dtype=np.float32)
        alike[at] = np.maximum(sets, np.minimum(near, 0.93))
    return alike, known
