import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findCaller, type Caller } from '../../src/identity/credentials/caller.ts'
import { hashOf } from '../../src/identity/credentials/secret_hash.ts'
import { sql } from '../../src/platform/db/database.ts'
import { readTenant, writeTenant } from '../../src/platform/db/tenant.ts'
import { addJobMedia, openJobMedia, removeJobMedia, type MediaUpload } from '../../src/files/job_media.ts'
import { openStorage } from '../../src/platform/storage/open_storage.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { fileRemovals } from '../../src/worker/tasks/file_removals.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { FILES } from '../harness/files/files.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { remembering } from '../harness/processes/workers.ts'

let service: TestService
let company: Company
let caller: Caller
let customer: string
let directory: string
let files: Storage
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  caller = await callerOf(company.owner.key)
  customer = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' }))['id']
  directory = await mkdtemp(join(tmpdir(), 'callout-media-'))
  files = openStorage({ kind: 'directory', directory })
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true })
})

async function callerOf(key: string): Promise<Caller> {
  const found = await findCaller(service.database, hashOf(key))
  if (typeof found === 'string') throw new Error(found)
  return found
}

const JPEG = FILES['image/jpeg']!
/** Returns the beginning of an ISO media file (ISO 14496-12 4.3) of a brand. */
const heif = (brand: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}`),
    Buffer.alloc(4),
    Buffer.from('mif1heic'),
    Buffer.alloc(64),
  ])
const makeJob = async (): Promise<string> =>
  (await company.call('jobs_create', { customer_id: customer, title: 'Boiler' }))['id']
const add = (job: string, given: Partial<MediaUpload> = {}, by = caller, storage = files) =>
  addJobMedia({ database: service.database, storage }, by, job, {
    name: 'photo.jpg',
    type: 'image/jpeg',
    content: JPEG,
    ...given,
  })
const remove = (job: string, id: string, by = caller) => removeJobMedia(service.database, by, job, id)
const open = (job: string, id: string, by = caller, storage = files) =>
  openJobMedia({ database: service.database, storage }, by, job, id)
const mediaOf = async (job: string): Promise<Record<string, unknown>[]> =>
  (await company.call('jobs_get', { id: job }))['media']
const bytesOf = async (body: ConstructorParameters<typeof Response>[0]): Promise<Buffer> =>
  Buffer.from(await new Response(body).arrayBuffer())
const stored = async (job: string): Promise<string[]> => readdir(join(directory, company.tenant, job)).catch(() => [])
const inTenant = <T>(query: ReturnType<typeof sql>): Promise<T[]> =>
  readTenant(service.database, { tenant: company.tenant }, (db) => db.all<T>(query))
const history = (job: string) =>
  inTenant<{
    tool: string
    user_id: string
    credential_id: string
    changed: object
  }>(sql`select tool, user_id, credential_id, changed from audit
  where tenant_id = ${company.tenant} and record_type = 'job' and record_id = ${job} and tool like '%media' order by at, id`)
const waiting = async (): Promise<number> =>
  (await inTenant(sql`select storage_key from file_removals where tenant_id = ${company.tenant}`)).length

/** Returns what the worker does, `later` by the clock. */
async function work(storage = files, later: Temporal.DurationLike = { seconds: 1 }): Promise<string[]> {
  const { log, lines } = remembering()
  const shop = {
    database: service.database,
    log,
    clock: () => Temporal.Now.instant().add(later),
    stopping: new AbortController().signal,
  }
  const chores = [fileRemovals(storage)]
  await enrollAll(shop, chores)
  await runDue(shop, chores)
  return lines.map(({ err }) => err?.message ?? '')
}

describe('a file that is put on a job', () => {
  it("is in the job's record, in storage under ids, and in the history", async () => {
    const job = await makeJob()
    const before = await company.call('jobs_get', { id: job })
    const { id, storage_key } = await add(job, { name: '../été\u202E.JPG', caption: ' The old valve ' })
    const [media] = await mediaOf(job)
    assert.deepEqual(
      { ...media, created_at: null },
      {
        id,
        file_name: 'été.JPG',
        content_type: 'image/jpeg',
        size_bytes: JPEG.length,
        caption: 'The old valve',
        created_at: null,
        created_by: company.owner.id,
        url: `http://callout.test/${company.tenant}/jobs/${job}/media/${id}`,
      },
    )
    assert.deepEqual([storage_key, await stored(job), await waiting()], [`${company.tenant}/${job}/${id}`, [id], 0])
    assert.deepEqual(await history(job), [
      {
        tool: 'jobs.add_media',
        user_id: company.owner.id,
        credential_id: company.owner.credential,
        changed: { media: [null, 'été.JPG'], media_id: [null, id], caption: [null, 'The old valve'] },
      },
    ])
    const after = await company.call('jobs_get', { id: job })
    assert.ok(after['updated_at'] > before['updated_at'])
    assert.equal(
      (await company.call('jobs_list', { updated_since: after['updated_at'] }))['rows'].some(
        (row: { id: string }) => row.id === job,
      ),
      true,
    )
  })

  it("is of any type that mail may bring, and HEIC; its type is told by its name where the browser doesn't know it", async () => {
    const job = await makeJob()
    for (const [type, bytes] of Object.entries(FILES))
      assert.equal((await add(job, { name: 'file', type, content: bytes })).content_type, type)
    const given: [name: string, type: string, content: Buffer, kept: string][] = [
      ['IMG_1.HEIC', 'image/heic', heif('heic'), 'image/heic'],
      ['IMG_1.HEIC', '', heif('heic'), 'image/heic'],
      ['a.heif', 'image/heif', heif('mif1'), 'image/heif'],
      ['a.jpeg', 'application/octet-stream', JPEG, 'image/jpeg'],
      ['a.txt', 'Text/Plain; charset=utf-8', Buffer.from('a'), 'text/plain'],
    ]
    for (const [name, type, content, kept] of given)
      assert.equal((await add(job, { name, type, content })).content_type, kept)
  })

  it('may come in pieces, up to 10 MiB and no further', async () => {
    const job = await makeJob()
    const pieces = (count: number): ReadableStream<Uint8Array> =>
      ReadableStream.from(Array.from({ length: count }, () => new Uint8Array(2 ** 20).fill(97)))
    const { size_bytes, id } = await add(job, { name: 'a.txt', type: 'text/plain', content: pieces(10) })
    assert.equal(size_bytes, 10 * 2 ** 20)
    assert.equal((await bytesOf((await open(job, id)).body)).length, 10 * 2 ** 20)
    let read = 0
    const endless = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          read++
          controller.enqueue(new Uint8Array(2 ** 20).fill(97))
        },
      },
      { highWaterMark: 0 },
    )
    await assert.rejects(
      add(job, { name: 'a.txt', type: 'text/plain', content: endless }),
      /file must be at most 10 MiB/,
    )
    assert.ok(read < 15, `${read} pieces were read`)
    assert.equal((await mediaOf(job)).length, 1)
  })
})

