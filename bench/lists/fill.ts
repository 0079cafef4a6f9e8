import pg from 'pg'

/** A tenant that is measured, and rows of it to ask for. */
export type Company = {
  id: string
  owner: string
  technician: string
  /** The customer of every fiftieth document, and one of its jobs. */
  customer: string
  job: string
  /** Of the customer in the middle. */
  name: string
  phone: string
  email: string
}

const SEARCHED = ['customers', 'contacts', 'locations', 'jobs', 'job_assignees', 'invoices', 'invoice_jobs', 'notes'] as const
export const LARGE = 100_000
export const SMALL = 100

/**
 * A thousand companies over two years: one large, one small, the rest of about 900 rows of each kind. Rows of all companies
 * lie among each other in the order of time, as they would have come. Takes minutes; triggers are off meanwhile, so what they
 * derive is written here and compared afterwards.
 */
export async function fill(owner: pg.ClientConfig, say: (line: string) => void): Promise<{ large: Company; small: Company }> {
  const [one, other] = await Promise.all([connected(owner), connected(owner)])
  try {
    await one.query(GROUND)
    const indexes = await dropIndexes(one)
    await Promise.all([
      inTurn(one, { jobs: JOBS, job_assignees: JOB_ASSIGNEES, invoice_jobs: INVOICE_JOBS, notes: NOTES }, say),
      inTurn(other, { customers: CUSTOMERS, contacts: CONTACTS, locations: LOCATIONS, invoices: INVOICES }, say),
    ])
    const begun = performance.now()
    const half = (client: pg.Client, from: number): Promise<unknown> =>
      indexes.filter((_, i) => i % 2 === from).reduce((before, { definition }) => before.then(() => client.query(definition)), Promise.resolve<unknown>(undefined))
    await Promise.all([half(one, 0), half(other, 1)])
    await one.query('vacuum analyze')
    say(`${indexes.length} indexes and statistics: ${seconds(begun)}`)
    const { rows: [strange] } = await one.query<{ count: string }>(STRANGE)
    if (strange?.count !== '0') throw new Error(`${strange?.count} rows differ from what the triggers would derive`)
    const { rows: [large, small] } = await one.query<Company>(COMPANIES)
    return { large: large!, small: small! }
  } finally {
    await Promise.all([one.end(), other.end()])
  }
}

async function connected(owner: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...owner, options: '-c session_replication_role=replica -c work_mem=256MB -c maintenance_work_mem=512MB -c jit=off -c timezone=UTC' })
  await client.connect()
  return client
}

async function inTurn(client: pg.Client, statements: Record<string, string>, say: (line: string) => void): Promise<void> {
  for (const [table, statement] of Object.entries(statements)) {
    const begun = performance.now()
    const { rowCount } = await client.query(statement)
    say(`${(rowCount ?? 0).toLocaleString('en-US')} ${table}: ${seconds(begun)}`)
  }
}

const seconds = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(0)} s`

/** All but those of keys: they are made again, faster, when the rows are there. */
async function dropIndexes(client: pg.Client): Promise<{ definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = any($1::regclass[]) and not i.indisprimary order by pg_get_indexdef(i.indexrelid) like '%gin%' desc, 1`, [SEARCHED])
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows
}

const GROUND = `
  create schema bench;
  create table bench.tenants as
    select place, gen_random_uuid() as id, case place when 1 then ${LARGE} when 2 then ${SMALL} else 800 + place % 200 end as rows
    from generate_series(1, 1000) place;
  -- An id of version 7 that is the same each time it is asked for.
  create function bench.id(kind text, tenant integer, n integer, at timestamptz) returns uuid language sql immutable
    return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(kind || tenant || '.' || n), 1, 3)
      || '8' || substr(md5(kind || tenant || '.' || n), 5, 15))::uuid;
  -- When the nth of so many rows came, over the last two years.
  create function bench.at(n integer, of integer) returns timestamptz(3) language sql stable
    return date_trunc('milliseconds', date_trunc('day', now()) - interval '730 days' * (1 - n::float8 / (of + 1)));
  create function bench.pick(choices text[], n bigint) returns text language sql immutable return choices[1 + n % cardinality(choices)];
  create function bench.first(n integer) returns text language sql immutable return bench.pick('{${words('first')}}', n * 7919::bigint);
  create function bench.last(n integer) returns text language sql immutable return bench.pick('{${words('last')}}', n * 104729::bigint / 40);
  create function bench.phone(tenant integer, n integer) returns text language sql immutable return '+1' || 2000000000::bigint + tenant * 200000 + n;
  create function bench.person(tenant integer, n integer) returns uuid language sql immutable return bench.id('user', tenant, n, 'epoch');
  create view bench.rows as
    select t.id as tenant, t.place, t.rows, n, bench.at(n, t.rows) as at, n::float8 / t.rows as age
    from bench.tenants t cross join lateral generate_series(1, t.rows) n order by n::float8 / t.rows, t.place;
  insert into tenants (id, name, timezone, currency, country) select id, 'Company ' || place, 'America/Chicago', 'USD', 'US' from bench.tenants;
  insert into users (id, email, name) select bench.person(place, n), 'user' || place || '.' || n || '@example.com', 'User ' || n from bench.tenants, generate_series(0, 3) n;
  insert into members (tenant_id, user_id, role, ceiling) select id, bench.person(place, n), case n when 0 then 'owner' else 'tech' end, '{}' from bench.tenants, generate_series(0, 3) n`

