/** Rows of each kind that the measured companies have; the others have about 900. */
const LARGE = 100_000
const SMALL = 100

const text = (words: readonly string[]): string => `'{${words.map((word) => `"${word}"`).join(',')}}'::text[]`
const combineParts = (heads: readonly string[], tails: readonly string[]): string =>
  text(heads.flatMap((head) => tails.map((tail) => `${head}${tail}`)))

const HEADS = [
  'Al',
  'Bel',
  'Cor',
  'Dan',
  'El',
  'Far',
  'Gol',
  'Har',
  'Is',
  'Jor',
  'Kel',
  'Lam',
  'Mar',
  'Nor',
  'Os',
  'Pel',
  'Ros',
  'San',
  'Tor',
  'Wil',
]
const FIRST = combineParts(HEADS, ['a', 'en', 'is', 'o'])
const LAST = combineParts(HEADS, ['berg', 'den', 'ford', 'ley', 'man', 'ner', 'rick', 'sen', 'ton', 'well'])
const STREET = combineParts(HEADS, ['mont St', 'ridge Rd'])
const WORK = text([
  'Water heater flush',
  'Main line cleaning',
  'Furnace tune-up',
  'Leak search',
  'Backflow test',
  'Faucet replacement',
  'Toilet repair',
  'Boiler service',
  'Thermostat install',
  'Duct cleaning',
])
const LINES = `'[{"id": "01a1fd76-7135-7236-8d31-e2023ba0efc0", "position": 0, "kind": "service", "catalog_item_id": null, "name": "Water heater flush",
  "description": "Drain, flush, anode and relief valve check.", "quantity": 1, "unit": "each", "unit_price_cents": 18900, "taxable": true,
  "discount_type": null, "discount_value": null, "line_total_cents": 18900, "discount_share_cents": 0, "tax_cents": 0, "rate_decimal": null, "tax_name": null}]'::jsonb`

/**
 * Statements for the companies and their base rows over the last two years, mixed between companies in order of time. Each
 * base row becomes a customer, a job, an invoice and a note with its id.
 */
export const baseStatements = (companies: number): readonly string[] => [
  'create schema bench',
  'create function bench.pick(choices text[], n bigint) returns text language sql immutable return choices[1 + n % cardinality(choices)]',
  `create table bench.tenants as
    select place, gen_random_uuid() as id, case place when 1 then ${LARGE} when 2 then ${SMALL} else 800 + place % 200 end as rows,
      array[gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid()] as people, null::uuid as first
    from generate_series(1, ${companies}) place`,
  `insert into tenants (id, name, timezone, currency, country) select id, 'Company ' || place, 'America/Chicago', 'USD', 'US' from bench.tenants`,
  `insert into users (id, email, name) select people[n], 'user' || place || '.' || n || '@example.com', 'User ' || n from bench.tenants, generate_series(1, 4) n`,
  `insert into members (tenant_id, user_id, role, ceiling)
    select id, people[n], case n when 1 then 'owner' else 'tech' end, '{}' from bench.tenants, generate_series(1, 4) n`,
  `create table bench.rows as
    select *, uuidv7(at - clock_timestamp()) as id, initcap(first) || ' ' || last || ' ' || n as name, '+1' || 2000000000 + place::bigint * 200000 + n as phone
    from (
      select place, id as tenant, people, rows, n, n::float8 / rows as age, date_trunc('day', now()) - interval '730 days' * (1 - n::float8 / (rows + 1)) as at,
        bench.pick(${FIRST}, n * 7919::bigint) as first, bench.pick(${LAST}, n / 80 + n) as last
      from bench.tenants cross join lateral generate_series(1, rows) n order by n::float8 / rows, place) came`,
  'update bench.tenants t set first = r.id from bench.rows r where r.tenant = t.id and r.n = 1',
  // Every fiftieth document belongs to the first customer, each of the others to its own.
  `create view bench.documents as
    select r.*, case when r.n % 50 = 0 then t.first else r.id end as customer from bench.rows r join bench.tenants t on t.id = r.tenant order by r.at`,
  'analyze bench.rows, bench.tenants',
]

