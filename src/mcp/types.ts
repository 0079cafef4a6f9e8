/** What the dispatcher needs of an admitted request; `access` makes one. Both reject when access is gone, which the door answers. */
export type Session<Caller> = {
  /** Runs work that enters the tenant, again with fresh rights when they changed meanwhile. */
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  /** Confirms that the credential still admits. */
  live(): Promise<void>
  /** Counts further messages of the request against the rate limits. */
  spend(messages: number): Promise<void>
}

/** The tools of the service as one caller-independent object; make it once, what it announces is kept with it. */
export type ToolServer<Caller> = {
  name: string
  version: string
  instructions: string
  /** JSON text of the tools array, in the order of the catalogue. */
  toolsJson: string
  hasTool(name: string): boolean
  /** The nearest wire name, for the error message. */
  nearestTool(name: string): string | undefined
  /** The names of what the tools are for, which a client may narrow them to. */
  toolsets: readonly string[]
  /** The same server with fewer tools. */
  only(part: Part): ToolServer<Caller>
  /** Never throws; `text` is the JSON of the tool's result, or `<code>: <message>`. */
  callTool(caller: Caller, name: string, args: unknown, meta: CallMeta): Promise<ToolAnswer>
}

/** What a client narrows the tools to: null is all toolsets. */
export type Part = { toolsets: ReadonlySet<string> | null; readonly: boolean }

export type CallMeta = { client: string | null }
export type ToolAnswer = { text: string; isError: boolean }

/** 2025-11-25 and older open with `initialize`; 2026-07-28 carries everything in each request. */
export type Era = 'handshake' | 'stateless'

/** What the request log says of one exchange; never arguments or results. */
export type Summary = {
  method: string | null
  tool: string | null
  era: Era | null
  /** The name the client gives itself; a handshake client says it in `initialize` alone. */
  client: string | null
  /** 499 when the client left before its answer. */
  status: number
  /** A JSON-RPC code, or the code of a tool error. */
  errorCode: number | string | null
  bytes: number
}
