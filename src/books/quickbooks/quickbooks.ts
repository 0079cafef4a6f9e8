import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import { BooksError, held } from '../books_error.ts'
import type { VendorApi } from '../connection/vendor_api.ts'
import type { AccountMap, BooksDocument, BooksProgram, CreditDocument, BooksKind, RemoteRecord } from '../program.ts'
import { toBody } from './bodies.ts'
import { amountOf, centsOf, listOf } from '../reading.ts'
import { usesOf } from './accounts.ts'

/** Version of the API's schemas that the bodies follow. */
const MINOR_VERSION = '75'

/** The program's name of each kind, in its answers; its path is the same in small letters. */
const ENTITIES: Readonly<Record<BooksKind, string>> = {
  customer: 'Customer',
  item: 'Item',
  invoice: 'Invoice',
  payment: 'Payment',
  refund: 'JournalEntry',
  credit: 'CreditMemo',
  reversal: 'CreditMemo',
}

/** Code of an error for what isn't there. */
const NOT_FOUND = '610'

type QuickbooksOptions = { organization: string; accounts: AccountMap | null; country: string }

/** Opens a company of QuickBooks Online. */
export function openQuickbooks(api: VendorApi, options: QuickbooksOptions): BooksProgram {
  const base = `/v3/company/${encodeURIComponent(options.organization)}`
  const versioned = { minorversion: MINOR_VERSION }

  const query = async (entity: string, where: string): Promise<JsonFields[]> => {
    const text = `select * from ${entity}${where === '' ? '' : ` where ${where}`} maxresults 1000`
    const answer = await api('GET', `${base}/query`, { query: { ...versioned, query: text } })
    return listOf(toFields(answer['QueryResponse'])[entity])
  }

  async function read(kind: BooksKind, id: string): Promise<JsonFields | undefined> {
    const entity = ENTITIES[kind]
    try {
      const path = `${base}/${entity.toLowerCase()}/${encodeURIComponent(id)}`
      return toFields((await api('GET', path, { query: versioned }))[entity])
    } catch (error) {
      if (error instanceof BooksError && error.failure === 'refused' && error.detail?.startsWith(`${NOT_FOUND} `))
        return undefined
      throw error
    }
  }

  async function write(
    kind: BooksKind,
    body: JsonFields,
    request: string,
    operation: Readonly<Record<string, string>> = {},
  ): Promise<JsonFields> {
    const entity = ENTITIES[kind]
    const answer = await api('POST', `${base}/${entity.toLowerCase()}`, {
      query: { ...versioned, ...operation, requestid: request },
      body,
    })
    return toFields(answer[entity])
  }

  /** Finds documents of a number, or payments of a customer and day, as the program can search for them. */
  const candidates = (document: BooksDocument): Promise<JsonFields[]> => {
    if (document.kind === 'customer') return query('Customer', `DisplayName = ${quote(document.name)}`)
    if (document.kind === 'item') return query('Item', `Name = ${quote(document.name)}`)
    if (document.kind === 'payment')
      return query('Payment', `CustomerRef = ${quote(document.customer)} and TxnDate = ${quote(document.day)}`)
    return query(ENTITIES[document.kind], `DocNumber = ${quote(document.number)}`)
  }

  /** Returns what an invoice still asks, which is all that a payment can be applied to. */
  const openOf = async (document: BooksDocument): Promise<number> =>
    document.kind !== 'payment' || document.invoice === null
      ? 0
      : centsOf(await read('invoice', document.invoice), 'Balance', document.currency)

  /** Returns the account of receivables, which a journal entry names. */
  async function receivableFor({ kind }: BooksDocument): Promise<string> {
    if (kind !== 'refund') return ''
    const [account] = await query('Account', "AccountType = 'Accounts Receivable' and Active = true")
    if (account === undefined) throw held('program', 'There is no account of type Accounts Receivable.')
    return String(account['Id'])
  }

  /** Deletes the payments of nothing by which a credit was applied. */
  async function unapply(credit: JsonFields, request: string): Promise<void> {
    for (const { TxnId, TxnType } of listOf(credit['LinkedTxn'])) {
      const payment = TxnType === 'Payment' ? await read('payment', String(TxnId)) : undefined
      if (payment?.['TotalAmt'] === 0)
        await write('payment', { Id: payment['Id'], SyncToken: payment['SyncToken'] }, `${request}-u`, DELETE)
    }
  }

  return {
    needsItems: true,
    maxNumber: 21,

    async listAccounts() {
      const accounts = await query('Account', 'Active = true')
      return accounts.flatMap((account) => {
        const uses = usesOf(account)
        const name = String(account['FullyQualifiedName'] ?? account['Name'])
        return uses.length === 0 ? [] : [{ id: String(account['Id']), name, uses }]
      })
    },

    async readOrganization() {
      const [company, preferences] = await Promise.all([query('CompanyInfo', ''), query('Preferences', '')])
      const { CompanyName, Country } = toFields(company[0])
      const currency = toFields(toFields(toFields(preferences[0])['CurrencyPrefs'])['HomeCurrency'])['value']
      return {
        id: options.organization,
        name: String(CompanyName ?? ''),
        country: String(Country ?? 'US'),
        currency: String(currency ?? ''),
      }
    },

    async find(document) {
      const listed = await candidates(document)
      if (document.kind === 'customer' || document.kind === 'item') return toRemote(document, listed[0])
      const own = listed.find(({ PrivateNote }) => String(PrivateNote ?? '').includes(document.mark))
      if (own === undefined && document.kind === 'invoice' && listed.some((one) => !isVoid(one)))
        throw held('number_taken', document.number)
      return toRemote(document, own)
    },

    async make(document, request) {
      const facts = { ...options, open: await openOf(document), receivable: await receivableFor(document) }
      return requireRemote(document, await write(document.kind, toBody(document, facts), request))
    },

    async change(remote, document, request) {
      const current = await read(document.kind, remote)
      if (current === undefined) throw held('gone')
      const body = {
        ...toBody(document, { ...options, open: 0, receivable: '' }),
        Id: remote,
        SyncToken: current['SyncToken'],
        sparse: true,
      }
      // The customer and its payments there stay as they are.
      const kept = document.kind === 'invoice' ? { CustomerRef: current['CustomerRef'] } : {}
      return requireRemote(document, await write(document.kind, { ...body, ...kept }, request))
    },

    async apply(remote, document, request) {
      const [credit, invoice] = await Promise.all([read('credit', remote), read('invoice', document.invoice)])
      const open = Math.min(
        centsOf(credit, 'Balance', document.currency),
        centsOf(invoice, 'Balance', document.currency),
      )
      if (open > 0) await write('payment', applicationOf(document, remote, open), `${request}-a`)
    },

    async cancel(kind, remote, request) {
      const current = await read(kind, remote)
      if (current === undefined || isVoid(current)) return 'cancelled'
      if (kind === 'invoice' && listOf(current['LinkedTxn']).length > 0) return 'applied'
      if (kind === 'credit' || kind === 'reversal') await unapply(current, request)
      await write(kind, { Id: remote, SyncToken: current['SyncToken'], ...SPARSE[kind] }, request, OPERATIONS[kind])
      return 'cancelled'
    },
  }
}

