import type { Bounds } from './decimal.ts'
import { refusals } from './refusals.ts'

/** Bounds of a line's quantity, in thousandths of a unit (docs/spec/money.md#amounts). */
export const quantity: Bounds = { scale: 3, min: 1n, max: 999_999_999n, below: refusals.aboveZero() }

/** Bounds of a percentage, for discounts and tax rates: ten-thousandths of a percent. */
export const percent: Bounds = { scale: 4, min: 0n, max: 1_000_000n, below: refusals.atLeastZero() }

/** Bounds of a percentage as a fraction of 1, in millionths (docs/spec/records.md#tax-rate-fields). */
export const fraction: Bounds = { scale: 6, min: 0n, max: 1_000_000n, below: refusals.atLeastZero() }

/** Bounds of a unit price, in cents. */
export const unitPrice: Bounds = { scale: 0, min: 0n, max: 9_999_999_999n, below: refusals.price() }

/** Maximum total of a line or a document, in cents. It keeps every published amount far below 2^53. */
export const MAX_CENTS = 1_000_000_000_000n

/** Bounds of a fixed-amount discount, in cents. */
export const discountAmount: Bounds = { scale: 0, min: 1n, max: MAX_CENTS, below: refusals.aboveZero() }

export const MAX_LINES = 200
