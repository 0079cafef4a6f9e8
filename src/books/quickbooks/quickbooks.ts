import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import { BooksError, holdRecord } from '../books_error.ts'
import type { VendorApi } from '../connection/vendor_api.ts'
import type { BooksDocument, BooksKind, BooksProgram, CreditDocument, Organization, RemoteRecord } from '../program.ts'
import { amountOf, centsOf, listOf, textOf } from '../reading.ts'
import { listAccounts } from './accounts.ts'
import { toBody } from './bodies.ts'
import { ENTITIES, openRequests, quote, type QuickbooksOptions, type QuickbooksRequests } from './requests.ts'

/** Opens a company of QuickBooks Online. */
export function openQuickbooks(api: VendorApi, options: QuickbooksOptions): BooksProgram {
  const requests = openRequests(api, options)
  return {
    needsItems: true,
    maxNumber: 21,
    listAccounts: () => listAccounts(requests),
    readOrganization: () => readOrganization(requests, options),
    find: (document) => findDocument(requests, document),

    async create(document, request) {
      const [openCents, receivable] = await Promise.all([
        findOpenCents(requests, document),
        findReceivableAccount(requests, document),
      ])
      const body = toBody(document, { ...options, openCents, receivable })
      return parseWrittenRecord(document, await requests.write(document.kind, body, request))
    },

    async update(remote, document, request) {
      const current = await requests.read(document.kind, remote)
      if (current === undefined) throw holdRecord('gone')
      const body = toBody(document, { ...options, openCents: 0, receivable: '' })
      const version = { Id: remote, SyncToken: current['SyncToken'], sparse: true }
      // An existing invoice keeps its customer, since its payments belong to that customer.
      const { CustomerRef } = document.kind === 'invoice' ? current : body
      const changed = { ...body, ...version, ...(CustomerRef !== undefined && { CustomerRef }) }
      return parseWrittenRecord(document, await requests.write(document.kind, changed, request))
    },

    async apply(remote, document, request) {
      const documents = await Promise.all([requests.read('credit', remote), requests.read('invoice', document.invoice)])
      const openCents = Math.min(...documents.map((one) => centsOf(one, 'Balance', document.currency)))
      if (openCents > 0) await requests.write('payment', applicationOf(document, remote, openCents), `${request}-a`)
    },

    cancel: (kind, remote, request) => cancelDocument(requests, kind, remote, request),
  }
}

async function readOrganization({ query }: QuickbooksRequests, options: QuickbooksOptions): Promise<Organization> {
  const [company, preferences] = await Promise.all([query('CompanyInfo', ''), query('Preferences', '')])
  const { CompanyName, Country } = toFields(company[0])
  const { HomeCurrency } = toFields(toFields(preferences[0])['CurrencyPrefs'])
  return {
    id: options.organization,
    name: textOf(CompanyName),
    country: textOf(Country, 'US'),
    currency: textOf(toFields(HomeCurrency)['value']),
  }
}

/** Queries by a field that the program can search, then looks for the mark in the results. */
async function findDocument(requests: QuickbooksRequests, document: BooksDocument): Promise<RemoteRecord | undefined> {
  const listed = await listCandidates(requests, document)
  if (document.kind === 'customer' || document.kind === 'item') return listed[0] && toRemote(document, listed[0])
  const own = listed.find(({ PrivateNote }) => textOf(PrivateNote).includes(document.mark))
  if (own === undefined && document.kind === 'invoice' && listed.some((one) => !isVoid(one)))
    throw holdRecord('number_taken', document.number)
  return own && toRemote(document, own)
}

function listCandidates({ query }: QuickbooksRequests, document: BooksDocument): Promise<JsonFields[]> {
  switch (document.kind) {
    case 'customer':
      return query('Customer', `DisplayName = ${quote(document.name)}`)
    case 'item':
      return query('Item', `Name = ${quote(document.name)}`)
    case 'payment':
      return query('Payment', `CustomerRef = ${quote(document.customer)} and TxnDate = ${quote(document.day)}`)
    default:
      return query(ENTITIES[document.kind], `DocNumber = ${quote(document.number)}`)
  }
}

