import type { Caller } from '../access/credentials/caller.ts'
import type { Confirm } from '../access/credentials/confirm.ts'
import type { Deadline } from '../access/deadline.ts'
import type { Database } from '../db/tenant.ts'
import type { Listed } from './catalogue.ts'

/** What a tool call runs on. */
export type ToolContext = {
  database: Database
  confirm: Confirm
  baseUrl: string
  /** Told of a fault that no caller can mend, with the reference the caller was given. */
  report(reference: string, error: unknown): void
}

/** A call: the tool, its caller, the client's name for the audit, how long somebody waits. */
export type ToolCall = { listed: Listed; caller: Caller; client: string | null; given: unknown; haste?: Deadline | undefined }
