import { ifPresent } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { parsePhoneQuery } from '../../platform/validation/formats/phone.ts'
import { findContactsByAddress } from '../../records/contacts/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { MemberContext } from '../member_context.ts'

type Rows<W extends 'customers_search' | 'jobs_list' | 'quotes_list' | 'notes_list'> = Results[W]['rows']

/** Customer data shown to the office during a call. */
export type CallerProfile = {
  customer: Results['customers_get']
  visits: Rows<'jobs_list'>
  quotes: Rows<'quotes_list'>
  notes: Rows<'notes_list'>
}

/** Result of a caller lookup: one customer, several candidates, or none. */
export type CallerMatch =
  | { kind: 'known'; known: CallerProfile }
  | { kind: 'several'; rows: Rows<'customers_search'> }
  | { kind: 'nobody' }

const MIN_QUERY_LENGTH = 3
const MAX_QUERY_LENGTH = 200
const MAX_MATCHES = 6

/** Finds the caller: the chosen customer, or else a match for the typed phone number in any format, or name. */
export async function findCaller(context: MemberContext, form: URLSearchParams): Promise<CallerMatch> {
  const chosen = form.get('customer_id') ?? ''
  if (isId(chosen)) {
    const profile = await findCallerProfile(context, chosen)
    if (profile !== undefined) return { kind: 'known', known: profile }
  }
  const query = (form.get('q') ?? '').trim()
  if (query.length < MIN_QUERY_LENGTH || query.length > MAX_QUERY_LENGTH) return { kind: 'nobody' }
  const exact = await findCustomersByPhone(context, query)
  if (exact.length === 1) {
    const profile = await findCallerProfile(context, exact[0]!)
    if (profile !== undefined) return { kind: 'known', known: profile }
  }
  const { rows } = await context.call('customers_search', { query, limit: MAX_MATCHES })
  return rows.length === 0 ? { kind: 'nobody' } : { kind: 'several', rows }
}

/** Returns the active customers with exactly this number, at most two. */
export async function findCustomersByPhone(context: MemberContext, text: string): Promise<string[]> {
  const phone = text.length > MAX_QUERY_LENGTH ? undefined : parsePhoneQuery(text, context.company.country)
  if (phone === undefined) return []
  const contacts = await context.read((db) => findContactsByAddress(db, phone, []))
  return [...new Set(contacts.map(({ customer_id }) => customer_id))].slice(0, 2)
}

async function findCallerProfile(context: MemberContext, id: string): Promise<CallerProfile | undefined> {
  const answers = await ifPresent(
    Promise.all([
      context.call('customers_get', { id }),
      context.call('jobs_list', { customer_id: id, sort: 'scheduled_desc', limit: 4 }),
      context.may('read:quotes')
        ? context.call('quotes_list', { customer_id: id, status: ['sent'], limit: 3 })
        : noRows,
      context.may('read:notes')
        ? context.call('notes_list', { subject_type: 'customer', subject_id: id, pinned: true, limit: 3 })
        : noRows,
    ]),
  )
  if (answers === undefined) return undefined
  const [customer, visits, quotes, notes] = answers
  return { customer, visits: visits.rows, quotes: quotes.rows, notes: notes.rows }
}

const noRows = { rows: [] }
