import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { startProgram, type Fields, type ProgramAnswer, type ProgramRequest } from './program_server.ts'

const TENANT = '70784a63-d24b-46a9-a4db-0e70a274b056'

/** Accounts of the fake company, by id. Receivables belong to the program. */
export const XERO_ACCOUNTS = {
  income: 'a-200',
  tax: 'a-821',
  deposits: 'a-830',
  undeposited: 'a-610c',
  clearing: 'a-611',
  bad_debts: 'a-400',
  tips: 'a-840',
  receivable: 'a-610',
} as const

const CHART: readonly Fields[] = [
  { AccountID: 'a-200', Code: '200', Name: 'Sales', Type: 'REVENUE' },
  { AccountID: 'a-821', Code: '821', Name: 'Sales tax owed', Type: 'CURRLIAB' },
  { AccountID: 'a-830', Code: '830', Name: 'Customer deposits', Type: 'CURRLIAB' },
  { AccountID: 'a-840', Code: '840', Name: 'Tips payable', Type: 'CURRLIAB' },
  { AccountID: 'a-610c', Code: '612', Name: 'Undeposited', Type: 'CURRENT', EnablePaymentsToAccount: true },
  { AccountID: 'a-611', Code: '611', Name: 'Online payments', Type: 'CURRENT', EnablePaymentsToAccount: true },
  { AccountID: 'a-400', Code: '400', Name: 'Bad debts', Type: 'EXPENSE' },
  { AccountID: 'a-610', Code: '610', Name: 'Accounts Receivable', Type: 'CURRENT', SystemAccount: 'DEBTORS' },
  { AccountID: 'a-090', Code: '090', Name: 'Bank', Type: 'BANK' },
]

type Row = Fields & { id: string }
type Allocation = { AllocationID: string; credit: string; invoice: string; cents: number }

const makeErrorAnswer = (Message: string): ProgramAnswer => ({
  status: 400,
  body: {
    ErrorNumber: 10,
    Type: 'ValidationException',
    Message: 'A validation exception occurred',
    Elements: [{ ValidationErrors: [{ Message }] }],
  },
})
const cents = (amount: unknown): number => Math.round(Number(amount) * 100)
const idIn = (value: unknown, field: string): string => String((value as Fields | undefined)?.[field])
const linesOf = (row: Fields): Fields[] => row['LineItems'] as Fields[]
const totalOf = (row: Fields): number => linesOf(row).reduce((sum, { LineAmount }) => sum + cents(LineAmount), 0)

const IDS: Readonly<Record<string, string>> = {
  Contacts: 'ContactID',
  Items: 'Code',
  Invoices: 'InvoiceID',
  CreditNotes: 'CreditNoteID',
  Payments: 'PaymentID',
  ManualJournals: 'ManualJournalID',
}

/**
 * Starts a fake Xero that follows the published API description (test/fixtures/books/xero.json): unique names, codes
 * and numbers, PUT to create, POST to update, payments within the amount due, and no change to paid invoices.
 */
