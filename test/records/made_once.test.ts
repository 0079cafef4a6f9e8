import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../src/platform/validation/id.ts'
import { CLUSTER } from '../harness/database/cluster.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

/** Inserts a tag with an updated_at later than created_at; returns the stored difference in milliseconds. */
async function laterBy(milliseconds: number, created: string): Promise<number> {
  const id = newId()
  await witness.rows(`insert into tags (tenant_id, id, name, name_folded, identity, created_at, updated_at)
    values ('${company.tenant}', '${id}', '${id}', '${id}', '${id}', ${created}, ${created} + interval '${milliseconds} milliseconds')`)
  const [tag] = await witness.rows(
    `select round(extract(epoch from updated_at - created_at) * 1000)::int as later from tags where id = '${id}'`,
  )
  return Number(tag!['later'])
}

describe('updated_at', () => {
  it('equals created_at for a new record', async () => {
    for (let made = 0; made < 40; made++) {
      const { created_at, updated_at } = await company.call('tags_create', { name: `Made ${made}` })
      assert.equal(updated_at, created_at)
    }
  })

  it(
    'equals created_at no matter how long the insert took',
    { skip: CLUSTER !== undefined && 'both come from when the statement began' },
    async () => {
      for (const milliseconds of [0, 1, 4, 1_000]) assert.equal(await laterBy(milliseconds, 'moment()'), 0)
    },
  )

  it('keeps its own value for a record inserted with an earlier created_at', async () => {
    for (const milliseconds of [1, 500, 86_400_000])
      assert.equal(await laterBy(milliseconds, "moment() - interval '100 milliseconds'"), milliseconds)
  })

  it('has the made_once trigger in every table with both columns', async () => {
    const without = await witness.rows(`select a.attrelid::regclass::text as name from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attname in ('created_at', 'updated_at')
        and not exists (select from pg_trigger t where t.tgrelid = a.attrelid and t.tgname = 'made_once')
      group by 1 having count(*) = 2`)
    assert.deepEqual(without, [])
  })
})
