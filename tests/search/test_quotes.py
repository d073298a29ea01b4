"""How quotes are cut, read and chosen, on invented passages."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
import pytest
from numpy.typing import NDArray

from sightline.reading.answers import AnswerReader, answer_reader
from sightline.reading.encoder import Encoder
from sightline.reading.onnx_encoder import Parts
from sightline.search.evidence import Passage
from sightline.search.quotes import Quote, Quotes, find_quotes, lexical_share, quotable
from sightline.store.database import Database
from tests.api.asking import WORDS, store_company
from tests.conftest import Tenant

NO = UUID(int=1)


def quote(text: str) -> Quote:
    passage = Passage(
        "1", NO, NO, "filing", "Annual report", "Depots", None, datetime(2025, 1, 1, tzinfo=UTC), text,
        0, len(text), "", 0.5, (),
    )  # fmt: skip
    return Quote(passage, text, 0.5)


def no_parts() -> Parts:
    raise FileNotFoundError("answers.onnx is not there")


class Opinions(AnswerReader):
    """A reader whose opinion of each text is known."""

    def __init__(self, *likes: str) -> None:
        super().__init__("opinions", no_parts, least=0.0)
        self.likes = likes

    async def read(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([5.0 if any(like in t for like in self.likes) else -9.0 for t in texts])


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


def test_what_is_read_has_the_title_and_the_heading_of_a_quote() -> None:
    assert quote("We run 41 of them.").read_as == "Annual report\nDepots\nWe run 41 of them."


def test_the_same_words_are_quoted_once_and_nothing_that_hardly_answers() -> None:
    one, part, other = quote("Depots and harbors."), quote("Depots and"), quote("Cranes.")
    assert Quotes([one, part, other], answers=True).best == [one, other]
    assert Quotes([one, part, other]).best == []


async def test_the_reader_decides_what_is_quoted_and_whether_anything_is(
    database: Database, database_url: str, tenant: Tenant
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    async with database.tenant(tenant.organization_id) as connection:
        ask = "Who builds its cranes?"
        found = await find_quotes(connection, company, [ask], reader=Opinions(WORDS[2]))
        assert WORDS[2] in found.best[0].text
        assert (await find_quotes(connection, company, [ask], reader=Opinions())).best == []


async def test_without_the_reader_words_decide(
    database: Database, database_url: str, tenant: Tenant
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    broken = AnswerReader("broken", no_parts, least=0.0)
    assert "answers.onnx is not there" in str(await broken.failure())
    async with database.tenant(tenant.organization_id) as connection:
        found = await find_quotes(connection, company, [WORDS[2]], reader=broken)
        assert WORDS[2] in found.best[0].text
        found = await find_quotes(connection, company, ["What is the churn rate?"], reader=broken)
        assert found.best == []


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


@pytest.mark.parametrize("question", ["Who builds its cranes?", "how many depots", ""])
def test_the_bundled_reader_reads_a_text_alike_whatever_stands_beside_it(question: str) -> None:
    texts = ["Cranes are built by Ochre.", "The weather was fine.", ""]
    together = answer_reader().read_now(question, texts)
    assert together.shape == (3,)
    alone = [answer_reader().read_now(question, [text])[0] for text in texts]
    assert together.tolist() == pytest.approx(alone)