export async function startXero() {
  const ajv = new Ajv({ allErrors: true, strict: false })
  const schemas = JSON.parse(
    await readFile(new URL('../../fixtures/books/xero.json', import.meta.url), 'utf8'),
  ) as Record<string, object>
  const checks = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]))
  const stores: Record<string, Row[]> = Object.fromEntries(Object.keys(IDS).map((entity) => [entity, []]))
  const allocations: Allocation[] = []
  const isLive = ({ Status }: Fields): boolean => Status !== 'VOIDED' && Status !== 'DELETED'

  const paidOf = (id: string): number =>
    stores['Payments']!.filter((one) => isLive(one) && idIn(one['Invoice'], 'InvoiceID') === id).reduce(
      (sum, { Amount }) => sum + cents(Amount),
      0,
    )
  const creditOf = (key: 'invoice' | 'credit', id: string): number =>
    allocations.filter((one) => one[key] === id).reduce((sum, one) => sum + one.cents, 0)
  const dueOf = (row: Row): number => totalOf(row) - paidOf(row.id) - creditOf('invoice', row.id)

  /** Adds the fields that the program computes. */
  function toView(entity: string, { id, ...row }: Row): Fields {
    const own = { ...row, [IDS[entity]!]: id }
    if (entity === 'Invoices')
      return {
        ...own,
        Total: totalOf(row) / 100,
        AmountDue: dueOf({ id, ...row }) / 100,
        AmountPaid: paidOf(id) / 100,
        AmountCredited: creditOf('invoice', id) / 100,
      }
    if (entity !== 'CreditNotes') return own
    const Allocations = allocations.filter(({ credit }) => credit === id).map(({ AllocationID }) => ({ AllocationID }))
    return {
      ...own,
      Total: totalOf(row) / 100,
      RemainingCredit: (totalOf(row) - creditOf('credit', id)) / 100,
      Allocations,
    }
  }

  function problemOf(entity: string, body: Fields, before: Row | undefined): string | undefined {
    const check = checks[entity]!
    if (!check(body)) return ajv.errorsText(check.errors)
    const unique = { Contacts: 'Name', Items: 'Code', Invoices: 'InvoiceNumber', CreditNotes: 'CreditNoteNumber' }[
      entity
    ]
    if (
      unique !== undefined &&
      stores[entity]!.some((one) => one !== before && isLive(one) && one[unique] === body[unique])
    )
      return `${unique} must be unique`
    if (before !== undefined && entity === 'Invoices' && paidOf(before.id) + creditOf('invoice', before.id) > 0)
      return 'Invoice not of valid status for modification'
    for (const line of (body['LineItems'] ?? []) as Fields[]) {
      if (Math.round(Number(line['Quantity']) * cents(line['UnitAmount'])) !== cents(line['LineAmount']))
        return 'Wrong line amount'
      const account = CHART.find(({ AccountID }) => AccountID === line['AccountID'])
      if (account === undefined || account['Type'] === 'BANK' || 'SystemAccount' in account)
        return 'Account can not be coded'
      if ('ItemCode' in line && !stores['Items']!.some(({ Code }) => Code === line['ItemCode'])) return 'No such item'
    }
    if (entity === 'ManualJournals') {
      const lines = body['JournalLines'] as Fields[]
      if (lines.reduce((sum, { LineAmount }) => sum + cents(LineAmount), 0) !== 0) return 'Journal does not balance'
      for (const { AccountCode } of lines) {
        const account = CHART.find(({ Code }) => Code === AccountCode)
        if (account === undefined || account['Type'] === 'BANK' || 'SystemAccount' in account)
          return 'Account can not be journaled'
      }
    }
    if (entity === 'Payments') {
      const invoice = stores['Invoices']!.find(({ id }) => id === idIn(body['Invoice'], 'InvoiceID'))
      if (invoice === undefined || !isLive(invoice)) return 'Invoice could not be found'
      if (cents(body['Amount']) > dueOf(invoice)) return 'Payment amount exceeds the amount outstanding'
    }
    return undefined
  }

  function save(entity: string, body: Fields, before: Row | undefined): ProgramAnswer {
    const problem = problemOf(entity, body, before)
    if (problem !== undefined) return makeErrorAnswer(problem)
    const row: Row = {
      ...before,
      ...body,
      id: before?.id ?? (entity === 'Items' ? String(body['Code']) : randomUUID()),
    }
    if (before === undefined) stores[entity]!.push({ Status: 'AUTHORISED', ...row })
    else Object.assign(before, row)
    return { status: 200, body: { [entity]: [toView(entity, row)] } }
  }

  function end(entity: string, row: Row, Status: unknown): ProgramAnswer {
    if (entity === 'Invoices' && paidOf(row.id) + creditOf('invoice', row.id) > 0)
      return makeErrorAnswer('It has payments')
    if (entity === 'CreditNotes' && creditOf('credit', row.id) > 0) return makeErrorAnswer('It has allocations')
    row['Status'] = Status
    return { status: 200, body: { [entity]: [toView(entity, row)] } }
  }

  function allocate(method: string, credit: Row, body: Fields, allocation: string | undefined): ProgramAnswer {
    if (method === 'DELETE') {
      const at = allocations.findIndex(({ AllocationID }) => AllocationID === allocation)
      if (at >= 0) allocations.splice(at, 1)
      return { status: 200, body: {} }
    }
    const [asked] = body['Allocations'] as Fields[]
    const invoice = stores['Invoices']!.find(({ id }) => id === idIn(asked!['Invoice'], 'InvoiceID'))
    const maxCents = Math.min(
      invoice === undefined ? 0 : dueOf(invoice),
      totalOf(credit) - creditOf('credit', credit.id),
    )
    if (!checks['Allocations']!(asked) || invoice === undefined || cents(asked!['Amount']) > maxCents)
      return makeErrorAnswer('Too much')
    allocations.push({
      AllocationID: randomUUID(),
      credit: credit.id,
      invoice: invoice.id,
      cents: cents(asked!['Amount']),
    })
    return { status: 200, body: { Allocations: [asked] } }
  }

  function find(entity: string, query: URLSearchParams): ProgramAnswer {
    const [, field = '', value = ''] = /^(\w+)=="([^"]*)"$/.exec(query.get('where') ?? '') ?? []
    const numbers = query.get('InvoiceNumbers')
    const listed = stores[entity]!.filter(
      (one) => (field === '' || one[field] === value) && (numbers === null || one['InvoiceNumber'] === numbers),
    )
    return { status: 200, body: { [entity]: listed.map((one) => toView(entity, one)) } }
  }

  function handle({ method, path, query, body, headers }: ProgramRequest): ProgramAnswer {
    if (path === '/connections')
      return { status: 200, body: [{ id: '1', tenantId: TENANT, tenantType: 'ORGANISATION' }] }
    const [, entity = '', id, part, allocation] =
      /^\/api\.xro\/2\.0\/(\w+)(?:\/([^/]+)(?:\/(\w+)(?:\/([^/]+))?)?)?$/.exec(path) ?? []
    if (headers['xero-tenant-id'] !== TENANT) return { status: 403, body: {} }
    if (entity === 'Organisation')
      return {
        status: 200,
        body: { Organisations: [{ Name: 'Acme at Xero', CountryCode: 'US', BaseCurrency: 'USD' }] },
      }
    if (entity === 'Accounts') return { status: 200, body: { Accounts: CHART } }
    const row = stores[entity]?.find((one) => one.id === id)
    if (id !== undefined && row === undefined) return { status: 404, body: {} }
    if (part === 'Allocations') return allocate(method, row!, body, allocation)
    if (method === 'GET')
      return row === undefined ? find(entity, query) : { status: 200, body: { [entity]: [toView(entity, row)] } }
    const asked = entity === 'Payments' && row !== undefined ? body : (body[entity] as Fields[])[0]!
    if (asked['Status'] === 'VOIDED' || asked['Status'] === 'DELETED') return end(entity, row!, asked['Status'])
    const same =
      entity === 'Items' && method === 'POST' ? stores['Items']!.find(({ Code }) => Code === asked['Code']) : row
    return save(entity, asked, method === 'PUT' ? undefined : same)
  }

  /** Returns the balance of each account. Debits are positive. */
  function balances(): Record<keyof typeof XERO_ACCOUNTS, number> {
    const sums: Record<string, number> = {}
    const book = (account: unknown, amount: number): void =>
      void (sums[String(account)] = (sums[String(account)] ?? 0) + amount)
    for (const [entity, sign] of [
      ['Invoices', 1],
      ['CreditNotes', -1],
    ] as const)
      for (const one of stores[entity]!.filter(isLive)) {
        book(XERO_ACCOUNTS.receivable, sign * totalOf(one))
        for (const line of linesOf(one)) book(line['AccountID'], 0 - sign * cents(line['LineAmount']))
      }
    for (const one of stores['Payments']!.filter(isLive)) {
      book(idIn(one['Account'], 'AccountID'), cents(one['Amount']))
      book(XERO_ACCOUNTS.receivable, 0 - cents(one['Amount']))
    }
    for (const one of stores['ManualJournals']!.filter(isLive))
      for (const { AccountCode, LineAmount } of one['JournalLines'] as Fields[])
        book(CHART.find(({ Code }) => Code === AccountCode)?.['AccountID'], cents(LineAmount))
    return Object.fromEntries(Object.entries(XERO_ACCOUNTS).map(([name, id]) => [name, sums[id] ?? 0])) as Record<
      keyof typeof XERO_ACCOUNTS,
      number
    >
  }

  const challenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
  const server = await startProgram(
    { token: '/connect/token', revoke: '/connect/revocation', challenge },
    ({ headers }) => headers['idempotency-key']?.toString(),
    handle,
  )
  return {
    ...server,
    stores,
    balances,
    /** Returns the marks of everything that was created, with its numbers and names. */
    facts: () => ({
      marks: [
        ...stores['Invoices']!.map(({ Url }) => `invoice ${String(Url)}`),
        ...stores['CreditNotes']!.map(({ Reference }) => `credit ${String(Reference)}`),
        ...stores['Payments']!.map(({ Reference }) => `payment ${String(Reference)}`),
        ...stores['ManualJournals']!.map(({ Narration }) => `journal ${String(Narration)}`),
      ],
      numbers: stores['Invoices']!.filter(isLive).map(({ InvoiceNumber }) => InvoiceNumber),
      names: stores['Contacts']!.map(({ Name }) => Name),
    }),
  }
}
