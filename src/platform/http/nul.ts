/** Removes NUL from input: none of our texts contains it, and PostgreSQL can't store it. */
export const dropNul = (text: string): string => text.replaceAll('\0', '')

/** Parses the fields of a form or a query, without NUL. */
export function parseQuery(written: string): URLSearchParams {
  const fields = new URLSearchParams(written)
  return /\0|%00/.test(written)
    ? new URLSearchParams([...fields].map(([name, value]) => [dropNul(name), dropNul(value)]))
    : fields
}

/** Returns the URL of a request without NUL. In its path, U+FFFD replaces it, which no name contains. */
export function dropNulFromAddress(address: string): string {
  if (!address.includes('%00')) return address
  const [path = '', ...query] = address.split('?')
  const named = path.replaceAll('%00', '%EF%BF%BD')
  return query.length === 0 ? named : `${named}?${parseQuery(query.join('?')).toString()}`
}
