import { say } from '../../../platform/i18n/say.ts'
import { shareField } from '../../fields/discount_field.ts'
import { textField } from '../../fields/fields.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { Action } from '../../page/screen.ts'

/** Returns the action that bills a stage of a quote, or of a job without one. */
export const stageAction = ({ may }: PageContext, of: 'quote' | 'job'): Action => ({
  wire: 'invoices_bill_stage',
  ...(of === 'job' && { input: { of } }),
  label: say`Bill a stage`,
  kind: of === 'job' ? 'quiet' : 'plain',
  notice: say`The stage is drafted as an invoice. Check and send it below.`,
  isHidden: !may('write:invoices'),
  warning: say`A deposit or partial bill, up to the amount left to bill. The final invoice deducts it and includes the tax.`,
  fields: [
    textField({ name: 'name', label: say`Stage`, isRequired: true, help: say`Such as: rough-in done` }),
    shareField({ name: 'share', label: say`Amount`, unit: say`Amount in` }),
  ],
})
