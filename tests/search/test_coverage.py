"""What a company says nothing on has no answer, however many ordinary words the request shares with it."""

import numpy as np
import pytest

from sightline.search.analysis import Analyser
from sightline.search.coverage import answering, read_coverage, says_otherwise
from sightline.search.index import Index
from sightline.search.meaning import document_vectors, spellings
from sightline.search.query import read_query
from sightline.search.retrieve import CorpusSearch, Found, Searcher

SUBJECTS = (
    "The mortgage program for first buyers closed in spring.",
    "Deposits grew in every branch and the price of funds rose.",
    "Our directors met the auditors before the annual meeting of shareholders.",
    "The bank bought a lender in Porto and opened two branches there.",
    "Customers open an account by telephone and sign in at home.",
    "Losses on loans to shops were small as the season was good.",
)
TEXTS = [
    ("", "Solvents were found in groundwater beneath the closed works."),
    *(("", f"{subject} Item {n} of the report.") for n in range(20) for subject in SUBJECTS),
]


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(TEXTS, Analyser())


def search(index: Index, text: str) -> Found:
    searcher = Searcher(index.lengths, Analyser(), business=True)
    return searcher.search(index, text, vectors=document_vectors(index))


@pytest.mark.parametrize(
    "text", ["Zyntrix loyalty program", "zwqx florb report", "crocodile price", "Brimble funds"]
)
def test_what_nobody_says_has_no_answer(index: Index, text: str) -> None:
    assert len(search(index, text).documents) == 0
    assert len(CorpusSearch(TEXTS).search(text).documents) > 0  # a corpus is ranked, not asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mortgage program", "mortgage"),
        ("lender bought in Porto", "Porto"),
        ("losses went up on loans", "Losses"),  # "went" is in no passage, and need not be
        ("groundwater pollution", "groundwater"),
    ],
)
def test_what_is_said_is_found(index: Index, text: str, said: str) -> None:
    found = search(index, text)
    assert said in TEXTS[found.documents[0]][1]


def test_a_slip_of_the_pen_is_understood(index: Index) -> None:
    found = search(index, "morgtage program")
    assert "mortgage" in TEXTS[found.documents[0]][1]


def test_slips_are_of_one_letter_within_an_unknown_word() -> None:
    stem = Analyser().term
    for slip, meant in (
        ("recieve", "receive"), ("aquisition", "acquisition"), ("restaurrant", "restaurant"),
        ("inventroy", "inventory"), ("saftey", "safety"),
    ):  # fmt: skip
        assert stem(meant) in spellings(stem(slip))
    assert spellings("mortgag") == []
    assert all(word.startswith("q") for word in spellings("quarttr"))
    assert spellings("ctas") == spellings("c3po9") == []


def test_another_spelling_of_a_compound_counts_as_said() -> None:
    analyser = Analyser()
    index = Index([("", "We sell aircraft parts."), ("", "We sell shoes.")], analyser)
    query = read_query("air-craft", analyser)
    coverage = read_coverage(query, index.postings(list(query.terms)), index.lengths)
    assert coverage.said.tolist() == [1.0, 0.0]
    assert answering(coverage).tolist() == [True, False]
    for text in ("air-craft", "air craft", "aircraft"):
        assert Searcher(index.lengths, analyser).search(index, text).documents.tolist() == [0]


def test_bounds_of_time_and_kind_bound_the_answer(index: Index) -> None:
    analyser = Analyser()
    query = read_query("mortgage program", analyser)
    coverage = read_coverage(query, index.postings(list(query.terms)), index.lengths)
    assert answering(coverage).any()
    assert not answering(coverage, coverage.said < 0.5).any()


def test_what_remains_must_be_like_in_meaning(index: Index) -> None:
    analyser = Analyser()
    query = read_query("contaminated water", analyser)
    coverage = read_coverage(query, index.postings(list(query.terms)), index.lengths)
    contents = index.contents(np.arange(3, dtype=np.int32))
    assert says_otherwise(coverage, contents).tolist() == [True, False, False]
    assert says_otherwise(coverage, []).tolist() == []


@pytest.mark.parametrize("text", ["", "the", "who we are", "?!", "客户", "word " * 3_000])
def test_any_request_can_be_asked(index: Index, text: str) -> None:
    assert len(search(index, text).documents) <= len(TEXTS)
    assert len(search(Index([], Analyser()), text).documents) == 0
