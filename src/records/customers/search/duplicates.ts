import { phone } from '../../format/formats.ts'
import type { FormValues } from '../../fields/form_field.ts'
import type { PageContext } from '../../page/page_context.ts'
import { localAddress } from '../../page/reach.ts'
import type { DuplicateCandidate } from '../../page/screen.ts'
import { fold } from '../../../platform/validation/text/fold.ts'
import { parsePhoneQuery } from '../../../platform/validation/formats/phone.ts'
import { reachedBy } from '../../contacts/index.ts'
import { mayMerge } from '../customer.ts'

const MAX_ALIKE = 5
const MAX_LENGTH = 200
const MIN_NAME = 3

/** Fields of a new customer to check for duplicates. */
export const DUPLICATE_FIELDS = ['customer_type', 'first_name', 'last_name', 'company_name', 'phone', 'email'] as const

/**
 * Finds customers with the same phone, email or name as the one being typed. `except` is the id created from the form.
 */
export async function findDuplicates(
  context: PageContext,
  values: FormValues,
  except?: string,
): Promise<DuplicateCandidate[]> {
  if (!context.may('read:customers')) return []
  const text = (name: (typeof DUPLICATE_FIELDS)[number]) => (values.get(name) ?? '').trim().slice(0, MAX_LENGTH)
  const [number, email] = [parsePhoneQuery(text('phone'), context.company.country), text('email').toLowerCase()]
  const name = text('customer_type') === 'company' ? text('company_name') : `${text('first_name')} ${text('last_name')}`
  const reached =
    number === undefined && email === ''
      ? []
      : await context.read((db) => reachedBy(db, number ?? null, email === '' ? [] : [email]))
  const byReach = new Set(reached.map(({ customer_id }) => customer_id))
  const search = async (query: string | undefined) =>
    query === undefined || query.length < MIN_NAME
      ? []
      : (await context.call('customers_search', { query, limit: MAX_ALIKE })).rows
  const [called, ...others] = await Promise.all([
    search(isWhole(name) ? name.trim() : undefined),
    ...(byReach.size > 0 ? [search(number), search(email)] : []),
  ])
  const rows = [
    ...others.flat().filter(({ id }) => byReach.has(id)),
    ...called.filter(({ display_name }) => wordsOf(display_name) === wordsOf(name)),
  ]
  return [...new Map(rows.map((row) => [row.id, row])).values()]
    .filter(({ id }) => id !== except)
    .slice(0, MAX_ALIKE)
    .map(({ id, display_name, primary_phone, primary_email, primary_address }) => ({
      id,
      name: display_name,
      describedBy: [
        primary_phone && phone(primary_phone),
        primary_email,
        primary_address && localAddress(primary_address, context.company.country),
      ]
        .filter(Boolean)
        .join(' · '),
    }))
}

/** Returns the path of the merge page, for those who may merge. */
export const mergePath = (context: PageContext, id: string, other: string): string | undefined =>
  context.may('write:customers') && mayMerge(context.caller)
    ? `${context.path('customers', id, 'merge')}?with=${other}`
    : undefined

/** Checks whether a name is complete: more than a first name or its beginning. */
const isWhole = (name: string): boolean =>
  name.trim().length >= MIN_NAME && !name.startsWith(' ') && !name.endsWith(' ')

/** Returns the sorted words of a name, without case, accents and punctuation. */
const wordsOf = (name: string): string =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
