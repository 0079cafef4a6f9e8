import { clip } from './jsonrpc.ts'

/** Reports an unknown name and suggests the nearest one. Measures the distance only for names of a plausible length. */
export function unknownName(
  kind: string,
  name: string,
  nearest: (name: string) => string | undefined,
  otherwise: string,
): string {
  const near = name.length <= 64 ? nearest(name) : undefined
  return `unknown ${kind} ${JSON.stringify(clip(name))}; ${near === undefined ? otherwise : `did you mean ${near}?`}`
}
