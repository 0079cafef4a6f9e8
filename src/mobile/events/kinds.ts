import { checklist } from './kinds/checklist.ts'
import { equipment } from './kinds/equipment.ts'
import type { EventKind } from './kind.ts'
import { invoice } from './kinds/invoice.ts'
import { late } from './late.ts'
import { note } from './kinds/note.ts'
import { part } from './kinds/part.ts'
import { payment } from './kinds/payment.ts'
import { photo } from './kinds/photo.ts'
import { quote, quote_signature } from './kinds/quote.ts'
import { receipt } from './kinds/receipt.ts'
import { signature } from './kinds/signature.ts'
import { status } from './kinds/status.ts'
import { time, time_correction } from './kinds/time.ts'

/** Kinds of events by their names on the wire. */
export const EVENT_KINDS: ReadonlyMap<string, EventKind> = new Map(
  Object.entries({
    status,
    note,
    photo,
    part,
    time,
    time_correction,
    checklist,
    equipment,
    signature,
    invoice,
    payment,
    quote,
    quote_signature,
    receipt,
    late,
  }),
)

/** Kinds that only add to a visit; no failed event blocks them (docs/spec/field.md#outcomes). */
export const ADDITIVE_KINDS: ReadonlySet<string> = new Set(['note', 'photo'])
