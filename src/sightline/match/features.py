"""What two companies have in common, as numbers: all pairs of a batch at once, no loop over pairs."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel, JaroWinkler, LCSseq, Levenshtein, Prefix

from sightline.match.grams import cosines
from sightline.match.records import Block, Floats, Ints, Lexicon

Matrix = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_WORD, _GENERIC, _PLACE, _NUMBER, _FILLER = range(5)
_KNOWN: Final = 0.7
"""Words less alike than this have nothing in common."""

_FILLER_COMMON: Final = 900

NAME_FEATURES: Final = (
    "same_words", "word_overlap", "word_containment", "overlap_high", "overlap_low",
    "word_replaced", "word_added", "generic_replaced", "generic_added", "place_replaced",
    "place_added", "number_differs", "number_added", "number_same", "first_word", "spelling",
    "consonants", "spelling_high", "squeezed_same", "acronym", "shared_rarity", "legal_form_same",
    "legal_form_differs", "other_script", "other_script_consonants", "one_short_word", "word_coverage",
    "near_words", "near_words_other_script", "anything_replaced", "replaced_other_script",
    "coverage_high", "coverage_middle",
    "filler_replaced", "filler_added", "cosine",
)  # fmt: skip
RECORD_FEATURES: Final = (
    "country_same", "country_differs", "city_same", "city_near", "city_differs", "address_same",
    "address_differs", "domain_same", "domain_differs", "ticker_same", "ticker_differs",
    "lei_same", "lei_differs", "place_is_other_country", "city_differs_names_weak",
    "city_same_names_weak", "place_unknown", "city_differs_one_word", "lead",
)  # fmt: skip
FEATURES: Final = (*NAME_FEATURES, *RECORD_FEATURES)


def name_features(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Matrix:
    """One row for each pair of names (row numbers of names), one column for each NAME_FEATURES."""
    words = _Words(left, left_at, right, right_at)
    alike = Indel.normalized_similarity
    squeezed = _strings(alike, left.squeezed, left_at, right.squeezed, right_at)
    winkler = _strings(JaroWinkler.similarity, left.squeezed, left_at, right.squeezed, right_at)
    bare = _strings(alike, left.consonants, left_at, right.consonants, right_at)
    same_squeezed = (squeezed >= 1) | _same_joined(left, left_at, right, right_at)
    cosine = _cosines(left, left_at, right, right_at)
    spelling = (squeezed + winkler) / 2
    # "Face Book" is "Facebook", though no word of them agrees.
    cover_left = np.where(same_squeezed, 1, words.cover_left)
    cover_right = np.where(same_squeezed, 1, words.cover_right)
    overlap = np.where(same_squeezed, 1, words.overlap)
    low, high = np.minimum(cover_left, cover_right), np.maximum(cover_left, cover_right)
    common, form_differs = _forms(left, left_at, right, right_at)
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
        loose * words.replaced[_WORD],
        loose * words.added[_WORD],
        loose * words.replaced[_GENERIC],
        loose * words.added[_GENERIC],
        loose * words.replaced[_PLACE],
        loose * words.added[_PLACE],
        words.replaced[_NUMBER] > 0,
        loose * (words.added[_NUMBER] > 0),
        words.shared_number,
        words.first,
        spelling,
        bare,
        (spelling - 0.85).clip(0) * 6.7,
        same_squeezed,
        acronym,
        words.shared,
        common,
        form_differs,
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
        loose * words.replaced[_FILLER],
        loose * words.added[_FILLER],
        cosine,
    )
    found = np.stack([column.astype(np.float32) for column in columns], axis=1)
    _part_nameless(found, left.blank[left_at] | right.blank[right_at])
    return found


def _forms(left: Block, left_at: Ints, right: Block, right_at: Ints) -> tuple[Flags, Flags]:
    """Whether both names state a legal form of one class, and whether of different ones."""
    one, other = left.forms[left_at], right.forms[right_at]
    common: Flags = (one & other) > 0
    return common, (one > 0) & (other > 0) & ~common


def _same_joined(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Flags:
    """Whether two names are letter for letter the same but for blanks."""
    pairs = zip(left_at.tolist(), right_at.tolist(), strict=True)
    return np.array([left.joined[one] == right.joined[other] for one, other in pairs], np.bool_)


def _cosines(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Floats:
    grams = (*left.grams_of(left_at), *right.grams_of(right_at))
    return cosines(*grams, left.lexicon.gram_rarity)


def set_leads(features: Matrix, left_at: Ints) -> None:
    """Fill in the column "lead": by how much a candidate is nearer than the nearest of the others."""
    cosine = features[:, FEATURES.index("cosine")]
    if not len(cosine):
        return
    order = np.lexsort((-cosine, left_at))
    rows, sorted_ = left_at[order], cosine[order]
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    sizes = np.diff(np.append(starts, len(rows)))
    best = np.repeat(sorted_[starts], sizes)
    second = np.where(sizes > 1, sorted_[np.minimum(starts + 1, len(rows) - 1)], 0)
    lead = sorted_ - best
    lead[starts] = sorted_[starts] - second
    features[order, FEATURES.index("lead")] = lead


def _part_nameless(found: Matrix, blank: Flags) -> None:
    """Two rows without a name have nothing in common."""
    found[blank] = 0
    found[blank, NAME_FEATURES.index("anything_replaced")] = 3


def record_features(
    left: Block, left_at: Ints, right: Block, right_at: Ints, overlap: Floats
) -> Matrix:
    """One row for each pair of records, one column for each of RECORD_FEATURES.

    ``overlap`` is the pair's best word_overlap: another city says less when the names are equal.
    """
    texts = left.lexicon.text_list
    country = _compare(left.country[left_at], right.country[right_at])
    domain = _compare(left.domain[left_at], right.domain[right_at])
    ticker = _compare(left.ticker[left_at], right.ticker[right_at])
    lei = _compare(left.lei[left_at], right.lei[right_at])
    city, city_known = _alike(texts, left.city[left_at], right.city[right_at])
    address, address_known = _alike(texts, left.address[left_at], right.address[right_at])
    city_same = city_known & (city >= 0.9)
    city_differs = city_known & (city < 0.75)
    columns = (
        country[0],
        country[1],
        city_same,
        city_known & ~city_same & ~city_differs,
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
        np.zeros(len(left_at)),
    )
    return np.stack([column.astype(np.float32) for column in columns], axis=1)


def _one_word(left: Block, left_at: Ints, right: Block, right_at: Ints) -> Flags:
    """Whether both records' first names are of one word: such names are soon taken twice."""
    found: Flags = np.ones(len(left_at), np.bool_)
    for block, at in ((left, left_at), (right, right_at)):
        name = block.first[at]
        found &= block.word_start[name + 1] - block.word_start[name] == 1
    return found


