import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conflict, invalidField, invalidFields, notFound, quoteText, capProblems } from '../errors/refusal.ts'
import { defineRefusals } from '../errors/refusal_text.ts'
import { withReader } from './reader.ts'
import { refusalForPeople } from './refusal_for_people.ts'

const refusals = defineRefusals('refusal_for_people_test', {
  taken: { agent: 'is the SKU of {name}; change it', en: '{name} has this SKU.', es: '{name} tiene este SKU.' },
})
const inSpanish = <T>(work: () => T): T => withReader({ language: 'es', country: 'US' }, work)

describe('a refusal for people', () => {
  it('omits the words added for agents', () => {
    const refusal = invalidField('sku', refusals.taken({ name: quoteText('Valve') })).withContext(
      "you can't: ",
      '; find its id with catalog_items_list',
    )
    assert.equal(
      refusal.agentMessage,
      "you can't: sku is the SKU of «Valve»; change it; find its id with catalog_items_list",
    )
    assert.equal(
      refusal.withContext('call 2: ', '').agentMessage,
      "call 2: you can't: sku is the SKU of «Valve»; change it; find its id with catalog_items_list",
    )
    assert.equal(refusalForPeople(refusal), '“Valve” has this SKU.')
    assert.equal(
      inSpanish(() => refusalForPeople(refusal)),
      '«Valve» tiene este SKU.',
    )
  })

  it('for a missing record names no tool', () => {
    const refusal = notFound('customer').withContext('', '; find its id with customers_search')
    assert.equal(refusal.message, 'customer not found; find its id with customers_search')
    assert.equal(refusal.missingRecord, 'customer')
    assert.match(refusalForPeople(refusal), /^This isn’t here anymore\./)
    assert.match(
      inSpanish(() => refusalForPeople(refusal)),
      /^Esto ya no está aquí\./,
    )
  })

  it("counts the remaining problems in the reader's language", () => {
    const problems = Array.from({ length: 13 }, (_, i) => ({ path: `a${i}`, rule: 'is empty' }))
    assert.match(invalidFields(capProblems(problems)).message, /a9 is empty; and 3 more$/)
    assert.match(
      inSpanish(() => refusalForPeople(invalidFields(capProblems(problems)))),
      /Hay 3 problemas más\.$/,
    )
  })

  it('writes a path in words when the rule is not declared', () => {
    assert.equal(
      refusalForPeople(invalidField('line_items[0].catalog_item_id', 'is gone')),
      'Line items catalog item is gone.',
    )
    assert.equal(refusalForPeople(conflict('it is paid')), 'It is paid.')
  })
})
