import type { Caller } from '../access/credentials/caller.ts'
import type { Confirm } from '../access/credentials/confirm.ts'
import type { Deadline } from '../access/deadline.ts'
import type { Database } from '../db/tenant.ts'
import type { Listed } from './catalogue.ts'

/** Holds what every tool call runs with. */
export type ToolContext = {
  database: Database
  confirm: Confirm
  baseUrl: string
  /** Reports a fault that no caller can fix, with the reference the caller was given. */
  report(reference: string, error: unknown): void
}

/** Describes a call: the tool, its caller, the client's name for the audit, the deadline. */
export type ToolCall = {
  listed: Listed
  caller: Caller
  client: string | null
  given: unknown
  deadline?: Deadline | undefined
}