class _Words:
    """Words of the left names laid against words of the right names, each to its best partner."""

    def __init__(self, left: Block, left_at: Ints, right: Block, right_at: Ints) -> None:
        lexicon = left.lexicon
        weights = lexicon.weights()
        kinds, commonness, lengths, _ = lexicon.columns()
        sizes_left = left.word_start[left_at + 1] - left.word_start[left_at]
        sizes_right = right.word_start[right_at + 1] - right.word_start[right_at]
        pairs = len(left_at)
        # One slot for each word of each pair; one cell for each two words of a pair.
        slot_left, pair_left = _slots(left.word_start[left_at], sizes_left)
        slot_right, pair_right = _slots(right.word_start[right_at], sizes_right)
        start_right = np.cumsum(sizes_right) - sizes_right
        cells = sizes_right[pair_left]
        cell_right, cell_left = _slots(start_right[pair_left], cells)
        ids_left, ids_right = left.words[slot_left], right.words[slot_right]
        alike = _word_similarity(lexicon, kinds, ids_left[cell_left], ids_right[cell_right])
        self.best_left = _maximum(alike, cell_left, len(ids_left))
        self.best_right = _maximum(alike, cell_right, len(ids_right))
        weight_left, weight_right = weights[ids_left], weights[ids_right]
        total_left = np.bincount(pair_left, weight_left, pairs)
        total_right = np.bincount(pair_right, weight_right, pairs)
        shared_left = np.bincount(pair_left, weight_left * self.best_left, pairs)
        shared_right = np.bincount(pair_right, weight_right * self.best_right, pairs)
        self.cover_left = shared_left / total_left
        self.cover_right = shared_right / total_right
        self.overlap = (shared_left + shared_right) / (total_left + total_right)
        self.shared = np.minimum(shared_left, shared_right).clip(0, 2.5)
        self.replaced: dict[int, npt.NDArray[np.float64]] = {}
        self.added: dict[int, npt.NDArray[np.float64]] = {}
        missing_left = weight_left * (1 - self.best_left)
        missing_right = weight_right * (1 - self.best_right)
        # "Group" and "Technologies" come and go; "Bank" and "Insurance" are two companies.
        kinds = np.where((kinds == _GENERIC) & (commonness >= _FILLER_COMMON), _FILLER, kinds)
        kind_left, kind_right = kinds[ids_left], kinds[ids_right]
        for kind in (_WORD, _GENERIC, _PLACE, _NUMBER, _FILLER):
            lone_left = np.bincount(pair_left, missing_left * (kind_left == kind), pairs)
            lone_right = np.bincount(pair_right, missing_right * (kind_right == kind), pairs)
            self.replaced[kind] = np.minimum(lone_left, lone_right)
            self.added[kind] = np.maximum(lone_left, lone_right) - self.replaced[kind]
        self.all_replaced = np.minimum(
            np.bincount(pair_left, missing_left, pairs),
            np.bincount(pair_right, missing_right, pairs),
        )
        inexact = (self.best_left > 0) & (self.best_left < 1)
        self.near = np.bincount(pair_left, weight_left * inexact, pairs)
        numbers = np.bincount(pair_left, (kind_left == _NUMBER) & (self.best_left == 1), pairs)
        self.shared_number = numbers > 0
        start_left = np.cumsum(sizes_left) - sizes_left
        self.first = (self.best_left[start_left] + self.best_right[start_right]) / 2
        self.sizes = (sizes_left, sizes_right)
        self.short = (np.minimum(sizes_left, sizes_right) == 1) & (
            np.minimum(lengths[ids_left[start_left]], lengths[ids_right[start_right]]) <= 3
        )


