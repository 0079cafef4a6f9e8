import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  conflict,
  conflictField,
  capProblems,
  invalid,
  invalidAt,
  invalidField,
  invalidFields,
  formatRule,
  fieldName,
  quoteText,
} from './refusal.ts'
import { defineRefusals } from './refusal_text.ts'

describe('text quoted from other users', () => {
  const HOSTILE = fc.string({ unit: fc.constantFrom('a', ' ', '«', '»', '‹', "'", '\n', ';', ':', '\t') })

  it('stays inside one fence in any refusal', () => {
    fc.assert(
      fc.property(HOSTILE, HOSTILE, (one, two) => {
        const refusal = invalidFields([
          { path: 'customer_id', rule: formatRule`is the name of ${quoteText(one)} and ${quoteText(two)}` },
          { path: '', rule: formatRule`or ${quoteText(two)}` },
        ])
        for (const { agentMessage: fenced } of [refusal, refusal.withContext('first: ', '; find it')]) {
          assert.equal(fenced.replace(/«[^«»]*»/g, '').replace(/[^«»‹›\n\t]/g, ''), '')
          assert.equal(fenced.match(/«[^«»]*»/g)?.length, 3)
        }
      }),
    )
  })

  it('is in plain quotation marks for people', () => {
    assert.equal(conflict(formatRule`plan ${quoteText('A «B»')} is over`).message, "plan 'A «B»' is over")
    assert.equal(conflict(formatRule`plan ${quoteText('A «B»')} is over`).agentMessage, 'plan «A ‹B›» is over')
  })

  it('keeps its fence when a refusal is wrapped', () => {
    const refusal = invalidAt('rrule', formatRule`is of ${quoteText('Ana')}`).withContext(
      "you can't: ",
      '; ask',
      'insufficient_scope',
    )
    assert.deepEqual([refusal.code, refusal.agentMessage], ['insufficient_scope', "you can't: rrule: is of «Ana»; ask"])
  })
})

describe('a fragment list as a value of a declared refusal', () => {
  const { active } = defineRefusals('test.words', {
    active: { agent: 'end {work} first', en: 'End {work} first.', es: 'Termine {work} primero.' },
  })

  it('keeps each fence, also when the refusal is wrapped', () => {
    const words = ['plan ', quoteText('A «B»'), ' (1) of ', fieldName('customer_id')]
    const refusal = conflict(active({ work: { words } }))
    assert.equal(refusal.message, "end plan 'A «B»' (1) of customer_id first")
    assert.equal(refusal.agentMessage, 'end plan «A ‹B›» (1) of customer_id first')
    assert.equal(
      refusal.withContext('no: ', '; ask').agentMessage,
      'no: end plan «A ‹B›» (1) of customer_id first; ask',
    )
  })
})

describe('a refusal', () => {
  it('builds its message from its problems', () => {
    assert.equal(invalid('only an owner may').message, 'only an owner may')
    assert.equal(
      invalidField('line_items[2].quantity', 'must be above 0 (got -1)').message,
      'line_items[2].quantity must be above 0 (got -1)',
    )
    assert.equal(
      invalidAt('rrule', "COUNT and UNTIL can't be combined; keep one of them").message,
      "rrule: COUNT and UNTIL can't be combined; keep one of them",
    )
    assert.equal(conflictField('sku', "is another item's").message, "sku is another item's")
    assert.equal(
      invalidFields([
        { path: 'a', rule: 'is required' },
        { path: '', rule: 'and 2 more' },
      ]).message,
      'a is required; and 2 more',
    )
  })

  it('names other fields by their path', () => {
    assert.equal(invalidField('a', formatRule`must be after ${fieldName('b')} (${3})`).message, 'a must be after b (3)')
  })

  it('names ten problems and counts the rest', () => {
    const problems = Array.from({ length: 12 }, (_, i) => ({ path: `a[${i}]`, rule: 'is required' }))
    assert.match(invalidFields(capProblems(problems)).message, /a\[9\] is required; and 2 more$/)
    assert.match(invalidFields(capProblems(problems.slice(0, 10), 40)).message, /a\[9\] is required; and 30 more$/)
    assert.equal(capProblems(problems.slice(0, 10)).length, 10)
  })
})
