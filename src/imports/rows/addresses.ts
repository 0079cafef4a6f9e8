import { addressIn } from '../../platform/validation/formats/address.ts'
import type { MappedRow, Remark } from '../reading/incoming.ts'
import { parseCountry, omitUndefined } from '../reading/values.ts'

type Fields = Record<string, unknown>
type Cells = MappedRow['cells']
type AddressFields = Record<string, string | undefined>

const PARTS = ['address_line2', 'city', 'region', 'postal_code']
const MAX_ADDRESS_LENGTH = 300

/**
 * Returns the parts of an address. Splits an address in one cell if it ends in a state, and restores leading zeros that
 * a spreadsheet removed from a ZIP code.
 */
export function parseAddress(fields: AddressFields, home: string): AddressFields {
  const line = fields['address_line1']
  const isAlone = line !== undefined && PARTS.every((part) => fields[part] === undefined)
  const split = isAlone ? addressIn(line.slice(0, MAX_ADDRESS_LENGTH), 'US') : undefined
  const country = fields['country'] === undefined ? undefined : parseCountry(fields['country'])
  const { postal_code: zip, ...place } = { ...fields, ...(split?.region === undefined ? {} : split) }
  const isAmerican = ['US', 'PR'].includes(country ?? home)
  const short = isAmerican && zip !== undefined && /^\d{3,4}(?:-\d{4})?$/.test(zip)
  return { ...place, postal_code: short ? zip.replace(/^\d+/, (five) => five.padStart(5, '0')) : zip, country }
}

/** Returns the locations of a customer's row. Omits one without a street, with a remark. */
export function parseAddresses(cells: Cells, home: string, remarks: Remark[]): Fields[] | undefined {
  const of = (prefix: string): Fields =>
    omitUndefined(
      parseAddress(
        {
          address_line1: cells[prefix === '' ? 'address_line1' : `${prefix}line1`],
          address_line2: cells[prefix === '' ? 'address_line2' : `${prefix}line2`],
          city: cells[`${prefix}city`],
          region: cells[`${prefix}region`],
          postal_code: cells[`${prefix}postal_code`],
          country: cells[`${prefix}country`],
        },
        home,
      ),
    )
  const own = of('')
  const service: Fields = omitUndefined({ name: cells['site_name'], ...own, access_notes: cells['access_notes'] })
  const billing = of('billing_')
  const isSame = ['address_line1', 'city', 'postal_code'].every((field) => billing[field] === service[field])
  const has = (place: Fields): boolean => place['address_line1'] !== undefined
  for (const [prefix, place] of [['', own] as const, ['billing_', billing] as const])
    if (!has(place)) remarks.push(...remarkMissingStreet(prefix, place))
  const places = [
    ...(has(service) ? [{ type: 'service', ...service }] : []),
    ...(has(billing) && !isSame ? [{ type: has(service) ? 'billing' : 'service', ...billing }] : []),
  ]
  return places.length === 0 ? undefined : places
}

/** Returns remarks on the omitted parts of an address without a street. */
function remarkMissingStreet(prefix: string, place: Fields): Remark[] {
  const parts = PARTS.filter((part) => place[part] !== undefined)
  const [first] = parts
  if (first === undefined) return []
  const field = prefix === '' ? first : `${prefix}${first.replace('address_', '')}`
  return [{ field, value: parts.map((part) => String(place[part])).join(', '), taken: '' }]
}
