import type { Caller } from '../../identity/credentials/caller.ts'
import type { Confirm } from '../../identity/credentials/confirm.ts'
import type { Deadline } from '../../identity/deadline.ts'
import type { Database } from '../../platform/db/tenant.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import type { ListedTool } from '../declare/catalog.ts'
import type { Outcome, WrittenRecord } from './outcome.ts'

/** Holds what every tool call runs with. */
export type ToolContext = {
  database: Database
  confirm: Confirm
  baseUrl: string
  /** Models read the answers. */
  forAgent?: boolean
  /** Reports a fault that no caller can fix, with the reference the caller was given. */
  report(reference: string, error: unknown): void
  /** Puts a write before a person instead of doing it; where nobody decides, such a write is a fault. */
  propose?: Propose
  /** Adds to a refusal of a record that isn't there that the connection only proposed it. */
  tellProposed?: (context: ToolContext, call: ToolCall, refusal: Refusal) => Promise<Refusal>
}

/**
 * Tries a write and keeps it for a decision; `isBraked` where it waits because of the connection's earlier removals.
 */
export type Propose = (context: ToolContext, call: ToolCall, isBraked: boolean) => Promise<ToolAnswer>

/** A call's place in a plan, where a person decides on it, and what it would do. */
export type PendingCall = {
  proposal: string
  position: number
  url: string
  would: { result: Outcome['result']; written: readonly WrittenRecord[] }
}

/** A fault that no caller can fix, logged under its reference; with `mayBeDone` the answer to its COMMIT is lost. */
type ToolFault = { reference: string; mayBeDone: boolean }
export type CallFailure = { refusal: Refusal; waits?: PendingCall } | { fault: ToolFault }
export type ToolAnswer = { result: Outcome['result'] } | CallFailure

/** Describes a call: the tool, its caller, the client's name for the audit, the deadline. */
export type ToolCall = {
  listed: ListedTool
  caller: Caller
  client: string | null
  input: unknown
  deadline?: Deadline | undefined
  /** The member who approved what the caller had only proposed. */
  approver?: string | undefined
}
