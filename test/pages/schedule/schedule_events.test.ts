import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { removeMember, changeMember } from '../../../src/identity/people/people.ts'
import { startSession } from '../../../src/identity/sign_in/sessions.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { sql, writeTenant, type Database } from '../../../src/platform/db/tenant.ts'
import { startService } from '../../../src/start/service.ts'
import { openChanges, type WatchIntervals } from '../../../src/scheduling/changes.ts'
import { openEventStream, startSchedulePages, type Following, type SchedulePages } from '../../harness/event_stream.ts'
import { makeDatabase, type TestService } from '../../harness/harness.ts'
import { recognizePerson } from '../../harness/identity/recognized.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { createCompany, freePort, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

const PACE: WatchIntervals = { poll: 25, heartbeat: 50 }
const DAY = 'schedule/events?day=2026-05-12'

let service: TestService
let quick: SchedulePages
let schedule: Schedule

before(async () => {
  service = await startSite()
  quick = await startSchedulePages(service, PACE)
  schedule = await openSchedule(service)
})
after(async () => {
  quick.close()
  await service.stop()
})

const follow = (
  browser: Browser,
  path: string,
  headers: Record<string, string> = {},
  baseUrl = quick.baseUrl,
): Promise<Following> => openEventStream(baseUrl, browser, path, headers)

type Told = { id: string; here: string[]; elsewhere: string[]; more: boolean }

const change = async (stream: Following): Promise<Told> => {
  const [, id, data] = await stream.until(/id: (.*)\nevent: change\ndata: (.*)\n\n/)
  return { id: id!, ...(JSON.parse(data!) as Omit<Told, 'id'>) }
}

/** Returns the next change that includes a job. */
async function changeOf(stream: Following, job: unknown): Promise<Told> {
  for (;;) {
    const told = await change(stream)
    if ([...told.here, ...told.elsewhere].includes(String(job))) return told
  }
}

