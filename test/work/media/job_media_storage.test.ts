import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addJobMedia } from '../../../src/files/job_media.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { writeTenant } from '../../../src/platform/db/tenant.ts'
import type { Storage } from '../../../src/platform/storage/storage.ts'
import type { TestService } from '../../harness/harness.ts'
import { JPEG, bytesOf, heif, openMediaScene, type MediaScene } from './scene.ts'

let scene: MediaScene
let service: TestService
before(async () => {
  scene = await openMediaScene()
  ;({ service } = scene)
})
after(() => scene.stop())

describe('a job file', () => {
  it('is served inline if browsers can show it, otherwise as attachment, without caching', async () => {
    const job = await scene.makeJob()
    const [photo, paper] = [
      await scene.add(job, { name: 'été "1".jpg' }),
      await scene.add(job, { name: 'IMG.HEIC', type: '', content: heif('heic') }),
    ]
    const { headers, body } = await scene.open(job, photo.id)
    assert.deepEqual(headers, {
      'Content-Type': 'image/jpeg',
      'Content-Length': String(JPEG.length),
      'Content-Disposition': `inline; filename="_t_ _1_.jpg"; filename*=UTF-8''%C3%A9t%C3%A9%20_1_.jpg`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, no-store',
    })
    assert.ok((await bytesOf(body)).equals(JPEG))
    assert.match((await scene.open(job, paper.id)).headers['Content-Disposition']!, /^attachment; filename="IMG.HEIC"/)
  })

  it('returns not found if storage has lost it', async () => {
    const job = await scene.makeJob()
    const { id, storage_key } = await scene.add(job)
    await scene.files.remove(storage_key)
    await assert.rejects(scene.open(job, id), /file not found/)
  })

  it('is removed once despite concurrent requests, then deleted from storage', async () => {
    const job = await scene.makeJob()
    const [gone, left] = [await scene.add(job), await scene.add(job)]
    const done = await Promise.allSettled([scene.remove(job, gone.id), scene.remove(job, gone.id)])
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.deepEqual(
      (await scene.mediaOf(job)).map(({ id }) => id),
      [left.id],
    )
    await assert.rejects(scene.open(job, gone.id), /file not found/)
    assert.equal((await scene.stored(job)).length, 2)
    assert.deepEqual(await scene.work(), [])
    assert.deepEqual([await scene.stored(job), await scene.waiting()], [[left.id], 0])
    assert.deepEqual(
      (await scene.history(job)).slice(2).map(({ tool, changed }) => [tool, changed]),
      [['jobs.remove_media', { media: ['photo.jpg', null], media_id: [gone.id, null] }]],
    )
  })
})

describe('failing storage', () => {
  it('leaves no row, and the worker deletes a file that was saved anyway', async () => {
    const job = await scene.makeJob()
    const halfway: Storage = {
      ...scene.files,
      save: async (...given) => {
        await scene.files.save(...given)
        throw new Error('the disk is gone')
      },
    }
    await assert.rejects(scene.add(job, {}, scene.caller, halfway), /the disk is gone/)
    assert.deepEqual([await scene.mediaOf(job), (await scene.stored(job)).length, await scene.waiting()], [[], 1, 1])
    assert.deepEqual(await scene.work(), [])
    assert.deepEqual([await scene.stored(job), await scene.waiting()], [[], 0])
  })

  it('has its deletions retried later', async () => {
    const job = await scene.makeJob()
    const { id } = await scene.add(job)
    await scene.remove(job, id)
    const stuck: Storage = { ...scene.files, remove: () => Promise.reject(new Error('busy')) }
    assert.match((await scene.work(stuck))[0]!, /1 files were not removed: Error: busy/)
    assert.deepEqual([await scene.stored(job), await scene.waiting()], [[id], 1])
    assert.deepEqual(await scene.work(scene.files, { minutes: 2 }), [])
    assert.deepEqual([await scene.stored(job), await scene.waiting()], [[], 0])
  })
})

describe('a process that dies between storage and database', () => {
  it('leaves a file that is deleted once its deadline for a row has passed, not before', async () => {
    const job = await scene.makeJob()
    let died = false
    const mortal: Storage = {
      ...scene.files,
      save: async (...given) => {
        await scene.files.save(...given)
        died = true
      },
    }
    const database = {
      ...service.database,
      hold: ((use, signal) =>
        died ? Promise.reject(new Error('dead')) : service.database.hold(use, signal)) as typeof service.database.hold,
    }
    await assert.rejects(
      addJobMedia({ database, storage: mortal }, scene.caller, job, {
        name: 'a.jpg',
        type: 'image/jpeg',
        content: JPEG,
      }),
      /dead/,
    )
    await scene.work()
    assert.deepEqual([(await scene.stored(job)).length, await scene.waiting()], [1, 1])
    await writeTenant(service.database, { tenant: scene.company.tenant }, (db) =>
      db.run(
        sql`update file_removals set due_at = due_at - interval '61 minutes' where tenant_id = ${scene.company.tenant}`,
      ),
    )
    await scene.work(scene.files, { hours: 25 })
    assert.deepEqual([await scene.stored(job), await scene.waiting()], [[], 0])
  })
})
