import { AsyncLocalStorage } from 'node:async_hooks'
import type { Authorization } from './authorization.ts'
import type { StalePolicy } from '../clients/find_client.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'

/** Holds what the library's callbacks can't be handed of one request to the authorization server. */
export type RequestContext = {
  readonly transaction: Transaction
  /** The sender's address, for rate limits. */
  readonly sender: string
  readonly stale: StalePolicy
  /** SHA-256 of the browser's cookie; null where no browser is expected. */
  readonly browser: Buffer | null
  /** True when an authorize request names the resource. */
  readonly namesResource: boolean
  /** The authorization of a code or refresh token, once it was read. */
  authorization?: Authorization
}

export const requestContexts = new AsyncLocalStorage<RequestContext>()

export function requestContext(): RequestContext {
  const present = requestContexts.getStore()
  if (present === undefined) throw new Error('Outside a request to the authorization server')
  return present
}
