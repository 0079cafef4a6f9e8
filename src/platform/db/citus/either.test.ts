import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql, { type Sql } from 'sql-template-tag'
import { pipelineQueries } from '../tenant.ts'
import {
  ENTERED_TENANT,
  either,
  toClusterDialect,
  insertSelected,
  withEnteredTenant,
  writeReturning,
} from './either.ts'

const TENANT = '01a10000-0000-7000-8000-000000000001'

/** Returns the statements as sent to a single server and to a cluster. */
async function translateForCluster(
  ...statements: readonly Sql[]
): Promise<{ alone: readonly Sql[]; onCluster: readonly Sql[] }> {
  let onCluster: readonly Sql[] = []
  await toClusterDialect((all) => {
    onCluster = all
    return Promise.resolve([])
  })(statements)
  return { alone: statements, onCluster }
}
const textOf = async (statement: Sql) => {
  const { alone, onCluster } = await translateForCluster(statement)
  return { alone: alone[0]!.text, onCluster: onCluster[0]!.text }
}

describe('a statement in two forms', () => {
  it('uses the first form on a single server and the second on a cluster', async () => {
    const both = either(sql`select ${1} for update skip locked`, () => sql`select ${1}`)
    assert.deepEqual(await textOf(both), { alone: 'select $1 for update skip locked', onCluster: 'select $1' })
    assert.deepEqual(both.values, [1])
  })

  it('is unchanged on a cluster when it has one form', async () => {
    const once = sql`select id from letters limit 1 for update skip locked`
    assert.equal((await translateForCluster(once)).onCluster[0], once)
  })

  it('gets a returning clause on a cluster when it inserts selected rows', async () => {
    assert.deepEqual(
      await textOf(insertSelected(sql`insert into tags (id) select ${'x'}::uuid on conflict do nothing`)),
      {
        alone: 'insert into tags (id) select $1::uuid on conflict do nothing',
        onCluster: 'insert into tags (id) select $1::uuid on conflict do nothing returning true as written',
      },
    )
  })

  it('writes before its look-ups on a cluster when it returns them', async () => {
    const one = writeReturning(
      sql`n`,
      sql`insert into notes as n (id) values (${'x'})`,
      sql`n.id, (select ${2}) as two`,
    )
    assert.deepEqual(await textOf(one), {
      alone: 'insert into notes as n (id) values ($1) returning n.id, (select $2) as two',
      onCluster:
        'with written as (insert into notes as n (id) values ($1) returning n.*) select n.id, (select $2) as two from written n',
    })
  })
})

describe('the ENTERED placeholder', () => {
  it('becomes the tenant id among the values, and the text stays the same', () => {
    const part = sql`exists (select 1 from b where b.tenant_id = ${ENTERED_TENANT} and b.id = a.id)`
    const whole = sql`select ${part} from a where a.id = ${'x'}`
    const bound = withEnteredTenant(whole, TENANT)
    assert.equal(bound.text, whole.text)
    assert.deepEqual(bound.values, [TENANT, 'x'])
    const other = sql`select ${'x'}`
    assert.equal(withEnteredTenant(other, TENANT), other)
  })

  it('is bound in both forms of a statement', async () => {
    const one = writeReturning(
      sql`n`,
      sql`delete from notes n`,
      sql`(select 1 from b where b.tenant_id = ${ENTERED_TENANT})`,
    )
    const { alone, onCluster } = await translateForCluster(withEnteredTenant(one, TENANT))
    assert.deepEqual([alone[0]!.values, onCluster[0]!.values], [[TENANT], [TENANT]])
  })

  it('is bound in queries of a tenant transaction', async () => {
    const asked: (readonly unknown[])[] = []
    const db = pipelineQueries(TENANT, (statements) => {
      asked.push(...statements.map(({ values }) => values))
      return Promise.resolve(statements.map(() => ({ rows: [], count: 0 })))
    })
    await db.all(sql`select 1 from a where a.tenant_id = ${ENTERED_TENANT}`)
    assert.deepEqual(asked, [[TENANT]])
  })
})
