import { entryOf, findCaller, type Caller } from '../../src/identity/credentials/caller.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { hashOf } from '../../src/identity/credentials/secret_hash.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import type { Database, Sql } from '../../src/platform/db/database.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { parseArguments } from '../../src/tools/call/problems.ts'
import { BY_CURSOR, CASES, type Case, type Tenant } from './cases.ts'
import type { Company } from './fill.ts'
import type { Plans, Reach } from './plans.ts'

/** Rounds of each case, and how many of them pass before they count. */
export const ROUNDS = 40
const UNCOUNTED = 10
const PAGE = 50

type Asked = Tenant & { caller: Caller }
/** Medians in milliseconds. */
export type Measured = Case & Reach & { large: number; small: number }

const { tools } = toolCatalogOf(entities)

/** Runs every case for both companies, in turns. The database has one connection, so that they share its plans. */
export async function compare(
  database: Database,
  plans: Plans,
  companies: { large: Company; small: Company },
): Promise<Measured[]> {
  const [large, small] = [
    await prepareTenant(database, companies.large),
    await prepareTenant(database, companies.small),
  ]
  const measured: Measured[] = []
  for (const one of CASES)
    measured.push({
      ...one,
      ...(await measure(database, one, large, small)),
      ...(await reach(database, plans, one, large, small)),
    })
  return measured
}

/** The first rounds, in which statements are planned for each caller still, don't count. */
async function measure(
  database: Database,
  one: Case,
  large: Asked,
  small: Asked,
): Promise<{ large: number; small: number }> {
  const took: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, tenant] of [large, small].entries()) {
      const begun = performance.now()
      await ask(database, tenant, one.tool, one.given(tenant))
      if (round >= UNCOUNTED) took[i]!.push(performance.now() - begun)
    }
  }
  return { large: median(took[0]), small: median(took[1]) }
}

const median = (all: number[]): number => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]!

async function ask(
  database: Database,
  { caller }: Pick<Asked, 'caller'>,
  name: string,
  given: object,
): Promise<Record<string, unknown>> {
  const { tool } = tools.get(name)!
  const { result } = await readTenant(database, entryOf(caller), (db) =>
    tool.run({ db, caller, baseUrl: '' }, parseArguments(tool, given) as never),
  )
  return result
}

/** Returns how the statements of a call reach their rows, for both companies; the plans are the large one's. */
async function reach(
  database: Database,
  plans: Plans,
  { tool, given }: Case,
  large: Asked,
  small: Asked,
): Promise<Reach> {
  const reaches = { large: [] as Reach[], small: [] as Reach[] }
  for (const [size, tenant] of Object.entries({ large, small }) as ['large' | 'small', Asked][]) {
    const sent: Sql[] = []
    const listening: Database = {
      ...database,
      send: (statements) => (sent.push(...statements.slice(1)), database.send(statements)),
    }
    await ask(listening, tenant, tool, given(tenant))
    for (const statement of sent) reaches[size].push(await plans.explain(tenant.id, statement))
  }
  const both = [...reaches.large, ...reaches.small]
  return {
    indexes: [...new Set(both.flatMap(({ indexes }) => indexes))],
    faults: [...new Set(both.flatMap(({ faults }) => faults))],
    plan: reaches.large.flatMap(({ plan }) => plan),
    short: reaches.large.flatMap(({ short }) => short),
  }
}

async function prepareTenant(database: Database, company: Company): Promise<Asked> {
  const { key } = await createKey(
    database,
    { tenant: company.id },
    { user: company.owner, name: 'Bench', scopes: SCOPES, expires_at: null },
  )
  const caller = (await findCaller(database, hashOf(key))) as Caller
  const cursors = new Map<string, string>()
  for (const tool of BY_CURSOR) {
    for (let page = 1, next: unknown = undefined; page < PAGE && next !== null; page++) {
      next = (await ask(database, { caller }, tool, next === undefined ? {} : { cursor: next }))['nextCursor']
      if (typeof next === 'string') cursors.set(tool, next)
    }
  }
  return { ...company, caller, cursors: Object.fromEntries(cursors) as Tenant['cursors'] }
}
