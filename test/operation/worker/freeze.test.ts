import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { defaultDeadline } from '../../../src/identity/deadline.ts'
import { openDatabase, sql, type Database } from '../../../src/platform/db/database.ts'
import { writeTenant } from '../../../src/platform/db/tenant.ts'
import { Unavailable } from '../../../src/platform/errors/refusal.ts'
import { startService, type Service } from '../../../src/start/service.ts'
import { makeCompany, type Company, type TestService } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { startUnreliableConnection, type UnreliableConnection } from '../../harness/database/unreliable_connection.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { freePort, startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
let line: UnreliableConnection
let distant: Database
let asked: Service
let office: Office
let company: Company
let origin: string
/** Runs before each COMMIT. */
let beforeCommit = (): void => {}
before(async () => {
  service = await startSite()
  company = await makeCompany(service)
  line = await startUnreliableConnection(service.login)
  distant = openDatabase(line.login)
  const port = await freePort()
  const config = { ...service.config, baseUrl: `http://localhost:${port}`, port }
  asked = await startService(config, committing(distant), pino({ level: 'silent' }), null)
  origin = config.baseUrl
  office = await openOffice({ ...service, config, url: `${origin}/api/mcp` }, 'Far away')
})
after(async () => {
  await asked.stop(0)
  line.stop()
  await distant.close()
  await service.stop()
})
afterEach(async () => {
  beforeCommit = () => {}
  line.speak()
  while ((await fetch(`${origin}/health/ready`)).status !== 200);
})

const committing = (database: Database): Database => ({
  ...database,
  hold: (use, options) =>
    database.hold(
      (send) =>
        use((statements) => {
          if (statements.at(-1)?.text === 'commit') beforeCommit()
          return send(statements)
        }),
      options,
    ),
})

/**
 * Maximum time in milliseconds. Every waiting client is answered within 5 s, or later on a slow machine, but never
 * without a limit.
 */
const MAX_MS = 60_000

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const begun = performance.now()
  const answered = await answer
  assert.ok(performance.now() - begun < MAX_MS, `answered after ${Math.round(performance.now() - begun)} ms`)
  return answered
}

const post = (body: string): Promise<Response> =>
  fetch(`${origin}/api/mcp`, { method: 'POST', headers: toolHeaders(company.owner.key), body })
const call = (name: string, given: object = {}): Promise<Response> =>
  post(rpc('tools/call', { name, arguments: given }))

/** Returns why work failed, or `late`. On a busy machine both deadlines slip alike and keep their order. */
const outcomeIn4s = (work: () => Promise<unknown>): Promise<unknown> => {
  const failure = work().then(
    () => 'done',
    (error: unknown) => error,
  )
  return Promise.race([failure, sleep(4_050, 'late', { ref: false })])
}

async function requireUnavailable(response: Response): Promise<void> {
  assert.equal(response.status, 503)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
  const body = (await response.json()) as { error: string; error_description: string }
  assert.equal(body.error, 'unavailable')
  assert.match(body.error_description, /try again in \d+ s/)
}

async function textOf(response: Response): Promise<string> {
  assert.equal(response.status, 200)
  return ((await response.json()) as { result: { content: { text: string }[] } }).result.content[0]!.text
}

