import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Holds the session in whose request something happens, once it is known, and the notices that were written meanwhile.
 */
type Acting = { session: string | null; notices: string[] }

const ACTING = new AsyncLocalStorage<Acting>()

/** Runs a request whose session isn't known yet. */
export const withActing = <T>(work: () => T): T => ACTING.run({ session: null, notices: [] }, work)

/** Notes whose session a request is of; the last one counts, since signing in begins another. */
export function actAs(session: string): void {
  const acting = ACTING.getStore()
  if (acting !== undefined) acting.session = session
}

/** Returns the session in whose request this happens; null at the command line, and before anybody is recognized. */
export const actingSession = (): string | null => ACTING.getStore()?.session ?? null

/** Remembers a notice of this request, for the session that the request may begin. */
export const rememberNotice = (id: string): void => void ACTING.getStore()?.notices.push(id)

/** Returns the notices that this request wrote. */
export const noticesOfRequest = (): readonly string[] => ACTING.getStore()?.notices ?? []