const CUSTOMERS = `
  insert into customers (tenant_id, id, customer_type, first_name, last_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields,
    search_text, created_at, updated_at, created_by)
  select tenant, bench.id('customer', place, n, at), 'individual', first, last, first || ' ' || last, lower(first || ' ' || last), lower(first || ' ' || last), status,
    false, false, '{}', ' ' || lower(first || ' ' || last) || ' ' || lower(first || ' ' || last) || ' |' || status || '||' || e'\\x1e' || bench.phone(place, n) || e'\\x1f' || 'person' || n || '@example.com',
    at, at, bench.person(place, 0)
  from (select *, bench.first(n) as first, bench.last(n) || ' ' || n as last, case when n % 20 = 0 then 'lead' when n % 20 = 1 then 'inactive' else 'active' end as status from bench.rows) r`

const CONTACTS = `
  insert into contacts (tenant_id, id, customer_id, first_name, last_name, name_folded, email, phone, is_primary, sms_opt_out, email_opt_out, created_at, updated_at)
  select tenant, bench.id('contact', place, n, at), bench.id('customer', place, n, at), bench.first(n), bench.last(n) || ' ' || n, lower(bench.first(n) || ' ' || bench.last(n) || ' ' || n),
    'person' || n || '@example.com', bench.phone(place, n), true, false, false, at, at
  from bench.rows`

const LOCATIONS = `
  insert into locations (tenant_id, id, customer_id, type, address_line1, city, region, postal_code, country, formatted_address, is_primary, created_at, updated_at)
  select tenant, bench.id('location', place, n, at), bench.id('customer', place, n, at), 'service', n || ' Main St', 'Austin', 'TX', '78701', 'US',
    n || ' Main St, Austin, TX 78701, US', true, at, at
  from bench.rows`

/** Every fiftieth document is of the first customer, the others are of one each. */
const CUSTOMER = 'case when n % 50 = 0 then 1 else n end'
const CUSTOMER_ID = `bench.id('customer', place, ${CUSTOMER}, bench.at(${CUSTOMER}, rows))`

const LINE = `jsonb_build_array(jsonb_build_object('id', bench.id('line', place, n, at), 'position', 0, 'kind', 'service', 'catalog_item_id', null, 'name', 'Water heater flush',
  'description', 'Drain, flush, anode and relief valve check.', 'quantity', 1, 'unit', 'each', 'unit_price_cents', 18900, 'taxable', true, 'discount_type', null,
  'discount_value', null, 'line_total_cents', 18900, 'discount_share_cents', 0, 'tax_cents', 0, 'rate_decimal', null, 'tax_name', null))`

const JOBS = `
  insert into jobs (tenant_id, id, number, customer_id, location_id, location_address, title, title_folded, status, priority, scheduled_start, scheduled_end, duration_minutes,
    all_day, arrival_window_minutes, timezone, assignee_ids, line_items, subtotal_cents, completed_at, cancelled_at, fields, created_at, updated_at, created_by, updated_by)
  select tenant, bench.id('job', place, n, at), 1000 + n, ${CUSTOMER_ID}, bench.id('location', place, ${CUSTOMER}, bench.at(${CUSTOMER}, rows)), n || ' Main St, Austin, TX 78701, US',
    title, lower(title), status, 'normal', starts, starts + interval '1 hour', 60, false, 0, 'America/Chicago',
    case when n % 20 = 3 then '{}' else array[bench.person(place, 1 + n % 3)] end, ${LINE}, 18900,
    case when status = 'done' then at end, case when status = 'cancelled' then at end, '{}', at, at, bench.person(place, 0), bench.person(place, 0)
  from (
    select *, bench.pick('{${words('work')}}', n) || ', ' || bench.pick('{${words('place')}}', n / 7) || case when n % (rows / 5) = 0 then ' zeppelin' else '' end as title,
      case when n % 25 = 7 then 'cancelled' when age < 0.92 then 'done' else bench.pick('{scheduled,scheduled,scheduled,scheduled,done,in_progress,en_route,on_hold,unscheduled}', n) end as status
    from bench.rows) r
  cross join lateral (select case when status = 'unscheduled' then null else date_trunc('hour', at) + interval '1 hour' * (n % 240) end as starts) s`

