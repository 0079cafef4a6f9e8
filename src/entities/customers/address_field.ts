import { field, textArea } from '../../html/field.ts'
import { html, when } from '../../html/html.ts'
import { only, type FormField, type Typed } from '../../screens/fields/form_field.ts'

const NAME = 'locations'

const PARTS = {
  address_line1: 'Street and number',
  address_line2: 'Unit',
  city: 'City',
  region: 'State or region',
  postal_code: 'Postal code',
  country: 'Country',
} as const
type Part = keyof typeof PARTS | 'access_notes'

const inputOf = (part: Part): string => `${NAME}.${part}`

/** Makes the fields of a new customer's first location; none when nothing is typed. */
export const addressField = (): FormField => ({
  name: NAME,
  label: 'Address',
  on: 'create',
  group: 'Address',
  parts: { ...PARTS, access_notes: 'How to get in' },
  typed: () => [],
  read: (typed) => {
    const location = Object.fromEntries(partsIn(typed).map((part) => [part, only(typed, inputOf(part))]))
    return Object.keys(location).length === 0 ? undefined : [location]
  },
  html: (typed, { error, country }) => {
    const line = (part: keyof typeof PARTS, help?: string) =>
      field({ name: inputOf(part), label: PARTS[part], help, value: typed.get(inputOf(part)) ?? '' })
    return html`
<div class="form-part" role="group" aria-label="Address" id="${NAME}" tabindex="-1">${when(
      error,
      (error) => html`
  <p class="error">${error}</p>`,
    )}
  ${line('address_line1')}
  <div class="pair">${line('address_line2')}${line('city')}</div>
  <div class="pair">${line('region')}${line('postal_code')}</div>
  ${line('country', `Two letters; ${country} when left empty`)}
  ${textArea({ name: inputOf('access_notes'), label: 'How to get in', help: 'Gate code, where to park, the dog', rows: 2, value: typed.get(inputOf('access_notes')) ?? '' })}
</div>`
  },
})

const partsIn = (typed: Typed): Part[] =>
  ([...Object.keys(PARTS), 'access_notes'] as Part[]).filter((part) => only(typed, inputOf(part)) !== '')