/** Statements that fill each table. */
export const ROWS: Readonly<Record<string, string>> = {
  jobs: `
    insert into jobs (tenant_id, id, number, customer_id, location_id, location_address, title, title_folded, status, priority, scheduled_start, scheduled_end,
      duration_minutes, all_day, arrival_window_minutes, timezone, assignee_ids, line_items, subtotal_cents, completed_at, cancelled_at, fields, created_at,
      updated_at, created_by, updated_by)
    select tenant, id, 1000 + n, customer, customer, n || ' Main St, Austin, TX 78701, US', title, lower(title), status, 'normal', starts, starts + interval '1 hour',
      60, false, 0, 'America/Chicago', case when n % 20 = 3 then '{}' else people[2 + n % 3:2 + n % 3] end, ${LINES}, 18900,
      case when status = 'done' then at end, case when status = 'cancelled' then at end, '{}', at, at, people[1], people[1]
    from (
      select *, case when status = 'unscheduled' then null else date_trunc('hour', at) + interval '1 hour' * (n % 240) end as starts
      from (
        select *, bench.pick(${WORK}, n) || ', ' || bench.pick(${STREET}, n / 7) || case when n % (rows / 5) = 0 then ' zeppelin' else '' end as title,
          case when n % 25 = 7 then 'cancelled' when age < 0.92 then 'done'
            else bench.pick('{scheduled,scheduled,scheduled,scheduled,done,in_progress,en_route,on_hold,unscheduled}', n) end as status
        from bench.documents) j) j`,
  invoices: `
    insert into invoices (tenant_id, id, number, number_prefix, customer_id, status, subject, issue_date, due_date, line_items, tax_rate_chosen, tax_exempt, taxes,
      fields, currency, subtotal_cents, discount_cents, taxable_cents, tax_cents, total_cents, amount_paid_cents, sent_at, paid_at, voided_at, created_at,
      updated_at, created_by, updated_by)
    select tenant, id, 1000 + n, 'INV-', customer, status, 'Work of the week', at::date, at::date + 14, ${LINES}, false, false, '[]',
      '{}', 'USD', 18900, 0, 18900, 0, 18900, case when status = 'paid' then 18900 else 0 end, case when status <> 'draft' then at end,
      case when status = 'paid' then at end, case when status = 'void' then at end, at, at, people[1], people[1]
    from (
      select *, case when n % 25 = 7 then 'void' when n % 50 = 9 then 'uncollectible' when n % 40 = 11 then 'sent' when age < 0.95 then 'paid'
        else bench.pick('{sent,sent,sent,draft,paid,partially_paid}', n) end as status
      from bench.documents) i`,
  quotes: `
    insert into quotes (tenant_id, id, number, owner_id, customer_id, title, status, issue_date, valid_until, line_items, tax_rate_chosen, tax_exempt, taxes,
      fields, currency, subtotal_cents, discount_cents, taxable_cents, tax_cents, total_cents, sent_at, accepted_at, declined_at, archived_at, created_at,
      updated_at, created_by, updated_by)
    select tenant, id, 1000 + n, people[1 + n % 4], customer, bench.pick(${WORK}, n), status, at::date, at::date + 30, ${LINES}, false, false, '[]',
      '{}', 'USD', 18900, 0, 18900, 0, 18900, case when status <> 'draft' then at end, case when status = 'accepted' then at end,
      case when status = 'declined' then at end, case when status = 'archived' then at end, at, at, people[1 + n % 4], people[1 + n % 4]
    from (
      select *, case when n % 25 = 7 then 'archived' when n % 40 = 11 then 'sent' when age < 0.95 then bench.pick('{accepted,accepted,declined,expired}', n)
        else bench.pick('{sent,sent,draft,accepted}', n) end as status
      from bench.documents) q`,
  // Ten words of two hundred each, and a rare one; the words begin with the end of the tenant's id.
  notes: `
    insert into notes (tenant_id, id, body, words, subject_type, subject_id, pinned, created_at, updated_at, created_by, updated_by)
    select tenant, id, body, words::tsvector, 'customer', customer, n % 100 = 1, at, at, people[1 + n % 4], people[1 + n % 4]
    from bench.documents r cross join lateral (
      select string_agg(word, ' ' order by w) as body, string_agg(right(tenant::text, 6) || word || ':' || w, ' ') as words
      from (
        select w, 'word' || 100 + (hashint8(n * 10::bigint + w) & 1023) % 200 as word from generate_series(1, 10) w
        union all select 11, 'zeppelin' where n % (rows / 5) = 0) chosen) b`,
  customers: `
    insert into customers (tenant_id, id, customer_type, first_name, last_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields,
      search_text, created_at, updated_at, created_by)
    select tenant, id, 'individual', first, last || ' ' || n, name, lower(name), lower(name), status, false, false, '{}',
      ' ' || lower(name) || ' ' || lower(name) || ' |' || status || '|' || concat_ws('|', case when n % 3 = 0 then 'tag_' || n % 7 end,
        case when n % 20 = 5 then 'vip' end) || '|' || e'\\x1e' || phone || e'\\x1f' || 'person' || n || '@example.com', at, at, people[1]
    from (select *, bench.pick('{active,active,active,active,active,active,active,active,inactive,lead}', n) as status from bench.rows) c`,
  contacts: `
    insert into contacts (tenant_id, id, customer_id, first_name, last_name, name_folded, email, phone, is_primary, sms_opt_out, email_opt_out, created_at, updated_at)
    select tenant, id, id, first, last || ' ' || n, lower(name), 'person' || n || '@example.com', phone, true, false, false, at, at from bench.rows`,
  locations: `
    insert into locations (tenant_id, id, customer_id, type, address_line1, city, region, postal_code, country, formatted_address, is_primary, created_at, updated_at)
    select tenant, id, id, 'service', n || ' Main St', 'Austin', 'TX', '78701', 'US', n || ' Main St, Austin, TX 78701, US', true, at, at from bench.rows`,
  tags: `
    insert into tags (tenant_id, id, name, name_folded, identity)
    select id, md5(id::text || n)::uuid, name, lower(name), lower(replace(name, ' ', '')) from bench.tenants cross join lateral (
      select n, case n when 7 then 'VIP' else 'Tag ' || n end as name from generate_series(0, 7) n) t`,
  customer_tags: `
    insert into customer_tags (tenant_id, customer_id, tag_id, customer_created_at) select tenant, id, md5(tenant::text || n % 7)::uuid, at from bench.rows where n % 3 = 0
    union all select tenant, id, md5(tenant::text || 7)::uuid, at from bench.rows where n % 20 = 5`,
  invoice_jobs: 'insert into invoice_jobs (tenant_id, invoice_id, job_id) select tenant, id, id from bench.rows',
}

