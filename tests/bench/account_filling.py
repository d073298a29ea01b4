"""Made-up accounts by the hundred thousand, written by the database itself."""

from uuid import UUID

from sightline.domain.callers import OrganizationId
from sightline.store.database import Database, Tenant, open_database
from sightline.store.organizations import create_organization, create_user

WORDS = (
    "north harbor vector lumen cedar quarry signal mosaic tidal amber basalt copper delta ember fjord"
    " garnet hollow indigo juniper kelp larch marlin nimbus onyx prairie quill ridge summit thistle umber"
)
INDUSTRIES = (
    "Software", "Biotechnology", "Semiconductors", "Commercial Banking", "Railroads", "Restaurants",
)  # fmt: skip
# Descriptions have thirty words, as often as Zipf says: the hexadecimal rank of a word, in letters.
DIGITS, LETTERS = "0123456789abcdef", "bcdfghklmnaeioru"
_FILL = """
  WITH made AS (
    SELECT n, gen_random_uuid() AS account_id, gen_random_uuid() AS company_id, h,
      w[1 + h % cardinality(w)] || ' ' || w[1 + h / 97 % cardinality(w)] || ' ' || n AS name,
      'c' || n || '.example' AS domain, $3::text[] AS industries,
      CASE WHEN h % 10 > 0 THEN power(10, 1 + h % 5000 / 1000.0::float8)::bigint END AS employees,
      CASE WHEN h % 7 > 0 THEN power(10, 5 + h % 6000 / 1000.0::float8)::bigint END AS revenue
    FROM (SELECT n, abs(hashint4(n)::bigint) AS h, string_to_array($2, ' ') AS w
          FROM generate_series($5::int + 1, $5::int + $4::int) n) numbers),
  narrow AS (
    INSERT INTO accounts (organization_id, account_id, company_id, company_name, sort_key, name_key,
      search_text, website_domain, industry, sector, employee_size_category, country_code,
      public_company, full_time_employees, revenue_usd, updated_at)
    SELECT $1, account_id, company_id, initcap(name), name, name,
      E'\\n' || name || E'\\n' || replace(name, ' ', '') || E'\\n' || domain, domain,
      industries[1 + h % cardinality(industries)], 'Technology',
      CASE WHEN employees > 1000 THEN '1001-5000' ELSE '51-200' END,
      CASE WHEN h % 3 > 0 THEN 'US' ELSE 'DE' END, h % 20 = 0, employees, revenue,
      now() - n * interval '1 minute' FROM made)
  INSERT INTO account_records (organization_id, account_id, document, item_head)
  SELECT $1, account_id, jsonb_build_object('company_id', company_id, 'company_name', initcap(name),
      'website_domain', domain, 'industry', industries[1 + h % cardinality(industries)],
      'full_time_employees', employees, 'hq_city', 'City ' || h % 4000,
      'hq_state', 'State ' || h % 50, 'ceo', 'Person ' || h, 'market_cap', revenue * 3,
      'tags', jsonb_build_array('tag' || h % 40),
      'description', (
        SELECT initcap(string_agg(translate(to_hex(floor(power(200000,
          abs(hashint8(n::bigint * 64 + i)::bigint) / 2147483649::float8))::int), $6, $7) || 's', ' ') || '.')
        FROM generate_series(1, 30) i))::text,
    rtrim(json_build_object('id', account_id, 'domain', domain)::text, '}') || ', '
  FROM made
"""


async def fill_accounts(url: str, accounts: int, *, slug: str = "bench") -> OrganizationId:
    """An organization with that many made-up accounts."""
    owner = await open_database(url, role="owner", statement_timeout_seconds=0)
    organization_id = await create_organization(owner, slug, name=slug, plan="enterprise")
    async with owner.tenant(UUID(str(organization_id))) as connection:
        await create_user(
            Tenant(connection, organization_id), email=f"b@{slug}.example", role="owner"
        )
        await add_made_up_accounts(Tenant(connection, organization_id), accounts)
    await _settle(owner)
    await owner.close()
    return organization_id


async def add_made_up_accounts(tenant: Tenant, accounts: int, *, after: int = 0) -> None:
    """That many more accounts, numbered from `after` on, inside a transaction of the owner's role for the
    organization."""
    industries = list(INDUSTRIES)
    await tenant.run(_FILL, WORDS, industries, accounts, after, DIGITS, LETTERS)


async def _settle(owner: Database) -> None:
    async with owner.connection() as connection:
        await connection.execute("VACUUM ANALYZE accounts")
        await connection.execute("VACUUM ANALYZE account_records")
