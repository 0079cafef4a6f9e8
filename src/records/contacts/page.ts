import { facts } from '../../platform/html/parts/facts.ts'
import { html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { moment } from '../format/formats.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { customerPath, recordLink } from '../page/links.ts'
import { part, multilineText } from '../page/parts.ts'
import { mailLink, phoneLink } from '../page/contact_links.ts'
import { screen, type Action } from '../page/screen.ts'
import { findCustomer } from '../customers/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import { contactName } from './contact.ts'
import { smsStoppedAt } from './contact_addresses.ts'
import { CONTACT, type Contact } from './fields.ts'
import { contacts } from './tools.ts'

/** List row, without null fields. */
type Row = Results['contacts_list']['rows'][number]

const makePrimary = (): Action => ({
  wire: 'contacts_update',
  input: { is_primary: true },
  label: say`Make primary`,
  kind: 'quiet',
})

export const contactScreen = screen<Results['contacts_get'], Row>({
  entity: contacts,
  get title() {
    return say`Contacts`
  },
  get singular() {
    return say`contact`
  },
  startsFrom: 'customer',
  listing: {
    filters: () => [{ kind: 'record', name: 'customer_id', of: 'customers' }],
    columns: (context) => [
      {
        name: 'name',
        label: say`Name`,
        cell: (row) =>
          html`<span>${recordLink(
            context,
            'contacts',
            row.id,
            nameOf(row),
          )}${row.is_primary ? html` ${status(say`Primary`, 'active')}` : ''}</span>`,
      },
      { name: 'role', label: say`Role`, cell: ({ role_label }) => role_label ?? '' },
      {
        name: 'phone',
        label: say`Phone`,
        cell: ({ phone, phone_extension }) => (phone == null ? '' : phoneLink(phone, phone_extension)),
      },
      { name: 'email', label: say`Email`, cell: ({ email }) => (email == null ? '' : mailLink(email)) },
      { name: 'opted_out', label: say`Opted out`, cell: (row) => optOutText(row), onPhone: 'labeled' },
    ],
    get empty() {
      return say`No contacts yet.`
    },
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
  stateOf: ({ is_primary }) => (is_primary ? status(say`Primary`, 'active') : ''),
  parentPath: customerPath,
  get fields() {
    return formFields(CONTACT, ['customer_id', 'first_name', 'last_name', 'phone', 'email', 'role_label'])
  },
  actions: (_, { is_primary }) => [
    ...(is_primary ? [] : [makePrimary()]),
    {
      wire: 'contacts_archive',
      label: say`Archive contact`,
      kind: 'danger',
      warning: is_primary
        ? say`The contact is hidden for good. The oldest other contact becomes the primary one.`
        : say`The contact is hidden for good.`,
    },
  ],
  sheet: async (context, contact) => {
    const [customer, stopped] = await context.read((db) =>
      Promise.all([findCustomer(db, contact.customer_id), smsStoppedAt(db, contact.id)]),
    )
    return html`
${facts([
  { label: say`Customer`, value: recordLink(context, 'customers', customer.id, customer.display_name) },
  ...sheetFacts(context, CONTACT, contact),
  { label: say`Phone`, value: contact.phone === null ? say`None` : phoneLink(contact.phone, contact.phone_extension) },
  { label: say`Email`, value: contact.email === null ? say`None` : mailLink(contact.email) },
  ...(optOutText(contact) === '' ? [] : [{ label: say`Opted out`, value: optOutText(contact) }]),
  ...(stopped === null
    ? []
    : [
        {
          label: say`Replied STOP`,
          value: moment(stopped, context.company.timezone),
          says: say`No texts to this number`,
        },
      ]),
])}
${contact.notes === null ? '' : part(say`Remarks`, multilineText(contact.notes))}`
  },
})

const optOutText = ({ sms_opt_out, email_opt_out }: Pick<Contact, 'sms_opt_out' | 'email_opt_out'>): string =>
  [sms_opt_out ? say`texts` : '', email_opt_out ? say`email` : ''].filter(Boolean).join(', ')

function nameOf({ first_name = null, last_name = null, email = null, phone = null }: Partial<Contact>): string {
  return contactName({ first_name, last_name, email, phone })
}
