"""How quotes are weighed and chosen, on invented passages."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from sightline.reading.encoder import Encoder
from sightline.search.evidence import Passage
from sightline.search.quotes import LEAST, Quote, Quotes, find_quotes, lexical_share, weighed
from sightline.store.database import Database
from tests.api.asking import WORDS, store_company
from tests.conftest import Tenant

NO = UUID(int=1)
ASKED = (0.0, 0.0, 0.0, 0.0)


def quote(text: str, *, cosine: float, share: float, number: float = 0.0) -> Quote:
    passage = Passage(
        "1", NO, NO, "filing", "Annual report", "", None, datetime(2025, 1, 1, tzinfo=UTC), text,
        0, len(text), "", 0.5, (),
    )  # fmt: skip
    return Quote(passage, text, text, (cosine, share, share, cosine, number, 0, 0, 0, 0.1, 0))


def test_the_share_counts_rare_words_more_and_takes_the_best_wording() -> None:
    weights = {"depot": 3.0, "how": 0.5, "mani": 0.5}
    assert lexical_share("Our depots", [["how", "mani", "depot"]], weights) == 0.75
    assert lexical_share("Our depots", [["how", "mani"], ["depot"]], weights) == 1.0
    assert lexical_share("Our depots", [[]], weights) == 0.0


def test_of_like_quotes_a_question_for_a_number_prefers_the_one_with_a_number() -> None:
    plain = quote("We run depots in several large harbors.", cosine=0.5, share=0.5)
    counted = quote("We run 41 depots in several harbors.", cosine=0.5, share=0.5, number=0.9)
    assert weighed([plain, counted], ASKED, heads="encoder").every[0].text == counted.text


@pytest.mark.parametrize("heads", LEAST)
def test_a_quote_that_is_nearer_weighs_more_and_makes_an_answer_likelier(heads: str) -> None:
    near, far = quote("Depots.", cosine=0.8, share=0.9), quote("Harbors.", cosine=0.1, share=0.0)
    found = weighed([far, near], ASKED, heads=heads)
    assert found.every[0].text == near.text
    assert found.chance > weighed([far], ASKED, heads=heads).chance
    assert weighed([far], ASKED, heads=heads).best == []


def test_the_same_words_are_quoted_once() -> None:
    one = quote("Depots and harbors.", cosine=0.9, share=0.9)
    part = quote("Depots and", cosine=0.9, share=0.9)
    other = quote("Cranes.", cosine=0.9, share=0.9)
    assert Quotes([one, part, other], chance=1.0, least=0.5).best == [one, other]


async def test_an_active_question_finds_a_passive_sentence_of_a_short_document(
    database: Database, database_url: str, tenant: Tenant, encoder: Encoder
) -> None:
    company = await store_company(database, database_url, tenant.organization_id)
    async with database.tenant(tenant.organization_id) as connection:

        async def best(*wordings: str) -> list[str]:
            found = await find_quotes(connection, company, wordings, encoder)
            return [one.sentence for one in found.best]

        assert (await best("Who builds its cranes?"))[0] == WORDS[2]
        # Words of the question before do not count as words that the documents lack.
        follow_up = "How many warehouses does it operate? Who builds its cranes?"
        assert (await best("Who builds its cranes?", follow_up))[0] == WORDS[2]
        assert await best("What is the churn rate?") == []
        assert await best("Who insures the trucks of Ochre Holdings?") == []
