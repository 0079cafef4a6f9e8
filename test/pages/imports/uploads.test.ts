import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { listAttachments, type Attachment } from '../../../src/files/attachment.ts'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { openAttachment } from '../../../src/files/download.ts'
import { parseEmail, receiveEmail } from '../../../src/messaging/inbox/inbound/inbound_email.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import type { Storage } from '../../../src/platform/storage/storage.ts'
import { uploadTask } from '../../../src/worker/tasks/uploads.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { KEYS, REGION, startBucket } from '../../harness/files/bucket.ts'
import { makeAttachment } from '../../harness/files/files.ts'
import { freshId, messagesOf } from '../../harness/messaging/inbound.ts'
import { SimulatedDeath, dieAt, countSteps } from '../../harness/processes/simulated_death.ts'
import { captureLines, startWorkers } from '../../harness/processes/workers.ts'

let workers: Awaited<ReturnType<typeof startWorkers>>
let directory: string
let files: Storage
before(async () => {
  workers = await startWorkers()
  directory = await mkdtemp(join(tmpdir(), 'callout-uploads-'))
  files = openStorage({ kind: 'directory', directory })
})
after(async () => {
  await workers.stop()
  await rm(directory, { recursive: true })
})

const TEXTS = ['first', 'second', 'third']

/** Creates a company and an email to it with three attachments. */
async function makeMail() {
  const tenant = await workers.tenant()
  const address = `${freshId('in')}@in.example.com`
  await addChannel(workers.database, MAILBOXES, tenant, address)
  const mail = JSON.stringify({
    from: 'ana@example.com',
    to: address,
    messageId: freshId('m'),
    text: 'See below',
    attachments: TEXTS.map((text, i) => makeAttachment(`../${i}.txt`, 'text/plain', Buffer.from(text))),
  })
  const receive = async (database = workers.database): Promise<void> =>
    receiveEmail(database, (await parseEmail(Buffer.from(mail)))!, Buffer.from(mail))
  const attachments = async (): Promise<Attachment[]> => {
    const [message, ...more] = await messagesOf(workers.database, tenant)
    assert.deepEqual(more, [])
    return message === undefined
      ? []
      : readTenant(workers.database, { tenant }, (db) => listAttachments(db, message.id))
  }
  const states = async (): Promise<string[]> => (await attachments()).map(({ state }) => state)
  const countSpooled = () =>
    readTenant(
      workers.database,
      { tenant },
      async (db) => (await db.all(sql`select 1 from attachment_spool where tenant_id = ${tenant}`)).length,
    )
  const texts = async (storage: Storage): Promise<string[]> =>
    Promise.all(
      (await attachments()).map(async ({ id }) =>
        new Response((await openAttachment(workers.database, storage, tenant, id)).body).text(),
      ),
    )
  return { tenant, mail, receive, attachments, states, countSpooled, texts }
}

const STORED = ['stored', 'stored', 'stored']
const PENDING = ['pending', 'pending', 'pending']

describe('uploading attachments', () => {
  it('stores all attachments under their IDs, and empties the spool', async () => {
    const { tenant, receive, attachments, states, countSpooled, texts } = await makeMail()
    await receive()
    assert.deepEqual([await states(), await countSpooled(), await texts(files)], [PENDING, 3, TEXTS])
    await (await workers.process([uploadTask(files)])).runDue()
    assert.deepEqual([await states(), await countSpooled(), await texts(files)], [STORED, 0, TEXTS])
    const all = await attachments()
    assert.deepEqual(
      all.map(({ storage_key, communication_id, id }) => storage_key === `${tenant}/${communication_id}/${id}`),
      [true, true, true],
    )
    assert.deepEqual(
      (await readdir(join(directory, tenant, all[0]!.communication_id))).sort(),
      all.map(({ id }) => id).sort(),
    )
  })

  it('stores attachments in a bucket, and retries after the bucket was unavailable', async () => {
    const bucket = await startBucket()
    const storage = openStorage({
      kind: 'bucket',
      endpoint: bucket.endpoint,
      bucket: 'files',
      prefix: '',
      region: REGION,
      ...KEYS,
      sessionToken: null,
    })
    const { receive, states, texts } = await makeMail()
    await receive()
    const worker = await workers.process([uploadTask(storage)])
    bucket.setBroken(true)
    await worker.runDue()
    assert.deepEqual([await states(), await texts(storage)], [PENDING, TEXTS])
    bucket.setBroken(false)
    workers.pass({ minutes: 1 })
    await worker.runDue()
    assert.deepEqual([await states(), await texts(storage), bucket.objects.size], [STORED, TEXTS, 3])
    await bucket.stop()
  })

  it('stores the other attachments when one fails, and retries that one after 30 seconds', async () => {
    const { tenant, receive, attachments, states, countSpooled, texts } = await makeMail()
    await receive()
    const second = (await attachments())[1]!.id
    let fails = true
    const failing: Storage = {
      ...files,
      save: (key, ...given) =>
        fails && key.endsWith(second) ? Promise.reject(new Error('disk full')) : files.save(key, ...given),
    }
    const worker = await workers.process([uploadTask(failing)])
    await worker.runDue()
    assert.deepEqual(
      [await states(), await countSpooled(), await texts(files)],
      [['stored', 'pending', 'stored'], 1, TEXTS],
    )
    assert.match(JSON.stringify(worker.lines.at(-1)!.err), /1 attachments were not stored.*disk full/)
    assert.equal(worker.lines.at(-1)!.tenant, tenant)
    fails = false
    await worker.runDue()
    assert.deepEqual(await states(), ['stored', 'pending', 'stored'])
    workers.pass({ seconds: 31 })
    await worker.runDue()
    assert.deepEqual([await states(), await countSpooled(), await texts(files)], [STORED, 0, TEXTS])
  })
})

