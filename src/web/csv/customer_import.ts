import { setImmediate } from 'node:timers/promises'
import { entryOf, type Caller } from '../../access/credentials/caller.ts'
import { StaleAccess, sql, writeTenant, type Db, type WritableDb } from '../../db/tenant.ts'
import { say } from '../../language/say.ts'
import { Refusal, conflict } from '../../refusal.ts'
import { fold } from '../../shape/fold.ts'
import { newId } from '../../shape/id.ts'
import { auditOf } from '../../tools/audit.ts'
import type { Listed } from '../../tools/catalog.ts'
import type { Outcome } from '../../tools/outcome.ts'
import { parse } from '../../tools/problems.ts'
import type { Results, Wire } from '../../tools/results.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import type { ImportRow, ImportSheet } from './customer_rows.ts'
import {
  become,
  type Findings,
  type ForTwins,
  type ImportOutcome,
  type ImportRun,
  type RowProblem,
  type Twin,
} from './imports.ts'
import { reasonOf } from './reasons.ts'

/** Is for work that nobody waits for, which reports how far it is while it holds its connection. */
const IMPORT = { of: 'imports', patient: true }

const SHOWN = 20

/** Is how many rows are tried in one transaction, and imported between two reports. */
const BEAT = 50

/** Is how a row is undone after it was tried. */
class Tried extends Error {}

/**
 * Tries each row by the tool that makes a customer, and undoes it: what the import would refuse is found by the import's
 * own rules. It never rejects: what can't be written is reported, and the file counts as stopped a minute later.
 */
export const checkFile = (site: Site, context: MemberContext, run: ImportRun, sheet: ImportSheet): Promise<void> =>
  reporting(site, context, run, async (beat) => {
    const problems: RowProblem[] = []
    const twins: Twin[] = []
    const earlier: Earlier = { ids: new Map(), people: new Map() }
    for (let from = 0; from < sheet.rows.length; from += BEAT) {
      const rows = sheet.rows.slice(from, from + BEAT)
      const found = await context.as((caller) =>
        writeTenant(site.database, { ...entryOf(caller), options: IMPORT }, async (db) => {
          const known = await knownBy(db, rows)
          const found: Found[] = []
          for (const row of rows) found.push(await tried(site, caller, db, row, known))
          return found
        }),
      )
      for (const [i, row] of rows.entries()) {
        const { twin, reason } = judged(row, found[i]!, earlier, sheet)
        if (twin !== undefined) twins.push(twin)
        if (reason !== undefined) problems.push({ number: row.number, reason })
      }
      await beat('checking', from + rows.length)
      await setImmediate()
    }
    const findings: Findings = {
      total: sheet.rows.length,
      headers: sheet.headers,
      ignored: sheet.ignored,
      newTags: newTagsOf(sheet.rows),
      problems,
      twins,
      shown: sheet.rows.slice(0, SHOWN),
    }
    await context.write((db) => become(db, run, 'ready', 0, { findings }))
  })

type Person = { name: string; reach: string | null }

type Found = { person: Person } | { twin: Twin } | Refusal

