import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { startProgram, type Fields, type ProgramAnswer, type ProgramRequest } from './program_server.ts'

export const REALM = '9130350000000001'

/** Accounts of the fake company, by id. */
export const ACCOUNTS = {
  income: '1',
  tax: '2',
  deposits: '3',
  undeposited: '4',
  clearing: '5',
  bad_debts: '6',
  tips: '7',
  receivable: '84',
} as const

const CHART: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '1': ['Services', 'Income'],
  '2': ['Sales tax owed', 'Other Current Liability'],
  '3': ['Customer deposits', 'Other Current Liability'],
  '4': ['Undeposited Funds', 'Other Current Asset'],
  '5': ['Online payments', 'Other Current Asset'],
  '6': ['Bad debts', 'Expense'],
  '7': ['Tips payable', 'Other Current Liability'],
  '84': ['Accounts Receivable (A/R)', 'Accounts Receivable'],
}

type Entity = Fields & { Id: string; SyncToken: string }
type Link = { TxnId: string; TxnType: string }

const makeErrorAnswer = (code: string, Message: string): ProgramAnswer => ({
  status: 400,
  body: { Fault: { Error: [{ code, Message, Detail: Message }], type: 'ValidationFault' } },
})

/** Converts an amount to cents. */
const cents = (amount: unknown): number => Math.round(Number(amount) * 100)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const refOf = (value: unknown): string => textOf((value as Fields | undefined)?.['value'])
const linesOf = (entity: Fields): Fields[] => (entity['Line'] ?? []) as Fields[]

/**
 * Starts a fake QuickBooks Online that follows the published schemas (test/fixtures/books/quickbooks.json): names are
 * unique, amounts are quantity times price, payments don't exceed the open balance, a void invoice has no payments, and
 * an update names the latest version.
 */
