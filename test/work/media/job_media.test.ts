import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Caller } from '../../../src/identity/credentials/caller.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { writeTenant } from '../../../src/platform/db/tenant.ts'
import type { MediaUpload } from '../../../src/files/job_media.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { FILES } from '../../harness/files/files.ts'
import { makeCompany } from '../../harness/harness.ts'
import { JPEG, bytesOf, heif, openMediaScene, type MediaScene } from './scene.ts'

let scene: MediaScene
before(async () => {
  scene = await openMediaScene()
})
after(() => scene.stop())

describe('a file added to a job', () => {
  it('appears on the job, in storage under ids, and in the history, and updates the job', async () => {
    const job = await scene.makeJob()
    const before = await scene.company.call('jobs_get', { id: job })
    const { id, storage_key } = await scene.add(job, { name: '../été\u202E.JPG', caption: ' The old valve ' })
    const [media] = await scene.mediaOf(job)
    assert.deepEqual(
      { ...media, created_at: null },
      {
        id,
        file_name: 'été.JPG',
        content_type: 'image/jpeg',
        size_bytes: JPEG.length,
        caption: 'The old valve',
        created_at: null,
        created_by: scene.company.owner.id,
        url: `http://callout.test/${scene.company.tenant}/jobs/${job}/media/${id}`,
      },
    )
    assert.deepEqual(
      [storage_key, await scene.stored(job), await scene.waiting()],
      [`${scene.company.tenant}/${job}/${id}`, [id], 0],
    )
    assert.deepEqual(await scene.history(job), [
      {
        tool: 'jobs.add_media',
        user_id: scene.company.owner.id,
        credential_id: scene.company.owner.credential,
        changed: { media: [null, 'été.JPG'], media_id: [null, id], caption: [null, 'The old valve'] },
      },
    ])
    const after = await scene.company.call('jobs_get', { id: job })
    assert.ok(after['updated_at'] > before['updated_at'])
    assert.equal(
      (await scene.company.call('jobs_list', { updated_since: after['updated_at'] }))['rows'].some(
        (row: { id: string }) => row.id === job,
      ),
      true,
    )
  })

  it('can have any accepted type, HEIC included; a missing type is derived from the name', async () => {
    const job = await scene.makeJob()
    for (const [type, bytes] of Object.entries(FILES))
      assert.equal((await scene.add(job, { name: 'file', type, content: bytes })).content_type, type)
    const given: [name: string, type: string, content: Buffer, kept: string][] = [
      ['IMG_1.HEIC', 'image/heic', heif('heic'), 'image/heic'],
      ['IMG_1.HEIC', '', heif('heic'), 'image/heic'],
      ['a.heif', 'image/heif', heif('mif1'), 'image/heif'],
      ['a.jpeg', 'application/octet-stream', JPEG, 'image/jpeg'],
      ['a.txt', 'Text/Plain; charset=utf-8', Buffer.from('a'), 'text/plain'],
    ]
    for (const [name, type, content, kept] of given)
      assert.equal((await scene.add(job, { name, type, content })).content_type, kept)
  })

  it('can be streamed up to 10 MiB; a longer stream is aborted', async () => {
    const job = await scene.makeJob()
    const pieces = (count: number): ReadableStream<Uint8Array> =>
      ReadableStream.from(Array.from({ length: count }, () => new Uint8Array(2 ** 20).fill(97)))
    const { size_bytes, id } = await scene.add(job, { name: 'a.txt', type: 'text/plain', content: pieces(10) })
    assert.equal(size_bytes, 10 * 2 ** 20)
    assert.equal((await bytesOf((await scene.open(job, id)).body)).length, 10 * 2 ** 20)
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
      scene.add(job, { name: 'a.txt', type: 'text/plain', content: endless }),
      /file must be at most 10 MiB/,
    )
    assert.ok(read < 15, `${read} pieces were read`)
    assert.equal((await scene.mediaOf(job)).length, 1)
  })
})

