import assert from 'node:assert/strict'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { markStored, storageKey } from '../../../src/files/attachment.ts'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { makeAttachment } from '../../harness/files/files.ts'
import type { TestService } from '../../harness/harness.ts'
import { freshId } from '../../harness/messaging/inbound.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'

const BYTES = Buffer.alloc(3 * 2 ** 20, 'All of it. ')

let service: TestService
let office: Office
let directory: string
let files: string[]
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-held-'))
  service = await startSite({ ...WEBHOOK_ENV, DATA_DIR: directory })
  office = await openOffice(service, 'Alder Plumbing')
  files = [await jobFile(), await attachment()]
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

async function jobFile(): Promise<string> {
  const customer = await office.customer('Dora')
  const job = await office.call('jobs_create', { customer_id: customer['id'], title: 'Leak' })
  const body = new FormData()
  body.append('files', new File([BYTES], 'report.txt', { type: 'text/plain' }))
  await office.browser.send(office.at('jobs', job['id'] as string, 'media'), {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const { media } = await office.call('jobs_get', { id: job['id'] })
  return new URL((media as { url: string }[])[0]!.url).pathname
}

/** Returns the path of a stored mail attachment. */
async function attachment(): Promise<string> {
  const address = 'alder@in.example.com'
  await addChannel(service.database, MAILBOXES, office.id, address)
  await providerOf(service).email('/api/webhooks/email/inbound', {
    from: 'ana@example.com',
    to: address,
    messageId: freshId('m'),
    text: 'x',
    attachments: [makeAttachment('plan.txt', 'text/plain', BYTES)],
  })
  return writeTenant(service.database, { tenant: office.id }, async (db) => {
    const one = await db.one<{ id: string; communication_id: string }>(
      sql`select id, communication_id from attachments where tenant_id = ${office.id}`,
    )
    const key = storageKey(office.id, one)
    await openStorage(service.config.storage).save(key, BYTES, 'text/plain')
    await markStored(db, one.id, key)
    return office.at('attachments', one.id)
  })
}

/** Lists the stored files that this process, which includes the service, has open. */
async function listOpenFiles(): Promise<string[]> {
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return open.filter((target) => target.startsWith(directory))
}

/** Waits until no stored file is open. Returns those still open at the timeout. */
async function waitForRelease(): Promise<string[]> {
  for (let tries = 0; tries < 2_400 && (await listOpenFiles()).length > 0; tries++) await setTimeout(50)
  return listOpenFiles()
}

/** Sends a request and disconnects when the response starts. */
const goneSoon = (path: string, method: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.origin)
    const cookie = [...office.browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`),
    )
    socket
      .once('data', () => socket.destroy())
      .once('close', () => resolve())
      .once('error', reject)
  })

/** Crawls the pages from the first one on. Returns up to eight addresses of each shape, and the files. */
async function addresses(): Promise<string[]> {
  const [seen, ahead] = [new Map<string, number>(), new Set([office.at()])]
  for (const address of ahead) {
    const shape = address.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/=[^&]*/g, '')
    seen.set(shape, (seen.get(shape) ?? 0) + 1)
    if (seen.get(shape)! > 8) ahead.delete(address)
    else for (const link of linksIn(await office.browser.get(address), address)) ahead.add(link)
  }
  return [...ahead, ...files]
}

const linksIn = ({ headers, text }: BrowserResponse, from: string): string[] =>
  headers.get('content-type')?.startsWith('text/html') !== true
    ? []
    : [...text.matchAll(/\s(?:href|src)="([^"#]*)/g)]
        .map(([, link]) => new URL(link!.replaceAll('&amp;', '&'), service.config.baseUrl + from))
        .flatMap(({ origin, pathname, search }) => (origin === service.config.baseUrl ? [pathname + search] : []))

describe('a stored file', { skip: process.platform !== 'linux' && 'descriptors are counted in /proc' }, () => {
  it("isn't opened by a HEAD request, which returns the headers of GET", async () => {
    for (const path of files) {
      const { status, headers, text } = await office.browser.get(path)
      assert.deepEqual([status, text.length, headers.get('content-length')], [200, BYTES.length, String(BYTES.length)])
      for (let asked = 0; asked < 500; asked += 50) {
        const heads = Array.from({ length: 50 }, () => office.browser.send(path, { method: 'HEAD' }))
        for (const head of await Promise.all(heads)) {
          assert.deepEqual([head.status, head.text], [200, ''])
          for (const name of ['content-length', 'content-type', 'content-disposition', 'etag'])
            assert.equal(head.headers.get(name), headers.get(name))
        }
      }
      assert.deepEqual(await listOpenFiles(), [])
    }
  })

  it('is closed when the client disconnects', async () => {
    for (const path of files) await Promise.all(Array.from({ length: 50 }, () => goneSoon(path, 'GET')))
    assert.deepEqual(await waitForRelease(), [])
  })

  it('is closed when its stream is unread or canceled', async () => {
    const storage = openStorage(service.config.storage)
    const key = `${office.id}/${office.id}`
    await storage.save(key, BYTES, 'text/plain')
    const unread = await Promise.all(Array.from({ length: 20 }, () => storage.get(key)))
    assert.deepEqual(await listOpenFiles(), [])
    for (const stream of unread) {
      const reader = stream!.getReader()
      await reader.read()
      await reader.cancel()
    }
    assert.deepEqual(await waitForRelease(), [])
  })

  it("isn't left open by HEAD or interrupted GET requests to any page", async () => {
    for (const path of await addresses()) {
      for (const method of ['HEAD', 'GET']) await goneSoon(path, method)
      const { status, text } = await office.browser.send(path, { method: 'HEAD' })
      assert.deepEqual([status < 500, text], [true, ''], path)
    }
    assert.deepEqual(await waitForRelease(), [])
  })
})
