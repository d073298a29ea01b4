"""Vectors of words: a request in other words finds its passage, found words are left to decide."""

from uuid import uuid4

import numpy as np

from sightline.kit.clock import now
from sightline.search.analysis import Analyser
from sightline.search.index import Index
from sightline.search.meaning import DIMENSIONS, document_vectors, terms_vector
from sightline.search.query import read_query
from sightline.search.relevance import Relevance, Request
from sightline.search.retrieve import CorpusSearch, Searcher
from sightline.store.database import open_database
from tests.store.evidence_data import add_document
from tests.store.evidence_data import index as index_company

TEXTS = [
    ("", "Solvents were found in groundwater beneath the closed works and must be cleaned up."),
    ("", "The orchestra plays Mozart and Brahms in the concert hall on Sunday."),
    ("", "Cashiers at the supermarket sort vegetables and restock milk and bread."),
    ("", "Dockers unloaded the freighter although its cargo was late."),
]


def scores(request: str) -> list[float]:
    analyser = Analyser()
    found = document_vectors(Index(TEXTS, analyser)) @ terms_vector(
        read_query(request, analyser).terms
    )
    return [float(score) for score in found]


def test_texts_of_one_subject_are_alike() -> None:
    assert int(np.argmax(scores("toxic pollution of soil"))) == 0
    assert int(np.argmax(scores("symphony"))) == 1
    assert int(np.argmax(scores("grocery shops"))) == 2
    assert int(np.argmax(scores("shipping"))) == 3


def test_rows_have_length_1_or_say_nothing() -> None:
    analyser = Analyser()
    rows = document_vectors(Index([*TEXTS, ("", "zzyqx qqvv"), ("", "")], analyser))
    assert rows.shape == (6, DIMENSIONS)
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 1, 0, 0], atol=1e-5)
    assert not terms_vector(read_query("zzyqx", analyser).terms).any()
    assert document_vectors(Index([], analyser)).shape == (0, DIMENSIONS)


def test_a_request_in_other_words_finds_its_passage() -> None:
    assert CorpusSearch(TEXTS).search("pollution liabilities").documents[0] == 0


def test_words_that_are_found_decide_alone() -> None:
    """However the vectors speak, as long as one passage has all that was asked for."""
    analyser = Analyser()
    index = Index(TEXTS, analyser)
    searcher = Searcher(index.lengths, analyser)
    plain = searcher.search(index, "solvents groundwater")
    vectors = document_vectors(index)[::-1]
    found = searcher.search(index, "solvents groundwater", vectors=vectors)
    assert plain.documents.tolist() == found.documents.tolist() == [0]
    assert "sense" not in found.parts


async def test_a_stored_passage_is_found_in_other_words(database_url: str) -> None:
    workers = await open_database(database_url, role="sightline_worker", size=3)
    try:
        company_id = uuid4()
        await add_document(workers, company_id, [text for _, text in TEXTS])
        await index_company(workers, company_id)
        engine = Relevance()
        async with workers.connection() as connection:
            hits = await engine.search(connection, company_id, Request(now(), "contaminated water"))
            places = [hit.place for hit in hits]
            quoted = await engine.quote(connection, company_id, dict.fromkeys(places, 0), None)
            nothing = await engine.search(connection, company_id, Request(now(), "zzyqx"))
        assert quoted[places[0]].text == TEXTS[0][1]
        assert nothing == []
    finally:
        await workers.close()
