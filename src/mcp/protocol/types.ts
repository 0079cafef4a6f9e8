import type { Deadline } from '../../identity/deadline.ts'
import type { Fields } from './jsonrpc.ts'

/**
 * What the dispatcher needs of an admitted request; `access` makes one. Both reject when access is gone, which the
 * endpoint answers.
 */
export type McpSession<Caller> = {
  /** Runs work that enters the tenant, again with fresh rights when they changed meanwhile. */
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  /** Confirms that the credential still admits. */
  live(): Promise<void>
  /** Counts further messages of the request against the rate limits. */
  spend(messages: number): Promise<void>
}

/**
 * Describes the service as one object for all callers; make it once, since what it announces is kept with it. Its
 * functions reject only when the session does, and with `Unavailable` when the database was; the door answers both.
 */
export type ToolServer<Caller> = {
  name: string
  version: string
  /** Returns what a model that works for this caller is told on connecting. */
  instructions(caller: Caller, deadline: Deadline): Promise<string>
  /** Keeps what a handshake client says of itself once: its software, and what it can do. */
  noteClient?(caller: Caller, client: { software: string; capabilities: unknown }): Promise<void>
  /** Takes what a handshake client answers to a request that it was sent beside an answer. */
  takeResponse?(caller: Caller, id: string, result: unknown): Promise<void>
  /** JSON text of the tools array, in the order of the catalog. */
  toolsJson: string
  /** Returns the same of those that the caller may call, where the client asked for its own alone. */
  ownToolsJson?(caller: Caller): string
  hasTool(name: string): boolean
  /** Returns how many bytes of JSON a call of a tool may have. */
  bytesOf(name: string): number
  /** Returns the nearest wire name, for the error message. */
  nearestTool(name: string): string | undefined
  /** Returns the arguments of a tool that its caller repeats in a header `Mcp-Param-…`, with what follows the dash. */
  headersOf?(name: string): ReadonlyMap<string, string> | undefined
  /** Holds what the server adds to the protocol, by the names of the extensions. */
  extensions?: Fields
  /** Names the toolsets, to which a client may narrow the tools. */
  toolsets: readonly string[]
  /** Returns the same server with fewer tools, and the resources and prompts that go with them. */
  only(part: Narrowing): ToolServer<Caller>
  callTool(caller: Caller, name: string, args: Fields, meta: CallMeta): Promise<Reply>
  /** Reads a task of the caller's connection; `absent` for any other. */
  readTask?(caller: Caller, id: string, meta: Pick<CallMeta, 'params'>): Promise<Reply>
  /** Withdraws what a task of the caller's connection waits with; nothing where that was decided. */
  cancelTask?(caller: Caller, id: string): Promise<void>
  resources: Resources<Caller>
  prompts: Prompts<Caller>
  /** Returns values for an argument of a prompt, or for a variable of a resource template. */
  complete(caller: Caller, completing: CompletionRequest): Promise<Reply>
}

export type Resources<Caller> = {
  /** Lists the templates: those of records for everybody, the others for who may read what they lead to. */
  templates(caller: Caller): readonly Fields[]
  /** Lists what changed last, as far as the caller may read it. */
  list(caller: Caller): Promise<Reply>
  /** Reads a URI; one that leads to nothing the caller may read is `absent`, whatever the reason. */
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
  /** Holds the arguments that were filled in before. */
  others: Readonly<Record<string, string>>
}

/** Filter of a client for the tools; null is all toolsets. */
export type Narrowing = {
  toolsets: ReadonlySet<string> | null
  readonly: boolean
  strict: boolean
  /** Lists only tools that the caller may call. */
  mine: boolean
  /** Names cards that draw results. */
  ui: boolean
}

export type CallMeta = {
  /** Name that the client gives itself. */
  client: string | null
  /** The params as they were sent. */
  params: Fields
  /** Reports progress to the client; set if the client asked for it. */
  progress?: Progress | undefined
  /** Asks a client of the handshake era, and says which software it is. */
  asking?: { software: string; ask(question: ClientRequest): void } | undefined
  deadline: Deadline
}
/** One request to a client, which answers it by a POST of its own. */
export type ClientRequest = { id: string; method: string; params: Fields }
export type Progress = (done: number, total?: number, message?: string) => void

/** Outcome of a request. */
export type Reply =
  /** Holds the members of its result, at least one; `code` is that of a tool error, for the log. */
  | { result: Fields; code?: string | undefined }
  /**
   * Asks what the client has to answer first; it sends the request again with `inputResponses` and the state
   * (SEP-2322).
   */
  | InputRequired
  /** Names a task, which the client asks for until it is done (io.modelcontextprotocol/tasks). */
  | { task: Fields }
  /** Refuses the request as a whole: a JSON-RPC error, with `message` for its sender. */
  | { refused: 'invalid' | 'absent' | 'internal'; message: string }

/** Holds requests to the client under names of the server's choice, in the schema of 2026-07-28. */
export type InputRequired = {
  inputRequests: Readonly<Record<string, { method: string; params: Fields }>>
  requestState?: string
}

/**
 * Names the two forms of the protocol: 2025-11-25 and older open with `initialize`; 2026-07-28 carries everything in
 * each request.
 */
export type Era = 'handshake' | 'stateless'

/** Holds what the request log says of one exchange; never arguments or results. */
export type Summary = {
  method: string | null
  /** Names the requested tool or prompt. */
  tool: string | null
  era: Era | null
  /** Name that the client gives itself; a handshake client sends it only in `initialize`. */
  client: string | null
  /** 499 when the client left before its answer. */
  status: number
  /** JSON-RPC code, or the code of a tool error. */
  errorCode: number | string | null
  bytes: number
  /** W3C Trace Context in the `_meta` of a request, as it was sent; for traces, not for the log. */
  traceparent?: string
}
