import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { ZONE, fieldEvent, clock, phoneOf, today, type Phone } from '../harness/messaging/phones.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let luis: Phone
let ann: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing', ZONE)
  luis = await openPhone()
  ann = await office.customer('Ann')
})
after(() => service.stop())

async function openPhone(): Promise<Phone> {
  const { user_id, browser } = await office.signInMember('tech')
  return phoneOf(service, office, user_id, browser)
}

const book = (): Promise<Result> =>
  office.call('jobs_create', {
    customer_id: ann.id,
    title: 'Leak',
    scheduled_start: `${today()}T09:00`,
    assignees: [luis.user],
  })

type Way = { seconds: number; turn: number }

/** Sends an event done some seconds ago, in a slow request, with a clock offset. */
const sendLate = (given: Result, { ago, seconds }: { ago: number; seconds: number }, off = 0) => {
  const at = clock({ seconds: off - ago })
  const body = { user_id: luis.user, sent_at: clock({ seconds: off - seconds }), acts: [{ ...given, at }] }
  return luis.post(body).then(({ body }) => body['acts'][0] as Result)
}

const readFieldEvents = (job: Result): Promise<{ said_ms: number; at: string }[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all(
      sql`select said_ms, at from field_acts where tenant_id = ${office.id} and job_id = ${job.id} order by said_ms`,
    ),
  )

describe('field events in slow requests', () => {
  it('are ordered by when they were done, whatever their arrival order and the clock offset', async () => {
    const way = fc.record({ seconds: fc.integer({ min: 0, max: 25 }), turn: fc.nat() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(way, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: -10_000, max: 10_000 }),
        async (ways: Way[], off) => {
          // Events sent before the device's clock was changed count by both clocks.
          luis = await openPhone()
          const job = await book()
          const sent = ways.map(({ seconds, turn }, i) => ({ seconds, turn, ago: 50 - i * 3 }))
          for (const { seconds, ago } of sent.toSorted((a, b) => a.turn - b.turn))
            assert.equal(
              (await sendLate(fieldEvent('note', job, { body: `Note ${ago}` }), { ago, seconds }, off)).outcome,
              'done',
            )
          const counted = (await readFieldEvents(job)).map(({ at }) => Date.parse(at))
          assert.equal(counted.length, ways.length)
          assert.deepEqual(
            counted,
            counted.toSorted((a, b) => a - b),
          )
        },
      ),
      { numRuns: 15 },
    )
  })

  it('pause the timer after an earlier start that took longer to arrive', async () => {
    const job = await book()
    assert.equal(
      (await sendLate(fieldEvent('time', job, { what: 'started' }), { ago: 20, seconds: 15 })).outcome,
      'done',
    )
    assert.equal((await sendLate(fieldEvent('time', job, { what: 'paused' }), { ago: 10, seconds: 0 })).outcome, 'done')
    const visit = ((await luis.day())['visits'] as Result[]).find(({ id }) => id === job.id)!
    assert.equal(visit['time'].state, 'paused')
  })

  it("from a second device with a clock hours off are ordered by that device's clock", async () => {
    const job = await book()
    luis = await openPhone()
    await sendLate(fieldEvent('note', job, { body: 'Of the tablet' }), { ago: 20, seconds: 0 }, 7_200)
    await sendLate(fieldEvent('note', job, { body: 'Of the phone' }), { ago: 10, seconds: 0 })
    const [phone, tablet] = (await readFieldEvents(job)).map(({ at }) => Date.parse(at))
    assert.ok(tablet! < phone!, `${tablet} ${phone}`)
  })
})
