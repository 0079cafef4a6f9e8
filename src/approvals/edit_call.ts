import { findActiveCaller, type Caller } from '../identity/credentials/caller.ts'
import { writeTenant, sql } from '../platform/db/tenant.ts'
import { conflict, notFound, Refusal } from '../platform/errors/refusal.ts'
import type { ToolContext } from '../tools/call/context.ts'
import { fingerprintOf } from '../tools/call/idempotency.ts'
import { entryOptions, lockOpenProposal, type Decision } from './decide.ts'
import { listWrites } from './comparison.ts'
import { MAX_BYTES, listProposedCalls, type ProposedCall } from './proposal.ts'
import { findVersions, rehearse, restrictCaller, toolOfCall } from './rehearsal.ts'
import { refusals } from './refusals.ts'

type CallEdit = Decision & {
  position: number
  /** Version of the call that the editor saw. */
  version: string
  changes: Readonly<Record<string, unknown>>
}

/** Returns the version of a call, which changes when its arguments are edited. */
export const versionOfCall = ({ given }: Pick<ProposedCall, 'given'>): string =>
  fingerprintOf(given).toString('base64url')

/**
 * Changes the arguments of a call that waits. Tries it after the calls before it, with the rights that the editor and
 * the connection have in common, and keeps the proposed arguments, so that the connection learns what was changed.
 */
export async function editProposedCall(context: ToolContext, edit: CallEdit): Promise<void> {
  const { by, proposal: id, position, version, changes } = edit
  await writeTenant(context.database, entryOptions(edit), async (db) => {
    const proposal = await lockOpenProposal(db, edit)
    const calls = await listProposedCalls(db, id)
    const call = calls.find((one) => one.position === position)
    if (call === undefined) throw notFound('proposed call')
    requireScope(by, call)
    if (versionOfCall(call) !== version) throw conflict(refusals.editedMeanwhile())
    const proposer = await findActiveCaller(db, proposal.credential_id)
    if (proposer === undefined) throw conflict(refusals.proposerEnded())
    const input = mergeArguments(call, changes)
    const bytes = proposal.bytes + byteLength(input) - byteLength(call.given)
    if (bytes > MAX_BYTES) throw conflict(refusals.tooLarge({ max: MAX_BYTES }))

    const editedCall = { ...call, given: input }
    const before = calls.filter((one) => one.position < position)
    const versions = await findVersions(db, [editedCall])
    const trials = await rehearse(db, context, [...before, editedCall], restrictCaller(proposer, by))
    const trial = trials.at(-1)
    if (trial === undefined) throw notFound('proposed call')
    if ('refusal' in trial) throw trial.refusal
    const edited = [...new Set([...(call.edited ?? []), ...Object.keys(changes)])]
    await Promise.all([
      db.run(sql`update proposed_calls set given = ${JSON.stringify(input)}, result = ${JSON.stringify(trial.result)},
          written = ${JSON.stringify(listWrites(trial.outcome))}, ids = ${trial.ids},
          seen_at = ${versions.get(position) ?? null}, given_before = coalesce(given_before, given),
          edited_by = ${by.user}, edited = ${edited}
        where tenant_id = ${db.tenant} and proposal_id = ${id} and position = ${position}`),
      db.run(sql`update proposals set bytes = ${bytes} where tenant_id = ${db.tenant} and id = ${id}`),
    ])
  })
}

function requireScope(by: Caller, call: ProposedCall): void {
  const { scope } = toolOfCall(call)
  if (!by.scopes.has(scope))
    throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.noRight({ why: `this needs ${scope}` }) }])
}

const byteLength = (input: object): number => Buffer.byteLength(JSON.stringify(input))

/** Inputs that copy lines from a record, and the inputs that name that record beside other lines. */
const SOURCES = { from_job_id: 'job_ids', from_quote_id: 'quote_id' } as const

/** Merges edits into the arguments. For a new record, emptied arguments are left out. */
function mergeArguments(call: ProposedCall, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const input: Record<string, unknown> = { ...call.given, ...changes }
  if (toolOfCall(call).tool.verb === 'create')
    for (const [name, value] of Object.entries(changes)) if (value === null) delete input[name]
  if ('line_items' in changes)
    for (const [source, target] of Object.entries(SOURCES)) {
      const id = input[source]
      delete input[source]
      if (typeof id === 'string') input[target] ??= target === 'job_ids' ? [id] : id
    }
  return input
}
