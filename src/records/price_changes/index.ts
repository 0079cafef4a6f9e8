export { applyPriceChange } from './apply.ts'
export { nextPricePart, priceActions } from './part.ts'
export { listChangeable } from './recurring_work.ts'
