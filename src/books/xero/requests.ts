import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import type { HttpMethod } from '../../identity/public_request.ts'
import { BooksError } from '../books_error.ts'
import type { VendorApi } from '../connection/vendor_api.ts'
import type { BookAccount, BooksKind, Organization, ProgramAccount } from '../program.ts'
import { listOf, textOf } from '../reading.ts'

const BASE = '/api.xro/2.0'

/** The program's name of each kind in paths and responses, and its id field. */
export const ENTITIES: Readonly<Record<BooksKind, { path: string; id: string }>> = {
  customer: { path: 'Contacts', id: 'ContactID' },
  item: { path: 'Items', id: 'Code' },
  invoice: { path: 'Invoices', id: 'InvoiceID' },
  payment: { path: 'Payments', id: 'PaymentID' },
  refund: { path: 'Invoices', id: 'InvoiceID' },
  tip: { path: 'ManualJournals', id: 'ManualJournalID' },
  credit: { path: 'CreditNotes', id: 'CreditNoteID' },
  reversal: { path: 'CreditNotes', id: 'CreditNoteID' },
}

/** Statuses of records that no longer count. */
const GONE: ReadonlySet<unknown> = new Set(['VOIDED', 'DELETED'])
export const isGone = ({ Status }: JsonFields): boolean => GONE.has(Status)

export const pathOf = (kind: BooksKind, id: string): string => `${ENTITIES[kind].path}/${encodeURIComponent(id)}`

/** Requests to a company of Xero. */
export type XeroRequests = {
  /** Returns undefined if the record doesn't exist. */
  read(kind: BooksKind, id: string): Promise<JsonFields | undefined>
  /** Returns the records that a query finds, without voided and deleted ones. */
  search(path: string, query?: Readonly<Record<string, string>>): Promise<JsonFields[]>
  /** PUT creates and never updates; POST updates. */
  write(method: HttpMethod, path: string, body?: JsonFields, request?: string): Promise<JsonFields>
}

export function openRequests(api: VendorApi, organization: string): XeroRequests {
  const headers = { 'xero-tenant-id': organization }
  return {
    async read(kind, id) {
      try {
        const answer = await api('GET', `${BASE}/${pathOf(kind, id)}`, { headers })
        return listOf(answer[ENTITIES[kind].path])[0]
      } catch (error) {
        if (error instanceof BooksError && error.isMissing) return undefined
        throw error
      }
    },
    search: async (path, query = {}) =>
      listOf((await api('GET', `${BASE}/${path}`, { query, headers }))[path]).filter((one) => !isGone(one)),
    write: (method, path, body, request) =>
      api(method, `${BASE}/${path}`, {
        ...(body !== undefined && { body }),
        headers: { ...headers, ...(request !== undefined && { 'idempotency-key': request }) },
      }),
  }
}

/** Maximum companies offered for an access. */
const MAX_ORGANIZATIONS = 20

/** Returns the companies that an access covers. */
export async function listXeroOrganizations(api: VendorApi): Promise<readonly Organization[]> {
  const connections = listOf(Object.values(await api('GET', '/connections')))
  const companies = connections.filter(({ tenantType }) => tenantType === 'ORGANISATION').slice(0, MAX_ORGANIZATIONS)
  return Promise.all(companies.map(({ tenantId }) => readOrganization(openRequests(api, textOf(tenantId)), tenantId)))
}

export async function readOrganization({ write }: XeroRequests, id: unknown): Promise<Organization> {
  const answer = await write('GET', 'Organisation')
  const { Name, CountryCode, BaseCurrency } = toFields(listOf(answer['Organisations'])[0])
  return { id: textOf(id), name: textOf(Name), country: textOf(CountryCode), currency: textOf(BaseCurrency) }
}

/** Allowed uses by account type. */
const USES: Readonly<Record<string, readonly BookAccount[]>> = {
  REVENUE: ['income'],
  SALES: ['income'],
  OTHERINCOME: ['income'],
  CURRLIAB: ['tax', 'deposits', 'tips'],
  LIABILITY: ['tax', 'deposits', 'tips'],
  EXPENSE: ['bad_debts'],
  OVERHEADS: ['bad_debts'],
}

/** Returns the allowed uses of an account. Money accounts need a code and payments to them, so no bank account fits. */
function usesOf({ Type, Status, SystemAccount, EnablePaymentsToAccount }: JsonFields): readonly BookAccount[] {
  if (Status === 'ARCHIVED' || (typeof SystemAccount === 'string' && SystemAccount !== '')) return []
  if (Type === 'CURRENT') return EnablePaymentsToAccount === true ? ['undeposited', 'clearing'] : []
  return USES[textOf(Type)] ?? []
}

/** Returns the accounts with at least one allowed use. */
export const listAccounts = async ({ search }: XeroRequests): Promise<ProgramAccount[]> =>
  (await search('Accounts'))
    .map((account) => ({
      id: textOf(account['AccountID']),
      name: [account['Code'], account['Name']].filter((part) => typeof part === 'string').join(' '),
      uses: usesOf(account),
    }))
    .filter(({ uses }) => uses.length > 0)

/** Returns the codes of accounts by their ids. */
export const accountCodes = async ({ search }: XeroRequests): Promise<Map<string, string>> =>
  new Map((await search('Accounts')).map(({ AccountID, Code }) => [textOf(AccountID), textOf(Code)]))

/** Returns the program's error messages. */
export function xeroProblem(answer: JsonFields): string | null {
  const messages = listOf(answer['Elements'])
    .flatMap(({ ValidationErrors }) => listOf(ValidationErrors))
    .map(({ Message }) => Message)
  if (messages.length === 0 && typeof answer['ErrorNumber'] !== 'number') return null
  return [...messages, answer['Message']].filter((one) => typeof one === 'string').join(' ')
}