describe('a database that stops responding', () => {
  it('gets tools, lists, prompts and pages a 503 with Retry-After, until it responds again', async () => {
    assert.equal((await call('tags_list')).status, 200)
    assert.equal((await office.browser.get(office.at('tags'))).status, 200)
    const stranger = newBrowser({ ...service, config: { ...service.config, baseUrl: origin } })
    line.silence('questions', 'answers')
    const calls = [
      rpc('tools/call', { name: 'tags_list', arguments: {} }),
      rpc('tools/call', { name: 'tags_create', arguments: { name: 'Silent' } }),
      rpc('tools/list'),
      rpc('resources/list'),
      rpc('prompts/get', { name: 'no_such' }),
    ]
    const pages = [
      office.browser.get(office.at('tags')),
      office.browser.get(office.at('settings')),
      stranger.signIn('a@example.com'),
    ]
    await Promise.all([
      ...Array.from({ length: 6 }, () => calls)
        .flat()
        .map(async (body) => requireUnavailable(await inTime(post(body)))),
      ...pages.map(async (page) => {
        const { status, headers, text } = await inTime(page)
        assert.equal(status, 503)
        assert.ok(Number(headers.get('retry-after')) > 0)
        assert.match(text, /Nothing was changed/)
      }),
    ])
    await requireUnavailable(await inTime(call('tags_list')))
    line.speak()
    while ((await call('tags_list')).status !== 200);
    assert.equal((await office.browser.get(office.at('tags'))).status, 200)
  })

  it('makes /health/ready return 503 before a tool call does, and /health/live still 200', async () => {
    await Promise.all([1, 2, 3].map(() => call('tags_list')))
    line.silence('questions', 'answers')
    let isTold = false
    const called = call('tags_list').then(() => (isTold = true))
    assert.equal((await fetch(`${origin}/health/ready`)).status, 503)
    assert.equal(isTold, false)
    assert.equal((await fetch(`${origin}/health/live`)).status, 200)
    await called
  })

  it('makes every read and write fail within 4 s, with or without a connection', async () => {
    line.silence('questions', 'answers')
    const work = [
      () => distant.send([sql`select 1`], { of: company.tenant }),
      () =>
        writeTenant(distant, { tenant: company.tenant, options: { by: defaultDeadline() } }, (db) =>
          db.run(sql`select`),
        ),
    ]
    const outcomes = async (count: number): Promise<unknown[]> =>
      Promise.all(Array.from({ length: count }, () => work.map(outcomeIn4s)).flat())
    const [first, later] = await Promise.all([outcomes(20), sleep(3_000).then(() => outcomes(20))])
    for (const outcome of [...first, ...later]) assert.ok(outcome instanceof Unavailable, String(outcome))
  })

  it('in the middle of a batch makes each remaining request unavailable', async () => {
    const requestOf = (name: string) => ({
      jsonrpc: '2.0',
      id: name,
      method: 'tools/call',
      params: { name: 'tags_create', arguments: { name } },
    })
    let commits = 0
    beforeCommit = () => {
      if (++commits === 1) setImmediate(() => line.silence('questions'))
    }
    const response = await inTime(post(JSON.stringify(['Batch 1', 'Batch 2', 'Batch 3', 'Batch 4'].map(requestOf))))
    assert.equal(response.status, 200)
    const answers = (await response.json()) as { result: { content: { text: string }[]; isError: boolean } }[]
    assert.equal(answers.length, 4)
    for (const { result } of answers.slice(1)) assert.match(result.content[0]!.text, /^unavailable: .*nothing was done/)
  })
})

describe('a COMMIT whose response is lost', () => {
  it('is reported as uncertain, and a retry with the same idempotency key writes once', async () => {
    const given = { name: 'Once', idempotency_key: 'k1' }
    beforeCommit = () => line.silence('answers')
    const text = await textOf(await inTime(call('tags_create', given)))
    assert.match(text, /^internal: it may have been done.*repeat with the same idempotency_key/)
    beforeCommit = () => {}
    line.speak()
    const made = JSON.parse(await textOf(await call('tags_create', given))) as { id: string }
    const { rows: items } = (await company.call('tags_list')) as { rows: { id: string; name: string }[] }
    assert.deepEqual(
      items.filter(({ name }) => name === 'Once').map(({ id }) => id),
      [made.id],
    )
  })

  it('without an idempotency key gets a hint to read before trying again', async () => {
    beforeCommit = () => line.silence('answers')
    const text = await textOf(await inTime(call('tags_create', { name: 'Perhaps' })))
    assert.match(
      text,
      /^internal: it may have been done.*read the tag to check before trying again, and send an idempotency_key/,
    )
  })

  it('of a page is reported as possibly saved', async () => {
    assert.equal((await office.browser.get(office.at('tags'))).status, 200)
    beforeCommit = () => line.silence('answers')
    const page = await inTime(office.browser.post(office.at('tags', 'new'), { name: 'Perhaps too' }))
    assert.equal(page.status, 500)
    assert.match(page.text, /It may have been saved/)
  })

  it("isn't sent to a silent database, so the call gets a plain 503", async () => {
    beforeCommit = () => assert.fail('no COMMIT is sent')
    line.silence('questions', 'answers')
    await requireUnavailable(await call('tags_create', { name: 'Never' }))
  })
})
