"""How quotes are cut, read and chosen, on invented passages."""

from dataclasses import replace
from typing import cast
from uuid import UUID

import numpy as np
import pytest

from sightline.reading import answers
from sightline.reading.answers import (
    Candidate,
    answer_heads,
    coverage,
    heads_for,
    lexical_share,
    measured,
    quotable,
    token_weights,
)
from sightline.reading.bundled import BundledFileIsBroken
from sightline.reading.encoder import Encoder
from sightline.reading.onnx_encoder import OnnxEncoder
from sightline.search import quotes
from sightline.search.quotes import Quote, Quotes, find_quotes
from sightline.store.database import Database
from tests.api.asking import WORDS, store_company
from tests.conftest import Tenant
from tests.search.stored import stored_passage

NO = UUID(int=1)


def quote(text: str) -> Quote:
    return Quote(text, 0.5, 0.4, 0.3, 0, stored_passage(text, heading="Depots"))


def test_the_share_counts_rare_words_more_and_takes_the_best_wording() -> None:
    weights = {"depot": 3.0, "how": 0.5, "mani": 0.5}
    assert lexical_share("Our depots", [["how", "mani", "depot"]], weights) == 0.75
    assert lexical_share("Our depots", [["how", "mani"], ["depot"]], weights) == 1.0
    assert lexical_share("Our depots", [[]], weights) == 0.0


def test_a_text_is_cut_into_whole_sentences_that_are_short_together() -> None:
    sentences = [
        f"Depot number {n} stands in a harbor and has cranes of its own." for n in range(30)
    ]
    cut = list(quotable(" ".join(sentences)))
    assert all(len(one) <= 420 and one.endswith("own.") for one in cut)
    assert " ".join(cut) == " ".join(sentences)
    long = "It " + "goes on and on " * 60 + "until it ends."
    assert list(quotable(f"We run depots in harbors abroad. {long}")) == [
        "We run depots in harbors abroad.", long,
    ]  # fmt: skip
    assert list(quotable("Too short.")) == []


def test_the_same_words_are_quoted_once_and_nothing_that_hardly_answers() -> None:
    one, part, other = quote("Depots and harbors."), quote("Depots and"), quote("Cranes.")
    assert Quotes([one, part, other], answers=True).best == [one, other]
    assert Quotes([one, part, other]).best == []


async def test_what_is_measured_of_a_quote(encoder: Encoder) -> None:
    texts = ["It paid $4 million to Ochre Holdings.", "it runs depots", "It owns 41 of them."]
    found, worth = [Candidate(text, 0.5, 0.4, 0.3, 0) for text in texts], {"paid": 2.0, "who": 0.1}
    ((asked, rows),) = await measured(found, worth, ["Who was paid?"], cast(OnnxEncoder, encoder))
    assert asked.shape == answer_heads().gate.turn.shape[:1] == (2 * 384,)
    assert rows.shape == (3, answer_heads().quote.mean.shape[0])
    assert rows[:, 6:9].tolist() == [[1, 1, 1], [0, 0, 0], [1, 0, 0]]
    assert np.argmax(rows[:, 3]) == 0, "the nearest to the question"


async def test_a_quote_covers_a_question_that_it_answers_in_other_words(encoder: Encoder) -> None:
    read = await cast(OnnxEncoder, encoder).read_tokens(
        [
            "Which countries did it leave?",
            "We exited our operations in Austria and Ireland.",
            "Our auditors are appointed each spring.",
        ]
    )
    weights = token_weights(read[0], [(6, 15, 2.0), (23, 28, 3.0)])
    assert weights.tolist() == [0.0, 2.0, 0.0, 0.0, 3.0, 0.0]
    same, other, far = (np.array(coverage(read[0], weights, each)) for each in read)
    assert (same > 0.99).all()
    assert (other[:2] > far[:2]).all()


async def test_the_heads_decide_whether_anything_is_quoted(
    database: Database,
    database_url: str,
    tenant: Tenant,
    encoder: Encoder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    heads = answer_heads()

    async def best(least: float) -> list[Quote]:
        changed = replace(heads, least=least)
        monkeypatch.setattr(quotes, "heads_for", lambda given: (changed, given))
        monkeypatch.setattr(type(heads), "answers", lambda *_: 0.5)
        asked = ["Who builds its cranes?"]
        async with database.tenant(tenant.organization_id) as connection:
            return (await find_quotes(connection, company, asked)).best

    assert WORDS[2] in (await best(0.4))[0].text
    assert await best(0.6) == []


async def test_without_the_heads_words_decide(
    database: Database, database_url: str, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    monkeypatch.setattr(quotes, "heads_for", lambda _: None)
    async with database.tenant(tenant.organization_id) as connection:
        found = await find_quotes(connection, company, [WORDS[2]])
        assert WORDS[2] in found.best[0].text
        found = await find_quotes(connection, company, ["What is the churn rate?"])
        assert found.best == []


def test_heads_read_vectors_of_the_bundled_encoder_only(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other:
        name = "openai:other"

    assert heads_for(encoder) == (answer_heads(), encoder)
    assert heads_for(Other()) is None  # type: ignore[arg-type]
    assert heads_for(None) is None

    def broken() -> None:
        raise BundledFileIsBroken("answers.npz is not there")

    monkeypatch.setattr(answers, "answer_heads", broken)
    assert heads_for(encoder) is None


async def test_an_active_question_finds_a_passive_sentence_of_a_short_document(
    database: Database, database_url: str, tenant: Tenant, encoder: Encoder
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    async with database.tenant(tenant.organization_id) as connection:

        async def best(*wordings: str) -> list[str]:
            return [one.text for one in (await find_quotes(connection, company, wordings)).best]

        assert WORDS[2] in (await best("Who built its cranes?"))[0]
        # Words of the question before do not count as words that the documents lack.
        follow_up = "How many warehouses does it operate? Who built its cranes?"
        assert WORDS[2] in (await best("Who built its cranes?", follow_up))[0]
        assert await best("What is the churn rate?") == []
        assert await best("Who insures the trucks of Ochre Holdings?") == []
