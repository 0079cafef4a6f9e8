import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ClientConfig } from 'pg'
import pino from 'pino'
import { Sql as SqlText } from 'sql-template-tag'
import { openDatabase, type Database, type Sql } from '../../src/platform/db/database.ts'
import { byStatement } from '../../src/platform/db/sql.ts'
import { startService } from '../../src/start/service.ts'
import { ARGUMENTS, makeRecords, type Records } from './clients/every_tool.ts'
import { callerOf, makeCompany, startTestService } from './harness.ts'
import { newProtocolClient } from './clients/protocol.ts'
import { openWitness } from './clients/witness.ts'

export type TwoCompanies = Awaited<ReturnType<typeof startTwoCompanies>>

/**
 * Makes a company that calls tools (`ours`, with records `mine`) and another (`theirs`) that must stay hidden. With
 * `bare`, statements lose their tenant filter, and only row-level security protects the other company. A cluster table
 * then has one part, so that statements without a filter work. `way` changes the connection to the database.
 */
export async function startTwoCompanies({
  bare = false,
  way,
}: { bare?: boolean; way?: (login: ClientConfig) => Promise<ClientConfig> } = {}) {
  const service = await startTestService({}, { parts: bare ? 1 : undefined })
  const witness = await openWitness(service)
  const statements = new Map<string, unknown[]>()
  const database = way === undefined ? service.database : openDatabase(await way(service.login))
  const asked = await startService(
    service.config,
    bare ? withoutFilter(database, statements) : database,
    pino({ level: 'silent' }),
    null,
  )
  const [ours, theirs] = await Promise.all([makeCompany(service), makeCompany(service)])
  const [mine, foreign] = await Promise.all([makeRecords(ours, 'Alpha'), makeRecords(theirs, 'Zebra')])
  return {
    witness,
    ours,
    theirs,
    mine,
    foreign,
    statements,
    url: `http://127.0.0.1:${asked.port}/api/mcp`,
    stop: async (): Promise<void> => {
      await asked.stop(0)
      if (way !== undefined) await database.close()
      await witness.close()
      await service.stop()
    },
  }
}

/** Join on the tenant. A second space keeps `routed` from adding a cluster's own filter. */
const JOINED = /\.tenant_id = (?=[a-z_]+\.tenant_id\b)/g
const FILTER = /(^|[^\w.])(?:\w+\.)?tenant_id = $/

/**
 * Returns a database for which every `tenant_id = $n` of every statement is true. Collects the changed statements in
 * `statements`.
 */
export function withoutFilter(database: Database, statements: Map<string, unknown[]>): Database {
  const strip = (statement: Sql): Sql => {
    const strings = statement.strings.map((text, at) => {
      const isTold = at > 0 && FILTER.test(statement.strings[at - 1]!)
      const kept = at < statement.values.length ? text.replace(FILTER, '$1') : text
      return `${isTold ? '::text is not null' : ''}${kept.replaceAll(JOINED, '.tenant_id  = ')}`
    })
    const stripped = new SqlText(strings, statement.values)
    if (stripped.text === statement.text) return statement
    statements.set(stripped.text, stripped.values)
    return stripped
  }
  const stripping = (send: Database['send']): Database['send'] =>
    byStatement((some, options) => send(some.map(strip), options))
  return {
    ...database,
    send: stripping(database.send),
    hold: (use, options) => database.hold((send) => use(stripping(send)), options),
  }
}

/** Returns the path of each id in arguments, with the kind of record it refers to. */
export function placesIn(given: unknown, of: Records): { kind: keyof Records; path: string[] }[] {
  if (typeof given === 'string') {
    const kind = (Object.keys(of) as (keyof Records)[]).find((name) => of[name] === given)
    return kind === undefined ? [] : [{ kind, path: [] }]
  }
  if (given === null || typeof given !== 'object') return []
  return Object.entries(given).flatMap(([key, value]) =>
    placesIn(value, of).map(({ kind, path }) => ({ kind, path: [key, ...path] })),
  )
}

/** Returns a copy of the arguments with another id at a path. */
function withId(given: object, path: readonly string[], id: string): object {
  const copy: object = structuredClone(given)
  let at = copy as Record<string, never>
  for (const key of path.slice(0, -1)) at = at[key]!
  Object.assign(at, { [path.at(-1)!]: id })
  return copy
}

type Call = { tool: string; given: object; id: string }

/**
 * Returns calls of every tool with foreign ids: each id argument gets one of the right kind, then `others` of any kind
 * in turn.
 */
