/** Drops NUL from a text that somebody typed: no text of ours holds it, and PostgreSQL keeps none that does. */
export const dropNul = (text: string): string => text.replaceAll('\0', '')

/** Returns the fields of a form or a query without NUL. */
export function parseQuery(written: string): URLSearchParams {
  const fields = new URLSearchParams(written)
  return /\0|%00/.test(written)
    ? new URLSearchParams([...fields].map(([name, value]) => [dropNul(name), dropNul(value)]))
    : fields
}

/** Returns the address of a request without NUL. In its path a character stands there by which nothing is named. */
export function dropNulFromAddress(address: string): string {
  if (!address.includes('%00')) return address
  const [path = '', ...query] = address.split('?')
  const named = path.replaceAll('%00', '%EF%BF%BD')
  return query.length === 0 ? named : `${named}?${parseQuery(query.join('?')).toString()}`
}
