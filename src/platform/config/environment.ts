import { isIP } from 'node:net'

/** Environment variables. Tests pass their own. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Thrown if a setting is invalid. The message is one line for the operator. */
export class ConfigError extends Error {}

/** Reads a setting; blank counts as missing. */
export const text = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

export const list = (env: Environment, name: string): string[] =>
  (text(env, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export function wholeNumber(env: Environment, name: string, otherwise: number, most = 1_000_000, least = 0): number {
  const given = text(env, name)
  if (given === undefined) return otherwise
  if (!/^\d{1,7}$/.test(given) || Number(given) > most || Number(given) < least)
    throw new ConfigError(`${name} must be a whole number from ${least} to ${most} (got '${given}')`)
  return Number(given)
}

export function oneOf(env: Environment, name: string, choices: readonly [string, ...string[]]): string {
  const given = text(env, name) ?? choices[0]
  if (!choices.includes(given)) throw new ConfigError(`${name} must be one of ${choices.join(', ')} (got '${given}')`)
  return given
}

/** Reads an http or https address without query, fragment or a slash at its end. */
export function address(env: Environment, name: string, otherwise: string): string {
  const given = text(env, name) ?? otherwise
  const url = URL.parse(given)
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  ) {
    throw new ConfigError(
      `${name} must be an http or https address such as https://callout.example.com (got '${given.replace(/\/\/[^/@]*@/, '//…@')}')`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

export function originOf(name: string, given: string): string {
  const url = URL.parse(given)
  if (url === null || url.origin === 'null' || url.pathname !== '/') {
    throw new ConfigError(`${name} must list origins such as https://app.example.com (got '${given}')`)
  }
  return url.origin
}

export function range(given: string): string {
  const [address = '', bits, more] = given.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  if (
    isIP(address) === 0 ||
    more !== undefined ||
    (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  ) {
    throw new ConfigError(`TRUSTED_PROXIES must list addresses or ranges such as 10.0.0.0/8 (got '${given}')`)
  }
  return given
}
