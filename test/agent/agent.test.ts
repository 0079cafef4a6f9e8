import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { CONTRACT } from '../harness/clients/contract.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { tokensOf } from './agent.ts'
import { openOffice } from './tasks/office.ts'
import { ROOM, readCosts, type Cost } from './recorded.ts'
import { TASKS } from './tasks.ts'

const { tools } = toolCatalogOf(entities)
const SHOWN = 'tools/list, once'
const TOLD = 'Instructions of an office of four, once'
const ALL = 'All tasks'

let service: TestService
let witness: Witness
let written: ReadonlyMap<string, Cost>
const spent = new Map<string, Cost>()
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  written = await readCosts('## Agent tasks')
})
after(async () => {
  await witness.close()
  await service.stop()
})

describe('an agent', () => {
  for (const { name, run } of TASKS) {
    it(name, async () => {
      const office = await openOffice(service, witness)
      await run(office)
      spent.set(name, office.used())
      within(name, office.used())
    })
  }

  it("sees every tool, the contract's within the recorded token cost", async () => {
    const { shown } = await (await openOffice(service, witness)).agent()
    assert.equal(shown.size, tools.size)
    const told = [...shown.values()]
      .filter(({ name }) => tools.get(name)!.entity.name in CONTRACT)
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    within(SHOWN, { calls: 0, tokens: tokensOf(JSON.stringify(told)) })
  })

  it('gets the instructions of an office of four within the recorded token cost', async () => {
    const office = await openOffice(service, witness)
    for (const name of ['Tomas Reed', 'Lena Novak']) await office.person(name, 'tech')
    const { instructions } = await office.agent()
    within(TOLD, { calls: 0, tokens: tokensOf(instructions) })
  })

  it('stays within the recorded total cost, which is the sum of one row per task', (t) => {
    const all = [...spent.values()].reduce(
      (sum, { calls, tokens }) => ({ calls: sum.calls + calls, tokens: sum.tokens + tokens }),
      { calls: 0, tokens: 0 },
    )
    for (const [name, { calls, tokens }] of [...spent, [ALL, all] as const])
      t.diagnostic(`${name}: ${calls} calls, ${tokens} tokens`)
    assert.equal(spent.size, TASKS.length)
    within(ALL, all)
    const rows = [...written].filter(([name]) => name !== ALL && name !== SHOWN && name !== TOLD)
    assert.deepEqual(
      rows.map(([name]) => name),
      TASKS.map(({ name }) => name),
    )
    assert.equal(
      written.get(ALL)!.tokens,
      rows.reduce((sum, [, { tokens }]) => sum + tokens, 0),
    )
  })
})

function within(name: string, { calls, tokens }: Cost): void {
  const most = written.get(name)
  assert.ok(most !== undefined, `test/agent/costs.md, Agent tasks, has no row for: ${name} | ${calls} | ${tokens}`)
  assert.equal(calls, most.calls, `${name}: calls`)
  assert.ok(tokens <= most.tokens * ROOM, `${name}: ${tokens} tokens, ${most.tokens} are written down`)
}

describe('the scripted client', () => {
  it('rejects tools, arguments and ids that tools/list and earlier answers did not contain', async () => {
    const office = await openOffice(service, witness)
    const { id } = await office.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
    const agent = await office.agent()
    await assert.rejects(agent.call('customers_merge', {}), /is not in the schema/)
    await assert.rejects(agent.stumble('customers_merge', {}), /not in tools\/list/)
    await assert.rejects(agent.call('customers_search', { name: 'Ana' }), /arguments\.name is not in the schema/)
    await assert.rejects(agent.call('customers_search', { query: 7 }), /arguments\.query is not of type string/)
    await assert.rejects(
      agent.call('customers_search', { status: 'gone' }),
      /arguments\.status is none of lead, active, inactive/,
    )
    await assert.rejects(agent.call('customers_get', {}), /arguments\.id is missing/)
    await assert.rejects(agent.call('customers_get', { id }), /no answer named/)
    await agent.call('customers_search', { query: 'Ana' })
    await agent.call('customers_get', { id })
    assert.equal(agent.used.calls, 2)
  })
})
