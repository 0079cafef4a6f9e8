import { phone } from '../../format/formats.ts'
import type { FormValues } from '../../fields/form_field.ts'
import type { PageContext } from '../../page/page_context.ts'
import { localAddress } from '../../page/contact_links.ts'
import type { DuplicateCandidate } from '../../page/screen.ts'
import { fold } from '../../../platform/validation/text/fold.ts'
import { parsePhoneQuery } from '../../../platform/validation/formats/phone.ts'
import { findContactsByAddress } from '../../contacts/index.ts'
import { mayMerge } from '../customer.ts'

const MAX_DUPLICATES = 5
const MAX_LENGTH = 200
const MIN_NAME_LENGTH = 3

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
  const sharedContacts =
    number === undefined && email === ''
      ? []
      : await context.read((db) => findContactsByAddress(db, number ?? null, email === '' ? [] : [email]))
  const sharedIds = new Set(sharedContacts.map(({ customer_id }) => customer_id))
  const search = async (query: string | undefined) =>
    query === undefined || query.length < MIN_NAME_LENGTH
      ? []
      : (await context.call('customers_search', { query, limit: MAX_DUPLICATES })).rows
  const [sameName, ...others] = await Promise.all([
    search(isFullName(name) ? name.trim() : undefined),
    ...(sharedIds.size > 0 ? [search(number), search(email)] : []),
  ])
  const rows = [
    ...others.flat().filter(({ id }) => sharedIds.has(id)),
    ...sameName.filter(({ display_name }) => wordsOf(display_name) === wordsOf(name)),
  ]
  return [...new Map(rows.map((row) => [row.id, row])).values()]
    .filter(({ id }) => id !== except)
    .slice(0, MAX_DUPLICATES)
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
const isFullName = (name: string): boolean =>
  name.trim().length >= MIN_NAME_LENGTH && !name.startsWith(' ') && !name.endsWith(' ')

/** Returns the sorted words of a name, without case, accents and punctuation. */
const wordsOf = (name: string): string =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
