import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { findCaller, type Caller } from '../../src/identity/credentials/caller.ts'
import { findSignedInMember } from '../../src/identity/people/recovery/signed_in_member.ts'
import { hashOf } from '../../src/identity/credentials/secret_hash.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { entities } from '../../src/records/index.ts'
import { approveProposal } from '../../src/approvals/decide.ts'
import { propose } from '../../src/approvals/propose.ts'
import { readPlanView } from '../../src/approvals/plan_view.ts'
import { callTool, isFailed } from '../../src/tools/call/call.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import type { ToolContext } from '../../src/tools/call/context.ts'
import { makeCompany, startTestService, type Result, type TestService } from '../harness/harness.ts'
import { histories, type Command } from '../model/commands.ts'
import { fillReferences, type CreatedRecord } from './references.ts'
import { checksums, tablesOf, type Contents } from './tables.ts'

/** Longer run by hand: PROPOSAL_RUNS=10000 PROPOSAL_SEED=7 npm test -- test/approvals/histories.test.ts */
const RUNS = Number(process.env['PROPOSAL_RUNS'] ?? 30)
const SEED = Number(process.env['PROPOSAL_SEED'] ?? 20_270_401)
const CALLS = 12

let service: TestService
let owner: pg.Client
let context: ToolContext
before(async () => {
  service = await startTestService()
  owner = new pg.Client(service.owner)
  await owner.connect()
  context = {
    database: service.database,
    baseUrl: 'http://callout.test',
    confirm: async () => {},
    report: (_, error) => {
      throw error
    },
    propose,
  }
})
after(async () => {
  await owner.end()
  await service.stop()
})

const { tools } = toolCatalogOf(entities)

/** Makes a company whose only key acts directly or proposes. */
async function makeSide(proposes: readonly string[]) {
  const company = await makeCompany(service)
  const { key, id } = await company.member('owner', { proposes })
  const caller = (await findCaller(service.database, hashOf(key))) as Caller
  return {
    tenant: company.tenant,
    user: id,
    approver: company.owner.id,
    caller,
    made: new Map<string, CreatedRecord[]>(),
  }
}
type Side = Awaited<ReturnType<typeof makeSide>>

type Came = { code: string; text: string; result?: Result; waits?: { proposal: string; position: number } }

async function call(side: Side, { tool }: Command, given: Result): Promise<Came> {
  const listed = tools.get(tool)!
  const answer = await callTool(context, { listed, caller: side.caller, client: null, input: given })
  if (!isFailed(answer)) return { code: 'ok', text: '', result: answer.result as Result }
  if ('fault' in answer) throw new Error(`a fault of ${tool}`)
  const { code, message } = answer.refusal
  return answer.pending === undefined
    ? { code, text: message }
    : { code: 'waits', text: message, waits: answer.pending }
}

/** Returns the stored result of a proposed call. */
async function keptResult({ waits }: Came): Promise<Result> {
  const { rows } = await owner.query('select result from proposed_calls where proposal_id = $1 and position = $2', [
    waits!.proposal,
    waits!.position,
  ])
  return JSON.parse((rows[0] as { result: string }).result) as Result
}

/** Maps records of two companies, including nested ones, to the same name. */
function pair(names: Map<string, string>, a: unknown, b: unknown): void {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a === b || !/^[0-9a-f-]{36}$/.test(a) || !/^[0-9a-f-]{36}$/.test(b) || names.has(a)) return
    const name = `#${names.size}`
    names.set(a, name).set(b, name)
    return
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return
  for (const key of Object.keys(a)) pair(names, (a as Result)[key], (b as Result)[key])
}

const keep = (side: Side, { tool }: Command, result: Result): void => {
  if (tool.endsWith('_create'))
    side.made.set(tool, [...(side.made.get(tool) ?? []), { id: String(result['id']), result }])
}

/** Plays a history on an acting and on a proposing company, and returns the contents of both. */
async function play(
  history: readonly Command[],
  counts: { waits: number; refused: number },
): Promise<[Contents, Contents]> {
  const [acting, proposing] = [await makeSide([]), await makeSide(SCOPES)]
  const names = new Map([
    [acting.tenant, 'tenant'],
    [proposing.tenant, 'tenant'],
    [acting.user, 'agent'],
    [proposing.user, 'agent'],
    [acting.approver, 'owner'],
    [proposing.approver, 'owner'],
  ])
  const untouched = await checksums(owner, proposing.tenant)
  let waits: { proposal: string } | undefined
  const log: string[] = []
  for (const [n, command] of history.entries()) {
    if (!tools.has(command.tool)) continue
    const [mine, theirs] = [acting, proposing].map((side) => fillReferences(command, side.made, n))
    if (mine === undefined || theirs === undefined) continue
    const [done, proposed] = [await call(acting, command, mine), await call(proposing, command, theirs)]
    log.push(`${command.tool} ${JSON.stringify(mine)}: ${done.code} ${proposed.code} ${done.text}`)
    if (proposed.waits === undefined) {
      assert.equal(proposed.code, done.code, log.join('\n'))
      if (done.code !== 'ok') counts.refused++
      continue
    }
    assert.equal(done.code, 'ok', log.join('\n'))
    counts.waits++
    waits = proposed.waits
    const kept = await keptResult(proposed)
    pair(names, done.result, kept)
    keep(acting, command, done.result!)
    keep(proposing, command, kept)
  }
  assert.deepEqual(
    await checksums(owner, proposing.tenant),
    untouched,
    `something of a proposal is visible\n${log.join('\n')}`,
  )
  if (waits !== undefined) await approveAll(proposing, waits.proposal, log)
  const tables = await Promise.all([acting, proposing].map(({ tenant }) => tablesOf(owner, tenant, names)))
  return [tables[0]!, tables[1]!]
}

async function approveAll({ tenant, approver }: Side, proposal: string, log: readonly string[]): Promise<void> {
  const { caller: by } = (await findSignedInMember(service.database, tenant, approver))!
  const { calls } = (await readPlanView(context, by, proposal))!
  const stale = calls.filter(({ isStale }) => isStale)
  assert.deepEqual(
    stale.map(({ position, effect }) => [position, effect]),
    [],
    log.join('\n'),
  )
  await approveProposal(context, {
    proposal,
    by,
    isRecent: true,
    chosenPositions: new Set(calls.map(({ position }) => position)),
    shownFingerprints: new Map(calls.map(({ position, fingerprint }) => [position, fingerprint])),
  })
}

describe('random histories of proposed calls', () => {
  it('give the same tables as direct calls, and change nothing visible before approval', async (test) => {
    const counts = { waits: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(histories(CALLS), async (history) => {
        const [acting, proposing] = await play(history, counts)
        for (const table of Object.keys(acting)) assert.deepEqual(proposing[table], acting[table], table)
      }),
      { numRuns: RUNS, seed: SEED, unbiased: true },
    )
    test.diagnostic(`${RUNS} histories, ${counts.waits} calls approved, ${counts.refused} refused`)
    assert.ok(counts.waits > RUNS * 3 && counts.refused > 0)
  })
})
