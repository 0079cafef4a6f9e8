import type { IncomingHttpHeaders } from 'node:http'
import type { Deadline } from '../../identity/deadline.ts'
import type { Request } from './jsonrpc.ts'
import type { Era, Progress, ClientRequest } from './types.ts'

/** Request in progress. `client` is the name its sender gave itself, `bytes` the length of its JSON. */
export type Exchange = {
  era: Era
  message: Request
  client: string | null
  headers: IncomingHttpHeaders
  bytes: number
  deadline: Deadline
  progress?: Progress | undefined
  /** Sends a handshake client a request of ours before the answer; unset in a batch. */
  sendRequest?: ((question: ClientRequest) => void) | undefined
}

/** Answer: `closing` is the JSON that follows the id; `tool` and `errorCode` are for the log. */
export type Answer = {
  status: number
  closing: string | Buffer
  tool: string | null
  errorCode: number | string | null
}
