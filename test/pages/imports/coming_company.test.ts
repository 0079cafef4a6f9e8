import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { SOURCES, detectFormat, type ImportSource } from '../../../src/imports/formats/source_format.ts'
import { SOURCE_FORMATS } from '../../../src/imports/formats/index.ts'
import { findPricing } from '../../../src/imports/documents/amounts.ts'
import { readInvoices } from '../../../src/imports/documents/invoices.ts'
import { readQuotes } from '../../../src/imports/documents/quotes.ts'
import { guessMapping, readMappedRows, sampleColumns } from '../../../src/imports/rows/mapping.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { priceDocument, type DocumentLine } from '../../../src/money/document.ts'
import type { TestService } from '../../harness/harness.ts'
import { importingInto, withTwoCustomers, type Importing } from '../../harness/files/imports.ts'
import {
  EXPORT_WRITERS,
  amountsOf,
  numberOf,
  exportedCompany,
  yearOf,
  type ExportedCompany,
} from '../../harness/files/exported_files.ts'
import { startSite } from '../../harness/web_client.ts'

type Billed = ExportedCompany['invoices'][number]

/** What each product's files contain. Without tax or discounts, the imported amounts differ accordingly. */
const TELLS: Readonly<Record<ImportSource, { invoiceTax: boolean; quoteTax: boolean; drafts: boolean }>> = {
  jobber: { invoiceTax: true, quoteTax: true, drafts: true },
  housecall_pro: { invoiceTax: false, quoteTax: true, drafts: false },
  servicetitan: { invoiceTax: true, quoteTax: false, drafts: true },
  quickbooks: { invoiceTax: false, quoteTax: false, drafts: false },
  plain: { invoiceTax: true, quoteTax: true, drafts: true },
}

const invoiceSums = (source: ImportSource, one: Billed) => {
  const { total, tax } = amountsOf(one)
  return { total, tax: TELLS[source].invoiceTax ? tax : 0 }
}
const quoteSums = (source: ImportSource, one: Billed) => {
  const { sum, total, tax } = amountsOf(one)
  return TELLS[source].quoteTax ? { total, tax } : { total: sum, tax: 0 }
}

const RULES = {
  digits: 2,
  currency: 'USD',
  country: 'US',
  seesCost: true,
  isDayFirst: false,
  epoch: 1900 as const,
  source: '',
}
const RATES = [
  { tax_rate_id: 'a', name: 'Austin', rate_decimal: '0.0825' },
  { tax_rate_id: 'b', name: 'Dallas', rate_decimal: '0.075' },
]

describe('documents imported from another product', () => {
  for (const source of SOURCES)
    it(`have the totals and tax of the ${source} files when priced here`, async () => {
      await fc.assert(
        fc.asyncProperty(exportedCompany, async (company) => {
          assert.deepEqual(
            await read(source, 'invoices', company),
            company.invoices.map((one, i) => ({ number: numberOf(i), ...invoiceSums(source, one) })),
          )
          assert.deepEqual(
            await read(source, 'quotes', company),
            company.quotes.map((one, i) => ({ number: numberOf(i), ...quoteSums(source, one) })),
          )
        }),
        { numRuns: 40 },
      )
    })
})

/** Reads a file with its detected source format, and prices its documents as the tools do. */
async function read(source: ImportSource, kind: 'invoices' | 'quotes', company: ExportedCompany) {
  const content = Buffer.from(EXPORT_WRITERS[source][kind]!(company))
  const { header } = await sampleColumns(content)
  const dialect = detectFormat(SOURCE_FORMATS, header)
  assert.deepEqual([dialect.source, dialect.kind], [source, kind])
  const { rows } = await readMappedRows(content, guessMapping(dialect, header))
  return (await (kind === 'invoices' ? readInvoices : readQuotes)(rows, RULES)).map(({ key, document }) => {
    assert.deepEqual(document!.problems, [])
    const of = { currency: 'USD', isExempt: false, isEvenedOut: false }
    const { line_items, discount, tax_rate_id } = findPricing(RATES, document!.lines, document!.amounts, of)
    const rate = RATES.find((one) => one.tax_rate_id === tax_rate_id) ?? null
    const lines = line_items.map((one): DocumentLine => (one.kind === 'discount' ? one : { ...one, rate }))
    const priced = priceDocument({ line_items: lines, discount: discount ?? null, tax_exempt: false })
    return { number: key, total: priced.total_cents, tax: priced.tax_cents }
  })
}