describe('refused, and nothing is kept', () => {
  it('is what is not taken, empty, too large, or not what it says', async () => {
    const job = await makeJob()
    const cases: [given: Partial<MediaUpload>, why: RegExp][] = [
      [{ type: 'text/html', content: Buffer.from('<p>') }, /file must be a picture/],
      [{ name: 'a.svg', type: 'image/svg+xml' }, /file must be a picture/],
      [{ name: 'a.exe', type: '' }, /file must be a picture/],
      [{ name: 'photo', type: '' }, /file must be a picture/],
      [{ type: 'image/png' }, /not what its type says/],
      [{ name: 'a.heic', type: 'image/heic' }, /not what its type says/],
      [{ type: 'image/jpeg', content: heif('heic') }, /not what its type says/],
      [{ type: 'text/plain', content: Buffer.from('<script>') }, /not what its type says/],
      [{ content: new Uint8Array() }, /file is empty/],
      [{ type: 'text/plain', content: Buffer.alloc(10 * 2 ** 20 + 1, 'a') }, /at most 10 MiB/],
      [{ caption: 'x'.repeat(201) }, /caption must be at most 200 characters \(got 201\)/],
      [{ caption: 'a\nb' }, /control characters/],
      [{ caption: '\ud800' }, /control characters/],
    ]
    for (const [given, why] of cases) await assert.rejects(add(job, given), why, JSON.stringify(given).slice(0, 60))
    assert.deepEqual([await mediaOf(job), await stored(job), await history(job), await waiting()], [[], [], [], 0])
  })

  it("is a file for a job that is not there, another company's, or cancelled", async () => {
    const [job, other] = [await makeJob(), await makeCompany(service)]
    const theirs = await callerOf(other.owner.key)
    const { id } = await add(job)
    for (const [given, by] of [
      [newId(), caller],
      [job, theirs],
    ] as const)
      await assert.rejects(add(given, {}, by), /job not found/)
    for (const [given, file, by] of [
      [job, newId(), caller],
      [job, id, theirs],
      [await makeJob(), id, caller],
    ] as const) {
      await assert.rejects(remove(given, file, by), /not found/)
      await assert.rejects(open(given, file, by), /file not found/)
    }
    await company.call('jobs_cancel', { id: job })
    await assert.rejects(add(job), /is cancelled and can't be changed/)
    await assert.rejects(remove(job, id), /is cancelled and can't be changed/)
    await work()
    assert.deepEqual([(await mediaOf(job)).length, await stored(job)], [1, [id]])
    assert.equal((await bytesOf((await open(job, id)).body)).equals(JPEG), true)
  })

  it('is a file for one who may not change jobs', async () => {
    const job = await makeJob()
    const [reader, integration, nobody] = await Promise.all([
      company.member('tech', { scopes: ['read:jobs'] }),
      company.tenantKey(),
      company.member('tech', { scopes: ['read:notes'] }),
    ])
    const { id } = await add(job)
    for (const act of [(by: Caller) => add(job, {}, by), (by: Caller) => remove(job, id, by)]) {
      await assert.rejects(act(await callerOf(reader.key)), /files of jobs need write:jobs/)
      await assert.rejects(act(await callerOf(integration.key)), /by people/)
    }
    assert.equal((await open(job, id, await callerOf(reader.key))).headers['Content-Type'], 'image/jpeg')
    await assert.rejects(open(job, id, await callerOf(nobody.key)), /files of jobs need read:jobs/)
  })

  it('is the hundred and first', async () => {
    const job = await makeJob()
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`insert into job_media (tenant_id, id, job_id, file_name, content_type, size_bytes, storage_key)
      select ${company.tenant}, gen_random_uuid(), ${job}, 'a.txt', 'text/plain', 1, 'x' from generate_series(1, 99)`),
    )
    const done = await Promise.allSettled([add(job), add(job)])
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await assert.rejects(add(job), /has 100 files, which is the most/)
    await work()
    assert.equal((await stored(job)).length, 1)
  })
})

