/** Parts of an address, as in a location's form. */
type AddressParts = {
  address_line1: string
  address_line2?: string
  city?: string
  region?: string
  postal_code?: string
}

const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO ' +
    'MT NE NV NH NJ NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
)

/**
 * Parses an address typed on one line: `12 Oak St, Apt 4, Austin TX 78704`. Unrecognized parts keep their place;
 * nothing is dropped.
 */
export function addressIn(text: string, country: string): AddressParts | undefined {
  const [address_line1, ...rest] = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (address_line1 === undefined) return undefined
  const end = country === 'US' ? stateIn(rest.at(-1) ?? '') : undefined
  const before = end === undefined ? rest : [...rest.slice(0, -1), ...(end.city === undefined ? [] : [end.city])]
  const city = before.at(-1)
  const unit = before.slice(0, -1).join(', ')
  return {
    address_line1,
    ...(unit === '' ? {} : { address_line2: unit }),
    ...(city === undefined ? {} : { city }),
    ...(end === undefined ? {} : { region: end.region }),
    ...(end?.postal_code === undefined ? {} : { postal_code: end.postal_code }),
  }
}

/** Parses `Austin TX 78704`, `TX 78704` or `TX`. */
function stateIn(text: string): { city?: string; region: string; postal_code?: string } | undefined {
  const [, city, state = '', zip] = /^(?:(.+?) +)?([A-Za-z]{2})(?: +(\d{5}(?:-\d{4})?))?$/.exec(text) ?? []
  const region = state.toUpperCase()
  if (!STATES.has(region)) return undefined
  return { region, ...(city === undefined ? {} : { city }), ...(zip === undefined ? {} : { postal_code: zip }) }
}
