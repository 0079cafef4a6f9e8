import { html as template } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Holds text in which everything from outside is escaped. */
export type Html = HtmlEscapedString

type Part = string | number | Html | readonly Part[]

/**
 * Makes HTML of a template and escapes everything put into it except other templates; an attribute's value is always in
 * double quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const made = template(strings, ...parts)
  if (made instanceof Promise) throw new Error('A template waits for nothing')
  return made
}

/** Returns what is shown only where a condition holds, or where there is a value; the body is not made otherwise. */
export const when = <T>(given: T, body: (given: Exclude<T, null | undefined | false>) => Html | ''): Html | '' =>
  given === null || given === undefined || given === false ? '' : body(given as Exclude<T, null | undefined | false>)