describe('the schedule stream', () => {
  it('reports visits that are created, moved away and unscheduled, in its own company only', async () => {
    const stream = await follow(schedule.browser, schedule.at(DAY))
    assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream; charset=utf-8'])
    await stream.until(/retry: 5000\n\n/)
    await stream.until(/: still here\n\n/)
    const stranger = await openSchedule(service, 'Birch Heating')
    const foreign = await stranger.book({ scheduled_start: '2026-05-12T09:00' })
    const job = await schedule.book({ scheduled_start: '2026-05-12T09:00' })
    const made = await changeOf(stream, job.id)
    assert.deepEqual([made.here, made.elsewhere, made.more], [[job.id], [], false])
    assert.ok(!JSON.stringify(made).includes(String(foreign.id)))
    await schedule.call('jobs_update', { id: job.id, scheduled_start: '2026-05-13T09:00' })
    assert.deepEqual((await changeOf(stream, job.id)).elsewhere, [job.id])
    await schedule.call('jobs_update', { id: job.id, status: 'unscheduled' })
    assert.deepEqual((await changeOf(stream, job.id)).here, [job.id])
    await stream.close()
  })

  it('flags unlisted changes when a series is created', async () => {
    const stream = await follow(schedule.browser, schedule.at(DAY))
    await stream.until(/retry/)
    await schedule.call('job_series_create', {
      customer_id: schedule.maeve.id,
      title: 'Filters',
      rrule: 'FREQ=WEEKLY;COUNT=2',
      dtstart: `${Temporal.Now.plainDateISO('America/New_York').add({ days: 8 }).toString()}T09:00`,
    })
    assert.equal((await change(stream)).more, true)
    await stream.close()
  })

  it('reports what changed since the page was loaded or since the last event ID', async () => {
    const since = new Date().toISOString()
    const job = await schedule.book({ scheduled_start: '2026-05-12T11:00' })
    const first = await follow(schedule.browser, schedule.at(`${DAY}&since=${encodeURIComponent(since)}`))
    const { id } = await changeOf(first, job.id)
    await first.close()
    const later = await schedule.book({ scheduled_start: '2026-05-12T12:00' })
    const second = await follow(schedule.browser, schedule.at(`${DAY}&since=2026-01-01T00:00:00Z`), {
      'last-event-id': id,
    })
    await changeOf(second, later.id)
    await second.close()
  })

  it('reports a change made while the stream starts', async () => {
    const [begins, mayRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const send: Database['send'] = async (statements, options) => {
      if (statements.some(({ text, values }) => text.includes('from job_series') && values.includes(null))) {
        begins.resolve()
        await mayRead.promise
      }
      return service.database.send(statements, options)
    }
    const slow = await startSchedulePages({ database: { ...service.database, send } }, PACE)
    const since = encodeURIComponent(new Date().toISOString())
    const stream = await follow(schedule.browser, schedule.at(`${DAY}&since=${since}`), {}, slow.baseUrl)
    await begins.promise
    const job = await schedule.book({ scheduled_start: '2026-05-12T15:00' })
    mayRead.resolve()
    await changeOf(stream, job.id)
    await stream.close()
    slow.close()
  })

  it('reports a change with a timestamp of 15 seconds ago', async () => {
    const stream = await follow(schedule.browser, schedule.at(DAY))
    await stream.until(/retry/)
    const job = await schedule.book({ scheduled_start: '2026-05-12T13:00' })
    await changeOf(stream, job.id)
    await writeTenant(service.database, { tenant: schedule.id }, (db) =>
      db.run(sql`update jobs set updated_at = moment() - interval '15 seconds'
        where tenant_id = ${db.tenant} and id = ${job.id}`),
    )
    await changeOf(stream, job.id)
    await stream.close()
  })
})

describe('the schedule stream ends', () => {
  async function watching(): Promise<{ stream: Following; browser: Browser; id: string }> {
    const { email, id } = await schedule.hire('Cole Hendricks')
    const browser = await schedule.signInAs(email)
    const stream = await follow(browser, schedule.at(DAY))
    await stream.until(/retry/)
    return { stream, browser, id }
  }

  it('for a removed member', async () => {
    const { stream, id } = await watching()
    await removeMember(service.database, { tenant: schedule.id }, id)
    await stream.ended()
  })

  it('for a member who lost access to jobs', async () => {
    const { stream, id } = await watching()
    await changeMember(service.database, { tenant: schedule.id }, id, { areas: { 'Jobs & scheduling': 'none' } })
    await stream.ended()
  })

  it('for a user who signed out', async () => {
    const { stream, browser } = await watching()
    await browser.post('/sign-out', {})
    await stream.ended()
  })

  it('when the service stops, without delaying it', async () => {
    const { database, owner, login, drop } = await makeDatabase()
    const port = await freePort()
    const config = readConfig({ BASE_URL: `http://localhost:${port}`, PORT: String(port) })
    const one = await startService(config, database, pino({ level: 'silent' }), null)
    const place = {
      database,
      owner,
      login,
      config,
      url: `${config.baseUrl}/api/mcp`,
      origin: config.baseUrl,
      stop: drop,
    }
    const company = await createCompany(place, 'Alder Plumbing')
    const browser = newBrowser(place)
    await browser.signIn(company.owner.email)
    const stream = await follow(browser, `/${company.id}/${DAY}`, {}, config.baseUrl)
    const ended = stream.ended()
    await one.stop(600_000)
    await ended
    await drop()
  })
})

describe('opening the schedule stream', () => {
  it("returns 429 for a user's seventh stream, until one closes", async () => {
    const { email } = await schedule.hire('Tasha Nguyen')
    const browser = await schedule.signInAs(email)
    const open = await Promise.all(Array.from({ length: 6 }, () => follow(browser, schedule.at(DAY))))
    const seventh = await follow(browser, schedule.at(DAY))
    assert.deepEqual([...open.map(({ status }) => status), seventh.status], [200, 200, 200, 200, 200, 200, 429])
    await open[0]!.close()
    for (;;) {
      const again = await follow(browser, schedule.at(DAY))
      await again.close()
      if (again.status === 200) break
    }
    await Promise.all(open.slice(1).map(({ close }) => close()))
  })

  it("doesn't count HEAD requests toward the limit", async () => {
    const { email } = await schedule.hire('Priya Raman')
    const browser = await schedule.signInAs(email)
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    for (let asked = 0; asked < 7; asked++) {
      const { status } = await fetch(new URL(schedule.at(DAY), quick.baseUrl), { method: 'HEAD', headers: { cookie } })
      assert.equal(status, 200)
    }
  })

  it('sends only a retry interval when the service is stopping', async () => {
    const stopping = await startSchedulePages(service, PACE)
    stopping.changes.close()
    const stream = await follow(schedule.browser, schedule.at(DAY), {}, stopping.baseUrl)
    assert.deepEqual([stream.status, await stream.ended()], [200, 'retry: 5000\n\n'])
    stopping.close()
  })
})

describe('polling for schedule changes', () => {
  /** Returns a database that counts its queries. */
  function makeCountingDatabase(database: Database): { database: Database; looks: () => number } {
    let looks = 0
    const send: Database['send'] = (statements) => {
      looks += 1
      return database.send(statements)
    }
    return { database: { ...database, send }, looks: () => looks }
  }

  it('stops after the last watcher leaves, and no longer notifies a watcher who left', async () => {
    const { database, looks } = makeCountingDatabase(service.database)
    const changes = openChanges(database, PACE)
    const told: string[] = []
    const { id: user } = await schedule.hire('Ines Ortiz')
    const person = await recognizePerson(service.database, user)
    const session = (await startSession(service.database, person, { methods: ['password'], origin: null }))!
    const watch = (name: string) =>
      changes.watch(schedule.id, {
        user,
        session,
        send: ({ jobs }) => told.push(...jobs.map(({ id }) => `${name} ${id}`)),
        end: () => told.push(`${name} ended`),
      })
    const [first, second] = [watch('first'), watch('second')]
    while (looks() < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    first.leave()
    first.leave()
    const job = await schedule.book({})
    while (told.every((line) => !line.includes(String(job.id)))) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.ok(told.every((line) => line.startsWith('second')))
    second.leave()
    for (let before = -1, tries = 0; looks() !== before; tries++) {
      assert.ok(tries < 100, 'it goes on looking')
      before = looks()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })

  it('ends the watches when it fails, so that browsers reconnect', async () => {
    const changes = openChanges({ ...service.database, send: () => Promise.reject(new Error('gone')) }, PACE)
    await new Promise<void>((resolve) => {
      const { leave } = changes.watch(schedule.id, {
        user: 'first',
        session: 'none',
        send: () => {},
        end: () => {
          leave()
          resolve()
        },
      })
    })
    assert.equal(changes.canConnect('first'), true)
  })
})
