import type { Dialect } from './dialect.ts'
import { DOCUMENT_DIALECTS } from './document_dialects.ts'

/** Lists the columns that every dialect of customers understands besides its own. */
const PERSON = {
  first_name: ['first name', 'given name', 'first', 'firstname'],
  last_name: ['last name', 'family name', 'surname', 'last', 'lastname'],
  company_name: ['company name', 'company', 'business name', 'business', 'organization'],
  email: ['email', 'e mail', 'email address', 'e mails', 'emails', 'primary email', 'main email'],
  tags: ['tags', 'tag'],
  lead_source: ['lead source', 'source', 'referral source'],
  note: ['notes', 'note', 'customer notes'],
}

const PLACE = {
  address_line1: ['address line1', 'address line 1', 'street address', 'street', 'address', 'address1', 'street 1'],
  address_line2: ['address line2', 'address line 2', 'street line 2', 'unit', 'address2', 'street 2', 'apt'],
  city: ['city', 'town'],
  region: ['region', 'state', 'province', 'state province'],
  postal_code: ['postal code', 'zip', 'zip code', 'postcode', 'zip postal code'],
  country: ['country'],
}

const prefixed = (prefix: string, fields: Readonly<Record<string, readonly string[]>>, own: string) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, names]) => [
      field.replace(/^(?:address_)?/, own),
      names.map((name) => `${prefix} ${name}`),
    ]),
  )

const merged = (...parts: Readonly<Record<string, readonly string[]>>[]): Record<string, readonly string[]> => {
  const all: Record<string, string[]> = {}
  for (const part of parts)
    for (const [field, names] of Object.entries(part)) all[field] = [...new Set([...(all[field] ?? []), ...names])]
  return all
}

const same = (prefix: string, fields: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, names]) => [field, names.map((name) => `${prefix} ${name}`)]))

