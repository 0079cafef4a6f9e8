import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { runDue } from '../../src/worker/worker.ts'
import { makeCompany, startTestService, type Result } from '../harness/harness.ts'
import { captureLines } from '../harness/processes/workers.ts'

export const ZONE = 'America/New_York'
export const today = Temporal.Now.plainDateISO(ZONE)
export const day = (days: number): string => today.add({ days }).toString()

export const instant = (wall: string): Temporal.Instant =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(ZONE).toInstant()
export const wallOf = (text: string): string =>
  Temporal.Instant.from(text).toZonedDateTimeISO(ZONE).toPlainDateTime().toString({ smallestUnit: 'minute' })
export const totals = (record: Result): number[] =>
  ['subtotal_cents', 'discount_cents', 'tax_cents', 'total_cents'].map((field) => record[field])

export type AgentOffice = Awaited<ReturnType<typeof openAgentOffice>>

/** Starts an office that works only through tools, with an MCP client. */
export async function openAgentOffice() {
  const service = await startTestService()
  const company = await makeCompany(service, { timezone: ZONE })
  const client = new Client({ name: 'day-test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(service.url), {
      requestInit: { headers: { Authorization: `Bearer ${company.owner.key}` } },
    }),
  )
  async function call(name: string, given: Record<string, unknown> = {}): Promise<Result> {
    const { content, isError } = (await client.callTool({ name, arguments: given })) as {
      content: { text: string }[]
      isError?: boolean
    }
    assert.ok(!isError, `${name}: ${content[0]!.text}`)
    return JSON.parse(content[0]!.text) as Result
  }
  const rate = await call('tax_rates_create', { name: 'County', rate_percentage: 8.25, is_default: true })
  const hour = await call('catalog_items_create', { kind: 'labor', name: 'Technician hour', unit_price_cents: 9500 })
  const valve = await call('catalog_items_create', {
    kind: 'product',
    name: 'Valve',
    unit_price_cents: 4599,
    cost_cents: 2100,
  })
  const bundle = await call('catalog_items_create', {
    kind: 'bundle',
    name: 'Valve swap',
    components: [{ catalog_item_id: hour['id'], quantity: 1.5 }, { catalog_item_id: valve['id'] }],
  })
  const { log, lines: logged } = captureLines()

  /** Runs the service's periodic tasks that are due at a given time. */
  const workAt = (now: Temporal.Instant, ...chores: string[]): Promise<unknown> =>
    runDue({ database: service.database, log, clock: () => now, stopping: new AbortController().signal }, [
      ...PERIODIC_TASKS.filter(({ name }) => chores.includes(name)),
      enrollmentTask(PERIODIC_TASKS),
    ])
  const stop = async (): Promise<void> => {
    await client.close()
    await service.stop()
  }
  return { company, rate, bundle, call, workAt, logged, stop }
}
