"""The sources of the values in many company records, in one query."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sightline.store.database import Connection


async def winning_origins(
    connection: Connection, company_ids: Sequence[UUID]
) -> Mapping[UUID, Mapping[str, dict[str, Any]]]:
    """company -> field of `domain.fields` -> source, url and observed_at of a fact that won."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT ON (f.company_id, f.field) f.company_id, f.field, f.source, d.final_url AS url,
          to_char(d.fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS observed_at
        FROM facts f JOIN documents d USING (document_id)
        WHERE f.company_id = ANY($1::uuid[]) AND f.wins AND f.withdrawn_at IS NULL
        ORDER BY f.company_id, f.field, f.confidence DESC, d.fetched_at DESC, f.fact_id
        """,
        list(company_ids),
    )
    found: defaultdict[UUID, dict[str, dict[str, Any]]] = defaultdict(dict)
    for row in rows:
        found[row["company_id"]][row["field"]] = {
            "source": row["source"],
            "url": row["url"],
            "observed_at": row["observed_at"],
        }
    return found
