import assert from 'node:assert/strict'
import { it } from 'node:test'
import { STATUSES, nextStatus } from './status.ts'

it('the next status of a visit is en route, in progress and done, and none when closed or unscheduled', () => {
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
