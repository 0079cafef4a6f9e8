import { currentLocale } from './reader.ts'

/** Returns a function that makes a formatter once for the reader's locale and what it is of, such as a time zone. */
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
