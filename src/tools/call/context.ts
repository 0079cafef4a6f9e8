import type { Caller } from '../../identity/credentials/caller.ts'
import type { Confirm } from '../../identity/credentials/confirm.ts'
import type { Deadline } from '../../identity/deadline.ts'
import type { Database } from '../../platform/db/tenant.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import type { ListedTool } from '../declare/catalog.ts'
import type { Outcome, WrittenRecord } from './outcome.ts'

/** Context of every tool call. */
export type ToolContext = {
  database: Database
  confirm: Confirm
  baseUrl: string
  /** Whether models read the answers. */
  forAgent?: boolean
  /** Reports a fault that no caller can fix, with the reference the caller was given. */
  report(reference: string, error: unknown): void
  /** Submits a write to a person instead of doing it. Where nobody can decide, such a write is a fault. */
  propose?: Propose
  /** Adds to a not-found refusal that the connection only proposed the record. */
  explainProposed?: (context: ToolContext, call: ToolCall, refusal: Refusal) => Promise<Refusal>
}

/**
 * Tries a write and stores it for a decision. `isBurstLimited` if it waits because of the connection's earlier
 * removals.
 */
export type Propose = (context: ToolContext, call: ToolCall, isBurstLimited: boolean) => Promise<ToolAnswer>

/** Position of a call in a plan, the page where a person decides on it, and its effect. */
export type PendingCall = {
  proposal: string
  position: number
  url: string
  effect: { result: Outcome['result']; written: readonly WrittenRecord[] }
}

/** Fault that no caller can fix, logged under its reference. `mayBeDone` if the answer to its COMMIT was lost. */
type ToolFault = { reference: string; mayBeDone: boolean }
export type CallFailure = { refusal: Refusal; pending?: PendingCall } | { fault: ToolFault }
export type ToolAnswer = { result: Outcome['result'] } | CallFailure

/** Tool call: the tool, its caller, the client's name for the audit, the deadline. */
export type ToolCall = {
  listed: ListedTool
  caller: Caller
  client: string | null
  input: unknown
  deadline?: Deadline | undefined
  /** Member who approved the call that the caller proposed. */
  approver?: string | undefined
}
