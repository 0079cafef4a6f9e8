import type { ImportKind, ImportSource } from '../../coming/dialect.ts'
import { say } from '../../language/say.ts'
import { words } from '../../screens/formats.ts'

/** Returns what a product is called. */
export const sourceLabel = (source: ImportSource): string =>
  ({
    jobber: 'Jobber',
    housecall_pro: 'Housecall Pro',
    servicetitan: 'ServiceTitan',
    quickbooks: 'QuickBooks',
    plain: say`Another table`,
  })[source]

/** Returns what the rows of a file are. */
export const kindLabel = (kind: ImportKind): string =>
  kind === 'customers' ? say`Customers, with their people and addresses` : say`Catalog`

/** Returns what a column may be, as people read it. */
export const fieldLabel = (field: string): string => LABELS[field]?.() ?? words(field)

const LABELS: Readonly<Record<string, () => string>> = {
  name: () => say`Name`,
  first_name: () => say`First name`,
  last_name: () => say`Last name`,
  company_name: () => say`Company`,
  customer_type: () => say`Person or company`,
  email: () => say`E-mail`,
  phone: () => say`Phone`,
  mobile_phone: () => say`Mobile phone`,
  home_phone: () => say`Home phone`,
  work_phone: () => say`Work phone`,
  site_name: () => say`Name of the place`,
  address_line1: () => say`Street`,
  address_line2: () => say`Unit`,
  city: () => say`City`,
  region: () => say`State`,
  postal_code: () => say`Zip`,
  country: () => say`Country`,
  access_notes: () => say`How to get in`,
  billing_line1: () => say`Billing: street`,
  billing_line2: () => say`Billing: unit`,
  billing_city: () => say`Billing: city`,
  billing_region: () => say`Billing: state`,
  billing_postal_code: () => say`Billing: zip`,
  billing_country: () => say`Billing: country`,
  contact_name: () => say`Contact: name`,
  contact_first_name: () => say`Contact: first name`,
  contact_last_name: () => say`Contact: last name`,
  contact_role: () => say`Contact: role`,
  contact_email: () => say`Contact: e-mail`,
  contact_phone: () => say`Contact: phone`,
  status: () => say`Status`,
  lead_source: () => say`Source`,
  tags: () => say`Tags`,
  note: () => say`Note`,
  payment_terms: () => say`Days to pay`,
  tax_exempt: () => say`Pays no tax`,
  taxable: () => say`Pays tax`,
  do_not_service: () => say`Do not service`,
  preferred_language: () => say`Language`,
  source_id: () => say`Their id`,
  external_id: () => say`External id`,
  custom: () => say`A field of its own name`,
  kind: () => say`Kind`,
  description: () => say`Description`,
  sku: () => say`SKU`,
  category: () => say`Category`,
  unit: () => say`Unit of count`,
  price: () => say`Price`,
  cost: () => say`Cost`,
  duration_minutes: () => say`Minutes`,
  duration_hours: () => say`Hours`,
  manufacturer: () => say`Manufacturer`,
  model: () => say`Model`,
  barcode: () => say`Barcode`,
  supplier_name: () => say`Supplier`,
  supplier_sku: () => say`SKU of the supplier`,
}
