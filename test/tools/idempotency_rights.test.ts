import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Area, Ceiling } from '../../src/identity/permissions/areas.ts'
import { changeMember } from '../../src/identity/people/people.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf, type ListedTool } from '../../src/tools/declare/catalog.ts'
import { NO_AREAS } from '../harness/identity/ceilings.ts'
import { ARGUMENTS, makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

const creating = [...toolCatalogOf(entities).tools.values()].filter(({ tool }) => tool.verb === 'create')

/** Fields that only an owner can send or see. */
const OWNERS: Readonly<Record<string, object>> = {
  catalog_items_create: {
    cost_cents: 123,
    supplier_name: 'Acme',
    supplier_sku: 'A-1',
    supplier_url: 'https://acme.example/a',
  },
}
const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  catalog_items_create: ['cost_cents', 'supplier_name', 'supplier_sku', 'supplier_url'],
  jobs_create: ['invoice_ids'],
}

let service: TestService
let company: Company
let records: Records
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  records = await makeRecords(company, 'Replayed')
})
after(() => service.stop())

/** Returns the paths of all fields in a result. */
function pathsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => pathsOf(one, `${at}[]`)))]
  if (value === null || typeof value !== 'object') return [at]
  return Object.entries(value)
    .flatMap(([name, inner]) => pathsOf(inner, at === '' ? name : `${at}.${name}`))
    .concat(at === '' ? [] : [at])
}

/** Adds an owner who can be demoted to a technician with edit rights in one area. */
async function ownerToBe(area: Area) {
  const { id, send, call } = await company.member('owner')
  const entry = { tenant: company.tenant }
  return {
    send,
    call,
    demote: () =>
      changeMember(service.database, entry, id, { role: 'tech', areas: { ...NO_AREAS, [area]: 'edit' } as Ceiling }),
    promote: () => changeMember(service.database, entry, id, { role: 'owner' }),
  }
}

async function first({ wire, entity }: ListedTool, extra: object = {}, which = 0) {
  const member = await ownerToBe(entity.area)
  const given = { ...ARGUMENTS[wire]!(records)[which], ...extra, idempotency_key: `${wire} ${which}` }
  const answered = await member.send(wire, given)
  assert.equal(answered.isError, false, answered.text)
  return { member, given, answered }
}

describe('an idempotent replay after a demotion', () => {
  it('has sample arguments for every create tool', () => {
    assert.equal(creating.length, entities.length)
    assert.deepEqual(
      creating.filter(({ wire }) => !(wire in ARGUMENTS)),
      [],
    )
  })

  for (const listed of creating) {
    const { wire } = listed
    it(`of ${wire} hides the same fields as a fresh result and lists them in redacted_fields`, async () => {
      const { member, given, answered } = await first(listed, OWNERS[wire])
      const whole = JSON.parse(answered.text) as Record<string, unknown>
      for (const name of HIDDEN[wire] ?? []) assert.ok(name in whole, name)
      await member.demote()
      const replay = await member.call(wire, given)
      assert.equal(replay['id'], whole['id'])
      const fresh = await member.call(wire, ARGUMENTS[wire]!(records)[0])
      const unseen = new Set(pathsOf(replay)).difference(new Set(pathsOf(fresh)))
      assert.deepEqual(
        [...unseen].filter((path) => path !== 'warnings'),
        [],
      )
      assert.deepEqual(replay['redacted_fields'], fresh['redacted_fields'])
      assert.deepEqual(replay['redacted_fields'] ?? [], HIDDEN[wire] ?? [])
    })
  }

  it("hides cost_cents of a bundle's components", async () => {
    const { member, given, answered } = await first(
      creating.find(({ wire }) => wire === 'catalog_items_create')!,
      {},
      1,
    )
    assert.match(answered.text, /"cost_cents":77/)
    await member.demote()
    const { text } = await member.send('catalog_items_create', given)
    assert.doesNotMatch(text, /"cost_cents":/)
    assert.match(text, /"components":\[\{"catalog_item_id"/)
  })

  it('returns the first result byte for byte once the rights are restored', async () => {
    for (const listed of creating.filter(({ wire }) => wire in HIDDEN)) {
      const { member, given, answered } = await first(
        listed,
        listed.wire in OWNERS ? { ...OWNERS[listed.wire], supplier_sku: 'A-2' } : {},
      )
      await member.demote()
      assert.notEqual((await member.send(listed.wire, given)).text, answered.text)
      await member.promote()
      assert.deepEqual(await member.send(listed.wire, given), answered)
    }
  })

  it('returns the first result byte for byte if it was already redacted', async () => {
    for (const listed of creating.filter(({ wire }) => wire in HIDDEN)) {
      const member = await ownerToBe(listed.entity.area)
      await member.demote()
      for (const [i, more] of ARGUMENTS[listed.wire]!(records).entries()) {
        const given = { ...more, idempotency_key: `few ${i}` }
        const answered = await member.send(listed.wire, given)
        assert.match(answered.text, /"redacted_fields":/)
        assert.deepEqual(await member.send(listed.wire, given), answered)
      }
    }
  })
})
