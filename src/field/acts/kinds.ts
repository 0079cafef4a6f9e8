import { checklist } from './checklist.ts'
import type { ActKind } from './kind.ts'
import { late } from './late.ts'
import { note } from './note.ts'
import { part } from './part.ts'
import { payment } from './payment.ts'
import { photo } from './photo.ts'
import { signature } from './signature.ts'
import { status } from './status.ts'
import { time, time_correction } from './time.ts'

/** Lists the kinds of acts by their names on the wire. */
export const KINDS: ReadonlyMap<string, ActKind> = new Map(
  Object.entries({ status, note, photo, part, time, time_correction, checklist, signature, payment, late }),
)

/** The kinds that only add to a visit; they wait behind no other act (docs/spec/field.md#outcomes). */
export const ADDING: ReadonlySet<string> = new Set(['note', 'photo'])
