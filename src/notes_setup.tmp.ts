import pg from 'pg'
import { migrate } from './db/migrate.ts'
const conn = { host: '127.0.0.1', port: 5499, user: 'postgres', database: 'dev_notes' }
console.log(await migrate(conn))
const c = new pg.Client(conn); await c.connect()
const t0 = performance.now()
const lap = (what: string) => console.log(what, ((performance.now() - t0) / 1000).toFixed(1) + 's')
await c.query(`
 drop index notes_words;
 insert into tenants (id, name, timezone, currency, country) select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'T' || i, 'America/Chicago', 'USD', 'US' from generate_series(1, 41) i;
 insert into users (id, email, name) select ('00000000-0000-7000-9000-' || lpad(i::text, 12, '0'))::uuid, 'u' || i || '@example.com', 'User ' || i from generate_series(1, 20) i;
`)
// 5,000 words with a Zipf-like frequency
await c.query(`create temp table vocab as select i, substr(translate(md5(i::text), '0123456789', 'ghijklmnop'), 1, 3 + i % 8) as w from generate_series(1, 20000) i`)
await c.query(`create temp table arr as select array_agg(w order by i) as ws from vocab`)
for (let part = 0; part < 5; part++) {
  await c.query(`
    insert into notes (tenant_id, id, body, words, pinned, created_at, updated_at, created_by)
    select t, gen_random_uuid(), string_agg(w, ' ' order by k), array_to_tsvector(array_agg(distinct w)), n % 500 = 0, at, at, ('00000000-0000-7000-9000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid
    from (
      select n, ('00000000-0000-7000-8000-' || lpad((case when n % 5 = 0 then 1 else 2 + n / 5 % 40 end)::text, 12, '0'))::uuid as t,
        timestamptz '2026-01-01' + n * interval '20 seconds' as at, k, arr.ws[1 + floor(20000 * power(random(), 3))::int] as w
      from generate_series(${part * 100000 + 1}, ${(part + 1) * 100000}) n, generate_series(1, 30 + n % 20) k, arr) x
    group by n, t, at`)
  lap('part ' + part)
}
await c.query(`create index notes_words on notes using gin (tenant_words(tenant_id, words)) where archived_at is null`); lap('index')
await c.query('vacuum analyze notes'); lap('analyze')
await c.query(`create index plain_words on notes using gin (words) where archived_at is null`); lap('plain index')
const { rows } = await c.query(`select count(*), pg_size_pretty(pg_table_size('notes')) as tab, pg_size_pretty(pg_relation_size('notes_words')) as idx, pg_size_pretty(pg_relation_size('plain_words')) as plain from notes`)
console.log(rows)
await c.query('drop index plain_words')
await c.end()