const JOB_ASSIGNEES = 'insert into job_assignees (tenant_id, user_id, job_id) select tenant_id, unnest(assignee_ids), id from jobs'

const INVOICES = `
  insert into invoices (tenant_id, id, number, number_prefix, customer_id, status, subject, issue_date, due_date, line_items, tax_rate_chosen, tax_exempt, taxes, fields, currency,
    subtotal_cents, discount_cents, taxable_cents, tax_cents, total_cents, amount_paid_cents, sent_at, paid_at, voided_at, created_at, updated_at, created_by, updated_by)
  select tenant, bench.id('invoice', place, n, at), 1000 + n, 'INV-', ${CUSTOMER_ID}, status, 'Work of the week', at::date, at::date + 14, ${LINE}, false, false, '[]', '{}', 'USD',
    18900, 0, 18900, 0, 18900, case when status = 'paid' then 18900 else 0 end, case when status <> 'draft' then at end, case when status = 'paid' then at end,
    case when status = 'void' then at end, at, at, bench.person(place, 0), bench.person(place, 0)
  from (
    select *, case when n % 25 = 7 then 'void' when n % 50 = 9 then 'uncollectible' when n % 40 = 11 then 'sent' when age < 0.95 then 'paid'
      else bench.pick('{sent,sent,sent,draft,paid,partially_paid}', n) end as status
    from bench.rows) r`

const INVOICE_JOBS = `insert into invoice_jobs (tenant_id, invoice_id, job_id)
  select tenant, bench.id('invoice', place, n, at), bench.id('job', place, n, at) from bench.rows`

/** Ten words of two hundred a body, and one that is rare. */
const NOTES = `
  insert into notes (tenant_id, id, body, words, subject_type, subject_id, pinned, created_at, updated_at, created_by, updated_by)
  select tenant, bench.id('note', place, n, at), body, words::tsvector, 'customer', ${CUSTOMER_ID}, n % 100 = 1, at, at, bench.person(place, n % 4), bench.person(place, n % 4)
  from (select * from bench.rows) r cross join lateral (
    select string_agg(word, ' ' order by place) as body, string_agg(right(tenant::text, 6) || word || ':' || place, ' ') as words
    from (
      select w as place, 'word' || (hashint8(n * 10::bigint + w) & 1023) % 200 as word from generate_series(1, 10) w
      union all select 11, 'zeppelin' where n % (rows / 5) = 0) chosen) b`

const COMPANIES = `
  select id, bench.person(place, 0) as owner, bench.person(place, 1) as technician, bench.id('customer', place, 1, bench.at(1, rows)) as customer,
    bench.id('job', place, 50, bench.at(50, rows)) as job, bench.first(rows / 2) || ' ' || bench.last(rows / 2) || ' ' || rows / 2 as name,
    bench.phone(place, rows / 2) as phone, 'person' || rows / 2 || '@example.com' as email
  from bench.tenants where place <= 2 order by place`

/** Of the small company, what its triggers would have derived otherwise. */
const STRANGE = `
  select count(*) from customers c where tenant_id = (select id from bench.tenants where place = 2)
    and search_text is distinct from customer_search_text(tenant_id, id, name_words, status)`

function words(kind: 'first' | 'last' | 'work' | 'place'): string {
  const heads = ['Al', 'Bel', 'Cor', 'Dan', 'El', 'Far', 'Gol', 'Har', 'Is', 'Jor', 'Kel', 'Lam', 'Mar', 'Nor', 'Os', 'Pel', 'Ros', 'San', 'Tor', 'Wil']
  const tails = { first: ['a', 'en', 'is', 'o'], last: ['berg', 'den', 'ford', 'ley', 'man', 'ner', 'rick', 'sen', 'ton', 'well'], place: ['mont St', 'ridge Rd'], work: [] }
  const works = ['Water heater flush', 'Main line cleaning', 'Furnace tune-up', 'Leak search', 'Backflow test', 'Faucet replacement', 'Toilet repair', 'Boiler service', 'Thermostat install', 'Duct cleaning']
  return (kind === 'work' ? works : heads.flatMap((head) => tails[kind].map((tail) => `${head}${tail}`))).map((word) => `"${word}"`).join(',')
}
