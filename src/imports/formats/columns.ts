/** Column names of customers that every source format accepts besides its own. */
export const PERSON_COLUMNS = {
  first_name: ['first name', 'given name', 'first', 'firstname'],
  last_name: ['last name', 'family name', 'surname', 'last', 'lastname'],
  company_name: ['company name', 'company', 'business name', 'business', 'organization'],
  email: ['email', 'e mail', 'email address', 'e mails', 'emails', 'primary email', 'main email'],
  tags: ['tags', 'tag'],
  lead_source: ['lead source', 'source', 'referral source'],
  note: ['notes', 'note', 'customer notes'],
}

/** Common column names of the parts of an address. */
export const ADDRESS_COLUMNS = {
  address_line1: ['address line1', 'address line 1', 'street address', 'street', 'address', 'address1', 'street 1'],
  address_line2: ['address line2', 'address line 2', 'street line 2', 'unit', 'address2', 'street 2', 'apt'],
  city: ['city', 'town'],
  region: ['region', 'state', 'province', 'state province'],
  postal_code: ['postal code', 'zip', 'zip code', 'postcode', 'zip postal code'],
  country: ['country'],
}

/** Returns the column names of a billing address with a prefix. */
export const billingColumns = (prefix: string) =>
  Object.fromEntries(
    Object.entries(ADDRESS_COLUMNS).map(([field, names]) => [
      field.replace(/^(?:address_)?/, 'billing_'),
      names.map((name) => `${prefix} ${name}`),
    ]),
  )

/** Merges column names per field, in order of priority. */
export const mergeColumns = (
  ...parts: Readonly<Record<string, readonly string[]>>[]
): Record<string, readonly string[]> => {
  const all: Record<string, string[]> = {}
  for (const part of parts)
    for (const [field, names] of Object.entries(part)) all[field] = [...new Set([...(all[field] ?? []), ...names])]
  return all
}

/** Adds a prefix to column names. */
export const prefixColumns = (prefix: string, fields: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, names]) => [field, names.map((name) => `${prefix} ${name}`)]))

/** Common column names of catalog items. */
export const ITEM_COLUMNS = {
  name: ['name', 'item name', 'title'],
  description: ['description', 'details'],
  price: ['price', 'unit price', 'sales price', 'rate'],
  cost: ['cost', 'unit cost', 'purchase cost'],
  category: ['category', 'category name'],
  taxable: ['taxable', 'is taxable', 'tax'],
  sku: ['sku', 'code', 'item code', 'part number'],
  unit: ['unit', 'unit of measure', 'uom'],
  kind: ['type', 'kind', 'item type'],
}
