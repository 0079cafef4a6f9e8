const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

const NO_SITES: readonly string[] = []

type PolicyOptions = { isInstalled: boolean; framedBy: readonly string[] }

function policyRule(rule: string, { isInstalled, framedBy }: PolicyOptions): string {
  if (rule.startsWith('img-src')) return isInstalled ? `${rule} blob:` : rule
  return framedBy.length > 0 && rule.startsWith('frame-ancestors') ? `frame-ancestors ${framedBy.join(' ')}` : rule
}

/**
 * Returns the headers of every page. Browsers apply `form-action` to each redirect after a form, so it is left out on
 * the one page whose form ends at another site, an app's own address. Our own site still gets the referrer: without it
 * browsers send `Origin: null` with our own forms (Fetch, "append a request Origin header"). There is no opener policy
 * here: apps open sign-in and consent as a popup, and wait for it to come back; a company's own pages get one in
 * `web/pages.ts`. The installable page has a manifest, and shows photos that it took and hasn't sent yet. `framedBy`
 * lists the sites that may embed the booking page. A worker draws the streets on a map.
 */
export const pageHeaders = ({
  leavesSite = false,
  isInstalled = false,
  hasWorker = false,
  framedBy = NO_SITES,
} = {}): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    ...POLICY.map((rule) => policyRule(rule, { isInstalled, framedBy })),
    ...(isInstalled ? ["manifest-src 'self'"] : []),
    ...(isInstalled || hasWorker ? ["worker-src 'self'"] : []),
    ...(leavesSite ? [] : ["form-action 'self'"]),
  ].join('; '),
  ...(framedBy.length > 0 ? {} : { 'X-Frame-Options': 'DENY' }),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self), payment=()',
  'Cache-Control': 'no-store',
})

/** Returns the headers of a file whose address changes with its content. A worker runs under its own file's policy. */
export const assetHeaders = (type: string, isWorker = false): Record<string, string> => ({
  'Content-Type': type,
  'Content-Security-Policy': `default-src 'none'; ${isWorker ? "connect-src 'self'; " : ''}frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Accept-Encoding',
})
