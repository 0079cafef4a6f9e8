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
import type { Plans, AccessPath } from './plans.ts'

/** Rounds of each case, and how many of them don't count. */
export const ROUNDS = 40
const WARM_UP_ROUNDS = 10
const PAGE = 50

type MeasuredTenant = Tenant & { caller: Caller }
/** Medians in milliseconds. */
export type Measured = Case & AccessPath & { large: number; small: number }

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
      ...(await accessPathOf(database, plans, one, large, small)),
    })
  return measured
}

/** Measures a case. The first rounds don't count, because statements are still planned for each caller. */
async function measure(
  database: Database,
  one: Case,
  large: MeasuredTenant,
  small: MeasuredTenant,
): Promise<{ large: number; small: number }> {
  const took: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, tenant] of [large, small].entries()) {
      const begun = performance.now()
      await ask(database, tenant, one.tool, one.args(tenant))
      if (round >= WARM_UP_ROUNDS) took[i]!.push(performance.now() - begun)
    }
  }
  return { large: median(took[0]), small: median(took[1]) }
}

const median = (all: number[]): number => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]!

async function ask(
  database: Database,
  { caller }: Pick<MeasuredTenant, 'caller'>,
  name: string,
  args: object,
): Promise<Record<string, unknown>> {
  const { tool } = tools.get(name)!
  const { result } = await readTenant(database, entryOf(caller), (db) =>
    tool.run({ db, caller, baseUrl: '' }, parseArguments(tool, args) as never),
  )
  return result
}

/** Returns the access paths of a call's statements for both companies. The plans are the large company's. */
async function accessPathOf(
  database: Database,
  plans: Plans,
  { tool, args }: Case,
  large: MeasuredTenant,
  small: MeasuredTenant,
): Promise<AccessPath> {
  const paths = { large: [] as AccessPath[], small: [] as AccessPath[] }
  for (const [size, tenant] of Object.entries({ large, small }) as ['large' | 'small', MeasuredTenant][]) {
    const sent: Sql[] = []
    const recording: Database = {
      ...database,
      send: (statements) => (sent.push(...statements.slice(1)), database.send(statements)),
    }
    await ask(recording, tenant, tool, args(tenant))
    for (const statement of sent) paths[size].push(await plans.explain(tenant.id, statement))
  }
  const both = [...paths.large, ...paths.small]
  return {
    indexes: [...new Set(both.flatMap(({ indexes }) => indexes))],
    faults: [...new Set(both.flatMap(({ faults }) => faults))],
    plan: paths.large.flatMap(({ plan }) => plan),
    summary: paths.large.flatMap(({ summary }) => summary),
  }
}

async function prepareTenant(database: Database, company: Company): Promise<MeasuredTenant> {
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
