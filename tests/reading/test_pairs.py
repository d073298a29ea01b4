"""The pairs that models are tried on: enough of each kind, quotes verbatim, decided by meaning alone."""

from collections import Counter
from itertools import pairwise

from sightline.reading.model_check import cost
from sightline.reading.pairs import KINDS, PARAPHRASE, pairs, sample
from sightline.reading.proof import claim_fault, stands


def test_there_are_enough_of_every_kind() -> None:
    kinds = Counter(pair.kind for pair in pairs())
    assert set(kinds) == {PARAPHRASE, *KINDS}
    assert kinds[PARAPHRASE] >= 100
    assert sum(kinds.values()) - kinds[PARAPHRASE] >= 100
    assert min(kinds.values()) >= 6
    assert len({pair.claim.mark for pair in pairs()}) == len(pairs())


def test_every_quote_stands_in_a_passage_that_says_more() -> None:
    for pair in pairs():
        [quoted] = pair.claim.quotes
        assert stands(quoted.quote, quoted.context), quoted.quote
        assert len(quoted.context) > 500, pair.claim.company
        assert len(quoted.quote) < len(quoted.context) / 2


def test_only_the_meaning_decides() -> None:
    """No number, date or name gives a falsehood away, and none stands in the way of a paraphrase."""
    found = {p.claim.text: claim_fault(p.claim) for p in pairs()}
    assert {text: fault for text, fault in found.items() if fault} == {}


def test_the_whole_check_takes_a_dozen_requests() -> None:
    assert cost(pairs()).requests <= 12
    assert cost(pairs()).tokens < 100_000


def test_a_sample_is_mixed_and_the_same_each_time() -> None:
    some = sample(40)
    assert len(some) == 40
    assert some == sample(40)
    assert 8 <= sum(pair.is_true for pair in some) <= 32
    assert len({pair.claim.company for pair in some}) > 15


def test_the_order_does_not_give_them_away() -> None:
    order = [pair.is_true for pair in pairs()]
    changes = sum(a is not b for a, b in pairwise(order))
    assert changes > len(order) / 3
