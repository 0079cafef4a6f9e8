import type { BookAccount } from '../program.ts'

/** An item of the sync itself, with the same id in every company. */
export type OwnItem = { id: string; name: string; account: BookAccount }

const ownItem = (number: number, name: string, account: BookAccount): OwnItem => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  name,
  account,
})

/** Items for lines without a catalog item. Their names are English, as in the accounting exports. */
export const OWN_ITEMS = {
  services: ownItem(1, 'Callout services', 'income'),
  discount: ownItem(2, 'Callout discount', 'income'),
  tax: ownItem(3, 'Callout sales tax', 'tax'),
  deposits: ownItem(4, 'Callout customer deposits', 'deposits'),
  badDebts: ownItem(5, 'Callout bad debts', 'bad_debts'),
} as const

export const findOwnItem = (id: string): OwnItem | undefined => Object.values(OWN_ITEMS).find((item) => item.id === id)
