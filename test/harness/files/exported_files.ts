import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import type { ImportSource } from '../../../src/imports/formats/source_format.ts'

/** Company in another product: the source of its files and of the expected import. */
export type ExportedCompany = {
  people: readonly string[]
  invoices: readonly Billed[]
  quotes: readonly Billed[]
  jobs: readonly Visited[]
}

type Line = { name: string; count: number; cents: number }
type Billed = {
  /** Index of the customer in `people`. */
  whose: number
  day: number
  lines: readonly Line[]
  /** Discount in percent. */
  off: number
  isTaxed: boolean
  state: 'draft' | 'open' | 'begun' | 'settled'
}
type Visited = {
  whose: number
  day: number
  hour: number
  title: string
  cents: number
  state: 'scheduled' | 'done' | 'unscheduled'
}

/** Calculates a document's amounts independently of our own code. Half a cent of tax or more is rounded up. */
export function amountsOf({ lines, off, isTaxed, state }: Billed) {
  const sum = lines.reduce((all, { count, cents }) => all + count * cents, 0)
  const discount = Math.floor((sum * off) / 100)
  const tax = isTaxed ? Math.floor(((sum - discount) * 825 + 5_000) / 10_000) : 0
  const total = sum - discount + tax
  const owed = state === 'settled' ? 0 : state === 'begun' ? Math.ceil(total / 2) : total
  return { sum, discount, tax, total, owed }
}

const word = fc.stringMatching(/^[A-Z][a-z]{2,9}$/)
const whose = fc.nat(2)
const day = fc.integer({ min: 1, max: 28 })
const line = fc.record({
  name: word,
  count: fc.integer({ min: 1, max: 20 }),
  cents: fc.integer({ min: 2, max: 99_999 }),
})
const billed = fc.record({
  whose,
  day,
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  off: fc.constantFrom(0, 0, 5, 17),
  isTaxed: fc.boolean(),
  state: fc.constantFrom('draft', 'open', 'begun', 'settled'),
})

