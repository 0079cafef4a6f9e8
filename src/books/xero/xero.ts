import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import { BooksError, held } from '../books_error.ts'
import type { VendorApi, VendorRequest } from '../connection/vendor_api.ts'
import type {
  AccountMap,
  BookAccount,
  BooksDocument,
  BooksProgram,
  Organization,
  PaymentDocument,
  BooksKind,
  RemoteRecord,
} from '../program.ts'
import { referenceOf, toBody, urlOf } from './bodies.ts'
import { amountOf, centsOf, listOf } from '../reading.ts'

const BASE = '/api.xro/2.0'

/** A document that has a number. */
type MoneyDocument = Extract<BooksDocument, { number: string }>

/** The program's name of each kind, in its paths and answers, and the field of its id. */
const ENTITIES: Readonly<Record<BooksKind, readonly [path: string, id: string]>> = {
  customer: ['Contacts', 'ContactID'],
  item: ['Items', 'Code'],
  invoice: ['Invoices', 'InvoiceID'],
  payment: ['Payments', 'PaymentID'],
  refund: ['Invoices', 'InvoiceID'],
  credit: ['CreditNotes', 'CreditNoteID'],
  reversal: ['CreditNotes', 'CreditNoteID'],
}

/** States of what doesn't count any more. */
const GONE: ReadonlySet<unknown> = new Set(['VOIDED', 'DELETED'])

/** Maximum companies of an access that are offered. */
const MAX_ORGANIZATIONS = 20

/** Opens a company of Xero. */
export function openXero(
  api: VendorApi,
  { organization, accounts }: { organization: string; accounts: AccountMap | null },
): BooksProgram {
  const ask = async (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    { request, ...rest }: VendorRequest & { request?: string } = {},
  ): Promise<JsonFields> =>
    api(method, `${BASE}/${path}`, {
      ...rest,
      headers: { 'xero-tenant-id': organization, ...(request !== undefined && { 'idempotency-key': request }) },
    })

  const pathOf = (kind: BooksKind, id: string): string => `${ENTITIES[kind][0]}/${encodeURIComponent(id)}`

  async function read(kind: BooksKind, id: string): Promise<JsonFields | undefined> {
    try {
      const [found] = listOf((await ask('GET', pathOf(kind, id)))[ENTITIES[kind][0]])
      return found
    } catch (error) {
      if (error instanceof BooksError && error.isMissing) return undefined
      throw error
    }
  }

  const search = async (kind: BooksKind, query: Readonly<Record<string, string>>): Promise<JsonFields[]> => {
    const [path] = ENTITIES[kind]
    return listOf((await ask('GET', path, { query }))[path]).filter(({ Status }) => !GONE.has(Status))
  }

  /** Writes one record; PUT never changes one that is there. */
  async function write(
    method: 'PUT' | 'POST',
    path: string,
    document: BooksDocument,
    { body, request }: { body: JsonFields; request: string },
  ): Promise<RemoteRecord> {
    const [entity] = ENTITIES[document.kind]
    const [made] = listOf((await ask(method, path, { body, request }))[entity])
    // An answer that can't be read may be of something that was made: it is looked for.
    if (made?.[ENTITIES[document.kind][1]] === undefined) throw new BooksError('later')
    return toRemote(document, made)
  }

  async function findNumbered(document: MoneyDocument): Promise<RemoteRecord | undefined> {
    if (document.kind === 'payment') {
      const [own] = await search('payment', { where: `Reference=="${referenceOf(document)}"` })
      return own && toRemote(document, own)
    }
    if (document.kind !== 'invoice' && document.kind !== 'refund') {
      const listed = await search(document.kind, { where: `CreditNoteNumber=="${document.number}"` })
      const own = listed.find(({ Reference }) => Reference === document.mark)
      return own && toRemote(document, own)
    }
    const listed = await search('invoice', { InvoiceNumbers: document.number })
    const own = listed.find(({ Url }) => Url === urlOf(document))
    if (own === undefined && listed.length > 0) throw held('number_taken', document.number)
    return own && toRemote(document, own)
  }

  /** Finds the invoice that a payment pays: its own, or a refund of it that the customer owes again. */
  async function payee(document: PaymentDocument): Promise<string> {
    if (document.invoice === null) throw held('no_invoice')
    for (const id of [document.invoice, ...document.refunds]) {
      const invoice = await read('invoice', id)
      if (invoice !== undefined && centsOf(invoice, 'AmountDue', document.currency) >= document.cents) return id
    }
    throw held('paid_elsewhere')
  }

  return {
    needsItems: false,
    maxNumber: 255,

    listAccounts: async () =>
      listOf((await ask('GET', 'Accounts'))['Accounts']).flatMap((account) => {
        const uses = usesOf(account)
        const name = [account['Code'], account['Name']].filter((part) => typeof part === 'string').join(' ')
        return uses.length === 0 ? [] : [{ id: String(account['AccountID']), name, uses }]
      }),

    readOrganization: async () => readOrganization(api, organization),

    async find(document) {
      if ('number' in document) return findNumbered(document)
      const where = document.kind === 'customer' ? `Name=="${document.name}"` : `Code=="${document.code}"`
      const [found] = await search(document.kind, { where })
      return found && toRemote(document, found)
    },

    async make(document, request) {
      const body = toBody(document, { accounts, payee: document.kind === 'payment' ? await payee(document) : '' })
      return write('PUT', ENTITIES[document.kind][0], document, { body, request })
    },

    async change(remote, document, request) {
      const body = toBody(document, { accounts, payee: '' })
      const path = document.kind === 'item' ? 'Items' : pathOf(document.kind, remote)
      return write('POST', path, document, { body, request })
    },

    async apply(remote, { invoice, day, currency }, request) {
      const [credit, owing] = await Promise.all([read('credit', remote), read('invoice', invoice)])
      const open = Math.min(
        credit === undefined ? 0 : centsOf(credit, 'RemainingCredit', currency),
        owing === undefined ? 0 : centsOf(owing, 'AmountDue', currency),
      )
      if (open <= 0) return
      const body = { Allocations: [{ Invoice: { InvoiceID: invoice }, Amount: amountOf(open, currency), Date: day }] }
      await ask('PUT', `${pathOf('credit', remote)}/Allocations`, { body, request: `${request}-a` })
    },

    async cancel(kind, remote, request) {
      const current = await read(kind, remote)
      if (current === undefined || GONE.has(current['Status'])) return 'cancelled'
      const isPaid = Number(current['AmountPaid'] ?? 0) > 0 || Number(current['AmountCredited'] ?? 0) > 0
      if (isPaid && kind === 'invoice') return 'applied'
      for (const { AllocationID } of listOf(current['Allocations']))
        await ask('DELETE', `${pathOf(kind, remote)}/Allocations/${encodeURIComponent(String(AllocationID))}`)
      const [entity, id] = ENTITIES[kind]
      const Status = kind === 'payment' ? 'DELETED' : 'VOIDED'
      const body = kind === 'payment' ? { Status } : { [entity]: [{ [id]: remote, Status }] }
      await ask('POST', pathOf(kind, remote), { body, request })
      return 'cancelled'
    },
  }
}

