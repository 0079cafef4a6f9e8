import { pageHeaders } from './headers.ts'
import type { Html } from '../html/html.ts'
import type { HttpAnswer } from '../errors/http_refusal.ts'

type PageOptions = {
  status?: number
  /** Whether a form on the page may redirect to another site. */
  leavesSite?: boolean
  /** Whether phones can install the page. */
  isInstalled?: boolean
  /** Whether the page draws in a worker. */
  hasWorker?: boolean
  headers?: Readonly<Record<string, string>>
}

/** Returns a page as a response. */
export const pageResponse = (page: Html, options?: PageOptions): Response => responseOf(pageAnswer(page, options))

export const pageAnswer = (
  page: Html,
  { status = 200, leavesSite = false, isInstalled = false, hasWorker = false, headers = {} }: PageOptions = {},
): HttpAnswer => ({
  status,
  headers: { ...pageHeaders({ leavesSite, isInstalled, hasWorker }), ...headers },
  body: page.toString(),
})

/** Redirects the browser with GET. `to` is one of our own paths, or a trusted address. */
export const redirect = (to: string, headers: Readonly<Record<string, string>> = {}): Response =>
  responseOf(redirectAnswer(to, headers))

/** Returns the answer that redirects the browser with GET. */
export const redirectAnswer = (to: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status: 303,
  headers: { Location: to, 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin', ...headers },
})

/** Returns a redirect to the sign-in page, which leads back to the path. */
export const signInAnswer = (path: string): HttpAnswer => redirectAnswer(`/sign-in?to=${encodeURIComponent(path)}`)

/**
 * Returns the path of sign-in with a company's own provider, with the page to open afterwards. `isAgain` asks the
 * provider to authenticate again.
 */
export const companySignInPath = (tenant: string, to: string, isAgain = false): string =>
  `/${tenant}/sign-in?${new URLSearchParams({ to, ...(isAgain && { again: 'yes' }) }).toString()}`

export const responseOf = ({ status, headers = {}, body }: HttpAnswer): Response =>
  new Response(body ?? null, { status, headers })

/** Returns a path from a request if it is one of ours, so that a redirect there is safe; else `otherwise`. */
export function ownPath(path: string | null | undefined, otherwise = '/'): string {
  const HERE = 'https://here.invalid'
  if (!path?.startsWith('/')) return otherwise
  const url = URL.parse(path, HERE)
  return url?.origin === HERE && !url.pathname.startsWith('//') ? url.pathname + url.search : otherwise
}
