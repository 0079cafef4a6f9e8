import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import { startService } from '../../src/start/service.ts'
import { actionsOf } from '../../src/tools/declare/catalog.ts'
import { entities } from '../../src/records/index.ts'
import { SESSIONS } from '../harness/database/cluster.ts'
import { ARGUMENTS, makeRecords } from '../harness/clients/every_tool.ts'
import { makeCompany, makeDatabase, type Company, type TestService } from '../harness/harness.ts'
import { rpc, toolHeaders } from '../harness/http.ts'
import { openOffice, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let admin: pg.Client
/** Connection outside a transaction. Inside one, pg_stat_activity would not change. */
let observer: pg.Client
let noisy: Company
let quiet: Company
before(async () => {
  service = await startSite()
  admin = new pg.Client(service.owner)
  observer = new pg.Client(service.owner)
  await Promise.all([admin.connect(), observer.connect()])
  noisy = await makeCompany(service)
  quiet = await makeCompany(service)
})
after(async () => {
  await Promise.all([admin.end(), observer.end()])
  await service.stop()
})
afterEach(() => admin.query('rollback'))

type Told = { status: number; retryAfter: string | null; text: string }

/** Calls a tool as a client does and returns status, Retry-After and text. */
async function callTool(
  { owner: { key } }: Company,
  tool: string,
  given: object = {},
  { url = service.url, signal }: { url?: string; signal?: AbortSignal } = {},
): Promise<Told> {
  const response = await fetch(url, {
    method: 'POST',
    headers: toolHeaders(key),
    body: rpc('tools/call', { name: tool, arguments: given }),
    signal: signal ?? null,
  })
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() }
}

const isDone = ({ status, text }: Told): boolean => status === 200 && !text.includes('"isError":true')

function requireTruth(answer: Told): void {
  if (isDone(answer)) return
  assert.equal(answer.status, 503, answer.text)
  assert.equal((JSON.parse(answer.text) as { error: string }).error, 'unavailable')
  assert.match(answer.text, /nothing was done; try again in \d+ s/)
  assert.ok(Number(answer.retryAfter) > 0)
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

const lockTag = async ({ tenant }: { tenant: string }, id: string): Promise<void> => {
  await admin.query('begin')
  await admin.query('select id from tags where tenant_id = $1 and id = $2 for update', [tenant, id])
}
const waitingForLocks = async (): Promise<number> =>
  (
    await observer.query<{ n: string }>(`
  select count(*) as n from ${SESSIONS} where datname = current_database() and wait_event_type = 'Lock'`)
  ).rows.map(({ n }) => Number(n))[0]!

describe('a company with locked records', () => {
  it('delays no other company, and its writes get 503 with Retry-After', async () => {
    const { id } = await noisy.call('tags_create', { name: 'Hot' })
    await quiet.call('tags_list')
    await lockTag(noisy, id)
    let answered = 0
    const writers = Array.from({ length: 24 }, (_, i) =>
      callTool(noisy, 'tags_update', { id, color: `#0000${10 + i}` }).finally(() => answered++),
    )
    await until(async () => (await waitingForLocks()) > 0)
    assert.equal((await callTool(quiet, 'tags_list')).status, 200)
    assert.ok(isDone(await callTool(quiet, 'tags_create', { name: 'Not waiting' })))
    assert.equal(answered, 0)
    assert.ok((await waitingForLocks()) <= 4)
    const answers = await Promise.all(writers)
    answers.forEach(requireTruth)
    assert.ok(!answers.some(isDone))
    await admin.query('rollback')
    assert.equal((await noisy.call('tags_get', { id }))['color'], null)
  })

  it('can still read its pages, and a page that writes returns 503', async () => {
    const office = await openOffice(service, 'Locked')
    const tag = await office.call('tags_create', { name: 'Hot' })
    await lockTag({ tenant: office.id }, tag['id'] as string)
    const saved = submit(office.browser, office.at('tags', tag['id'] as string, 'edit'), { name: 'Cold' })
    await until(async () => (await waitingForLocks()) > 0)
    assert.equal((await office.browser.get(office.at('tags'))).status, 200)
    const { status, headers, text } = await saved
    assert.equal(status, 503)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /Nothing was changed/)
  })
})

