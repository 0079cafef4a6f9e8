import { issueLink, type LinkTargetKind } from '../../src/customer_portal/link.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { entities } from '../../src/records/index.ts'
import { LARGEST_LINES, MAX_PLAN_LINES, makeLargeCompany } from './large_company.ts'
import { largeImportTargets } from './large_imports.ts'
import type { Office } from './office.ts'
import { FORM_TYPE, type Sent, type Target } from './requests.ts'
import { mcp, patternsOf, rpc } from './targets.ts'

/** Returns what reads or writes records at the limits: tools, resources, pages, forms, links, imports and archives. */
export async function largeTargets(office: Office): Promise<Target[]> {
  const records = await makeLargeCompany(office)
  return [
    ...toolTargets(office, records),
    ...(await resourceTargets(office, records)),
    ...pageTargets(office, records),
    ...(await formTargets(office, records)),
    ...(await linkTargets(office, records)),
    ...(await largeImportTargets(office)),
  ]
}

const large = (name: string, request: () => Sent, more: Partial<Target> = {}): Target => ({
  name: `${name}, large`,
  most: 0,
  fields: [],
  isLarge: true,
  request,
  ...more,
})

const tool = (office: Office, name: string, given: object): Target =>
  large(name, () => mcp(office, rpc('tools/call', { name, arguments: given })))

/** Lists tools with a page of most rows, reads the largest record, and writes it whole. */
function toolTargets(office: Office, records: ReadonlyMap<string, string>): Target[] {
  const customer_id = records.get('customers')!
  return entities.flatMap(({ name, tools }) => {
    const id = records.get(name)
    return tools.flatMap(({ verb, reads, input }) => {
      const wire = `${name}_${verb}`
      const takes = (field: string): boolean => field in input.shape
      if (reads && takes('limit')) return [tool(office, wire, { limit: 100 })]
      if (reads && id !== undefined) return [tool(office, wire, { id })]
      if (!takes('line_items') || name === 'job_series') return []
      const line_items = name === 'plans' ? LARGEST_LINES.slice(0, MAX_PLAN_LINES) : LARGEST_LINES
      if (verb === 'update') return [tool(office, wire, { id, line_items })]
      const own = name === 'plans' ? { name: 'Large', cadence: 'monthly', start_date: '2027-01-31' } : {}
      const title = takes('title') ? { title: 'Large' } : {}
      return [tool(office, wire, { customer_id, ...title, ...own, line_items })]
    })
  })
}

/** Reads every resource that is listed, and the largest record by each template of one. */
async function resourceTargets(office: Office, records: ReadonlyMap<string, string>): Promise<Target[]> {
  const { rpc: ask } = { rpc: async (method: string) => (await fetchMcp(office, method)) as Record<string, unknown> }
  const listed = (await ask('resources/list'))['resources'] as { uri: string }[]
  const templates = (await ask('resources/templates/list'))['resourceTemplates'] as { uriTemplate: string }[]
  const today = Temporal.Now.plainDateISO('America/New_York')
  const filled = templates.map(({ uriTemplate }) =>
    uriTemplate
      .replace('{date}', today.toString())
      .replace('{day}', today.toString())
      .replace('{week}', today.toString())
      .replace('{month}', today.toPlainYearMonth().toString())
      .replaceAll(/\{\w+\}/g, () => {
        const entity = entities.find(({ singular }) => uriTemplate.includes(`//${singular}/`))
        return records.get(entity?.name ?? 'customers') ?? records.get('customers')!
      }),
  )
  return [...new Set([...listed.map(({ uri }) => uri), ...filled])].map((uri) =>
    large(`resources/read ${uri.replaceAll(/[0-9a-f-]{36}/g, '…')}`, () => mcp(office, rpc('resources/read', { uri }))),
  )
}

async function fetchMcp(office: Office, method: string): Promise<unknown> {
  const { headers, body } = mcp(office, rpc(method, {}))
  const answer = await fetch(office.service.url, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: new Uint8Array(body),
  })
  return ((await answer.json()) as { result: unknown }).result
}

const read = (name: string, path: string, cookie: () => string): Target =>
  large(name, () => ({ path, headers: { cookie: cookie(), 'accept-encoding': 'gzip' }, body: Buffer.alloc(0) }))

/** Reads every page of a large record, and every list and report of a large company. */
const pageTargets = (office: Office, records: ReadonlyMap<string, string>): Target[] =>
  [...new Set(patternsOf(office, 'GET'))].flatMap((pattern) =>
    office.pathsOf(pattern, records).map((path) => read(`GET ${nameless(path)}`, path, office.cookie)),
  )

const nameless = (path: string): string => path.replaceAll(/[0-9a-f-]{36}/g, '…')

/** Archives are written in slices between which others are answered. */
const ARCHIVES = /\/data$/
/** These end the record or the session of all others. */
const ENDING =
  /\/(erase|merge|do\/\w+_(archive|cancel|delete|end|void)|leave|sign-out\w*|reset-factors|remove|deactivate)$/

async function formTargets(office: Office, records: ReadonlyMap<string, string>): Promise<Target[]> {
  const paths = new Set(patternsOf(office, 'POST').flatMap((path) => office.pathsOf(path, records)))
  const all = await Promise.all(
    [...paths]
      .filter((path) => path.includes(office.tenant) && !ENDING.test(path) && !path.includes('/settings/'))
      .map(async (path) => {
        const body = Buffer.from(new URLSearchParams(await office.fieldsAt(path)).toString())
        return large(
          `POST ${nameless(path)}`,
          () => ({ path, body, headers: { ...FORM_TYPE, 'sec-fetch-site': 'same-origin', cookie: office.cookie() } }),
          { isBackground: ARCHIVES.test(path) },
        )
      }),
  )
  return all
}

async function linkTargets(office: Office, records: ReadonlyMap<string, string>): Promise<Target[]> {
  const kinds: readonly LinkTargetKind[] = ['quotes', 'invoices', 'customers']
  const all = await Promise.all(
    kinds.map(async (kind) => {
      const { path } = await writeTenant(office.service.database, { tenant: office.tenant }, (db) =>
        issueLink(db, { kind, id: records.get(kind)!, by: null }),
      )
      return ['', '/pdf'].map((step) => read(`GET /c/… of ${kind}${step}`, `${path}${step}`, () => ''))
    }),
  )
  return all.flat()
}
