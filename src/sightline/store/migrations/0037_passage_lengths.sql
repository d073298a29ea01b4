-- An index in which a search finds the length of each passage of a company without a look at the rows.

-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS indexed_passages_lengths
  ON indexed_passages (company_id, number) INCLUDE (words, kind, family, published_at);