const ITEM = {
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

/** Lists what is known of the columns of each product; docs/spec/coming.md says where each is described. */
export const DIALECTS: readonly Dialect[] = [
  ...DOCUMENT_DIALECTS,
  {
    source: 'jobber',
    kind: 'customers',
    marks: [['j id'], ['main phone', 'service property name'], ['billing street 1'], ['service street 1']],
    columns: merged(
      {
        source_id: ['j id', 'client id'],
        name: ['display name', 'client name'],
        phone: ['main phone', 'main phone s', 'phone', 'phone number'],
        mobile_phone: ['mobile phone', 'mobile phone s', 'text message enabled phone'],
        home_phone: ['home phone', 'home phone s'],
        work_phone: ['work phone', 'work phone s'],
        email: ['e mails', 'email', 'main email'],
        status: ['status', 'lead', 'archived'],
        site_name: ['service property name', 'property name'],
      },
      PERSON,
      same('service', PLACE),
      same('property', PLACE),
      prefixed('billing', PLACE, 'billing_'),
    ),
  },
  {
    source: 'housecall_pro',
    kind: 'customers',
    marks: [
      ['mobile number', 'home number'],
      ['mobile phone', 'home phone', 'customer tags'],
      ['notifications enabled'],
    ],
    columns: merged(
      {
        source_id: ['customer id', 'id'],
        name: ['customer', 'display name', 'customer name'],
        mobile_phone: ['mobile number', 'mobile phone'],
        home_phone: ['home number', 'home phone'],
        work_phone: ['work number', 'work phone'],
        customer_type: ['customer type', 'type', 'homeowner or business'],
        contact_role: ['role', 'job title'],
        tags: ['customer tags', 'tags'],
        address_line1: ['street', 'address street', 'street line 1'],
        do_not_service: ['do not service'],
      },
      PERSON,
      PLACE,
      prefixed('billing', PLACE, 'billing_'),
    ),
  },
  {
    source: 'servicetitan',
    kind: 'customers',
    marks: [
      ['customer name', 'location name'],
      ['customer id', 'location id'],
      ['customer type', 'bill to street'],
    ],
    columns: merged(
      {
        source_id: ['customer id', 'customer number'],
        name: ['customer name', 'name'],
        customer_type: ['customer type', 'type', 'residential commercial'],
        phone: ['phone', 'phone number', 'customer phone'],
        mobile_phone: ['mobile phone', 'mobile', 'cell phone'],
        email: ['customer email', 'email', 'email address'],
        site_name: ['location name'],
        status: ['active', 'status', 'customer status'],
        do_not_service: ['do not service'],
        tags: ['customer tags', 'tags'],
        contact_name: ['location contact', 'contact name'],
        contact_phone: ['location phone', 'contact phone'],
        contact_email: ['location email', 'contact email'],
      },
      PERSON,
      same('location', PLACE),
      same('service', PLACE),
      PLACE,
      prefixed('bill to', PLACE, 'billing_'),
      prefixed('billing', PLACE, 'billing_'),
    ),
  },
  {
    source: 'quickbooks',
    kind: 'customers',
    marks: [
      ['name', 'company', 'opening balance'],
      ['full name', 'company', 'opening balance'],
      ['name', 'resale number'],
      ['customer full name', 'bill address'],
      ['name', 'company', 'phone', 'mobile', 'fax'],
      ['full name', 'company', 'mobile', 'fax'],
    ],
    columns: merged(
      {
        name: ['name', 'full name', 'customer full name', 'customer'],
        company_name: ['company', 'company name'],
        phone: ['phone', 'phone numbers'],
        mobile_phone: ['mobile'],
        payment_terms: ['terms'],
        site_name: ['ship name'],
        taxable: ['taxable'],
        source_id: ['customer id', 'id', 'account number'],
      },
      PERSON,
      PLACE,
      same('shipping', PLACE),
      prefixed('billing', PLACE, 'billing_'),
    ),
  },
  {
    source: 'plain',
    kind: 'customers',
    marks: [],
    columns: merged(
      PERSON,
      {
        source_id: ['id', 'customer id', 'client id', 'customer number'],
        external_id: ['external id'],
        name: ['name', 'full name', 'customer', 'client', 'display name', 'customer name', 'client name'],
        customer_type: ['customer type', 'type'],
        phone: ['phone', 'phone number', 'telephone', 'primary phone'],
        mobile_phone: ['mobile', 'mobile phone', 'cell', 'cell phone', 'mobile number'],
        home_phone: ['home phone'],
        work_phone: ['work phone', 'office phone'],
        status: ['status'],
        tax_exempt: ['tax exempt'],
        payment_terms: ['payment terms days', 'payment terms', 'terms', 'net days'],
        preferred_language: ['preferred language', 'language'],
        do_not_service: ['do not service'],
        contact_name: ['contact', 'contact name', 'contact person'],
        contact_email: ['contact email'],
        contact_phone: ['contact phone'],
        contact_role: ['contact role', 'contact title'],
        site_name: ['location', 'location name', 'site', 'site name', 'property'],
        access_notes: ['access notes', 'gate code'],
      },
      PLACE,
      same('service', PLACE),
      prefixed('billing', PLACE, 'billing_'),
    ),
  },
  {
    source: 'jobber',
    kind: 'catalog_items',
    marks: [
      ['name', 'default unit price'],
      ['name', 'unit price', 'bookable'],
      ['name', 'unit price', 'duration minutes'],
      ['name', 'unit price', 'quantity enabled'],
    ],
    columns: merged(
      {
        source_id: ['id', 'product id'],
        price: ['unit price', 'default unit price'],
        cost: ['unit cost', 'default unit cost', 'internal unit cost'],
        duration_minutes: ['duration minutes', 'duration'],
      },
      ITEM,
    ),
  },
  {
    source: 'housecall_pro',
    kind: 'catalog_items',
    marks: [
      ['name', 'task code'],
      ['name', 'industry', 'price'],
      ['name', 'online booking enabled', 'price'],
    ],
    columns: merged(
      {
        source_id: ['uuid', 'id'],
        sku: ['task code', 'part number', 'sku'],
        duration_minutes: ['duration', 'duration minutes'],
        unit: ['unit of measure', 'unit'],
        manufacturer: ['manufacturer', 'brand'],
      },
      ITEM,
    ),
  },
  {
    source: 'servicetitan',
    kind: 'catalog_items',
    marks: [
      ['code', 'member price'],
      ['code', 'hours', 'price'],
      ['code', 'category name', 'price'],
      ['code', 'cost', 'primary vendor'],
      ['code', 'price', 'add on price'],
    ],
    columns: merged(
      {
        source_id: ['id'],
        sku: ['code', 'item code'],
        name: ['name', 'item name', 'display name'],
        price: ['price', 'static price'],
        duration_hours: ['hours', 'sold hours'],
        supplier_name: ['primary vendor', 'vendor name'],
        supplier_sku: ['vendor part number', 'primary vendor part number'],
        manufacturer: ['manufacturer', 'brand'],
        model: ['model', 'model number'],
      },
      ITEM,
    ),
  },
  {
    source: 'quickbooks',
    kind: 'catalog_items',
    marks: [
      ['sales price rate'],
      ['product service name'],
      ['product service'],
      ['sales description', 'income account'],
      ['name', 'income account'],
    ],
    columns: merged(
      {
        name: ['product service name', 'product service', 'name'],
        description: ['sales description', 'description'],
        price: ['sales price rate', 'sales price', 'price', 'rate'],
        cost: ['purchase cost', 'cost'],
      },
      ITEM,
    ),
  },
  {
    source: 'plain',
    kind: 'catalog_items',
    marks: [],
    columns: merged(ITEM, {
      name: ['item', 'service', 'product', 'service name', 'product name'],
      source_id: ['id', 'item id'],
      duration_minutes: ['duration', 'duration minutes', 'minutes'],
      duration_hours: ['hours'],
      manufacturer: ['manufacturer', 'brand'],
      model: ['model'],
      barcode: ['barcode', 'upc', 'ean'],
      supplier_name: ['supplier', 'vendor'],
      supplier_sku: ['supplier sku'],
    }),
  },
]
