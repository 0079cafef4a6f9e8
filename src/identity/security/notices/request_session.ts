import { AsyncLocalStorage } from 'node:async_hooks'

/** Session of the current request, once it is known, and the notices written during the request. */
type RequestSession = { session: string | null; notices: string[] }

const requestSessions = new AsyncLocalStorage<RequestSession>()

/** Runs a request whose session isn't known yet. */
export const withRequestSession = <T>(work: () => T): T => requestSessions.run({ session: null, notices: [] }, work)

/** Sets the session of a request. The last one counts, since a sign-in starts another. */
export function setRequestSession(session: string): void {
  const current = requestSessions.getStore()
  if (current !== undefined) current.session = session
}

/** Returns the session of the current request; null at the command line, and before anybody is identified. */
export const requestSession = (): string | null => requestSessions.getStore()?.session ?? null

/** Records a notice of this request, for a session that the request may start. */
export const rememberNotice = (id: string): void => void requestSessions.getStore()?.notices.push(id)

/** Returns the notices of this request. */
export const noticesOfRequest = (): readonly string[] => requestSessions.getStore()?.notices ?? []
