import { IntlMessageFormat } from 'intl-messageformat'

/** Values of a message, already formatted for its reader. */
type MessageValues = Readonly<Record<string, string | number>>

const formats = new Map<string, IntlMessageFormat>()

/**
 * Formats an ICU message for a locale, such as `{count, plural, one {# visit} other {# visits}}`. All messages are in
 * the source, which bounds the cache.
 */
export function formatMessage(message: string, locale: string, values: MessageValues = {}): string {
  const key = `${locale} ${message}`
  let format = formats.get(key)
  if (format === undefined) formats.set(key, (format = new IntlMessageFormat(message, locale, {}, { ignoreTag: true })))
  return String(format.format({ ...values }))
}
