import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Booking } from '../bookings.ts'
import { lanesOf } from './lanes.ts'

const LUIS = { id: 'luis', name: 'Luis Ortega', isTechnician: true }
const TASHA = { id: 'tasha', name: 'Tasha Nguyen', isTechnician: true }
const DANA = { id: 'dana', name: 'Dana Whitfield', isTechnician: false }

const booking = (id: string, ...crew: string[]): Booking => ({
  id,
  display_number: 'J-1',
  title: 'Tune-up',
  status: 'scheduled',
  priority: 'normal',
  customer_name: "Maeve O'Connell",
  updated_at: '',
  scheduled_start: '',
  scheduled_end: '',
  all_day: false,
  assignees: crew.map((user_id) => ({ user_id, name: `Name of ${user_id}` })),
})

const formatLanes = (members: readonly (typeof LUIS)[], booked: Booking[], viewer = 'dana') =>
  lanesOf({ members: [...members], booked }, viewer).map(({ name, bookings }) =>
    [name, ...bookings.map(({ id }) => id)].join(' '),
  )

describe('schedule lanes', () => {
  it('are one for unassigned visits and one per technician, with shared visits in several', () => {
    assert.deepEqual(
      formatLanes([LUIS, TASHA, DANA], [booking('1', 'luis'), booking('2', 'tasha', 'luis'), booking('3')]),
      ['Unassigned 3', 'Luis Ortega 1 2', 'Tasha Nguyen 2'],
    )
  })

  it('include other people with a visit, also former members', () => {
    assert.deepEqual(
      formatLanes([LUIS, DANA], [booking('1', 'dana'), booking('2', 'cole', 'luis'), booking('3', 'cole')]),
      ['Unassigned', 'Luis Ortega 2', 'Dana Whitfield 1', 'Name of cole 2 3'],
    )
  })

  it("start with the reader's own when they are a technician", () => {
    assert.deepEqual(formatLanes([LUIS, TASHA], [], 'tasha'), ['Tasha Nguyen', 'Unassigned', 'Luis Ortega'])
  })

  it('include everyone when no one is a technician', () => {
    assert.deepEqual(formatLanes([DANA], []), ['Unassigned', 'Dana Whitfield'])
  })
})
