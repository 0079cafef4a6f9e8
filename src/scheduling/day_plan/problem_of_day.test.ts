import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { planDay } from '../planner/plan_day.ts'
import { ESTIMATES } from '../travel/travel_times.ts'
import { problemOf } from './problem_of_day.ts'
import type { CompanyDay } from './read_day.ts'

const SKILLS = ['Gas', 'gás', 'Backflow', 'backflow ', 'Ice']

/** Generates days where people have skills and visits need some. */
const skilledDay = fc
  .record({
    people: fc.array(fc.record({ skills: fc.subarray(SKILLS), isWorker: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    visits: fc.array(
      fc.record({
        skills: fc.subarray(SKILLS, { maxLength: 2 }),
        person: fc.nat(5),
        start: fc.integer({ min: 480, max: 960 }),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ people, visits }): CompanyDay => ({
    date: Temporal.PlainDate.from('2027-03-01'),
    zone: 'America/New_York',
    now: -1000,
    people: people.map((one, i) => ({ ...one, user_id: `u${i}`, name: `U${i}`, spans: [{ from: 480, to: 1080 }] })),
    visits: visits
      .sort((a, b) => a.start - b.start)
      .map(({ skills, person, start }, i) => ({
        id: `v${i}`,
        display_number: '',
        title: '',
        status: 'scheduled',
        all_day: false,
        window: 120,
        start,
        end: start + 30,
        assignee_ids: person < people.length ? [`u${person}`] : [],
        position: { latitude: 40 + (i % 3) / 10, longitude: -74, precision: 'zip', source: 'zip' },
        city: null,
        skills,
        actualStart: null,
        actualEnd: null,
        last_user: null,
      })),
    defaultTravel: 15,
    arrivalWindow: 120,
    travel: ESTIMATES,
  }))

/** Normalizes a skill independently of the fold of the code. */
const plain = (skill: string): string =>
  skill
    .normalize('NFD')
    .replace(/[^a-z ]/gi, '')
    .toLowerCase()
    .trim()
const has = (own: readonly string[], needed: readonly string[]): boolean =>
  needed.every((skill) => own.some((one) => plain(one) === plain(skill)))

describe('the planning problem of a day', () => {
  it('assigns visits only to people with their skills, and leaves impossible ones in place', () => {
    fc.assert(
      fc.property(skilledDay, (day) => {
        const { problem, visits } = problemOf(day, {})
        const plan = planDay({ ...problem, effort: 5_000 })
        for (const [i, { stops }] of plan.routes.entries())
          for (const { visit } of stops) {
            const [person, planned] = [day.people[i], visits[visit]]
            assert.ok(person !== undefined && planned !== undefined)
            const isTheirs = planned.assignee_ids.includes(person.user_id)
            const able = day.people.filter(
              ({ user_id, isWorker, skills }) =>
                (isWorker || planned.assignee_ids.includes(user_id)) && has(skills, planned.skills),
            )
            if (able.length === 0) assert.ok(isTheirs)
            else assert.ok(able.includes(person))
          }
        const stopped = new Set(plan.routes.flatMap(({ stops }) => stops.map(({ visit }) => visit)))
        assert.equal(stopped.size + plan.unplaced.length, visits.length)
      }),
      { numRuns: 200 },
    )
  })
})
