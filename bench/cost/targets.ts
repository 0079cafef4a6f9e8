import { entities } from '../../src/records/index.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { META } from '../../test/harness/clients/protocol.ts'
import { fieldsOf, textOf, valueOf } from './genes.ts'
import { outsideTargets } from './outside_targets.ts'
import { JSON_TYPE, encodeForm, formSent, withGenes, type Sent, type Target } from './requests.ts'
import type { Office } from './office.ts'
import { pageRoutes } from './routes.ts'

type Schema = {
  type?: string
  enum?: string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  format?: string
}

const TOOL_BYTES = 256 * 1024
/** Returns the headers of a method that exists only in the stateless protocol revision; null for others. */
const statelessHeaders = (method: string): Record<string, string> | null =>
  method === 'server/discover' || method.startsWith('tasks/')
    ? {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(method !== 'server/discover' && { 'mcp-name': TASK }),
      }
    : null

/** Id of the task of a call that waits. */
const TASK = `${newId()}.1`

/**
 * Returns every tool, method, form, webhook and address of the authorization server; with a credential, and the open ones
 * without.
 */
export async function targetsOf(office: Office): Promise<Target[]> {
  return [
    ...toolTargets(office),
    ...methodTargets(office),
    ...(await formTargets(office)),
    ...fileTargets(office),
    ...outsideTargets(office),
  ]
}

export const mcp = (office: Office, message: unknown, raw?: string): Sent => ({
  path: '/api/mcp',
  body: Buffer.from(raw ?? JSON.stringify(message)),
  headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', authorization: `Bearer ${office.key}` },
})

export const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params })

function toolTargets(office: Office): Target[] {
  const { tools, descriptions } = toolCatalogOf(entities)
  return [...tools].map(([wire, { tool }]) => {
    const { inputSchema } = descriptions.find(({ name }) => name === wire)!
    const schema = inputSchema as Schema
    const usual = Object.fromEntries(
      (schema.required ?? []).map((name) => [name, exampleOf(schema.properties![name]!, name, office)]),
    )
    return {
      name: wire,
      maxBytes: Math.max(TOOL_BYTES, tool.inputLimits.bytes) - 4096,
      fields: [...Object.keys(schema.properties!), 'strange'],
      request: (genes) =>
        mcp(
          office,
          rpc('tools/call', {
            name: wire,
            arguments: withGenes(usual, genes, (name) => exampleOf(schema.properties![name] ?? {}, name, office)),
          }),
        ),
    }
  })
}

function exampleOf(schema: Schema, name: string, office: Office): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, name.replace(/s$/, ''), office)]
  if (schema.type === 'object' || schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([field, inner]) => [field, exampleOf(inner, field, office)]),
    )
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return 1
  if (/(^|_)id$/i.test(name)) return office.ids.get(name) ?? newId()
  return schema.format === 'date'
    ? '2027-03-31'
    : schema.format === 'date-time' || /_(start|at|since)$/.test(name)
      ? '2027-03-31T09:00:00Z'
      : name === 'rrule'
        ? 'FREQ=WEEKLY;BYDAY=MO'
        : 'Ana'
}

function methodTargets(office: Office): Target[] {
  const usual: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    'tools/list': {},
    'tools/call': { name: 'tags_list', arguments: {} },
    ping: {},
    'server/discover': { _meta: META },
    ...Object.fromEntries(['get', 'update', 'cancel'].map((verb) => [`tasks/${verb}`, { taskId: TASK, _meta: META }])),
    'resources/list': {},
    'resources/templates/list': {},
    'prompts/list': {},
    'resources/read': { uri: `callout://job/${newId()}` },
    'prompts/get': { name: 'dispatch_day', arguments: {} },
    'completion/complete': {
      ref: { type: 'ref/resource', uri: 'callout://tag/{id}' },
      argument: { name: 'id', value: 'a' },
    },
  }
  const methods = Object.entries(usual).map(([method, params]): Target => ({
    name: method,
    maxBytes: TOOL_BYTES - 4096,
    fields: [...Object.keys(params), '_meta', 'strange'],
    request: (genes) => {
      const sentParams =
        method === 'completion/complete'
          ? { ...params, argument: { name: 'id', value: genes.map(textOf).join('') } }
          : withGenes(params, genes, () => ({}))
      const sent = mcp(office, rpc(method, sentParams))
      return { ...sent, headers: { ...sent.headers, ...statelessHeaders(method) } }
    },
  }))
  const batch: Target = {
    name: 'a batch',
    maxBytes: 4_000_000,
    fields: ['name', 'query', 'strange'],
    request: (genes) =>
      mcp(
        office,
        Array.from({ length: 50 }, (_, i) =>
          rpc('tools/call', {
            name: i % 2 === 0 ? 'tags_create' : 'customers_search',
            arguments: withGenes(
              {},
              genes.map((gene) => ({ ...gene, size: gene.size / 50 })),
              () => 'a',
            ),
          }),
        ),
      ),
  }
  const raw: Target = {
    name: 'raw JSON',
    maxBytes: 4_000_000,
    fields: ['body'],
    request: (genes) =>
      mcp(
        office,
        null,
        genes.map((gene) => (gene.shape === 'text' ? textOf(gene) : JSON.stringify(valueOf(gene, {})))).join(''),
      ),
  }
  return [...methods, batch, raw]
}

/** Returns the patterns of all pages of a method, but of signing out. */
export const patternsOf = (office: Office, method: 'GET' | 'POST'): string[] =>
  pageRoutes(office).flatMap((route) =>
    route.method === method && route.pattern !== '/sign-out' ? [route.pattern] : [],
  )

/** Returns the address of every page with a form, and the form's fields. */
async function formTargets(office: Office): Promise<Target[]> {
  const paths = [...new Set(patternsOf(office, 'POST').flatMap((path) => office.pathsOf(path)))]
  return (
    await Promise.all(
      paths.map(async (path) => {
        const usual = await office.fieldsAt(path)
        const target = (name: string, cookie: boolean, maxBytes: number): Target => ({
          name: `POST ${name}`,
          maxBytes,
          fields: [...new Set([...usual.map(([field]) => field), 'strange'])],
          request: (genes) => formSent(path, encodeForm(usual, genes), cookie ? office.cookie() : ''),
        })
        return [target(path, true, 500_000), target(`${path}, signed out`, false, 500_000)]
      }),
    )
  ).flat()
}

/** Forms with files: parts by number, by their headers and by what they hold. */
function fileTargets(office: Office): Target[] {
  return office.filePaths.map((path): Target => ({
    name: `files to ${path}`,
    maxBytes: 1_000_000,
    fields: ['files', 'file', 'caption'],
    request: (genes) => {
      const fields = genes.flatMap((gene) =>
        fieldsOf({ ...gene, size: gene.shape === 'text' ? gene.size : gene.size / 8 }),
      )
      const part = ([name, value]: [string, string]): string =>
        `--abcabcabcabc\r\nContent-Disposition: form-data; name="${encodeURIComponent(name.toWellFormed())}"${name.startsWith('file') ? '; filename="a.csv"\r\nContent-Type: text/csv' : ''}\r\n\r\n${value}\r\n`
      return {
        path,
        body: Buffer.from(`${fields.map(part).join('')}--abcabcabcabc--\r\n`),
        headers: {
          'content-type': 'multipart/form-data; boundary=abcabcabcabc',
          'sec-fetch-site': 'same-origin',
          cookie: office.cookie(),
        },
      }
    },
  }))
}
