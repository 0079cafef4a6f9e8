/**
 * Lists fields whose text customers typed, said or sent, or that staff took down from them
 * (docs/spec/tools.md#words-of-customers).
 */
const WORDS: ReadonlySet<string> = new Set([
  'display_name',
  'first_name',
  'last_name',
  'company_name',
  'customer_name',
  'role_label',
  'lead_source',
  'external_id',
  'email',
  'primary_email',
  'address_line1',
  'address_line2',
  'city',
  'region',
  'postal_code',
  'formatted_address',
  'primary_address',
  'location_address',
  'access_notes',
  'notes',
  'body',
  'excerpt',
  'title',
  'description',
  'instructions',
  'subject',
  'po_number',
  'message',
  'internal_memo',
  'decline_reason',
  'cancel_reason',
  'void_reason',
  'file_name',
  'warnings',
])

/** Says of which records a plain `name` is theirs; elsewhere it is a member's, a tag's, a rate's. */
const NAMED: ReadonlySet<string> = new Set(['locations', 'plans', 'line_items'])

/** Lists the kinds of records that hold the company's own words alone. */
const OWN: ReadonlySet<string> = new Set(['tags', 'catalog_items', 'catalog_categories', 'tax_rates'])

/** Tells whether a field holds words of customers; `of` is the entity that a tool is of, or the list inside its result. */
export function isCustomerWords(of: string, field: string): boolean {
  if (OWN.has(of)) return false
  return of === 'fields' || WORDS.has(field) || (field === 'name' && NAMED.has(of))
}

/** Returns the fields of a result that hold words of customers, each once; those of custom fields as `fields`. */
export function customerWordsIn(entity: string, result: object): string[] {
  const found = new Set<string>()
  look(result, entity, entity, found)
  return [...found]
}

function look(value: object, of: string, entity: string, found: Set<string>): void {
  for (const [field, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === 'string' && inner !== '' && isCustomerWords(of, field))
      found.add(fieldLabel(of, field, entity))
    else if (Array.isArray(inner)) lookInto(inner, of, field, entity, found)
    else if (typeof inner === 'object' && inner !== null) look(inner, field, entity, found)
  }
}

function lookInto(list: readonly unknown[], of: string, field: string, entity: string, found: Set<string>): void {
  const part = field === 'rows' ? of : field
  for (const one of list) {
    if (typeof one === 'string' && isCustomerWords(of, field)) found.add(field)
    else if (typeof one === 'object' && one !== null) look(one, part, entity, found)
  }
}

const fieldLabel = (of: string, field: string, entity: string): string =>
  of === 'fields' ? of : field === 'name' && of !== entity ? `${of}.${field}` : field
