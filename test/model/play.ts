import assert from 'node:assert/strict'
import type { Company, Result } from '../harness/harness.ts'
import { invoices } from './billing/invoices.ts'
import { quotes } from './billing/quotes.ts'
import { rates } from './billing/rates.ts'
import { catalog } from './catalog.ts'
import type { Command } from './commands.ts'
import { marks } from './marks.ts'
import { people } from './people.ts'
import { compare, lists, viewOf, TOOLS } from './views.ts'
import { work } from './work.ts'
import { all, isLive, live, type Actor, type Item, type Kind, type Rec, type Rules, type World } from './world.ts'

const RULES: Rules = { ...people, ...marks, ...work, ...invoices, ...quotes, ...rates, ...catalog }

export type Caller = Actor & { send: Company['owner']['send'] }
export type Actors = { ana: Caller; stranger: Caller } & Record<string, Caller>

/** Records of another tenant, one of each kind. */
export type ForeignIds = Record<Kind, string>

type Stage = {
  world: World
  cast: Actors
  foreign: ForeignIds
  log: string[]
  outcomes: string[]
  last: Map<string, string>
  count: number
}

/** Plays a history against the service and the model. Returns each outcome. Throws at the first difference. */
export async function play(
  history: readonly Command[],
  cast: Actors,
  foreign: ForeignIds,
  today: string,
): Promise<string[]> {
  const stage: Stage = {
    world: { records: new Map(), nextInvoice: 1001, today },
    cast,
    foreign,
    log: [],
    outcomes: [],
    last: new Map(),
    count: 0,
  }
  try {
    for (const command of history) await step(stage, command)
    await lookAround(stage)
  } catch (error) {
    throw new Error(`${stage.log.join('\n')}\n${(error as Error).message}`, { cause: error })
  }
  return stage.outcomes
}

async function step(stage: Stage, command: Command): Promise<void> {
  const caller = stage.cast[command.by]!
  const given = fillReferences(stage, caller, command.given)
  if (given === undefined || (caller.isStranger && !('id' in given) && !('customer_id' in given))) return
  const { world } = stage
  if (command.tool.startsWith('get of '))
    return get(stage, command.tool.slice('get of '.length) as Kind, caller, given['id'])
  const { scope, person, rule } = RULES[command.tool]!
  const verdict = !caller.scopes.has(scope)
    ? ['insufficient_scope']
    : person && caller.id === null
      ? ['invalid_input']
      : rule(world, caller, given)
  const { text, isError } = await caller.send(command.tool, given)
  stage.log.push(
    `${stage.log.length + 1}. ${command.by} ${command.tool} ${replaceIds(world, given)} -> ${isError ? replaceIds(world, text) : 'ok'}`,
  )
  stage.outcomes.push(`${command.tool} ${isError ? text.split(':')[0] : 'ok'}`)
  if (Array.isArray(verdict)) {
    assert.ok(isError, `expected ${verdict.join(' or ')}, but it succeeded: ${text.slice(0, 500)}`)
    const codes: string[] =
      verdict.includes('not_found') && mayBeMalformed(given) ? [...verdict, 'invalid_input'] : verdict
    assert.ok(codes.includes(text.split(':')[0]!), `expected ${codes.join(' or ')}`)
    const target = world.records.get(given['id'])
    if (target !== undefined) await look(stage, target, { changed: false })
  } else {
    assert.ok(!isError, 'expected success')
    const answer = JSON.parse(text) as Result
    const { shows, says, touched } = verdict(answer)
    if (shows !== undefined) compare(viewOf(world, shows), answer, { whole: false }, 'the answer')
    if (says !== undefined) compare(says, answer, { whole: true }, 'the answer')
    await Promise.all([...new Set(touched)].map((record) => look(stage, record, { changed: true })))
  }
}

/** Checks for arguments that could be invalid for any record. The service checks them before it finds the record. */
const mayBeMalformed = (given: Result): boolean =>
  /:" *"|"line_items":\[\]|"status":"(cancelled|void|archived)"/.test(JSON.stringify(given)) ||
  ['scheduled_start', 'scheduled_end', 'components', 'cost_cents', 'issue_date', 'line_items'].some(
    (field) => field in given,
  )

/** Gets a record by its id as a caller, and checks the answer. */
async function get({ world, log }: Stage, kind: Kind, caller: Caller, id: string): Promise<void> {
  const { text, isError } = await caller.send(`${TOOLS[kind]}_get`, { id })
  log.push(
    `${log.length + 1}. ${caller.name} ${TOOLS[kind]}_get ${replaceIds(world, { id })} -> ${isError ? text : 'ok'}`,
  )
  const subject = kind === 'contact' || kind === 'location' || kind === 'tag' ? 'customers' : TOOLS[kind]
  const record = live(world, caller, kind, id)
  const expected = !caller.scopes.has(`read:${subject}`)
    ? 'insufficient_scope'
    : record === undefined
      ? 'not_found'
      : undefined
  assert.equal(isError ? text.split(':')[0] : undefined, expected, 'expected another outcome')
  if (isError) return
  const answer = JSON.parse(text) as Result
  compare(viewOf(world, record!), answer, { whole: false }, 'the answer')
  if (kind === 'item')
    assert.equal(
      'cost_cents' in answer,
      caller.role === 'owner' && answer['kind'] !== 'discount',
      "cost is the owner's to see",
    )
}