function callsOf({ mine, foreign }: TwoCompanies, others: number): Call[] {
  const ids = Object.values(foreign)
  let turn = 0
  return Object.entries(ARGUMENTS).flatMap(([tool, variants]) =>
    variants(mine).flatMap((given) =>
      placesIn(given, mine).flatMap(({ kind, path }) =>
        [foreign[kind], ...Array.from({ length: others }, () => ids[turn++ % ids.length]!)].map((id) => ({
          tool,
          given: withId(given, path, id),
          id,
        })),
      ),
    ),
  )
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

/** Fails if an answer contains anything of the other company except the id that was sent. */
function requireNoLeak({ theirs, foreign }: TwoCompanies, { tool, given, id }: Call, text: string): void {
  const rest = text.replaceAll(id, '').toLowerCase()
  const leaked = ['zebra', theirs.tenant, ...Object.values(foreign)].find((secret) =>
    rest.includes(secret.toLowerCase()),
  )
  assert.equal(leaked, undefined, `${tool} ${JSON.stringify(given)}: ${text.slice(0, 500)}`)
}

const isList = (tool: string): boolean => /_(list|search)$/.test(tool)

/** Registers the tests that check the isolation between two companies. */
export function testIsolation(two: () => TwoCompanies): void {
  const refusedOrEmpty = async (key: string, others: number): Promise<void> => {
    const { witness, theirs, url } = two()
    const { send } = callerOf(url, key)
    const before = await witness.tenantRows(theirs.tenant)
    await each(callsOf(two(), others), async (call) => {
      const { text, isError } = await send(call.tool, call.given)
      assert.ok(
        isError ? !text.startsWith('internal') : isList(call.tool),
        `${call.tool} ${JSON.stringify(call.given)}: ${text}`,
      )
      requireNoLeak(two(), call, text)
    })
    assert.deepEqual(await witness.tenantRows(theirs.tenant), before)
  }

  it("an owner's tool calls with the other company's ids reveal and change nothing of it", () =>
    refusedOrEmpty(two().ours.owner.key, 3))

  it("office, tech and tenant key calls with the other company's ids reveal and change nothing of it", async () => {
    const { ours } = two()
    for (const { key } of [await ours.member('office'), await ours.member('tech'), await ours.tenantKey()])
      await refusedOrEmpty(key, 0)
  })

  it("lists, searches, totals and the other company's cursors show only our records", async () => {
    const { ours, theirs, mine, url } = two()
    const { call } = callerOf(url, ours.owner.key)
    const isOurs = (answer: unknown): void => assert.ok(!/zebra/i.test(JSON.stringify(answer)))
    for (const [tool, variants] of Object.entries(ARGUMENTS)) {
      for (const given of isList(tool) ? variants(mine) : []) {
        const listed = await call(tool, { ...given, limit: 100 })
        isOurs(listed)
        if (!/_search$|^notes_/.test(tool))
          assert.equal(
            (await call(tool, { ...given, include_total: true, limit: 100 })).total,
            listed.rows.length,
            tool,
          )
      }
    }
    for (const query of ['zebra', 'zebra@example.com', '512-555-0143', 'zebra tag'])
      isOurs(await call('customers_search', { query }))
    assert.deepEqual((await call('notes_list', { query: 'zebra' })).rows, [])
    await theirs.call('notes_create', { body: 'Zebra' })
    await theirs.call('customers_create', { customer_type: 'individual', first_name: 'Zebra' })
    for (const tool of ['customers_search', 'notes_list'])
      isOurs(await call(tool, { limit: 1, cursor: (await theirs.call(tool, { limit: 1 })).nextCursor }))
  })

  it('resources, prompts and completions contain nothing of the other company', async () => {
    const { ours, mine, foreign, url } = two()
    const { handshake: ask } = newProtocolClient(url, ours.owner.key)
    const isOurs = (answer: unknown): void => assert.ok(!/zebra/i.test(JSON.stringify(answer)), JSON.stringify(answer))
    isOurs(await ask('resources/list'))
    for (const name of ['customer-job-draft', 'draft-invoice']) {
      isOurs(await ask('prompts/get', { name, arguments: { customer_id: mine.customer } }))
      const { error } = await ask('prompts/get', { name, arguments: { customer_id: foreign.customer } })
      assert.equal(
        error!.message,
        `Invalid params: customer_id is not the id of a customer (got ${foreign.customer}); find it with customers_search`,
      )
    }
    isOurs(
      await ask('prompts/get', {
        name: 'plan-my-day',
        arguments: { date: Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString() },
      }),
    )
    for (const kind of ['customer', 'job', 'invoice', 'quote'] as const) {
      const uri = `svc://${kind}/${foreign[kind]}`
      assert.deepEqual((await ask('resources/read', { uri })).error, {
        code: -32002,
        message: 'Resource not found',
        data: { uri },
      })
      for (const value of ['zebra', '512-555-0143', foreign[kind]]) {
        const { result } = await ask('completion/complete', {
          ref: { type: 'ref/resource', uri: `svc://${kind}/{id}` },
          argument: { name: 'id', value },
        })
        assert.ok(!result!['completion'].values.includes(foreign[kind]))
      }
    }
  })

  it("no row of our company contains an id of the other company's records", async () => {
    const { witness, ours, mine, foreign } = two()
    const text = JSON.stringify(await witness.tenantRows(ours.tenant))
    assert.deepEqual(
      Object.entries(foreign).filter(([, id]) => text.includes(id)),
      [],
    )
    assert.ok(Object.values(mine).every((id) => text.includes(id)))
  })
}
