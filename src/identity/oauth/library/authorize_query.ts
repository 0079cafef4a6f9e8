import { RESOURCE_SCOPE, SCOPES } from '../metadata.ts'
import { textBefore } from '../../../platform/validation/text/before.ts'
import { parseQuery } from '../../../platform/http/nul.ts'

/**
 * Rewrites an authorize request's query for the library. `scope` keeps only known names, so that a missing or unknown
 * one changes nothing. `state` is encoded, so that it comes back byte for byte.
 */
export function toLibraryQuery(query: string): { query: string; namesResource: boolean } {
  const pairs = query.split('&').filter((pair) => pair !== '')
  const pairsNamed = (name: string): string[] => pairs.filter((pair) => nameOf(pair) === name)
  const scopes = scopesOf(pairsNamed('scope'))
  const isOpenId = scopes.some((pair) => /[=+]openid\b/.test(pair))
  const others = pairs
    .filter((pair) => !['scope', 'state'].includes(nameOf(pair)) && (isOpenId || !OPENID_ONLY.has(nameOf(pair))))
    .map((pair) => (pair.includes('%00') ? parseQuery(pair).toString() : pair))
  const states = pairsNamed('state')
    .filter((pair) => valueOf(pair) !== '')
    .map((pair) => `state=${Buffer.from(valueOf(pair)).toString('base64url')}`)
  return {
    query: [...others, ...states, ...scopes].join('&'),
    namesResource: pairsNamed('resource').some((pair) => valueOf(pair) !== ''),
  }
}

/** Restores the client's original state in a redirect URL. */
export function restoreState(location: string): string {
  return location.replace(
    /([?&]state=)([\w-]+)(?=&|$)/,
    (_all, name: string, wrapped: string) => name + Buffer.from(wrapped, 'base64url').toString(),
  )
}

/** Parameters without meaning outside OpenID Connect, which the library would refuse instead of ignoring. */
const OPENID_ONLY: ReadonlySet<string> = new Set(['nonce', 'max_age', 'acr_values', 'claims_locales', 'id_token_hint'])

/** Filters the scopes. A repeated scope parameter stays as it is, and is refused like any repeated parameter. */
function scopesOf(pairs: readonly string[]): string[] {
  if (pairs.length > 1) return [...pairs]
  const names = decodeText(valueOf(pairs[0] ?? '')).split(/\s+/)
  return [`scope=${[...SCOPES.filter((name) => names.includes(name)), RESOURCE_SCOPE].join('+')}`]
}

const nameOf = (pair: string): string => decodeText(textBefore(pair, '='))
const valueOf = (pair: string): string => (pair.includes('=') ? pair.slice(pair.indexOf('=') + 1) : '')

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return ''
  }
}
