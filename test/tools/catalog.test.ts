import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { reference, snapshots } from '../../scripts/reference.ts'
import { CONTRACT, USER_TOOLS } from '../harness/clients/contract.ts'

const root = new URL('../..', import.meta.url)
const { tools, descriptions } = toolCatalogOf(entities)

type Schema = {
  [key: string]: unknown
  type?: unknown
  description?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  format?: unknown
}

describe('the tool catalog', () => {
  it('starts with the 65 tools of docs/spec/tools.md#catalog, in that order, with the right scopes', () => {
    const promised = [...tools.values()].slice(0, 65)
    assert.deepEqual([...new Set(promised.map(({ entity }) => entity.name))], Object.keys(CONTRACT))
    for (const { entity, tool, wire, scope } of promised) {
      assert.equal(scope, `${/_(list|search|get)$/.test(wire) ? 'read' : 'write'}:${CONTRACT[entity.name]}`, wire)
      assert.equal(tool.person, USER_TOOLS.includes(wire), wire)
    }
  })

  it('covers every record folder, with five tools each', async () => {
    const folders = (await readdir(new URL('src/records/', root), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && existsSync(new URL(`src/records/${entry.name}/examples.ts`, root)))
      .map(({ name }) => name)
      .filter((name) => name !== 'line_items')
    assert.deepEqual(entities.map(({ name }) => name).toSorted(), folders.toSorted())
    for (const { name, tools } of entities) assert.equal(tools.length, 5, name)
  })

  it('derives wire names that every client accepts from the canonical names', () => {
    for (const [wire, { canonical }] of tools) {
      assert.match(wire, /^[a-zA-Z0-9_-]{1,64}$/)
      assert.equal(wire, canonical.replaceAll('.', '_'))
      assert.match(canonical, /^[a-z_]+\.[a-z]+$/)
    }
  })

  it('requires only existing scopes', () => {
    for (const { scope } of tools.values()) assert.ok(SCOPES.includes(scope))
  })

  it('derives annotations from scope and verb, and has unique titles', () => {
    for (const { name, annotations } of descriptions) {
      const { tool, scope } = tools.get(name)!
      assert.deepEqual(annotations, {
        title: tool.title,
        readOnlyHint: scope.startsWith('read:'),
        destructiveHint: ['archive', 'delete', 'cancel', 'void', 'end'].includes(tool.verb),
        openWorldHint: false,
      })
      assert.match(tool.title, /^[A-Z][^.]{2,50}$/, `${name} has a title for people`)
    }
    const titles = descriptions.map(({ annotations }) => annotations.title)
    assert.equal(new Set(titles).size, titles.length, 'no two tools have one title')
  })

  it('advertises no defaults on update tools and no date-time format', () => {
    for (const { name, inputSchema } of descriptions) {
      const fields = Object.entries((inputSchema as Schema).properties ?? {})
      for (const [field, { description, format }] of fields) {
        assert.notEqual(format, 'date-time', `${name} ${field}`)
        if (name.endsWith('_update')) assert.doesNotMatch(String(description), /^Default/, `${name} ${field}`)
      }
    }
  })

  it('averages at most 185 tokens (o200k) per tool for name, description and schema, with a maximum of 700', () => {
    const costOf = (told: object): number => encode(JSON.stringify(told)).length
    const told = descriptions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    assert.ok(costOf(told) <= 185 * told.length, `${costOf(told)} tokens`)
    for (const tool of told) assert.ok(costOf(tool) <= 700, `${tool.name}: ${costOf(tool)} tokens`)
  })
})

describe('advertised input schemas', () => {
  const FORBIDDEN = [
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    'if',
    '$ref',
    '$defs',
    '$schema',
    'pattern',
    'const',
    'outputSchema',
  ]

  function faults(schema: Schema, path: string, isProperty: boolean): string[] {
    return [
      ...FORBIDDEN.filter((key) => key in schema).map((key) => `${path}: ${key}`),
      ...(typeof schema.type === 'string' ? [] : [`${path}: not one type`]),
      ...(isProperty && typeof schema.description !== 'string' ? [`${path}: no description`] : []),
      ...(schema.type === 'array' && schema.items?.type === undefined ? [`${path}: untyped items`] : []),
      ...(schema.format !== undefined && schema.format !== 'date' && schema.format !== 'date-time'
        ? [`${path}: format`]
        : []),
      ...(schema.items === undefined ? [] : faults(schema.items, `${path}[]`, false)),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => faults(field, `${path}.${name}`, true)),
    ]
  }

  it('use only keywords that every client supports', () => {
    for (const { name, inputSchema } of descriptions) {
      assert.equal((inputSchema as Schema).type, 'object')
      assert.ok((inputSchema as Schema).properties)
      assert.deepEqual(faults(inputSchema as Schema, name, false), [])
    }
  })
})

describe('generated files', () => {
  it('include an up-to-date snapshot of every tool (npm run generate)', async () => {
    const present = snapshots()
    assert.deepEqual((await readdir(new URL('snapshots/', root))).toSorted(), [...present.keys()].toSorted())
    for (const [name, text] of present)
      assert.equal(await readFile(new URL(`snapshots/${name}`, root), 'utf8'), text, name)
  })

  it('include an up-to-date tool reference (npm run generate)', async () => {
    assert.equal(await readFile(new URL('docs/spec/tool_reference.md', root), 'utf8'), reference())
  })
})