/** Returns the balance of a payment's invoice, the maximum that can be applied to it. */
const findOpenCents = async ({ read }: QuickbooksRequests, document: BooksDocument): Promise<number> =>
  document.kind === 'payment' && document.invoice !== null
    ? centsOf(await read('invoice', document.invoice), 'Balance', document.currency)
    : 0

/** Returns the accounts receivable account, which the journal entry of a refund needs. */
async function findReceivableAccount({ query }: QuickbooksRequests, { kind }: BooksDocument): Promise<string> {
  if (kind !== 'refund') return ''
  const [account] = await query('Account', "AccountType = 'Accounts Receivable' and Active = true")
  if (account === undefined) throw holdRecord('program', 'There is no account of type Accounts Receivable.')
  return textOf(account['Id'])
}

const DELETE = { operation: 'delete' }

/** Cancel operation by kind: documents that a customer may have seen stay there as void. */
const OPERATIONS: Readonly<Record<BooksKind, Readonly<Record<string, string>>>> = {
  customer: DELETE,
  item: DELETE,
  invoice: { operation: 'void' },
  payment: { operation: 'update', include: 'void' },
  refund: DELETE,
  tip: DELETE,
  credit: DELETE,
  reversal: DELETE,
}

async function cancelDocument(
  requests: QuickbooksRequests,
  kind: BooksKind,
  remote: string,
  request: string,
): Promise<'cancelled' | 'applied'> {
  const current = await requests.read(kind, remote)
  if (current === undefined || isVoid(current)) return 'cancelled'
  if (kind === 'invoice' && listOf(current['LinkedTxn']).length > 0) return 'applied'
  if (kind === 'credit' || kind === 'reversal') await unapply(requests, current, request)
  const body = { Id: remote, SyncToken: current['SyncToken'], ...(kind === 'payment' && { sparse: true }) }
  await requests.write(kind, body, request, OPERATIONS[kind])
  return 'cancelled'
}

/** Deletes the zero-amount payments that applied a credit. */
async function unapply({ read, write }: QuickbooksRequests, credit: JsonFields, request: string): Promise<void> {
  for (const { TxnId, TxnType } of listOf(credit['LinkedTxn'])) {
    const payment = TxnType === 'Payment' ? await read('payment', textOf(TxnId)) : undefined
    if (payment?.['TotalAmt'] === 0)
      await write('payment', { Id: payment['Id'], SyncToken: payment['SyncToken'] }, `${request}-u`, DELETE)
  }
}

/** Returns the zero-amount payment that applies a credit to an invoice. */
function applicationOf({ customer, day, currency, invoice, mark }: CreditDocument, credit: string, cents: number) {
  const line = (TxnId: string, TxnType: string) => ({
    Amount: amountOf(cents, currency),
    LinkedTxn: [{ TxnId, TxnType }],
  })
  return {
    CustomerRef: { value: customer },
    TxnDate: day,
    TotalAmt: 0,
    PrivateNote: mark,
    Line: [line(invoice, 'Invoice'), line(credit, 'CreditMemo')],
  }
}

const isVoid = ({ TotalAmt, PrivateNote }: JsonFields): boolean =>
  TotalAmt === 0 && textOf(PrivateNote).startsWith('Voided')

/** Reads a record of the program; a journal entry has no total. */
const toRemote = (document: BooksDocument, found: JsonFields): RemoteRecord => ({
  id: textOf(found['Id']),
  cents:
    'cents' in document && ENTITIES[document.kind] !== 'JournalEntry'
      ? centsOf(found, 'TotalAmt', document.currency)
      : null,
})

/** Reads a written record. Throws `later` without one: it may exist nonetheless, so the retry looks for it. */
function parseWrittenRecord(document: BooksDocument, answer: JsonFields): RemoteRecord {
  if (answer['Id'] === undefined) throw new BooksError('later')
  return toRemote(document, answer)
}
