/** Returns a name in the language of the current user. */
type LocalName = () => string

type StarterKind = 'service' | 'product' | 'labor' | 'fee'

type StarterOptions = {
  /** Duration of a service in minutes. */
  minutes?: number
  unit?: 'hour' | 'each' | 'pallet' | 'yard'
  taxable?: false
  /** True for items that nearly every company of the trade sells; they are selected by default. */
  isCommon?: true
}

/** An item offered to a new company's catalog; `cents` is a typical price in US dollars. */
export type StarterItem = StarterOptions & {
  key: string
  kind: StarterKind
  name: LocalName
  category: string
  cents: number
}

/** Starter catalog of a trade, by category. */
export type StarterTrade = {
  name: LocalName
  categories: Readonly<Record<string, LocalName>>
  items: readonly StarterItem[]
}

/** Returns an item of a starter catalog, at a price in whole dollars. */
export const starterItem = (
  kind: StarterKind,
  key: string,
  name: LocalName,
  category: string,
  dollars: number,
  options: StarterOptions = {},
): StarterItem => ({ kind, key, name, category, cents: 100 * dollars, ...options })
