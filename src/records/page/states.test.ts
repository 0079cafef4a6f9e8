import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { withReader } from '../../platform/i18n/reader.ts'
import { entities } from '../index.ts'
import { wordFor } from './states.ts'

/** Inputs that control how a list is read; no page shows their values. */
const OF_LISTS: ReadonlySet<string> = new Set(['sort', 'include', 'group_by'])

/** Returns every enum value of a schema, except for list options. */
function choicesIn(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.filter((word) => typeof word === 'string')
  const inside = Object.entries(schema.def)
    .filter(([name]) => name !== 'shape')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]) as unknown[])
  const fields =
    schema instanceof z.ZodObject ? Object.entries(schema.shape).filter(([name]) => !OF_LISTS.has(name)) : []
  return [...inside, ...fields.map(([, field]) => field as unknown)]
    .filter((one) => one instanceof z.ZodType)
    .flatMap(choicesIn)
}

describe('an API enum value', () => {
  it('has its own Spanish text, except for words that are the same', () => {
    const words = new Set(entities.flatMap(({ tools }) => tools.flatMap(({ input }) => choicesIn(input))))
    assert.ok(words.size > 40, String(words.size))
    const inLanguage = (language: 'en' | 'es', word: string): string =>
      withReader({ language, country: 'US' }, () => wordFor(word))
    assert.deepEqual([...words].filter((word) => inLanguage('en', word) === inLanguage('es', word)).sort(), [
      'normal',
      'plan',
    ])
  })
})
