import type { ActKind } from './kind.ts'
import { late } from './late.ts'
import { note } from './note.ts'
import { part } from './part.ts'
import { payment } from './payment.ts'
import { photo } from './photo.ts'
import { status } from './status.ts'

/** Lists the kinds of acts by their names on the wire. */
export const KINDS: ReadonlyMap<string, ActKind> = new Map(Object.entries({ status, note, photo, part, payment, late }))
