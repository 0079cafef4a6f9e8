import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import type { Result } from '../harness/harness.ts'
import { fieldEvent, clock, listFieldEvents } from '../harness/messaging/phones.ts'
import { openAtWork, type AtWork } from './at_work.ts'

let work: AtWork
let { service, office, luis, book } = {} as AtWork
let item: Result
before(async () => {
  work = await openAtWork()
  ;({ service, office, luis, book } = work)
  item = await office.call('catalog_items_create', { kind: 'product', name: 'Valve', unit_price_cents: 2_500 })
})
after(() => work.service.stop())

/** Returns the events of a visit, in order. Each one has seen the result of the previous one. */
const visitOf = (job: Result): Result[] => [
  fieldEvent('status', job, { to: 'en_route' }),
  fieldEvent('status', { ...job, status: 'en_route' }, { to: 'in_progress' }),
  fieldEvent('note', job, { body: 'Under the sink' }),
  fieldEvent('part', job, { catalog_item_id: item.id, quantity: 1 }),
  fieldEvent('part', job, { catalog_item_id: item.id, quantity: 2 }),
  fieldEvent('status', { ...job, status: 'in_progress' }, { to: 'on_hold', reason: 'Lunch' }),
  fieldEvent('status', { ...job, status: 'on_hold' }, { to: 'done' }),
]

/** Returns the resulting state of a visit. */
async function stateOf(job: Result): Promise<object> {
  const { status, line_items, subtotal_cents } = await office.call('jobs_get', { id: job.id })
  const { rows } = await office.call('notes_list', { subject_type: 'job', subject_id: job.id })
  return {
    status,
    subtotal_cents,
    lines: (line_items as Result[]).map(({ name, quantity }) => [name, quantity]),
    notes: (rows as Result[]).map(({ excerpt }) => excerpt).toSorted(),
    taken: (await listFieldEvents(service, office, job)).map(({ kind }) => kind),
  }
}

/** Sends events and aborts before the response, like a phone that loses its signal. */
async function sendAndLeave(acts: readonly object[], ms: number): Promise<void> {
  const left = new AbortController()
  const cookie = [...luis.browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = fetch(new URL(luis.at('acts'), service.config.baseUrl), {
    method: 'POST',
    signal: left.signal,
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ user_id: luis.user, sent_at: clock(), acts }),
  })
    .then((answer) => answer.text())
    .catch(() => undefined)
  await setTimeout(ms)
  left.abort()
  await sent
}

const outcomes = ({ body }: { body: Result }): string[] => (body['acts'] as Result[]).map(({ outcome }) => outcome)

describe('retried field events', () => {
  it('end in the same state however they are repeated, aborted or sent concurrently', async () => {
    const undisturbed = await book()
    assert.ok(outcomes(await luis.send(visitOf(undisturbed))).every((outcome) => outcome === 'done'))
    const expected = await stateOf(undisturbed)
    const sending = fc.record({
      upTo: fc.integer({ min: 1, max: 7 }),
      how: fc.constantFrom('whole', 'twice', 'left'),
      ms: fc.integer({ min: 0, max: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sending, { maxLength: 5 }), async (sendings) => {
        const job = await book()
        const acts = visitOf(job)
        for (const { upTo, how, ms } of sendings) {
          const some = acts.slice(0, upTo)
          if (how === 'left') await sendAndLeave(some, ms)
          else await Promise.all(Array.from({ length: how === 'twice' ? 2 : 1 }, () => luis.send(some)))
        }
        const last = await luis.send(acts)
        assert.deepEqual([last.status, outcomes(last)], [200, acts.map(() => 'done')])
        assert.deepEqual(await stateOf(job), expected)
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })

  it('are applied once when two devices of a user send them at once', async () => {
    const job = await book()
    const notes = Array.from({ length: 5 }, (_, i) => fieldEvent('note', job, { body: `Note ${i}` }))
    const both = await Promise.all([notes, notes.toReversed()].map((acts) => luis.send(acts)))
    for (const { status, body } of both)
      assert.ok(status === 200 ? outcomes({ body }).every((outcome) => outcome === 'done') : status === 503)
    assert.deepEqual(outcomes(await luis.send(notes)), Array(5).fill('done'))
    assert.equal(((await stateOf(job)) as { notes: string[] }).notes.length, 5)
  })
})
