import { AsyncLocalStorage } from 'node:async_hooks'

/** Session of the current request, once it is known, and the notices written during the request. */
type Acting = { session: string | null; notices: string[] }

const ACTING = new AsyncLocalStorage<Acting>()

/** Runs a request whose session isn't known yet. */
export const withActing = <T>(work: () => T): T => ACTING.run({ session: null, notices: [] }, work)

/** Sets the session of a request. The last one counts, since a sign-in starts another. */
export function actAs(session: string): void {
  const acting = ACTING.getStore()
  if (acting !== undefined) acting.session = session
}

/** Returns the session of the current request; null at the command line, and before anybody is identified. */
export const actingSession = (): string | null => ACTING.getStore()?.session ?? null

/** Records a notice of this request, for a session that the request may start. */
export const rememberNotice = (id: string): void => void ACTING.getStore()?.notices.push(id)

/** Returns the notices of this request. */
export const noticesOfRequest = (): readonly string[] => ACTING.getStore()?.notices ?? []
