import type { OutgoingHttpHeaders } from 'node:http'
import { entities } from '../../src/entities/index.ts'
import { newPages } from '../../src/html/visit.ts'
import { newId } from '../../src/shape/id.ts'
import { catalogueOf } from '../../src/tools/catalogue.ts'
import { pages } from '../../src/web/pages.ts'
import { openSite } from '../../src/web/site.ts'
import {
  EMAIL_SECRET, PLATFORM_SECRET, SMS_SECRET, emailHeaders, paymentsHeader, smsSignature,
} from '../../test/harness/webhook_calls.ts'
import { fieldsOf, textOf, valueOf, type Gene } from './genes.ts'
import type { Office } from './office.ts'

export type Sent = { path: string; headers: OutgoingHttpHeaders; body: Buffer }

/** Somewhere a request can be sent to, with the fields into which something can be put, and how long a body is taken. */
export type Target = { name: string; fields: readonly string[]; most: number; request(genes: readonly Gene[]): Sent }

type Schema = { type?: string; enum?: string[]; items?: Schema; properties?: Record<string, Schema>; required?: string[]; format?: string }

const TOOL_BYTES = 256 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Every tool, method, form, webhook and address of the authorization server; with a credential, and the open ones without. */
export async function targetsOf(office: Office): Promise<Target[]> {
  return [...toolTargets(office), ...methodTargets(office), ...await formTargets(office), ...fileTargets(office), ...webhookTargets(office), ...oauthTargets()]
}

const mcp = (office: Office, message: unknown, raw?: string): Sent => ({
  path: '/api/mcp', body: Buffer.from(raw ?? JSON.stringify(message)),
  headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', authorization: `Bearer ${office.key}` },
})

const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params })

function toolTargets(office: Office): Target[] {
  const { tools, descriptions } = catalogueOf(entities)
  return [...tools].map(([wire, { tool }]) => {
    const { inputSchema } = descriptions.find(({ name }) => name === wire)!
    const schema = inputSchema as Schema
    const usual = Object.fromEntries((schema.required ?? []).map((name) => [name, exampleOf(schema.properties![name]!, name, office)]))
    return {
      name: wire, most: Math.max(TOOL_BYTES, tool.extent.bytes) - 4096, fields: [...Object.keys(schema.properties!), 'strange'],
      request: (genes) => mcp(office, rpc('tools/call', { name: wire, arguments: withGenes(usual, genes, (name) => exampleOf(schema.properties![name] ?? {}, name, office)) })),
    }
  })
}

const withGenes = (usual: object, genes: readonly Gene[], like: (field: string) => unknown): object =>
  ({ ...usual, ...Object.fromEntries(genes.map((gene) => [gene.field, valueOf(gene, like(gene.field))])) })

function exampleOf(schema: Schema, name: string, office: Office): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, name.replace(/s$/, ''), office)]
  if (schema.type === 'object' || schema.properties !== undefined) return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([field, inner]) => [field, exampleOf(inner, field, office)]))
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return 1
  if (/(^|_)id$/i.test(name)) return office.ids.get(name) ?? newId()
  return schema.format === 'date' ? '2027-03-31' : schema.format === 'date-time' || /_(start|at|since)$/.test(name) ? '2027-03-31T09:00:00Z' : name === 'rrule' ? 'FREQ=WEEKLY;BYDAY=MO' : 'Ana'
}