def _slots(starts: Ints, sizes: Ints) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The ranges ``starts[i] : starts[i] + sizes[i]`` one after another, and the i of each entry."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    before = np.cumsum(sizes) - sizes
    return np.arange(len(group)) + np.repeat(starts - before, sizes), group


def _maximum(values: Floats, group: npt.NDArray[np.int64], size: int) -> Floats:
    best = np.zeros(size, np.float32)
    np.maximum.at(best, group, values)
    return best


def _word_similarity(lexicon: Lexicon, kinds: Ints, left: Ints, right: Ints) -> Floats:
    """0 to 1 for each two words; numbers and known concepts are equal or not."""
    alike: Floats = (left == right).astype(np.float32)
    plain = (kinds[left] == _WORD) | (kinds[right] == _WORD)
    plain &= (kinds[left] != _NUMBER) & (kinds[right] != _NUMBER)
    at = np.flatnonzero(plain & (left != right))
    if not len(at):
        return alike
    keys = lexicon.keys
    near = _strings(JaroWinkler.similarity, keys, left[at], keys, right[at])
    at, near = at[near >= 0.6], near[near >= 0.6]
    if not len(at):
        return alike
    first = [keys[number] for number in left[at].tolist()]
    second = [keys[number] for number in right[at].tolist()]
    edits = process.cpdist(
        first, second, scorer=Levenshtein.normalized_similarity, dtype=np.float32
    )
    found = (near + edits) / 2
    bare = lexicon.consonants
    heard = _strings(Levenshtein.normalized_similarity, bare, left[at], bare, right[at])
    _, _, lengths, bones = lexicon.columns()
    size = np.minimum(lengths[left[at]], lengths[right[at]])
    longer = np.maximum(lengths[left[at]], lengths[right[at]])
    # Vowels are what schemes of transliteration and scripts without vowels differ in.
    solid = np.minimum(bones[left[at]], bones[right[at]]) >= 3
    found = np.maximum(found, np.where(solid & (heard == 1), 0.9, 0))
    # "Pharm" for Pharmaceuticals; the shorter the beginning, the less it says.
    begins = process.cpdist(first, second, scorer=Prefix.similarity, dtype=np.int32) == size
    found = np.maximum(found, np.where(begins & (size >= 4), 0.75 + 0.2 * size / longer, 0))
    found = np.maximum(found, np.where(begins & (size == 3), 0.72, 0))
    # "Mfg" for Manufacturing: its letters in order and no vowel among them.
    inside = process.cpdist(first, second, scorer=LCSseq.similarity, dtype=np.int32) == size
    clipped = (
        inside
        & (size >= 3)
        & (
            size
            == np.where(lengths[left[at]] <= lengths[right[at]], bones[left[at]], bones[right[at]])
        )
        & (longer >= size + 3)
    )
    found = np.maximum(found, np.where(clipped, 0.75, 0))
    found = np.where(found >= _KNOWN, found, 0)
    alike[at] = found.clip(0, 0.97)
    return alike


def _acronyms(left: Block, left_at: Ints, right: Block, right_at: Ints, words: "_Words") -> Floats:
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
            letters, initials = one.bare[one_at[at]], many.initials[many_at[at]]
            if letters == initials:
                found[at] = 1
            elif len(initials) <= len(letters) + 3 and _in_order(letters, initials):
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


def _strings(
    scorer: Callable[..., float], left: list[str], left_at: Ints, right: list[str], right_at: Ints
) -> Floats:
    """One scorer over pairs of texts."""
    first = [left[number] for number in left_at.tolist()]
    second = [right[number] for number in right_at.tolist()]
    found: Floats = process.cpdist(first, second, scorer=scorer, dtype=np.float32)
    return found
