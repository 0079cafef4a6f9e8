import { checklist } from './checklist.ts'
import type { ActKind } from './kind.ts'
import { note } from './note.ts'
import { signature } from './signature.ts'
import { status } from './status.ts'
import { time, time_correction } from './time.ts'

/** Lists the kinds of acts by their names on the wire. */
export const KINDS: ReadonlyMap<string, ActKind> = new Map(
  Object.entries({ status, note, time, time_correction, checklist, signature }),
)
