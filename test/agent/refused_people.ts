import { day, type Refused, type Scene } from './scene.ts'

const ana = { customer_type: 'individual', first_name: 'Ana' }
const PHONE = 'must be a phone number with area code, or with country code such as +44 20 7946 0958'

/** Customers, contacts, locations, tags, notes. */
export const refusedOfPeople = ({ of, over, other }: Scene): Refused[] => [
  ...customers({ of, over, other }), ...contactsAndLocations({ of, over }), ...tagsAndNotes({ of, other }),
]

const customers = ({ of, over, other }: Pick<Scene, 'of' | 'over' | 'other'>): Refused[] => [
  {
    tool: 'customers_search', given: { query: 'ana', q: 'ben' },
    field: 'q', rule: 'is an alias of query and differs from it', way: 'send one of them',
  },
  { tool: 'customers_search', given: { cursor: 'x' }, field: 'cursor', rule: 'must be the nextCursor of an earlier answer' },
  { tool: 'customers_search', given: { limit: 101 }, field: 'limit', rule: 'must be a whole number from 1 to 100', got: 'got 101' },
  {
    tool: 'customers_create', given: { customer_type: 'individual' },
    field: 'first_name or last_name', rule: 'is required for an individual',
  },
  { tool: 'customers_create', given: { customer_type: 'company' }, field: 'company_name', rule: 'is required for a company' },
  {
    tool: 'customers_create', given: { customer_type: 'company', company_name: 'A', first_name: 'Ana' },
    field: 'first_name', rule: 'belong to a contact of the company', way: 'contacts_create',
  },
  {
    tool: 'customers_create', given: { ...ana, company_name: 'A' },
    field: 'company_name', rule: 'is for companies', way: 'use customer_type company, or leave it out',
  },
  { tool: 'customers_create', given: { ...ana, phone: '555-0100' }, field: 'phone', rule: PHONE, got: 'got \'555-0100\'' },
  {
    tool: 'customers_create', given: { ...ana, contacts: [{ phone: 'call me' }] },
    field: 'contacts[0].phone', rule: PHONE, got: 'got \'call me\'',
  },
  {
    tool: 'customers_create', given: { ...ana, contacts: [{ notes: 'x' }] },
    field: 'contacts[0]', rule: 'needs one of first_name, last_name, email, phone',
  },
  {
    tool: 'customers_create', given: { ...ana, email: 'ana' },
    field: 'email', rule: 'must be an e-mail address such as ana@example.com', got: 'got "ana"',
  },
  {
    tool: 'customers_create', given: { ...ana, locations: [{ address_line1: 'x', latitude: 1 }] },
    field: 'locations[0].latitude', rule: 'go together', way: 'send both or neither',
  },
  {
    tool: 'customers_create', given: { ...ana, locations: [{ address_line1: 'x', tax_rate_id: over.rate }] },
    field: 'locations[0].tax_rate_id', rule: 'is not a live tax rate of this account', way: 'tax_rates_list',
  },
  {
    tool: 'customers_create', given: { ...ana, tag_ids: [of.customer] },
    field: 'tag_ids[0]', rule: 'is not a tag of this account', way: 'tags_list, or make it with tags_create',
  },
  {
    tool: 'customers_create', given: { ...ana, external_id: 'A-1' },
    code: 'conflict', field: 'external_id', rule: 'is another customer\'s', way: 'customers_search',
  },
  {
    tool: 'customers_create', given: { ...ana, fields: { a: [1] } },
    field: 'fields.a', rule: 'must be a text of at most 500 characters', got: 'got 1 items',
  },
  {
    tool: 'customers_create', given: { ...ana, preferred_language: 'en_US' },
    field: 'preferred_language', rule: 'must be a language tag such as en-US', got: 'got "en_US"',
  },
  {
    tool: 'customers_update', given: { id: of.customer, customer_type: 'company' },
    field: 'customer_type', rule: 'cannot be changed', got: 'it is individual, got company', way: 'leave it out',
  },
  {
    tool: 'customers_update', given: { id: of.customer, external_id: 'A-1' },
    code: 'conflict', field: 'external_id', rule: 'is another customer\'s', way: 'customers_search',
  },
  {
    tool: 'customers_update', given: { id: of.customer, expected_updated_at: '2020-01-01T00:00:00Z' },
    code: 'conflict', field: 'updated_at', rule: 'the record changed', got: 'expected_updated_at was 2020-01-01T00:00:00Z',
    way: 'get it again and decide anew',
  },
  { tool: 'customers_get', given: { id: over.customer }, code: 'not_found', field: 'customer', rule: 'not found', way: 'customers_search' },
  {
    tool: 'customers_archive', given: { id: of.customer },
    code: 'conflict', field: 'the customer', rule: 'has work that goes on', got: 'Harbor plan', way: 'plans_cancel or job_series_end',
  },
  {
    tool: 'customers_archive', given: { id: other.note },
    code: 'not_found', field: 'customer', rule: 'not found', way: 'customers_search',
  },
]

