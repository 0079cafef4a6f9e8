import type { ImportKind } from '../rows/kinds.ts'

type Example = { columns: readonly string[]; rows: readonly (readonly string[])[] }

/** Small example file of each kind, with columns that are recognized by name and rows to overwrite. */
export const EXAMPLES: Readonly<Record<ImportKind, Example>> = {
  customers: {
    columns: ['First name', 'Last name', 'Company', 'Email', 'Phone', 'Street', 'City', 'State', 'Zip', 'Tags', 'Note'],
    rows: [
      ['Maria', 'Lopez', '', 'maria@example.com', '(512) 555-0143', '410 Oak St', 'Austin', 'TX', '78701', 'VIP', ''],
      ['', '', 'Birch Bakery', 'office@example.com', '(512) 555-0144', '9 Elm Ave', 'Austin', 'TX', '78702', '', ''],
    ],
  },
  catalog_items: {
    columns: ['Name', 'Description', 'SKU', 'Category', 'Unit', 'Price', 'Cost', 'Taxable'],
    rows: [
      ['Drain cleaning', 'Up to 50 feet', 'DRN-1', 'Plumbing', 'each', '189.00', '', 'no'],
      ['Furnace filter 16x25', '', 'FLT-1625', 'Parts', 'each', '24.50', '11.20', 'yes'],
    ],
  },
  jobs: {
    columns: ['Job number', 'Customer name', 'Customer email', 'Title', 'Status', 'Start date', 'Start time'],
    rows: [['1001', 'Maria Lopez', 'maria@example.com', 'Drain cleaning', 'scheduled', '2027-03-01', '9:00 AM']],
  },
  quotes: {
    columns: ['Quote number', 'Customer name', 'Title', 'Status', 'Line name', 'Line quantity', 'Line price', 'Total'],
    rows: [['501', 'Maria Lopez', 'Water heater', 'sent', 'Water heater, 50 gal', '1', '1450.00', '1450.00']],
  },
  invoices: {
    columns: [
      'Invoice number',
      'Customer name',
      'Status',
      'Invoice date',
      'Due date',
      'Line name',
      'Line quantity',
      'Line price',
      'Total',
    ],
    rows: [['7001', 'Maria Lopez', 'sent', '2027-03-01', '2027-03-15', 'Drain cleaning', '1', '189.00', '189.00']],
  },
}
