import type { Scope } from '../identity/permissions/scopes.ts'
import type { Refusal } from '../platform/errors/refusal.ts'
import type { AuditedChange } from './changes.ts'
import { textBefore } from '../platform/validation/text/before.ts'

/** Reason why a change stays (docs/spec/undo.md#what-cant-be-undone). */
export type UndoSkipReason =
  /** Somebody else wrote one of its records later. `by` is null for the service itself. */
  | { kind: 'changed_since'; by: string | null; at: string }
  /** The same connection wrote one of its records later, and that change stays. */
  | { kind: 'later_stays' }
  /** Others used a record that it created. `names` lists some of those uses. */
  | { kind: 'in_use'; names: readonly string[] }
  | { kind: 'no_right'; scope: Scope }
  /** A rule of the records refuses it. */
  | { kind: 'refused'; problems: Refusal['problems'] }
  /** The same, as imports stored it before refusals were data. */
  | { kind: 'refused'; message: string }
  | { kind: SimpleReason }

type SimpleReason =
  | 'undone'
  | 'not_kept'
  | 'issued'
  | 'voided'
  | 'accepted'
  | 'merged'
  | 'sent'
  | 'money'
  | 'files'
  | 'settings'
  | 'by_customer'
  | 'taken'

/** Thrown to stop the undo of one change, which stays. The others go on. */
export class UndoBlockedError extends Error {
  readonly reason: UndoSkipReason
  constructor(reason: UndoSkipReason) {
    super(reason.kind)
    this.reason = reason
  }
}

/** Returns the reason why a change can never be undone, even if its records are unchanged; judged by its tools. */
export function finalReason({ change, entries, isUndone }: AuditedChange): UndoSkipReason | undefined {
  if (isUndone) return { kind: 'undone' }
  for (const { tool } of entries) {
    const verb = tool.slice(tool.indexOf('.') + 1)
    if (verb.endsWith('_by_link') && !UNDOABLE_VERBS.has(verb)) return { kind: 'by_customer' }
    if (!UNDOABLE_VERBS.has(verb) || !RECORD_AREAS.has(textBefore(tool, '.')))
      return { kind: FINAL_REASONS[verb] ?? 'settings' }
  }
  return change === null ? { kind: 'not_kept' } : undefined
}

const UNDOABLE_VERBS: ReadonlySet<string> = new Set([
  'create',
  'update',
  'archive',
  'delete',
  'cancel',
  'end',
  'void',
  'pin',
  'tag',
  'take_over',
  'book',
  'move_by_link',
  'cancel_by_link',
  'add_line',
  'ask_deposit',
  'add_option',
  'set_optional_lines',
  'use_template',
  'enter',
  'option_sent',
  'change_visits',
  'schedule_price',
  'set_skills',
  'cancel_price',
  'deposit_changed',
  'undo',
])

const RECORD_AREAS: ReadonlySet<string> = new Set([
  'customers',
  'contacts',
  'locations',
  'tags',
  'notes',
  'jobs',
  'job_series',
  'invoices',
  'quotes',
  'catalog_items',
  'catalog_categories',
  'plans',
  'tax_rates',
  'days_off',
])

const FINAL_REASONS: Readonly<Record<string, SimpleReason>> = {
  merge: 'merged',
  send: 'sent',
  on_my_way: 'sent',
  late: 'sent',
  record_payment: 'money',
  take_back_payment: 'money',
  deposit_drafted: 'accepted',
  accept: 'accepted',
  bill_stage: 'issued',
  option_closed: 'accepted',
  add_media: 'files',
  remove_media: 'files',
}
