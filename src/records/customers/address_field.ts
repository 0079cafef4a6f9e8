import { field, textArea } from '../../platform/html/parts/field.ts'
import { html, when } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { fieldValue, type FormField, type FormValues } from '../fields/form_field.ts'

const NAME = 'locations'

const partNames = () =>
  ({
    address_line1: say`Street and number`,
    address_line2: say`Unit`,
    city: say`City`,
    region: say`State`,
    postal_code: say`ZIP code`,
    country: say`Country`,
    access_notes: say`Access notes`,
  }) as const
type Part = keyof ReturnType<typeof partNames>

const PARTS = ['address_line1', 'address_line2', 'city', 'region', 'postal_code', 'country', 'access_notes'] as const

const inputOf = (part: Part): string => `${NAME}.${part}`

/** Builds the fields of a new customer's first location. Their value is undefined when all are empty. */
export const addressField = (): FormField => ({
  name: NAME,
  label: say`Address`,
  on: 'create',
  parts: partNames(),
  toEntries: () => [],
  read: (values) => {
    const location = Object.fromEntries(partsIn(values).map((part) => [part, fieldValue(values, inputOf(part))]))
    return Object.keys(location).length === 0 ? undefined : [location]
  },
  html: (values, { error }) => html`
<div class="form-part" role="group" aria-label="${say`Address`}" id="${NAME}" tabindex="-1">${when(
    error,
    (error) => html`
  <p class="error">${error}</p>`,
  )}
  <div class="pair street">${input(values, 'address_line1')}${input(values, 'address_line2')}</div>
  <div class="pair city">${input(values, 'city')}${input(values, 'region')}${input(values, 'postal_code')}</div>
</div>`,
})

/** Builds the location fields that few addresses need: access notes and country. */
export const furtherAddressFields = (): FormField[] => [
  extraField('access_notes', (values, { error }) =>
    textArea({
      name: inputOf('access_notes'),
      label: partNames().access_notes,
      error,
      help: say`Gate code, where to park, the dog`,
      rows: 2,
      value: values.get(inputOf('access_notes')) ?? '',
    }),
  ),
  extraField('country', (values, { country, error }) =>
    input(values, 'country', { help: say`Two letters; ${country} when left empty`, error }),
  ),
]

/** Builds a field whose value `addressField` reads. */
const extraField = (part: Part, renderInput: FormField['html']): FormField => ({
  name: inputOf(part),
  label: partNames()[part],
  on: 'create',
  fold: 'open',
  toEntries: () => [],
  read: () => undefined,
  html: renderInput,
})

const input = (values: FormValues, part: Part, options: { help?: string; error?: string | undefined } = {}) =>
  field({ name: inputOf(part), label: partNames()[part], ...options, value: values.get(inputOf(part)) ?? '' })

const partsIn = (values: FormValues): Part[] => PARTS.filter((part) => fieldValue(values, inputOf(part)) !== '')
