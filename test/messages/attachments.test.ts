import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pino from 'pino'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase, sql } from '../../src/platform/db/database.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { markStored, storageKey } from '../../src/files/attachment.ts'
import { openAttachment } from '../../src/files/download.ts'
import { openStorage } from '../../src/platform/storage/open_storage.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { startService } from '../../src/start/service.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { fileRemovalTask } from '../../src/worker/tasks/file_removals.ts'
import { uploadTask } from '../../src/worker/tasks/uploads.ts'
import { runDue } from '../../src/worker/worker.ts'
import { FILES, makeAttachment } from '../harness/files/files.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { freshId, makeReceiver, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

let service: TestService
let company: Receiver
let storage: Storage
let directory: string
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await makeReceiver(service)
  directory = await mkdtemp(join(tmpdir(), 'callout-attachments-'))
  storage = openStorage({ kind: 'directory', directory })
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true })
})

/** Receives an email and returns its attachments. */
async function receiveAttachments(attachments: readonly object[]) {
  const messageId = freshId('m')
  const { status, text } = await provider.email('/api/webhooks/email/inbound', {
    from: 'ana@example.com',
    to: company.address,
    messageId,
    text: 'x',
    attachments,
  })
  assert.deepEqual([status, text], [200, '{"accepted":true}'])
  return company.attachments((await company.message(messageId)).id)
}

describe('attachments of an inbound email', () => {
  it('are accepted or rejected one by one, in order, while the email is stored', async () => {
    const kept = await receiveAttachments([
      makeAttachment('a.pdf', 'application/pdf', FILES['application/pdf']!),
      makeAttachment('b.html', 'text/html', Buffer.from('<p>')),
      { filename: 'c.txt', contentType: 'text/plain', content: '*' },
      makeAttachment('d.png', 'image/png', Buffer.from('MZ')),
      makeAttachment('e.txt', 'text/plain; charset=utf-8', Buffer.from('e')),
    ])
    assert.deepEqual(
      kept.map(({ file_name, content_type, size_bytes, state, reason }) => [
        file_name,
        content_type,
        size_bytes,
        state,
        reason,
      ]),
      [
        ['a.pdf', 'application/pdf', FILES['application/pdf']!.length, 'pending', null],
        ['b.html', 'text/html', null, 'rejected', 'type_not_allowed'],
        ['c.txt', 'text/plain', null, 'rejected', 'bad_base64'],
        ['d.png', 'image/png', 2, 'rejected', 'type_mismatch'],
        ['e.txt', 'text/plain', 1, 'pending', null],
      ],
    )
  })

  it('get a default name if they have none, and are rejected without a content type', async () => {
    const [inline, odd] = await receiveAttachments([
      { filename: null, contentType: 'image/png', content: FILES['image/png']!.toString('base64') },
      { filename: 'a.txt', content: 'YQ==' },
    ])
    assert.deepEqual([inline!.file_name, inline!.state, odd!.reason], ['attachment.png', 'pending', 'type_not_allowed'])
  })

  it('are limited to 20 files and 25 MiB', async () => {
    const sizes = [10, 10, 5, 1].map((mib) => Buffer.alloc(mib * 2 ** 20, 'a'))
    const kept = await receiveAttachments([
      ...sizes.map((bytes, i) => makeAttachment(`${i}.txt`, 'text/plain', bytes)),
      ...Array.from({ length: 18 }, (_, i) => makeAttachment(`${i}.txt`, 'text/plain', Buffer.alloc(0))),
    ])
    assert.deepEqual(
      kept.map(({ reason }) => reason),
      [null, null, null, 'total_too_large', ...Array.from({ length: 16 }, () => null), 'too_many', 'too_many'],
    )
  })
})

describe('the attachment worker', () => {
  it('moves attachments to the configured storage', async () => {
    const [one] = await receiveAttachments([makeAttachment('a.txt', 'text/plain', Buffer.from('by the worker'))])
    const { storage: place } = readConfig({ DATA_DIR: directory })
    const pool = openDatabase(service.login)
    const working = await startService({ ...service.config, storage: place }, pool, pino({ level: 'silent' }), [])
    const key = await eventually(async () => (await company.attachments(one!.communication_id))[0]!.storage_key)
    await working.stop(0)
    await pool.close()
    const stored = await openStorage(place).get(key)
    assert.equal(await new Response(stored).text(), 'by the worker')
  })

  it('removes the stored file of an attachment that is erased during storage', async () => {
    const [one] = await receiveAttachments([makeAttachment('a.txt', 'text/plain', Buffer.from('erased'))])
    const key = storageKey(company.tenant, one!)
    const erasing: Storage = {
      ...storage,
      save: async (...file) => {
        await storage.save(...file)
        if (file[0] !== key) return
        await writeTenant(service.database, { tenant: company.tenant }, (db) =>
          db.run(sql`delete from attachments where tenant_id = ${db.tenant} and id = ${one!.id}`),
        )
      },
    }
    const { log, lines } = captureLines()
    const clock = (): Temporal.Instant => Temporal.Now.instant().add({ minutes: 1 })
    const context = { database: service.database, log, clock, stopping: new AbortController().signal }
    await runDue(context, [uploadTask(erasing), fileRemovalTask(erasing)])
    assert.deepEqual(lines, [])
    assert.equal(await storage.get(key), undefined)
  })
})

/** Returns the first non-null result within two minutes. */
async function eventually<T>(look: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 1_200; tries++) {
    const found = await look()
    if (found !== null) return found
    await setTimeout(100)
  }
  throw new Error('It did not come')
}

describe('an attachment download', () => {
  it('is never shown inline, and has a safe file name in its headers', async () => {
    const [one] = await receiveAttachments([
      makeAttachment('Plan "é"\r\nX-Evil: 1; 50%.pdf', 'application/pdf', FILES['application/pdf']!),
    ])
    const { headers, body } = await openAttachment(service.database, storage, company.tenant, one!.id)
    assert.deepEqual(headers, {
      'Content-Type': 'application/pdf',
      'Content-Length': String(FILES['application/pdf']!.length),
      'Content-Disposition': `attachment; filename="Plan ___X-Evil_ 1; 50_.pdf"; filename*=UTF-8''Plan%20_%C3%A9_X-Evil_%201%3B%2050%25.pdf`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, no-store',
    })
    assert.ok(Buffer.from(await new Response(body, { headers }).arrayBuffer()).equals(FILES['application/pdf']!))
  })

  it('returns not found for another company, or an attachment that is rejected, unknown or lost', async () => {
    const [kept, rejected, lost] = await receiveAttachments([
      makeAttachment('a.txt', 'text/plain', Buffer.from('a')),
      makeAttachment('b.html', 'text/html', Buffer.from('b')),
      makeAttachment('c.txt', 'text/plain', Buffer.from('c')),
    ])
    const other = await makeReceiver(service)
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      markStored(db, lost!.id, `${newId()}/${newId()}`),
    )
    for (const [tenant, id] of [
      [company.tenant, lost!.id],
      [other.tenant, kept!.id],
      [company.tenant, rejected!.id],
      [company.tenant, newId()],
    ] as const) {
      await assert.rejects(openAttachment(service.database, storage, tenant, id), /attachment not found/)
    }
  })
})
