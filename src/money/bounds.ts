import type { Bounds } from './decimal.ts'
import { refusals } from './refusals.ts'

/** Bounds how many of a line's units were sold (docs/spec/money.md#amounts): thousandths. */
export const quantity: Bounds = { scale: 3, min: 1n, max: 999_999_999n, below: refusals.aboveZero() }

/** Bounds a percentage, of a discount or a tax rate: ten-thousandths of a percent. */
export const percent: Bounds = { scale: 4, min: 0n, max: 1_000_000n, below: refusals.atLeastZero() }

/** Bounds the same as a fraction of one, as tax rates publish it (docs/spec/records.md#tax-rate-fields): millionths. */
export const fraction: Bounds = { scale: 6, min: 0n, max: 1_000_000n, below: refusals.atLeastZero() }

/** Bounds the price of one unit: cents. */
export const unitPrice: Bounds = { scale: 0, min: 0n, max: 9_999_999_999n, below: refusals.price() }

/** Maximum of a line or a document, in cents. It keeps every published amount far below 2^53. */
export const MAX_CENTS = 1_000_000_000_000n

/** Bounds a discount of a fixed amount: cents. */
export const discountAmount: Bounds = { scale: 0, min: 1n, max: MAX_CENTS, below: refusals.aboveZero() }

export const MAX_LINES = 200
