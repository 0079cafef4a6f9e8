/** Returns a name in the language of whoever fills the catalog. */
type LocalName = () => string

type StarterKind = 'service' | 'product' | 'labor' | 'fee'

type StarterOptions = {
  /** Minutes that a service takes. */
  minutes?: number
  unit?: 'hour' | 'each' | 'pallet' | 'yard'
  taxable?: false
  /** True for what nearly every company of the trade sells: it is checked before anybody looks. */
  isCommon?: true
}

/** An item that a new company may take into its catalog; `cents` is a usual price in US dollars. */
export type StarterItem = StarterOptions & {
  key: string
  kind: StarterKind
  name: LocalName
  category: string
  cents: number
}

/** What the companies of a trade sell, in categories. */
export type StarterTrade = {
  name: LocalName
  categories: Readonly<Record<string, LocalName>>
  items: readonly StarterItem[]
}

/** Makes an item of a starter catalog, at a price in whole dollars. */
export const starter = (
  kind: StarterKind,
  key: string,
  name: LocalName,
  category: string,
  dollars: number,
  options: StarterOptions = {},
): StarterItem => ({ kind, key, name, category, cents: 100 * dollars, ...options })
