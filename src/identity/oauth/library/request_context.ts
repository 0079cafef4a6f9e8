import { AsyncLocalStorage } from 'node:async_hooks'
import type { Authorization } from './authorization.ts'
import type { StalePolicy } from '../clients/find_client.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'

/** State of one request that can't be passed to the library's callbacks. */
export type RequestContext = {
  readonly transaction: Transaction
  /** Sender's address, for rate limits. */
  readonly sender: string
  readonly stale: StalePolicy
  /** SHA-256 of the browser's cookie; null if no browser is expected. */
  readonly browser: Buffer | null
  /** True if the authorize request names the resource. */
  readonly namesResource: boolean
  /** Authorization of a code or refresh token, once it has been read. */
  authorization?: Authorization
}

export const requestContexts = new AsyncLocalStorage<RequestContext>()

export function requestContext(): RequestContext {
  const context = requestContexts.getStore()
  if (context === undefined) throw new Error('Outside a request to the authorization server')
  return context
}
