"""Other words of business for what was asked."""

from sightline.search.analysis import Analyser
from sightline.search.index import Index
from sightline.search.query import SYNONYM_WEIGHT, read_query
from sightline.search.retrieve import CorpusSearch, Searcher
from sightline.search.synonyms import GROUPS, thesaurus

TEXTS = [
    ("Costs", "Severance was paid when 300 roles ended in the spring."),
    ("Energy", "A reduction of emissions at every site is planned."),
    ("People", "Our chief executive officer visits every site."),
]


def test_a_request_finds_what_is_said_in_other_words() -> None:
    corpus = CorpusSearch(TEXTS, business=True)
    assert corpus.search("layoffs").documents[0] == 0
    assert corpus.search("CEO").documents[0] == 2
    index = Index(TEXTS, Analyser())
    found = Searcher(index.lengths, Analyser()).search(index, "layoffs")
    assert len(found.documents) == 0


def test_what_was_said_weighs_more_than_what_was_not() -> None:
    query = read_query("layoffs", Analyser(), business=True)
    said = set(query.terms) - set(query.stands_for)
    assert {query.terms[term] for term in said} == {1.0}
    assert max(query.terms[term] for term in query.stands_for) == SYNONYM_WEIGHT


def test_a_rare_synonym_counts_no_more_than_a_common_word_that_was_said() -> None:
    texts = [("", "the merger closed")] * 12 + [("", "a takeover panel met")]
    corpus = CorpusSearch(texts, business=True)
    assert corpus.search("merger").documents[0] == 0


def test_every_phrase_of_a_group_leads_to_the_others() -> None:
    analyser = Analyser()
    table = thesaurus(analyser)
    assert all(phrase not in others for phrase, others in table.items())
    assert all(phrase in table[other] for phrase, others in table.items() for other in others)
    assert len(table) >= len(GROUPS) * 2


def test_an_index_without_any_of_the_words_answers_nothing() -> None:
    analyser = Analyser()
    index = Index(TEXTS, analyser)
    assert not index.postings(list(read_query("tariffs", analyser, business=True).terms))
