import type { Scope } from '../identity/permissions/scopes.ts'
import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { notFound } from '../platform/errors/refusal.ts'
import { isRecord } from '../platform/validation/is_record.ts'
import type { Outcome, WrittenRecord } from '../tools/call/outcome.ts'

type ProposalState = 'open' | 'approved' | 'declined' | 'sent_back' | 'expired' | 'withdrawn'

/** Plan: calls of one connection that a person decides on together. */
export type Proposal = {
  id: string
  credential_id: string
  user_id: string | null
  /** Name of the connection's person; null for a company's key. */
  user_name: string | null
  connection: string
  client: string | null
  state: ProposalState
  /** Write scopes of its calls. */
  scopes: Scope[]
  calls: number
  applied: number | null
  bytes: number
  word: string | null
  decided_by_name: string | null
  decided_at: string | null
  created_at: string
  expires_at: string
  /** Whether the burst limit holds the connection. */
  is_held: boolean
}

/** Call of a plan, with its effect when it was tried. */
export type ProposedCall = {
  position: number
  /** Wire name of its tool. */
  tool: string
  given: Record<string, unknown>
  /** Ids that it generated, in order. Its records will have them. */
  ids: string[]
  result: Outcome['result']
  written: readonly WrittenRecord[]
  seen_at: string | null
  idempotency_key: string | null
  is_applied: boolean | null
  /** Time at which its connection withdrew this call alone. */
  withdrawn_at?: string | null
  /** Names of the arguments that somebody edited, and the arguments as proposed. */
  edited?: string[]
  given_before?: Record<string, unknown> | null
}

/** Limits of one plan: its calls, and their bytes. */
export const MAX_CALLS = 50
export const MAX_BYTES = 256 * 1024

/** Days until a plan expires. */
export const EXPIRES_DAYS = 7

/** Lists a company's plans, newest first, optionally those before one of them. */
export const listProposals = (db: Db, limit: number, before: string | null = null): Promise<Proposal[]> =>
  db.all<Proposal>(sql`${selectProposals(db)}
    and (${before}::uuid is null
      or (p.created_at, p.id) < (select created_at, id from proposals
        where tenant_id = ${db.tenant} and id = ${before}))
    order by p.created_at desc, p.id desc limit ${limit}`)

/** Lists the plans that wait, oldest first. */
export const listWaitingProposals = (db: Db, limit: number): Promise<Proposal[]> =>
  db.all<Proposal>(
    sql`${selectProposals(db)} and p.state = 'open' and p.expires_at > moment()
      order by p.expires_at, p.id limit ${limit}`,
  )

/** Returns a plan as of a time. An open plan past its expiry is expired, even if the sweep hasn't marked it yet. */
export async function findProposal(
  db: Db,
  id: string,
  now: Temporal.Instant = Temporal.Now.instant(),
): Promise<Proposal> {
  const proposal = await db.maybe<Proposal>(sql`${selectProposals(db)} and p.id = ${id}`)
  if (proposal === undefined) throw notFound('proposal')
  return proposal.state === 'open' && Date.parse(proposal.expires_at) <= now.epochMilliseconds
    ? { ...proposal, state: 'expired' }
    : proposal
}

/** Returns the calls of a plan in order, without those that were withdrawn alone. */
export async function listProposedCalls(db: Db, proposal: string): Promise<ProposedCall[]> {
  const rows = await db.all<StoredCall>(sql`select ${callColumns} from proposed_calls
    where tenant_id = ${db.tenant} and proposal_id = ${proposal} and withdrawn_at is null order by position`)
  return rows.map(parseStoredCall)
}

/** Call with its JSON as stored. */
export type StoredCall = Omit<ProposedCall, 'given' | 'result' | 'written' | 'given_before'> & {
  given: string
  given_before: string | null
  result: string
  written: string
}

export const callColumns = sql`position, tool, given, ids, result, written, seen_at, idempotency_key, is_applied,
  given_before, edited, withdrawn_at`

export const parseStoredCall = (row: StoredCall): ProposedCall => ({
  ...row,
  given: JSON.parse(row.given) as ProposedCall['given'],
  given_before: parseGiven(row.given_before),
  result: JSON.parse(row.result) as ProposedCall['result'],
  written: JSON.parse(row.written) as WrittenRecord[],
})

/** Parses stored arguments; null if there are none. */
function parseGiven(text: string | null): Record<string, unknown> | null {
  const input: unknown = text === null ? null : JSON.parse(text)
  return isRecord(input) ? input : null
}

const selectProposals = (db: Db): Sql => sql`
  select p.id, p.credential_id, p.user_id, u.name as user_name, p.connection, p.client, p.state, p.scopes, p.calls,
    p.applied, p.bytes, p.word, d.name as decided_by_name, p.decided_at, p.created_at, p.expires_at,
    coalesce(c.held_at is not null, false) as is_held
  from proposals p left join users u on u.id = p.user_id left join users d on d.id = p.decided_by
    left join credentials c on c.tenant_id = p.tenant_id and c.id = p.credential_id
  where p.tenant_id = ${db.tenant}`

/** Returns the scopes required to decide on each open plan, for up to `limit` plans. */
export const listOpenScopes = async (db: Db, limit: number): Promise<Scope[][]> =>
  (
    await db.all<{ scopes: Scope[] }>(sql`select p.scopes from proposals p
      where p.tenant_id = ${db.tenant} and p.state = 'open' and p.expires_at > moment() limit ${limit}`)
  ).map(({ scopes }) => scopes)
