import { html as template } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** HTML in which all input is escaped. */
export type Html = HtmlEscapedString

type Part = string | number | Html | readonly Part[]

/**
 * Builds HTML from a template and escapes every value except other templates. Attribute values must be in double
 * quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const result = template(strings, ...parts)
  if (result instanceof Promise) throw new Error('A template waits for nothing')
  return result
}

/** Returns the body if the condition is true or the value is set. Otherwise doesn't create it. */
export const when = <T>(value: T, body: (value: Exclude<T, null | undefined | false>) => Html | ''): Html | '' =>
  isSet(value) ? body(value) : ''

/** Returns an attribute with the space before it, or nothing: ` checked`, ` aria-current="page"`. */
export const attribute = (name: string, isOn: boolean, value?: string): Html | '' =>
  when(isOn, () => (value === undefined ? html` ${name}` : html` ${name}="${value}"`))

const isSet = <T>(value: T): value is Exclude<T, null | undefined | false> =>
  value !== null && value !== undefined && value !== false
