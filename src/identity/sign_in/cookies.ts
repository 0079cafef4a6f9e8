/** Returns a cookie's value in a Cookie header (RFC 6265 4.2.1). Of several, the first has the longest path. */
export const cookieOf = (header: string | undefined | null, name: string): string | undefined =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
