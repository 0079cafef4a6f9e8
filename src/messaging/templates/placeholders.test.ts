import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../platform/errors/refusal.ts'
import { MESSAGE_KINDS, PLACEHOLDERS, listPlaceholders } from './kinds.ts'
import { fillPlaceholders, requireFillable } from './placeholders.ts'
import { en } from './default_texts/en.ts'
import { es } from './default_texts/es.ts'

const isFillable = (text: string, known = PLACEHOLDERS): boolean => {
  try {
    requireFillable(text, known, 'body')
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Texts that are mostly braces, placeholders and lookalikes. */
const text = fc
  .array(fc.constantFrom('{', '}', '{link}', '{total}', 'link', '{{', '$&', '$1', '\\', 'a', '\n', '{no}'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

describe('filling a template', () => {
  it('leaves no placeholder and adds no line for any values', () => {
    fc.assert(
      fc.property(text, text, (template, value) => {
        fc.pre(isFillable(template))
        const fillings = Object.fromEntries(PLACEHOLDERS.map((name) => [name, value]))
        const filled = fillPlaceholders(template, fillings)
        assert.doesNotMatch(filled, /[{}]/)
        assert.equal(filled.split('\n').length, template.split('\n').length)
      }),
    )
  })

  it('replaces each placeholder and nothing else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const [left, right] = [before, after].map((part) => part.replaceAll(/[{}]/g, ''))
        assert.equal(fillPlaceholders(`${left}{total}${right}`, { total: '$& 1' }), `${left}$& 1${right}`)
      }),
    )
  })

  it('keeps a placeholder without a value', () => {
    assert.equal(fillPlaceholders('Pay {total}: {link}', { total: '5' }), 'Pay 5: {link}')
  })

  it('cuts long values, and rejects nested braces', () => {
    assert.equal(fillPlaceholders('{total}', { total: 'x'.repeat(1_000_000) }).length, 300)
    for (const hostile of ['{'.repeat(50_000), '{link'.repeat(10_000), '{a}'.repeat(15_000)])
      assert.equal(isFillable(hostile), false)
  })
})

describe('a placeholder', () => {
  it('that is unknown is rejected with the nearest name', () => {
    const suggestionOf = (given: string): RegExp => new RegExp(`did you mean \\{${given}\\}\\?`)
    assert.throws(
      () => requireFillable('{costumer_first_name}', PLACEHOLDERS, 'body'),
      suggestionOf('customer_first_name'),
    )
    assert.throws(() => requireFillable('{blance}', PLACEHOLDERS, 'body'), suggestionOf('balance'))
    assert.throws(() => requireFillable('{constructor}', PLACEHOLDERS, 'body'), /unknown placeholder \{constructor\}/)
  })

  it('in a default template is known to the message kind', () => {
    for (const words of [en, es])
      for (const kind of MESSAGE_KINDS) {
        const { email, sms } = words[kind]
        const known = listPlaceholders(kind)
        for (const part of [email.body, sms.body]) requireFillable(part, known, kind)
        requireFillable(
          email.subject,
          known.filter((name) => name !== 'link'),
          kind,
        )
        assert.ok(sms.body.length <= 300, `${kind}: ${sms.body.length}`)
      }
  })

  it('is used equally in both languages', () => {
    const placeholdersIn = (part: string): string[] => [...new Set(part.match(/\{\w+\}/g) ?? [])].sort()
    for (const kind of MESSAGE_KINDS) {
      assert.deepEqual(placeholdersIn(es[kind].email.body), placeholdersIn(en[kind].email.body), kind)
      assert.deepEqual(placeholdersIn(es[kind].email.subject), placeholdersIn(en[kind].email.subject), kind)
      assert.deepEqual(placeholdersIn(es[kind].sms.body), placeholdersIn(en[kind].sms.body), kind)
    }
  })
})
