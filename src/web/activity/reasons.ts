import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'
import type { UndoSkipReason } from '../../undo/reasons.ts'

/** Returns why a change can't be undone, and what a person can do instead. */
export function skipReasonText(reason: UndoSkipReason, timezone: string): string {
  switch (reason.kind) {
    case 'changed_since':
      return reason.by === null
        ? say`Callout changed it since, on ${moment(reason.at, timezone)}.`
        : say`${reason.by} changed it since, on ${moment(reason.at, timezone)}.`
    case 'later_stays':
      return say`A later change of the same record stays.`
    case 'in_use':
      return say`It is already used by ${reason.names.join(', ')}.`
    case 'no_right':
      return say`You don’t have permission to change this kind of record.`
    case 'refused':
      return 'problems' in reason ? refusalForPeople(reason) : reason.message
    case 'undone':
      return say`Already undone.`
    case 'not_kept':
      return say`Earlier values are kept for 30 days. Open the record and change it there.`
    case 'issued':
      return say`The invoice is no longer a draft. Open it to move it back to draft, or void it.`
    case 'voided':
      return say`A voided invoice stays void. Create a new one if you need it.`
    case 'accepted':
      return say`The quote was accepted. Open it to decide what happens with it.`
    case 'merged':
      return say`Merging customers can’t be undone.`
    case 'sent':
      return say`Sent messages can’t be unsent.`
    case 'money':
      return say`Payments stay. Open the invoice to undo one.`
    case 'files':
      return say`Files stay. Open the job to add or remove one.`
    case 'settings':
      return say`Change access and settings on the settings pages.`
    case 'by_customer':
      return say`The customer did this.`
    case 'taken':
      return say`Something else has taken its place.`
  }
}
