import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { sql } from '../../src/platform/db/tenant.ts'
import { textOf } from '../../src/platform/errors/refusal.ts'
import { definedRefusals, type RefusalTexts, type RefusalValues } from '../../src/platform/errors/refusal_text.ts'
import { ruleForPeople } from '../../src/platform/i18n/refusal_for_people.ts'
import { LANGUAGES, withReader } from '../../src/platform/i18n/reader.ts'
import { entities } from '../../src/records/index.ts'
import { actionsOf } from '../../src/tools/declare/catalog.ts'
import { startTestService } from '../harness/harness.ts'

const src = join(import.meta.dirname, '..', '..', 'src')
const AUTOMATIC = ['field', 'aField', 'kind', 'named']

/** Values that only the texts for people use; the refusal provides them besides those for agents. */
const FOR_PEOPLE = {
  'catalog_items.discountInvalid': ['type'],
  'catalog_items.inBundles': ['count', 'names'],
  'customers.hasActiveWork': ['names'],
  'files.badCaption': ['max'],
  'files.screening.badSize': ['side'],
  'invoices.payments.tooEarly': ['firstDay'],
  'invoices.payments.tooLate': ['lastDay'],
  'mobile.checklists.itemsOpen': ['count', 'more', 'names'],
  'passwords.tooLong': ['max', 'min'],
  'payments.warnings.charges': ['method'],
  'plans.startOutOfRange': ['years'],
}
const tools = [...actionsOf(entities).keys()]

before(async () => {
  for await (const path of glob('**/{*refusals*,refusals/*}.ts', { cwd: src }))
    if (!path.endsWith('.test.ts')) await import(join(src, path))
})

/** Returns the placeholders of a message; those with a plural or number are counts. */
function placeholders(message: string): Map<string, 'text' | 'count'> {
  const types = new Map<string, 'text' | 'count'>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as { type?: number; value?: unknown }
    if (typeof value === 'string' && typeof type === 'number' && type > 0 && type < 7)
      if (types.get(value) !== 'count') types.set(value, type === 2 || type === 6 ? 'count' : 'text')
    Object.values(node).forEach(walk)
  }
  walk(new IntlMessageFormat(message, 'en-US', {}, { ignoreTag: true }).getAst())
  return types
}

/** Returns sample values for the texts of a refusal, singular and plural. */
function samples(texts: RefusalTexts): RefusalValues[] {
  const types = new Map([texts.agent, texts.en, texts.es].flatMap((text) => [...placeholders(text)]))
  for (const name of AUTOMATIC) if (!placeholders(texts.agent).has(name)) types.delete(name)
  return [1, 7].map((count) =>
    Object.fromEntries([...types].map(([name, type]) => [name, type === 'count' ? count : String(count)])),
  )
}

/** Returns the style faults of a sentence for people. */
function faultsOf(sentence: string): string[] {
  return [
    ...(/[.?!]$/.test(sentence) ? [] : ['no stop at its end']),
    ...(/^[\p{Lu}\d¿¡“«]/u.test(sentence) ? [] : ['no capital at its beginning']),
    ...(/\(got/.test(sentence) ? ['what was sent'] : []),
    ...(/\b[a-z]+_[a-z_]+\b/.test(sentence) ? ['a name of the wire'] : []),
    ...tools.filter((tool) => sentence.includes(tool)),
  ]
}

describe('database constraints with a refusal comment', () => {
  it('all have a refusal for people, and every such refusal has its constraint', async () => {
    const service = await startTestService()
    const commented = await service.database.send([
      sql`select coalesce(c.conname, i.relname) as name from pg_description d
        left join pg_constraint c on d.classoid = 'pg_constraint'::regclass and c.oid = d.objoid
        left join pg_class i on d.classoid = 'pg_class'::regclass and i.oid = d.objoid
        where d.description ~ '^(conflict|invalid_input): '`,
    ])
    await service.stop()
    const names = commented[0]!.rows.map((row) => `constraints.${String(row['name'])}`).sort()
    assert.ok(names.length > 10)
    assert.deepEqual([...definedRefusals.keys()].filter((key) => key.startsWith('constraints.')).sort(), names)
  })
})

describe('declared refusals', () => {
  it('are numerous, and the rules for people reject some of the agent texts', () => {
    assert.ok(definedRefusals.size > 120, String(definedRefusals.size))
    assert.ok(tools.length > 65)
    assert.ok([...definedRefusals.values()].some(({ agent }) => faultsOf(agent).length > 1))
  })

  it('use in each language only values that the agent text has, form values, and the listed exceptions', () => {
    for (const language of LANGUAGES) {
      const more = [...definedRefusals].map(([key, texts]): [string, string[]] => {
        const agentValues = [...placeholders(texts.agent).keys(), ...AUTOMATIC]
        return [key, [...placeholders(texts[language]).keys()].filter((name) => !agentValues.includes(name)).sort()]
      })
      assert.deepEqual(Object.fromEntries(more.filter(([, names]) => names.length > 0)), FOR_PEOPLE, language)
    }
  })

  it('render as text for agents without leftover placeholders', () => {
    for (const [key, texts] of definedRefusals)
      for (const values of samples(texts)) {
        const text = textOf({ key, texts, values }, { nameOf: ({ name }) => name, quote: (one) => `«${one}»` })
        assert.ok(text.length > 0 && !/[{}]/.test(text.replaceAll('{name, value}', '')), `${key}: ${text}`)
      }
  })

  it('render for people as complete sentences in each language, without tool or wire names', () => {
    for (const [key, texts] of definedRefusals)
      for (const language of LANGUAGES)
        for (const values of samples(texts))
          for (const at of [undefined, { label: 'X', isChoice: true }, { label: 'X', isChoice: false }]) {
            const sentence = withReader({ language, country: 'US' }, () =>
              ruleForPeople({ key, texts, values }, ({ name }) => name, at),
            )
            assert.deepEqual(faultsOf(sentence), [], `${key}, ${language}: ${sentence}`)
            assert.ok(!/[{}]/.test(sentence), `${key}: ${sentence}`)
          }
  })
})
