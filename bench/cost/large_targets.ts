import { entities } from '../../src/records/index.ts'
import { LARGEST_LINES, MAX_PLAN_LINES, makeLargeCompany } from './large_company.ts'
import { largeImportTargets } from './large_imports.ts'
import type { Office, Outside } from './office.ts'
import { pageTargets } from './large_pages.ts'
import { large, type Target } from './requests.ts'
import { stateTargets } from './states/index.ts'
import { mcp, rpc } from './targets.ts'

/** Returns the requests that read or write records at the limits: tools, resources, pages, forms, links, imports and archives. */
export async function largeTargets(office: Office, outside: Outside): Promise<Target[]> {
  const records = await makeLargeCompany(office)
  const { lasting, ending } = await pageTargets(office, records)
  return [
    ...lasting,
    ...toolTargets(office, records),
    ...(await resourceTargets(office, records)),
    ...(await largeImportTargets(office)),
    ...(await stateTargets(office, outside)),
    ...ending,
  ]
}

const tool = (office: Office, name: string, args: object): Target =>
  large(name, () => mcp(office, rpc('tools/call', { name, arguments: args })))

/** Returns tool calls that list a full page, read the largest record, and rewrite it. */
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

/** Returns reads of every listed resource, and of the largest record by each template. */
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