describe('a file change', () => {
  it('is refused for a wrong type, content, size or caption, and stores nothing', async () => {
    const job = await scene.makeJob()
    const cases: [given: Partial<MediaUpload>, why: RegExp][] = [
      [{ type: 'text/html', content: Buffer.from('<p>') }, /file must be a picture/],
      [{ name: 'a.svg', type: 'image/svg+xml' }, /file must be a picture/],
      [{ name: 'a.exe', type: '' }, /file must be a picture/],
      [{ name: 'photo', type: '' }, /file must be a picture/],
      [{ type: 'image/png' }, /doesn't match its type/],
      [{ name: 'a.heic', type: 'image/heic' }, /doesn't match its type/],
      [{ type: 'image/jpeg', content: heif('heic') }, /doesn't match its type/],
      [{ type: 'text/plain', content: Buffer.from('<script>') }, /doesn't match its type/],
      [{ content: new Uint8Array() }, /file is empty/],
      [{ type: 'text/plain', content: Buffer.alloc(10 * 2 ** 20 + 1, 'a') }, /at most 10 MiB/],
      [{ caption: 'x'.repeat(201) }, /caption must be at most 200 characters \(got 201\)/],
      [{ caption: 'a\nb' }, /control characters/],
      [{ caption: '\ud800' }, /control characters/],
    ]
    for (const [given, why] of cases)
      await assert.rejects(scene.add(job, given), why, JSON.stringify(given).slice(0, 60))
    assert.deepEqual(
      [await scene.mediaOf(job), await scene.stored(job), await scene.history(job), await scene.waiting()],
      [[], [], [], 0],
    )
  })

  it("is refused for an unknown, another company's or canceled job, and existing files stay", async () => {
    const [job, other] = [await scene.makeJob(), await makeCompany(scene.service)]
    const theirs = await scene.callerOf(other.owner.key)
    const { id } = await scene.add(job)
    for (const [given, by] of [
      [newId(), scene.caller],
      [job, theirs],
    ] as const)
      await assert.rejects(scene.add(given, {}, by), /job not found/)
    for (const [given, file, by] of [
      [job, newId(), scene.caller],
      [job, id, theirs],
      [await scene.makeJob(), id, scene.caller],
    ] as const) {
      await assert.rejects(scene.remove(given, file, by), /not found/)
      await assert.rejects(scene.open(given, file, by), /file not found/)
    }
    await scene.company.call('jobs_cancel', { id: job })
    await assert.rejects(scene.add(job), /is cancelled and can't be changed/)
    await assert.rejects(scene.remove(job, id), /is cancelled and can't be changed/)
    await scene.work()
    assert.deepEqual([(await scene.mediaOf(job)).length, await scene.stored(job)], [1, [id]])
    assert.equal((await bytesOf((await scene.open(job, id)).body)).equals(JPEG), true)
  })

  it('is refused without job scopes and with a tenant key', async () => {
    const job = await scene.makeJob()
    const [reader, integration, nobody] = await Promise.all([
      scene.company.member('tech', { scopes: ['read:jobs'] }),
      scene.company.tenantKey(),
      scene.company.member('tech', { scopes: ['read:notes'] }),
    ])
    const { id } = await scene.add(job)
    for (const act of [(by: Caller) => scene.add(job, {}, by), (by: Caller) => scene.remove(job, id, by)]) {
      await assert.rejects(act(await scene.callerOf(reader.key)), /job files need write:jobs/)
      await assert.rejects(act(await scene.callerOf(integration.key)), /only people can add files/)
    }
    assert.equal((await scene.open(job, id, await scene.callerOf(reader.key))).headers['Content-Type'], 'image/jpeg')
    await assert.rejects(scene.open(job, id, await scene.callerOf(nobody.key)), /job files need read:jobs/)
  })

  it('is refused for a 101st file, also with two concurrent uploads', async () => {
    const job = await scene.makeJob()
    await writeTenant(scene.service.database, { tenant: scene.company.tenant }, (db) =>
      db.run(sql`insert into job_media (tenant_id, id, job_id, file_name, content_type, size_bytes, storage_key)
      select ${scene.company.tenant}, gen_random_uuid(), ${job}, 'a.txt', 'text/plain', 1, 'x' from generate_series(1, 99)`),
    )
    const done = await Promise.allSettled([scene.add(job), scene.add(job)])
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await assert.rejects(scene.add(job), /has 100 files, which is the maximum/)
    await scene.work()
    assert.equal((await scene.stored(job)).length, 1)
  })
})
