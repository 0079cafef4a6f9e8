import { facts } from '../../html/facts.ts'
import { html } from '../../html/html.ts'
import { status } from '../../html/status.ts'
import { hiddenField, longField, textField, tickField } from '../../screens/fields/fields.ts'
import { moment } from '../../screens/formats.ts'
import { customerPath, recordLink } from '../../screens/links.ts'
import { part, written } from '../../screens/parts.ts'
import { mailLink, phoneLink } from '../../screens/reach.ts'
import { screen, type Action } from '../../screens/screen.ts'
import { findCustomer } from '../customers/index.ts'
import type { Results } from '../../tools/results.ts'
import { contactName, smsStoppedAt, type Contact } from './contact.ts'
import { contacts } from './tools.ts'

/** Describes a list row, which leaves out what is null. */
type Row = Results['contacts_list']['rows'][number]

const MAKE_PRIMARY: Action = { wire: 'contacts_update', given: { is_primary: true }, label: 'Make primary', kind: 'quiet' }

export const contactScreen = screen<Results['contacts_get'], Row>({
  entity: contacts,
  title: 'Contacts',
  one: 'contact',
  startsFrom: 'customer',
  listing: {
    filters: [{ kind: 'record', name: 'customer_id', of: 'customers' }],
    columns: (context) => [
      {
        label: 'Name',
        cell: (row) =>
          html`<span>${recordLink(context, 'contacts', row.id, nameOf(row))}${row.is_primary ? html` ${status('Primary', 'active')}` : ''}</span>`,
      },
      { label: 'Role', cell: ({ role_label }) => role_label ?? '–' },
      {
        label: 'Phone',
        cell: ({ phone, phone_extension }) => (phone == null ? '–' : phoneLink(phone, phone_extension)),
      },
      { label: 'E-mail', cell: ({ email }) => (email == null ? '–' : mailLink(email)) },
      { label: 'Opted out of', cell: (row) => unwanted(row) || '–' },
    ],
    empty: 'Nobody to call yet.',
    exported: [
      'id',
      'customer_id',
      'first_name',
      'last_name',
      'role_label',
      'email',
      'phone',
      'phone_extension',
      'is_primary',
      'sms_opt_out',
      'email_opt_out',
      'notes',
      'updated_at',
    ],
  },
  nameOf,
  stateOf: ({ is_primary }) => (is_primary ? status('Primary', 'active') : ''),
  leadsTo: customerPath,
  fields: [
    hiddenField('customer_id', 'create'),
    textField({ name: 'first_name', label: 'First name', help: 'A name, a phone or an e-mail is enough' }),
    textField({ name: 'last_name', label: 'Last name' }),
    textField({ name: 'role_label', label: 'Role', help: 'Such as Site manager' }),
    textField(
      {
        name: 'phone',
        label: 'Phone',
        group: 'How to reach them',
        help: 'With area code, or with country code from abroad',
      },
      'tel',
    ),
    textField({ name: 'phone_extension', label: 'Extension', group: 'How to reach them' }),
    textField({ name: 'email', label: 'E-mail', group: 'How to reach them' }, 'email'),
    tickField({
      name: 'is_primary',
      label: 'Primary contact',
      group: 'How to reach them',
      help: 'In the place of the present one; the first contact is it anyway',
    }),
    tickField({ name: 'sms_opt_out', label: 'Wants no SMS', group: 'How to reach them' }),
    tickField({ name: 'email_opt_out', label: 'Wants no e-mail', group: 'How to reach them' }),
    longField({ name: 'notes', label: 'Remarks', group: 'More' }),
  ],
  actions: (_, { is_primary }) => [
    ...(is_primary ? [] : [MAKE_PRIMARY]),
    {
      wire: 'contacts_archive',
      label: 'Archive contact',
      kind: 'danger',
      warns: `The contact is hidden, and nobody can bring it back.${is_primary ? ' The oldest other contact becomes the primary one.' : ''}`,
    },
  ],
  sheet: async (context, contact) => {
    const [customer, stopped] = await context.read((db) =>
      Promise.all([findCustomer(db, contact.customer_id), smsStoppedAt(db, contact.id)]),
    )
    return html`
${facts([
  { label: 'Customer', value: recordLink(context, 'customers', customer.id, customer.display_name) },
  ...(contact.role_label === null ? [] : [{ label: 'Role', value: contact.role_label }]),
  { label: 'Phone', value: contact.phone === null ? 'None' : phoneLink(contact.phone, contact.phone_extension) },
  { label: 'E-mail', value: contact.email === null ? 'None' : mailLink(contact.email) },
  ...(unwanted(contact) === '' ? [] : [{ label: 'Opted out of', value: unwanted(contact) }]),
  ...(stopped === null
    ? []
    : [
        {
          label: 'Answered STOP',
          value: moment(stopped, context.company.timezone),
          says: 'Wants no SMS at this number',
        },
      ]),
])}
${contact.notes === null ? '' : part('Remarks', written(contact.notes))}`
  },
})

const unwanted = ({ sms_opt_out, email_opt_out }: Pick<Contact, 'sms_opt_out' | 'email_opt_out'>): string =>
  [sms_opt_out ? 'SMS' : '', email_opt_out ? 'e-mail' : ''].filter(Boolean).join(', ')

function nameOf({ first_name = null, last_name = null, email = null, phone = null }: Partial<Contact>): string {
  return contactName({ first_name, last_name, email, phone })
}
