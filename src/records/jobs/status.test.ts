import assert from 'node:assert/strict'
import { it } from 'node:test'
import { STATUSES, nextStatus } from './status.ts'

it('the next status of a visit is the way, the work, and its end; one that is over or has no time has none', () => {
  assert.deepEqual(Object.fromEntries(STATUSES.map((status) => [status, nextStatus(status)])), {
    unscheduled: undefined,
    scheduled: 'en_route',
    en_route: 'in_progress',
    in_progress: 'done',
    on_hold: 'in_progress',
    done: undefined,
    cancelled: undefined,
  })
})