function methodTargets(office: Office): Target[] {
  const usual: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }, 'tools/list': {}, 'tools/call': { name: 'tags_list', arguments: {} }, ping: {},
    'resources/list': {}, 'resources/read': { uri: `callout://job/${newId()}` }, 'prompts/get': { name: 'dispatch_day', arguments: {} },
    'completion/complete': { ref: { type: 'ref/resource', uri: 'callout://tag/{id}' }, argument: { name: 'id', value: 'a' } },
  }
  const methods = Object.entries(usual).map(([method, params]): Target => ({
    name: method, most: TOOL_BYTES - 4096, fields: [...Object.keys(params), '_meta', 'strange'],
    request: (genes) => mcp(office, rpc(method, method === 'completion/complete' ? { ...params, argument: { name: 'id', value: genes.map(textOf).join('') } } : withGenes(params, genes, () => ({})))),
  }))
  const batch: Target = { name: 'a batch', most: 4_000_000, fields: ['name', 'query', 'strange'], request: (genes) => mcp(office, Array.from({ length: 50 }, (_, i) =>
    rpc('tools/call', { name: i % 2 === 0 ? 'tags_create' : 'customers_search', arguments: withGenes({}, genes.map((gene) => ({ ...gene, size: gene.size / 50 })), () => 'a') }))) }
  const raw: Target = { name: 'raw JSON', most: 4_000_000, fields: ['body'], request: (genes) => mcp(office, null, genes.map((gene) => (gene.shape === 'text' ? textOf(gene) : JSON.stringify(valueOf(gene, {})))).join('')) }
  return [...methods, batch, raw]
}

const encoded = (usual: readonly [string, string][], genes: readonly Gene[]): Buffer => {
  const dear = genes.flatMap(fieldsOf)
  const names = new Set(dear.map(([name]) => name))
  return Buffer.from(new URLSearchParams([...usual.filter(([name]) => !names.has(name)), ...dear]).toString())
}

/** Every address of a page that takes a form, with the fields of the form that stands there. */
async function formTargets(office: Office): Promise<Target[]> {
  const { service } = office
  const place = { database: service.database, confirm: async () => {}, baseUrl: service.config.baseUrl, report: () => {} }
  const routes = pages(openSite(place, service.config, () => {}), newPages()).routes.filter(({ method, path }) => method === 'POST' && !path.includes('*') && path !== '/sign-out')
  const paths = [...new Set(routes.flatMap(({ path }) => office.pathsOf(path)))]
  return (await Promise.all(paths.map(async (path) => {
    const usual = await office.fieldsAt(path)
    const target = (name: string, cookie: boolean, most: number): Target => ({
      name: `POST ${name}`, most, fields: [...new Set([...usual.map(([field]) => field), 'strange'])],
      request: (genes) => ({ path, body: encoded(usual, genes), headers: { ...FORM_TYPE, 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie: office.cookie() } : {}) } }),
    })
    return [target(path, true, 500_000), target(`${path}, signed out`, false, 500_000)]
  }))).flat()
}

/** Forms with files: parts by number, by their headers and by what they hold. */
function fileTargets(office: Office): Target[] {
  return office.filePaths.map((path): Target => ({
    name: `files to ${path}`, most: 1_000_000, fields: ['files', 'file', 'caption'],
    request: (genes) => {
      const fields = genes.flatMap((gene) => fieldsOf({ ...gene, size: gene.shape === 'text' ? gene.size : gene.size / 8 }))
      const part = ([name, value]: [string, string]): string => `--abcabcabcabc\r\nContent-Disposition: form-data; name="${encodeURIComponent(name)}"${name.startsWith('file') ? '; filename="a.csv"\r\nContent-Type: text/csv' : ''}\r\n\r\n${value}\r\n`
      return { path, body: Buffer.from(`${fields.map(part).join('')}--abcabcabcabc--\r\n`), headers: { 'content-type': 'multipart/form-data; boundary=abcabcabcabc', 'sec-fetch-site': 'same-origin', cookie: office.cookie() } }
    },
  }))
}

