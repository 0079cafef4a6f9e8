import pg from 'pg'
import { migrate } from './db/migrate.ts'
const conn = { host: '127.0.0.1', port: 5499, user: 'postgres', database: 'dev_notes' }
await migrate(conn)
const c = new pg.Client(conn); await c.connect()
const t0 = performance.now()
const lap = (what: string) => console.log(what, ((performance.now() - t0) / 1000).toFixed(1) + 's')
await c.query(`
 
 drop index notes_words; insert into tenants (id, name, timezone, currency, country) select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'T' || i, 'America/Chicago', 'USD', 'US' from generate_series(1, 41) i;
 insert into users (id, email, name) select ('00000000-0000-7000-9000-' || lpad(i::text, 12, '0'))::uuid, 'u' || i || '@example.com', 'User ' || i from generate_series(1, 20) i;
 set synchronous_commit = off;
`)
const letters = 'eariotnslcudpmhgbfywkvxzjq'
let seed = 7
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648
const vocab = Array.from({ length: 20000 }, () => Array.from({ length: 3 + Math.floor(random() * 8) }, () => letters[Math.floor(random() ** 2 * 26)]).join(''))
console.log('common', vocab.slice(0, 5), 'mid', vocab.slice(300, 303), 'rare', vocab.slice(15000, 15003))
const N = 500000, B = 5000
for (let n = 0; n < N; n += B) {
  const rows: [string[], string[], string[], string[], string[], string[]] = [[], [], [], [], [], []]
  for (let k = n; k < n + B; k++) {
    const words = Array.from({ length: 30 + k % 20 }, () => vocab[Math.floor(20000 * random() ** 3)]!)
    rows[0].push(`00000000-0000-7000-8000-${String(k % 5 === 0 ? 1 : 2 + Math.floor(k / 5) % 40).padStart(12, '0')}`)
    rows[1].push(words.join(' '))
    rows[2].push(words.map((w, i) => `${rows[0].at(-1)!.slice(-6)}${w}:${i + 1}`).join(' '))
    rows[3].push(String(k % 500 === 0))
    rows[4].push(new Date(Date.UTC(2026, 0, 1) + k * 20000).toISOString())
    rows[5].push(`00000000-0000-7000-9000-${String(1 + k % 20).padStart(12, '0')}`)
  }
  await c.query(`insert into notes (tenant_id, id, body, words, pinned, created_at, updated_at, created_by)
    select t, gen_random_uuid(), b, w::tsvector, p, a, a, u from unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[], $5::timestamptz[], $6::uuid[]) x(t, b, w, p, a, u)`, rows)
  if (n % 100000 === 0) lap('rows ' + n)
}

await c.query(`create index notes_words on notes using gin (words) with (fastupdate = off) where archived_at is null`); lap('index'); await c.query('vacuum analyze notes'); lap('analyze')

const { rows } = await c.query(`select count(*), pg_size_pretty(pg_table_size('notes')) as tab, pg_size_pretty(pg_relation_size('notes_words')) as idx from notes`)
console.log(rows)
await c.end()
