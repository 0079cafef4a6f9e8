import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { histories, type Command } from './commands.ts'
import { record, ref, target, words } from './fields.ts'
import { computeDerivedFields, liveRows, mirrorOf, ownOf } from './mirror.ts'
import { TOOLS } from './views.ts'

/** Number of histories. For a longer run: MIRROR_RUNS=500 MIRROR_SEED=7 npm test -- test/model/mirror.test.ts */
const RUNS = Number(process.env['MIRROR_RUNS'] ?? 6)
const SEED = Number(process.env['MIRROR_SEED'] ?? 20_270_301)

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

const byOwner = (command: Omit<Command, 'by'>): Command => ({ by: 'ana', ...command })

const rule = fc.constantFrom('FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=TU', 'FREQ=WEEKLY;BYDAY=TU,FR', 'FREQ=MONTHLY')
const onSeries: fc.Arbitrary<Omit<Command, 'by'>> = fc.oneof(
  record(
    { customer_id: ref('customer'), title: words('Weekly ~'), rrule: rule, dtstart: fc.constant('@day:1') },
    'customer_id',
    'title',
    'rrule',
    'dtstart',
  ).map((given) => ({ tool: 'job_series_create', given })),
  target('series', { rrule: rule, title: words('Weekly ~') }).map((given) => ({ tool: 'job_series_update', given })),
  target('series', { rrule: rule }).map((given) => ({ tool: 'job_series_update', given })),
  target('series').map((given) => ({ tool: 'job_series_end', given })),
)
const leaving = fc.oneof(
  ...[
    ['customers_archive', 'customer'],
    ['contacts_archive', 'contact'],
    ['locations_archive', 'location'],
    ['tags_delete', 'tag'],
    ['notes_archive', 'note'],
    ['invoices_void', 'invoice'],
    ['quotes_archive', 'quote'],
    ['catalog_items_archive', 'item'],
    ['catalog_categories_delete', 'category'],
    ['tax_rates_archive', 'rate'],
  ].map(([tool, kind]) => target(kind!).map((given): Omit<Command, 'by'> => ({ tool: tool!, given }))),
)

/** Commands that create two records of each kind to change and remove. */
const STOCK: readonly Command[] = Object.entries({
  tags_create: { name: 'Tag ~' },
  tax_rates_create: { rate_percentage: 7 },
  catalog_categories_create: { name: 'Kind ~' },
  notes_create: { body: 'Gate ~' },
  contacts_create: { customer_id: '@customer:0', first_name: 'Lee ~' },
  locations_create: { customer_id: '@customer:0', address_line1: '~ Oak' },
  catalog_items_create: { kind: 'service', name: 'Visit ~', unit_price_cents: 5, category_id: '@category:0' },
  quotes_create: { customer_id: '@customer:0', title: 'Pump ~' },
  invoices_create: { customer_id: '@customer:0' },
  jobs_create: { customer_id: '@customer:0', title: 'Pump ~' },
  job_series_create: {
    customer_id: '@customer:0',
    title: 'Weekly ~',
    rrule: 'FREQ=WEEKLY;BYDAY=MO,TH',
    dtstart: '@day:1',
  },
}).flatMap(([tool, given]) => [
  { by: 'ana', tool, given },
  { by: 'ana', tool, given },
])

const POLL = { by: 'mirror', tool: 'poll', given: {} }
const more = fc.array(
  fc.tuple(
    fc.nat(40),
    fc.oneof(fc.constant(POLL), onSeries.map(byOwner), { weight: 2, arbitrary: leaving.map(byOwner) }),
  ),
  { minLength: 8, maxLength: 24 },
)

/** Histories of a stocked account, with series calls, removals and polls inserted. */
const watched = fc.tuple(histories(30), more).map(([history, others]) =>
  others
    .toSorted(([a], [b]) => b - a)
    .reduce<Command[]>((all, [at, command]) => all.toSpliced(1 + at, 0, command), history)
    .toSpliced(1, 0, ...STOCK, POLL),
)

type Callers = Record<string, Company['owner']>

/** Makes a company with its callers by name. */
async function makeCallers(): Promise<Callers> {
  const company = await makeCompany(service)
  const [ben, office, tech, robot] = await Promise.all([
    company.member('owner'),
    company.member('office'),
    company.member('tech'),
    company.tenantKey(),
  ])
  return { ana: company.owner, ben, office, tech, robot: robot as Company['owner'], stranger: tech }
}

/** Ids from earlier answers, by kind. */
type Known = Map<string, string[]>

const KINDS = new Map(
  Object.entries({ ...TOOLS, series: 'job_series' }).map(([kind, entity]) => [`${entity}_create`, kind]),
)

