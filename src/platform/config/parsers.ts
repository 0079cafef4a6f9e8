import { isIP } from 'node:net'
import { ConfigError } from './setting.ts'

export const text = (value: string): string => value

/** Parses a comma-separated list. */
export const list = (value: string): readonly string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const listOf =
  <T>(parse: (part: string, name: string) => T) =>
  (value: string, name: string): readonly T[] =>
    list(value).map((part) => parse(part, name))

export const wholeNumber =
  (min = 0, max = 1_000_000) =>
  (value: string, name: string): number => {
    if (!/^\d{1,7}$/.test(value) || Number(value) > max || Number(value) < min)
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max} (got '${value}')`)
    return Number(value)
  }

export const oneOf =
  <Choice extends string>(...choices: readonly Choice[]) =>
  (value: string, name: string): Choice => {
    const choice = choices.find((one) => one === value)
    if (choice === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')} (got '${value}')`)
    return choice
  }

/** Parses an http or https address without query, fragment or user; removes slashes at its end. */
export function address(value: string, name: string): string {
  const url = URL.parse(value)
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  ) {
    throw new ConfigError(
      `${name} must be an http or https address such as https://callout.example.com (got ` +
        `'${value.replace(/\/\/[^/@]*@/, '//…@')}')`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

export function origin(value: string, name: string): string {
  const url = URL.parse(value)
  if (url === null || url.origin === 'null' || url.pathname !== '/') {
    throw new ConfigError(`${name} must list origins such as https://app.example.com (got '${value}')`)
  }
  return url.origin
}

/** Parses an IP address or a CIDR range. */
export function addressRange(value: string, name: string): string {
  const [address = '', bits, rest] = value.split('/')
  const maxBits = isIP(address) === 4 ? 32 : 128
  if (
    isIP(address) === 0 ||
    rest !== undefined ||
    (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  ) {
    throw new ConfigError(`${name} must list addresses or ranges such as 10.0.0.0/8 (got '${value}')`)
  }
  return value
}

/** Decodes percent-encoding; undefined if it is invalid. */
export function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Matches a host name or address of this machine. */
export const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
