import { cleaning } from './cleaning.ts'
import { hvac } from './hvac.ts'
import { landscaping } from './landscaping.ts'
import { plumbing } from './plumbing.ts'
import type { StarterTrade } from './starter.ts'

export type { StarterItem, StarterTrade } from './starter.ts'

/** Starter catalogs by trade. */
export const STARTER_TRADES = { plumbing, hvac, cleaning, landscaping } as const satisfies Record<string, StarterTrade>

export type Trade = keyof typeof STARTER_TRADES

export const isTrade = (name: string): name is Trade => Object.hasOwn(STARTER_TRADES, name)
