import { sql } from '../../platform/db/tenant.ts'
import type { Option } from '../../platform/html/parts/field.ts'
import { say } from '../../platform/i18n/say.ts'
import { fieldValue, type FormValues } from './form_field.ts'
import { wordFor } from '../page/states.ts'
import { localAddress } from '../page/contact_links.ts'
import type { PageContext } from '../page/page_context.ts'

type ChoiceLoader = (context: PageContext, values: FormValues) => Promise<readonly Option[]>

/** Builds choices from words of the wire format. */
export const wordOptions = (...names: readonly string[]): Option[] =>
  names.map((name) => ({ value: name, label: wordFor(name) }))

/** Returns the members of the company, by name. */
export const members: ChoiceLoader = (context) =>
  context.read((db) =>
    db.all<Option>(sql`
  select u.id as value, u.name as label from members m join users u on u.id = m.user_id
  where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by lower(u.name), u.id`),
  )

/** Returns the locations of the form's customer. */
export const locations: ChoiceLoader = async (context, values) => {
  const customer_id = fieldValue(values, 'customer_id')
  if (customer_id === '' || !context.may('read:customers')) return []
  const { rows } = await context.call('locations_list', { customer_id, limit: 100 })
  return rows.map(({ id, name, type, formatted_address }) => ({
    value: id,
    label: locationLabel(
      `${name === undefined ? '' : `${name}, `}${localAddress(formatted_address, context.company.country)}`,
      type,
    ),
  }))
}

const locationLabel = (address: string, type: string): string =>
  type === 'billing' ? say`${address} (billing)` : address

/** Returns the contacts of the form's customer. */
export const contacts: ChoiceLoader = async (context, values) => {
  const customer_id = fieldValue(values, 'customer_id')
  if (customer_id === '' || !context.may('read:customers')) return []
  const { rows } = await context.call('contacts_list', { customer_id, limit: 100 })
  return rows.map(({ id, first_name, last_name, email, phone }) => ({
    value: id,
    label: [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? say`No name`),
  }))
}

/** Returns the live tax rates, the default first. */
export const taxRates: ChoiceLoader = async (context) => {
  if (!context.may('read:tax_rates')) return []
  const { rows } = await context.call('tax_rates_list', { limit: 100 })
  return rows.map(({ id, name, rate_percentage }) => ({ value: id, label: `${name} ${rate_percentage}%` }))
}

type TreeNode = { id: string; name: string; path: readonly string[] }

/** Returns choices from a tree, each labeled with its path. */
export const pathOptions = (nodes: readonly TreeNode[]): Option[] =>
  nodes.map(({ id, name, path }) => ({ value: id, label: [...path, name].join(' › ') }))
