import { currentLocale } from './reader.ts'

/** Returns a function that caches formatters by the reader's locale and a key, such as a time zone. */
export function formatters<T>(make: (locale: string, of: string) => T): (of: string) => T {
  const existing = new Map<string, T>()
  return (of) => {
    const locale = currentLocale()
    const key = `${locale} ${of}`
    let formatter = existing.get(key)
    if (formatter === undefined) existing.set(key, (formatter = make(locale, of)))
    return formatter
  }
}

const counts = formatters((locale) => new Intl.NumberFormat(locale))

/** Formats a number in the reader's language, such as 1,234. */
export const formatCount = (count: number): string => counts('').format(count)
