/** Returns a value that the program itself has set. Throws an error that names `what` if it is missing. */
export function requireValue<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`)
  return value
}
