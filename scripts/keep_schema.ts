import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client, type ClientConfig } from 'pg'
import { takeBackup } from '../src/backup/archive/take.ts'
import { openStorage } from '../src/platform/storage/open_storage.ts'
import { MONEY } from '../test/harness/money/money_kept.ts'
import { makeRecords } from '../test/harness/clients/every_tool.ts'
import { makeCompany, startTestService } from '../test/harness/harness.ts'

// npm run keep-schema, once per release: saves a small installation with the current schema under test/fixtures/schemas/, named
// after its last migration: a backup with a record of every kind, and a file with its money totals. test/operation/schema/every_schema.test.ts
// opens every one that was ever saved. Existing ones are never overwritten.
const folder = new URL('../test/fixtures/schemas/', import.meta.url)

await mkdir(folder, { recursive: true })
const service = await startTestService()
try {
  const name = await lastStep(service.owner)
  if ((await readdir(folder)).includes(`${name}.json`)) throw new Error(`${name} already exists`)
  const company = await makeCompany(service)
  const records = await makeRecords(company, 'Kept')
  await company.call('invoices_update', { id: records.invoice, status: 'sent' })
  await company.call('invoices_update', { id: records.invoice, status: 'paid' })
  const nowhere = openStorage({ kind: 'directory', directory: fileURLToPath(new URL('none', folder)) })
  await takeBackup(service.owner, nowhere, fileURLToPath(new URL(`${name}.tar.gz`, folder)))
  const kept = { tenant: company.tenant, records, money: await queryRows(service.owner, MONEY) }
  await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(kept, null, 2)}\n`)
} finally {
  await service.stop()
}

async function lastStep(owner: ClientConfig): Promise<string> {
  const [row] = await queryRows(owner, 'select max(name collate "C") as name from migrations')
  return String(row!['name'])
}

async function queryRows(owner: ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(owner)
  await client.connect()
  return client
    .query<Record<string, unknown>>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}
