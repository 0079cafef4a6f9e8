import type { Deadline } from '../access/deadline.ts'
import type { Fields } from './jsonrpc.ts'

/** What the dispatcher needs of an admitted request; `access` makes one. Both reject when access is gone, which the door answers. */
export type McpSession<Caller> = {
  /** Runs work that enters the tenant, again with fresh rights when they changed meanwhile. */
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  /** Confirms that the credential still admits. */
  live(): Promise<void>
  /** Counts further messages of the request against the rate limits. */
  spend(messages: number): Promise<void>
}

/**
 * The service as one caller-independent object; make it once, what it announces is kept with it. Its functions throw for the
 * session alone, and `Unavailable` when the database was, which the door answers too.
 */
export type ToolServer<Caller> = {
  name: string
  version: string
  instructions: string
  /** JSON text of the tools array, in the order of the catalogue. */
  toolsJson: string
  hasTool(name: string): boolean
  /** How many bytes of JSON a call of a tool may have. */
  bytesOf(name: string): number
  /** The nearest wire name, for the error message. */
  nearestTool(name: string): string | undefined
  /** The arguments of a tool that its caller repeats in a header `Mcp-Param-…`, with what follows the dash. */
  headersOf?(name: string): ReadonlyMap<string, string> | undefined
  /** The names of what the tools are for, which a client may narrow them to. */
  toolsets: readonly string[]
  /** The same server with fewer tools, and the resources and prompts that go with them. */
  only(part: Narrowing): ToolServer<Caller>
  callTool(caller: Caller, name: string, args: Fields, meta: CallMeta): Promise<Reply>
  resources: Resources<Caller>
  prompts: Prompts<Caller>
  /** Values for an argument of a prompt, or for a variable of a resource template. */
  complete(caller: Caller, completing: Completing): Promise<Reply>
}

export type Resources<Caller> = {
  /** JSON text of the templates array, the same for every caller. */
  templatesJson: string
  /** What the caller may read of what changed last. */
  list(caller: Caller): Promise<Reply>
  /** A URI that leads to nothing the caller may read is `absent`, whatever the reason. */
  read(caller: Caller, uri: string, meta: CallMeta): Promise<Reply>
}

export type Prompts<Caller> = {
  has(name: string): boolean
  nearest(name: string): string | undefined
  /** Those that the caller may use. */
  list(caller: Caller): readonly Fields[]
  get(caller: Caller, name: string, args: Fields, meta: CallMeta): Promise<Reply>
}

/** What is completed: one argument of a prompt, or one variable of a template, as far as it is typed. */
export type Completing = { of: 'prompt' | 'template'; name: string; argument: string; typed: string }

/** What a client narrows the tools to: null is all toolsets. */
export type Narrowing = { toolsets: ReadonlySet<string> | null; readonly: boolean; strict: boolean }

export type CallMeta = {
  /** The name the client gives itself. */
  client: string | null
  /** As they were sent. */
  params: Fields
  /** Tells the client how far the work is; there when it asked to be told. */
  progress?: Progress | undefined
  haste: Deadline
}
export type Progress = (done: number, total?: number, message?: string) => void

/** What a request came to. */
export type Reply =
  /** The members of its result, one at least; `code` is that of a tool error, for the log. */
  | { result: Fields; code?: string | undefined }
  /** What the client has to answer first; it sends the request again with `inputResponses` and the state (SEP-2322). */
  | InputRequired
  /** Turned down as a whole: a JSON-RPC error, with `message` for its sender. */
  | { refused: 'invalid' | 'absent' | 'internal'; message: string }

/** Requests to the client under names of the server's choice, in the schema of 2026-07-28. */
export type InputRequired = { inputRequests: Readonly<Record<string, { method: string; params: Fields }>>; requestState?: string }

/** 2025-11-25 and older open with `initialize`; 2026-07-28 carries everything in each request. */
export type Era = 'handshake' | 'stateless'

/** What the request log says of one exchange; never arguments or results. */
export type Summary = {
  method: string | null
  /** The tool or prompt that was asked for. */
  tool: string | null
  era: Era | null
  /** The name the client gives itself; a handshake client says it in `initialize` alone. */
  client: string | null
  /** 499 when the client left before its answer. */
  status: number
  /** A JSON-RPC code, or the code of a tool error. */
  errorCode: number | string | null
  bytes: number
  /** W3C Trace Context in the `_meta` of a request, as it was sent; for traces, not for the log. */
  traceparent?: string
}
