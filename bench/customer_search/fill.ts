import type pg from 'pg'

/** Rows of each kind in the measured company. 199 others have as many in total. */
const ROWS = 100_000
const HEADS = [
  'al',
  'bel',
  'cor',
  'dan',
  'el',
  'far',
  'gol',
  'har',
  'is',
  'jor',
  'kel',
  'lam',
  'mar',
  'nor',
  'os',
  'pel',
  'ros',
  'san',
  'tor',
  'wil',
]
const FIRST = HEADS.flatMap((head) => ['a', 'en', 'is', 'o'].map((tail) => head + tail))
const LAST = HEADS.flatMap((head) =>
  ['berg', 'den', 'ford', 'ley', 'man', 'ner', 'rick', 'sen', 'ton', 'well'].map((tail) => head + tail),
)
const HOSTS = ['gmail.test', 'example.com', 'yahoo.test', 'hotmail.test', 'plumbing.example.org']

const pick = (choices: readonly string[], n: string): string =>
  `('{${choices.join(',')}}'::text[])[1 + ${n} % ${choices.length}]`

/** Search terms: the middle customer's phone, email and name, and the tenant. */
export type Filled = { tenant: string; phone: string; email: string; name: string }

/**
 * Fills companies with customers, each with a contact, and notes of ten words out of two hundred. Creates the text
 * indexes at the end.
 */
export async function fill(client: pg.Client): Promise<Filled> {
  for (const statement of STATEMENTS) await client.query(statement)
  const { rows } = await client.query<Filled>(
    `select tenant, phone, email, name from bench.rows where place = 1 and n = ${ROWS / 2}`,
  )
  return rows[0]!
}

const STATEMENTS = [
  `set session_replication_role = replica; set work_mem = '256MB'; set maintenance_work_mem = '256MB'`,
  `create schema bench`,
  `create table bench.tenants as select place, gen_random_uuid() as id, case place when 1 then ${ROWS} else ${ROWS} / 200 end as rows from generate_series(1, 200) place`,
  `insert into tenants (id, name, timezone, currency, country) select id, 'Company ' || place, 'America/Chicago', 'USD', 'US' from bench.tenants`,
  `create table bench.rows as select *, uuidv7(at - clock_timestamp()) as id, initcap(first) || ' ' || initcap(last) || ' ' || n as name,
      '+1' || 2000000000 + (hashint8(place::bigint * 200000 + n)::bigint + 2147483648) % 7999999999 as phone,
      left(last, 5) || n % 977 || '.' || first || n || '@' || ${pick(HOSTS, 'n / 3')} as email
    from (select place, id as tenant, n, now() - interval '730 days' * (1 - n::float8 / rows) as at,
        ${pick(FIRST, '(n * 7919::bigint + n / 80)')} as first, ${pick(LAST, '(n / 80 + n)')} as last
      from bench.tenants cross join lateral generate_series(1, rows) n order by n::float8 / rows, place) came`,
  `insert into customers (tenant_id, id, customer_type, first_name, last_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields,
      search_text, created_at)
    select tenant, id, 'individual', first, last, name, lower(name), lower(name), 'active', false, false, '{}',
      ' ' || lower(name) || ' ' || lower(name) || ' |active||' || e'\\x1e' || phone || e'\\x1f' || email, at from bench.rows`,
  `insert into contacts (tenant_id, id, customer_id, first_name, last_name, name_folded, email, phone, is_primary, sms_opt_out, email_opt_out, created_at)
    select tenant, id, id, first, last || ' ' || n, lower(name), email, phone, true, false, false, at from bench.rows`,
  `drop index search_entries_keys, notes_words`,
  `insert into search_entries (tenant_id, kind, id, customer_id, words, at)
    select tenant_id, 'customer', id, id, ' ' || name_words || '  ', created_at from customers
    union all select k.tenant_id, 'contact', k.id, k.id, ' ' || k.name_folded || ' ' || contact_search_words(k) || ' ', k.created_at from contacts k`,
  `create index search_entries_keys on search_entries using gin (keys) with (fastupdate = off)`,
  `insert into notes (tenant_id, id, body, words, created_at)
    select tenant, id, body, words::tsvector, at from bench.rows r cross join lateral (
      select string_agg(word, ' ' order by w) as body, string_agg(right(tenant::text, 6) || word || ':' || w, ' ') as words from (
        select w, 'word' || 100 + (hashint8(n * 10::bigint + w) & 1023) % 200 as word from generate_series(1, 10) w
        union all select 11, 'zeppelin' where n % 20000 = 0) chosen) b`,
  `create index notes_words on notes using gin (words) with (fastupdate = off) where archived_at is null`,
  `set session_replication_role = origin`,
  `vacuum analyze`,
]
