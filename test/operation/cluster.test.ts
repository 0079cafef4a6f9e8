import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { routed } from '../../src/db/citus/routed.ts'
import type { Database, Sql } from '../../src/db/database.ts'
import { startService } from '../../src/service.ts'
import { CLUSTER } from '../harness/cluster.ts'
import { ARGUMENTS, makeRecords } from '../harness/every_tool.ts'
import { freePort } from '../harness/visiting.ts'
import { openOffice } from '../harness/people_pages.ts'
import { callerOf, makeCompany, startTestService, type TestService } from '../harness/harness.ts'

type Sent = { statement: Sql; entered: Sql }

/** Returns a database that notes each statement of a company as a cluster gets it, with the one that entered. */
function noting(database: Database, sent: Map<string, Sent>): Database {
  const noter = (): Database['send'] => {
    let entered: Sql | undefined
    return routed((statements) => {
      for (const statement of statements) {
        if (/^\s*select enter_/.test(statement.text)) entered = statement
        else if (entered !== undefined && /^\s*(?:select|insert|update|delete|with)\b/.test(statement.text))
          sent.set(statement.text, { statement, entered })
      }
      return Promise.resolve([])
    })
  }
  return {
    ...database,
    send: async (statements, options) => {
      await noter()(statements)
      return database.send(statements, options)
    },
    hold: (use, options) => {
      const note = noter()
      return database.hold(async (send) => {
        return use(async (statements) => {
          await note(statements)
          return send(statements)
        })
      }, options)
    },
  }
}

/** Returns how many machines each step of a statement reaches, or why it can't be run. */
async function stepsOf(client: Client, { statement, entered }: Sent): Promise<number[] | string> {
  await client.query('begin')
  try {
    await client.query(entered.text, entered.values)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) ${statement.text}`,
      statement.values as unknown[],
    )
    return rows.flatMap((row) =>
      [...row['QUERY PLAN'].matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)),
    )
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.query('rollback')
  }
}

/** Lists the statements that reach another number of machines than one, or can't be run. */
async function elsewhere(client: Client, statements: ReadonlyMap<string, Sent>): Promise<string[]> {
  const found: string[] = []
  for (const [text, one] of statements) {
    const steps = await stepsOf(client, one)
    if (typeof steps === 'string' || steps.some((count) => count !== 1))
      found.push(`${String(steps)}: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
  }
  return found
}

/** Matches what `explain` can't plan there and the service runs: occurrences of a series, inserted from arrays. */
const RUNS_ALONE = /^could not create distributed plan: +with slot as materialized /

describe('a cluster', { skip: CLUSTER === undefined && 'CITUS_URL names no cluster (docs/distributed.md)' }, () => {
  let service: TestService
  let client: Client
  let end = (): Promise<void> => Promise.resolve()
  const sent = new Map<string, Sent>()
  const shown = new Map<string, Sent>()
  const answers = new Map<string, number>()
  before(async () => {
    service = await startTestService()
    const port = await freePort()
    const config = { ...service.config, port, baseUrl: `http://127.0.0.1:${port}` }
    const asked = await startService(config, noting(service.database, sent), pino({ level: 'silent' }), null)
    end = () => asked.stop(0)
    client = new Client(service.login)
    await client.connect()
    const { owner, member, call: make } = await makeCompany(service)
    await member('tech')
    const { send } = callerOf(`${config.baseUrl}/api/mcp`, owner.key)
    const mine = await makeRecords({ call: make, owner }, 'Alpha')
    for (const [tool, variants] of Object.entries(ARGUMENTS))
      for (const given of variants(mine)) await send(tool, given)
    const told = new Set(sent.keys())
    const office = await openOffice({ ...service, url: `${config.baseUrl}/api/mcp`, config }, 'Paged')
    await makeRecords({ call: office.call, owner: { id: office.owner.user_id } }, 'Beta')
    const found = new Set([office.at()])
    for (const path of found) {
      const { status, text } = await office.browser.get(path)
      answers.set(path, status)
      for (const [, link = ''] of text.matchAll(/href="([^"#?]+)/g))
        if (link.startsWith(office.at()) && found.size < 200) found.add(link)
    }
    for (const [text, one] of sent) if (!told.has(text)) shown.set(text, one)
    for (const text of shown.keys()) sent.delete(text)
  })
  after(async () => {
    await end()
    await client.end()
    await service.stop()
  })

  it('is asked on one machine for what every tool does in one company', async () => {
    assert.ok(sent.size > 100, `${sent.size} statements`)
    assert.deepEqual(await elsewhere(client, sent), [])
  })

  it('is asked on one machine for every page that the first leads to', async () => {
    assert.ok(answers.size > 50 && shown.size > 50, `${answers.size} pages, ${shown.size} statements`)
    assert.deepEqual(
      [...answers].filter(([, status]) => status >= 500),
      [],
    )
    const others = (await elsewhere(client, shown)).filter((one) => !RUNS_ALONE.test(one))
    assert.deepEqual(others, [])
  })
})