function webhookTargets({ service: { config }, mailbox, number }: Office): Target[] {
  const most = 1_000_000
  const mail = { from: 'Ana <ana@example.com>', to: mailbox, subject: 'a', text: 'b', html: '<p>b</p>', inReplyTo: '<a@b.c>', attachments: [] }
  const event = { type: 'charge.succeeded', livemode: false, created: 1_800_000_000, account: 'acct_ours', data: { object: { id: 'ch_1', object: 'charge', amount: 1, metadata: {} } } }
  const signed = (path: string, fields: readonly string[], make: (genes: readonly Gene[]) => { body: Buffer; headers: OutgoingHttpHeaders }): Target[] => [
    { name: `${path}, signed`, most, fields, request: (genes) => ({ path, ...make(genes) }) },
    { name: `${path}, unsigned`, most, fields, request: (genes) => ({ path, body: make(genes).body, headers: path.includes('/sms/') ? FORM_TYPE : JSON_TYPE }) },
  ]
  const json = (usual: object, genes: readonly Gene[]): string => JSON.stringify(withGenes(usual, genes, () => 'a'))
  const mails = (path: string, usual: () => object): Target[] => signed(path, [...Object.keys(usual()), 'strange'], (genes) => {
    const body = json(usual(), genes)
    return { body: Buffer.from(body), headers: { ...JSON_TYPE, ...emailHeaders(body, { secret: EMAIL_SECRET }) } }
  })
  const sms = (path: string, usual: () => [string, string][]): Target[] => signed(path, [...usual().map(([name]) => name), 'strange'], (genes) => {
    const body = encoded(usual(), genes)
    const form = Object.fromEntries([...Map.groupBy(new URLSearchParams(body.toString()), ([name]) => name)].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
    return { body, headers: { ...FORM_TYPE, 'x-sms-signature': smsSignature(config.baseUrl + path, form, SMS_SECRET) } }
  })
  return [
    ...mails('/api/webhooks/email/inbound', () => ({ ...mail, messageId: `<${newId()}@a.b>` })),
    ...mails('/api/webhooks/email/email-events', () => ({ type: 'email.delivered', data: { email_id: newId(), to: ['a@b.c'] } })),
    ...sms('/api/webhooks/sms/inbound-sms', () => [['MessageSid', `SM${newId()}`], ['From', '+16175550100'], ['To', number], ['Body', 'a']]),
    ...sms('/api/webhooks/sms/sms-status', () => [['MessageSid', `SM${newId()}`], ['MessageStatus', 'delivered']]),
    ...signed('/api/webhooks/payments/platform', [...Object.keys(event), 'strange'], (genes) => {
      const body = json({ id: `evt_${newId()}`, ...event }, genes)
      return { body: Buffer.from(body), headers: { ...JSON_TYPE, 'payments-signature': paymentsHeader(body, PLATFORM_SECRET) } }
    }),
  ]
}

function oauthTargets(): Target[] {
  const metadata = { client_name: 'a', redirect_uris: ['https://a.example/cb'], response_types: ['code'], client_uri: 'https://a.example' }
  const register: Target = {
    name: 'POST /oauth/register', most: 15_000, fields: [...Object.keys(metadata), 'strange'],
    request: (genes) => ({ path: '/oauth/register', headers: JSON_TYPE, body: Buffer.from(JSON.stringify(withGenes(metadata, genes, (name) => (name.endsWith('s') ? ['a'] : 'a')))) }),
  }
  const form = (path: string, usual: [string, string][]): Target =>
    ({ name: `POST ${path}`, most: 200_000, fields: [...usual.map(([name]) => name), 'strange'], request: (genes) => ({ path, headers: FORM_TYPE, body: encoded(usual, genes) }) })
  const query: [string, string][] = [['response_type', 'code'], ['client_id', 'a'], ['redirect_uri', 'https://a.example/cb'], ['scope', 'read:jobs'], ['state', 'a'], ['code_challenge', 'a'], ['code_challenge_method', 'S256'], ['resource', 'a']]
  const authorize: Target = {
    name: 'GET /oauth/authorize', most: 12_000, fields: query.map(([name]) => name),
    request: (genes) => ({ path: `/oauth/authorize?${encoded(query, genes).toString().slice(0, 14_000)}`, headers: {}, body: Buffer.alloc(0) }),
  }
  return [
    register, authorize, form('/oauth/token', [['grant_type', 'authorization_code'], ['code', 'a'], ['client_id', 'a'], ['redirect_uri', 'https://a.example/cb'], ['code_verifier', 'a'], ['refresh_token', 'a']]),
    form('/oauth/revoke', [['token', 'a'], ['client_id', 'a']]),
  ]
}