describe('300 concurrent invoices of one company', () => {
  it('are created or get 503 without waiting for locks, and another company can still read', async () => {
    const { id: customer_id } = await noisy.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
    let answered = 0
    const burst = Array.from({ length: 300 }, () =>
      callTool(noisy, 'invoices_create', { customer_id }).finally(() => answered++),
    )
    let locked = 0
    let reads = 0
    while (answered < burst.length) {
      locked = Math.max(locked, await waitingForLocks())
      assert.ok(isDone(await callTool(quiet, 'tags_list')))
      reads++
    }
    const answers = await Promise.all(burst)
    answers.forEach(requireTruth)
    assert.ok(reads > 3)
    assert.equal(locked, 0)
    const done = answers.filter(isDone).length
    assert.ok(done > 0)
    const { rows } = await admin.query<{ n: number; first: number; last: number }>(
      'select count(*)::int as n, min(number)::int as first, max(number)::int as last from invoices where tenant_id = $1',
      [noisy.tenant],
    )
    assert.deepEqual(rows[0], { n: done, first: 1001, last: 1000 + done })
  })

  it('are limited by a counter that every numbering tool declares', async () => {
    const made = await makeDatabase()
    const undeclared = new Set<string>()
    const counted = new Set<string>()
    const watching: Database = {
      ...made.database,
      hold: (use, options) =>
        made.database.hold(
          (send) =>
            use((statements) => {
              for (const { text } of statements.filter((one) => one.text.includes('next_number('))) {
                const counter = /'(job|invoice|quote)'/.exec(text)![1]!
                if (options?.counter === counter) counted.add(counter)
                else undeclared.add(`${counter} for ${String(options?.counter)}`)
              }
              return send(statements)
            }),
          options,
        ),
    }
    const other = await startService({ ...service.config, port: 0 }, watching, pino({ level: 'silent' }), null)
    const company = await makeCompany({
      ...service,
      database: made.database,
      url: `http://127.0.0.1:${other.port}/api/mcp`,
    })
    const records = await makeRecords(company, 'Word')
    const tools = [...actionsOf(entities)]
      .filter(([wire, { tool }]) => !tool.reads && wire in ARGUMENTS)
      .map(([wire]) => wire)
    for (const wire of tools) for (const given of ARGUMENTS[wire]!(records)) await company.owner.send(wire, given)
    await other.stop(0)
    await made.drop()
    assert.deepEqual([...undeclared], [])
    assert.deepEqual([...counted].sort(), ['invoice', 'job', 'quote'])
  })
})

describe('requests beyond capacity', () => {
  it('are rejected at once while earlier ones still wait', async () => {
    const narrow = openDatabase(service.login, { maxConnections: 3 })
    const other = await startService({ ...service.config, port: 0 }, narrow, pino({ level: 'silent' }), null)
    const url = `http://127.0.0.1:${other.port}/api/mcp`
    const { promise: freed, resolve: free } = Promise.withResolvers<void>()
    const held = [1, 2].map(() => narrow.hold(() => freed, { of: noisy.tenant }))
    const asked = Array.from({ length: 150 }, (_, i) =>
      callTool(noisy, 'tags_create', { name: `Wanted ${i}` }, { url }),
    )
    assert.match((await Promise.race(asked)).text, /too many requests at once/)
    assert.ok(narrow.load().waiting > 0)
    free()
    await Promise.all(held)
    const answers = await Promise.all(asked)
    answers.forEach(requireTruth)
    assert.ok(isDone(await callTool(quiet, 'tags_list', {}, { url })))
    await other.stop(0)
    await narrow.close()
  })

  it('are dropped if the client disconnects while they wait', async () => {
    const { id } = await noisy.call('tags_create', { name: 'Watched' })
    await lockTag(noisy, id)
    const holding = Array.from({ length: 4 }, () => callTool(noisy, 'tags_update', { id, color: '#000000' }))
    await until(async () => (await waitingForLocks()) === 4)
    const client = new AbortController()
    const waiting = Array.from({ length: 5 }, (_, i) =>
      callTool(noisy, 'tags_create', { name: `Nobody waits ${i}` }, { signal: client.signal }),
    )
    await until(() => service.database.load().waiting === 5)
    client.abort()
    assert.equal((await Promise.allSettled(waiting)).filter(({ status }) => status === 'rejected').length, 5)
    await until(() => service.database.load().waiting === 0)
    assert.equal(await waitingForLocks(), 4)
    await admin.query('rollback')
    assert.equal((await Promise.all(holding)).filter(isDone).length, 4)
    const { rows: items } = (await noisy.call('tags_list')) as { rows: { name: string }[] }
    assert.ok(!items.some(({ name }) => name.startsWith('Nobody')))
  })

  it('are completed if they started before the client disconnected', async () => {
    const { id } = await noisy.call('tags_create', { name: 'Begun' })
    await lockTag(noisy, id)
    const client = new AbortController()
    const begun = callTool(noisy, 'tags_update', { id, color: '#00FF00' }, { signal: client.signal })
    await until(async () => (await waitingForLocks()) === 1)
    client.abort()
    await assert.rejects(begun)
    await admin.query('rollback')
    await until(async () => (await noisy.call('tags_get', { id }))['color'] === '#00FF00')
  })
})

describe('a batch', () => {
  it('reports the result of each request and starts none after one gets unavailable', async () => {
    const { id } = await noisy.call('tags_create', { name: 'In a batch' })
    await lockTag(noisy, id)
    const names = ['tags_update', 'tags_create', 'tags_list']
    const body = JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: names[0], arguments: { id, color: '#000000' } } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: names[1], arguments: { name: 'After it' } } },
      { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} },
    ])
    const response = await fetch(service.url, { method: 'POST', headers: toolHeaders(noisy.owner.key), body })
    const [first, second, third] = (await response.json()) as {
      result?: { isError: boolean; content: { text: string }[] }
      error?: { code: number; message: string }
    }[]
    assert.equal(response.status, 200)
    for (const one of [first, second]) {
      assert.equal(one!.result!.isError, true)
      assert.match(one!.result!.content[0]!.text, /^unavailable: .*nothing was done, try again in \d+ s$/)
    }
    assert.equal(third!.error!.code, -32603)
    assert.match(third!.error!.message, /^unavailable: /)
    const { rows: items } = (await noisy.call('tags_list')) as { rows: { name: string }[] }
    assert.ok(!items.some(({ name }) => name === 'After it'))
  })
})
