import type { JsonFields } from '../../platform/validation/json_fields.ts'
import { BooksError, holdRecord } from '../books_error.ts'
import type { VendorApi } from '../connection/vendor_api.ts'
import type { AccountMap, BooksDocument, BooksKind, BooksProgram, PaymentDocument, RemoteRecord } from '../program.ts'
import { amountOf, centsOf, listOf, textOf } from '../reading.ts'
import { narrationOf, referenceOf, toBody, urlOf } from './bodies.ts'
import {
  ENTITIES,
  accountCodes,
  isGone,
  listAccounts,
  openRequests,
  pathOf,
  readOrganization,
  type XeroRequests,
} from './requests.ts'

const NO_CODES: ReadonlyMap<string, string> = new Map()

type XeroOptions = { organization: string; accounts: AccountMap | null }

/** Opens a company of Xero. */
export function openXero(api: VendorApi, { organization, accounts }: XeroOptions): BooksProgram {
  const requests = openRequests(api, organization)
  return {
    needsItems: false,
    maxNumber: 255,
    listAccounts: () => listAccounts(requests),
    readOrganization: () => readOrganization(requests, organization),
    find: (document) => findDocument(requests, document),

    async create(document, request) {
      const paidInvoice = document.kind === 'payment' ? await findPaidInvoice(requests, document) : ''
      const codes = document.kind === 'tip' ? await accountCodes(requests) : NO_CODES
      const body = toBody(document, { accounts, paidInvoice, codeOf: (account) => codes.get(account) ?? '' })
      return parseWrittenRecord(document, await requests.write('PUT', ENTITIES[document.kind].path, body, request))
    },

    async update(remote, document, request) {
      const path = document.kind === 'item' ? 'Items' : pathOf(document.kind, remote)
      const body = toBody(document, { accounts, paidInvoice: '', codeOf: () => '' })
      return parseWrittenRecord(document, await requests.write('POST', path, body, request))
    },

    async apply(remote, { invoice, day, currency }, request) {
      const [credit, owing] = await Promise.all([requests.read('credit', remote), requests.read('invoice', invoice)])
      const openCents = Math.min(centsOf(credit, 'RemainingCredit', currency), centsOf(owing, 'AmountDue', currency))
      if (openCents <= 0) return
      const allocation = { Invoice: { InvoiceID: invoice }, Amount: amountOf(openCents, currency), Date: day }
      const path = `${pathOf('credit', remote)}/Allocations`
      await requests.write('PUT', path, { Allocations: [allocation] }, `${request}-a`)
    },

    cancel: (kind, remote, request) => cancelDocument(requests, kind, remote, request),
  }
}

/** Searches by name or number, and recognizes ours by its URL or reference. */
async function findDocument(requests: XeroRequests, document: BooksDocument): Promise<RemoteRecord | undefined> {
  const own = await findOwn(requests, document)
  return own && toRemote(document, own)
}

async function findOwn({ search }: XeroRequests, document: BooksDocument): Promise<JsonFields | undefined> {
  switch (document.kind) {
    case 'customer':
      return (await search('Contacts', { where: `Name=="${document.name}"` }))[0]
    case 'item':
      return (await search('Items', { where: `Code=="${document.code}"` }))[0]
    case 'payment':
      return (await search('Payments', { where: `Reference=="${referenceOf(document)}"` }))[0]
    case 'tip':
      return (await search('ManualJournals', { where: `Narration=="${narrationOf(document)}"` }))[0]
    case 'invoice':
    case 'refund': {
      const listed = await search('Invoices', { InvoiceNumbers: document.number })
      const own = listed.find(({ Url }) => Url === urlOf(document))
      if (own === undefined && listed.length > 0) throw holdRecord('number_taken', document.number)
      return own
    }
    default: {
      const listed = await search('CreditNotes', { where: `CreditNoteNumber=="${document.number}"` })
      return listed.find(({ Reference }) => Reference === document.mark)
    }
  }
}

/** Finds the invoice that a payment pays: its own, or that of a refund which the customer owes again. */
async function findPaidInvoice({ read }: XeroRequests, document: PaymentDocument): Promise<string> {
  if (document.invoice === null) throw holdRecord('no_invoice')
  for (const id of [document.invoice, ...document.refunds])
    if (centsOf(await read('invoice', id), 'AmountDue', document.currency) >= document.cents) return id
  throw holdRecord('paid_elsewhere')
}

async function cancelDocument(
  { read, write }: XeroRequests,
  kind: BooksKind,
  remote: string,
  request: string,
): Promise<'cancelled' | 'applied'> {
  const current = await read(kind, remote)
  if (current === undefined || isGone(current)) return 'cancelled'
  const isPaid = Number(current['AmountPaid'] ?? 0) > 0 || Number(current['AmountCredited'] ?? 0) > 0
  if (isPaid && kind === 'invoice') return 'applied'
  for (const { AllocationID } of listOf(current['Allocations']))
    await write('DELETE', `${pathOf(kind, remote)}/Allocations/${encodeURIComponent(textOf(AllocationID))}`)
  const { path, id } = ENTITIES[kind]
  const body = kind === 'payment' ? { Status: 'DELETED' } : { [path]: [{ [id]: remote, Status: 'VOIDED' }] }
  await write('POST', pathOf(kind, remote), body, request)
  return 'cancelled'
}

const toRemote = (document: BooksDocument, fields: JsonFields): RemoteRecord => ({
  id: textOf(fields[ENTITIES[document.kind].id]),
  cents:
    'cents' in document && document.kind !== 'tip'
      ? centsOf(fields, document.kind === 'payment' ? 'Amount' : 'Total', document.currency)
      : null,
})

/** Reads a written record. Throws `later` without one: it may exist nonetheless, so the retry looks for it. */
function parseWrittenRecord(document: BooksDocument, answer: JsonFields): RemoteRecord {
  const { path, id } = ENTITIES[document.kind]
  const [created] = listOf(answer[path])
  if (created?.[id] === undefined) throw new BooksError('later')
  return toRemote(document, created)
}
