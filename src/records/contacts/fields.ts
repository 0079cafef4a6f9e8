import { refuse } from '../../platform/errors/rule_text.ts'
import { say } from '../../platform/i18n/say.ts'
import { email, flag, optional } from '../../platform/validation/fields.ts'
import { searchWords } from '../../platform/validation/text/fold.ts'
import { longText, text } from '../../platform/validation/text/text.ts'
import { erased } from '../declare/erased.ts'
import { archivedAt, field, idField, internalField, ownField, auditFields } from '../declare/field.ts'
import { record, type DraftOf, type InputOf, type RowOf } from '../declare/record.ts'
import { hiddenField, textAreaField, textField, checkboxField } from '../fields/fields.ts'
import { refusals } from './refusals.ts'

export const CONTACT = record({
  table: 'contacts',
  derive: ({ first_name, last_name }) => ({ name_folded: searchWords(first_name, last_name) }),
  fields: {
    id: idField,
    customer_id: ownField<string>({ form: ({ name }) => hiddenField(name, 'create') }),
    first_name: field(text(100).describe('Given name'), {
      label: () => say`First name`,
      text: 'customer',
      erased: erased.text,
      form: (about) => textField({ ...about, isHalf: true, help: say`A name, phone or email is enough` }),
    }),
    last_name: field(text(100).describe('Family name'), {
      label: () => say`Last name`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, isHalf: true }),
    }),
    name_folded: internalField({ text: 'customer', erased: erased.folded, isDerived: true }),
    role_label: field(text(100).describe('e.g. Site manager'), {
      onSheet: true,
      label: () => say`Role`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, help: say`Such as Site manager` }),
    }),
    email: field(optional(email()).describe('Email'), {
      label: () => say`Email`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, isHalf: true }, 'email'),
    }),
    /** In E.164. */
    phone: field(text(40).describe('Any format'), {
      label: () => say`Phone`,
      text: 'company',
      erased: erased.nothing,
      form: (about) => textField({ ...about, isHalf: true, help: say`With area code` }, 'tel'),
    }),
    phone_extension: field(
      text(10)
        .refine((digits) => digits == null || /^\d+$/.test(digits), refuse(refusals.extension()))
        .describe('Digits'),
      {
        label: () => say`Extension`,
        text: 'company',
        erased: erased.nothing,
        form: (about) => textField({ ...about, fold: 'open' }),
      },
    ),
    is_primary: field(flag().optional().describe('Main contact'), {
      label: () => say`Primary contact`,
      default: false,
      erased: erased.no,
      form: (about) =>
        checkboxField({
          ...about,
          fold: 'closed',
          help: say`Replaces the current one. The first contact is always primary.`,
        }),
    }),
    sms_opt_out: optOut('No SMS', () => say`No texts`),
    email_opt_out: optOut('No email', () => say`No email`),
    /** Time of a STOP reply from this contact's number. */
    sms_stopped_at: internalField(),
    notes: field(longText(2000).describe('Notes'), {
      label: () => say`Remarks`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textAreaField({ ...about, fold: 'open' }),
    }),
    ...auditFields,
    archived_at: archivedAt,
  },
})

export type Contact = RowOf<typeof CONTACT>
export type ContactInput = InputOf<typeof CONTACT>
export type ContactDraft = DraftOf<typeof CONTACT>

function optOut(description: string, label: () => string) {
  return field(flag().optional().describe(description), {
    label,
    default: false,
    form: (about) => checkboxField({ ...about, fold: 'open' }),
  })
}