const contactsAndLocations = ({ of, over }: Pick<Scene, 'of' | 'over'>): Refused[] => [
  {
    tool: 'contacts_list', given: { customer_id: over.customer },
    code: 'not_found', field: 'customer', rule: 'not found', way: 'customers_search',
  },
  { tool: 'contacts_get', given: { id: of.customer }, code: 'not_found', field: 'contact', rule: 'not found', way: 'contacts_list' },
  {
    tool: 'contacts_create', given: { customer_id: of.customer },
    field: 'a contact', rule: 'needs one of first_name, last_name, email, phone',
  },
  {
    tool: 'contacts_create', given: { customer_id: of.customer, phone: '020 7946 0958' },
    field: 'phone', rule: PHONE, got: 'got \'020 7946 0958\'',
  },
  {
    tool: 'contacts_create', given: { customer_id: of.customer, first_name: 'A', phone_extension: 'x' },
    field: 'phone_extension', rule: 'must be digits', got: 'got "x"',
  },
  {
    tool: 'contacts_update', given: { id: of.contact, is_primary: false },
    field: 'is_primary', rule: 'can\'t be taken from the primary contact', way: 'contacts_update',
  },
  {
    tool: 'contacts_update', given: { id: of.contact, customer_id: over.customer },
    field: 'customer_id', rule: 'cannot be changed', got: `got ${over.customer}`, way: 'leave it out',
  },
  { tool: 'contacts_archive', given: { id: of.job }, code: 'not_found', field: 'contact', rule: 'not found', way: 'contacts_list' },
  {
    tool: 'locations_list', given: { customer_id: of.customer, type: 'home' },
    field: 'type', rule: 'must be one of service, billing', got: 'got "home"',
  },
  { tool: 'locations_get', given: { id: of.customer }, code: 'not_found', field: 'location', rule: 'not found', way: 'locations_list' },
  { tool: 'locations_create', given: { customer_id: of.customer }, field: 'address_line1', rule: 'is required' },
  {
    tool: 'locations_create', given: { customer_id: of.customer, address_line1: 'x', longitude: 1 },
    field: 'latitude and longitude', rule: 'go together', way: 'send both or neither',
  },
  {
    tool: 'locations_create', given: { customer_id: of.customer, address_line1: 'x', country: 'USA' },
    field: 'country', rule: 'must be a two-letter country code such as US', got: 'got "USA"',
  },
  {
    tool: 'locations_create', given: { customer_id: of.customer, address_line1: 'x', latitude: 91, longitude: 1 },
    field: 'latitude', rule: 'must be from -90 to 90', got: 'got 91',
  },
  {
    tool: 'locations_update', given: { id: of.location, is_primary: false },
    field: 'is_primary', rule: 'can\'t be taken from the primary location', way: 'locations_update',
  },
  {
    tool: 'locations_update', given: { id: of.location, tax_rate_id: over.rate },
    field: 'tax_rate_id', rule: 'is not a live tax rate of this account', way: 'tax_rates_list',
  },
  { tool: 'locations_archive', given: { id: of.job }, code: 'not_found', field: 'location', rule: 'not found', way: 'locations_list' },
]

const tagsAndNotes = ({ of, other }: Pick<Scene, 'of' | 'other'>): Refused[] => [
  {
    tool: 'tags_list', given: { page: 1000, limit: 100 },
    field: 'page x limit', rule: 'must be at most 10000', got: 'got 100000', way: 'narrow the filter',
  },
  { tool: 'tags_get', given: { id: of.customer }, code: 'not_found', field: 'tag', rule: 'not found', way: 'tags_list' },
  { tool: 'tags_create', given: { name: ' harbor TAG ' }, code: 'conflict', field: 'name', rule: 'is another tag\'s', way: 'tags_list' },
  { tool: 'tags_create', given: { name: 'x', color: 'red' }, field: 'color', rule: 'must be a colour such as #1E90FF', got: 'got "red"' },
  { tool: 'tags_update', given: { id: other.tag, name: 'HARBOR tag' }, code: 'conflict', field: 'name', rule: 'is another tag\'s', way: 'tags_list' },
  { tool: 'tags_delete', given: { id: of.customer }, code: 'not_found', field: 'tag', rule: 'not found', way: 'tags_list' },
  { tool: 'notes_list', given: { subject_id: of.customer }, field: 'subject_type', rule: 'is required with subject_id' },
  {
    tool: 'notes_list', given: { created_from: '01.03.2027' },
    field: 'created_from', rule: 'must be a date, year-month-day, such as 2027-03-31, or an instant', got: 'got "01.03.2027"',
  },
  { tool: 'notes_get', given: { id: of.customer }, code: 'not_found', field: 'note', rule: 'not found', way: 'notes_list' },
  { tool: 'notes_create', given: { body: ' ' }, field: 'body', rule: 'must not be empty', got: 'got ""' },
  { tool: 'notes_create', given: { body: 'x', subject_type: 'customer' }, field: 'subject_id', rule: 'is required with subject_type' },
  {
    tool: 'notes_create', given: { body: 'x', subject_type: 'job', subject_id: of.customer },
    code: 'not_found', field: 'job', rule: 'not found', way: 'jobs_list',
  },
  {
    tool: 'notes_create', given: { body: 'x', subject_type: 'job_series', subject_id: of.customer },
    code: 'not_found', field: 'job series', rule: 'not found', way: 'job_series_list',
  },
  {
    tool: 'notes_update', given: { id: of.note, subject_id: of.job },
    field: 'subject_id', rule: 'cannot be changed', got: `got ${of.job}`, way: 'leave it out',
  },
  {
    tool: 'notes_update', given: { id: other.note, body: 'x' },
    by: 'office', field: 'this note', rule: 'only the author or an owner may change', way: 'notes_create',
  },
  {
    tool: 'notes_archive', given: { id: other.note },
    by: 'office', field: 'this note', rule: 'only the author or an owner may change', way: 'notes_create',
  },
  {
    tool: 'notes_list', given: { created_to: day(0), updated_since: 'monday' },
    field: 'updated_since', rule: 'must be an instant such as 2027-03-31T09:00:00Z, or local time such as', got: 'got "monday"',
  },
]
