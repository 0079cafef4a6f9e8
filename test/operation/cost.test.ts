import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openOffice, type Office } from '../../bench/cost/office.ts'
import { maxCostOf, bestOf, costRatio, measureCost, search, isWithin, describeCost } from '../../bench/cost/search.ts'
import type { Target } from '../../bench/cost/requests.ts'
import { targetsOf } from '../../bench/cost/targets.ts'
import type { Gene } from '../../bench/cost/genes.ts'

let office: Office
let targets: Target[]
before(async () => {
  office = await openOffice()
  targets = await targetsOf(office)
})
after(() => office.stop())

const gene = (field: string, more: Partial<Gene>): Gene => ({
  field,
  shape: 'text',
  unit: 'a',
  before: '',
  after: '',
  size: 100_000,
  ...more,
})

/** Inputs that once blocked the event loop for seconds. */
const KNOWN: readonly [target: RegExp, gene: Gene][] = [
  [/^POST \/sign-in, signed out$/, gene('email', { before: 'a', unit: '\u0315\u0300' })],
  [/^POST \/sign-in, signed out$/, gene('strange', { shape: 'fields', unit: 'f', size: 500_000 })],
  [/^POST \/sign-in, signed out$/, gene('typed', { unit: '"', size: 400_000 })],
  [/^tags_create$/, gene('name', { before: 'a', unit: '\u0315\u0300' })],
  [/^customers_search$/, gene('query', { before: 'a', unit: '\u0315\u0300' })],
  [/^customers_create$/, gene('fields', { shape: 'keys', unit: 'k', size: 500_000 })],
  [/^completion\/complete$/, gene('value', { before: 'a', unit: '\u0315\u0300' })],
  [/\/jobs\/new$/, gene('line_items.0.name', { shape: 'rows', unit: 'Boiler', size: 200_000 })],
  [/\/customers\/new$/, gene('fields', { unit: ' ', after: 'a' })],
  [/^files to .*media$/, gene('files', { shape: 'same', unit: 'a', size: 900_000 })],
  [/^raw JSON$/, gene('body', { shape: 'objects', unit: 'k', size: 3_900_000 })],
  [/^raw JSON$/, gene('body', { shape: 'items', unit: '[]', size: 3_900_000 })],
]

describe('a request', () => {
  it('that was slow once stays within the event loop limit for its length', { timeout: 600_000 }, async () => {
    for (const [pattern, costly] of KNOWN) {
      const target = targets.find(({ name }) => pattern.test(name))!
      await office.refresh()
      await measureCost(office, target, [{ ...costly, size: 10 }])
      const found = await bestOf(2, office, { target, genes: [costly] })
      assert.ok(isWithin(found.ms, maxCostOf(found.bytes)), describeCost(found))
    }
  })

  it('of any kind stays within the limit, in 250 tries with a fixed seed', { timeout: 600_000 }, async () => {
    const { costliest, tried, faults } = await search(office, targets, 7, (count) => count < 250)
    assert.ok(tried === 250 && costliest.length > 5)
    assert.deepEqual(faults.map(describeCost), [])
    for (const one of costliest.slice(0, 3)) {
      const sure = await bestOf(3, office, one)
      assert.ok(isWithin(costRatio(sure), 1), describeCost(sure))
    }
  })

  it('is tried on tools, forms, signed and unsigned webhooks and the authorization server', () => {
    const names = targets.map(({ name }) => name)
    for (const part of [
      'plans_update',
      'POST /sign-in, signed out',
      '/settings/members',
      '/invoices/new',
      '/invoices/',
      '/do/jobs_cancel',
      'email/inbound, signed',
      'sms/inbound-sms, unsigned',
      'payments/platform, signed',
      '/oauth/token',
      'a batch',
    ]) {
      assert.ok(
        names.some((name) => name.includes(part)),
        part,
      )
    }
    assert.ok(names.length > 200)
  })
})
