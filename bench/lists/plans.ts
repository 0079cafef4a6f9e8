import pg from 'pg'
import { APPLICATION_ROLE } from '../../src/platform/db/connections/login.ts'
import type { Sql } from '../../src/platform/db/database.ts'

/** Access path of a statement: the indexes that it reads, and the faults. */
export type AccessPath = {
  indexes: string[]
  faults: string[]
  plan: string[]
  /** Indexes read in order, with the rows returned and the rows skipped. */
  summary: string[]
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Index Cond'?: string
  Plans?: Node[]
}

const BIG: ReadonlySet<string> = new Set([
  'customers',
  'customer_tags',
  'contacts',
  'locations',
  'jobs',
  'job_assignees',
  'job_titles',
  'invoices',
  'invoice_jobs',
  'quotes',
  'notes',
])
/** Indexes whose entries start with the end of the tenant's id. */
const ENTRY_INDEXES: ReadonlySet<string> = new Set(['job_titles_grams', 'notes_words'])

export type Plans = Awaited<ReturnType<typeof openPlans>>

/** Explains statements as the application role inside a tenant, including the statements of functions that run as their owner. */
export async function openPlans(owner: pg.ClientConfig) {
  const client = new pg.Client({ ...owner, options: '-c timezone=UTC -c jit=off' })
  await client.connect()
  const { rows } = await client.query<{ name: string; first: string }>(
    `
    select i.indexrelid::regclass::text as name, a.attname as first from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] where i.indrelid::regclass::text = any($1)`,
    [[...BIG]],
  )
  const firstColumns = new Map(rows.map(({ name, first }) => [name, first]))
  const within: Node[] = []
  client.on('notice', ({ message = '' }) => {
    const plan = /^duration: .*?plan:\n(\{.*\})$/s.exec(message)?.[1]
    const read = plan === undefined ? undefined : (JSON.parse(plan) as { 'Query Text': string; Plan: Node })
    if (read !== undefined && !/^(prepare|explain) /.test(read['Query Text'])) within.push(read.Plan)
  })
  await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_nested_statements = on;
    set auto_explain.log_format = json; set client_min_messages = log; set role ${APPLICATION_ROLE}`)
  return {
    /** Explains a statement with the plan for this tenant, and with the generic plan. */
    async explain(tenant: string, { text, values }: Sql): Promise<AccessPath> {
      await client.query('begin')
      try {
        await client.query('select enter_tenant($1, null, 0)', [tenant])
        await client.query(`prepare explained as ${text}`)
        const nodes: Node[] = []
        for (const mode of ['force_custom_plan', 'force_generic_plan']) {
          await client.query(`set local plan_cache_mode = ${mode}`)
          within.length = 0
          const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
            `explain (analyze, format json) execute explained${argumentsOf(values)}`,
          )
          nodes.push(...within, rows[0]!['QUERY PLAN'][0]!.Plan)
        }
        const generic = [...within, nodes.at(-1)!]
        const read = nodes.flatMap(all)
        return {
          indexes: [...new Set(read.flatMap((node) => node['Index Name'] ?? []))],
          faults: [...new Set(read.flatMap((node) => faultOf(node, firstColumns)))],
          plan: generic.flatMap((node) => lines(node)),
          summary: generic.flatMap(all).flatMap(summarize),
        }
      } finally {
        await client.query('rollback')
        await client.query('deallocate all')
      }
    },
    close: () => client.end(),
  }
}

const argumentsOf = (values: readonly unknown[]): string =>
  values.length === 0 ? '' : `(${values.map(literal).join(', ')})`

function literal(value: unknown): string {
  if (value === null) return 'null'
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`)
}

const all = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(all)]

/**
 * Returns a fault if a node reads more of a big table than one tenant's rows: a sequential scan, or an index scan that
 * isn't bounded by the tenant.
 */
function faultOf(node: Node, firstColumns: ReadonlyMap<string, string>): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition = '' } = node
  if (type === 'Seq Scan' && table !== undefined && BIG.has(table)) return [`Seq Scan on ${table}`]
  const first = index === undefined ? undefined : firstColumns.get(index)
  if (first === undefined || ENTRY_INDEXES.has(index!)) return []
  return first === 'tenant_id' && /\(tenant_id = /.test(condition)
    ? []
    : [`${index} starts with ${first} and is read ${condition === '' ? 'in full' : `by ${condition}`}`]
}

/** Formats a plan: its nodes, with the rows that each returned and skipped. */
function lines(node: Node, depth = 0): string[] {
  const { 'Node Type': type } = node
  const at = node['Index Name'] ?? node['Relation Name'] ?? ''
  const { rows, skipped } = rowsOf(node)
  return [
    `${'  '.repeat(depth)}${`${type} ${at}`.trim()}: ${rows} rows${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    ...(node.Plans ?? []).flatMap((below) => lines(below, depth + 1)),
  ]
}

function summarize(node: Node): string[] {
  const { 'Index Name': index, 'Actual Loops': loops = 1 } = node
  const { rows, skipped } = rowsOf(node)
  return index === undefined || loops === 0 ? [] : [`${index} ${rows}${skipped > 0 ? ` of ${rows + skipped}` : ''}`]
}

const rowsOf = ({
  'Actual Rows': rows = 0,
  'Actual Loops': loops = 1,
  'Rows Removed by Filter': removed = 0,
}: Node) => ({ rows: Math.round(rows * loops), skipped: Math.round(removed * loops) })