/**
 * Checks that a record matches the model when its owner reads it, and that only calls that report a change have changed
 * it.
 */
async function look({ world, cast, last }: Stage, record: Rec, { changed }: { changed: boolean }): Promise<void> {
  const what = alias(world, record.id)
  const { text, isError } = await cast.ana.send(`${TOOLS[record.kind]}_get`, { id: record.id })
  if (!isLive(world, record)) return assert.match(text, /^not_found: /, `${what} is archived`)
  assert.ok(!isError, `${what}: ${text}`)
  const answer = JSON.parse(text) as Result
  compare(viewOf(world, record), answer, { whole: true }, what)
  if (record.kind === 'category') record.position ??= answer['position']
  if (!changed && last.has(record.id)) assert.equal(answer['updated_at'], last.get(record.id), `${what} was written`)
  last.set(record.id, answer['updated_at'])
}

/** Checks at the end that every record and list matches the model, and that nothing else was written. */
async function lookAround(stage: Stage): Promise<void> {
  await Promise.all([...stage.world.records.values()].map((record) => look(stage, record, { changed: false })))
  await Promise.all(
    lists(stage.world).map(async ([tool, given, ids]) => {
      const { text } = await stage.cast.ana.send(tool, { ...given, limit: 100 })
      const { rows } = JSON.parse(text) as Result as { rows: { id: string }[] }
      assert.deepEqual(
        rows.map(({ id }) => alias(stage.world, id)),
        ids.map((id) => alias(stage.world, id)),
        `${tool} ${replaceIds(stage.world, given)}`,
      )
    }),
  )
}

/**
 * Fills in references and numbers in arguments. Leaves out references to records that don't exist yet. Undefined if the
 * call needs one of them.
 */
function fillReferences(stage: Stage, caller: Caller, given: Result): Result | undefined {
  const first = ['id', 'customer_id'].filter((field) => field in given)
  let customer: string | undefined
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith('@'))
      return resolveReference(stage, caller, value.slice(1), customer)
    if (typeof value === 'string') return value.replaceAll('~', () => String(++stage.count))
    if (Array.isArray(value)) return value.map(fill).filter((one) => one !== undefined)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).map(([field, one]) => [field, fill(one)] as const)
    if (fields.some(([field, one]) => field === 'catalog_item_id' && one === undefined)) return undefined
    return Object.fromEntries(fields.filter(([, one]) => one !== undefined))
  }
  const filled: Result = {}
  for (const field of [...first, ...Object.keys(given).filter((field) => !first.includes(field))]) {
    const value = fill(given[field])
    if (value === undefined && first.includes(field)) return undefined
    if (value !== undefined) filled[field] = value
    if (field === 'customer_id') customer = filled[field]
    if (field === 'id')
      customer = (stage.world.records.get(filled[field]) as { customer_id?: string } | undefined)?.customer_id
  }
  return filled
}

function resolveReference(
  { world, foreign }: Stage,
  caller: Caller,
  reference: string,
  customer: string | undefined,
): string | undefined {
  const [named, which] = reference.split(':') as [Kind | 'day' | 'part', string]
  if (named === 'day')
    return Temporal.PlainDate.from(world.today)
      .add({ days: Number(which) })
      .toString()
  const kind = named === 'part' ? 'item' : named
  if (which === 'unknown' || (which === 'foreign' && caller.isStranger)) return '00000000-0000-7000-8000-000000000000'
  if (which === 'foreign') return foreign[kind]
  const made: Rec[] = all(world, kind).filter((record) => named !== 'part' || (record as Item).item_kind === 'service')
  if (made.length === 0) return undefined
  const n = Number(which)
  if (n % 8 === 7) return made[Math.floor(n / 8) % made.length]!.id
  const living = made.filter((record) => isLive(world, record))
  const own = living.filter((record) => (record as { customer_id?: string }).customer_id === customer)
  const some = customer !== undefined && own.length > 0 ? own : living.length > 0 ? living : made
  return some[(Math.floor(n / 8) * 7 + (n % 8)) % some.length]!.id
}

/** Returns a readable name for a record: its kind and number. */
const alias = (world: World, id: string): string => {
  const record = world.records.get(id)
  return record === undefined ? id : `${record.kind}${all(world, record.kind).indexOf(record) + 1}`
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const replaceIds = (world: World, value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(UUID, (id) => alias(world, id))
