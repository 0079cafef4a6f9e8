/** Removes NUL from input: none of our texts contains it, and PostgreSQL can't store it. */
export const dropNul = (text: string): string => text.replaceAll('\0', '')

/** Parses the fields of a form or a query, without NUL. */
export function parseQuery(text: string): URLSearchParams {
  const fields = new URLSearchParams(text)
  return /\0|%00/.test(text)
    ? new URLSearchParams([...fields].map(([name, value]) => [dropNul(name), dropNul(value)]))
    : fields
}

/** Returns the URL of a request without NUL. In its path, U+FFFD replaces it, which no name contains. */
export function dropNulFromUrl(url: string): string {
  if (!url.includes('%00')) return url
  const [path = '', ...query] = url.split('?')
  const cleanPath = path.replaceAll('%00', '%EF%BF%BD')
  return query.length === 0 ? cleanPath : `${cleanPath}?${parseQuery(query.join('?')).toString()}`
}