const DELETE = { operation: 'delete' }

/** How each kind is taken back: what a customer may have seen stays there as void. */
const OPERATIONS: Readonly<Record<BooksKind, Readonly<Record<string, string>>>> = {
  customer: DELETE,
  item: DELETE,
  invoice: { operation: 'void' },
  payment: { operation: 'update', include: 'void' },
  refund: DELETE,
  credit: DELETE,
  reversal: DELETE,
}

const SPARSE: Readonly<Partial<Record<BooksKind, JsonFields>>> = { payment: { sparse: true } }

/** Returns the payment of nothing by which a credit pays an invoice. */
const applicationOf = ({ customer, day, currency, invoice, mark }: CreditDocument, credit: string, cents: number) => {
  const Amount = amountOf(cents, currency)
  const line = (TxnId: string, TxnType: string) => ({ Amount, LinkedTxn: [{ TxnId, TxnType }] })
  return {
    CustomerRef: { value: customer },
    TxnDate: day,
    TotalAmt: 0,
    PrivateNote: mark,
    Line: [line(invoice, 'Invoice'), line(credit, 'CreditMemo')],
  }
}

const isVoid = ({ TotalAmt, PrivateNote }: JsonFields): boolean =>
  TotalAmt === 0 && String(PrivateNote ?? '').startsWith('Voided')

/** Writes a value as the program's queries take it. */
const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const toRemote = (document: BooksDocument, found: JsonFields | undefined): RemoteRecord | undefined =>
  found === undefined ? undefined : { id: String(found['Id']), cents: totalOf(document, found) }

/** Returns the total there; a journal entry has none that it says. */
const totalOf = (document: BooksDocument, found: JsonFields): number | null =>
  'cents' in document && document.kind !== 'refund' ? centsOf(found, 'TotalAmt', document.currency) : null

function requireRemote(document: BooksDocument, answer: JsonFields): RemoteRecord {
  const remote = toRemote(document, answer)
  // An answer that can't be read may be of something that was made: it is looked for.
  if (remote === undefined || answer['Id'] === undefined) throw new BooksError('later')
  return remote
}

/** Returns the program's words for what was wrong: `6140 Duplicate Document Number Error: …`. */
export function quickbooksProblem({ Fault, fault }: JsonFields): string | null {
  const [error] = listOf(toFields(Fault ?? fault)['Error'] ?? toFields(fault)['error'])
  if (error === undefined) return null
  const parts = [error['code'], error['Message'], error['Detail']].filter((one) => typeof one === 'string')
  return parts.join(' ')
}