/** Returns the companies that an access is for. */
export async function listXeroOrganizations(api: VendorApi): Promise<readonly Organization[]> {
  const connections = listOf(Object.values(await api('GET', '/connections')))
  const ids = connections
    .filter(({ tenantType }) => tenantType === 'ORGANISATION')
    .map(({ tenantId }) => String(tenantId))
  return Promise.all(ids.slice(0, MAX_ORGANIZATIONS).map((id) => readOrganization(api, id)))
}

async function readOrganization(api: VendorApi, id: string): Promise<Organization> {
  const answer = await api('GET', `${BASE}/Organisation`, { headers: { 'xero-tenant-id': id } })
  const { Name, CountryCode, BaseCurrency } = toFields(listOf(answer['Organisations'])[0])
  return { id, name: String(Name ?? ''), country: String(CountryCode ?? ''), currency: String(BaseCurrency ?? '') }
}

/** Returns what an account may be chosen for. One for money is paid to and coded, which no bank account can be. */
function usesOf({ Type, Status, SystemAccount, EnablePaymentsToAccount }: JsonFields): readonly BookAccount[] {
  if (Status === 'ARCHIVED' || (typeof SystemAccount === 'string' && SystemAccount !== '')) return []
  if (Type === 'CURRENT') return EnablePaymentsToAccount === true ? ['undeposited', 'clearing'] : []
  return USES[String(Type)] ?? []
}

const USES: Readonly<Record<string, readonly BookAccount[]>> = {
  REVENUE: ['income'],
  SALES: ['income'],
  OTHERINCOME: ['income'],
  CURRLIAB: ['tax', 'deposits'],
  LIABILITY: ['tax', 'deposits'],
  EXPENSE: ['bad_debts'],
  OVERHEADS: ['bad_debts'],
}

const toRemote = (document: BooksDocument, found: JsonFields): RemoteRecord => ({
  id: String(found[ENTITIES[document.kind][1]]),
  cents:
    'cents' in document ? centsOf(found, document.kind === 'payment' ? 'Amount' : 'Total', document.currency) : null,
})

/** Returns the program's words for what was wrong. */
export function xeroProblem(answer: JsonFields): string | null {
  const messages = listOf(answer['Elements'])
    .flatMap(({ ValidationErrors }) => listOf(ValidationErrors))
    .map(({ Message }) => Message)
  const said = [...messages, answer['Message'], answer['Detail'], answer['Title']]
  const texts = said.filter((one): one is string => typeof one === 'string')
  if (messages.length > 0 || typeof answer['ErrorNumber'] === 'number') return texts.join(' ')
  return null
}
