/** A finished request to the tool endpoint, as logged. A missing value was never known. */
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
  /** Comes from the request's own `_meta`; it is not for the log. */
  traceparent?: string
}

/** Names that may become labels: protocol methods, tools and prompts. */
export type KnownNames = { isMethod(name: string): boolean; isTool(name: string): boolean }

/** `ok`, or a code of docs/spec/interface.md#tool-errors or of the protocol; never what somebody sent. */
export const outcomeOf = ({ status, errorCode }: Pick<ToolLine, 'status' | 'errorCode'>): string =>
  status === 499 ? 'client_left' : errorCode === null ? 'ok' : String(errorCode)
