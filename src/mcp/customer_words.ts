/**
 * Lists fields whose text customers typed, said or sent, or that staff took down from them
 * (docs/spec/tools.md#customer-text).
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
  'to',
  'error_message',
  'reference',
  'caption',
  'note',
  'warnings',
])

/** Says of which records a plain `name` is theirs; elsewhere it is a member's, a tag's, a rate's. */
const NAMED: ReadonlySet<string> = new Set(['locations', 'plans', 'line_items'])

/** Lists the kinds of records that hold the company's own words alone. */
const OWN: ReadonlySet<string> = new Set(['tags', 'catalog_items', 'catalog_categories', 'tax_rates'])

/** Text that the company, the service or a provider wrote, or that can only be one of a few values. */
const OURS: ReadonlySet<string> = new Set([
  'author_name',
  'auto_invoice',
  'cadence',
  'channel',
  'content_type',
  'country',
  'created_by',
  'currency',
  'customer_type',
  'discount_type',
  'display_number',
  'dtstart',
  'error_code',
  'generated_through',
  'kind',
  'method',
  'occurrences_preview',
  'owner_name',
  'phone',
  'phone_extension',
  'preferred_language',
  'primary_phone',
  'priority',
  'rrule',
  'rule_text',
  'scheduled_end',
  'scheduled_start',
  'stage',
  'status',
  'subject_type',
  'tax_name',
  'terms',
  'through',
  'timezone',
  'type',
  'unit',
  'updated_by',
  'url',
  'valid_until',
])

/** Names of fields that hold an id, a time or a day. */
const SHAPED = /^(?:id|ids)$|_(?:id|ids|at|date)$/

/**
 * Checks whether a field holds a customer's text; `of` is the entity of the tool, or the list inside its result. Text of a
 * field that nobody classified counts as a customer's.
 */
export function isCustomerWords(of: string, field: string): boolean {
  if (of === 'fields') return true
  if (OWN.has(of) || SHAPED.test(field) || OURS.has(field)) return false
  return field !== 'name' || NAMED.has(of)
}

/** Checks whether somebody decided whose text a field holds; a test demands it of every field of every result. */
export const isClassified = (of: string, field: string): boolean =>
  of === 'fields' || OWN.has(of) || field === 'name' || SHAPED.test(field) || OURS.has(field) || WORDS.has(field)

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
