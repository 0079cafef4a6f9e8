import { sql } from '../../platform/db/database.ts'
import { say } from '../../platform/i18n/say.ts'
import { choice, country, degrees, flag, id, optional } from '../../platform/validation/fields.ts'
import { longText, nonEmptyText, text } from '../../platform/validation/text/text.ts'
import { erased } from '../declare/erased.ts'
import { archivedAt, field, idField, ownField, auditFields } from '../declare/field.ts'
import { record, type DraftOf, type InputOf, type ListRowOf, type RowOf } from '../declare/record.ts'
import { taxRates } from '../fields/choices.ts'
import { choiceField, textAreaField, numberField, textField, checkboxField } from '../fields/fields.ts'

type AddressParts = Record<'address_line1' | 'country', string> &
  Record<'address_line2' | 'city' | 'region' | 'postal_code', string | null>

export const LOCATION = record({
  table: 'locations',
  unlisted: ['access_notes', 'created_by', 'updated_by', 'archived_at'],
  derive: (location) => ({ formatted_address: formatAddress(location) }),
  fields: {
    id: idField,
    customer_id: ownField<string>(),
    type: field(choice('service', 'billing').optional().describe('Default service'), {
      label: () => say`Type`,
      text: 'company',
      default: 'service',
      form: (about) =>
        choiceField({
          ...about,
          isHalf: true,
          options: [
            { value: 'service', label: say`Service: where work is done` },
            { value: 'billing', label: say`Billing: where invoices go` },
          ],
        }),
    }),
    name: field(text(100).describe('e.g. Lake house'), {
      label: () => say`Name`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textField({ ...about, isHalf: true, help: say`Such as Lake house` }),
    }),
    address_line1: field(nonEmptyText(200).describe('Street and number'), {
      label: () => say`Street and number`,
      text: 'customer',
      erased: erased.text,
      form: (about) => textField({ ...about, isRequired: true }),
    }),
    address_line2: addressPart(text(100).describe('Unit'), () => say`Unit`),
    city: addressPart(text(100).describe('City'), () => say`City`),
    region: addressPart(text(100).describe('State'), () => say`State`),
    postal_code: addressPart(text(20).describe('Postal code'), () => say`ZIP code`),
    country: field(country().optional().describe('ISO code, e.g. US'), {
      label: () => say`Country`,
      text: 'company',
      form: (about) => [
        textField({ ...about, on: 'create', fold: 'open', help: say`Two letters; your company's when left empty` }),
        textField({ ...about, on: 'update', fold: 'closed', help: say`Two letters` }),
      ],
    }),
    formatted_address: ownField<string>({ label: () => say`Address`, text: 'customer', erased: erased.text }),
    latitude: coordinate(
      90,
      () => say`Latitude`,
      () => say`Sets a pin on the map, such as 30.2672`,
    ),
    longitude: coordinate(
      180,
      () => say`Longitude`,
      () => say`West is negative, such as -97.7431`,
    ),
    access_notes: field(longText(2000).describe('e.g. gate code'), {
      label: () => say`Access notes`,
      text: 'customer',
      erased: erased.nothing,
      form: (about) => textAreaField({ ...about, help: say`Gate code, where to park, the dog`, rows: 2 }),
    }),
    tax_rate_id: field(optional(id()).describe('Tax rate'), {
      label: () => say`Tax rate`,
      form: (about) =>
        choiceField({
          ...about,
          fold: 'open',
          options: taxRates,
          none: say`The company's default`,
          isFor: (context) => context.may('read:tax_rates'),
        }),
    }),
    is_primary: field(flag().optional().describe('Primary of its type'), {
      label: () => say`Primary location`,
      default: false,
      erased: erased.no,
      form: (about) =>
        checkboxField({
          ...about,
          fold: 'closed',
          help: say`Replaces the current one of this type. The first of each type is always primary.`,
        }),
    }),
    ...auditFields,
    archived_at: archivedAt,
  },
})

/** Names of the pin's fields, for the URL of their form. */
export const PIN_FIELDS = 'latitude,longitude'

export type Location = RowOf<typeof LOCATION>
export type LocationRow = ListRowOf<typeof LOCATION>
export type LocationInput = InputOf<typeof LOCATION>
export type LocationDraft = DraftOf<typeof LOCATION>
export type LocationType = Location['type']

function addressPart(schema: ReturnType<typeof text>, label: () => string) {
  return field(schema, {
    label,
    text: 'customer',
    erased: erased.nothing,
    form: (about) => textField({ ...about, isHalf: true }),
  })
}

function coordinate(max: number, label: () => string, help: () => string) {
  return field(optional(degrees(max)).describe('Degrees'), {
    label,
    erased: erased.nothing,
    reads: (column) => sql`${column}::float8`,
    form: (about) => numberField({ ...about, fold: 'closed', isHalf: true, help: help() }),
  })
}

/** Formats an address as one line: street, unit, city, region with postal code, country. */
const formatAddress = ({ address_line1, address_line2, city, region, postal_code, country }: AddressParts): string =>
  [address_line1, address_line2, city, [region, postal_code].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ')
