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
export function parseAddress(fields: AddressFields, defaultCountry: string): AddressFields {
  const line = fields['address_line1']
  const isAlone = line !== undefined && PARTS.every((part) => fields[part] === undefined)
  const split = isAlone ? addressIn(line.slice(0, MAX_ADDRESS_LENGTH), 'US') : undefined
  const country = fields['country'] === undefined ? undefined : parseCountry(fields['country'])
  const { postal_code: zip, ...address } = { ...fields, ...(split?.region === undefined ? {} : split) }
  const isAmerican = ['US', 'PR'].includes(country ?? defaultCountry)
  const short = isAmerican && zip !== undefined && /^\d{3,4}(?:-\d{4})?$/.test(zip)
  return { ...address, postal_code: short ? zip.replace(/^\d+/, (five) => five.padStart(5, '0')) : zip, country }
}

/** Returns the locations of a customer's row. Omits one without a street, with a remark. */
export function parseAddresses(cells: Cells, defaultCountry: string, remarks: Remark[]): Fields[] | undefined {
  const addressFields = (prefix: string): Fields =>
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
        defaultCountry,
      ),
    )
  const own = addressFields('')
  const service: Fields = omitUndefined({ name: cells['site_name'], ...own, access_notes: cells['access_notes'] })
  const billing = addressFields('billing_')
  const isSame = ['address_line1', 'city', 'postal_code'].every((field) => billing[field] === service[field])
  const hasStreet = (address: Fields): boolean => address['address_line1'] !== undefined
  for (const [prefix, address] of [['', own] as const, ['billing_', billing] as const])
    if (!hasStreet(address)) remarks.push(...remarkMissingStreet(prefix, address))
  const addresses = [
    ...(hasStreet(service) ? [{ type: 'service', ...service }] : []),
    ...(hasStreet(billing) && !isSame ? [{ type: hasStreet(service) ? 'billing' : 'service', ...billing }] : []),
  ]
  return addresses.length === 0 ? undefined : addresses
}

/** Returns remarks on the omitted parts of an address without a street. */
function remarkMissingStreet(prefix: string, address: Fields): Remark[] {
  const parts = PARTS.filter((part) => address[part] !== undefined)
  const [first] = parts
  if (first === undefined) return []
  const field = prefix === '' ? first : `${prefix}${first.replace('address_', '')}`
  return [{ field, value: parts.map((part) => String(address[part])).join(', '), taken: '' }]
}
