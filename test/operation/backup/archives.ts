import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArchive, writeArchive } from '../../../src/backup/archive/archive.ts'
import { takeBackup } from '../../../src/backup/archive/take.ts'
import { readWhole, type ArchiveEntry } from '../../../src/backup/archive/tar.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import type { Storage } from '../../../src/platform/storage/storage.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeEmptyDatabase, type EmptyDatabase } from '../../harness/database/empty_database.ts'
import { makeRecords } from '../../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type TestService } from '../../harness/harness.ts'
import { openWitness } from '../../harness/clients/witness.ts'

export const BYTES = randomBytes(200_000)

export type Archives = Awaited<ReturnType<typeof openArchives>>

/** Starts a service with two companies and their files in a folder, and takes a backup of all of it. */
export async function openArchives() {
  const folder = await mkdtemp(join(tmpdir(), 'callout-backup-'))
  const service = await startTestService()
  const company = await makeCompany(service)
  const { customer } = await makeRecords(company, 'Kept')
  await makeRecords(await makeCompany(service), 'Other')
  const directory = (name: string): Storage => openStorage({ kind: 'directory', directory: join(folder, name) })
  const files = directory('files')
  const key = await receive(service, { tenant: company.tenant, customer }, files)
  const backup = join(folder, 'kept.tar.gz')
  await takeBackup(service.owner, files, backup)
  return {
    folder,
    service,
    company,
    customer,
    files,
    key,
    backup,
    directory,
    read: async (storage: Storage): Promise<Buffer | undefined> => {
      const stream = await storage.get(key)
      return stream && Buffer.from(await new Response(stream).arrayBuffer())
    },
    /** Returns a copy of the backup with its entries changed. */
    changed: async (name: string, change: (entries: ArchiveEntry[]) => ArchiveEntry[]): Promise<string> => {
      const path = join(folder, name)
      const entries = change(await readEntries(backup))
      await writeArchive(path, async (add) => {
        for (const entry of entries) await add(entry)
      })
      return path
    },
    stop: async (): Promise<void> => {
      await service.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/**
 * Receives two messages with characters that COPY must escape. The file of one is in storage, of the other still in the
 * database.
 */
async function receive(
  { database }: TestService,
  { tenant, customer }: { tenant: string; customer: string },
  storage: Storage,
): Promise<string> {
  const [stored, spooled] = [newId(), newId()]
  const key = `${tenant}/${stored}/${stored}`
  await storage.save(key, BYTES, 'application/pdf')
  await writeTenant(database, { tenant }, async (db) => {
    for (const [id, state] of [
      [stored, 'stored'],
      [spooled, 'pending'],
    ] as const) {
      await db.run(sql`insert into communications (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, customer_id, subject, body)
        values (${db.tenant}, ${id}, 'email', 'inbound', 'received', 'email', 'Ana "A" <ana@example.com>', 'ana@example.com', ${['a,b', '"{}"', '\\N', '']},
          ${customer}, ${'\\N'}, ${'tab\tline\nreturn\rback\\slash \\.\n\\.\né😀\u{7f}'})`)
      await db.run(sql`insert into attachments (tenant_id, id, communication_id, position, file_name, content_type, size_bytes, state, storage_key, stored_at)
        values (${db.tenant}, ${id}, ${id}, 0, 'a.pdf', 'application/pdf', ${BYTES.length}, ${state}, ${state === 'stored' ? key : null}, ${state === 'stored' ? '2026-01-02T03:04:05.678Z' : null})`)
    }
    await db.run(
      sql`insert into attachment_spool (tenant_id, attachment_id, bytes) values (${db.tenant}, ${spooled}, ${BYTES})`,
    )
  })
  return key
}

export async function digestOf(database: Pick<EmptyDatabase, 'owner'>) {
  const witness = await openWitness(database)
  try {
    return {
      rows: await witness.digest(),
      steps: await witness.rows('select name, checksum from migrations order by name'),
    }
  } finally {
    await witness.close()
  }
}

/** Provides a temporary database without a schema. */
export async function withEmpty(
  use: (empty: EmptyDatabase) => Promise<void>,
  { ordinary = false } = {},
): Promise<void> {
  const empty = await makeEmptyDatabase({ ordinary })
  try {
    await use(empty)
  } finally {
    await empty.drop()
  }
}

export async function readEntries(path: string): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of readArchive(path))
    entries.push({ name: entry.name, bytes: await readWhole(entry, Infinity) })
  return entries
}
