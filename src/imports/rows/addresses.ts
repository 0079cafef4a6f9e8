import { addressIn } from '../../platform/validation/formats/address.ts'
import type { MappedRow, Remark } from '../reading/incoming.ts'
import { parseCountry, omitUndefined } from '../reading/values.ts'

type Fields = Record<string, unknown>
type Cells = MappedRow['cells']
type AddressFields = Record<string, string | undefined>

const PARTS = ['address_line2', 'city', 'region', 'postal_code']
const MAX_ADDRESS_LENGTH = 300

/**
 * Returns the parts of a place; an address in one cell is split where it ends in a state, and zeros that a table took
 * from a ZIP code come back.
 */
export function parseAddress(said: AddressFields, home: string): AddressFields {
  const line = said['address_line1']
  const isAlone = line !== undefined && PARTS.every((part) => said[part] === undefined)
  const split = isAlone ? addressIn(line.slice(0, MAX_ADDRESS_LENGTH), 'US') : undefined
  const country = said['country'] === undefined ? undefined : parseCountry(said['country'])
  const { postal_code: zip, ...place } = { ...said, ...(split?.region === undefined ? {} : split) }
  const isAmerican = ['US', 'PR'].includes(country ?? home)
  const short = isAmerican && zip !== undefined && /^\d{3,4}(?:-\d{4})?$/.test(zip)
  return { ...place, postal_code: short ? zip.replace(/^\d+/, (five) => five.padStart(5, '0')) : zip, country }
}

/** Returns the places of a customer's row; one without a street is told as left out. */
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

/** Returns remarks on what is left out of an address without a street. */
function remarkMissingStreet(prefix: string, place: Fields): Remark[] {
  const parts = PARTS.filter((part) => place[part] !== undefined)
  const [first] = parts
  if (first === undefined) return []
  const field = prefix === '' ? first : `${prefix}${first.replace('address_', '')}`
  return [{ field, value: parts.map((part) => String(place[part])).join(', '), taken: '' }]
}
