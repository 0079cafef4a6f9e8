import { clip } from './jsonrpc.ts'

/**
 * Answers that there is no such name, and which was probably meant. Nearness is measured only for names of a length
 * that could be one.
 */
export function unknownName(
  kind: string,
  name: string,
  nearest: (name: string) => string | undefined,
  otherwise: string,
): string {
  const near = name.length <= 64 ? nearest(name) : undefined
  return `unknown ${kind} ${JSON.stringify(clip(name))}; ${near === undefined ? otherwise : `did you mean ${near}?`}`
}
