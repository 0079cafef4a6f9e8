import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../../src/platform/validation/id.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { FILES } from '../../harness/files/files.ts'
import type { Result } from '../../harness/harness.ts'
import { fieldEvent, phoneOf } from '../../harness/messaging/phones.ts'
import { openAtWork, type AtWork } from '../at_work.ts'

let work: AtWork
let job: Result
before(async () => {
  work = await openAtWork({ locations: [{ address_line1: '9 Elm St', city: 'Austin' }] })
  job = await work.book('Leak', { location_id: work.ann['locations'][0].id })
})
after(() => work.service.stop())

const devices = (): Promise<Result[]> =>
  readTenant(work.service.database, { tenant: work.office.id }, (db) =>
    db.all<Result>(sql`select id, location_id, kind, model, serial, installed_on::text, note, photo_ids, created_by
      from equipment where tenant_id = ${work.office.id} order by created_at`),
  )
const onPhone = async (): Promise<Result[]> =>
  ((await work.luis.day())['visits'] as Result[]).find(({ id }) => id === job.id)?.['equipment']

const PICTURE = Buffer.concat([FILES['image/jpeg']!, Buffer.alloc(100)])

/** Uploads a photo. Returns its event. */
async function photo(): Promise<Result> {
  const sha256 = createHash('sha256').update(PICTURE).digest('hex')
  const taken = fieldEvent('photo', job, { name: 'plate.jpg', type: 'image/jpeg', bytes: PICTURE.length, sha256 })
  const put = { method: 'PUT', body: new Uint8Array(PICTURE) }
  assert.equal((await work.luis.ask(`photos/${String(taken['id'])}?from=0`, put)).status, 200)
  return taken
}

describe('equipment added from a phone', () => {
  it('is added once with its photos, changed only in the given fields, and recorded in history', async () => {
    const [equipment_id, plate] = [newId(), await photo()]
    const added = fieldEvent('equipment', job, {
      equipment_id,
      is_new: true,
      type: 'Water heater',
      model: 'XE50',
      serial: 'SN-1',
      installed_on: '2021-04-03',
      photo_ids: [plate['id']],
    })
    const changed = fieldEvent('equipment', job, { equipment_id, serial: 'SN-2', note: 'Valve behind it' })
    for (let i = 0; i < 2; i++) {
      const { body } = await work.luis.send([plate, added, changed])
      assert.deepEqual(
        (body['acts'] as Result[]).map(({ outcome }) => outcome),
        ['done', 'done', 'done'],
      )
    }
    const [device, ...others] = await devices()
    const media = (await work.luis.day())['visits'][0].photos[0].id
    assert.deepEqual(others, [])
    assert.deepEqual(device, {
      id: equipment_id,
      location_id: work.ann['locations'][0].id,
      kind: 'Water heater',
      model: 'XE50',
      serial: 'SN-2',
      installed_on: '2021-04-03',
      note: 'Valve behind it',
      photo_ids: [media],
      created_by: work.luis.user,
    })
    const { location_id: _, created_by: __, ...shown } = device
    assert.deepEqual(await onPhone(), [shown])
    const cleared = fieldEvent('equipment', job, { equipment_id, serial: '', installed_on: '', photo_ids: [] })
    assert.equal((await work.luis.do(cleared)).outcome, 'done')
    assert.deepEqual(
      (await devices()).map(({ serial, installed_on, photo_ids, model }) => [serial, installed_on, photo_ids, model]),
      [[null, null, [], 'XE50']],
    )
    const entries = await work.office.entries(String(work.ann.id))
    assert.equal(entries.filter(({ tool }) => tool === 'customers.set_equipment').length, 3)
  })

  it('is refused when it is invalid, archived, at another location or not permitted', async () => {
    const equipment_id = newId()
    const add = (fields: object, on = job) =>
      fieldEvent('equipment', on, { equipment_id, is_new: true, type: 'Boiler', ...fields })
    const elsewhere = await work.office.customer('Bo', { locations: [{ address_line1: '1 Oak St', city: 'Austin' }] })
    const [theirs, nowhere] = [
      await work.book('Other', { customer_id: elsewhere.id, location_id: elsewhere['locations'][0].id }),
      await work.book('No place', { location_id: null }),
    ]
    const before = await devices()
    const refused: [Result, RegExp][] = [
      [add({ type: ' ' }), /invalid_input/],
      [add({ type: 'x'.repeat(101) }), /invalid_input/],
      [add({ installed_on: '2021-02-30' }), /invalid_input/],
      [add({ note: 'x'.repeat(2001) }), /invalid_input/],
      [add({ photo_ids: Array.from({ length: 25 }, newId) }), /invalid_input/],
      [add({ is_new: false }), /conflict/],
      [add({ equipment_id: before[0]?.id }, theirs), /conflict/],
      [add({}, nowhere), /conflict/],
    ]
    for (const [one, code] of refused) {
      const answer = await work.luis.do(one)
      assert.equal(answer.outcome, 'refused', JSON.stringify(one).slice(0, 120))
      assert.match(String(answer['code']), code)
    }
    const areas = [{ 'Customers & contacts': 'none' }, { 'Jobs & scheduling': 'view' }] as const
    for (const area of areas) {
      const { user_id, browser } = await work.office.signInMember('tech', area)
      const phone = phoneOf(work.service, work.office, user_id, browser)
      assert.equal((await phone.day())['may'].equipment, false)
      const answer = await phone.do({ ...add({}), id: newId() })
      assert.deepEqual([answer.outcome, answer['code']], ['refused', 'insufficient_scope'])
    }
    assert.deepEqual(await devices(), before)
  })
})
