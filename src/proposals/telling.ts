import type { Caller } from '../access/credentials/caller.ts'
import { sql, type Db } from '../db/tenant.ts'
import { conflict } from '../refusal.ts'
import type { ToolAnswer, ToolCall, ToolContext } from '../tools/context.ts'
import { idsIn } from './building.ts'
import type { ProposedCall } from './proposal.ts'

type Placed = Pick<ToolContext, 'baseUrl'>

/** Returns where a person decides on a plan. */
export const addressOf = ({ baseUrl }: Placed, { tenant }: Pick<Caller, 'tenant'>, proposal: string): string =>
  `${baseUrl}/${tenant.id}/proposals/${proposal}`

type Planned = { proposal: string; call: ProposedCall; decided: string | undefined; isBraked: boolean }

/** Answers a call that waits: where, what it is, and under which id later calls may build on it. */
export function waitsAt(context: Placed, { caller, listed }: ToolCall, planned: Planned): ToolAnswer {
  const { proposal, call, decided, isBraked } = planned
  const url = addressOf(context, caller, proposal)
  const sentences = [
    `waits for approval at ${url}`,
    `proposed: ${listed.tool.title}${idOf(call, listed.tool.verb)}`,
    ...warningsOf(call),
    ...(isBraked
      ? ['this connection removed much in a short time, so that all it removes waits until an owner lifts that']
      : []),
    ...(decided === undefined ? [] : [`what was proposed before ${decided}`]),
  ]
  return { refusal: conflict(sentences.join('; ')), waits: { proposal, position: call.position, url, would: call } }
}

const idOf = ({ written }: ProposedCall, verb: string): string => {
  const id = written[0]?.record
  if (id === undefined) return ''
  return verb === 'create' ? `, under the id ${id}, which later calls may use already` : ` ${id}`
}

const warningsOf = ({ result }: ProposedCall): string[] => {
  const { warnings = [] } = result as { warnings?: readonly string[] }
  return warnings.length === 0 ? [] : [`warnings: ${warnings.join(', ')}`]
}

type Fate = { state: string; word: string | null; is_applied?: boolean | null; applied?: number | null; calls?: number }

/** Says what became of a plan, or of a call of it. */
export function fateOf({ state, word, is_applied, applied = null, calls }: Fate): string {
  const said = word === null ? '' : `: ${JSON.stringify(word)}`
  switch (state) {
    case 'open':
      return 'waits for approval'
    case 'approved':
      if (applied !== null)
        return applied === calls ? 'was approved' : `was approved in part: ${applied} of ${calls} calls${said}`
      return is_applied === true ? 'was approved' : `was left out when others of its plan were approved${said}`
    case 'declined':
      return `was declined${said}`
    case 'sent_back':
      return `was sent back${said}`
    default:
      return 'expired before anybody decided on it'
  }
}

/** Returns what became of the plan that a connection was not told of yet, and counts it as told. */
export async function lastDecision(db: Db, credential: string): Promise<string | undefined> {
  const decided = await db.maybe<Fate>(sql`
    update proposals set told_at = moment() where tenant_id = ${db.tenant} and id = (
      select id from proposals where tenant_id = ${db.tenant} and credential_id = ${credential} and state <> 'open'
      order by created_at desc limit 1) and told_at is null
    returning state, word, applied, calls`)
  return decided && fateOf(decided)
}

/** Says of the first id in arguments that was proposed by this connection what became of it. */
export async function tellOf(db: Db, credential: string, given: unknown): Promise<string | undefined> {
  const named = [...idsIn(given)].slice(0, 200)
  if (named.length === 0) return undefined
  const found = await db.maybe<Fate & { ids: string[] }>(sql`
    select p.state, p.word, c.is_applied, c.ids from proposed_calls c join proposals p on p.tenant_id = c.tenant_id and p.id = c.proposal_id
    where c.tenant_id = ${db.tenant} and p.credential_id = ${credential} and c.ids && ${named}::uuid[] and c.is_applied is distinct from true
    order by c.created_at desc limit 1`)
  return found && `${found.ids.find((id) => named.includes(id))} was only proposed, and ${fateOf(found)}`
}
