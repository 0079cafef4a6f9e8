import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import { BooksError } from '../books_error.ts'
import type { VendorApi } from '../connection/vendor_api.ts'
import type { AccountMap, BooksKind } from '../program.ts'
import { listOf } from '../reading.ts'

/** Version of the API's schemas that the bodies follow. */
const VERSION = { minorversion: '75' }

/** The program's name of each kind in responses; in paths it is lowercase. */
export const ENTITIES: Readonly<Record<BooksKind, string>> = {
  customer: 'Customer',
  item: 'Item',
  invoice: 'Invoice',
  payment: 'Payment',
  refund: 'JournalEntry',
  tip: 'JournalEntry',
  credit: 'CreditMemo',
  reversal: 'CreditMemo',
}

/** Prefix of a not-found error: its code. */
const NOT_FOUND = '610 '

export type QuickbooksOptions = { organization: string; accounts: AccountMap | null; country: string }

/** Requests to a company of QuickBooks Online. */
export type QuickbooksRequests = {
  query(entity: string, where: string): Promise<JsonFields[]>
  /** Returns undefined if the record doesn't exist. */
  read(kind: BooksKind, id: string): Promise<JsonFields | undefined>
  write(
    kind: BooksKind,
    body: JsonFields,
    request: string,
    operation?: Readonly<Record<string, string>>,
  ): Promise<JsonFields>
}

export function openRequests(api: VendorApi, { organization }: QuickbooksOptions): QuickbooksRequests {
  const base = `/v3/company/${encodeURIComponent(organization)}`
  return {
    async query(entity, where) {
      const query = `select * from ${entity}${where === '' ? '' : ` where ${where}`} maxresults 1000`
      const answer = await api('GET', `${base}/query`, { query: { ...VERSION, query } })
      return listOf(toFields(answer['QueryResponse'])[entity])
    },

    async read(kind, id) {
      const entity = ENTITIES[kind]
      try {
        const path = `${base}/${entity.toLowerCase()}/${encodeURIComponent(id)}`
        return toFields((await api('GET', path, { query: VERSION }))[entity])
      } catch (error) {
        if (error instanceof BooksError && error.detail?.startsWith(NOT_FOUND) === true) return undefined
        throw error
      }
    },

    async write(kind, body, request, operation = {}) {
      const entity = ENTITIES[kind]
      const query = { ...VERSION, ...operation, requestid: request }
      return toFields((await api('POST', `${base}/${entity.toLowerCase()}`, { query, body }))[entity])
    },
  }
}

/** Quotes a value for the program's queries. */
export const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

/** Returns the program's error message: `6140 Duplicate Document Number Error: …`. */
export function quickbooksProblem({ Fault, fault }: JsonFields): string | null {
  const problem = toFields(Fault ?? fault)
  const [error] = listOf(problem['Error'] ?? problem['error'])
  if (error === undefined) return null
  return [error['code'], error['Message'], error['Detail']].filter((one) => typeof one === 'string').join(' ')
}
