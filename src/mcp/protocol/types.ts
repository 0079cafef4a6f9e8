import type { Deadline } from '../../identity/deadline.ts'
import type { Fields } from './jsonrpc.ts'

/**
 * Session of an authenticated request, created by `access`. `run` and `confirmAccess` reject once access is gone; the
 * caller of the endpoint answers that.
 */
export type McpSession<Caller> = {
  /** Runs work in the tenant, and again with fresh rights if they changed meanwhile. */
  run<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  /** Confirms that the credential is still valid. */
  confirmAccess(): Promise<void>
  /** Counts the further messages of a request against the rate limits. */
  countMessages(messages: number): Promise<void>
}

/**
 * Service as one object for all callers. Create it once, since its announcement is cached with it. Its functions reject
 * only when the session does, and with `Unavailable` when the database is; the HTTP layer answers both.
 */
export type ToolServer<Caller> = {
  name: string
  version: string
  /** Returns the instructions that this caller's model receives on connecting. */
  instructions(caller: Caller, deadline: Deadline): Promise<string>
  /** Stores what a handshake client declares once: its software and its capabilities. */
  noteClient?(caller: Caller, client: { software: string; capabilities: unknown }): Promise<void>
  /** Accepts a handshake client's response to a request of ours. */
  acceptResponse?(caller: Caller, id: string, result: unknown): Promise<void>
  /** JSON text of the tools array, in the order of the catalog. */
  toolsJson: string
  /** Returns the tools array for one caller; set if the client asked for its own tools or for cards. */
  ownToolsJson?(caller: Caller): string
  hasTool(name: string): boolean
  /** Returns the maximum size of a tool call, in bytes of JSON. */
  bytesOf(name: string): number
  /** Returns the nearest wire name, for the error message. */
  nearestTool(name: string): string | undefined
  /** Returns the arguments of a tool that callers repeat in `Mcp-Param-…` headers, each with the header's suffix. */
  headersOf?(name: string): ReadonlyMap<string, string> | undefined
  /** Protocol extensions of the server, by name. */
  extensions?: Fields
  /** Toolsets by which a client may narrow the tools. */
  toolsets: readonly string[]
  /** Returns the server with fewer tools, and with the resources and prompts that go with them. */
  narrow(part: Narrowing): ToolServer<Caller>
  callTool(caller: Caller, name: string, args: Fields, meta: CallMeta): Promise<Reply>
  /** Reads a task of the caller's connection; `absent` for any other. */
  readTask?(caller: Caller, id: string, meta: Pick<CallMeta, 'params'>): Promise<Reply>
  /** Withdraws the proposal of a task of the caller's connection. Does nothing if it is already decided. */
  cancelTask?(caller: Caller, id: string): Promise<void>
  resources: Resources<Caller>
  prompts: Prompts<Caller>
  /** Completes an argument of a prompt, or a variable of a resource template. */
  complete(caller: Caller, completing: CompletionRequest): Promise<Reply>
}

export type Resources<Caller> = {
  /** Lists the templates: those of records for everybody, those of overviews for callers who may read them. */
  templates(caller: Caller): readonly Fields[]
  /** Lists the recently changed records that the caller may read. */
  list(caller: Caller): Promise<Reply>
  /** Reads a URI. Answers `absent` if it leads to nothing the caller may read, whatever the reason. */
  read(caller: Caller, uri: string, meta: CallMeta): Promise<Reply>
}

export type Prompts<Caller> = {
  has(name: string): boolean
  nearest(name: string): string | undefined
  /** Lists the prompts that the caller may use. */
  list(caller: Caller): readonly Fields[]
  get(caller: Caller, name: string, args: Fields, meta: CallMeta): Promise<Reply>
}

/** Completion of one argument of a prompt, or one variable of a template, from the text entered so far. */
export type CompletionRequest = {
  of: 'prompt' | 'template'
  name: string
  argument: string
  typed: string
  /** Arguments filled in before. */
  others: Readonly<Record<string, string>>
}

/** Tool filter of a client; null stands for all toolsets. */
export type Narrowing = {
  toolsets: ReadonlySet<string> | null
  readonly: boolean
  strict: boolean
  /** Lists only the tools that the caller may call. */
  mine: boolean
  /** Adds the cards that draw results. */
  ui: boolean
}

export type CallMeta = {
  /** Name that the client gives itself. */
  client: string | null
  /** Params as sent. */
  params: Fields
  /** Reports progress to the client; set if the client asked for it. */
  progress?: Progress | undefined
  /** Channel to ask a handshake client, and the software that it names. */
  clientChannel?: { software: string; sendRequest(request: ClientRequest): void } | undefined
  deadline: Deadline
}
/** Request to a client, which answers it with a POST of its own. */
export type ClientRequest = { id: string; method: string; params: Fields }
export type Progress = (done: number, total?: number, message?: string) => void

/** Outcome of a request. */
export type Reply =
  /** Members of the result, at least one. `code` is the code of a tool error, for the log. */
  | { result: Fields; code?: string | undefined }
  /**
   * Input that the client has to provide first. It sends the request again with `inputResponses` and the state
   * (SEP-2322).
   */
  | InputRequired
  /** Task that the client polls until it is done (io.modelcontextprotocol/tasks). */
  | { task: Fields }
  /** JSON-RPC error for the request as a whole, with `message` for its sender. */
  | { refused: 'invalid' | 'absent' | 'internal'; message: string }

/** Requests to the client under names of the server's choice, in the schema of 2026-07-28. */
export type InputRequired = {
  inputRequests: Readonly<Record<string, { method: string; params: Fields }>>
  requestState?: string
}

/**
 * Forms of the protocol: 2025-11-25 and older open with `initialize`; 2026-07-28 carries everything in each request.
 */
export type Era = 'handshake' | 'stateless'

/** Log entry of one exchange; never arguments or results. */
export type Summary = {
  method: string | null
  /** Requested tool or prompt. */
  tool: string | null
  era: Era | null
  /** Name that the client gives itself; a handshake client sends it only in `initialize`. */
  client: string | null
  /** HTTP status; 499 if the client disconnected before its answer. */
  status: number
  /** JSON-RPC code, or the code of a tool error. */
  errorCode: number | string | null
  bytes: number
  /** W3C Trace Context from the `_meta` of a request, as sent; for traces, not for the log. */
  traceparent?: string
}
