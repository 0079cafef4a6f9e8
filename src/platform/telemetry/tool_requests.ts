/** Log line of a finished request to the tool endpoint. A missing value is unknown. */
export type ToolLine = {
  credential?: string
  tenant?: string
  method?: string | null
  /** Requested tool or prompt. */
  tool?: string | null
  era?: string | null
  client?: string | null
  status: number
  errorCode: number | string | null
  bytes: number
  reference?: string
  /** Trace parent from the request's own `_meta`. It isn't logged. */
  traceparent?: string
}

/** Names that may become labels: protocol methods, tools and prompts. */
export type KnownNames = { isMethod(name: string): boolean; isTool(name: string): boolean }

/** Returns `ok`, `client_left`, or a code of docs/spec/interface.md#tool-errors or of the protocol; never input. */
export const outcomeOf = ({ status, errorCode }: Pick<ToolLine, 'status' | 'errorCode'>): string =>
  status === 499 ? 'client_left' : errorCode === null ? 'ok' : String(errorCode)
