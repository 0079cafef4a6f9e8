import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { removeMember, changeMember } from '../../../src/identity/people/people.ts'
import { resetPassword } from '../../../src/identity/people/recovery/own_password.ts'
import { sql, type Sql } from '../../../src/platform/db/database.ts'
import { openChanges } from '../../../src/scheduling/changes.ts'
import { openEventStream, startSchedulePages, type SchedulePages } from '../../harness/event_stream.ts'
import type { TestService } from '../../harness/harness.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { startSite, type Browser } from '../../harness/web_client.ts'

const DAY = 'schedule/events?day=2026-05-12'
const HOUR = 3_600_000

let service: TestService
let schedule: Schedule
/** Two services: one polls hourly, the other often. */
let patient: SchedulePages
let eager: SchedulePages
before(async () => {
  service = await startSite()
  schedule = await openSchedule(service)
  patient = await startSchedulePages(service, { poll: HOUR, heartbeat: 20 })
  eager = await startSchedulePages(service, { poll: 100, heartbeat: 20 })
})
after(async () => {
  patient.close()
  eager.close()
  await service.stop()
})

type Watching = { id: string; email: string; browser: Browser }

/** Returns a technician with an open stream that has sent two heartbeats. */
async function watching({ baseUrl }: SchedulePages) {
  const { email, id } = await schedule.hire('Cole Hendricks')
  const browser = await schedule.signInAs(email)
  const stream = await openEventStream(baseUrl, browser, schedule.at(DAY))
  await stream.until(/still here/)
  await stream.until(/still here/)
  return { stream, browser, email, id }
}

const inCompany = (statement: Sql): Promise<unknown> =>
  service.database.send([sql`select enter_to_write(${schedule.id}, null, 0)`, statement])

describe('the schedule stream ends at once, without a poll', () => {
  const ENDS: Record<string, (who: Watching) => Promise<unknown>> = {
    'when the membership ends': ({ id }) => removeMember(service.database, { tenant: schedule.id }, id),
    'when jobs are not theirs to see any more': ({ id }) =>
      changeMember(service.database, { tenant: schedule.id }, id, { areas: { 'Jobs & scheduling': 'none' } }),
    'when they sign out': ({ browser }) => browser.post('/sign-out', {}),
    'when their password is set by another': ({ id }) =>
      resetPassword(service.database, id, 'correct horse battery staple'),
    'when somebody else signs in at their browser': async ({ browser }) =>
      browser.signIn((await schedule.hire('Tasha Nguyen')).email),
  }
  for (const [name, end] of Object.entries(ENDS)) {
    it(name, async () => {
      const { stream, ...who } = await watching(patient)
      await end(who)
      await stream.ended()
    })
  }

  it('for the removed member only', async () => {
    const [gone, stays] = [await watching(patient), await watching(patient)]
    await removeMember(service.database, { tenant: schedule.id }, gone.id)
    await gone.stream.ended()
    await stays.stream.until(/still here/)
    await stays.stream.close()
  })

  it('but not when unrelated permissions change', async () => {
    const { stream, id } = await watching(patient)
    await changeMember(service.database, { tenant: schedule.id }, id, { areas: { Notes: 'none' } })
    for (let beats = 0; beats < 3; beats++) await stream.until(/still here/)
    await stream.close()
  })
})

/** Changes made by another process, of which this one gets no notification. */
const ELSEWHERE: Record<string, (who: Watching) => Promise<unknown>> = {
  'the end of a membership': ({ id }) =>
    inCompany(sql`update members set deactivated_at = moment() where tenant_id = ${schedule.id} and user_id = ${id}`),
  'a narrower right': ({ id }) =>
    inCompany(
      sql`update members set ceiling = ceiling || '{"Jobs & scheduling": "none"}' where tenant_id = ${schedule.id} and user_id = ${id}`,
    ),
  'the end of a session': ({ id }) => service.database.send([sql`delete from sessions where user_id = ${id}`]),
  'a session that ran out': ({ id }) =>
    service.database.send([sql`update sessions set seen_at = seen_at - interval '31 days' where user_id = ${id}`]),
}

describe('the schedule stream, after a change by another process', () => {
  it('polls at least every 3 seconds', () => {
    const changes = openChanges(service.database)
    assert.ok(changes.intervals.poll <= 3_000)
    changes.close()
  })

  for (const [name, write] of Object.entries(ELSEWHERE)) {
    it(`ends without reporting later changes: ${name}`, async () => {
      const { stream, ...who } = await watching(eager)
      await write(who)
      await schedule.book({ scheduled_start: '2026-05-12T09:00' })
      assert.doesNotMatch(await stream.ended(), /event: change/)
    })
  }

  it('returns 404 on reconnect after the membership ended, despite missed changes', async () => {
    const { stream, browser, id } = await watching(eager)
    await stream.close()
    await schedule.book({ scheduled_start: '2026-05-12T10:00' })
    await ELSEWHERE['the end of a membership']!({ id, browser, email: '' })
    assert.equal(
      (await openEventStream(eager.baseUrl, browser, schedule.at(`${DAY}&since=2026-01-01T00:00:00Z`))).status,
      404,
    )
  })
})
