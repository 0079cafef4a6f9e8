import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { newId } from '../../src/platform/validation/id.ts'
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

const { tools } = toolCatalogOf(entities)

/** Returns the required scope of a tool (docs/spec/tools.md#scope-of-a-tool). */
const scopeOf = (wire: string): string =>
  `${/_(list|search|get)$/.test(wire) ? 'read' : 'write'}:${tools.get(wire)!.entity.subject}`

const ofPeople = [...tools.values()].filter(({ tool }) => tool.person).map(({ wire }) => wire)

/** Returns every tool's refusal of a field that none of them has. */
async function refusals(by: { refusal(name: string, given: object): Promise<string> }): Promise<Map<string, string>> {
  return new Map(
    await Promise.all(
      [...tools.keys()].map(async (wire) => [wire, await by.refusal(wire, { nothing_takes_this: newId() })] as const),
    ),
  )
}

const toolsRefusedWith = (code: string, told: Map<string, string>): string[] =>
  [...told].filter(([, text]) => text.startsWith(`${code}: `)).map(([wire]) => wire)

describe('a missing scope', () => {
  it('is refused by name by every tool, before any other check, with no change', async () => {
    const settings = await company.tenantKey([
      'read:settings',
      'write:companies',
      'read:communications',
      'write:agent_sessions',
    ])
    const before = await witness.digest()
    const told = await refusals(settings)
    assert.deepEqual(await witness.digest(), before)
    for (const [wire, { canonical }] of tools)
      assert.equal(told.get(wire), `insufficient_scope: ${canonical} needs ${scopeOf(wire)}`)
  })

  it("is not reported if the key has exactly the tool's scope", async () => {
    for (const scope of new Set([...tools.keys()].map(scopeOf))) {
      const denied = toolsRefusedWith(
        'insufficient_scope',
        await refusals(await company.member('owner', { scopes: [scope] })),
      )
      assert.deepEqual(
        denied,
        [...tools.keys()].filter((wire) => scopeOf(wire) !== scope),
        scope,
      )
    }
  })

  it('is reported for read tools with write scopes only, and for write tools with read scopes only', async () => {
    const [writer, reader] = await Promise.all(
      ['write:', 'read:'].map((act) =>
        company.member('owner', { scopes: SCOPES.filter((scope) => scope.startsWith(act)) }),
      ),
    )
    assert.deepEqual(
      toolsRefusedWith('insufficient_scope', await refusals(writer!)),
      [...tools.keys()].filter((wire) => /_(list|search|get)$/.test(wire)),
    )
    assert.deepEqual(
      toolsRefusedWith('insufficient_scope', await refusals(reader!)),
      [...tools.keys()].filter((wire) => !/_(list|search|get)$/.test(wire)),
    )
  })
})

describe('umbrella scopes and aliases', () => {
  const given: [scope: string, expands: string[]][] = [
    ['read:catalog', ['read:catalog_items', 'read:catalog_categories']],
    ['write:catalog', ['write:catalog_items', 'write:catalog_categories']],
    ['read:estimates', ['read:quotes']],
    ['write:estimates', ['write:quotes']],
  ]
  for (const [scope, expands] of given) {
    it(`${scope} grants ${expands.join(' and ')} and nothing else`, async () => {
      const denied = toolsRefusedWith(
        'insufficient_scope',
        await refusals(await company.member('owner', { scopes: [scope] })),
      )
      assert.deepEqual(
        denied,
        [...tools.keys()].filter((wire) => !expands.includes(scopeOf(wire))),
      )
    })
  }

  it("don't exceed the member's ceiling", async () => {
    const tech = await company.member('tech', { scopes: ['write:catalog', 'read:catalog', 'write:estimates'] })
    await tech.call('catalog_items_list')
    assert.equal(
      await tech.refusal('catalog_items_create', {}),
      'insufficient_scope: catalog_items.create needs write:catalog_items',
    )
    assert.equal(await tech.refusal('quotes_create', {}), 'insufficient_scope: quotes.create needs write:quotes')
  })
})

describe('a tenant key', () => {
  it('can call every tool except those that need a user, which refuse it before checking arguments', async () => {
    const told = await refusals(await company.tenantKey())
    for (const [wire, { canonical }] of tools) {
      if (ofPeople.includes(wire))
        assert.equal(
          told.get(wire),
          `invalid_input: ${canonical} needs a user, which a tenant key lacks; use a user key or sign in`,
        )
      else assert.match(told.get(wire)!, /^invalid_input: (.*; )?unknown field 'nothing_takes_this'/, wire)
    }
  })

  it('gets insufficient_scope first if it lacks the scope of a tool that needs a user', async () => {
    const told = await refusals(await company.tenantKey(['read:customers']))
    for (const wire of ofPeople) assert.match(told.get(wire)!, /^insufficient_scope: /, wire)
  })

  it('can create customers, contacts, locations and tax rates, and archive customers', async () => {
    const integration = await company.tenantKey()
    const customer = await integration.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
    await integration.call('contacts_create', { customer_id: customer.id, first_name: 'Bo' })
    await integration.call('locations_create', { customer_id: customer.id, address_line1: '1 Main' })
    await integration.call('tax_rates_create', { name: 'City', rate_percentage: 1.5 })
    await integration.call('customers_archive', { id: customer.id })
  })
})
