import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/platform/db/tenant.ts'
import type { Job } from '../../src/records/jobs/index.ts'
import { addForgottenTime, correctTime, listCorrections } from '../../src/mobile/time/correcting.ts'
import { listEntriesOfJobs, isOverlong, toTimeState, type TimeEntry } from '../../src/mobile/time/entry.ts'
import { trackTime } from '../../src/mobile/time/tracking.ts'
import { startSite } from '../harness/web_client.ts'
import type { TestService } from '../harness/harness.ts'
import { at, openCrewScene, type CrewScene } from './site.ts'

let service: TestService
let crew: CrewScene
let boiler: Job
let drain: Job
before(async () => {
  service = await startSite()
  crew = await openCrewScene(service, 'Time Co')
  boiler = await crew.visit('Boiler service')
  drain = await crew.visit('Drain')
})
after(() => service.stop())

type Who = 'ben' | 'cy'
const track = (who: Who, job: Job, what: string, when: string): Promise<void> =>
  crew.within((db) => trackTime(db, job, { what, at: when, by: { user: crew[who].user } }))
const entries = (job: Job, who: Who): Promise<TimeEntry[]> =>
  crew.within((db) => listEntriesOfJobs(db, [job.id], crew[who].user))
const spans = async (job: Job, who: Who) =>
  (await entries(job, who)).map(({ started_at, ended_at, ended_by }) => [started_at, ended_at, ended_by])
const forget = (): Promise<void> =>
  crew.within(async (db) => {
    await db.run(sql`delete from time_corrections where tenant_id = ${db.tenant}`)
    await db.run(sql`delete from time_entries where tenant_id = ${db.tenant}`)
  })