/** Companies with three people. */
export const exportedCompany: fc.Arbitrary<ExportedCompany> = fc.record({
  people: fc
    .uniqueArray(fc.tuple(word, word), { minLength: 3, maxLength: 3, selector: ([, last]) => last })
    .map((names) => names.map((name) => name.join(' '))),
  invoices: fc.array(billed, { minLength: 1, maxLength: 5 }),
  quotes: fc.array(billed, { minLength: 1, maxLength: 4 }),
  jobs: fc.array(
    fc.record({
      whose,
      day,
      hour: fc.integer({ min: 6, max: 18 }),
      title: word,
      cents: fc.nat(999_999),
      state: fc.constantFrom('scheduled', 'done', 'unscheduled'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

/** Returns the number that a product gave a document. */
export const numberOf = (i: number): string => String(3001 + i)

const money = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
const dollars = (cents: number): string => `$${money(cents).replace(/\B(?=(\d{3})+\.)/g, ',')}`
const two = (n: number): string => String(n).padStart(2, '0')
const formatNumericDate = (of: number, month: number, year = 2026): string => `${two(month)}/${two(of)}/${year}`
const formatTextDate = (of: number, month: string, year = 2026): string => `${month} ${two(of)}, ${year}`
const clock = (hour: number): string => `${hour % 12 === 0 ? 12 : hour % 12}:00 ${hour < 12 ? 'AM' : 'PM'}`
const table = (rows: readonly Readonly<Record<string, string>>[]): string =>
  stringify([Object.keys(rows[0]!), ...rows.map(Object.values)])

const inOneCell = (lines: readonly Line[]): string =>
  lines.map(({ name, count, cents }) => `${name} (${count}, ${dollars(count * cents)})`).join(', ')

type Writer = (company: ExportedCompany) => string
type Kind = 'invoices' | 'quotes' | 'jobs'

/** Writes a company in the file formats of each product. Skips records that a product has no file for. */
export const EXPORT_WRITERS: Readonly<Record<ImportSource, Partial<Record<Kind, Writer>>>> = {
  jobber: {
    invoices: ({ people, invoices }) =>
      `Invoices Report\n${table(
        invoices.map((one, i) => {
          const { sum, discount, tax, total, owed } = amountsOf(one)
          const isDraft = one.state === 'draft'
          return {
            'Invoice #': numberOf(i),
            'Client name': people[one.whose]!,
            Subject: `Work ${i}`,
            'Created date': formatTextDate(one.day, 'Mar'),
            'Issued date': isDraft ? '-' : formatTextDate(one.day, 'Mar'),
            'Marked paid date': one.state === 'settled' ? formatTextDate(one.day, 'Apr') : '-',
            Status: isDraft ? 'Draft' : one.state === 'settled' ? 'Paid' : 'Awaiting payment',
            'Line items': inOneCell(one.lines),
            'Pre-tax total ($)': money(i % 2 === 0 ? sum : sum - discount),
            'Total ($)': money(total),
            'Balance ($)': money(owed),
            'Tax (%)': one.isTaxed ? '8.25' : '0',
            'Discount ($)': money(discount),
            'Tax amount ($)': money(tax),
          }
        }),
      )}`,
    quotes: ({ people, quotes }) =>
      `Quotes Report\nDate range: Jan 1, 2026 - Feb 1, 2026\n${table(
        quotes.map((one, i) => {
          const { sum, discount, total } = amountsOf(one)
          return {
            'Quote #': numberOf(i),
            'Client name': people[one.whose]!,
            Title: `Work ${i}`,
            Status: { draft: 'Draft', open: 'Awaiting response', begun: 'Approved', settled: 'Converted' }[one.state],
            'Line items': inOneCell(one.lines),
            'Subtotal ($)': money(i % 2 === 0 ? sum : sum - discount),
            'Discount ($)': money(discount),
            'Total ($)': money(total),
            'Drafted date': formatTextDate(one.day, 'Jan'),
            'Sent date': one.state === 'draft' ? '-' : formatTextDate(one.day, 'Jan'),
            'Approved date': '-',
          }
        }),
      )}`,
    jobs: ({ people, jobs }) =>
      table(
        jobs.map((one, i) => ({
          'Job #': numberOf(i),
          Date: one.state === 'unscheduled' ? '-' : formatTextDate(one.day, 'May', yearOf(one)),
          Times: one.state === 'unscheduled' ? '-' : `${clock(one.hour)} - ${clock(one.hour + 2)}`,
          'Visit title': one.title,
          'Client name': people[one.whose]!,
          'Visit completed date': one.state === 'done' ? formatTextDate(one.day, 'May') : '-',
          'One-off job ($)': i % 2 === 0 ? money(one.cents) : '-',
          'Visit based ($)': i % 2 === 0 ? '-' : money(one.cents),
        })),
      ),
  },
  housecall_pro: {
    invoices: ({ people, invoices }) =>
      table(
        invoices.map((one, i) => ({
          'Invoice #': numberOf(i),
          'Customer name': people[one.whose]!,
          'Job #': '',
          'Created date': formatNumericDate(one.day, 3),
          'Invoice amount': dollars(amountsOf(one).total),
          'Amount due': dollars(amountsOf(one).owed),
          'Invoice status': one.state === 'settled' ? 'Paid' : 'Open',
        })),
      ),
    quotes: ({ people, quotes }) =>
      table(
        quotes.map((one, i) => ({
          'Estimate #': numberOf(i),
          'Customer name': people[one.whose]!,
          'Estimate status': { draft: 'Needs scheduling', open: 'Complete', begun: 'Approved', settled: 'Approved' }[
            one.state
          ],
          Description: `Work ${i}`,
          'Created date': formatNumericDate(one.day, 1),
          'Sub-total': dollars(amountsOf(one).sum),
          'Discount amount': dollars(amountsOf(one).discount),
          'Tax amount': dollars(amountsOf(one).tax),
          'Open value': '$0.00',
        })),
      ),
    jobs: ({ people, jobs }) =>
      table(
        jobs.map((one, i) => {
          const isNever = one.state === 'unscheduled'
          return {
            'Job #': `="${numberOf(i)}"`,
            'Customer name': people[one.whose]!,
            'Job description': one.title,
            'Job status': { scheduled: 'Scheduled', done: 'Completed', unscheduled: 'Needs scheduling' }[one.state],
            'Job scheduled start date': isNever
              ? ''
              : `${formatNumericDate(one.day, 5, yearOf(one))} ${clock(one.hour)}`,
            'Job scheduled end date': isNever
              ? ''
              : `${formatNumericDate(one.day, 5, yearOf(one))} ${clock(one.hour + 2)}`,
            'Job amount': dollars(one.cents),
          }
        }),
      ),
  },
  servicetitan: {
    invoices: ({ people, invoices }) =>
      `${table(
        invoices.map((one, i) => {
          const { sum, discount, tax, total, owed } = amountsOf(one)
          return {
            'Invoice #': numberOf(i),
            'Customer Name': people[one.whose]!,
            'Business Unit': 'Plumbing',
            Status: one.state === 'draft' ? 'Pending' : i % 2 === 0 ? 'Posted' : 'Exported',
            'Invoice Date': formatNumericDate(one.day, 3),
            Subtotal: dollars(sum - discount),
            Tax: dollars(tax),
            Total: dollars(total),
            Balance: dollars(owed),
          }
        }),
      )}Total,,,,,,,$1.00,$1.00\n`,
    quotes: ({ people, quotes }) =>
      table(
        quotes.map((one, i) => ({
          'Estimate Id': numberOf(i),
          'Customer Name': people[one.whose]!,
          'Estimates Subtotal': dollars(amountsOf(one).sum),
          'Estimate Status': { draft: 'Open', open: 'Open', begun: 'Sold', settled: 'Sold' }[one.state],
          'Creation Date': formatNumericDate(one.day, 1),
        })),
      ),
    jobs: ({ people, jobs }) =>
      table(
        jobs.map((one, i) => ({
          'Job #': numberOf(i),
          'Job Type': one.title,
          'Business Unit': 'Plumbing',
          Status: { scheduled: 'Scheduled', done: 'Completed', unscheduled: 'Pending' }[one.state],
          'Customer Name': people[one.whose]!,
          'Scheduled Date':
            one.state === 'unscheduled' ? '' : `${formatNumericDate(one.day, 5, yearOf(one))} ${clock(one.hour)}`,
          'Jobs Total Revenue': dollars(one.cents),
        })),
      ),
  },
  quickbooks: {
    invoices: ({ people, invoices }) =>
      `Their Plumbing LLC\nInvoice List\n"January 1 - April 30, 2026"\n\n${table(
        invoices.map((one, i) => ({
          '': '',
          'Transaction date': formatNumericDate(one.day, 3),
          'Transaction type': 'Invoice',
          Num: numberOf(i),
          'Customer full name': people[one.whose]!,
          Amount: dollars(amountsOf(one).total).slice(1),
          'Open balance': dollars(amountsOf(one).owed).slice(1),
        })),
      )}TOTAL,,,,,1.00,1.00\n`,
    quotes: ({ people, quotes }) =>
      table(
        quotes.flatMap((one, i) =>
          one.lines.map(({ name, count, cents }) => ({
            'Estimate No': numberOf(i),
            Customer: people[one.whose]!,
            'Estimate Date': formatNumericDate(one.day, 1),
            'Estimate Status': { draft: 'Pending', open: 'Pending', begun: 'Accepted', settled: 'Closed' }[one.state],
            'Item(Product/Service)': name,
            'Item Quantity': String(count),
            'Item Rate': money(cents),
            'Item Amount': money(count * cents),
            'Item tax code': 'NON',
          })),
        ),
      ),
  },
  plain: {
    invoices: ({ people, invoices }) =>
      table(
        invoices.flatMap((one, i) =>
          one.lines.map(({ name, count, cents }, at) => {
            const { discount, tax, total, owed } = amountsOf(one)
            const first = (said: string): string => (at === 0 ? said : '')
            return {
              'Invoice number': numberOf(i),
              Customer: people[one.whose]!,
              'Invoice date': first(formatNumericDate(one.day, 3)),
              Status: first({ draft: 'Draft', open: 'Sent', begun: 'Partial', settled: 'Paid' }[one.state]),
              Item: name,
              Quantity: String(count),
              'Unit price': money(cents),
              Discount: first(money(discount)),
              Tax: first(money(tax)),
              Total: first(money(total)),
              Balance: first(money(owed)),
            }
          }),
        ),
      ),
    quotes: ({ people, quotes }) =>
      table(
        quotes.flatMap((one, i) =>
          one.lines.map(({ name, count, cents }) => ({
            'Quote number': numberOf(i),
            Customer: people[one.whose]!,
            'Quote date': formatNumericDate(one.day, 1),
            Status: { draft: 'Draft', open: 'Sent', begun: 'Accepted', settled: 'Won' }[one.state],
            Item: name,
            Quantity: String(count),
            'Unit price': money(cents),
            Discount: money(amountsOf(one).discount),
            Tax: money(amountsOf(one).tax),
            Total: money(amountsOf(one).total),
          })),
        ),
      ),
    jobs: ({ people, jobs }) =>
      table(
        jobs.map((one, i) => ({
          'Job number': numberOf(i),
          Customer: people[one.whose]!,
          'Job title': one.title,
          'Job status': one.state,
          'Scheduled start': one.state === 'unscheduled' ? '' : formatNumericDate(one.day, 5, yearOf(one)),
          'Start time': one.state === 'unscheduled' ? '' : clock(one.hour),
          Total: money(one.cents),
        })),
      ),
  },
}

/** Returns the year of a visit. A scheduled one is in the future. */
export const yearOf = ({ state }: Visited): number => (state === 'scheduled' ? 2099 : 2026)