describe('a file of a job', () => {
  it('is shown when it is a picture that browsers know, else saved; neither is kept by a cache', async () => {
    const job = await makeJob()
    const [photo, paper] = [
      await add(job, { name: 'été "1".jpg' }),
      await add(job, { name: 'IMG.HEIC', type: '', content: heif('heic') }),
    ]
    const { headers, body } = await open(job, photo.id)
    assert.deepEqual(headers, {
      'Content-Type': 'image/jpeg',
      'Content-Length': String(JPEG.length),
      'Content-Disposition': `inline; filename="_t_ _1_.jpg"; filename*=UTF-8''%C3%A9t%C3%A9%20_1_.jpg`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, no-store',
    })
    assert.ok((await bytesOf(body)).equals(JPEG))
    assert.match((await open(job, paper.id)).headers['Content-Disposition']!, /^attachment; filename="IMG.HEIC"/)
  })

  it('is not found when storage has lost it', async () => {
    const job = await makeJob()
    const { id, storage_key } = await add(job)
    await files.remove(storage_key)
    await assert.rejects(open(job, id), /file not found/)
  })

  it('is taken off once, and soon gone from storage', async () => {
    const job = await makeJob()
    const [gone, left] = [await add(job), await add(job)]
    const done = await Promise.allSettled([remove(job, gone.id), remove(job, gone.id)])
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.deepEqual(
      (await mediaOf(job)).map(({ id }) => id),
      [left.id],
    )
    await assert.rejects(open(job, gone.id), /file not found/)
    assert.equal((await stored(job)).length, 2)
    assert.deepEqual(await work(), [])
    assert.deepEqual([await stored(job), await waiting()], [[left.id], 0])
    assert.deepEqual(
      (await history(job)).slice(2).map(({ tool, changed }) => [tool, changed]),
      [['jobs.remove_media', { media: ['photo.jpg', null], media_id: [gone.id, null] }]],
    )
  })
})

describe('storage that fails', () => {
  it('keeps no row, and what it kept all the same is removed', async () => {
    const job = await makeJob()
    const halfway: Storage = {
      ...files,
      save: async (...given) => {
        await files.save(...given)
        throw new Error('the disk is gone')
      },
    }
    await assert.rejects(add(job, {}, caller, halfway), /the disk is gone/)
    assert.deepEqual([await mediaOf(job), (await stored(job)).length, await waiting()], [[], 1, 1])
    assert.deepEqual(await work(), [])
    assert.deepEqual([await stored(job), await waiting()], [[], 0])
  })

  it('to let go of a file is asked again', async () => {
    const job = await makeJob()
    const { id } = await add(job)
    await remove(job, id)
    const stuck: Storage = { ...files, remove: () => Promise.reject(new Error('busy')) }
    assert.match((await work(stuck))[0]!, /1 files were not removed: Error: busy/)
    assert.deepEqual([await stored(job), await waiting()], [[id], 1])
    assert.deepEqual(await work(files, { minutes: 2 }), [])
    assert.deepEqual([await stored(job), await waiting()], [[], 0])
  })
})

describe('a process that ends between storage and the row', () => {
  it('leaves a file that is removed once its time to get a row is over, and not before', async () => {
    const job = await makeJob()
    let died = false
    const mortal: Storage = {
      ...files,
      save: async (...given) => {
        await files.save(...given)
        died = true
      },
    }
    const database = {
      ...service.database,
      hold: ((use, signal) =>
        died ? Promise.reject(new Error('dead')) : service.database.hold(use, signal)) as typeof service.database.hold,
    }
    await assert.rejects(
      addJobMedia({ database, storage: mortal }, caller, job, { name: 'a.jpg', type: 'image/jpeg', content: JPEG }),
      /dead/,
    )
    await work()
    assert.deepEqual([(await stored(job)).length, await waiting()], [1, 1])
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update file_removals set due_at = due_at - interval '61 minutes' where tenant_id = ${company.tenant}`),
    )
    await work(files, { hours: 25 })
    assert.deepEqual([await stored(job), await waiting()], [[], 0])
  })
})