describe('time tracking', () => {
  it('can be started, paused, resumed and ended; repeated events count once', async () => {
    await track('ben', boiler, 'started', at(9))
    await track('ben', boiler, 'started', at(9, 5))
    await track('ben', boiler, 'paused', at(10))
    await track('ben', boiler, 'paused', at(10, 5))
    const state = async () => toTimeState(await entries(boiler, 'ben'), at(12))
    assert.deepEqual(await state(), { state: 'paused', since: at(10), seconds: 3600 })
    await track('ben', boiler, 'started', at(11))
    assert.deepEqual(await state(), { state: 'running', since: at(11), seconds: 7200 })
    await track('ben', boiler, 'ended', at(11, 30))
    await track('ben', boiler, 'ended', at(11, 45))
    assert.deepEqual(await state(), { state: 'ended', since: at(11, 30), seconds: 5400 })
    assert.deepEqual(await spans(boiler, 'ben'), [
      [at(9), at(10), 'pause'],
      [at(11), at(11, 30), 'end'],
    ])
  })

  it('ends when the member starts another visit, and is separate for each member', async () => {
    await forget()
    await track('ben', boiler, 'started', at(9))
    await track('cy', boiler, 'started', at(9))
    await track('ben', drain, 'started', at(10))
    assert.deepEqual(await spans(boiler, 'ben'), [[at(9), at(10), 'next']])
    assert.deepEqual(await spans(drain, 'ben'), [[at(10), null, null]])
    assert.deepEqual(await spans(boiler, 'cy'), [[at(9), null, null]])
  })

  it("uses an event's own time when it arrives late", async () => {
    await forget()
    await track('ben', drain, 'started', at(10))
    await track('ben', boiler, 'started', at(9))
    assert.deepEqual(await spans(boiler, 'ben'), [[at(9), at(10), 'next']])
    await track('ben', boiler, 'ended', at(9, 40))
    assert.deepEqual(await spans(boiler, 'ben'), [[at(9), at(9, 40), 'end']])
    assert.deepEqual(await spans(drain, 'ben'), [[at(10), null, null]])
  })

  it('matches a stopwatch for any sequence of events', async () => {
    const acts = fc.array(
      fc.record({
        job: fc.constantFrom(0, 1),
        what: fc.constantFrom('started', 'paused', 'ended'),
        minutes: fc.integer({ min: 1, max: 90 }),
      }),
      { maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(acts, async (given) => {
        await forget()
        const jobs = [boiler, drain]
        const watched: [number, number][] = []
        let [minute, running, since] = [0, -1, 0]
        const close = (): void => {
          if (running >= 0) watched.push([since, minute])
          running = -1
        }
        const begun = new Set<number>()
        for (const { job, what, minutes } of given) {
          minute += minutes
          if (what === 'started' && running !== job) {
            close()
            ;[running, since] = [job, minute]
            begun.add(job)
          } else if (what !== 'started' && running === job) close()
          const tried = track('ben', jobs[job]!, what, at(0, minute))
          await (begun.has(job) ? tried : assert.rejects(tried, { code: 'conflict' }))
        }
        const all = [...(await entries(boiler, 'ben')), ...(await entries(drain, 'ben'))]
        const ended = all.filter(({ ended_at }) => ended_at !== null)
        assert.deepEqual(
          ended.map(({ started_at, ended_at }) => [started_at, ended_at]).sort(),
          watched.map(([from, to]) => [at(0, from), at(0, to)]).sort(),
        )
        assert.equal(all.length - ended.length, running >= 0 ? 1 : 0)
      }),
      { numRuns: 25 },
    )
  })

  it('can be corrected with a reason, and keeps the original', async () => {
    await forget()
    await track('ben', boiler, 'started', at(9))
    const [entry] = await entries(boiler, 'ben')
    assert.equal(isOverlong(entry!, at(9, 0, 3)), true)
    const by = { user: crew.owner.user, role: 'owner' as const }
    const given = { started_at: at(9), ended_at: at(12), reason: 'Forgot to stop' }
    const corrected = await crew.within((db) => correctTime(db, entry!.id, given, by, at(9, 0, 3)))
    assert.deepEqual([corrected.ended_at, corrected.ended_by, corrected.is_corrected], [at(12), 'hand', true])
    assert.equal(isOverlong(corrected, at(9, 0, 3)), false)
    const kept = await crew.within((db) => listCorrections(db, [entry!.id]))
    assert.deepEqual(
      kept.map((one) => [one.started_before, one.ended_before, one.reason, one.corrected_by_name]),
      [[at(9), null, 'Forgot to stop', 'Ana Ruiz']],
    )
    const audit = await crew.office.entries(boiler.id)
    assert.deepEqual(audit.at(-1)?.tool, 'jobs.correct_time')
    assert.deepEqual(audit.at(-1)?.changed['time_ended'], [null, at(12)])
  })
})

describe('time tracking rejects', () => {
  const by = () => ({ user: crew.ben.user, role: 'tech' as const })
  const now = at(20)
  const assertRefused = (work: Promise<unknown>, code: string, message: RegExp) =>
    assert.rejects(work, { code, message })
  const forgotten = (typed: object, more: object = {}) =>
    crew.within((db) =>
      addForgottenTime(
        db,
        { job: boiler.id, user: crew.ben.user, ...more },
        { started_at: at(9), ended_at: at(10), reason: 'Forgot', ...typed },
        by(),
        now,
      ),
    )

  before(forget)

  it('ending time that is not running, and an unknown action', async () => {
    await assertRefused(track('ben', boiler, 'ended', at(9)), 'conflict', /not running on this visit/)
    await assertRefused(
      track('ben', boiler, 'stopped', at(9)),
      'invalid_input',
      /^what must be one of started, paused, ended/,
    )
  })

  it('a correction that lacks a reason or is reversed, in the future, too long or too old', async () => {
    await assertRefused(forgotten({ reason: ' ' }), 'invalid_input', /^reason must not be empty/)
    await assertRefused(forgotten({ reason: 'x'.repeat(501) }), 'invalid_input', /^reason must be at most 500/)
    await assertRefused(forgotten({ ended_at: at(8) }), 'invalid_input', /^ended_at must not be before started_at/)
    await assertRefused(forgotten({ ended_at: at(9) }), 'invalid_input', /^ended_at must be after started_at/)
    await assertRefused(forgotten({ ended_at: at(21) }), 'invalid_input', /in the future/)
    await assertRefused(forgotten({ started_at: at(9, 0, 1) }), 'invalid_input', /at most 24 hours/)
    await assertRefused(
      forgotten({ started_at: '2024-06-02T09:00:00.000Z', ended_at: '2024-06-02T10:00:00.000Z' }),
      'invalid_input',
      /at most 366 days ago/,
    )
  })

  it("time that is already on another entry, and a technician's change to another member's time", async () => {
    await forgotten({})
    await assertRefused(forgotten({ started_at: at(9, 30), ended_at: at(11) }), 'conflict', /overlaps the entry on J-/)
    await forgotten({ started_at: at(10), ended_at: at(11) })
    await assertRefused(forgotten({}, { user: crew.cy.user }), 'not_found', /member not found/)
    await track('cy', boiler, 'started', at(9))
    const [theirs] = await entries(boiler, 'cy')
    await assertRefused(
      crew.within((db) =>
        correctTime(db, theirs!.id, { started_at: at(9), ended_at: at(10), reason: 'Mine' }, by(), now),
      ),
      'not_found',
      /time entry not found/,
    )
  })

  it('a start within manually corrected time on another visit', async () => {
    await assertRefused(track('ben', drain, 'started', at(9, 30)), 'conflict', /correct that entry manually first/)
  })
})
