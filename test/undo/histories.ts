import fc, { type Arbitrary } from 'fast-check'
import type { Company, Result } from '../harness/harness.ts'
import { histories, type Command } from '../model/commands.ts'

/** Records that calls can refer to, by kind, in order of creation. */
export type IdsByEntity = Map<string, string[]>

const SERIES: Arbitrary<Command> = fc.constantFrom<Command>(
  {
    by: 'ana',
    tool: 'job_series_create',
    given: { customer_id: '@customer:0', title: 'Round ~', rrule: 'FREQ=WEEKLY', dtstart: '@day:1T09:00' },
  },
  {
    by: 'ana',
    tool: 'job_series_update',
    given: { id: '@series:0', rrule: 'FREQ=WEEKLY;INTERVAL=2', title: 'Round ~' },
  },
  { by: 'ana', tool: 'job_series_update', given: { id: '@series:1', rrule: 'FREQ=DAILY;INTERVAL=9' } },
  { by: 'ana', tool: 'job_series_end', given: { id: '@series:0' } },
)

/** Calls for every kind of record, with few series because each creates many jobs. */
export const callsOfAll = (most: number): Arbitrary<Command[]> =>
  fc
    .tuple(histories(most), fc.array(fc.tuple(SERIES, fc.nat(most)), { maxLength: 3 }))
    .map(([calls, series]) => series.reduce((all, [call, at]) => all.toSpliced(1 + at, 0, call), calls))

const KINDS: Readonly<Record<string, string>> = {
  customers: 'customer',
  contacts: 'contact',
  locations: 'location',
  tags: 'tag',
  notes: 'note',
  jobs: 'job',
  job_series: 'series',
  invoices: 'invoice',
  quotes: 'quote',
  catalog_items: 'item',
  catalog_categories: 'category',
  plans: 'plan',
  tax_rates: 'rate',
}

let count = 0

/** Makes the calls as one caller who knows only the records in `known`; returns a log of the results. */
export async function playAs(
  send: Company['owner']['send'],
  known: IdsByEntity,
  calls: readonly Command[],
): Promise<string[]> {
  const log: string[] = []
  for (const { tool, given } of calls) {
    if (tool.startsWith('get of ')) continue
    count += 1
    const filled = fill(given, known, count) as Result | undefined
    if (filled === undefined || Object.values(filled).includes(undefined)) continue
    const { text, isError } = await send(tool, filled)
    log.push(`${tool} ${JSON.stringify(filled)} -> ${isError ? text.slice(0, 120) : 'ok'}`)
    if (isError || !tool.endsWith('_create')) continue
    const made = JSON.parse(text) as Result
    note(known, KINDS[tool.slice(0, -'_create'.length)]!, made['id'])
    for (const { id } of made['contacts'] ?? []) note(known, 'contact', id)
    if (tool === 'customers_create') for (const { id } of made['locations'] ?? []) note(known, 'location', id)
  }
  return log
}

const note = (known: IdsByEntity, kind: string, id: string): void =>
  void known.set(kind, [...(known.get(kind) ?? []), id])

function fill(value: unknown, known: IdsByEntity, n: number): unknown {
  if (Array.isArray(value)) return value.map((one) => fill(one, known, n)).filter((one) => one !== undefined)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, known, n)]))
  if (typeof value !== 'string') return value
  const named = /^@([a-z]+):([a-z0-9-]+)(.*)$/.exec(value)
  return named === null ? value.replaceAll('~', String(n)) : resolveReference(known, named[1]!, named[2]!) + named[3]!
}

function resolveReference(known: IdsByEntity, named: string, which: string): string {
  if (named === 'day')
    return Temporal.Now.plainDateISO('America/New_York')
      .add({ days: Number(which) })
      .toString()
  const made = known.get(named === 'part' ? 'item' : named) ?? []
  return made.length === 0 || !/^\d+$/.test(which)
    ? '00000000-0000-7000-8000-000000000000'
    : made[Number(which) % made.length]!
}
