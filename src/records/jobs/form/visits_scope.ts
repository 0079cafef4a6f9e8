import { say, sayCount } from '../../../platform/i18n/say.ts'
import { isRecord } from '../../../platform/validation/is_record.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { choiceField } from '../../fields/fields.ts'
import type { FormField } from '../../fields/form_field.ts'
import type { Screen } from '../../page/screen.ts'
import { refusals } from '../refusals.ts'

const SCOPE = 'scope'

/** Builds the choice of the visits that a change applies to; only jobs of a series have it. */
export const scopeField = (): FormField => ({
  ...choiceField({
    name: SCOPE,
    label: say`Apply changes to`,
    help: say`Visits keep their own changes, such as their time.`,
    options: [
      { value: 'following', label: say`This and the following visits` },
      { value: 'all', label: say`All visits ahead` },
    ],
    none: say`This visit`,
    on: 'update',
  }),
  isFor: (context, values) => values.has('series_id') && context.may('write:job_series'),
})

/** Fields that can be changed only on a single visit. */
const SINGLE_VISIT_FIELDS: readonly string[] = ['status', 'all_day', 'fields']

/** Returns the tool call that changes several visits of a series; undefined for this visit alone. */
export const visitsSaveCall: NonNullable<Screen['saveCall']> = (record, { [SCOPE]: scope, ...changes }) => {
  if (scope === undefined) return undefined
  const single = SINGLE_VISIT_FIELDS.find((name) => name in changes)
  if (single !== undefined) throw invalidField(single, refusals.oneVisitOnly())
  return {
    wire: 'job_series_change_visits',
    input: { id: record['series_id'], visit: record.id, scope, ...changes },
    notice: noticeOf,
  }
}

function noticeOf(done: object): string {
  const visits = isRecord(done) ? done['visits'] : undefined
  const { changed, kept } = isRecord(visits) ? visits : {}
  const sentence = sayCount(Number(changed ?? 0), 'Changed one visit', 'Changed {0} visits')
  if (Number(kept ?? 0) === 0) return sentence
  const rest = sayCount(Number(kept), 'One keeps its own changes.', '{0} keep their own changes.')
  return `${sentence}. ${rest}`
}
