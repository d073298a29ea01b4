-- Stored filters that compare whole descriptions, or their beginnings, look for the words instead.
--
-- The release before reads what this writes. Members are decided again within a day.

CREATE FUNCTION pg_temp.by_words(f jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  op text := coalesce(f ->> 'op', 'eq');
BEGIN
  RETURN CASE
    WHEN jsonb_typeof(f) = 'array' THEN (SELECT coalesce(
      jsonb_agg(pg_temp.by_words(each) ORDER BY n), '[]')
      FROM jsonb_array_elements(f) WITH ORDINALITY parts (each, n))
    WHEN f ? 'filter' THEN f || jsonb_build_object('filter', pg_temp.by_words(f -> 'filter'))
    WHEN f ? 'and' THEN jsonb_build_object('and', pg_temp.by_words(f -> 'and'))
    WHEN f ? 'or' THEN jsonb_build_object('or', pg_temp.by_words(f -> 'or'))
    WHEN f ? 'not' THEN jsonb_build_object('not', pg_temp.by_words(f -> 'not'))
    WHEN f ->> 'field' IS DISTINCT FROM 'description' THEN f
    WHEN op IN ('eq', 'starts_with') THEN f || '{"op": "contains"}'
    WHEN op = 'ne' THEN f || '{"op": "not_contains"}'
    WHEN op IN ('in', 'not_in') THEN jsonb_build_object(
      CASE op WHEN 'in' THEN 'or' ELSE 'and' END,
      (SELECT jsonb_agg(jsonb_build_object('field', 'description', 'op',
        CASE op WHEN 'in' THEN 'contains' ELSE 'not_contains' END, 'value', each))
       FROM jsonb_array_elements(f -> 'value') each))
    ELSE f END;
END $$;
DO $$
DECLARE
  one uuid;
BEGIN
  FOR one IN SELECT organization_id FROM organizations LOOP
    PERFORM set_config('app.organization', one::text, true);
    UPDATE account_lists SET filter = pg_temp.by_words(filter)
    WHERE organization_id = one AND filter::text LIKE '%"description"%';
    UPDATE watches SET filter = pg_temp.by_words(filter)
    WHERE organization_id = one AND filter::text LIKE '%"description"%';
    UPDATE territories
    SET rules = pg_temp.by_words(rules), score_rules = pg_temp.by_words(score_rules)
    WHERE organization_id = one AND rules::text || score_rules::text LIKE '%"description"%';
  END LOOP;
END $$;
