import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { mcpToTool } from '@google/genai'
import { mcpToFunctionTool } from '@openai/agents-core'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { entities } from '../../../src/records/index.ts'
import { toolCatalogOf } from '../../../src/tools/declare/catalog.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../../harness/harness.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: unknown
  description?: string
}
type Shown = { name: string; inputSchema: Schema }

const ALL = toolCatalogOf(entities).tools.size

let service: TestService
let company: Company
const clients: Client[] = []
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(async () => {
  for (const client of clients) await client.close()
  await service.stop()
})

async function connectClient(query: string): Promise<Client> {
  const client = new Client({ name: 'converters', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}${query}`), {
      requestInit: { headers: { Authorization: `Bearer ${company.owner.key}` } },
    }),
  )
  clients.push(client)
  return client
}
const listTools = async (query = ''): Promise<Shown[]> =>
  (await (await connectClient(query)).listTools()).tools as never

/** Returns the objects with neither properties nor a value type; converters close or refuse them. */
const bare = (schema: Schema, path: string): string[] => [
  ...(schema.type === 'object' &&
  Object.keys(schema.properties ?? {}).length === 0 &&
  typeof schema.additionalProperties !== 'object'
    ? [path]
    : []),
  ...(schema.items === undefined ? [] : bare(schema.items, `${path}[]`)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => bare(field, `${path}.${name}`)),
]

describe('every advertised object schema', () => {
  it('has properties or a type for its values', async () => {
    const tools = await listTools()
    assert.equal(tools.length, ALL)
    assert.deepEqual(
      tools.flatMap(({ name, inputSchema }) => bare(inputSchema, name)),
      [],
    )
  })
})

/** Converts a tool in strict mode of the OpenAI Agents SDK; `strict` is false if it can't. */
function strictly(tool: Shown): { strict: boolean; parameters: Schema } {
  const warn = console.error
  console.error = () => {}
  try {
    return mcpToFunctionTool(tool as never, { name: 'callout' } as never, true) as never
  } finally {
    console.error = warn
  }
}

describe('strict mode of the OpenAI Agents SDK', () => {
  for (const query of ['', '?strict=1'])
    it(`converts every tool of the list${query}`, async () => {
      const tools = await listTools(query)
      assert.equal(tools.length, ALL)
      assert.deepEqual(
        tools.filter((tool) => !strictly(tool).strict).map(({ name }) => name),
        [],
      )
    })

  it('keeps custom fields as a list of name and value; only the plain list has additionalProperties', async () => {
    const fieldsOf = async (query: string): Promise<(Schema | undefined)[]> =>
      (await listTools(query)).map((tool) => tool.inputSchema.properties!['fields']).filter((one) => one !== undefined)
    const [listed, closed] = [await fieldsOf(''), await fieldsOf('?strict=1')]
    assert.equal(listed.length, 10)
    for (const [i, one] of listed.entries()) {
      assert.equal(one?.type, 'array')
      assert.deepEqual(Object.keys(one?.items?.properties ?? {}), ['name', 'value'])
      const { additionalProperties, ...rest } = one ?? {}
      assert.deepEqual(additionalProperties, { type: 'string' })
      assert.deepEqual(closed[i], rest)
    }
  })
})

describe('the Anthropic SDK helper', () => {
  it('accepts every tool, and its strict schemas keep every field', async () => {
    const client = await connectClient('')
    const { tools } = await client.listTools()
    assert.equal(mcpTools(tools as never, client as never).length, ALL)
    for (const { name, inputSchema } of await listTools('?strict=1')) {
      const converted = transformJSONSchema(inputSchema) as Schema
      assert.deepEqual(names(converted), names(inputSchema), name)
      assert.deepEqual(
        bare(converted, name).filter((path) => path !== name),
        [],
      )
    }
  })
})

const names = ({ properties, items }: Schema): unknown =>
  items === undefined ? Object.entries(properties ?? {}).map(([name, field]) => [name, names(field)]) : names(items)

describe('Gemini function declarations', () => {
  it('match the name and input schema of every tool', async () => {
    const { functionDeclarations } = (await mcpToTool((await connectClient('')) as never, {}).tool()) as {
      functionDeclarations: { name: string; parametersJsonSchema: Schema }[]
    }
    assert.deepEqual(
      functionDeclarations.map(({ name, parametersJsonSchema }) => [name, parametersJsonSchema]),
      (await listTools()).map(({ name, inputSchema }) => [name, inputSchema]),
    )
  })
})

describe('custom fields as a list of name and value', () => {
  it('are accepted like an object and returned as one', async () => {
    const made = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      fields: [
        { name: ' Gate ', value: 'left' },
        { name: 'Dog', value: true },
      ],
    })
    assert.deepEqual(made.fields, { Gate: 'left', Dog: true })
    assert.deepEqual((await company.call('customers_update', { id: made.id, fields: [] })).fields, {})
  })

  it('are refused for a duplicate or empty name, a missing value, an extra key, or more than 50 entries', async () => {
    const says = (fields: unknown): Promise<string> =>
      company.refusal('customers_create', { customer_type: 'individual', first_name: 'Ana', fields })
    assert.match(
      await says([
        { name: 'a', value: 1 },
        { name: ' a', value: 2 },
      ]),
      /^invalid_input: fields has two fields named 'a'/,
    )
    assert.match(
      await says([{ name: 'a' }]),
      /^invalid_input: fields must be an object of names and values, or a list of \{name, value\}/,
    )
    assert.match(await says([{ name: 'a', value: 1, more: 2 }]), /^invalid_input: fields must be an object/)
    assert.match(
      await says(Array.from({ length: 51 }, (_, i) => ({ name: `k${i}`, value: i }))),
      /^invalid_input: fields must have at most 50 keys/,
    )
    assert.match(await says([{ name: '', value: 1 }]), /^invalid_input: fields has a key that must not be empty/)
  })
})
