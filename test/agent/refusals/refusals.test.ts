import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../../src/records/index.ts'
import { toolCatalogOf } from '../../../src/tools/declare/catalog.ts'
import { FINDERS } from '../../../src/tools/declare/finders.ts'
import { CONTRACT } from '../../harness/clients/contract.ts'
import { ARGUMENTS } from '../../harness/clients/every_tool.ts'
import { startTestService, type TestService } from '../../harness/harness.ts'
import { tokensOf } from '../agent.ts'
import { listCatalogRefusals } from './refused_catalog.ts'
import { listDocumentRefusals } from './refused_papers.ts'
import { listCustomerDetailRefusals } from './refused_customer_details.ts'
import { listCustomerRefusals } from './refused_customers.ts'
import { listWorkRefusals } from './refused_work.ts'
import { makeScene, type Refused, type Scene } from '../scene.ts'
import type { Schema } from '../schema.ts'

const { tools, descriptions } = toolCatalogOf(entities)
const shown = descriptions.map(({ name, inputSchema }) => ({
  name,
  schema: inputSchema as Schema,
  fields: Object.entries((inputSchema as Schema).properties ?? {}),
}))

let service: TestService
let scene: Scene
before(async () => {
  service = await startTestService()
  scene = await makeScene(service)
})
after(() => service.stop())

const refusal = async (tool: string, given: object): Promise<string> => sound(await scene.company.refusal(tool, given))
const usual = (tool: string): object => ARGUMENTS[tool]!(scene.of)[0]!

/**
 * Checks the rules for every message: it has an error code, no database terms, only existing tools, and fewer than 250
 * tokens.
 */