describe('a company imported from another product', () => {
  let service: TestService
  before(async () => {
    service = await startSite()
  })
  after(() => service.stop())

  for (const source of SOURCES)
    it(`has the same invoices, quotes and jobs, to the cent, when it comes from ${source}`, async () => {
      await fc.assert(
        fc.asyncProperty(exportedCompany, async (company) => {
          const one = await importingInto(service, `From ${source}`)
          await withTwoCustomers(one)
          await one.importFile(customersOf(company))
          for (const kind of ['jobs', 'quotes', 'invoices'] as const) {
            const content = EXPORT_WRITERS[source][kind]?.(company)
            if (content === undefined) continue
            const { text } = await one.importFile(content)
            assert.doesNotMatch(text, /to-fix\.csv/, text)
          }
          assert.deepEqual(await invoicesOf(one), expectedInvoices(source, company))
          assert.deepEqual(await quotesOf(one), expectedQuotes(source, company))
          assert.deepEqual(await jobsOf(one), EXPORT_WRITERS[source].jobs === undefined ? [] : expectedJobs(company))
        }),
        { numRuns: 1, endOnFailure: true },
      )
    })
})

const customersOf = ({ people }: ExportedCompany): string =>
  `First name,Last name,Email\n${people.map((name, i) => `${name.replace(' ', ',')},their-${i}@example.com\n`).join('')}`

const theirs = sql`(select value from jsonb_each_text(x.fields) where key like '% number' or key = 'Number before' limit 1)`

const invoicesOf = ({ rows, company }: Importing) =>
  rows(sql`select ${theirs} as number, c.display_name as whose, x.status, x.issue_date as day,
      x.total_cents as total, x.tax_cents as tax, x.balance_due_cents as owed
    from invoices x join customers c on c.tenant_id = x.tenant_id and c.id = x.customer_id
    where x.tenant_id = ${company.id} order by 1`)

const quotesOf = ({ rows, company }: Importing) =>
  rows(sql`select ${theirs} as number, c.display_name as whose, x.status, x.issue_date as day,
      x.total_cents as total, x.tax_cents as tax
    from quotes x join customers c on c.tenant_id = x.tenant_id and c.id = x.customer_id
    where x.tenant_id = ${company.id} order by 1`)

const jobsOf = ({ rows, company }: Importing) =>
  rows(sql`select ${theirs} as number, c.display_name as whose, x.title, x.status,
      (x.scheduled_start at time zone t.timezone)::text as start, x.subtotal_cents as sum
    from jobs x join tenants t on t.id = x.tenant_id join customers c on c.tenant_id = x.tenant_id and c.id = x.customer_id
    where x.tenant_id = ${company.id} order by 1`)

const two = (n: number): string => String(n).padStart(2, '0')

const expectedInvoices = (source: ImportSource, { people, invoices }: ExportedCompany) =>
  invoices.map((one, i) => ({
    number: numberOf(i),
    whose: people[one.whose],
    status: { draft: TELLS[source].drafts ? 'draft' : 'sent', open: 'sent', begun: 'partially_paid', settled: 'paid' }[
      one.state
    ],
    day: `2026-03-${two(one.day)}`,
    ...invoiceSums(source, one),
    owed: amountsOf(one).owed,
  }))

const expectedQuotes = (source: ImportSource, { people, quotes }: ExportedCompany) =>
  quotes.map((one, i) => ({
    number: numberOf(i),
    whose: people[one.whose],
    status: {
      draft: ['servicetitan', 'quickbooks'].includes(source) ? 'expired' : 'draft',
      open: 'expired',
      begun: 'accepted',
      settled: 'accepted',
    }[one.state],
    day: `2026-01-${two(one.day)}`,
    ...quoteSums(source, one),
  }))

const expectedJobs = ({ people, jobs }: ExportedCompany) =>
  jobs.map((one, i) => ({
    number: numberOf(i),
    whose: people[one.whose],
    title: one.title,
    status: one.state,
    start: one.state === 'unscheduled' ? null : `${yearOf(one)}-05-${two(one.day)} ${two(one.hour)}:00:00`,
    sum: one.cents,
  }))
