import type { Refusal } from '../refusal.ts'

/** The tool that finds the id of a record, by what the record is called. */
export const FINDERS: ReadonlyMap<string, string> = new Map([
  ['customer', 'customers_search'], ['contact', 'contacts_list'], ['location', 'locations_list'], ['tag', 'tags_list'],
  ['note', 'notes_list'], ['job', 'jobs_list'], ['job_series', 'job_series_list'], ['invoice', 'invoices_list'], ['quote', 'quotes_list'],
  ['catalog_item', 'catalog_items_list'], ['catalog_category', 'catalog_categories_list'], ['plan', 'plans_list'], ['tax_rate', 'tax_rates_list'],
])

/** Fields that aren't called as what they name. */
const NAMED: Readonly<Record<string, string>> = {
  category_id: 'catalog_category', parent_id: 'catalog_category', series_id: 'job_series', seriesId: 'job_series',
}

/** Where the id that a field takes is found, as the end of a rule of the field; nothing for another field. */
export function findIdOf(field: string): string {
  const finder = FINDERS.get(NAMED[field] ?? field.replace(/^from_/, '').replace(/_ids?$/, ''))
  return finder === undefined || !/(_ids?|Id)$/.test(field) ? '' : `, find it with ${finder}`
}

/** Returns a refusal's sentence; for a record that isn't there, with the way to one that is. */
export function withHint({ code, message }: Refusal): string {
  const finder = code === 'not_found' ? FINDERS.get(message.replace(/ not found$/, '').replaceAll(' ', '_')) : undefined
  return finder === undefined ? message : `${message}; find its id with ${finder}`
}
