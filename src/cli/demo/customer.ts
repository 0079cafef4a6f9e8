/** Tags of the demo company, with their colors. */
export const TAGS = {
  'Maintenance plan': '#2E7D32',
  VIP: '#F9A825',
  'Property manager': '#5E35B1',
  'Gate code': '#00838F',
  'Dog on site': '#8D6E63',
  Warranty: '#1565C0',
  'Net 30': '#455A64',
  'Slow payer': '#C62828',
} as const

export type TagName = keyof typeof TAGS

type Person = {
  first_name: string
  last_name: string
  phone: string
  email?: string
  role_label?: string
  sms_opt_out?: boolean
  notes?: string
}
type DemoLocation = {
  address_line1: string
  address_line2?: string
  city: string
  region: 'TX'
  postal_code: string
  type?: 'service' | 'billing'
  name?: string
  access_notes?: string
}

/** Demo customer: the arguments of `customers_create`, and a name that other data refers to. */
export type DemoCustomer = {
  ref: string
  tags?: readonly TagName[]
  customer_type: 'individual' | 'company'
  first_name?: string
  last_name?: string
  company_name?: string
  status?: 'lead' | 'inactive'
  lead_source?: string
  tax_exempt?: true
  payment_terms_days?: number
  do_not_service?: true
  preferred_language?: string
  fields?: Record<string, string | number | boolean>
  contacts: Person[]
  locations: DemoLocation[]
}

type Extra = Partial<Omit<DemoCustomer, 'ref' | 'customer_type' | 'first_name' | 'last_name' | 'company_name'>>

/** Returns a household with one phone number and email address. `contacts` has further people. */
export function household(
  ref: string,
  first_name: string,
  last_name: string,
  phone: string,
  location: DemoLocation,
  extra: Extra = {},
): DemoCustomer {
  const email = `${first_name}.${last_name}@example.com`.toLowerCase().replace(/[^a-z.@]/g, '')
  return {
    ref,
    customer_type: 'individual',
    first_name,
    last_name,
    ...withExtra(person(first_name, last_name, phone, email), location, extra),
  }
}

/** Returns a business customer, which pays by invoice. */
export const business = (
  ref: string,
  company_name: string,
  contact: Person,
  location: DemoLocation,
  extra: Extra = {},
): DemoCustomer => ({
  ref,
  customer_type: 'company',
  company_name,
  payment_terms_days: 30,
  ...withExtra(contact, location, extra),
})

const withExtra = (contact: Person, location: DemoLocation, { contacts = [], locations = [], ...extra }: Extra) => ({
  ...extra,
  contacts: [contact, ...contacts],
  locations: [location, ...locations],
})

/** Returns a contact with a phone number reserved for fiction. */
export function person(
  first_name: string,
  last_name: string,
  phone: string,
  email?: string,
  role_label?: string,
): Person {
  const details = { ...(email === undefined ? {} : { email }), ...(role_label === undefined ? {} : { role_label }) }
  return { first_name, last_name, phone: `(512) 555-${phone}`, ...details }
}

/** Returns an address in or around Austin. */
export const austinAddress = (
  address_line1: string,
  postal_code: string,
  extra: Partial<DemoLocation> = {},
): DemoLocation => ({ address_line1, city: 'Austin', region: 'TX', postal_code, ...extra })
