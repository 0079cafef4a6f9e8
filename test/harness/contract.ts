/** What docs/spec/tools.md#catalog promises: its entities in their order, each with what its scopes are about. */
export const CONTRACT: Readonly<Record<string, string>> = {
  customers: 'customers', contacts: 'customers', locations: 'customers', tags: 'customers', notes: 'notes', jobs: 'jobs', job_series: 'job_series',
  invoices: 'invoices', quotes: 'quotes', catalog_items: 'catalog_items', catalog_categories: 'catalog_categories', plans: 'plans', tax_rates: 'tax_rates',
}

/** Its tools that need a user (docs/spec/interface.md#user-and-tenant-actors). */
export const OF_PEOPLE: readonly string[] = [
  'tags_create', 'notes_create', 'notes_update', 'notes_archive', 'jobs_create', 'jobs_update', 'jobs_cancel', 'job_series_create', 'job_series_update',
  'invoices_create', 'invoices_update', 'quotes_create', 'quotes_update', 'quotes_archive', 'catalog_items_create', 'catalog_items_update', 'catalog_items_archive',
  'catalog_categories_create', 'catalog_categories_update', 'plans_create', 'plans_update', 'plans_cancel',
]