/** Returns who a row would be, a customer who is there already, or why it can't be imported. */
async function tried(
  site: Site,
  caller: Caller,
  db: WritableDb,
  { number, given, newTags = [] }: ImportRow,
  known: ReadonlyMap<string, { id: string; name: string }>,
): Promise<Found> {
  const { listed, context } = toolOf(site, 'customers_create')
  const { external_id, ...others } = given
  const namesake = typeof external_id === 'string' ? known.get(external_id) : undefined
  let found: Found | undefined
  try {
    for (const name of newTags) parse(toolOf(site, 'tags_create').listed.tool, { name })
    const parsed = parse(listed.tool, namesake === undefined ? given : others)
    await db.separately(async (own) => {
      const { result } = await run<'customers_create'>(listed, { db: own, caller, ...context }, parsed)
      const other = namesake ?? (await reachedAs(own, result))
      found =
        other === undefined
          ? { person: { name: fold(result.display_name), reach: reachOf(result) } }
          : { twin: { number, id: other.id, name: other.name } }
      throw new Tried()
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    if (!(error instanceof Tried)) throw error
  }
  return found!
}

type Made = Results['customers_create']

/** Returns another customer who is reached by the same phone or e-mail. */
const reachedAs = (db: Db, { id, contacts }: Made): Promise<{ id: string; name: string } | undefined> => {
  const phones = contacts.flatMap(({ phone }) => phone ?? [])
  const emails = contacts.flatMap(({ email }) => email ?? [])
  return phones.length + emails.length === 0
    ? Promise.resolve(undefined)
    : db.maybe(sql`
      select c.id, c.display_name as name from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
      where k.tenant_id = ${db.tenant} and k.archived_at is null and c.archived_at is null and c.id <> ${id}
        and (k.phone = any(${phones}) or k.email = any(${emails})) order by c.created_at, c.id limit 1`)
}

const reachOf = ({ contacts }: Made): string | null => contacts[0]?.phone ?? contacts[0]?.email ?? null

/** Returns the customers who have the ids that rows bring from another system. */
async function knownBy(db: Db, rows: readonly ImportRow[]): Promise<Map<string, { id: string; name: string }>> {
  const ids = rows.flatMap(({ given: { external_id } }) => (typeof external_id === 'string' ? [external_id] : []))
  if (ids.length === 0) return new Map()
  const found = await db.all<{ external_id: string; id: string; name: string }>(sql`
    select external_id, id, display_name as name from customers
    where tenant_id = ${db.tenant} and external_id = any(${ids}) and archived_at is null`)
  return new Map(found.map((one) => [one.external_id, one]))
}

type Earlier = { ids: Map<string, number>; people: Map<string, number> }

/** Says what is found of a row once those before it are known: no two customers can have the same id of another system. */
function judged(
  { number, given }: ImportRow,
  found: Found,
  { ids, people }: Earlier,
  { headers }: ImportSheet,
): { twin?: Twin; reason?: string } {
  if (found instanceof Refusal) return { reason: reasonOf(found, headers) }
  const id = given['external_id']
  if (typeof id === 'string') {
    const same = ids.get(id)
    if (same !== undefined) return { reason: say`${headers['external_id'] ?? ''}: row ${same} has it too` }
    ids.set(id, number)
  }
  if ('twin' in found) return { twin: found.twin }
  if (found.person.reach === null) return {}
  const key = `${found.person.name} ${found.person.reach}`
  const row = people.get(key)
  if (row !== undefined) return { twin: { number, name: '', row } }
  people.set(key, number)
  return {}
}

/**
 * Imports the rows that are right in one transaction, each through the tool that makes or changes a customer, with its row
 * in the audit; that the file is done is a part of it. A row that is refused after all is left out and said. Progress is
 * written outside the transaction. It never rejects, as `checkFile`.
 */
export const importFile = (
  site: Site,
  context: MemberContext,
  run: ImportRun,
  { rows, headers }: ImportSheet,
  { problems, twins }: Findings,
  forTwins: ForTwins,
): Promise<void> =>
  reporting(site, context, run, async (beat) => {
    const wrong = new Set(problems.map(({ number }) => number))
    const twinOf = new Map(twins.map((twin) => [twin.number, twin]))
    await context.as((caller) =>
      writeTenant(
        site.database,
        { ...entryOf(caller), options: IMPORT },
        async (db) => {
          const written: Written[] = []
          const outcome = { made: 0, updated: 0, skipped: 0, left: [...problems] }
          const right = rows.filter(({ number }) => !wrong.has(number))
          const tags = await makeTags(site, caller, db, newTagsOf(right), written)
          for (const [i, row] of right.entries()) {
            const way = wayOf(row, twinOf.get(row.number), forTwins, tags)
            if (way === 'skip') outcome.skipped++
            else {
              try {
                written.push(await db.separately((own) => done(site, caller, own, way)))
                outcome[way.wire === 'customers_create' ? 'made' : 'updated']++
              } catch (error) {
                if (!(error instanceof Refusal)) throw error
                outcome.left.push({ number: row.number, reason: reasonOf(error, headers) })
              }
            }
            if ((i + 1) % BEAT === 0) await beat('running', i + 1)
          }
          outcome.left.sort((a, b) => a.number - b.number)
          if ((await become(db, run, 'done', rows.length, { outcome: outcome satisfies ImportOutcome })) === 0)
            throw conflict('this file was started again meanwhile')
          return written
        },
        (written) =>
          written.flatMap(({ listed, outcome }) => auditOf({ caller, listed, client: null, given: null }, outcome)),
      ),
    )
  })

type Written = { listed: Listed; outcome: Outcome }

type Way = { wire: 'customers_create' | 'customers_update'; given: Record<string, unknown> }

/** Are what an update takes of a row: a customer's addresses, people and tags stay as they are. */
const UPDATED = [
  'first_name',
  'last_name',
  'company_name',
  'status',
  'lead_source',
  'tax_exempt',
  'payment_terms_days',
  'preferred_language',
  'external_id',
]

function wayOf(
  { given, newTags = [] }: ImportRow,
  twin: Twin | undefined,
  forTwins: ForTwins,
  tags: ReadonlyMap<string, string>,
): Way | 'skip' {
  if (twin !== undefined && (forTwins === 'skip' || (forTwins === 'update' && !('id' in twin)))) return 'skip'
  if (twin !== undefined && forTwins === 'update' && 'id' in twin) {
    const type = given['customer_type']
    const names = type === 'company' ? ['first_name', 'last_name'] : ['company_name']
    const fields = UPDATED.filter((name) => name in given && !names.includes(name))
    return {
      wire: 'customers_update',
      given: { id: twin.id, ...Object.fromEntries(fields.map((name) => [name, given[name]])) },
    }
  }
  const tag_ids = [
    ...((given['tag_ids'] as string[] | undefined) ?? []),
    ...newTags.flatMap((name) => tags.get(fold(name)) ?? []),
  ]
  return { wire: 'customers_create', given: { ...given, ...(tag_ids.length > 0 ? { tag_ids } : {}) } }
}

async function done(site: Site, caller: Caller, db: Db, { wire, given }: Way): Promise<Written> {
  const { listed, context } = toolOf(site, wire)
  return { listed, outcome: await listed.tool.run({ db, caller, ...context }, parse(listed.tool, given)) }
}

/** Returns each tag that rows name and the company doesn't have, as it is written first. */
export function newTagsOf(rows: readonly ImportRow[]): string[] {
  const names = new Map<string, string>()
  for (const name of rows.flatMap(({ newTags = [] }) => newTags))
    if (!names.has(fold(name))) names.set(fold(name), name)
  return [...names.values()]
}

/** Makes the tags that the file names and the company doesn't have; returns their ids by folded name. */
async function makeTags(
  site: Site,
  caller: Caller,
  db: Db,
  names: readonly string[],
  written: Written[],
): Promise<Map<string, string>> {
  const { listed, context } = toolOf(site, 'tags_create')
  const made = new Map<string, string>()
  for (const name of names) {
    const outcome = await run<'tags_create'>(listed, { db, caller, ...context }, parse(listed.tool, { name }))
    written.push({ listed, outcome })
    made.set(fold(name), outcome.result.id)
  }
  return made
}

const toolOf = ({ actions, toolContext: { baseUrl } }: Site, wire: Wire) => ({
  listed: actions.get(wire)!,
  context: { baseUrl },
})

/** Returns the outcome of a tool as its declaration says that it is. */
const run = <W extends Wire>(
  { tool }: Listed,
  ...given: Parameters<Listed['tool']['run']>
): Promise<Outcome<Results[W]>> => tool.run(...given) as Promise<never>

type Beat = (state: 'checking' | 'running', done: number) => Promise<void>

/** Does a go at a file, and says on it why it ended when it did. */
async function reporting(
  site: Site,
  context: MemberContext,
  go: ImportRun,
  work: (beat: Beat) => Promise<void>,
): Promise<void> {
  const tell = (
    state: 'checking' | 'running' | 'failed',
    count: number,
    problem: string | null = null,
  ): Promise<number> =>
    writeTenant(site.database, { tenant: context.company.id }, (db) => become(db, go, state, count, { problem }))
  try {
    await work(async (state, count) => void (await tell(state, count)))
  } catch (error) {
    await tell('failed', 0, problemOf(site, error)).catch((fault: unknown) => site.report(newId(), fault))
  }
}

function problemOf(site: Site, error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof StaleAccess) return say`What you may do changed meanwhile. Start it again.`
  const reference = newId()
  site.report(reference, error)
  return say`Something went wrong (reference ${reference}). Start it again.`
}
