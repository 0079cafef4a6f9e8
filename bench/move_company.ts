import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { createKey } from '../src/identity/credentials/keys.ts'
import { SCOPES } from '../src/identity/permissions/scopes.ts'
import { exportTenant } from '../src/cli/tenant_file/export.ts'
import { importTenant } from '../src/cli/tenant_file/import.ts'
import { openStorage } from '../src/platform/storage/open_storage.ts'
import { makeCompany, startTestService } from '../test/harness/harness.ts'
import { startWriters } from '../test/tenant_file/writers.ts'

// node bench/move_company.ts [--customers 5000] [--writers 4] [--files 100]: moves a company from one service to another while
// clients write to it, repeating each write until it is acknowledged. Prints the pause (from the last write acknowledged by the
// source to the first by the target), its parts, and how many acknowledged writes are missing or duplicated.
const { values } = parseArgs({
  options: {
    customers: { type: 'string', default: '5000' },
    writers: { type: 'string', default: '4' },
    files: { type: 'string', default: '100' },
  },
})
const [customers, writers, files] = [Number(values.customers), Number(values.writers), Number(values.files)]

const folder = await mkdtemp(join(tmpdir(), 'callout-move-'))
const storageIn = (name: string) => openStorage({ kind: 'directory', directory: join(folder, name) })
const [from, into] = [await startTestService(), await startTestService()]
const company = await makeCompany(from)
await fill()

const writing = startWriters({ url: from.url, key: company.owner.key }, writers)
const { acknowledged } = writing
await sleep(2_000)

const begun = performance.now()
const path = join(folder, 'company.tar.gz')
const { held } = await exportTenant(from.owner, storageIn('from'), path, { tenant: company.tenant, freezes: true })
const exported = performance.now()
await importTenant(into.owner, storageIn('into'), path)
const imported = performance.now()
const { key } = await createKey(
  into.database,
  { tenant: company.tenant },
  { user: company.owner.id, name: 'Bench', scopes: SCOPES, expires_at: null },
)
const last = acknowledged.at(-1)!
const before = acknowledged.length
writing.goTo({ url: into.url, key })
await sleep(2_000)
await writing.stop()

const counts = await countWrites(into.owner)
console.table({
  customers,
  rows: Object.values(held).reduce((sum, { rows }) => sum + rows, 0),
  files,
  'file in kB': Math.round((await stat(path)).size / 1_000),
  'writes acknowledged': acknowledged.length,
  'missing after the move': acknowledged.filter(({ body }) => !counts.has(body)).length,
  duplicated: [...counts.values()].filter((count) => count > 1).length,
  'last write at the source after the freeze began, ms': Math.round(last.at - begun),
  'export in ms': Math.round(exported - begun),
  'import in ms': Math.round(imported - exported),
  'pause in ms': Math.round(acknowledged[before]!.at - last.at),
})
await from.stop()
await into.stop()
await rm(folder, { recursive: true })

/** Creates customers with a contact each, and messages with a file. */
async function fill(): Promise<void> {
  const client = new Client(from.owner)
  await client.connect()
  const { tenant } = company
  await client.query(
    `insert into customers (tenant_id, id, customer_type, first_name, last_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields)
    select $1, gen_random_uuid(), 'individual', 'First' || n, 'Last' || n, 'First' || n || ' Last' || n, 'last' || n, 'first' || n || ' last' || n, 'active', false, false, '{}'
    from generate_series(1, $2) n`,
    [tenant, customers],
  )
  await client.query(
    `insert into contacts (tenant_id, id, customer_id, first_name, name_folded, email, phone, is_primary, sms_opt_out, email_opt_out)
    select tenant_id, gen_random_uuid(), id, first_name, lower(first_name), lower(first_name) || '@example.com', '+15125550100', true, false, false
    from customers where tenant_id = $1`,
    [tenant],
  )
  await client.query(
    `with made as (
      insert into communications (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, subject, body)
      select $1, gen_random_uuid(), 'email', 'inbound', 'received', 'email', 'a@example.com', 'a@example.com', '{}', 'A file', 'See the file.'
      from generate_series(1, $2) n returning id)
    insert into attachments (tenant_id, id, communication_id, position, file_name, content_type, size_bytes, state, storage_key, stored_at)
    select $1, id, id, 0, 'a.pdf', 'application/pdf', 200000, 'stored', $1 || '/' || id || '/' || id, now() from made`,
    [tenant, files],
  )
  const { rows } = await client.query<{ key: string }>('select storage_key as key from attachments')
  for (const { key } of rows) await storageIn('from').save(key, Buffer.alloc(200_000, key), 'application/pdf')
  await client.query('analyze')
  await client.end()
}

/** Returns how often each write is stored. */
async function countWrites(owner: typeof into.owner): Promise<Map<string, number>> {
  const client = new Client(owner)
  await client.connect()
  const { rows } = await client.query<{ body: string; count: number }>(
    'select body, count(*)::int from notes where tenant_id = $1 group by 1',
    [company.tenant],
  )
  await client.end()
  return new Map(rows.map(({ body, count }) => [body, count]))
}