export async function startQuickbooks() {
  const ajv = new Ajv({ allErrors: true, strict: false })
  const schemas = JSON.parse(
    await readFile(new URL('../../fixtures/books/quickbooks.json', import.meta.url), 'utf8'),
  ) as Record<string, object>
  const checks = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]))
  const stores = new Map<string, Map<string, Entity>>()
  let serial = 100

  const storeOf = (entity: string): Map<string, Entity> => {
    if (!stores.has(entity)) stores.set(entity, new Map())
    return stores.get(entity)!
  }
  const all = (entity: string): Entity[] => [...storeOf(entity).values()]

  /** Returns the amount that payments apply to a document. */
  const linksTo = (type: string, id: string): { payment: Entity; amount: number }[] =>
    all('Payment').flatMap((payment) =>
      linesOf(payment)
        .filter(({ LinkedTxn }) => (LinkedTxn as Link[]).some((link) => link.TxnType === type && link.TxnId === id))
        .map(({ Amount }) => ({ payment, amount: cents(Amount) })),
    )

  /** Adds the fields that the program computes. */
  function toView(entity: string, found: Entity): Entity {
    if (entity !== 'Invoice' && entity !== 'CreditMemo') return found
    const links = linksTo(entity, found.Id)
    const balance = cents(found['TotalAmt']) - links.reduce((sum, { amount }) => sum + amount, 0)
    const LinkedTxn = links.map(({ payment }) => ({ TxnId: payment.Id, TxnType: 'Payment' }))
    return { ...found, Balance: balance / 100, LinkedTxn }
  }

  function checkLines(entity: string, body: Fields): ProgramAnswer | undefined {
    if (entity === 'Invoice' || entity === 'CreditMemo')
      for (const line of linesOf(body)) {
        const detail = line['SalesItemLineDetail'] as Fields
        if (!storeOf('Item').has(refOf(detail['ItemRef']))) return makeErrorAnswer('2500', 'Invalid Reference Id: item')
        if ('Qty' in detail && cents(Number(detail['Qty']) * Number(detail['UnitPrice'])) !== cents(line['Amount']))
          return makeErrorAnswer('6070', 'Amount is not equal to UnitPrice * Qty')
      }
    if (entity === 'Payment') {
      let applied = 0
      for (const { Amount, LinkedTxn } of linesOf(body)) {
        const [link] = LinkedTxn as Link[]
        const target = link && storeOf(link.TxnType).get(link.TxnId)
        if (link === undefined || target === undefined) return makeErrorAnswer('610', 'Object Not Found')
        if (refOf(target['CustomerRef']) !== refOf(body['CustomerRef']))
          return makeErrorAnswer('6000', 'Another customer')
        if (cents(Amount) > cents(toView(link.TxnType, target)['Balance']))
          return makeErrorAnswer('6210', 'Too much applied')
        applied += link.TxnType === 'CreditMemo' ? 0 - cents(Amount) : cents(Amount)
      }
      if (applied > cents(body['TotalAmt'])) return makeErrorAnswer('6210', 'More applied than paid')
    }
    if (entity === 'JournalEntry') {
      const sum = linesOf(body).reduce((total, line) => total + debitOf(line), 0)
      if (sum !== 0) return makeErrorAnswer('6000', 'Debits and credits differ')
    }
    return undefined
  }

  const debitOf = (line: Fields): number => {
    const { PostingType } = line['JournalEntryLineDetail'] as Fields
    return PostingType === 'Debit' ? cents(line['Amount']) : 0 - cents(line['Amount'])
  }

  function write(entity: string, body: Fields, query: URLSearchParams): ProgramAnswer {
    const operation = query.get('operation')
    const before = body['Id'] === undefined ? undefined : storeOf(entity).get(textOf(body['Id']))
    if (body['Id'] !== undefined && before === undefined) return makeErrorAnswer('610', 'Object Not Found')
    if (before !== undefined && before.SyncToken !== body['SyncToken'])
      return makeErrorAnswer('5010', 'Stale Object Error')
    if (before !== undefined && (operation === 'void' || query.get('include') === 'void'))
      return endEntity(entity, before)
    if (before !== undefined && operation === 'delete') {
      if (
        toView(entity, before)['LinkedTxn'] !== undefined &&
        (toView(entity, before)['LinkedTxn'] as Link[]).length > 0
      )
        return makeErrorAnswer('6540', 'Something is applied')
      storeOf(entity).delete(before.Id)
      return { status: 200, body: { [entity]: { Id: before.Id, status: 'Deleted' } } }
    }
    const check = checks[entity]
    if (check === undefined || !check(body))
      return makeErrorAnswer('2010', `Request has invalid or unsupported property: ${ajv.errorsText(check?.errors)}`)
    const name = entity === 'Customer' ? 'DisplayName' : entity === 'Item' ? 'Name' : undefined
    const same = name && all(entity).find((one) => String(one[name]).toLowerCase() === String(body[name]).toLowerCase())
    if (same && same !== before) return makeErrorAnswer('6240', `Duplicate Name Exists Error: ${String(body[name!])}`)
    const problem = checkLines(entity, body)
    if (problem !== undefined) return problem
    const Id = before?.Id ?? String(serial++)
    const total = linesOf(body).reduce((sum, { Amount }) => sum + cents(Amount), 0) + state.surcharge
    const isSale = entity === 'Invoice' || entity === 'CreditMemo'
    const saved = {
      ...before,
      ...body,
      Id,
      SyncToken: String(Number(before?.SyncToken ?? -1) + 1),
      ...(isSale && { TotalAmt: total / 100 }),
    }
    storeOf(entity).set(Id, saved)
    return { status: 200, body: { [entity]: toView(entity, saved) } }
  }

  function endEntity(entity: string, before: Entity): ProgramAnswer {
    if (entity === 'Invoice' && linksTo(entity, before.Id).length > 0)
      return makeErrorAnswer('6540', 'A payment is applied')
    const saved = {
      ...before,
      SyncToken: String(Number(before.SyncToken) + 1),
      Line: [],
      TotalAmt: 0,
      PrivateNote: `Voided - ${String(before['PrivateNote'])}`,
    }
    storeOf(entity).set(before.Id, saved)
    return { status: 200, body: { [entity]: toView(entity, saved) } }
  }

  function find(text: string): ProgramAnswer {
    const [, entity = '', where = ''] = /^select \* from (\w+)(?: where (.+))? maxresults 1000$/.exec(text) ?? []
    const conditions = [...where.matchAll(/(\w+) = ('(?:[^'\\]|\\.)*'|true)/g)]
    const listed = (
      entity === 'Account'
        ? accounts
        : entity === 'CompanyInfo'
          ? company
          : entity === 'Preferences'
            ? preferences
            : all(entity)
    ).filter((one) =>
      conditions.every(([, field = '', value = '']) => {
        const held = field === 'CustomerRef' ? refOf(one[field]) : String(one[field])
        const wanted = value.startsWith("'") ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
        return held.toLowerCase() === wanted.toLowerCase()
      }),
    )
    return { status: 200, body: { QueryResponse: { [entity]: listed.map((one) => toView(entity, one)) } } }
  }

  const accounts = Object.entries(CHART).map(([Id, [Name, AccountType]]) => ({
    Id,
    SyncToken: '0',
    Name,
    FullyQualifiedName: Name,
    AccountType,
    Active: true,
  }))
  const company = [{ Id: '1', SyncToken: '0', CompanyName: 'Acme at Intuit', Country: 'US' }]
  const preferences = [{ Id: '1', SyncToken: '0', CurrencyPrefs: { HomeCurrency: { value: 'USD' } } }]

  function handle({ method, path, query, body }: ProgramRequest): ProgramAnswer {
    const [, realm, resource = '', id] = /^\/v3\/company\/(\w+)\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
    if (realm !== REALM) return { status: 403, body: {} }
    if (resource === 'query') return find(query.get('query') ?? '')
    const entity = ['Customer', 'Item', 'Invoice', 'Payment', 'JournalEntry', 'CreditMemo'].find(
      (name) => name.toLowerCase() === resource,
    )
    if (entity === undefined) return makeErrorAnswer('2010', 'Unknown resource')
    if (method === 'POST') return write(entity, body, query)
    const found = storeOf(entity).get(id ?? '')
    return found === undefined
      ? makeErrorAnswer('610', 'Object Not Found')
      : { status: 200, body: { [entity]: toView(entity, found) } }
  }

  const state = {
    /** Cents that the program adds to each new total, like its own tax. */
    surcharge: 0,
  }

  /** Returns the balance of each account. Debits are positive. */
  function balances(): Record<keyof typeof ACCOUNTS, number> {
    const sums: Record<string, number> = {}
    const book = (account: string, amount: number): void => void (sums[account] = (sums[account] ?? 0) + amount)
    for (const [entity, sign] of [
      ['Invoice', 1],
      ['CreditMemo', -1],
    ] as const)
      for (const one of all(entity)) {
        book(ACCOUNTS.receivable, sign * cents(one['TotalAmt']))
        for (const line of linesOf(one)) {
          const item = storeOf('Item').get(refOf((line['SalesItemLineDetail'] as Fields)['ItemRef']))
          book(refOf(item?.['IncomeAccountRef']), 0 - sign * cents(line['Amount']))
        }
      }
    for (const one of all('Payment')) {
      book(refOf(one['DepositToAccountRef']), cents(one['TotalAmt']))
      book(ACCOUNTS.receivable, 0 - cents(one['TotalAmt']))
    }
    for (const one of all('JournalEntry'))
      for (const line of linesOf(one))
        book(refOf((line['JournalEntryLineDetail'] as Fields)['AccountRef']), debitOf(line))
    return Object.fromEntries(Object.entries(ACCOUNTS).map(([name, id]) => [name, sums[id] ?? 0])) as Record<
      keyof typeof ACCOUNTS,
      number
    >
  }

  const server = await startProgram(
    { token: '/oauth2/v1/tokens/bearer', revoke: '/v2/oauth2/tokens/revoke', challenge: null },
    ({ query }) => query.get('requestid') ?? undefined,
    handle,
  )
  return {
    ...server,
    books: state,
    all,
    balances,
    /** Returns the marks of everything that was created, with its numbers and names. */
    facts: () => ({
      marks: ['Invoice', 'CreditMemo', 'Payment', 'JournalEntry'].flatMap((entity) =>
        all(entity)
          // A payment that applies a credit has the credit's mark.
          .filter((one) => entity !== 'Payment' || one['TotalAmt'] !== 0 || linesOf(one).length === 0)
          .map(({ PrivateNote }) => `${entity} ${/Callout \S+ \d+/.exec(String(PrivateNote))?.[0]}`),
      ),
      numbers: all('Invoice')
        .filter(({ PrivateNote }) => !String(PrivateNote).startsWith('Voided'))
        .map(({ DocNumber }) => DocNumber),
      names: all('Customer').map(({ DisplayName }) => DisplayName),
    }),
    /** Saves an object as a person in the program does. */
    enter: (entity: string, body: Fields): Entity => {
      const Id = String(serial++)
      const saved = { Id, SyncToken: '0', ...body }
      storeOf(entity).set(Id, saved)
      return saved
    },
    agree: (url: string): URLSearchParams => {
      const query = server.agree(url)
      query.set('realmId', REALM)
      return query
    },
  }
}
