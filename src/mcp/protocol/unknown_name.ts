import { clip } from './jsonrpc.ts'

/** Reports an unknown name and suggests the nearest one. Measures the distance only for names of a plausible length. */
export function unknownName(
  kind: string,
  name: string,
  nearest: (name: string) => string | undefined,
  fallback: string,
): string {
  const suggestion = name.length <= 64 ? nearest(name) : undefined
  return `unknown ${kind} ${JSON.stringify(clip(name))}; ${suggestion === undefined ? fallback : `did you mean ${suggestion}?`}`
}