/** Inserts for tables whose rows are derived from other tables. */
export const DERIVED: Readonly<Record<string, string>> = {
  job_assignees: `insert into job_assignees (tenant_id, user_id, job_id, created_at, scheduled_start, status)
    select tenant_id, unnest(assignee_ids), id, created_at, scheduled_start, status from jobs`,
  payments: `insert into payments (tenant_id, id, invoice_id, kind, amount_cents, at, paid_on, method)
    select tenant_id, id, id, 'recorded', amount_paid_cents, paid_at, paid_at::date, 'check' from invoices
    where amount_paid_cents > 0`,
  report_marks: `insert into report_marks (tenant_id, report, from_day, to_day)
    select id, report, '-infinity', 'infinity' from tenants, unnest('{sales,profit}'::text[]) report`,
  job_titles: 'insert into job_titles (tenant_id, job_id, title) select tenant_id, id, title_folded from jobs',
  search_entries: `insert into search_entries (tenant_id, kind, id, customer_id, words, at)
    select tenant_id, 'customer', id, id, ' ' || name_words || '  ', created_at from customers where archived_at is null
    union all select k.tenant_id, 'contact', k.id, c.id, ' ' || c.name_words || ' ' || contact_search_words(k) || ' ', k.created_at
      from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id where k.archived_at is null`,
}

/** Counts rows of the small company that differ from what its triggers would derive. */
export const MISMATCHES = `
  select count(*) from customers where tenant_id = (select id from bench.tenants where place = 2)
    and search_text is distinct from customer_search_text(tenant_id, id, name_words, status)`

export const COMPANIES = `
  select t.id, t.people[1] as owner, t.people[2] as technician, t.first as customer, j.id as job, r.name, r.phone, 'person' || r.n || '@example.com' as email
  from bench.tenants t join bench.rows r on r.tenant = t.id and r.n = t.rows / 2 join bench.rows j on j.tenant = t.id and j.n = 50
  where t.place <= 2 order by t.place`
