import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { FILES } from '../harness/files/files.ts'
import type { Result } from '../harness/harness.ts'
import { fieldEvent, phoneOf, type PhoneResponse } from '../harness/messaging/phones.ts'
import { openAtWork, type AtWork } from './at_work.ts'

let work: AtWork
let { service, office, luis, book } = {} as AtWork
before(async () => {
  work = await openAtWork()
  ;({ service, office, luis, book } = work)
})
after(() => work.service.stop())

/** Returns a JPEG of a given length. */
const jpegOf = (length: number): Buffer => Buffer.concat([FILES['image/jpeg']!, Buffer.alloc(length)])
const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const put = (id: string, from: number | string, bytes: Buffer, phone = luis): Promise<PhoneResponse> =>
  phone.ask(`photos/${id}?from=${from}`, { method: 'PUT', body: new Uint8Array(bytes) })
const readUploadState = async (id: string, phone = luis): Promise<Result> => (await phone.ask(`photos/${id}`)).body
const photo = (job: Result, bytes: Buffer, more: object = {}): Result =>
  fieldEvent('photo', job, { name: 'leak.jpg', type: 'image/jpeg', bytes: bytes.length, sha256: sha(bytes), ...more })
const mediaOf = async (job: Result): Promise<Result[]> => (await office.call('jobs_get', { id: job.id }))['media']