describe('a process that dies', () => {
  it('at any step of receiving a message leaves nothing behind, and the next delivery is complete', async () => {
    const { receive, states, countSpooled } = await makeMail()
    let last = 1
    for (; ; last++) {
      const pool = openDatabase(workers.login, { maxConnections: 2 })
      const ended = await receive(countSteps(pool, dieAt(last)).database).then(
        () => 'over',
        (error: unknown) => error,
      )
      await pool.close()
      if (ended === 'over') break
      assert.ok(ended instanceof SimulatedDeath)
      assert.deepEqual([await states(), await countSpooled()], [[], 0])
    }
    assert.ok(last > 3, `${last} steps`)
    await receive()
    assert.deepEqual([await states(), await countSpooled()], [PENDING, 3])
  })

  it('at any step of uploading loses and duplicates nothing', async () => {
    const { receive, states, countSpooled, texts } = await makeMail()
    await receive()
    let last = 1
    for (let died = true; died; last++) {
      died = false
      const pool = openDatabase(workers.login, { maxConnections: 2 })
      const { database, between } = countSteps(pool, async (number) => {
        died ||= number >= last
        await dieAt(last)(number)
      })
      const storage = { ...files, save: (...given: Parameters<Storage['save']>) => between(() => files.save(...given)) }
      await runDue(
        { database, log: captureLines().log, clock: workers.clock, stopping: new AbortController().signal },
        [uploadTask(storage)],
      ).catch(() => {})
      await pool.close()
      workers.pass({ hours: 1 })
      assert.equal((await states()).filter((state) => state === 'pending').length, await countSpooled())
      assert.deepEqual(await texts(files), TEXTS)
    }
    assert.ok(last > 10, `${last} steps`)
    assert.deepEqual([await states(), await countSpooled(), await texts(files)], [STORED, 0, TEXTS])
  })

  async function kill(given: object): Promise<void> {
    const child = spawn(
      process.execPath,
      ['test/harness/processes/message.process.ts', JSON.stringify({ login: workers.login, ...given })],
      { cwd: new URL('../../..', import.meta.url), stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const exited = once(child, 'exit')
    const [said] = (await Promise.race([once(child.stdout, 'data'), exited])) as [unknown]
    child.kill('SIGKILL')
    await exited
    assert.equal(String(said), 'here')
  }

  it('by SIGKILL before the commit of a receipt leaves nothing', async () => {
    const { mail, receive, states, countSpooled } = await makeMail()
    for (const step of [3, 4]) await kill({ mail, step })
    assert.deepEqual(await states(), [])
    await receive()
    assert.deepEqual([await states(), await countSpooled()], [PENDING, 3])
  })

  it('by SIGKILL between the file and the row is retried under the same storage key', async () => {
    const { tenant, receive, states, countSpooled, texts, attachments } = await makeMail()
    await receive()
    for (const step of [8, 10]) {
      await kill({ directory, now: workers.clock().toString(), step })
      workers.pass({ minutes: 3 })
    }
    assert.ok((await countSpooled()) > 0)
    await (await workers.process([uploadTask(files)])).runDue()
    assert.deepEqual([await states(), await countSpooled(), await texts(files)], [STORED, 0, TEXTS])
    const all = await attachments()
    assert.deepEqual(
      (await readdir(join(directory, tenant, all[0]!.communication_id))).sort(),
      all.map(({ id }) => id).sort(),
    )
  })
})
