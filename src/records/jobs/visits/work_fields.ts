import { z } from 'zod'
import { raw, sql } from '../../../platform/db/database.ts'
import { say } from '../../../platform/i18n/say.ts'
import { choice, flag, wholeNumber } from '../../../platform/validation/fields.ts'
import { longText, nonEmptyText } from '../../../platform/validation/text/text.ts'
import { erased } from '../../declare/erased.ts'
import { draftField, field, internalField, ownField } from '../../declare/field.ts'
import { members, wordOptions } from '../../fields/choices.ts'
import { choiceField, choicesField, textAreaField, numberField, textField } from '../../fields/fields.ts'
import type { FormField } from '../../fields/form_field.ts'
import { documentParts, lineItemsField } from '../../line_items/fields.ts'
import { lineItems } from '../../line_items/inputs.ts'
import { memberInput } from './crew.ts'

export type Assignment = { user_id: string; name: string }

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

/** Authors of the texts in lines, and of the names in a crew. */
export const workParts = { line_items: documentParts.line_items, assignments: { name: 'company' } } as const

/** Fields that describe the work. */
export const descriptionFields = {
  title: field(nonEmptyText(200).describe('Work to do'), {
    label: () => say`Title`,
    text: 'customer',
    erased: erased.text,
    form: (about) => textField({ ...about, isRequired: true }),
  }),
  description: field(longText(5000).describe('For the customer'), {
    label: () => say`Description`,
    text: 'customer',
    erased: erased.nothing,
    form: (about) => textAreaField({ ...about, fold: 'open', help: say`The customer may read it`, rows: 3 }),
  }),
  instructions: field(longText(5000).describe('For the crew'), {
    label: () => say`Instructions`,
    text: 'customer',
    erased: erased.nothing,
    form: (about) =>
      textAreaField({ ...about, fold: 'open', help: say`Only technicians and the office see these`, rows: 3 }),
  }),
}

export const foldedTitle = internalField({ text: 'customer', erased: erased.folded, isDerived: true })

export const priorityField = (layout: Pick<FormField, 'isHalf'> = {}) =>
  field(
    choice(...PRIORITIES)
      .optional()
      .describe('Urgency'),
    {
      label: () => say`Priority`,
      text: 'company',
      default: 'normal',
      form: (about) =>
        choiceField({
          ...about,
          ...layout,
          fold: 'closed',
          options: wordOptions('normal', ...PRIORITIES.filter((one) => one !== 'normal')),
        }),
    },
  )

export const durationField = (label: () => string, help?: () => string) =>
  field(wholeNumber(5, 20_160).optional().describe('Minutes'), {
    label,
    default: 60,
    form: (about) => numberField({ ...about, isHalf: true, ...(help && { help: help() }) }),
  })

export const allDayInput = () => flag().optional().describe('Any time of day')

export const arrivalWindow = field(wholeNumber(0, 480).optional().describe('Minutes'), {
  label: () => say`Arrival window in minutes`,
  default: 0,
  form: (about) => numberField({ ...about, fold: 'closed', isHalf: true }),
})

/** Returns the fields for the crew, the lines and their sum, in a table with this alias. */
export const crewAndLines = (alias: string) => ({
  assignments: ownField<Assignment[]>({ isComputed: true, reads: () => sql`crew(${raw(`${alias}.assignee_ids`)})` }),
  /** Input that the service resolves into `assignee_ids`. */
  assignees: {
    ...draftField(z.array(memberInput()).max(20).optional().describe('Ids, emails or names'), {
      label: () => say`Technicians`,
      form: (about) =>
        choicesField({
          ...about,
          from: 'assignments',
          options: members,
          valuesOf: (value) => ((value ?? []) as readonly Assignment[]).map(({ user_id }) => user_id),
        }),
    }),
    ...internalField({ isComputed: true }),
  },
  /** User ids of members, in the order they were named. */
  assignee_ids: internalField(),
  line_items: lineItemsField(lineItems(), { hasTax: false, label: () => say`Work and parts` }),
  /** Sum before discounts and tax, in the currency's minor unit. */
  subtotal_cents: ownField<number>(),
})