describe('a photo from a phone', () => {
  it('is uploaded in pieces, and attached to the visit by its event with an audit row', async () => {
    const [job, bytes] = [await book(), jpegOf(700_000)]
    const sent = photo(job, bytes, { caption: 'Under the sink', stage: 'before' })
    const half = 500 * 1024
    assert.deepEqual((await put(sent.id, 0, bytes.subarray(0, half))).body, { received: half })
    assert.deepEqual(await readUploadState(sent.id), { received: half })
    const early = await luis.do(sent)
    assert.deepEqual([early.outcome, early.code], ['refused', 'invalid_input'])
    assert.deepEqual((await put(sent.id, half, bytes.subarray(half))).body, { received: bytes.length })
    assert.equal((await luis.do(sent)).outcome, 'done')
    const [file] = await mediaOf(job)
    assert.deepEqual(
      [file!.file_name, file!.size_bytes, file!.caption, file!.stage, file!.created_by],
      ['leak.jpg', bytes.length, 'Under the sink', 'before', luis.user],
    )
    assert.equal((await office.entries(job.id)).at(-1)!.tool, 'jobs.add_media')
    assert.equal((await luis.do(sent)).outcome, 'done')
    assert.deepEqual([(await mediaOf(job)).length, await readUploadState(sent.id)], [1, { received: 0, taken: true }])
  })

  it('appears in the office with caption and stage; an unknown stage is refused', async () => {
    const [job, bytes] = [await book(), jpegOf(100)]
    const sent = photo(job, bytes, { caption: 'New <valve>', stage: 'after' })
    await put(sent.id, 0, bytes)
    const { outcome, description } = await luis.do({ ...sent, stage: 'during' })
    assert.equal(outcome, 'refused')
    assert.equal(description, 'Choose one of the options.')
    assert.equal((await luis.do(sent)).outcome, 'done')
    const page = await office.browser.get(office.at('jobs', job.id))
    assert.match(page.text, /<b>After the work<\/b><br><b>New &lt;valve&gt;<\/b>/)
  })

  it('returns 409 with the next offset for a piece out of order, overlapping or repeated', async () => {
    const [id, bytes] = [newId(), jpegOf(3_000)]
    const elsewhere = async (from: number, at: number): Promise<void> => {
      const { status, body } = await put(id, from, bytes.subarray(from, from + 1_000))
      assert.deepEqual([status, body['error'], body['received']], [409, 'elsewhere', at])
    }
    await elsewhere(1_000, 0)
    assert.equal((await put(id, 0, bytes.subarray(0, 1_000))).status, 200)
    await elsewhere(0, 1_000)
    await elsewhere(500, 1_000)
    await elsewhere(2_000, 1_000)
    const both = await Promise.all([1, 2].map(() => put(id, 1_000, bytes.subarray(1_000, 2_000))))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.deepEqual(await readUploadState(id), { received: 2_000 })
  })

  it('is refused when its hash does not match, and can be uploaded again', async () => {
    const [job, bytes] = [await book(), jpegOf(100)]
    const sent = photo(job, bytes, { sha256: sha(Buffer.from('another')) })
    await put(sent.id, 0, bytes)
    const { outcome, description } = await luis.do(sent)
    assert.equal(outcome, 'refused')
    assert.match(description, /^The photo was damaged during upload\./)
    assert.deepEqual(await readUploadState(sent.id), { received: 0 })
    await put(sent.id, 0, bytes)
    assert.equal((await luis.do({ ...sent, sha256: sha(bytes) })).outcome, 'done')
  })

  it('is rejected when it is empty, over 10 MiB or not an image', async () => {
    const job = await book()
    assert.equal((await put(newId(), 0, Buffer.alloc(0))).status, 422)
    assert.equal((await put(newId(), 0, Buffer.alloc(512 * 1024 + 1))).status, 413)
    for (const from of ['', 'x', '-1', '1e3', '999999999'])
      assert.equal((await put(newId(), from, Buffer.alloc(1))).status, 422)
    assert.equal((await put('-'.repeat(36), 0, Buffer.alloc(1))).status, 404)
    for (const bytes of [0, 10 * 2 ** 20 + 1])
      assert.equal((await luis.do(photo(job, Buffer.alloc(1), { bytes }))).outcome, 'refused')
    const text = Buffer.from('no picture at all')
    const sent = photo(job, text)
    await put(sent.id, 0, text)
    assert.match((await luis.do(sent)).description, /^What is in this file doesn’t match its type\. /)
    const script = photo(job, text, { type: 'text/html', name: 'x.html' })
    await put(script.id, 0, text)
    assert.match((await luis.do(script)).description, /^Choose a picture \(JPEG, PNG, GIF, WebP or HEIC\), a PDF, /)
    assert.deepEqual(await mediaOf(job), [])
  })

  it('is limited to 10 MiB over all its pieces', async () => {
    const [id, whole] = [newId(), 10 * 2 ** 20]
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`insert into field_pieces (tenant_id, user_id, act_id, from_byte, bytes)
        values (${office.id}, ${luis.user}, ${id}, 0, decode(repeat('00', ${whole - 1}), 'hex'))`),
    )
    const { status, body } = await put(id, whole - 1, Buffer.alloc(2))
    assert.deepEqual([status, body['error']], [413, 'too_large'])
    assert.deepEqual((await put(id, whole - 1, Buffer.alloc(1))).body, { received: whole })
  })

  it('is accepted on a visit that was canceled meanwhile', async () => {
    const [job, bytes] = [await book(), jpegOf(10)]
    await office.call('jobs_cancel', { id: job.id })
    const sent = photo(job, bytes)
    await put(sent.id, 0, bytes)
    assert.equal((await luis.do(sent)).outcome, 'done')
    assert.equal((await mediaOf(job)).length, 1)
  })

  it('is attached once when its event is sent three times at once', async () => {
    const [job, bytes] = [await book(), jpegOf(10)]
    const sent = photo(job, bytes)
    await put(sent.id, 0, bytes)
    const answers = await Promise.all([1, 2, 3].map(() => luis.do(sent)))
    assert.deepEqual(
      answers.map(({ outcome }) => outcome),
      ['done', 'done', 'done'],
    )
    assert.equal((await mediaOf(job)).length, 1)
  })

  it('cannot be read by another user, nor uploaded by a read-only member', async () => {
    const [id, bytes] = [newId(), jpegOf(10)]
    await put(id, 0, bytes)
    const eve = await office.signInMember('office')
    assert.deepEqual(await readUploadState(id, phoneOf(service, office, eve.user_id, eve.browser)), { received: 0 })
    const ida = await office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    const { status, body } = await put(id, 0, bytes, phoneOf(service, office, ida.user_id, ida.browser))
    assert.deepEqual([status, body['error']], [403, 'insufficient_scope'])
  })
})
