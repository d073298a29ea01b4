"""The industry of a company out of its web site's own words. All companies are invented."""

from pathlib import Path

from sightline.enrich.industry import note_industry
from sightline.enrich.survivorship import survive
from sightline.reading.onnx_encoder import bundled_encoder
from sightline.sources.website.connector import WEBSITE
from sightline.store.database import Database
from sightline.store.facts import read_facts
from tests.sources.collecting import make_collecting, page

HOME = "https://tarn.example/"
WORDS = "We brew beer and make cider in copper kettles. Our brewery sells ales to pubs. "


async def test_the_site_tells_the_industry_with_its_quote(
    worker_database: Database, tmp_path: Path
) -> None:
    tarn = await make_collecting(worker_database, tmp_path, name="Tarn", domain="tarn.example")
    encoder = bundled_encoder()
    assert await note_industry(worker_database, None, tarn.company_id, encoder, again=True) == ()
    assert await tarn.facts("industry") == []

    tarn.web.answer(HOME, page(f"<h1>Tarn</h1><p>{WORDS * 4}</p>"))
    await tarn.collect(WEBSITE)
    for _ in range(2):  # said once, however often it is read
        await note_industry(worker_database, None, tarn.company_id, encoder, again=True)
    async with worker_database.connection() as connection:
        facts = await read_facts(connection, tarn.company_id)
    (industry,) = [each for each in facts if each.field == "industry"]
    assert industry.value == "Breweries, Wineries & Distilleries"
    assert (industry.source, industry.method, industry.url) == ("website", "encoder", HOME)
    assert industry.quote
    assert industry.quote in WORDS
    record = survive(facts).record
    assert (record["industry"], record["sector"]) == (
        industry.value,
        "Food, Beverage & Agriculture",
    )


async def test_it_is_read_again_only_when_the_site_has_something_new(
    worker_database: Database, tmp_path: Path
) -> None:
    tarn = await make_collecting(worker_database, tmp_path, name="Tarn", domain="tarn.example")
    encoder = bundled_encoder()
    tarn.web.answer(HOME, page(f"<h1>Tarn</h1><p>{WORDS * 4}</p>"))
    await tarn.collect(WEBSITE)
    await note_industry(worker_database, None, tarn.company_id, encoder, again=False)
    taught = "We teach pupils from seven to eighteen. Our school has small classes. "
    tarn.web.answer(HOME, page(f"<h1>Tarn</h1><p>{taught * 4}</p>"))
    await tarn.collect(WEBSITE)
    # The page that said so is gone, and with it what was read of it.
    assert await tarn.facts("industry") == []
    await note_industry(worker_database, None, tarn.company_id, encoder, again=False)
    assert await tarn.facts("industry") == ["Primary & Secondary Education"]
    await note_industry(worker_database, None, tarn.company_id, encoder, again=False)
    assert await tarn.facts("industry") == ["Primary & Secondary Education"]