function sound(message: string): string {
  assert.match(message, /^(invalid_input|not_found|conflict|insufficient_scope): \S/)
  assert.doesNotMatch(message, /\b(sql|select|constraint|violates|relation|undefined|zod|\[object)\b/i)
  for (const [word] of message.matchAll(
    /\b[a-z_]+_(?:list|search|get|create|update|archive|delete|cancel|void|end)\b/g,
  )) {
    assert.ok(tools.has(word) || word === 'scheduled_end', `${word} in: ${message}`)
  }
  assert.ok(tokensOf(message) < 250, message)
  return message
}

/** Id fields that no tool finds: ids of other systems, of users, and of records of any kind. */
const OF_NO_LIST = ['external_id', 'author_id', 'owner_id', 'subject_id']

describe('every tool', () => {
  it('lists its fields when it gets an unknown one', async () => {
    for (const { name, fields } of shown) {
      const message = await refusal(name, { ...usual(name), hat_size: 1 })
      assert.ok(message.includes("unknown field 'hat_size' (the fields are "), message)
      for (const [field] of fields) assert.match(message, new RegExp(`[ ,]${field}[,)]`), name)
    }
  })

  it('keeps the message short for 10,000 unknown fields, a long field name or a long value', async () => {
    const names = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`hat_${i}`, i]))
    assert.match(
      await refusal('tags_create', { name: 'x', ...names }),
      /^invalid_input: unknown field 'hat_0'; .*; and 9990 more$/,
    )
    assert.match(
      await refusal('tags_create', { name: 'x', ['h'.repeat(5_000)]: 1 }),
      /^invalid_input: unknown field 'h{57}…' \(the fields are name, /,
    )
    assert.match(
      await refusal('tags_create', { name: 'x'.repeat(5_000) }),
      /^invalid_input: name must be at most 50 characters \(got "x{56}…\)$/,
    )
  })

  it('suggests the correct name for each misspelled field', async () => {
    for (const { name, fields } of shown) {
      const wrong = Object.fromEntries(fields.map(([field]) => [`${field}x`, 1]))
      for (const [[field], i] of fields.map((field, i) => [field, i] as const)) {
        const message = await refusal(name, { ...usual(name), [Object.keys(wrong)[i]!]: 1 })
        assert.ok(message.includes(`unknown field '${field}x' (did you mean '${field}'?)`), message)
      }
    }
  })

  it('names each missing required field, and the tool that finds a missing customer_id', async () => {
    for (const { name, schema } of shown) {
      const message = (schema.required ?? []).length === 0 ? '' : await refusal(name, {})
      for (const field of schema.required ?? []) assert.ok(message.includes(`${field} is required`), message)
      if (schema.required?.includes('customer_id'))
        assert.ok(message.includes('customer_id is required, find it with customers_search'))
    }
  })

  it('names the tool that finds an id when it gets a name in place of the id', async () => {
    let ids = 0
    for (const { name, fields } of shown) {
      for (const [field, { type }] of fields.filter(
        ([field]) => /_ids?$|Id$/.test(field) && !OF_NO_LIST.includes(field),
      )) {
        ids += 1
        const message = await refusal(name, { ...usual(name), [field]: type === 'array' ? ['Ana Ruiz'] : 'Ana Ruiz' })
        assert.match(
          message,
          new RegExp(
            `${field}(\\[0\\])? must be a UUID, find it with (${[...FINDERS.values()].join('|')}) \\(got "Ana Ruiz"\\)`,
          ),
        )
      }
    }
    assert.ok(ids > 50, `${ids}`)
  })

  it('lists the allowed values of each enum field', async () => {
    for (const { name, fields } of shown) {
      for (const [field, { enum: own, items }] of fields) {
        const names = own ?? items?.enum
        if (names === undefined) continue
        const message = await refusal(name, { ...usual(name), [field]: 'nonsense' })
        assert.match(
          message,
          new RegExp(`${field}(\\[0\\])? must be one of ${names.join(', ')}.* \\(got "nonsense"\\)`),
        )
      }
    }
  })

  it('explains the expected date or time format when it gets 31.12.2027', async () => {
    for (const { name, fields } of shown) {
      for (const [field, { format }] of fields as [string, Schema & { format?: string }][]) {
        if (format === undefined) continue
        const message = await refusal(name, { ...usual(name), [field]: '31.12.2027' })
        const rule =
          format === 'date'
            ? 'date, year-month-day, such as 2027-03-31'
            : 'instant such as .*, or local time such as 2027-03-31T09:00'
        assert.match(message, new RegExp(` must be an? ${rule} \\(got "31\\.12\\.2027"\\)`))
      }
    }
  })

  it('with an id field returns not_found for an unknown id and names the tool that finds one', async () => {
    for (const { name } of shown.filter(({ fields }) => fields.some(([field]) => field === 'id'))) {
      const { entity } = tools.get(name)!
      const message = await refusal(name, { id: crypto.randomUUID() })
      const finder = `${entity.name}_${entity.tools[0].verb}`
      assert.equal(message, `not_found: ${entity.singular.replaceAll('_', ' ')} not found; find its id with ${finder}`)
    }
    assert.deepEqual([...FINDERS.keys()].sort(), entities.map(({ singular }) => singular).sort())
  })

  it('names the missing scope, and says when it needs a user', async () => {
    const [none, integration] = await Promise.all([
      scene.company.tenantKey(['read:tax_rates']),
      scene.company.tenantKey(),
    ])
    for (const [wire, { canonical, scope, tool }] of tools) {
      if (scope !== 'read:tax_rates')
        assert.equal(sound(await none.refusal(wire, {})), `insufficient_scope: ${canonical} needs ${scope}`)
      if (!tool.person) continue
      assert.match(
        sound(await integration.refusal(wire, {})),
        new RegExp(`^invalid_input: ${canonical} needs a user, .*use a user key or sign in$`),
      )
    }
  })

  it('returns conflict for an idempotency_key reused with other arguments (tags_create)', async () => {
    await scene.company.call('tags_create', { name: 'Once', idempotency_key: 'k-1' })
    assert.equal(
      await refusal('tags_create', { name: 'Twice', idempotency_key: 'k-1' }),
      "conflict: idempotency_key 'k-1' was used with other arguments; send a new key for a new record",
    )
  })
})

describe('a refusal names the field, the rule, the value sent and the fix', () => {
  const kinds: Record<string, (scene: Scene) => Refused[]> = {
    customers: listCustomerRefusals,
    'contacts, locations, tags and notes': listCustomerDetailRefusals,
    work: listWorkRefusals,
    papers: listDocumentRefusals,
    catalog: listCatalogRefusals,
  }
  for (const [kind, cases] of Object.entries(kinds)) {
    it(kind, async () => {
      for (const { tool, given, code = 'invalid_input', by, ...parts } of cases(scene)) {
        const message = sound(await (by === 'office' ? scene.office : scene.company).refusal(tool, given))
        assert.ok(message.startsWith(`${code}: `), `${tool}: ${message}`)
        for (const [part, words = ''] of Object.entries(parts)) {
          assert.ok(message.includes(words), `${tool}: ${part} '${words}' is not in: ${message}`)
        }
      }
    })
  }

  it('is covered here for every tool of the contract', () => {
    const walked = new Set(
      Object.values(kinds)
        .flatMap((cases) => cases(scene))
        .map(({ tool }) => tool),
    )
    assert.deepEqual(
      [...tools.values()].filter(({ entity, wire }) => entity.name in CONTRACT && !walked.has(wire)),
      [],
    )
  })
})