function learn(known: Known, { tool }: Command, answer: Result): void {
  const told: [kind: string, id: string | undefined][] = [
    [KINDS.get(tool) ?? '', answer['id']],
    [answer['kind'] === 'service' ? 'part' : '', answer['id']],
    ['job', answer['generated']?.first_job_id ?? undefined],
    ...['contact', 'location'].flatMap((kind) =>
      (answer[`${kind}s`] ?? []).map(({ id }: Result): [string, string] => [kind, id]),
    ),
  ]
  for (const [kind, id] of told) if (kind !== '' && id !== undefined) known.set(kind, [...(known.get(kind) ?? []), id])
}

let serial = 0

/** Fills in references and numbers. A reference to a kind without known ids becomes an id that no record has. */
function fillReferences(known: Known, value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('@')) {
    const [kind, which] = value.slice(1).split(':') as [string, string]
    if (kind === 'day')
      return Temporal.Now.plainDateISO('America/New_York')
        .add({ days: Number(which) })
        .toString()
    const ids = known.get(kind) ?? []
    return ids[Number(which) % ids.length] ?? '00000000-0000-7000-8000-000000000000'
  }
  if (typeof value === 'string') return value.replaceAll('~', () => String(++serial))
  if (Array.isArray(value)) return value.map((one) => fillReferences(known, one))
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillReferences(known, one)]))
    : value
}

/** Plays a history two calls at a time, polling in parallel. */
async function play(
  history: readonly Command[],
  callers: Callers,
): Promise<{ mirror: ReturnType<typeof mirrorOf>; polls: number; done: string[] }> {
  const mirror = mirrorOf(callers['ana']!.call)
  const [known, done]: [Known, string[]] = [new Map(), []]
  let polling = Promise.resolve()
  const calls = history.filter((command) => command !== POLL && !command.tool.startsWith('get of '))
  for (let i = 0; i < history.length; i += 2) {
    const some = history.slice(i, i + 2)
    if (some.includes(POLL)) polling = polling.then(mirror.poll)
    await Promise.all(
      some
        .filter((command) => calls.includes(command))
        .map(async (command) => {
          const { text, isError } = await callers[command.by]!.send(
            command.tool,
            fillReferences(known, command.given) as object,
          )
          if (text.startsWith('internal')) assert.fail(`${command.tool}: ${text}`)
          if (isError) return
          done.push(command.tool)
          learn(known, command, JSON.parse(text) as Result)
        }),
    )
  }
  await polling
  return { mirror, polls: history.filter((command) => command === POLL).length, done }
}

const byId = (rows: readonly Result[]): Result[] => rows.toSorted((a, b) => (a['id'] < b['id'] ? -1 : 1))

describe('a mirror kept by polling alone', () => {
  it('equals the lists after random histories of tool calls by several concurrent callers', async (test) => {
    const [done, gone, left] = [new Set<string>(), new Set<string>(), { polls: 0, rows: 0, gone: 0 }]
    await fc.assert(
      fc.asyncProperty(watched, async (history) => {
        const callers = await makeCallers()
        const { mirror, polls, done: tools } = await play(history, callers)
        // A change from the current millisecond isn't settled yet.
        await setTimeout(50)
        await mirror.poll()
        const { call } = callers['ana']!
        const live = new Set((await liveRows(call, { tool: 'customers_search', given: {} })).map(({ id }) => id))
        for (const list of mirror.lists()) {
          const rows =
            'customer_id' in list.given && !live.has(list.given['customer_id']) ? [] : await liveRows(call, list)
          const mirrored = byId(mirror.rows(list))
          assert.deepEqual(
            mirrored.map(ownOf),
            byId(rows).map(ownOf),
            `${list.tool} ${JSON.stringify(list.given)} after ${tools.join(', ')}`,
          )
          for (const row of rows) {
            const borrowed = computeDerivedFields(mirror, list.tool, row)
            for (const [name, value] of Object.entries(borrowed)) assert.equal(row[name], value, `${list.tool} ${name}`)
          }
          left.rows += rows.length
        }
        left.polls += polls
        left.gone += mirror.gone.length
        for (const tool of mirror.gone) gone.add(tool)
        for (const tool of tools) done.add(tool)
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
    test.diagnostic(
      `seed ${SEED}: ${RUNS} histories, ${left.polls} polls on the way, ${left.rows} rows in the end, ${left.gone} left ${gone.size} lists meanwhile, ${done.size} tools wrote`,
    )
    assert.ok(
      left.polls > RUNS && left.gone > RUNS && gone.size >= 8 && done.size > 25,
      `${left.polls} polls, ${left.gone} rows left ${[...gone].join(', ')}, ${done.size} tools`,
    )
  })
})
