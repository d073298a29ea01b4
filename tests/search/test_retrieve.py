"""Searching words: what comes first, on a small invented corpus."""

import numpy as np
import pytest

from sightline.search.analysis import Analyser
from sightline.search.index import Index
from sightline.search.lexical import Matcher
from sightline.search.query import read_query
from sightline.search.retrieve import CorpusSearch, Searcher, best_documents

TEXTS = [
    ("Plant opening", "The maker opened a plant in Porto that builds electric pumps for ships."),
    ("Annual results", "Revenue rose to 4.2 billion as demand for electric pumps grew in Asia."),
    ("New finance chief", "Ana Prado becomes chief financial officer; she led finance at Norvik."),
    (
        "Careers",
        "We look for welders, and for a financial analyst who reports to the chief accountant.",
    ),
    ("Who we are", "Founded by two sailors, we serve harbours everywhere."),
    ("Data base products", "Our database stores readings of every pump at sea."),
    ("Legal", "The privacy enhanced mail (PEM) format holds certificates."),
]


@pytest.fixture(scope="module")
def corpus() -> CorpusSearch:
    return CorpusSearch(TEXTS)


def first(corpus: CorpusSearch, text: str) -> int:
    return int(corpus.search(text).documents[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("electric pump revenue", 1),
        ("new plants in Porto", 0),
        ("chief financial officer", 2),
        ("who we are", 4),
        ("data-base", 5),
        ("What is known about the openings of plants?", 0),
        ("fnancial analyts", 3),
    ],
)
def test_first_hit(corpus: CorpusSearch, text: str, expected: int) -> None:
    assert first(corpus, text) == expected


def test_neighbouring_words_beat_scattered_ones() -> None:
    analyser = Analyser()
    index = Index(
        [
            ("", "the chief of the yard asked a financial clerk and an officer came"),
            ("", "the chief financial officer of the yard asked a clerk who came"),
        ],
        analyser,
    )
    query = read_query("chief financial officer", analyser)
    scores = Matcher(index.lengths).score(query, index.postings(list(query.terms)))
    assert scores[1] > scores[0] > 0


def test_a_title_weighs_more_than_a_body() -> None:
    analyser = Analyser()
    texts = [("harbour pumps", "made of steel here"), ("made of steel", "harbour pumps here")]
    found = Searcher(Index(texts, analyser).lengths, analyser).search(
        Index(texts, analyser), "pumps"
    )
    assert found.documents.tolist() == [0, 1]


@pytest.mark.parametrize("text", ["", "the", "?!", "\x00", "zzzzqqqq", "word " * 3_000])
def test_any_request_has_an_answer(corpus: CorpusSearch, text: str) -> None:
    found = corpus.search(text)
    assert len(found.documents) == len(found.scores)
    assert np.all((found.scores >= 0) & (found.scores <= 1))


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_small_corpora_are_searched(size: int) -> None:
    found = CorpusSearch(TEXTS[:size]).search("plant in Porto")
    assert found.documents.tolist()[:1] == [0][:size]


def test_parts_add_up_to_the_score(corpus: CorpusSearch) -> None:
    found = corpus.search("electric pumps")
    total = sum(found.parts.values())
    assert np.allclose(total / total[0], found.scores / found.scores[0], atol=1e-5)


def test_only_allowed_documents_are_found() -> None:
    analyser = Analyser()
    index = Index(TEXTS, analyser)
    allowed = np.array([n != 1 for n in range(len(TEXTS))])
    steps = Searcher(index.lengths, analyser).steps("electric pumps", allowed=allowed)
    need = next(steps)
    need = steps.send(index.postings(need.terms))
    need = steps.send(index.contents(need.documents))
    with pytest.raises(StopIteration) as end:
        steps.send(index.postings(need.terms))
    documents = end.value.value.documents.tolist()
    assert documents[0] == 0
    assert 1 not in documents


def test_equal_scores_keep_the_order_of_the_documents() -> None:
    scores = np.array([0.5, 0.9, 0.5, 0.0, 0.5], np.float32)
    assert best_documents(scores, 3).tolist() == [1, 0, 2]
    assert best_documents(scores, 9).tolist() == [1, 0, 2, 4]


def test_an_embedding_model_is_heard_as_far_as_it_is_sure() -> None:
    """Likeness far out of the rest leads a passage found by words; likeness much like the rest's does not;
    words still order what the model holds equal."""
    analyser = Analyser()
    texts = [("", f"the crew painted hull number {n}") for n in range(40)]
    texts += [("", "the quay was repaired"), ("", "the dock was repaired after the storm")]
    index = Index(texts, analyser)
    searcher = Searcher(index.lengths, analyser)
    generator = np.random.default_rng(4)
    vague = generator.normal(0.3, 0.02, len(texts)).astype(np.float32)
    vague[40] = vague[41] = 0.3

    def first(meaning: np.ndarray[tuple[int], np.dtype[np.float32]], text: str) -> int:
        return int(searcher.search(index, text, meaning=meaning).documents[0])

    assert first(vague, "dock repaired") == 41
    sure = vague.copy()
    sure[40] = 0.9
    assert first(sure, "dock") == 40
    both = sure.copy()
    both[41] = 0.9
    assert first(both, "dock") == 41
    flat = np.full(len(texts), 0.5, np.float32)
    assert first(flat, "dock") == 41
    found = searcher.search(index, "dock", meaning=sure)
    assert np.all((found.scores >= 0) & (found.scores <= 1))


def test_a_model_and_words_together_lead_each_alone() -> None:
    """Passages that a pretended model and the words find alike come before those that one finds."""
    texts = [("", f"report {n} on harbours") for n in range(30)]
    texts += [("", "pumps for the quay"), ("", "pumps for bakeries"), ("", "machines of the wharf")]
    meaning = np.full(len(texts), 0.1, np.float32)
    meaning[:30] += np.linspace(0.0, 0.05, 30, dtype=np.float32)
    meaning[[30, 32]] = 0.8
    found = CorpusSearch(texts).search("pumps dock", meaning=meaning)
    assert found.documents[0] == 30
    assert set(found.documents[1:3].tolist()) == {31, 32}
