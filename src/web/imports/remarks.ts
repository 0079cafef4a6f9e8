import type { CountedRemark } from '../../imports/rows/remarks.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { shortDay } from '../../records/format/formats.ts'
import { wordFor } from '../../records/page/states.ts'
import { fieldLabel } from './labels.ts'

/** Maximum number of remarks to show. */
const MAX_REMARKS = 10

/** Returns the texts of remarks on a file, without duplicates. */
export const remarkTexts = (remarks: readonly CountedRemark[]): string[] =>
  [...new Set(remarks.map(remarkText))].slice(0, MAX_REMARKS)

/** Fields with option values, which are translated for people. */
const OPTION_FIELDS: ReadonlySet<string> = new Set(['customer_type', 'kind', 'priority', 'status'])

/** Returns the text of a remark, with its number of rows if there are several. */
function remarkText({ field, value, taken, kind, count = 1, isExample = false }: CountedRemark): string {
  const text = value.slice(0, 60)
  const newText = OPTION_FIELDS.has(field) ? wordFor(taken) : taken
  const rowCountText = count > 1 ? ` (${sayCount(count, 'one row', '{0} rows')})` : ''
  if (kind === 'day_number')
    return (
      say`${fieldLabel(field)}: Excel’s day numbers are read as dates, ${text} as ${shortDay(taken)}` + rowCountText
    )
  if (kind === 'name_order')
    return (
      say`${fieldLabel(field)}: the last name comes first, so “${text}” becomes ${taken.slice(0, 60)}` + rowCountText
    )
  if (taken !== '' && value === '') return say`${fieldLabel(field)} is missing: ${newText}` + rowCountText
  if (taken !== '') return say`${fieldLabel(field)} “${text}” becomes ${newText}` + rowCountText
  return isExample
    ? sayCount(count, '{1} “{2}” is left out', '{1} is left out in {0} rows, such as “{2}”', fieldLabel(field), text)
    : say`${fieldLabel(field)} “${text}” is left out` + rowCountText
}
