import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeArchive, readArchive } from '../../src/backup/archive/archive.ts'
import { readWhole, type ArchiveEntry } from '../../src/backup/archive/tar.ts'
import { openSum } from '../../src/cli/tenant_file/digests.ts'
import { exportTenant } from '../../src/cli/tenant_file/export.ts'
import { EXPORT_RULES } from '../../src/cli/tenant_file/export_rules.ts'
import { importTenant } from '../../src/cli/tenant_file/import.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { openStorage } from '../../src/platform/storage/open_storage.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

export type ServiceWithStorage = TestService & { storage: Storage }

export type Moving = Awaited<ReturnType<typeof openMoveScene>>

/** Sets up two installations, the first with two companies. The one to move has a record of every kind and a file. */
export async function openMoveScene() {
  const folder = await mkdtemp(join(tmpdir(), 'callout-moving-'))
  const storageIn = (name: string): Storage => openStorage({ kind: 'directory', directory: join(folder, name) })
  const from: ServiceWithStorage = { ...(await startTestService()), storage: storageIn('from') }
  const into: ServiceWithStorage = { ...(await startTestService()), storage: storageIn('into') }
  const company = await makeCompany(from)
  const records = await makeRecords(company, 'Carried')
  await makeRecords(await makeCompany(from), 'Staying')
  const key = await receiveFile(from, company)
  let count = 0
  const newPath = (): string => join(folder, `company-${++count}.tar.gz`)
  return {
    folder,
    from,
    into,
    company,
    records,
    key,
    storageIn,
    newPath,
    exported: async (freezes = false): Promise<string> => {
      const path = newPath()
      await exportTenant(from.owner, from.storage, path, { tenant: company.tenant, freezes })
      return path
    },
    close: async (): Promise<void> => {
      await from.stop()
      await into.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export const BYTES = Buffer.from('%PDF-1.7 the bytes of a file'.repeat(5_000))

/** Receives a message with characters that COPY must escape, and stores its attachment. */
async function receiveFile({ database, storage }: ServiceWithStorage, { tenant }: Company): Promise<string> {
  const id = newId()
  const key = `${tenant}/${id}/${id}`
  await storage.save(key, BYTES, 'application/pdf')
  await writeTenant(database, { tenant }, async (db) => {
    await db.run(sql`insert into tool_uses (tenant_id, credential_id, day, tool, reads, proposals, refusals)
      select tenant_id, id, ${COUNTED_ON}, 'jobs_get', 3, 2, 1 from credentials where tenant_id = ${tenant} limit 1`)
    await db.run(sql`insert into communications (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, subject, body)
      values (${tenant}, ${id}, 'email', 'inbound', 'received', 'email', 'Ana "A" <ana@example.com>', 'ana@example.com', ${['a,b', '"{}"', '\\N', '']},
        ${'\\N'}, ${'tab\tline\nreturn\rback\\slash \\.\n\\.\né😀\u{7f}'})`)
    await db.run(sql`insert into attachments (tenant_id, id, communication_id, position, file_name, content_type, size_bytes, state, storage_key, stored_at)
      values (${tenant}, ${id}, ${id}, 0, 'a.pdf', 'application/pdf', ${BYTES.length}, 'stored', ${key}, '2026-01-02T03:04:05.678Z')`)
  })
  return key
}

/** A past day for tool use counts. Those of today are written with a delay. */
const COUNTED_ON = '2025-12-31'

/** Returns digests of a company's rows as exported, by table. */
export async function digestsOf(
  house: Pick<ServiceWithStorage, 'owner'>,
  tenant: string,
): Promise<Record<string, unknown>[]> {
  const witness = await openWitness(house)
  const tables = Object.entries(EXPORT_RULES).filter(([name]) => name !== 'users')
  const union = tables
    .map(([name, { condition, replacements }]) => {
      // A key's last use is written some seconds after the call.
      const left = [...Object.keys(replacements), 'last_used_at'].map((column) => ` - '${column}'`)
      return `select '${name}' as name, count(*), md5(string_agg(row, ',' order by row)) from
        (select (to_jsonb(t)${left.join('')})::text as row from ${name} t where ${condition(`'${tenant}'::uuid`)}${name === 'tool_uses' ? ` and day = '${COUNTED_ON}'` : ''}) r`
    })
    .join(' union all ')
  return witness.rows(`${union} order by 1`).finally(() => witness.close())
}

export async function readEntries(path: string): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of readArchive(path))
    entries.push({ name: entry.name, bytes: await readWhole(entry, Infinity) })
  return entries
}

/** Writes a copy of a company's file with its entries changed. */
export async function writeChangedCopy(
  from: string,
  to: string,
  change: (entries: ArchiveEntry[]) => ArchiveEntry[],
): Promise<string> {
  const entries = change(await readEntries(from))
  await writeArchive(to, async (add) => {
    for (const entry of entries) await add(entry)
  })
  return to
}

/** Updates the counts and sums in the last entry to the current rows, as a forger would. */
export function updateTotals(entries: ArchiveEntry[]): ArchiveEntry[] {
  const last = entries.at(-1)!
  const ending = JSON.parse(last.bytes.toString()) as {
    held: Record<string, { rows: number; sum: string }>
    files: number
  }
  for (const table of Object.keys(ending.held)) {
    const sum = openSum()
    for (const { name, bytes } of entries) if (name.startsWith(`tables/${table}/`)) sum.add(bytes)
    ending.held[table] = sum.total()
  }
  ending.files = entries.filter(({ name }) => name.startsWith('files/')).length
  return [...entries.slice(0, -1), { ...last, bytes: Buffer.from(JSON.stringify(ending)) }]
}

/** Asserts that a file is rejected for a reason, and that no row and no file of it is kept. */
export async function assertRefused(
  { into, key }: Moving,
  witness: Witness,
  file: string,
  reason: RegExp,
): Promise<void> {
  const before = await witness.digest()
  await assert.rejects(importTenant(into.owner, into.storage, file), (error: Error) => {
    assert.ok(error.message.startsWith(`${file} was not imported: `), error.message)
    assert.match(error.message, reason)
    return true
  })
  assert.deepEqual(await witness.digest(), before)
  assert.equal(await into.storage.get(key), undefined)
}

export type { Records }
