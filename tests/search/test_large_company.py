"""A company with 100,000 passages: one search still finds the passage that answers, and reads few texts."""

from uuid import uuid4

from sightline.search.retrieve import ALIKE, CANDIDATES, Retriever
from sightline.store import evidence_search, passages
from sightline.store.database import Database, open_database
from sightline.store.evidence_search import Posting
from sightline.store.passages import Reach

COUNT = 100_000
FILL = """
  INSERT INTO indexed_passages (company_id, number, passage_id, origin, origin_id, origin_at, version,
    kind, publisher, words, simhash, figures, prose, title, heading, context, body, terms)
  SELECT $1, n, gen_random_uuid(), 'passage', gen_random_uuid(), 0, '1', 'filing', 'sec.gov', 9, 0, 0, true,
    'Annual report', '', '', 'Depot number ' || n || ' moves crates.',
    array_to_tsvector(ARRAY[$2, 'depot', 'crate', n::text])
  FROM generate_series(1, $3) AS n
"""


async def test_the_one_passage_among_many_is_found(database_url: str) -> None:
    company = uuid4()
    workers = await open_database(
        database_url, role="sightline_worker", size=1, statement_timeout_seconds=120
    )
    async with workers.connection() as connection:
        await connection.execute(FILL, company, f"@{company.hex}", COUNT)
        await connection.execute(
            "UPDATE indexed_passages SET body = 'The depot of Veyo burned down.', terms = terms ||"
            " array_to_tsvector(ARRAY['veyo', 'burn'])"
            " WHERE company_id = $1 AND number = 77777",
            company,
        )
        found = await Retriever().retrieve(
            connection, company, ["Which depot in Veyo burned down?"]
        )
        await connection.execute("DELETE FROM indexed_passages WHERE company_id = $1", company)
    await workers.close()
    assert found.matches[0].passage.body == "The depot of Veyo burned down."
    assert len(found.matches) <= CANDIDATES + ALIKE


async def test_the_lengths_of_passages_are_read_without_their_rows(owner: Database) -> None:
    company = uuid4()
    async with owner.connection() as connection:
        await connection.execute(FILL, company, f"@{company.hex}", 2_000)
        await connection.execute("VACUUM ANALYZE indexed_passages")
        plan = await connection.fetch(
            f"EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) {passages.LENGTHS}",
            company,
            *Reach(kinds=["filing"]).values(),
        )
        await connection.execute("DELETE FROM indexed_passages WHERE company_id = $1", company)
    lines = [row[0].strip() for row in plan]
    assert any("Index Only Scan using indexed_passages_lengths" in line for line in lines), lines
    assert "Heap Fetches: 0" in lines


async def test_a_common_term_is_told_by_the_passages_that_lack_it(owner: Database) -> None:
    company, small = uuid4(), uuid4()
    async with owner.connection() as connection:
        for each, count in ((company, 2_000), (small, 3)):
            await connection.execute(FILL, each, f"@{each.hex}", count)
        await connection.execute(
            "UPDATE indexed_passages SET"
            " terms = array_to_tsvector(ARRAY['@' || replace(company_id::text, '-', '')])"
            " WHERE company_id = $1 OR number = 7",
            small,
        )
        await connection.execute("ANALYZE indexed_passages")
        found = await evidence_search.read_postings(connection, company, ["depot", "77", "nowhere"])
        empty = await evidence_search.read_postings(connection, small, ["depot"])
        retrieved = await Retriever().retrieve(connection, company, ["Which depot?"])
        await connection.execute(
            "DELETE FROM indexed_passages WHERE company_id = ANY($1)", [company, small]
        )
    assert found == {
        "depot": Posting((7).to_bytes(4), lacking=True, absent=False),
        "77": Posting((77).to_bytes(4), lacking=False, absent=False),
        "nowhere": Posting(b"", lacking=False, absent=True),
    }
    assert empty["depot"].absent
    assert len(empty["depot"].numbers) == 3 * 4
    assert all("depot" in each.matched for each in retrieved.matches)
    assert retrieved.weights["depot"] < 0.01
