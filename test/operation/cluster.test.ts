import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { routed } from '../../src/db/citus/routed.ts'
import type { Database, Sql } from '../../src/db/database.ts'
import { startService } from '../../src/service.ts'
import { CLUSTER } from '../harness/cluster.ts'
import { ARGUMENTS, makeRecords } from '../harness/every_tool.ts'
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

describe('a cluster', { skip: CLUSTER === undefined && 'CITUS_URL names no cluster (docs/distributed.md)' }, () => {
  let service: TestService
  let client: Client
  let end = (): Promise<void> => Promise.resolve()
  const sent = new Map<string, Sent>()
  before(async () => {
    service = await startTestService()
    const asked = await startService(service.config, noting(service.database, sent), pino({ level: 'silent' }), null)
    end = () => asked.stop(0)
    client = new Client(service.login)
    await client.connect()
    const { owner, member, call: make } = await makeCompany(service)
    await member('tech')
    const { send } = callerOf(`http://127.0.0.1:${asked.port}/api/mcp`, owner.key)
    const mine = await makeRecords({ call: make, owner }, 'Alpha')
    for (const [tool, variants] of Object.entries(ARGUMENTS))
      for (const given of variants(mine)) await send(tool, given)
  })
  after(async () => {
    await end()
    await client.end()
    await service.stop()
  })

  it('is asked on one machine for what every tool does in one company', async () => {
    assert.ok(sent.size > 100, `${sent.size} statements`)
    const elsewhere: string[] = []
    for (const [text, one] of sent) {
      const steps = await stepsOf(client, one)
      if (typeof steps === 'string' || steps.some((count) => count !== 1))
        elsewhere.push(`${String(steps)}: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
    }
    assert.deepEqual(elsewhere, [])
  })
})
